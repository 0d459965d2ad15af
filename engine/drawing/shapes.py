"""Points, vectors and curves, in pixels. The y axis points down, as in SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

RADIUS = 64.0
"""Centre to corner, in pixels."""
APOTHEM = RADIUS * math.sqrt(3) / 2
XY = tuple[float, float]


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
