"""Answers questions: rules, optimizer and referee together, without any wire."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.errors import Fault, StateError
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules
from engine.routing.run import CompanyState, Position, Run, Verdict
from optimizer.errors import DisagreementError, UnknownAlgorithmError
from optimizer.registry import ALGORITHMS, find_algorithm
from optimizer.solution import Improvement, Objective, Solution, Wishes
from optimizer.stop import Stop
from server.confirm import Answer, JudgedRun, UnconfirmedError, confirm
from server.question import Question, Submission, SubmittedWishes
from server.seat import seat
from server.written import VOID, routes_of

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


Better = Callable[[Position, JudgedRun, int], None]
"""Told of each better run, judged, and of the bound known at that moment."""


@dataclass(frozen=True)
class Ruling:
    """The answer to a submission.

    Parameters
    ----------
    position
        The position.
    run
        The run; routes that mean nothing on the board have no stops.
    verdict
        The verdict; routes that mean nothing on the board are among its faults.
    """

    position: Position
    run: Run
    verdict: Verdict


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
        rules, position, wishes = understood(question)
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


def understood(question: Question) -> tuple[Rules, Position, Wishes]:
    """Return rules, position and wishes of a question that can be answered.

    Raises
    ------
    StateError
        State, profile, algorithm or wishes have faults; all of them are listed, but for wishes
        about a board that is wrong itself.
    """
    faults = list(_algorithm_faults(question.algorithm))
    try:
        rules, position = seat(question.situation)
    except StateError as error:
        faults[:0] = _train_faults(question.situation.company, question.wishes)
        raise StateError([*error.faults, *faults]) from error
    try:
        wishes = wishes_of(rules, position, question.wishes)
    except StateError as error:
        raise StateError([*error.faults, *faults]) from error
    if faults:
        raise StateError(faults)
    return rules, position, wishes


def _algorithm_faults(name: str) -> Iterator[Fault]:
    try:
        find_algorithm(name or DEFAULT_ALGORITHM)
    except UnknownAlgorithmError as error:
        yield Fault(error.code, "algorithm", str(error))


def validate(submission: Submission) -> Ruling:
    """Return the verdict on a run.

    Raises
    ------
    BradshawError
        The state or the profile has faults. Faults of the routes are in the
        verdict.
    """
    rules, position = seat(submission.situation)
    routes, faults = routes_of(rules, position, submission.routes, "routes")
    run = Run(routes)
    verdict = rules.judge(position, run)
    if faults:
        verdict = Verdict((*faults, *_not_of_void(verdict.faults, faults)))
    return Ruling(position, run, verdict)


def _not_of_void(judged: Sequence[Fault], written: Sequence[Fault]) -> Iterator[Fault]:
    """Yield the faults of a run, but for those of the legs of routes that mean nothing anyway."""
    void = {f"{f.path.partition('.legs')[0]}.legs" for f in written if f.code == VOID}
    for fault in judged:
        if fault.path not in void:
            yield fault


def _judging(rules: Rules, position: Position, better: Better) -> Progress:
    """Return a function that judges better runs before it passes them on."""

    def progress(found: Improvement) -> None:
        judged = JudgedRun(found.run, rules.judge(position, found.run))
        if not judged.verdict.legal:
            said = f"a better run on the way, bound {found.bound}"
            raise UnconfirmedError(judged.verdict.faults, found.run, judged.verdict, said)
        better(position, judged, found.bound)

    return progress


def wishes_of(rules: Rules, position: Position, submitted: SubmittedWishes) -> Wishes:
    """Return wishes that name only what exists.

    Raises
    ------
    StateError
        A wish names a train, hex, stop or carriage that does not exist, or a
        pinned route means nothing on the board.
    """
    pinned, faults = routes_of(rules, position, submitted.pinned, "wishes.pinned")
    found = [
        *faults,
        *_train_faults(position.company, submitted),
        *_place_faults(position, submitted),
    ]
    if found:
        raise StateError(found)
    return Wishes(
        pinned=pinned,
        idle=frozenset(submitted.idle),
        avoid_hexes=frozenset(submitted.avoid_hexes),
        avoid_stops=frozenset(submitted.avoid_stops),
        attach=dict(submitted.attach),
    )


def _train_faults(company: CompanyState, wishes: SubmittedWishes) -> Iterator[Fault]:
    """Yield a fault for each wish about a train that the company does not have."""
    trains = {train.id for train in company.trains}
    named = [(f"wishes.pinned[{n}].train", r.train) for n, r in enumerate(wishes.pinned)]
    named += [(f"wishes.idle[{number}]", train) for number, train in enumerate(wishes.idle)]
    named += [(f"wishes.attach[{name}]", train) for name, train in wishes.attach.items() if train]
    for path, train in named:
        if train not in trains:
            message = f"{company.corporation} has no train {train!r}"
            yield Fault("TRAIN_UNKNOWN", path, message)


def _place_faults(position: Position, wishes: SubmittedWishes) -> Iterator[Fault]:
    """Yield a fault for each wish about a hex, stop or carriage that does not exist."""
    company = position.company
    for number, hex_id in enumerate(wishes.avoid_hexes):
        if hex_id not in position.board.faces:
            message = f"the map has no hex {hex_id!r}"
            yield Fault("HEX_UNKNOWN", f"wishes.avoid_hexes[{number}]", message)
    for number, stop in enumerate(wishes.avoid_stops):
        if stop not in position.board.stops:
            message = f"there is no stop {stop!r} on the board"
            yield Fault("STOP_UNKNOWN", f"wishes.avoid_stops[{number}]", message)
    kinds = position.title.trains
    carriages = {t.name for t in company.trains if kinds[t.name.rstrip("*")].carriage}
    for name in wishes.attach:
        if name not in carriages:
            message = f"{company.corporation} has no carriage {name!r}"
            yield Fault("ATTACHMENT_UNKNOWN", f"wishes.attach[{name}]", message)
