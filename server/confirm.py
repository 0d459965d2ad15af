"""The last check of an answer, along a path of its own.

The optimizer checks its answers with the referee. Here it is done once more:
the position is loaded anew, with new rules, and every run that leaves is
judged. What was claimed of it must hold: amounts, bound, proof and wishes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine.errors import BradshawError, Fault
from engine.routing.run import Position, Route, Run, Verdict
from optimizer.solution import Objective, Solution, Status, Wishes
from server.question import Question
from server.seat import seat


@dataclass(frozen=True)
class JudgedRun:
    """A run with the referee's verdict."""

    run: Run
    verdict: Verdict


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
    value = objective.measure(verdict.revenue, verdict.subsidy)
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
