"""What is written on a hex: its id, revenues, label, name and marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.board.faces import FaceStop
from engine.drawing.colours import LIGHT
from engine.drawing.marks import draw_icons, pill
from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import APOTHEM, RADIUS, XY, plus
from engine.drawing.stops import company_colours
from engine.drawing.svg import element, group, text, text_width

_FIGURE = 11.0
"""Radius of the disc around a revenue."""
_NAME = 10.5
_ID = 9.0


def draw_texts(scene: Scene, cell: Cell) -> str:
    """Return everything written on a hex, each thing where there is room for it."""
    parts = [_hex_id(cell), *_bands(scene, cell), *_revenues(scene, cell), _label(cell)]
    # The name takes its room before the small marks do, but lies above them.
    name = _name(cell)
    return group([*parts, *_marks(scene, cell), *draw_icons(cell), name], class_="texts")


def _hex_id(cell: Cell) -> str:
    across, down = (0.4, 0.75) if cell.grid.turn == 0 else (0.3, 0.68)
    places = [
        (x * across * RADIUS, y * down * RADIUS)
        for y, x in ((-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0))
    ]
    place = cell.spots.find(text_width(cell.printed.id, _ID), _ID, places[0], places)
    return text(cell.printed.id, *cell.at(place), _ID, fill="#222222", class_="hex-id")


def _figures(cell: Cell, stop: FaceStop) -> Mapping[str, int] | None:
    """Return the figures by colour of a stop that pays by phase, else None."""
    revenue: Mapping[str, Any] = cell.raw["stops"][stop.index]["revenue"]
    return revenue.get("by_colour")


def _bands(scene: Scene, cell: Cell) -> Iterator[str]:
    """Yield a band of figures for each stop that pays by phase."""
    shown: set[tuple[int, ...]] = set()
    for stop in cell.face.stops:
        figures = _figures(cell, stop)
        if figures is None or not stop.draw_revenue:
            continue
        key = tuple(figures.values())
        if key in shown:
            continue
        shown.add(key)
        yield _band(scene, cell, stop, figures)


def _band(scene: Scene, cell: Cell, stop: FaceStop, figures: Mapping[str, int]) -> str:
    widths = [text_width(str(value), 11, bold=True) + 7 for value in figures.values()]
    total, height = sum(widths), 17.0
    wanted = (0.0, 0.0) if stop.kind == "offboard" else (0.0, 0.5 * RADIUS)
    place = cell.spots.find(total + 2, height + 2, wanted)
    x, y = plus(cell.at(place), (-total / 2, 0.0))
    now = current_band(scene, stop, figures)
    cells: list[str] = []
    for (colour, value), width in zip(figures.items(), widths, strict=True):
        dark = colour in ("purple", "brown", "blue", "green")
        cells.append(
            element(
                "rect", x=x, y=y - height / 2, width=width, height=height,
                fill=scene.colours["revenue_band"][colour],
                stroke="#111111", stroke_width=2.6 if colour == now else 0.6,
            )
        )  # fmt: skip
        fill = "#FFFFFF" if dark else "#111111"
        cells.append(text(str(value), x + width / 2, y, 11, fill=fill, bold=colour == now))
        x += width
    return group(cells, class_="band", data_now=now)


def current_band(scene: Scene, stop: FaceStop, figures: Mapping[str, int]) -> str:
    """Return the colour of the figure that counts in the present phase."""
    phase = scene.title.phases[scene.board.state.phase]
    value = stop.value(scene.board.state.phase)
    named = phase.get("offboard_band") or phase["tiles"][-1]
    if figures.get(named) == value:
        return str(named)
    return next(colour for colour, figure in figures.items() if figure == value)


def _revenues(scene: Scene, cell: Cell) -> Iterator[str]:
    """Yield the figures of stops with one revenue; equal ones of a hex's cities once."""
    fixed = [
        (stop, place)
        for stop, place in zip(cell.face.stops, cell.layout.places, strict=True)
        if _figures(cell, stop) is None and stop.draw_revenue and stop.revenue[None]
    ]
    groups: dict[tuple[str, int], list[XY]] = {}
    for stop, place in fixed:
        groups.setdefault((stop.kind, stop.revenue[None]), []).append(place.at)
    for (_, value), places in groups.items():
        near = (
            sum(x for x, _ in places) / len(places),
            sum(y for _, y in places) / len(places),
        )
        at = cell.at(cell.spots.find(2 * _FIGURE, 2 * _FIGURE, near))
        disc = element(
            "circle", cx=at[0], cy=at[1], r=_FIGURE, fill="#FFFFFF", stroke="#111111",
            stroke_width=0.8,
        )  # fmt: skip
        yield group([disc, text(str(value), *at, 11.5)], class_="revenue")


def _label(cell: Cell) -> str:
    label = cell.face.label
    if not label:
        return ""
    place = cell.spots.find(text_width(label, 17, bold=True), 16, (-0.66 * RADIUS, 0.0))
    return text(label, *cell.at(place), 17, bold=True, halo=_halo(cell.face.colour), class_="label")


def _marks(scene: Scene, cell: Cell) -> Iterator[str]:
    """Yield destinations of companies, compass sides and bonuses of track."""
    for company in cell.printed.raw.get("destination_of", ()):
        placed = any(t.corporation == company for stop in cell.stops for t in stop.tokens)
        if placed:
            continue
        ground, letters = company_colours(scene, company)
        yield pill(cell, company, ground, letters, "destination", arrow=True)
    compass = cell.printed.raw.get("compass")
    if compass:
        yield pill(
            cell, " ".join(side[0].upper() for side in compass), "#FFFFFF", "#111111", "compass"
        )
    for name, amount in dict(cell.face.bonuses.values()).items():
        yield pill(cell, f"{name} +{amount}", "#FFFFFF", scene.colours["track_dual"], "track-bonus")


def _name(cell: Cell) -> str:
    name = cell.printed.name
    if not name:
        return ""
    lines = _name_lines(name)
    width = max(text_width(line, _NAME) for line in lines)
    height = _NAME * 1.05 * len(lines)
    place = cell.spots.find(width, height, (0.0, 0.72 * APOTHEM))
    x, y = cell.at(place)
    top = y - height / 2 + _NAME / 2
    return group(
        [
            text(line, x, top + number * _NAME * 1.05, _NAME, fill="#111111",
                 halo=_halo(cell.face.colour))
            for number, line in enumerate(lines)
        ],
        class_="name",
    )  # fmt: skip


def _name_lines(name: str) -> list[str]:
    """Return a name in one line, or in two of about equal length if it is long.

    It is broken at a space or after a hyphen.
    """
    if text_width(name, _NAME) <= 1.2 * RADIUS:
        return [name]
    breaks = [n for n, letter in enumerate(name) if letter in " -" and 0 < n < len(name) - 1]
    splits = [(name[: n + 1].rstrip(), name[n + 1 :]) for n in breaks]
    if not splits:
        return [name]
    return list(min(splits, key=lambda two: max(text_width(line, _NAME) for line in two)))


def _halo(colour: str) -> str:
    return LIGHT.get(colour, "#FFFFFF")
