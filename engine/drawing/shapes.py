"""Plane geometry of a flat-topped hex, in pixels from its centre.

The y axis points down, as in SVG. Sides and corners are numbered as on the
board: side 0 south, then clockwise; corner n lies between sides n - 1 and n
(facts §2).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from engine.board.faces import PathEnd
from engine.board.geometry import Point

RADIUS = 64.0
"""Centre to corner, in pixels."""
APOTHEM = RADIUS * math.sqrt(3) / 2
LANE_GAP = RADIUS * 0.17
"""Between the middles of tracks that lie side by side."""

XY = tuple[float, float]


def hex_centre(point: Point) -> XY:
    """Return the centre of a hex on the map."""
    return point[0] * 1.5 * RADIUS, point[1] * APOTHEM


def outward(side: float) -> XY:
    """Return the unit vector from the centre over a side; halves lie between two sides."""
    angle = math.radians(90 + 60 * side)
    return math.cos(angle), math.sin(angle)


def corner(number: int) -> XY:
    """Return a corner of the hex."""
    x, y = outward(number - 0.5)
    return x * RADIUS, y * RADIUS


def plus(a: XY, b: XY, factor: float = 1.0) -> XY:
    """Return ``a + factor * b``."""
    return a[0] + factor * b[0], a[1] + factor * b[1]


def between(a: XY, b: XY, part: float) -> XY:
    """Return the point `part` of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def length(vector: XY) -> float:
    """Return the length of a vector."""
    return math.hypot(vector[0], vector[1])


def left_of(vector: XY) -> XY:
    """Return the unit vector at right angles to `vector`, or (0, 0) for no vector."""
    size = length(vector)
    return (vector[1] / size, -vector[0] / size) if size else (0.0, 0.0)


def lane_shift(end: PathEnd) -> XY:
    """Return how far a lane lies from the middle of its hex side.

    Lane 0 comes first clockwise. Seen from the neighbour the order is turned
    round, as FMT §D3.2 has it.
    """
    x, y = outward(end.index)
    step = (end.lane - (end.lanes - 1) / 2) * LANE_GAP
    return -y * step, x * step


def side_point(end: PathEnd) -> XY:
    """Return where a path meets its hex side."""
    x, y = outward(end.index)
    return plus((x * APOTHEM, y * APOTHEM), lane_shift(end))


@dataclass(frozen=True, slots=True)
class Curve:
    """A cubic Bézier curve: two ends and, between them, two handles."""

    a: XY
    p: XY
    q: XY
    b: XY

    def at(self, part: float) -> XY:
        """Return the point at a parameter from 0 to 1."""
        return self._split(part)[0].b

    def _split(self, part: float) -> tuple[Curve, Curve]:
        ap, pq, qb = (
            between(self.a, self.p, part),
            between(self.p, self.q, part),
            between(self.q, self.b, part),
        )
        first, second = between(ap, pq, part), between(pq, qb, part)
        middle = between(first, second, part)
        return Curve(self.a, ap, first, middle), Curve(middle, second, qb, self.b)

    def before(self, part: float) -> Curve:
        """Return the curve from `a` to a parameter."""
        return self._split(part)[0]

    def after(self, part: float) -> Curve:
        """Return the curve from a parameter to `b`."""
        return self._split(part)[1]

    def turned(self) -> Curve:
        """Return the same curve from `b` to `a`."""
        return Curve(self.b, self.q, self.p, self.a)

    def tangent(self, part: float) -> XY:
        """Return the direction of travel at a parameter (any length)."""
        near = 0.01
        return plus(self.at(min(1.0, part + near)), self.at(max(0.0, part - near)), -1.0)

    def points(self, count: int) -> list[XY]:
        """Return `count` + 1 points from `a` to `b`."""
        return [self.at(number / count) for number in range(count + 1)]

    def offset(self, distance: float, count: int = 12) -> list[XY]:
        """Return points of a line beside the curve, `distance` to the left of its way."""
        return [
            plus(self.at(n / count), left_of(self.tangent(n / count)), distance)
            for n in range(count + 1)
        ]


def line(a: XY, b: XY) -> Curve:
    """Return a straight curve."""
    return Curve(a, between(a, b, 1 / 3), between(a, b, 2 / 3), b)


_HANDLES = {1: 0.385 * RADIUS, 2: 0.536 * RADIUS, 3: 2 / 3 * APOTHEM}
"""Handle lengths that make sharp and gentle curves arcs of circles."""


def side_to_side(a: PathEnd, b: PathEnd) -> Curve:
    """Return the track between two sides, at right angles to both."""
    turn = abs(a.index - b.index)
    handle = _HANDLES[min(turn, 6 - turn) or 3]
    start, end = side_point(a), side_point(b)
    return Curve(
        start,
        plus(start, outward(a.index), -handle),
        plus(end, outward(b.index), -handle),
        end,
    )


def side_to_place(side: PathEnd, place: XY) -> Curve:
    """Return the track from a side, at right angles to it, to a place in the hex."""
    start = side_point(side)
    gap = length(plus(place, start, -1.0))
    lead = plus(start, outward(side.index), -0.45 * gap)
    return Curve(start, lead, between(lead, place, 0.45), place)


def svg_path(points: Iterable[XY], origin: XY = (0.0, 0.0)) -> str:
    """Return the ``d`` of a line through points."""
    out: list[str] = []
    for x, y in points:
        out.append(f"{'L' if out else 'M'}{x + origin[0]:.1f} {y + origin[1]:.1f}")
    return "".join(out)


def svg_curve(curve: Curve, origin: XY = (0.0, 0.0)) -> str:
    """Return the ``d`` of a curve."""
    moved = [f"{x + origin[0]:.1f} {y + origin[1]:.1f}" for x, y in (curve.p, curve.q, curve.b)]
    return f"M{curve.a[0] + origin[0]:.1f} {curve.a[1] + origin[1]:.1f}C{' '.join(moved)}"
