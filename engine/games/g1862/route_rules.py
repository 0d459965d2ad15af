"""What makes a single route valid (1862 §10.2, R1 to R9). Part of the referee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.errors import Fault
from engine.games.g1862.court import Court, counts_for, main_slot
from engine.games.g1862.stations import (
    FREIGHT,
    LOCAL,
    Station,
    is_area,
    is_london,
    is_port,
    name_of,
)
from engine.routing.track import Traced, passed_stops, repeated_track
from engine.titles.trains import TrainKind

SECTIONS = {
    "STOP_TWICE": "1862 R3",
    "SIDE_TWICE": "1862 R4",
    "PATH_TWICE": "1862 R4",
    "OFFBOARD_PASSED": "1862 R2",
    "CITY_BLOCKED": "1862 R5",
}
"""Where 1862 states what the shared checks look for."""


def route_faults(court: Court, kind: TrainKind, traced: Traced, path: str) -> Iterator[Fault]:
    """Yield everything that makes a route invalid by itself.

    Parameters
    ----------
    court
        Board and company.
    kind
        Kind of the train.
    traced
        The route, which follows the track.
    path
        Field path of the route, for faults.
    """
    board, company = court.position.board, court.position.company.corporation
    if len(traced.stops) < 2:
        message = "a route joins at least two stations"
        yield Fault("ROUTE_TOO_SHORT", f"{path}.stops", message, "1862 §10.2")
    yield from _end_faults(traced, path)
    yield from _located(repeated_track(traced, path, ""))
    yield from _located(passed_stops(board, traced, company, path, ""))
    if not any(stop.id in court.marked for stop in traced.stops):
        message = f"the route visits no large station with a marker of {company}"
        yield Fault("TOKEN_MISSING", f"{path}.stops", message, "1862 R6")
    yield from _area_faults(court, traced, path)
    yield from _reach_faults(kind, traced, path)


def _located(faults: Iterator[Fault]) -> Iterator[Fault]:
    for fault in faults:
        yield replace(fault, section=SECTIONS.get(fault.code, "1862 §10.2"))


def _end_faults(traced: Traced, path: str) -> Iterator[Fault]:
    for number in sorted({0, len(traced.stops) - 1}):
        stop = traced.stops[number]
        if stop.kind == Station.SMALL:
            message = f"the route ends in the small station {stop.id}"
            yield Fault("END_IN_TOWN", f"{path}.stops[{number}]", message, "1862 R1", stop.hex)


def _area_faults(court: Court, traced: Traced, path: str) -> Iterator[Fault]:
    board = court.position.board
    areas = [stop for stop in traced.stops if is_area(stop)]
    for name, count in Counter(map(name_of, areas)).items():
        if count > 1:
            message = f"the route visits the area {name} {count} times"
            yield Fault("AREA_TWICE", f"{path}.stops", message, "1862 R3")
    ports = {name_of(stop) for stop in areas if is_port(board, stop)}
    red = {name_of(stop) for stop in areas} - ports
    for names, code, what in (
        (red, "RED_AREAS_TOO_MANY", "red area"),
        (ports, "PORTS_TOO_MANY", "port"),
    ):
        if len(names) > 1:
            message = f"a route visits at most one {what}, not {' and '.join(sorted(names))}"
            yield Fault(code, f"{path}.stops", message, "1862 R7")
    for number, stop in enumerate(traced.stops):
        if is_london(stop) and not court.linked:
            message = "the company has no marker in London"
            where = f"{path}.stops[{number}]"
            yield Fault("LONDON_NOT_LINKED", where, message, "1862 R8", stop.hex)


def _reach_faults(kind: TrainKind, traced: Traced, path: str) -> Iterator[Fault]:
    if kind.kind == FREIGHT:
        if traced.moves() > kind.reach:
            message = f"the {kind.name} goes {kind.reach} hexes at most, not {traced.moves()}"
            yield Fault("TOO_MANY_HEXES", f"{path}.legs", message, "1862 R9")
        return
    if kind.kind == LOCAL:
        for number, stop in enumerate(traced.stops):
            if is_area(stop):
                message = f"a Local stays on land and cannot visit {stop.id}"
                where = f"{path}.stops[{number}]"
                yield Fault("LOCAL_OFF_LAND", where, message, "1862 R9", stop.hex)
    most = main_slot(kind).visit
    visited = sum(counts_for(kind, stop) for stop in traced.stops)
    if visited > most:
        what = "large stations" if kind.kind == LOCAL else "large stations and areas"
        message = f"the {kind.name} visits at most {most} {what}, not {visited}"
        yield Fault("TOO_MANY_STOPS", f"{path}.stops", message, "1862 R9")
