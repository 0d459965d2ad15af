"""The whole picture: map, tokens, routes and legend."""

from __future__ import annotations

from xml.sax.saxutils import escape

from engine.drawing.ground import draw_hex, draw_sides, draw_stubs, draw_terrain
from engine.drawing.legend import WIDTH, draw_legend
from engine.drawing.routes import amounts, draw_amounts, draw_routes
from engine.drawing.scene import Scene, build_scene
from engine.drawing.shapes import APOTHEM, RADIUS
from engine.drawing.stops import draw_stops
from engine.drawing.svg import FONT, element, group, number
from engine.drawing.texts import draw_texts
from engine.drawing.track import draw_track
from engine.routing.run import Position, Run, Verdict

_MARGIN = 14.0


def draw_svg(
    position: Position, run: Run | None = None, verdict: Verdict | None = None, *, title: str = ""
) -> str:
    """Return a picture of a position, as a whole SVG document.

    Parameters
    ----------
    position
        Board and company; the company's own tokens stand out.
    run
        Routes to draw, each in its own colour; legal or not. Track that does
        not exist is left out.
    verdict
        What the referee says about `run`: the amounts at the stops and in the
        legend.
    title
        Heading of the legend; the name of the game if empty.

    Notes
    -----
    The same arguments give the same text. Elements carry what they stand for:
    classes ``hex``, ``stop``, ``token``, ``route``, ``amount``, ``skipped``, and
    attributes such as ``data-hex``, ``data-stop`` and ``data-train``.
    """
    scene = build_scene(position.title, position.board)
    cells = list(scene.cells.values())
    sides, costs = draw_sides(scene)
    figures = draw_amounts(scene, amounts(run, verdict)) if run is not None else ""
    layers = [
        group((draw_hex(scene, cell) for cell in cells), class_="hexes"),
        sides,
        group(draw_stubs(scene, cell) + draw_terrain(scene, cell) for cell in cells),
        group(draw_track(scene, cell) for cell in cells),
        costs,
        draw_routes(scene, run) if run is not None else "",
        group(draw_stops(scene, cell, position.company.corporation) for cell in cells),
        group(draw_texts(scene, cell) for cell in cells),
        figures,
    ]
    left, top, right, bottom = _extent(scene)
    legend, end = draw_legend(
        scene, position.company, run, verdict, title=title, corner=(right, top)
    )
    width, height = right + WIDTH - left, max(bottom, end) - top
    ground = element("rect", x=left, y=top, width=width, height=height, fill="#FFFFFF")
    return element(
        "svg",
        "\n".join(
            [element("title", escape(title or position.title.name)), ground, *layers, legend]
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(value) for value in (left, top, width, height)),
        width=width,
        height=height,
        font_family=FONT,
    )


def _extent(scene: Scene) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the map with its margin, in pixels."""
    xs = [cell.origin[0] for cell in scene.cells.values()]
    ys = [cell.origin[1] for cell in scene.cells.values()]
    return (
        min(xs) - RADIUS - _MARGIN,
        min(ys) - APOTHEM - _MARGIN,
        max(xs) + RADIUS + _MARGIN,
        max(ys) + APOTHEM + _MARGIN,
    )
