"""Finding room for figures and names on a hex."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.drawing.grid import Grid
from engine.drawing.layout import FaceLayout
from engine.drawing.shapes import RADIUS, XY, plus

_RINGS = (0.0, 0.2, 0.36, 0.5, 0.64, 0.76)
_RAYS = 24


def _everywhere() -> tuple[XY, ...]:
    """Return the places in a hex at which something may be written."""
    found = [(0.0, 0.0)]
    for ring in _RINGS[1:]:
        for ray in range(_RAYS):
            angle = math.radians(360 / _RAYS * ray)
            found.append((math.cos(angle) * ring * RADIUS, math.sin(angle) * ring * RADIUS))
    return tuple(found)


EVERYWHERE = _everywhere()


class Spots:
    """The room on one hex: what is taken, and where a box still fits.

    Parameters
    ----------
    layout
        Track and stops of the face, which take their room at once.
    grid
        How the hex stands.
    """

    def __init__(self, layout: FaceLayout, grid: Grid) -> None:
        self._over = tuple(grid.outward(side) for side in range(6))
        self._taken: list[tuple[float, float, float, float, float]] = []
        for curve in layout.curves:
            for x, y in curve.points(7):
                self._taken.append((x, y, 4.0, 4.0, 1.0))
        for place in layout.places:
            for at in place.slots:
                self._taken.append((*at, place.slot + 3, place.slot + 3, 4.0))
            if not place.slots:
                self._taken.append((*place.at, 9.0, 9.0, 3.0))

    def take(self, at: XY, width: float, height: float, weight: float = 4.0) -> None:
        """Mark a box as taken; `weight` says how bad it is to write over it."""
        self._taken.append((at[0], at[1], width / 2, height / 2, weight))

    def cost(self, at: XY, width: float, height: float) -> float:
        """Return how much a box at a place would cover, and how far it leaves the hex."""
        half_w, half_h = width / 2, height / 2
        total = 0.0
        for x, y, w, h, weight in self._taken:
            over_x = half_w + w - abs(x - at[0])
            if over_x <= 0:
                continue
            over_y = half_h + h - abs(y - at[1])
            if over_y > 0:
                total += weight * min(over_x, 2 * w) * min(over_y, 2 * h)
        return total + 60 * self._outside(at, half_w, half_h)

    def _outside(self, at: XY, half_w: float, half_h: float) -> float:
        limit = RADIUS * math.sqrt(3) / 2 - 2
        worst = 0.0
        for dx, dy in self._over:
            reach = dx * at[0] + dy * at[1] + abs(dx) * half_w + abs(dy) * half_h
            worst = max(worst, reach - limit)
        return worst

    def find(self, width: float, height: float, near: XY, places: Iterable[XY] = EVERYWHERE) -> XY:
        """Return the best place for a box and take it.

        Parameters
        ----------
        near
            Where it should be, other things equal.
        """
        best = min(
            places,
            key=lambda at: (
                round(self.cost(at, width, height) + 0.9 * math.dist(at, near), 6),
                at,
            ),
        )
        self.take(best, width, height)
        return best


def around(at: XY, reaches: Iterable[float], rays: int = 16) -> tuple[XY, ...]:
    """Return places on rings around a place."""
    return tuple(
        plus(at, (math.cos(angle), math.sin(angle)), reach)
        for reach in reaches
        for ray in range(rays)
        for angle in (2 * math.pi * ray / rays,)
    )
