"""Small marks on a hex: pills, icons, and the frame and stripes of a face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.drawing.grid import Grid
from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import APOTHEM, RADIUS, XY, left_of, plus
from engine.drawing.svg import element, group, number, shortened, text, text_width

_SIZE = 9.5
_HEIGHT = 14.0
_MOST = 1.35 * RADIUS
"""Widest pill, in pixels."""
_FRAME = 0.9
"""How far a frame lies from the centre, as a part of the way to the corners."""
_STRIPE_GAP = 16.0


def pill(
    cell: Cell, content: str, ground: str, letters: str, kind: str, *, arrow: bool = False
) -> str:
    """Return a short text in a rounded box, where there is room for it.

    Parameters
    ----------
    kind
        Class of the element.
    arrow
        Draw a triangle before the text. It is drawn, for fonts may lack the letter.
    """
    lead = 9.0 if arrow else 0.0
    said = shortened(content, _SIZE, _MOST - lead, bold=True)
    width = text_width(said, _SIZE, bold=True) + 8 + lead
    at = cell.at(cell.spots.find(width, _HEIGHT, (0.6 * RADIUS, -0.4 * RADIUS)))
    left = at[0] - width / 2
    parts = [
        element(
            "rect", x=left, y=at[1] - _HEIGHT / 2, width=width, height=_HEIGHT, rx=7,
            fill=ground, stroke="#333333", stroke_width=0.8,
        )
    ]  # fmt: skip
    if arrow:
        d = f"M{left + 5:.1f} {at[1] - 3.5:.1f}l6 3.5l-6 3.5Z"
        parts.append(element("path", d=d, fill=letters))
    parts.append(text(said, at[0] + lead / 2, at[1], _SIZE, fill=letters, bold=True))
    return group(parts, class_=kind)


def draw_icons(cell: Cell) -> Iterator[str]:
    """Yield the icons printed on a hex and on the tile there: their names, counted.

    Icons of a hex stay when a tile is laid.
    """
    names = list(cell.printed.raw.get("icons", ()))
    if cell.laid:
        names.extend(cell.raw.get("icons", ()))
    for name, count in sorted(Counter(names).items()):
        said = f"{name} ×{count}" if count > 1 else str(name)
        yield pill(cell, said, "#FFF8E1", "#4E342E", "icon")


def draw_frame(scene: Scene, cell: Cell) -> str:
    """Return the frame of a face: an outline inside its sides for each colour."""
    outlines = []
    for place, colour in enumerate(cell.raw.get("frame", ())):
        part = _FRAME - 0.09 * place
        corners = (cell.at(cell.grid.corner(n, part)) for n in range(6))
        outlines.append(
            element(
                "polygon",
                points=" ".join(f"{number(x)},{number(y)}" for x, y in corners),
                fill="none",
                stroke=hex_code(scene, colour),
                stroke_width=4.5,
            )
        )
    return group(outlines, class_="frame")


def draw_stripes(scene: Scene, cell: Cell) -> str:
    """Return the stripes of a face, each cut off at the sides of the hex."""
    colour = cell.raw.get("stripes")
    if not colour:
        return ""
    code = hex_code(scene, colour)
    count = int(RADIUS / _STRIPE_GAP)
    bars = []
    for place in range(-count, count + 1):
        ends = chord(cell.grid, (1.0, -1.0), place * _STRIPE_GAP)
        if ends is not None:
            a, b = map(cell.at, ends)
            bars.append(
                element(
                    "line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], stroke=code, stroke_width=5.0,
                    stroke_opacity=0.55,
                )
            )  # fmt: skip
    return group(bars, class_="stripes")


def chord(grid: Grid, way: XY, distance: float) -> tuple[XY, XY] | None:
    """Return the part of a line that lies inside a hex.

    Parameters
    ----------
    way
        Direction of the line.
    distance
        How far, in pixels, it passes to the left of the centre.
    """
    through = plus((0.0, 0.0), left_of(way), distance)
    least, most = -4 * RADIUS, 4 * RADIUS
    for side in range(6):
        x, y = grid.outward(side)
        ahead = x * way[0] + y * way[1]
        room = APOTHEM - 3.0 - (x * through[0] + y * through[1])
        if abs(ahead) < 1e-9:
            if room < 0:
                return None
        elif ahead > 0:
            most = min(most, room / ahead)
        else:
            least = max(least, room / ahead)
    return (plus(through, way, least), plus(through, way, most)) if least < most else None


def hex_code(scene: Scene, colour: str) -> str:
    """Return the code of a colour that is a word or a code."""
    return colour if colour.startswith("#") else scene.hex_colour(colour)
