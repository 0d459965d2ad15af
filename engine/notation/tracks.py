"""Routes as lists of the paths that they run over: ``K7.1-s0``, ``P11.2-s0:1of2,0of1``.

A path is named by its hex and its two ends in any order: a side of the hex, ``s`` and a
stop, or ``j`` and a junction; where tracks lie side by side the lanes follow.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.board import Board, PathRef
from engine.board.faces import EndKind, PathEnd, TrackPath
from engine.errors import Fault, RouteError
from engine.routing.run import Route

KINDS = {"s": EndKind.STOP, "j": EndKind.JUNCTION}


def track_route(board: Board, train: str, stops: Sequence[str], paths: Sequence[str]) -> Route:
    """Return the route over these paths; it visits every stop on the way.

    Parameters
    ----------
    stops
        The stops that were noted; the first says where a route of one path begins,
        and is all that a train visits that only stands.

    Raises
    ------
    RouteError
        A path does not exist, or they do not lead from stop to stop.
    """
    refs = [_find(board, name) for name in paths]
    if not refs:
        return Route(train, tuple(stops[:1]))
    visited: list[str] = []
    legs: list[tuple[PathRef, ...]] = []
    leg: list[PathRef] = []
    met = _start(board, refs, stops[0])
    for ref in refs:
        ends = _stops(board, ref)
        if not leg:
            if met not in ends:
                raise RouteError(f"the path {ref} does not begin at {met}")
            visited.append(met)
            ends.remove(met)
        leg.append(ref)
        if ends:
            legs.append(tuple(leg))
            leg, met = [], ends[0]
    if leg:
        raise RouteError(f"the paths end away from a stop: {paths[-1]}")
    return Route(train, (*visited, met), tuple(legs))


def _start(board: Board, refs: Sequence[PathRef], first: str) -> str:
    """The stop at which the first path begins: the end that the second path does not share."""
    ends = _stops(board, refs[0])
    if len(ends) > 1 and len(refs) > 1:
        ends = [stop for stop in ends if stop not in _stops(board, refs[1])] or ends
    if not ends:
        raise RouteError("the first path does not begin at a stop")
    return first if first in ends else ends[0]


def _stops(board: Board, ref: PathRef) -> list[str]:
    path = board.path(ref)
    return [
        board.stop_at[ref.hex, end.index].id for end in (path.a, path.b) if end.kind is EndKind.STOP
    ]


def _find(board: Board, name: str) -> PathRef:
    place, _, lanes = name.partition(":")
    hex_id, _, ends = place.rpartition(".")
    first, _, second = ends.partition("-")
    lane = lanes.split(",") if lanes else ("", "")
    wanted = {
        (f, "" if f[:1] in KINDS else at) for f, at in zip((first, second), lane, strict=True)
    }
    face = board.faces.get(hex_id)
    for number, path in enumerate(face.paths if face else ()):
        if wanted == _named(path, bool(lanes)):
            return PathRef(hex_id, number)
    fault = Fault("PATH_UNKNOWN", "paths", f"there is no path {name}", "", hex_id)
    raise RouteError(f"there is no path {name}", [fault])


def _named(path: TrackPath, lanes: bool) -> set[tuple[str, str]]:
    return {
        (_end(end), f"{end.lane}of{end.lanes}" if lanes and end.kind is EndKind.SIDE else "")
        for end in (path.a, path.b)
    }


def _end(end: PathEnd) -> str:
    if end.kind is EndKind.SIDE:
        return str(end.index)
    return f"{'s' if end.kind is EndKind.STOP else 'j'}{end.index}"
