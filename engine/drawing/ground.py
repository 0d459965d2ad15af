"""The ground of the map: hexes in their colours, their sides, terrain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import RADIUS, XY, between, plus
from engine.drawing.svg import element, group, number, text

_DEEP = {"impassable", "estuary", "hill", "divider", "water", "mountain", "province"}
"""Borders that are heavy lines. Others (``offboard``) look like any side, ``merged`` like none."""
_DASHES = {"province": "10 9"}


def draw_hex(scene: Scene, cell: Cell) -> str:
    """Return the coloured area of a hex."""
    corners = " ".join(
        f"{number(x)},{number(y)}" for x, y in (cell.at(cell.grid.corner(n)) for n in range(6))
    )
    fill = scene.hex_colour(cell.face.colour)
    # A hair of the same colour closes the seams between merged hexes.
    return element(
        "polygon",
        points=corners,
        fill=fill,
        stroke=fill,
        stroke_width=1,
        class_="hex",
        data_hex=cell.printed.id,
        data_face=cell.face.id,
    )


def draw_sides(scene: Scene) -> tuple[str, str]:
    """Return the lines between hexes, each once, and the costs of crossing some of them.

    Areas that belong together have no line between them.
    """
    at = {cell.printed.point: cell for cell in scene.cells.values()}
    plain: list[str] = []
    special: list[str] = []
    costs: list[str] = []
    for cell in scene.cells.values():
        borders = _borders(cell)
        for side in range(6):
            dx, dy = scene.grid.steps[side]
            x, y = cell.printed.point
            other = at.get((x + dx, y + dy))
            if other is not None and side >= 3:
                continue
            facing = _borders(other).get((side + 3) % 6) if other else None
            border = borders.get(side) or facing
            if border is None or border["type"] == "offboard":
                plain.append(_side(cell, side, scene.colours["outline"], 1.2))
            elif border["type"] in _DEEP:
                colour = scene.colours["border"][border["type"]]
                special.append(_side(cell, side, colour, 6.0, border["type"]))
                if border.get("cost") and not _crossed(cell, other, side):
                    costs.append(_side_cost(cell, side, str(border["cost"]), colour))
                    _take_side(cell, side, other)
    partitions = [line for cell in scene.cells.values() for line in _partitions(scene, cell)]
    lines = group([*plain, *partitions, *special], class_="sides", stroke_linecap="round")
    return lines, group(costs, class_="side-costs")


def _crossed(cell: Cell, other: Cell | None, side: int) -> bool:
    """Tell whether track lies across a side, so that its cost has been paid."""
    far = other is not None and bool(other.face.by_side[(side + 3) % 6])
    return far and bool(cell.face.by_side[side])


def _borders(cell: Cell) -> dict[int, Any]:
    return {border["edge"]: border for border in cell.printed.raw.get("borders", ())}


def _side(cell: Cell, side: int, colour: str, width: float, kind: str | None = None) -> str:
    a, b = cell.at(cell.grid.corner(side)), cell.at(cell.grid.corner(side + 1))
    return element(
        "line",
        x1=a[0],
        y1=a[1],
        x2=b[0],
        y2=b[1],
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=_DASHES.get(kind or ""),
        class_="border" if kind else None,
        data_border=kind,
    )


def _side_cost(cell: Cell, side: int, cost: str, colour: str) -> str:
    middle = cell.at(cell.grid.middle(side))
    disc = element("circle", cx=middle[0], cy=middle[1], r=10, fill="#FFFFFF", stroke=colour)
    return disc + text(cost, *middle, 11, fill=colour, bold=True)


def _take_side(cell: Cell, side: int, other: Cell | None) -> None:
    for place, which in ((cell, side), (other, (side + 3) % 6)):
        if place is not None:
            place.spots.take(place.grid.middle(which), 20, 20)


def _partitions(scene: Scene, cell: Cell) -> Iterator[str]:
    for raw in cell.printed.raw.get("partitions", ()):
        a = cell.at(cell.grid.corner(raw["from_corner"]))
        b = cell.at(cell.grid.corner(raw["to_corner"]))
        yield element(
            "line",
            x1=a[0],
            y1=a[1],
            x2=b[0],
            y2=b[1],
            stroke=scene.colours["outline"],
            stroke_width=2,
            class_="partition",
        )


def draw_terrain(scene: Scene, cell: Cell) -> str:
    """Return the terrain and its cost, as long as no tile has covered it."""
    if cell.laid:
        return ""
    marks = []
    for terrain in cell.printed.raw.get("terrain", ()):
        types: list[str] = terrain["types"]
        kind = types[0] if types else ""
        colour = scene.colours["terrain"].get(kind, "#555555")
        place = cell.spots.find(34, 24, (-0.3 * RADIUS, 0.45 * RADIUS))
        at = cell.at(place)
        marks.append(_terrain_mark(kind, plus(at, (0, -7)), colour))
        marks.append(text(str(terrain["cost"]), at[0], at[1] + 6, 12, fill=colour, bold=True))
    return group(marks, class_="terrain", data_hex=cell.printed.id)


def _terrain_mark(kind: str, at: XY, colour: str) -> str:
    x, y = at
    if kind in ("hill", "mountain"):
        peaks = (-5.0, 5.0) if kind == "mountain" else (0.0,)
        return "".join(
            element(
                "path",
                d=f"M{x + p - 8:.1f} {y + 5:.1f}l8 -11l8 11Z",
                fill=colour,
            )
            for p in peaks
        )
    if kind == "wall":
        return element("path", d=f"M{x - 12:.1f} {y + 4:.1f}v-8h6v4h6v-4h6v4h6v4Z", fill=colour)
    if kind in ("rough", "desert"):
        return "".join(
            element("circle", cx=x + dx, cy=y + dy, r=2.2, fill=colour)
            for dx, dy in ((-7, 2), (-2, -3), (3, 2), (8, -3))
        )
    if kind in ("river", "estuary", "water", "lake", "swamp"):
        return "".join(
            element(
                "path",
                d=f"M{x - 12:.1f} {y + dy:.1f}q4 -6 8 0t8 0t8 0",
                fill="none",
                stroke=colour,
                stroke_width=2.2,
            )
            for dy in (-2, 3)
        )
    return ""


def draw_stubs(scene: Scene, cell: Cell) -> str:
    """Return the beginnings of track that a first tile must meet (1822 §9.9)."""
    if cell.laid:
        return ""
    lines = []
    for side in cell.printed.raw.get("stubs", ()):
        end = cell.grid.middle(side)
        cell.spots.take(between(end, (0.0, 0.0), 0.15), 16, 16)
        a, b = cell.at(end), cell.at(between(end, (0.0, 0.0), 0.3))
        lines.append(
            element(
                "line",
                x1=a[0],
                y1=a[1],
                x2=b[0],
                y2=b[1],
                stroke=scene.colours["track"],
                stroke_width=6,
            )
        )
    return group(lines, class_="stubs")
