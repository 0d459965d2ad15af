"""How the hexes of a map stand: with a side at the top, or with a corner there.

Sides and corners are numbered as on the board: side 0 is the lowest one, or the
lower left one of hexes with a corner at the top, then clockwise; corner n lies
between sides n - 1 and n (facts §2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.board.faces import PathEnd
from engine.board.geometry import POINTY_SIDES, SIDES, Point
from engine.drawing.shapes import APOTHEM, RADIUS, XY, Curve, between, length, line, plus

LANE_GAP = RADIUS * 0.17
"""Between the middles of tracks that lie side by side."""
_HANDLES = {1: 0.385 * RADIUS, 2: 0.536 * RADIUS, 3: 2 / 3 * APOTHEM}
"""Handle lengths that make sharp and gentle curves arcs of circles."""
_STUB = 0.3 * APOTHEM
"""Length of track that ends a little inside its hex side."""


@dataclass(frozen=True, slots=True)
class Grid:
    """One of the two layouts.

    Parameters
    ----------
    turn
        By how many degrees, clockwise, side 0 is turned from the south.
    steps
        The grid step (dx, dy) over each side.
    column, row
        Pixels of one step of x and of y.
    half_width, half_height
        How far a hex reaches from its centre to the right and downwards, in pixels.
    """

    turn: float
    steps: tuple[tuple[int, int], ...]
    column: float
    row: float
    half_width: float
    half_height: float

    def centre(self, point: Point) -> XY:
        """Return the centre of a hex on the map."""
        return point[0] * self.column, point[1] * self.row

    def outward(self, side: float) -> XY:
        """Return the unit vector from the centre over a side; halves lie between two sides."""
        angle = math.radians(90 + self.turn + 60 * side)
        return math.cos(angle), math.sin(angle)

    def middle(self, side: float) -> XY:
        """Return the middle of a side, from the centre of the hex."""
        x, y = self.outward(side)
        return x * APOTHEM, y * APOTHEM

    def corner(self, number: int, part: float = 1.0) -> XY:
        """Return a corner of the hex, or the point `part` of the way to it."""
        x, y = self.outward(number - 0.5)
        return x * RADIUS * part, y * RADIUS * part

    def lane_shift(self, end: PathEnd) -> XY:
        """Return how far a lane lies from the middle of its hex side.

        Lane 0 comes first clockwise. Seen from the neighbour the order is turned
        round, as FMT §D3.2 has it.
        """
        x, y = self.outward(end.index)
        step = (end.lane - (end.lanes - 1) / 2) * LANE_GAP
        return -y * step, x * step

    def side_point(self, end: PathEnd) -> XY:
        """Return where a path meets its hex side."""
        return plus(self.middle(end.index), self.lane_shift(end))

    def side_to_side(self, a: PathEnd, b: PathEnd) -> Curve:
        """Return the track between two sides, at right angles to both.

        Track from a side to the same side is a stub, which ends inside the hex.
        """
        if (a.index, a.lane) == (b.index, b.lane):
            start = self.side_point(a)
            return line(start, plus(start, self.outward(a.index), -_STUB))
        turn = abs(a.index - b.index)
        handle = _HANDLES[min(turn, 6 - turn) or 3]
        start, end = self.side_point(a), self.side_point(b)
        return Curve(
            start,
            plus(start, self.outward(a.index), -handle),
            plus(end, self.outward(b.index), -handle),
            end,
        )

    def side_to_place(self, side: PathEnd, place: XY) -> Curve:
        """Return the track from a side, at right angles to it, to a place in the hex."""
        start = self.side_point(side)
        gap = length(plus(place, start, -1.0))
        lead = plus(start, self.outward(side.index), -0.45 * gap)
        return Curve(start, lead, between(lead, place, 0.45), place)


FLAT = Grid(0.0, SIDES, 1.5 * RADIUS, APOTHEM, RADIUS, APOTHEM)
POINTY = Grid(30.0, POINTY_SIDES, APOTHEM, 1.5 * RADIUS, APOTHEM, RADIUS)
GRIDS = {"flat": FLAT, "pointy": POINTY}
"""By the word of the data files."""
