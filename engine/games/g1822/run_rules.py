"""What the routes of a run may not do together (1822 §11.6, §11.9, §11.11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.board.board import PathRef
from engine.errors import Fault
from engine.games.g1822.court import Case, Court
from engine.games.g1822.special import is_local, track_class
from engine.routing.track import Side


def run_faults(court: Court, cases: Sequence[Case]) -> Iterator[Fault]:
    """Yield every fault that two routes of a run have with each other."""
    yield from _track_faults(cases)
    yield from _fork_faults(court, cases)
    yield from _local_city_faults(cases)


def _track_faults(cases: Sequence[Case]) -> Iterator[Fault]:
    """Within a class no hex side lane and no inner link is used twice (1822 §11.9)."""
    taken: dict[tuple[str, Side | PathRef], Case] = {}
    for case in cases:
        group = track_class(case.kind)
        for number, pieces in enumerate(_pieces(case)):
            shared = [piece for piece in pieces if taken.get((group, piece), case) is not case]
            if shared:
                other = taken[group, shared[0]].traced.route.train
                message = f"trains {other} and {case.traced.route.train} use the same track"
                path = f"{case.path}.legs[{number}]"
                code = "PATH_SHARED" if isinstance(shared[0], PathRef) else "SIDE_SHARED"
                yield Fault(code, path, message, "1822 §11.9", shared[0][0])
        for pieces in _pieces(case):
            for piece in pieces:
                taken.setdefault((group, piece), case)


def _pieces(case: Case) -> Iterator[tuple[Side | PathRef, ...]]:
    """By leg: hex sides with their lanes, and paths that touch no side."""
    for sides, links in zip(case.traced.sides, case.traced.links, strict=True):
        yield (*sides, *links)


def _fork_faults(court: Court, cases: Sequence[Case]) -> Iterator[Fault]:
    """All trains together use one of the tracks between Merthyr and Pontypool (1822 §11.6)."""
    special = court.special
    first: int | None = None
    for case in cases:
        for number, sides in enumerate(case.traced.sides):
            used = [s[1] for s in sides if s[0] == special.fork and s[1] in special.fork_sides]
            for side in used:
                first = side if first is None else first
                if side != first:
                    message = "the run uses both tracks between Merthyr Tydfil and Pontypool"
                    path = f"{case.path}.legs[{number}]"
                    yield Fault("FORK_BOTH_TRACKS", path, message, "1822 §11.6", special.fork)


def _local_city_faults(cases: Sequence[Case]) -> Iterator[Fault]:
    """No two local trains use the same city (1822 §11.11)."""
    taken: dict[str, Case] = {}
    for case in cases:
        for number, stop in enumerate(case.stops):
            if not is_local(case.kind) or stop.kind != "city":
                continue
            if taken.setdefault(stop.id, case) is not case:
                message = f"two local trains use {stop.id}"
                path = f"{case.path}.stops[{number}]"
                yield Fault("LOCAL_CITY_TWICE", path, message, "1822 §11.11", stop.hex)
