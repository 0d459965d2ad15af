"""Answers questions: rules, optimizer and referee together, without any wire.

The optimizer checks its answers with the referee. The desk does so once more
along a path of its own: it loads the position anew, with new rules, and judges
every run that leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from engine.errors import BradshawError, Fault, StateError
from engine.games import load_game
from engine.routing.position import load_position
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules
from engine.routing.run import Position, Route, Run, Verdict
from optimizer.errors import DisagreementError
from optimizer.registry import ALGORITHMS
from optimizer.solution import Improvement, Objective, Solution, Status, Wishes
from optimizer.stop import Stop
from server.profiles import choose_profile
from server.question import Question, Situation, Submission, SubmittedWishes
from server.written import routes_of

DEFAULT_ALGORITHM = next(iter(ALGORITHMS))
"""Used where a question names none."""

Progress = Callable[[Improvement], None]
"""The optimizer tells it each better run."""


class Solver(Protocol):
    """What the desk asks of an optimizer: see :func:`optimizer.solve`."""

    def __call__(
        self,
        problem: RoutingProblem,
        *,
        stop: Stop,
        seed: int,
        algorithm: str,
        objective: Objective,
        wishes: Wishes,
        runs: int,
        progress: Progress | None,
    ) -> Solution:
        """Return the best run found until `stop`."""


@dataclass(frozen=True)
class JudgedRun:
    """A run with the referee's verdict."""

    run: Run
    verdict: Verdict


Better = Callable[[Position, JudgedRun, int], None]
"""Told of each better run, judged, and of the bound known at that moment."""


@dataclass(frozen=True)
class Answer:
    """The answer to a question.

    Parameters
    ----------
    position
        The position, as the referee saw it.
    solution
        What the optimizer says.
    best, others, free
        Its runs, judged anew.
    """

    position: Position
    solution: Solution
    best: JudgedRun
    others: tuple[JudgedRun, ...]
    free: JudgedRun | None


@dataclass(frozen=True)
class Ruling:
    """The answer to a submission.

    Parameters
    ----------
    position
        The position.
    run
        The run, without routes that mean nothing on the board.
    verdict
        The verdict; routes that mean nothing on the board are among its faults.
    """

    position: Position
    run: Run
    verdict: Verdict


class UnconfirmedError(BradshawError):
    """The referee does not confirm what the optimizer says. No answer is given.

    Attributes
    ----------
    faults
        What does not hold.
    run, verdict
        The run in question and what the referee says of it.
    said
        What the optimizer said, for people.
    report
        Name of the report file, once written.
    """

    code = "ANSWER_NOT_CONFIRMED"

    def __init__(self, claims: Iterable[Fault], run: Run, verdict: Verdict, said: str) -> None:
        super().__init__("the referee does not confirm the answer", claims)
        self.run = run
        self.verdict = verdict
        self.said = said
        self.report = ""


class Desk:
    """Answers questions.

    Parameters
    ----------
    solve
        The optimizer.
    """

    def __init__(self, solve: Solver) -> None:
        self._solve = solve

    def optimize(self, question: Question, stop: Stop, better: Better | None = None) -> Answer:
        """Return the best run, judged anew.

        Parameters
        ----------
        stop
            Ends the solve.
        better
            Told of each better run, from the calling thread.

        Raises
        ------
        BradshawError
            The state, the profile, the algorithm or a wish has faults.
        DisagreementError
            The referee does not confirm the answer.
        """
        rules, position = seat(question.situation)
        wishes = wishes_of(rules, position, question.wishes)
        try:
            solution = self._solve(
                rules.problem(position),
                stop=stop,
                seed=question.seed,
                algorithm=question.algorithm or DEFAULT_ALGORITHM,
                objective=question.objective,
                wishes=wishes,
                runs=question.runs,
                progress=better and _judging(rules, position, better),
            )
        except DisagreementError as error:
            claims = error.faults or (Fault("AMOUNT_DIFFERS", "run", str(error)),)
            raise UnconfirmedError(claims, error.run, error.verdict, str(error)) from error
        return confirm(question, wishes, solution)


def validate(submission: Submission) -> Ruling:
    """Return the verdict on a run.

    Raises
    ------
    BradshawError
        The state or the profile has faults. Faults of the routes are in the
        verdict.
    """
    rules, position = seat(submission.situation)
    routes, void = routes_of(rules, position, submission.routes, "routes")
    run = Run(routes)
    if void:
        return Ruling(position, run, Verdict(void))
    return Ruling(position, run, rules.judge(position, run))


def _judging(rules: Rules, position: Position, better: Better) -> Progress:
    """Return a function that judges better runs before it passes them on."""

    def progress(found: Improvement) -> None:
        judged = JudgedRun(found.run, rules.judge(position, found.run))
        if not judged.verdict.legal:
            said = f"a better run on the way, bound {found.bound}"
            raise UnconfirmedError(judged.verdict.faults, found.run, judged.verdict, said)
        better(position, judged, found.bound)

    return progress


def seat(situation: Situation) -> tuple[Rules, Position]:
    """Return rules and position of a situation, built anew.

    Raises
    ------
    UnknownGameError
        No game has the title.
    StateError
        Board, company or profile have faults.
    """
    game = load_game(situation.board.title)
    rules = game.make_rules(game, choose_profile(game, situation.profile))
    return rules, load_position(rules, situation.board, situation.company)


def wishes_of(rules: Rules, position: Position, submitted: SubmittedWishes) -> Wishes:
    """Return wishes that name only what exists.

    Raises
    ------
    StateError
        A wish names a train, hex, stop or carriage that does not exist, or a
        pinned route means nothing on the board.
    """
    pinned, faults = routes_of(rules, position, submitted.pinned, "wishes.pinned")
    found = [*faults, *_wish_faults(position, submitted)]
    if found:
        raise StateError(found)
    return Wishes(
        pinned=pinned,
        idle=frozenset(submitted.idle),
        avoid_hexes=frozenset(submitted.avoid_hexes),
        avoid_stops=frozenset(submitted.avoid_stops),
        attach=dict(submitted.attach),
    )


def _wish_faults(position: Position, wishes: SubmittedWishes) -> Iterator[Fault]:
    company = position.company
    trains = {train.id for train in company.trains}
    named = [(f"wishes.pinned[{n}].train", r.train) for n, r in enumerate(wishes.pinned)]
    named += [(f"wishes.idle[{number}]", train) for number, train in enumerate(wishes.idle)]
    named += [(f"wishes.attach[{name}]", train) for name, train in wishes.attach.items() if train]
    for path, train in named:
        if train not in trains:
            message = f"{company.corporation} has no train {train!r}"
            yield Fault("TRAIN_UNKNOWN", path, message)
    for number, hex_id in enumerate(wishes.avoid_hexes):
        if hex_id not in position.board.faces:
            message = f"the map has no hex {hex_id!r}"
            yield Fault("HEX_UNKNOWN", f"wishes.avoid_hexes[{number}]", message)
    for number, stop in enumerate(wishes.avoid_stops):
        if stop not in position.board.stops:
            message = f"there is no stop {stop!r} on the board"
            yield Fault("STOP_UNKNOWN", f"wishes.avoid_stops[{number}]", message)
    kinds = position.game.trains
    carriages = {t.name for t in company.trains if kinds[t.name.rstrip("*")].carriage}
    for name in wishes.attach:
        if name not in carriages:
            message = f"{company.corporation} has no carriage {name!r}"
            yield Fault("ATTACHMENT_UNKNOWN", f"wishes.attach[{name}]", message)


def confirm(question: Question, wishes: Wishes, solution: Solution) -> Answer:
    """Judge every run of a solution anew and return the answer.

    Raises
    ------
    UnconfirmedError
        A run is illegal, pays something else, goes against a wish or is better
        than the bound.
    """
    rules, position = seat(question.situation)
    best = JudgedRun(solution.run, rules.judge(position, solution.run))
    others = tuple(JudgedRun(r.run, rules.judge(position, r.run)) for r in solution.others)
    free = solution.free
    judged_free = None if free is None else JudgedRun(free.run, rules.judge(position, free.run))
    claims = [*_unpaid("run", best, solution.revenue, solution.subsidy)]
    claims += _unwished("run", best.run, wishes)
    claims += _unbounded(question.objective, best.verdict, solution)
    for number, (claimed, judged) in enumerate(zip(solution.others, others, strict=True)):
        path = f"others[{number}]"
        claims += _unpaid(path, judged, claimed.revenue, claimed.subsidy)
        claims += _unwished(path, judged.run, wishes)
    if free is not None and judged_free is not None:
        claims += _unpaid("free", judged_free, free.revenue, free.subsidy)
    if claims:
        said = (
            f"{solution.status} by {solution.algorithm}, proof {solution.proof or 'none'}: revenue "
            f"{solution.revenue}, subsidy {solution.subsidy}, bound {solution.bound}"
        )
        raise UnconfirmedError(claims, best.run, best.verdict, said)
    return Answer(position, solution, best, others, judged_free)


def measure(objective: Objective, revenue: int, subsidy: int) -> int:
    """Return the amount, in £, that a bound of the objective limits."""
    if objective is Objective.REVENUE:
        return revenue
    return subsidy if objective is Objective.SUBSIDY else revenue + subsidy


def _unpaid(path: str, judged: JudgedRun, revenue: int, subsidy: int) -> Iterator[Fault]:
    verdict = judged.verdict
    for fault in verdict.faults:
        yield Fault(fault.code, f"{path}.{fault.path}", fault.message, fault.section, fault.hex)
    if (verdict.revenue, verdict.subsidy) != (revenue, subsidy):
        message = (
            f"revenue {revenue} and subsidy {subsidy} are claimed, "
            f"{verdict.revenue} and {verdict.subsidy} are paid"
        )
        yield Fault("AMOUNT_DIFFERS", path, message)


def _unbounded(objective: Objective, verdict: Verdict, solution: Solution) -> Iterator[Fault]:
    value = measure(objective, verdict.revenue, verdict.subsidy)
    if value > solution.bound:
        message = f"the run reaches {value}, more than the bound {solution.bound}"
        yield Fault("BOUND_TOO_LOW", "bound", message)
    if solution.status is Status.OPTIMAL and (value != solution.bound or not solution.proof):
        message = f"{value} is said to be proven, with bound {solution.bound}"
        yield Fault("PROOF_MISSING", "status", message)


def _unwished(path: str, run: Run, wishes: Wishes) -> Iterator[Fault]:
    pinned = {_way(route) for route in wishes.pinned}
    for missing in pinned - {_way(route) for route in run.routes}:
        yield Fault("WISH_IGNORED", path, f"the pinned route of {missing[0]} is not in the run")
    for number, route in enumerate(run.routes):
        where = f"{path}.routes[{number}]"
        if route.train in wishes.idle:
            yield Fault("WISH_IGNORED", where, f"{route.train} runs and was to stand idle")
        if _way(route) in pinned:
            continue
        hexes = {ref.hex for leg in route.legs for ref in leg} & wishes.avoid_hexes
        stops = wishes.avoid_stops.intersection(route.stops)
        if hexes or stops:
            message = f"{route.train} touches {', '.join(sorted(hexes | stops))}"
            yield Fault("WISH_IGNORED", where, message)
        taker = wishes.attach.get(route.attachment) if route.attachment else None
        if taker is not None and taker != route.train:
            message = f"{route.train} takes {route.attachment}, meant for {taker or 'none'}"
            yield Fault("WISH_IGNORED", where, message)


def _way(route: Route) -> tuple[str, object]:
    """A route irrespective of its direction."""
    ahead = (route.stops, route.legs)
    back = (route.stops[::-1], tuple(leg[::-1] for leg in route.legs[::-1]))
    return route.train, min(ahead, back)
