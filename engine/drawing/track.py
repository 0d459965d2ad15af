"""Track: curves between sides, stops and junctions."""

from __future__ import annotations

from engine.board.faces import EndKind, TrackPath
from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import Curve, left_of, plus, svg_curve
from engine.drawing.svg import element, group, number

WIDTH = 7.0
"""Of a track, in pixels."""
_NARROW = "7 4"
_LIGHT = "9 4"
"""Dashes and gaps of narrow gauge, and of the middle of dual gauge."""


def draw_track(scene: Scene, cell: Cell) -> str:
    """Return all track on a hex.

    Ordinary track is a plain line, narrow gauge a line of dashes, dual gauge and
    the estuary crossings of 18GB a line with light dashes in its middle; track
    into an off-board area ends in a point.
    """
    lines: list[str] = []
    seam = scene.hex_colour(cell.face.colour)
    for index, (path, curve) in enumerate(zip(cell.face.paths, cell.layout.curves, strict=True)):
        colour = scene.colours.get(f"track_{path.track}", scene.colours["track"])
        if _points_out(cell, path):
            lines.append(_arrow(cell, curve, colour, index))
            continue
        d = svg_curve(curve, cell.origin)
        if EndKind.JUNCTION not in (path.a.kind, path.b.kind):
            # A seam in the hex's colour tells crossings from joins.
            lines.append(_line(d, seam, WIDTH + 3))
        lines.append(_line(d, colour, WIDTH, index, _NARROW if path.track == "narrow" else None))
        if path.track == "dual":
            lines.append(_line(d, "#FFFFFF", 2.5, dashes=_LIGHT))
    joints = [
        element("circle", cx=cell.origin[0], cy=cell.origin[1], r=WIDTH / 2 + 0.5, fill="#111111")
        for _ in range(min(1, _real_junctions(cell)))
    ]
    return group([*lines, *joints], class_="tracks")


def _line(
    d: str, colour: str, width: float, index: int | None = None, dashes: str | None = None
) -> str:
    return element(
        "path",
        d=d,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=dashes,
        class_=None if index is None else "track",
        data_path=None if index is None else str(index),
    )


def _points_out(cell: Cell, path: TrackPath) -> bool:
    """Tell whether a path leads to an area, or to a junction where nothing runs on."""
    for end in (path.a, path.b):
        if end.kind is EndKind.STOP and cell.face.stops[end.index].kind == "offboard":
            return True
        if end.kind is EndKind.JUNCTION and path.terminal:
            return True
    return False


def _real_junctions(cell: Cell) -> int:
    return sum(
        1
        for ends in cell.face.by_junction
        if ends and not all(cell.face.paths[number].terminal for number, _ in ends)
    )


def _arrow(cell: Cell, curve: Curve, colour: str, index: int) -> str:
    """Return a track that tapers to a point on its way from the hex side."""
    path = cell.face.paths[index]
    way = curve if path.a.kind is EndKind.SIDE else curve.turned()
    base, tip = way.a, way.at(0.62)
    across = left_of(plus(tip, base, -1.0))
    corners = (plus(base, across, WIDTH / 2 + 0.5), tip, plus(base, across, -WIDTH / 2 - 0.5))
    points = " ".join(f"{number(x)},{number(y)}" for x, y in map(cell.at, corners))
    return element("polygon", points=points, fill=colour, class_="track", data_path=str(index))
