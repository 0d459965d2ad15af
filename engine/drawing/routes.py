"""Routes over the track, each in its colour, with what they earn at each stop."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.board.board import Board, PathRef
from engine.board.faces import EndKind
from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import XY, svg_path
from engine.drawing.spots import around
from engine.drawing.stops import stop_radius
from engine.drawing.svg import element, group, text, text_width
from engine.routing.run import Route, RouteVerdict, Run, Verdict

PALETTE = (
    "#D1006C", "#0062D6", "#E85D00", "#00897B", "#7B1FA2", "#C62828",
    "#4E6B00", "#5D4037", "#00A3C4", "#AD7B00", "#3F3D9E", "#616161",
)  # fmt: skip
WIDTH = 5.2
GAP = 6.8
"""Between the middles of two routes on the same track, in pixels."""
MOST = 20.0
"""Widest that all routes on the same track may lie apart, in pixels."""


def route_colour(number: int) -> str:
    """Return the colour of a route by its place in the run."""
    return PALETTE[number % len(PALETTE)]


def draw_routes(scene: Scene, run: Run) -> str:
    """Return the lines of all routes; those that share track lie side by side."""
    shifts = _Shifts(scene, run)
    seams: list[str] = []
    lines: list[str] = []
    for number, route in enumerate(run.routes):
        colour = route_colour(number)
        d = _way(scene, route, number, shifts)
        rings = list(_standing(scene, route, colour))
        style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        if d:
            seams.append(element("path", d=d, stroke="#FFFFFF", stroke_width=WIDTH + 2.4, **style))
            rings.append(element("path", d=d, stroke=colour, stroke_width=WIDTH, **style))
        lines.append(
            group(
                rings or [element("desc", "no track of this route is on the board")],
                class_="route",
                data_train=route.train,
                data_route=str(number),
                data_stops=" ".join(route.stops),
            )
        )
    return group([*seams, *lines], class_="routes")


def _known(scene: Scene, ref: PathRef) -> bool:
    cell = scene.cells.get(ref.hex)
    return cell is not None and 0 <= ref.path < len(cell.layout.curves)


def _way(scene: Scene, route: Route, number: int, shifts: _Shifts) -> str:
    """Return the line of a route; track that does not exist is left out."""
    points: list[XY] = []
    here = _stop_place(scene, route.stops[0]) if route.stops else None
    for leg in route.legs:
        for ref in leg:
            if not _known(scene, ref):
                continue
            cell = scene.cells[ref.hex]
            piece = [
                cell.at(point)
                for point in cell.layout.curves[ref.path].offset(shifts.of(ref, number))
            ]
            if here is not None and math.dist(piece[-1], here) < math.dist(piece[0], here):
                piece.reverse()
            points.extend(piece)
            here = piece[-1]
    return svg_path(points)


def _stop_place(scene: Scene, stop_id: str) -> XY | None:
    found = _find_stop(scene, stop_id)
    return None if found is None else found[0].at(found[1])


def _find_stop(scene: Scene, stop_id: str) -> tuple[Cell, XY, float] | None:
    stop = scene.board.stops.get(stop_id)
    if stop is None:
        return None
    cell = scene.cells[stop.hex]
    place = cell.layout.places[stop.index]
    return cell, place.at, stop_radius(place)


def _standing(scene: Scene, route: Route, colour: str) -> Iterator[str]:
    """Yield a ring around the city in which a train stands."""
    if route.legs:
        return
    for stop_id in route.stops:
        found = _find_stop(scene, stop_id)
        if found is not None:
            cell, place, radius = found
            x, y = cell.at(place)
            yield element(
                "circle", cx=x, cy=y, r=radius + 4, fill="none", stroke=colour, stroke_width=WIDTH
            )


class _Shifts:
    """How far beside the track each route runs.

    Paths that continue each other belong to one stretch with one direction,
    and a route keeps its place beside the whole stretch, so that lines do not
    jump at the sides of hexes.
    """

    def __init__(self, scene: Scene, run: Run) -> None:
        self._board: Board = scene.board
        self._scene = scene
        self._users: dict[PathRef, set[int]] = {}
        for number, route in enumerate(run.routes):
            for leg in route.legs:
                for ref in leg:
                    if _known(scene, ref):
                        self._users.setdefault(ref, set()).add(number)
        self._shift: dict[tuple[PathRef, int], float] = {}
        self._sign: dict[PathRef, int] = {}
        for ref in sorted(self._users):
            if ref not in self._sign:
                self._stretch(ref)

    def of(self, ref: PathRef, route: int) -> float:
        """Return the shift of a route to the left of a path's way from ``a`` to ``b``."""
        return self._shift[ref, route]

    def _stretch(self, start: PathRef) -> None:
        members = [start]
        self._sign[start] = 1
        for ref in members:
            for end in (0, 1):
                for other, entry in self._onward(ref, end):
                    if other in self._users and other not in self._sign:
                        # Leaving `ref` forwards means entering `other` at its start.
                        ahead = (end == 1) == (self._sign[ref] == 1)
                        self._sign[other] = 1 if (entry == 0) == ahead else -1
                        members.append(other)
        routes = sorted({number for ref in members for number in self._users[ref]})
        gap = min(GAP, MOST / max(1, len(routes) - 1))
        for rank, number in enumerate(routes):
            shift = (rank - (len(routes) - 1) / 2) * gap
            for ref in members:
                self._shift[ref, number] = shift * self._sign[ref]

    def _onward(self, ref: PathRef, which: int) -> Iterator[tuple[PathRef, int]]:
        path = self._board.path(ref)
        end = path.b if which else path.a
        if end.kind is EndKind.SIDE:
            yield from self._board.across(ref.hex, end)
            return
        cell = self._scene.cells[ref.hex]
        if end.kind is EndKind.STOP and cell.layout.places[end.index].along is not None:
            for number, entry in cell.face.by_stop[end.index]:
                if number != ref.path:
                    yield PathRef(ref.hex, number), entry


# --- what the stops pay ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Amount:
    """What a route earns at a stop.

    Parameters
    ----------
    route
        Place of the route in the run.
    stop
        Stop id.
    text
        The figure, or a word where nothing is paid.
    pays
        False for stops that are skipped or counted elsewhere.
    """

    route: int
    stop: str
    text: str
    pays: bool


def amounts(run: Run, verdict: Verdict | None) -> list[Amount]:
    """Return what each route earns at each of its stops, as the referee has it."""
    found: list[Amount] = []
    for number, route in enumerate(run.routes):
        said = verdict.routes[number] if verdict and number < len(verdict.routes) else None
        if said is None:
            continue
        paid = _paid(said)
        for stop in dict.fromkeys(route.stops):
            if stop in paid:
                found.append(Amount(number, stop, str(paid[stop]), True))
            else:
                found.append(Amount(number, stop, "×", False))
    return found


def _paid(said: RouteVerdict) -> Mapping[str, int]:
    """Return £ by stop of those that pay on a route."""
    paid: dict[str, int] = {}
    for item in said.items:
        if item.kind == "stop" and (item.amount or item.subject in said.paying):
            paid[item.subject] = paid.get(item.subject, 0) + item.amount
    return paid


def draw_amounts(scene: Scene, listed: Sequence[Amount]) -> str:
    """Return a small strip of figures beside each stop that a route visits."""
    by_stop: dict[str, list[Amount]] = {}
    for amount in listed:
        by_stop.setdefault(amount.stop, []).append(amount)
    return group(
        [_strip(scene, stop, some) for stop, some in by_stop.items() if stop in scene.board.stops],
        class_="amounts",
    )


def _strip(scene: Scene, stop_id: str, some: Sequence[Amount]) -> str:
    found = _find_stop(scene, stop_id)
    if found is None:
        return ""
    cell, place, radius = found
    width = max(text_width(amount.text, 11, bold=True) for amount in some) + 9
    height, columns = 16.0, min(3, len(some))
    rows = -(-len(some) // columns)
    total_w, total_h = columns * width, rows * height
    reach = radius + total_h / 2
    candidates = around(place, (reach + 1, reach + 8, reach + 18, reach + 28))
    x, y = cell.at(cell.spots.find(total_w + 2, total_h + 2, place, candidates))
    boxes = []
    for number, amount in enumerate(some):
        left = x - total_w / 2 + number % columns * width
        middle = y - total_h / 2 + (number // columns + 0.5) * height
        boxes.append(_box(amount, left, middle, width, height))
    return group(boxes, data_stop=stop_id)


def _box(amount: Amount, left: float, middle: float, width: float, height: float) -> str:
    colour = route_colour(amount.route)
    box = element(
        "rect", x=left + 0.6, y=middle - height / 2 + 0.6, width=width - 1.2, height=height - 1.2,
        rx=4, fill=colour if amount.pays else "#FFFFFF", stroke=colour if not amount.pays else
        "#FFFFFF", stroke_width=1.2,
    )  # fmt: skip
    fill = "#FFFFFF" if amount.pays else colour
    figure = text(amount.text, left + width / 2, middle, 11, fill=fill, bold=True)
    return group(
        [box, figure],
        class_="amount" if amount.pays else "skipped",
        data_route=str(amount.route),
        data_stop=amount.stop,
    )
