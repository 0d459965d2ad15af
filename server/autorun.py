"""Running the trains for a player: the best run of the company in turn, as actions.

The engine plays and judges, the optimizer solves; only here they come together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board.board import Board
from engine.errors import BradshawError, Fault, StateError
from engine.notation.routes import written_route
from engine.play.actions import Action, RouteEntry, RunRoutes, corporation
from engine.play.game import Play
from engine.routing.run import RouteVerdict, Run, Verdict
from optimizer.stop import Stop
from server.confirm import Answer, UnconfirmedError
from server.desk import Better, Desk
from server.errors import NothingToRunError
from server.profiles import ProfileChoice
from server.question import Question, Situation


@dataclass(frozen=True)
class AutoRun:
    """The best run of the company that was about to run.

    Parameters
    ----------
    actions
        The actions that make it up, in order; usually one.
    answer
        The run, with its proof and account.
    """

    actions: tuple[Action, ...]
    answer: Answer


def situation_of(play: Play) -> Situation | None:
    """Return what the optimizer needs to know if a company is about to run, else None."""
    running = play.running()
    if running is None:
        return None
    board, company = running
    return Situation(board, company, ProfileChoice(play.setting.profile))


def need_situation(play: Play) -> Situation:
    """Return what the optimizer needs to know.

    Raises
    ------
    NothingToRunError
        No company is about to run its trains.
    """
    situation = situation_of(play)
    if situation is None:
        step = play.step()
        why = f"the step {step!r} waits for {play.actor()}" if step else "the game is over"
        hint = "just before an entry 'run_routes' one is"
        message = f"no company is about to run its trains: {why}; {hint}"
        fault = Fault("NOTHING_TO_RUN", "game", message, "FMT §B6")
        raise NothingToRunError(message, [fault])
    return situation


def run_action(board: Board, company: str, run: Run, verdict: Verdict) -> RunRoutes:
    """Return a run as the action of a record, with what the referee says that it pays (FMT §B6).

    Parameters
    ----------
    board
        The board on which it runs.
    company
        Who runs.
    run, verdict
        The run, and the referee's verdict on it, which is legal.
    """
    entries: list[RouteEntry] = []
    for route, said in zip(run.routes, verdict.routes, strict=True):
        written = written_route(board, route)
        entries.append(
            RouteEntry(
                train=route.train,
                connections=written.connections,
                hexes=tuple(board.stops[stop].hex for stop in route.stops),
                revenue=said.revenue,
                revenue_str="-".join(board.stops[stop].hex for stop in said.paying),
                nodes=written.nodes,
                subsidy=_own_subsidy(said),
                paid=route.paid,
            )
        )
    return RunRoutes(corporation(company), tuple(entries))


def _own_subsidy(said: RouteVerdict) -> int | None:
    """Return the subsidy that a route itself earns, £, or None: mail money, which belongs to
    the whole run, does not stand in the routes of a record (FMT §B6.1)."""
    return sum(item.amount for item in said.items if item.kind == "subsidy") or None


def auto_run(
    play: Play,
    desk: Desk,
    stop: Stop,
    question: Question | None = None,
    better: Better | None = None,
) -> AutoRun:
    """Return the best run of the company that is about to run.

    Parameters
    ----------
    play
        The game; it is not changed.
    question
        With other wishes, objective, seed ... for the same situation; None for the
        usual ones.
    stop, better
        As :meth:`server.desk.Desk.optimize` takes them.

    Raises
    ------
    NothingToRunError
        No company is about to run its trains.
    UnconfirmedError
        The game does not take the actions, or pays something else for them.
    BradshawError
        See :meth:`server.desk.Desk.optimize`.
    """
    situation = need_situation(play)
    asked = _with_attached(play, question or Question(situation))
    answer = desk.optimize(asked, stop, better)
    actions = run_actions(play, answer)
    _try(play, actions, answer)
    return AutoRun(actions, answer)


def _with_attached(play: Play, question: Question) -> Question:
    """Return a question that leaves carriages where the game has them (1822 §18.4).

    Raises
    ------
    StateError
        A wish wants one elsewhere.
    """
    attached, wished = play.attached(), question.wishes.attach
    faults = [
        Fault(
            "ATTACHMENT_CHOSEN",
            f"wishes.attach[{name}]",
            f"{train} has taken {name} for this run",
            "FMT §B5.4",
        )
        for name, train in attached.items()
        if wished.get(name, train) != train
    ]
    if faults:
        raise StateError(faults)
    if not attached:
        return question
    return replace(question, wishes=replace(question.wishes, attach={**wished, **attached}))


def run_actions(play: Play, answer: Answer) -> tuple[Action, ...]:
    """Return the best run of an answer as the actions that make it up."""
    run = answer.best.run
    company = answer.position.company.corporation
    action = run_action(answer.position.board, company, run, answer.best.verdict)
    attached = {route.attachment: route.train for route in run.routes if route.attachment}
    return play.as_played(action, attached)


def _try(play: Play, actions: tuple[Action, ...], answer: Answer) -> None:
    """Play the actions on a copy of the game: it must take them and pay what was promised."""
    best, other = answer.best, play.copy()
    said = f"revenue {best.verdict.revenue} of the best run, played as {len(actions)} actions"
    try:
        for action in actions:
            other.apply(action)
    except BradshawError as error:
        raise UnconfirmedError(error.faults, best.run, best.verdict, said) from error
    runs = [done for done in other.actions()[-len(actions) :] if isinstance(done, RunRoutes)]
    paid = sum(entry.revenue or 0 for done in runs for entry in done.routes)
    if paid != best.verdict.revenue:
        fault = Fault("AMOUNT_DIFFERS", "run", f"the game pays {paid}")
        raise UnconfirmedError([fault], best.run, best.verdict, said)
