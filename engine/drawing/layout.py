"""Where the stops of a face lie and how its track runs."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.board.faces import EndKind, Face, FaceStop, PathEnd, TrackPath
from engine.drawing.grid import Grid
from engine.drawing.shapes import RADIUS, XY, Curve, line, plus

SLOT = 0.235 * RADIUS
"""Radius of a token slot, in pixels."""
SMALL_SLOT = 0.195 * RADIUS
"""The same where six cities share a hex."""
WITH_SLOTS = ("city", "pass")
"""Kinds of stops that take tokens."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stop is drawn.

    Parameters
    ----------
    at
        Its middle, in pixels from the centre of the hex.
    along
        Direction of the track there, if the stop lies on a single line; towns
        are then bars across it, else dots.
    slot
        Radius of its token slots, in pixels.
    slots
        Middles of the token slots, in pixels from the centre of the hex.
    """

    at: XY
    along: XY | None
    slot: float
    slots: tuple[XY, ...]


@dataclass(frozen=True, slots=True)
class FaceLayout:
    """The places of a face's stops and the curves of its paths, in their order."""

    places: tuple[Place, ...]
    curves: tuple[Curve, ...]


def lay_out(face: Face, grid: Grid, extra_slots: dict[int, int] | None = None) -> FaceLayout:
    """Return where everything on a face is drawn.

    Parameters
    ----------
    grid
        How its hex stands.
    extra_slots
        By stop: slots needed beyond the printed ones (1822 §10.4).
    """
    lines: dict[int, tuple[Curve, float]] = {}
    for stop in face.stops:
        single = _single_line(face, stop, grid)
        if single is not None:
            lines[stop.index] = single
    places = []
    for stop in face.stops:
        along: XY | None = None
        if stop.index in lines:
            curve, part = lines[stop.index]
            at, along = curve.at(part), curve.tangent(part)
        else:
            at = _place(face, stop, grid)
        slot = SMALL_SLOT if len(face.cities) >= 5 else SLOT
        count = stop.slots + (extra_slots or {}).get(stop.index, 0)
        slots = tuple(_slots(at, slot, count)) if stop.kind in WITH_SLOTS else ()
        places.append(Place(at, along, slot, slots))
    curves = tuple(_curve(path, grid, places, lines) for path in face.paths)
    return FaceLayout(tuple(places), curves)


def _single_line(face: Face, stop: FaceStop, grid: Grid) -> tuple[Curve, float] | None:
    """Return the curve on which a stop with exactly two sides lies, and where on it."""
    ends = face.by_stop[stop.index]
    if len(ends) != 2:
        return None
    sides: list[PathEnd] = []
    for number, which in ends:
        path = face.paths[number]
        far = path.a if which else path.b
        if far.kind is not EndKind.SIDE:
            return None
        sides.append(far)
    first, second = sides
    if first.index == second.index:
        return None
    near = 0.3 if stop.kind in WITH_SLOTS else 0.24
    part = {first.index: near, second.index: 1 - near}.get(_side(stop), 0.5)
    alone = len(face.stops) == 1 and len(face.paths) == 2
    if stop.kind == "town" and alone:
        part = 0.5
    if stop.kind != "town" and part == 0.5:
        return None
    return grid.side_to_side(first, second), part


def _side(stop: FaceStop) -> int:
    at = stop.draw_at
    return int(at) if not isinstance(at, str) and float(at).is_integer() else -1


def _place(face: Face, stop: FaceStop, grid: Grid) -> XY:
    """Return the place of a stop that is not on a single line."""
    if not isinstance(stop.draw_at, str):
        reach = 0.6 if len(face.cities) >= 5 else 0.3 if stop.slots > 1 else 0.5
        x, y = grid.outward(stop.draw_at)
        return x * RADIUS * reach, y * RADIUS * reach
    if len(face.stops) == 1:
        return 0.0, 0.0
    sides = [
        end.index
        for number, which in face.by_stop[stop.index]
        for end in (face.paths[number].a if which else face.paths[number].b,)
        if end.kind is EndKind.SIDE
    ]
    if sides:
        x = sum(grid.outward(side)[0] for side in sides)
        y = sum(grid.outward(side)[1] for side in sides)
        size = math.hypot(x, y) or 1.0
        return x / size * RADIUS * 0.42, y / size * RADIUS * 0.42
    if any(face.by_stop[other.index] for other in face.stops):
        return (0.0, 0.0) if stop.kind == "town" else (0.0, 0.3 * RADIUS)
    spread = (stop.index - (len(face.stops) - 1) / 2) * 0.5 * RADIUS
    return spread, 0.0


def _slots(at: XY, slot: float, count: int) -> list[XY]:
    """Return the middles of `count` slots around a place: a row, a triangle, a square, a ring."""
    if count <= 1:
        return [at]
    if count == 2:
        return [plus(at, (-slot, 0.0)), plus(at, (slot, 0.0))]
    reach = slot / math.sin(math.pi / count) * 1.02
    turn = 45.0 if count == 4 else -90.0
    return [
        plus(at, (math.cos(angle), math.sin(angle)), reach)
        for number in range(count)
        for angle in (math.radians(turn + 360 * number / count),)
    ]


def _curve(
    path: TrackPath, grid: Grid, places: list[Place], lines: dict[int, tuple[Curve, float]]
) -> Curve:
    a, b = path.a, path.b
    if a.kind is EndKind.SIDE and b.kind is EndKind.SIDE:
        return grid.side_to_side(a, b)
    if a.kind is EndKind.SIDE:
        return _inward(a, b, grid, places, lines)
    if b.kind is EndKind.SIDE:
        return _inward(b, a, grid, places, lines).turned()
    return line(_inner(a, places), _inner(b, places))


def _inner(end: PathEnd, places: list[Place]) -> XY:
    return places[end.index].at if end.kind is EndKind.STOP else (0.0, 0.0)


def _inward(
    side: PathEnd,
    inner: PathEnd,
    grid: Grid,
    places: list[Place],
    lines: dict[int, tuple[Curve, float]],
) -> Curve:
    if inner.kind is EndKind.STOP and inner.index in lines:
        curve, part = lines[inner.index]
        first, second = curve.before(part), curve.after(part).turned()
        start = grid.side_point(side)
        near_first = math.dist(first.a, start) <= math.dist(second.a, start)
        return first if near_first else second
    place = plus(_inner(inner, places), grid.lane_shift(side))
    return grid.side_to_place(side, place)
