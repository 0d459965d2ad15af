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
    """Return the route over these paths.

    Raises
    ------
    RouteError
        A path does not exist, or they do not lead from stop to stop.
    """
    refs = [_find(board, name) for name in paths]
    legs: list[tuple[PathRef, ...]] = []
    at = 0
    for stop in stops[1:]:
        leg: list[PathRef] = []
        while at < len(refs):
            leg.append(refs[at])
            at += 1
            if len(leg) == 1 and _touches(board, leg[0], stops[len(legs)], stop):
                break
            if len(leg) > 1 and _touches(board, leg[-1], stop):
                break
        legs.append(tuple(leg))
    if at != len(refs):
        raise RouteError(f"paths are left over after {stops[-1]}: {paths[at:]}")
    return Route(train, tuple(stops), tuple(legs))


def _touches(board: Board, ref: PathRef, *stops: str) -> bool:
    path = board.path(ref)
    found = {
        board.stop_at[ref.hex, end.index].id for end in (path.a, path.b) if end.kind is EndKind.STOP
    }
    return set(stops) <= found


def _find(board: Board, name: str) -> PathRef:
    place, _, lanes = name.partition(":")
    hex_id, _, ends = place.rpartition(".")
    first, _, second = ends.partition("-")
    lane = lanes.split(",") if lanes else ("", "")
    wanted = {(first, lane[0]), (second, lane[1])}
    face = board.faces.get(hex_id)
    for number, path in enumerate(face.paths if face else ()):
        if wanted == _named(path, bool(lanes)):
            return PathRef(hex_id, number)
    fault = Fault("PATH_UNKNOWN", "paths", f"there is no path {name}", "", hex_id)
    raise RouteError(f"there is no path {name}", [fault])


def _named(path: TrackPath, lanes: bool) -> set[tuple[str, str]]:
    return {(_end(end), f"{end.lane}of{end.lanes}" if lanes else "") for end in (path.a, path.b)}


def _end(end: PathEnd) -> str:
    if end.kind is EndKind.SIDE:
        return str(end.index)
    return f"{'s' if end.kind is EndKind.STOP else 'j'}{end.index}"
