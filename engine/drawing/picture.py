"""The whole picture: map, tokens, routes and legend; or two maps side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

from engine.drawing.ground import draw_hex, draw_sides, draw_stubs, draw_terrain
from engine.drawing.legend import WIDTH, Proof, Shown, draw_legend
from engine.drawing.marks import draw_frame, draw_stripes
from engine.drawing.routes import amounts, draw_amounts, draw_routes
from engine.drawing.rulers import RULER, Box, draw_rulers
from engine.drawing.scene import Scene, build_scene
from engine.drawing.stops import draw_stops
from engine.drawing.svg import FONT, element, group, number, shortened, text
from engine.drawing.texts import draw_texts
from engine.drawing.track import draw_track
from engine.routing.run import Position, Run, Verdict

_MARGIN = 10.0
_HEADING = 24.0
_BETWEEN = 16.0
"""Room between two maps, in pixels."""


def draw_svg(
    position: Position,
    run: Run | None = None,
    verdict: Verdict | None = None,
    *,
    title: str = "",
    proof: Proof | None = None,
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
    proof
        Whether something better than `run` can exist.

    Notes
    -----
    The same arguments give the same text. Elements carry what they stand for:
    classes ``hex``, ``stop``, ``token``, ``route``, ``amount``, ``skipped``, and
    attributes such as ``data-hex``, ``data-stop`` and ``data-train``. Letters over
    track have a seam, an element of its own with the class ``halo``.
    """
    return _document(position, [Shown(run, verdict, proof=proof)], title)


def draw_pair(position: Position, played: Shown, best: Shown, *, title: str = "") -> str:
    """Return a picture of two runs in the same position, side by side, with one legend.

    Parameters
    ----------
    position
        Board and company.
    played, best
        The runs, with their headings and amounts.
    title
        Heading of the legend; the name of the game if empty.

    Raises
    ------
    ValueError
        One of the runs has no heading.
    """
    if not (played.heading and best.heading):
        raise ValueError("each of two runs needs a heading")
    return _document(position, [played, best], title)


def _document(position: Position, shown: Sequence[Shown], title: str) -> str:
    """Return the maps of all runs from left to right, and the legend at the right of them."""
    scene = build_scene(position.title, position.board)
    left, top, right, bottom = _extent(scene)
    headed = any(one.heading for one in shown)
    above = top - (2 * _HEADING if headed else 0.0)
    maps = []
    for place, one in enumerate(shown):
        # Every map writes into the free room of its own hexes.
        own = scene if place == 0 else build_scene(position.title, position.board)
        layers = [draw_rulers(own, (left, top, right, bottom)), *_layers(own, position, one)]
        if one.heading:
            layers.insert(0, _heading(one, (left, above, right, top)))
        shift = place * (right - left + _BETWEEN)
        maps.append(
            group(
                layers,
                class_="map",
                transform=f"translate({number(shift)} 0)" if shift else None,
            )
        )
    edge = left + len(shown) * (right - left) + (len(shown) - 1) * _BETWEEN
    legend, end = draw_legend(scene, position.company, shown, title=title, corner=(edge, above))
    width, height = edge + WIDTH - left, max(bottom, end) - above
    ground = element("rect", x=left, y=above, width=width, height=height, fill="#FFFFFF")
    return element(
        "svg",
        "\n".join([element("title", escape(title or position.title.name)), ground, *maps, legend]),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(number(value) for value in (left, above, width, height)),
        width=width,
        height=height,
        font_family=FONT,
    )


def _layers(scene: Scene, position: Position, shown: Shown) -> Iterator[str]:
    """Yield what lies on a map, the lowest first."""
    run = shown.run
    cells = list(scene.cells.values())
    sides, costs = draw_sides(scene)
    # The amounts choose their room before the names do, but lie above them.
    figures = draw_amounts(scene, amounts(run, shown.verdict)) if run is not None else ""
    yield group((draw_hex(scene, cell) for cell in cells), class_="hexes")
    yield group(draw_stripes(scene, cell) + draw_frame(scene, cell) for cell in cells)
    yield sides
    yield group(draw_stubs(scene, cell) + draw_terrain(scene, cell) for cell in cells)
    yield group(draw_track(scene, cell) for cell in cells)
    yield costs
    yield draw_routes(scene, run) if run is not None else ""
    yield group(draw_stops(scene, cell, position.company.corporation) for cell in cells)
    yield group(draw_texts(scene, cell) for cell in cells)
    yield figures


def _heading(shown: Shown, box: Box) -> str:
    left, top, right, bottom = box
    said = shortened(shown.headline, _HEADING, right - left - 2 * _MARGIN, bold=True)
    return text(said, (left + right) / 2, (top + bottom) / 2, _HEADING, bold=True, class_="heading")


def _extent(scene: Scene) -> Box:
    """Return left, top, right and bottom of the map with its rulers and margin, in pixels."""
    xs = [cell.origin[0] for cell in scene.cells.values()]
    ys = [cell.origin[1] for cell in scene.cells.values()]
    around = _MARGIN + RULER
    return (
        min(xs) - scene.grid.half_width - around,
        min(ys) - scene.grid.half_height - around,
        max(xs) + scene.grid.half_width + around,
        max(ys) + scene.grid.half_height + around,
    )
