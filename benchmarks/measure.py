"""Solving one position and measuring it; judging the run that its record holds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from engine.board.board import Board
from engine.errors import BradshawError
from engine.games import load_game
from engine.notation.positions import PositionRecord
from engine.notation.routes import resolve_run
from engine.notation.tracks import track_route
from engine.routing.position import load_position, make_rules
from engine.routing.rules import Rules
from engine.routing.run import Position, Route, Run, Verdict
from optimizer import Stop, solve
from optimizer import warm_up as load_algorithms

ERROR = "ERROR"
"""Status of a position that ended in an error of the project."""


@dataclass(frozen=True)
class Measured:
    """What an algorithm made of a position.

    Parameters
    ----------
    id, algorithm
        Which position, which algorithm.
    revenue, subsidy, bound
        The answer, in £; None after an error.
    status
        ``OPTIMAL``, ``FEASIBLE`` or ``ERROR``.
    proof
        What closed the gap, or what the error says.
    referee_agrees
        The referee gives the recorded run the figures of the record, or refuses
        it where the record does; None where the record holds no figures.
    checked_revenue
        What the recorded run is worth, in £; None if unknown or refused.
    optimum
        The largest revenue that exists, if the record knows it.
    ms, cpu_ms
        All stages, by the clock and of processor time.
    stages
        Name and milliseconds of each stage, in order; those within the solve
        as ``solve: ...``.
    """

    id: str
    algorithm: str
    revenue: int | None
    subsidy: int | None
    bound: int | None
    status: str
    proof: str
    referee_agrees: bool | None
    checked_revenue: int | None
    optimum: int | None
    ms: float
    cpu_ms: float
    trains: tuple[str, ...] = ()
    stages: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Judged:
    """What the referee says of the recorded run, beside what the record says.

    Parameters
    ----------
    agrees
        As in :class:`Measured`.
    said
        What differs, for people; empty if nothing does.
    """

    agrees: bool | None
    said: str = ""


class _Clock:
    def __init__(self) -> None:
        self.stages: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.stages[name] = (time.perf_counter() - start) * 1000


def warm_up(title: str, map_name: str) -> None:
    """Load what a process loads once: the data of a game and the solvers."""
    load_algorithms()
    game = load_game(title)
    game.atlas(map_name)
    _ = (game.trains, game.phases, game.corporations, game.certificates, game.setup)


def measure(
    record: PositionRecord, algorithm: str, limit: float | None, judged: Judged
) -> Measured:
    """Solve a position from its state alone and measure every stage.

    Parameters
    ----------
    algorithm
        Name in the optimizer's registry.
    limit
        Seconds for the solve; None for no limit.

    Notes
    -----
    Nothing is kept from one position to the next but what is printed on map,
    tiles and cards: the board is built, its legs are found and the problem is
    stated anew each time. The last stage judges the answer on a position that
    was loaded for that alone.
    """
    rules = make_rules(load_game(record.board.title))
    clock = _Clock()
    began = time.process_time()
    try:
        with clock("board"):
            position = load_position(rules, record.board, record.company)
        with clock("legs and problem"):
            problem = rules.problem(position)
        with clock("solve"):
            solution = solve(problem, stop=Stop(limit), algorithm=algorithm)
        with clock("referee"):
            again = load_position(rules, record.board, record.company)
            verdict = rules.judge(again, solution.run)
            _confirm(verdict, solution.revenue, solution.subsidy)
    except BradshawError as error:
        return _measured(record, algorithm, judged, clock, began, proof=f"{error.code}: {error}")
    inner = {f"solve: {stage.name}": round(stage.ms, 3) for stage in solution.stages}
    measured = _measured(record, solution.algorithm, judged, clock, began, proof=solution.proof)
    return replace(
        measured,
        revenue=solution.revenue,
        subsidy=solution.subsidy,
        bound=solution.bound,
        status=str(solution.status),
        stages={**measured.stages, **inner},
    )


class UnconfirmedError(BradshawError):
    """The referee does not confirm an answer."""

    code = "ANSWER_NOT_CONFIRMED"


def _confirm(verdict: Verdict, revenue: int, subsidy: int) -> None:
    if not verdict.legal or (verdict.revenue, verdict.subsidy) != (revenue, subsidy):
        said = f"£{verdict.revenue} + £{verdict.subsidy}, {len(verdict.faults)} faults"
        raise UnconfirmedError(
            f"the answer says £{revenue} + £{subsidy}, the referee {said}", verdict.faults
        )


def _measured(
    record: PositionRecord,
    algorithm: str,
    judged: Judged,
    clock: _Clock,
    began: float,
    *,
    proof: str,
) -> Measured:
    return Measured(
        id=record.id,
        algorithm=algorithm,
        revenue=None,
        subsidy=None,
        bound=None,
        status=ERROR,
        proof=proof,
        referee_agrees=judged.agrees,
        checked_revenue=checked_revenue(record),
        optimum=record.optimum,
        ms=round(sum(clock.stages.values()), 3),
        cpu_ms=round((time.process_time() - began) * 1000, 3),
        trains=tuple(train.name for train in record.company.trains),
        stages={name: round(ms, 3) for name, ms in clock.stages.items()},
    )


# --- the recorded run --------------------------------------------------------


def checked_revenue(record: PositionRecord) -> int | None:
    """Return what the recorded run is worth by the record, in £."""
    if record.checked is None or not record.checked["valid"]:
        return None
    return _sum_of(record.checked)


def _sum_of(checked: Mapping[str, Any]) -> int:
    """What a run is worth: by the record where it says so (some titles have sums of the run)."""
    total = checked.get("revenue")
    return sum(int(r["revenue"]) for r in checked["routes"]) if total is None else int(total)


def judge_recorded(record: PositionRecord) -> Judged:
    """Compare the referee's figures for the recorded run with those of the record.

    The figures are each route's revenue, its subsidy where the record has one,
    and the sum; a run that the record calls invalid must be refused.
    """
    if record.checked is None:
        return Judged(None)
    rules = make_rules(load_game(record.board.title))
    try:
        position = load_position(rules, record.board, record.company)
        routes = _resolve(rules, position, record)
    except BradshawError as error:
        return Judged(False, f"{error.code}: {error}")
    void = [n for n, route in enumerate(routes) if route is None]
    if void:
        said = f"routes {void} mean nothing on the board"
        return Judged(not record.checked["valid"], said if record.checked["valid"] else "")
    run = Run(tuple(_attach(route, record) for route in routes if route is not None))
    verdict = rules.judge(position, run)
    said = _differences(record.checked, verdict)
    return Judged(not said, said)


def _resolve(rules: Rules, position: Position, record: PositionRecord) -> tuple[Route | None, ...]:
    routes = record.checked["routes"] if record.checked else ()
    if any("paths" in route for route in routes):
        return tuple(
            track_route(position.board, route["train"], route["stops"], route["paths"])
            for route in routes
        )
    if not record.recorded:
        return ()
    tracks: dict[str, str | None] = {train.id: None for train in record.company.trains}
    for cls in rules.problem(position).classes:
        tracks.update(dict.fromkeys(cls.trains, cls.track))
    board: Board = position.board
    return resolve_run(board, record.company.corporation, record.recorded, tracks)


def _attach(route: Route, record: PositionRecord) -> Route:
    return replace(route, attachment=record.carriage) if route.train == record.attached else route


def _differences(checked: Mapping[str, Any], verdict: Verdict) -> str:
    """Return what differs, or an empty text."""
    if not checked["valid"]:
        return "" if not verdict.legal else f"invalid, but the referee pays £{verdict.revenue}"
    if not verdict.legal:
        fault = verdict.faults[0]
        return f"refused: {fault.code} {fault.path}: {fault.message} ({fault.section})"
    wanted = [(route["revenue"], route.get("subsidy")) for route in checked["routes"]]
    given = [(route.revenue, route.subsidy) for route in verdict.routes]
    if len(wanted) != len(given):
        return f"{len(wanted)} routes, the referee {len(given)}"
    notes = []
    for number, (want, give) in enumerate(zip(wanted, given, strict=True)):
        if want[0] != give[0]:
            notes.append(f"route {number} £{want[0]}, the referee £{give[0]}")
        if want[1] is not None and want[1] != give[1]:
            notes.append(f"route {number} subsidy £{want[1]}, the referee £{give[1]}")
    total = _sum_of(checked)
    if total != verdict.revenue:
        notes.append(f"sum £{total}, the referee £{verdict.revenue}")
    subsidies = [route[1] for route in wanted if route[1] is not None]
    subsidy = checked.get("subsidy", sum(subsidies) if subsidies else None)
    if subsidy is not None and subsidy != verdict.subsidy:
        notes.append(f"subsidies £{subsidy}, the referee £{verdict.subsidy}")
    return "; ".join(notes)
