"""Hexes, their six sides and the distance between them (FMT §D1).

Flat-topped hexes in doubled coordinates: ``x`` is the column, ``y`` the row.
Sides are numbered clockwise from the south: 0 south, 1 south-west,
2 north-west, 3 north, 4 north-east, 5 south-east.
"""

from __future__ import annotations

from engine.titles.derive import STEPS

SIDES = STEPS["flat"]
"""The grid step (dx, dy) over each side of hexes with a flat top."""

POINTY_SIDES = STEPS["pointy"]
"""The same on maps with a corner at the top: 0 south-west, then clockwise."""

Steps = tuple[tuple[int, int], ...]
"""The grid step over each side of a layout."""

Point = tuple[int, int]
"""A hex as (x, y)."""


def opposite(side: int) -> int:
    """Return the number that the neighbour gives to the shared side.

    >>> opposite(1)
    4
    """
    return (side + 3) % 6


def distance(a: Point, b: Point) -> int:
    """Return the number of hexes from `a` to `b` as the crow flies (FMT §D1.3).

    >>> distance((1, 12), (3, 12)), distance((0, 0), (0, 4))
    (2, 2)
    """
    dx = abs(a[0] - b[0])
    dy = abs(a[1] - b[1])
    return dx + max(0, (dy - dx) // 2)


def parse_hex(name: str) -> Point | None:
    """Return the (x, y) of a hex name, or None if it is not one.

    >>> parse_hex("F11"), parse_hex("a25"), parse_hex("11F")
    ((5, 10), (-1, 24), None)
    """
    letter, number = name[:1], name[1:]
    if not number.isascii() or not number.isdigit():
        return None
    if letter == "a":
        return -1, int(number) - 1
    if len(letter) == 1 and "A" <= letter <= "Z":
        return ord(letter) - 65, int(number) - 1
    return None
