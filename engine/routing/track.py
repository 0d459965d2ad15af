"""The part of the referee that all games share: does a route follow the track?

Works on the paths of the board, one by one; it knows nothing of legs found
beforehand, of the problem's network or of the optimizer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board.board import Board, PathRef, Stop
from engine.board.faces import EndKind, PathEnd, TrackPath
from engine.errors import Fault
from engine.routing.run import Route
from engine.words import counted

Side = tuple[str, int, int, int]
"""A hex side as one hex sees it: hex, side, lanes, lane."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A route laid over the track.

    Parameters
    ----------
    route
        The route as submitted.
    stops
        Its stops; those that do not exist are left out (then there is a fault).
    legs
        Paths by leg, each with the end (0 or 1) at which it is entered.
    sides
        By leg: the hex sides used, each as the hex on either side sees it.
    links
        By leg: paths that touch no hex side (a city and a town of one hex).
    """

    route: Route
    stops: tuple[Stop, ...]
    legs: tuple[tuple[tuple[PathRef, int], ...], ...]
    sides: tuple[tuple[Side, ...], ...]
    links: tuple[tuple[PathRef, ...], ...]

    def all_sides(self) -> tuple[Side, ...]:
        """Hex sides of all legs."""
        return tuple(side for leg in self.sides for side in leg)

    def paths(self) -> tuple[PathRef, ...]:
        """Paths of all legs."""
        return tuple(ref for leg in self.legs for ref, _ in leg)

    def hexes(self) -> frozenset[str]:
        """Every hex touched, stops or plain line."""
        return frozenset(ref.hex for ref in self.paths()) | {stop.hex for stop in self.stops}

    def moves(self) -> int:
        """Hex-to-hex moves along the route."""
        return sum(len(leg) // 2 for leg in self.sides)


def trace(board: Board, route: Route, path: str) -> tuple[Traced | None, tuple[Fault, ...]]:
    """Lay a route over the board.

    Parameters
    ----------
    path
        Field path of the route, for faults: ``routes[0]``.

    Returns
    -------
    traced, faults
        `traced` is None if a stop or path does not exist or a leg does not run
        from one stop to the next; the faults then say where.
    """
    faults: list[Fault] = []
    stops: list[Stop] = []
    for number, name in enumerate(route.stops):
        stop = board.stops.get(name)
        if stop is None:
            message = f"there is no stop {name!r} on the board"
            faults.append(Fault("STOP_UNKNOWN", f"{path}.stops[{number}]", message))
        else:
            stops.append(stop)
    if not route.stops or len(route.legs) != len(route.stops) - 1:
        message = f"{counted(len(route.stops), 'stop')}, so {counted(len(route.stops) - 1, 'leg')}"
        message = f"{message}, not {len(route.legs)}" if route.stops else "a route has a stop"
        faults.append(Fault("LEG_COUNT_WRONG", f"{path}.legs", message))
    if faults:
        return None, tuple(faults)
    legs = []
    for number, refs in enumerate(route.legs):
        walked, fault = _walk(board, refs, stops[number], stops[number + 1])
        if fault:
            faults.append(Fault(fault[0], f"{path}.legs[{number}]", fault[1], "FMT §D5", fault[2]))
        legs.append(walked)
    if faults:
        return None, tuple(faults)
    traced = Traced(
        route,
        tuple(stops),
        tuple(legs),
        tuple(tuple(_sides(board, leg)) for leg in legs),
        tuple(tuple(_links(board, leg)) for leg in legs),
    )
    return traced, ()


def _ends(path: TrackPath, entered: int) -> tuple[PathEnd, PathEnd]:
    return (path.b, path.a) if entered else (path.a, path.b)


def _walk(
    board: Board, refs: Sequence[PathRef], start: Stop, goal: Stop
) -> tuple[tuple[tuple[PathRef, int], ...], tuple[str, str, str] | None]:
    """Follow the paths of one leg; return them with their entries, or what is wrong."""
    for ref in refs:
        face = board.faces.get(ref.hex)
        if face is None or not 0 <= ref.path < len(face.paths):
            return (), ("PATH_UNKNOWN", f"there is no path {ref.path} on {ref.hex!r}", ref.hex)
    if not refs:
        return (), ("LEG_EMPTY", "a leg has at least one path", start.hex)
    starts = [
        which
        for which, end in enumerate(_ends(board.path(refs[0]), 0))
        if refs[0].hex == start.hex and end.kind is EndKind.STOP and end.index == start.index
    ]
    reason = ("LEG_BROKEN", f"the leg does not start at {start.id}", start.hex)
    for entered in starts:
        walked, reason = _follow(board, refs, entered, goal)
        if walked:
            return walked, None
    return (), reason


def _follow(
    board: Board, refs: Sequence[PathRef], entered: int, goal: Stop
) -> tuple[tuple[tuple[PathRef, int], ...], tuple[str, str, str]]:
    walked: list[tuple[PathRef, int]] = []
    broken = ("LEG_BROKEN", "", refs[0].hex)
    junctions: set[tuple[str, int]] = set()
    for number, ref in enumerate(refs):
        walked.append((ref, entered))
        _, leaving = _ends(board.path(ref), entered)
        if number + 1 == len(refs):
            if leaving.kind is EndKind.STOP and (ref.hex, leaving.index) == (goal.hex, goal.index):
                return tuple(walked), broken
            return (), (broken[0], f"the leg does not end at {goal.id}", ref.hex)
        if leaving.kind is EndKind.STOP:
            return (), ("LEG_PASSES_STOP", f"the leg runs through a stop of {ref.hex}", ref.hex)
        if leaving.kind is EndKind.JUNCTION:
            if (ref.hex, leaving.index) in junctions:
                return (), ("JUNCTION_TWICE", "the leg passes a junction twice", ref.hex)
            junctions.add((ref.hex, leaving.index))
        onward = _onward(board, ref, leaving, refs[number + 1])
        if onward is None:
            message = f"path {ref.path} of {ref.hex} does not lead on to {refs[number + 1].hex}"
            return (), (broken[0], message, ref.hex)
        entered = onward
    return (), broken


def _onward(board: Board, ref: PathRef, leaving: PathEnd, onto: PathRef) -> int | None:
    """Return the end at which `onto` is entered from the end of `ref`, or None."""
    if leaving.kind is EndKind.SIDE:
        for met, entry in board.across(ref.hex, leaving, board.path(ref).track):
            if met == onto:
                return entry
        return None
    if onto.hex != ref.hex or onto.path == ref.path:
        return None
    path = board.path(onto)
    if path.terminal:
        return None
    for entry, end in enumerate((path.a, path.b)):
        if end.kind is EndKind.JUNCTION and end.index == leaving.index:
            return entry
    return None


def _sides(board: Board, leg: Sequence[tuple[PathRef, int]]) -> Iterator[Side]:
    for number, (ref, entered) in enumerate(leg):
        before, after = _ends(board.path(ref), entered)
        if number and before.kind is EndKind.SIDE:
            yield (ref.hex, before.index, before.lanes, before.lane)
        if number + 1 < len(leg) and after.kind is EndKind.SIDE:
            yield (ref.hex, after.index, after.lanes, after.lane)


def _links(board: Board, leg: Sequence[tuple[PathRef, int]]) -> Iterator[PathRef]:
    for ref, _ in leg:
        path = board.path(ref)
        if path.a.kind is EndKind.STOP and path.b.kind is EndKind.STOP:
            yield ref


def repeated_track(traced: Traced, path: str, section: str) -> Iterator[Fault]:
    """Yield a fault for every stop, hex side and path that a route uses twice."""
    for stop, times in Counter(stop.id for stop in traced.stops).items():
        if times > 1:
            message = f"the route visits {stop} {times} times"
            yield Fault("STOP_TWICE", f"{path}.stops", message, section, stop.split("-")[0])
    for side, times in Counter(traced.all_sides()).items():
        if times > 1:
            message = f"the route uses side {side[1]} of {side[0]} {times} times"
            yield Fault("SIDE_TWICE", f"{path}.legs", message, section, side[0])
    for ref, times in Counter(traced.paths()).items():
        if times > 1:
            message = f"the route uses path {ref.path} of {ref.hex} {times} times"
            yield Fault("PATH_TWICE", f"{path}.legs", message, section, ref.hex)


def passed_stops(
    board: Board, traced: Traced, corporation: str, path: str, section: str
) -> Iterator[Fault]:
    """Yield a fault for every stop that the route passes and may not (FMT §D4.1, §D3.4)."""
    last = len(traced.stops) - 1
    for number, stop in enumerate(traced.stops):
        if 0 < number < last and not stop.passable(corporation):
            what = "is full of other companies' tokens" if stop.kind == "city" else "ends routes"
            message = f"{stop.id} {what} and cannot be passed"
            code = "CITY_BLOCKED" if stop.kind == "city" else "OFFBOARD_PASSED"
            yield Fault(code, f"{path}.stops[{number}]", message, section, stop.hex)
    for number, leg in enumerate(traced.legs):
        for place, ref in ((number, leg[0][0]), (number + 1, leg[-1][0])):
            if 0 < place < last and board.path(ref).terminal:
                message = f"the track at {traced.stops[place].id} is terminal: a route ends there"
                where = f"{path}.legs[{number}]"
                yield Fault("TERMINAL_PASSED", where, message, section, traced.stops[place].hex)
