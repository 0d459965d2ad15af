"""Rulers along the edges of a map: the letters and numbers of its columns and rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine.board.geometry import Point
from engine.drawing.scene import Scene
from engine.drawing.svg import element, group, text

RULER = 22.0
"""Width of a ruler, in pixels."""
_SIZE = 13.0
_SPLIT = re.compile(r"([A-Za-z]+)(-?[0-9]+)")

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels."""


def names_of_lines(hexes: Iterable[tuple[str, Point]]) -> tuple[dict[int, str], dict[int, str]]:
    """Return the names of the columns by x and of the rows by y.

    A name of a hex is a letter and a number; one of them tells its column, the
    other its row, which one differs from map to map. A map whose names do not
    tell has no names of lines.

    >>> names_of_lines([("A1", (0, 0)), ("A3", (0, 2)), ("B2", (1, 1))])
    ({0: 'A', 1: 'B'}, {0: '1', 2: '3', 1: '2'})
    >>> names_of_lines([("A1", (0, 0)), ("A3", (2, 0)), ("B2", (1, 1))])
    ({0: '1', 2: '3', 1: '2'}, {0: 'A', 1: 'B'})
    """
    found = [(_SPLIT.fullmatch(name), point) for name, point in hexes]
    for letters, digits in ((1, 2), (2, 1)):
        columns: dict[int, str] = {}
        rows: dict[int, str] = {}
        if all(
            match is not None
            and columns.setdefault(x, match[letters]) == match[letters]
            and rows.setdefault(y, match[digits]) == match[digits]
            for match, (x, y) in found
        ):
            return columns, rows
    return {}, {}


def draw_rulers(scene: Scene, box: Box) -> str:
    """Return the rulers around a map, along the inner side of a box."""
    left, top, right, bottom = box
    columns, rows = names_of_lines(
        (cell.printed.id, cell.printed.point) for cell in scene.cells.values()
    )
    if not columns:
        return ""
    bands = [
        _band(left, top, right - left, RULER),
        _band(left, bottom - RULER, right - left, RULER),
        _band(left, top, RULER, bottom - top),
        _band(right - RULER, top, RULER, bottom - top),
    ]
    half = RULER / 2
    return group(
        [
            *bands,
            *_names(
                (name, scene.grid.centre((x, 0))[0], y)
                for x, name in sorted(columns.items())
                for y in (top + half, bottom - half)
            ),
            *_names(
                (name, x, scene.grid.centre((0, y))[1])
                for y, name in sorted(rows.items())
                for x in (left + half, right - half)
            ),
        ],
        class_="rulers",
    )


def _band(x: float, y: float, width: float, height: float) -> str:
    return element("rect", x=x, y=y, width=width, height=height, fill="#ECEFF1")


def _names(places: Iterable[tuple[str, float, float]]) -> Iterator[str]:
    for name, x, y in places:
        yield text(name, x, y, _SIZE, fill="#111111", bold=True, class_="ruler")
