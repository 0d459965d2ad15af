"""Towns, cities with their slots, and tokens."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from engine.board.board import Stop
from engine.board.state import TokenPlacement
from engine.drawing.layout import WITH_SLOTS, Place
from engine.drawing.scene import Cell, Scene
from engine.drawing.shapes import RADIUS, XY, left_of, plus
from engine.drawing.svg import element, group, number, text, text_width

_BAR = (0.17 * RADIUS, 0.15 * RADIUS)
"""Half the length, and the width, of a town's bar."""
_DOT = 0.115 * RADIUS


def draw_stops(scene: Scene, cell: Cell, company: str) -> str:
    """Return the stops of a hex with the tokens in them; those of `company` stand out."""
    drawn = []
    for stop, place in cell.places():
        if stop.kind == "town":
            drawn.append(_town(cell, stop, place))
        elif stop.kind == "halt":
            drawn.append(_halt(cell, stop, place))
        elif stop.kind in WITH_SLOTS:
            drawn.append(_city(scene, cell, stop, place, company))
        else:
            at = cell.at(place.at)
            # An area has no mark of its own: its figures are written in the hex.
            mark = element("circle", cx=at[0], cy=at[1], r=0.1, fill="none")
            drawn.append(group([mark], class_="stop", data_stop=stop.id, data_kind="offboard"))
    return "\n".join(drawn)


def _town(cell: Cell, stop: Stop, place: Place) -> str:
    at = cell.at(place.at)
    if place.along is None:
        mark = element(
            "circle", cx=at[0], cy=at[1], r=_DOT, fill="#111111", stroke="#FFFFFF",
            stroke_width=1.5,
        )  # fmt: skip
    else:
        across = left_of(place.along)
        a, b = plus(at, across, _BAR[0]), plus(at, across, -_BAR[0])
        mark = _bar(a, b, "#FFFFFF", _BAR[1] + 3) + _bar(a, b, "#111111", _BAR[1])
    return group([mark], class_="stop", data_stop=stop.id, data_kind="town")


def _halt(cell: Cell, stop: Stop, place: Place) -> str:
    """Return a halt: a small open circle on the track."""
    x, y = cell.at(place.at)
    mark = element("circle", cx=x, cy=y, r=_DOT, fill="#FFFFFF", stroke="#111111", stroke_width=3)
    return group([mark], class_="stop", data_stop=stop.id, data_kind="halt")


def _bar(a: XY, b: XY, colour: str, width: float) -> str:
    return element("line", x1=a[0], y1=a[1], x2=b[0], y2=b[1], stroke=colour, stroke_width=width)


def _city(scene: Scene, cell: Cell, stop: Stop, place: Place, company: str) -> str:
    parts = [_diamond(cell, place) if stop.kind == "pass" else "", _plate(cell, place)]
    by_slot = {token.slot: token for token in stop.tokens}
    waiting = {} if cell.laid else _kept_slots(cell, stop)
    for slot, centre in enumerate(place.slots):
        at = cell.at(centre)
        token = by_slot.get(slot)
        ring = element(
            "circle", cx=at[0], cy=at[1], r=place.slot - 1, fill=scene.colours["stop"],
            stroke="#111111", stroke_width=1.5,
            stroke_dasharray=None if slot < stop.slots else "3 2",
        )  # fmt: skip
        parts.append(ring)
        if token is not None:
            parts.append(_token(scene, at, place.slot, token, company))
        elif slot in waiting:
            parts.append(fitted(waiting[slot], at, place.slot, "#8A8A8A"))
    return group(parts, class_="stop", data_stop=stop.id, data_kind=stop.kind)


def _diamond(cell: Cell, place: Place) -> str:
    """Return the diamond behind a pass (1841), which tells it from a city."""
    reach = 1.5 * stop_radius(place)
    corners = ((0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0))
    at = (cell.at(plus(place.at, away)) for away in corners)
    return element(
        "polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in at), fill="#D7CCC8",
        stroke="#111111", stroke_width=1.5, class_="pass",
    )  # fmt: skip


def _plate(cell: Cell, place: Place) -> str:
    """Return the white plate around the slots of a city."""
    if len(place.slots) == 1:
        return ""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in map(cell.at, place.slots))
    shape = {"points": points, "stroke_linejoin": "round", "stroke_linecap": "round"}
    name = "polyline" if len(place.slots) == 2 else "polygon"
    outer = element(
        name, stroke="#111111", stroke_width=2 * place.slot + 4, fill="#111111", **shape
    )
    inner = element(
        name, stroke="#FFFFFF", stroke_width=2 * place.slot + 1, fill="#FFFFFF", **shape
    )
    return outer + inner


def _kept_slots(cell: Cell, stop: Stop) -> dict[int, str]:
    """Return whose letters are printed in which slot: homes and reservations."""
    face_stop = cell.face.stops[stop.index]
    kept = {r.slot or 0: r.holder for r in face_stop.reservations}
    for home in cell.printed.raw.get("homes", ()):
        if home["stop"] == stop.index and home["corporation"] not in kept.values():
            free = next((n for n in range(stop.slots) if n not in kept), None)
            if free is not None:
                kept[free] = home["corporation"]
    return kept


DARK = (
    *("black", "blue", "brown", "darkblue", "darkgreen", "darkmagenta", "darkred", "gray", "green"),
    *("grey", "indigo", "magenta", "maroon", "navy", "purple", "red", "saddlebrown", "teal"),
    "violet",
)
"""Names of colours on which white letters are read better."""


def company_colours(scene: Scene, corporation: str) -> tuple[str, str]:
    """Return the colours of a company's tokens: ground and letters.

    Titles that say no colour of letters have those that can be read on the ground.
    """
    raw: Mapping[str, Any] = scene.title.corporations[corporation]
    ground = raw.get("colour") or "#FFFFFF"
    return ground, raw.get("text_colour") or _readable_on(ground)


def _readable_on(ground: str) -> str:
    """Return black or white, whichever can be read on a ground."""
    if re.fullmatch("#[0-9A-Fa-f]{6}", ground):
        red, green, blue = (int(ground[n : n + 2], 16) for n in (1, 3, 5))
        dark = 299 * red + 587 * green + 114 * blue < 128_000
    else:
        dark = ground.lower() in DARK
    return "#FFFFFF" if dark else "#000000"


def _token(scene: Scene, at: XY, slot: float, token: TokenPlacement, company: str) -> str:
    ground, letters = company_colours(scene, token.corporation)
    own = token.corporation == company
    disc = element(
        "circle", cx=at[0], cy=at[1], r=slot - 1.5, fill=ground,
        stroke="#111111", stroke_width=3.2 if own else 1,
    )  # fmt: skip
    inner = (
        element(
            "circle", cx=at[0], cy=at[1], r=slot - 3.8, fill="none", stroke="#FFFFFF",
            stroke_width=1.6,
        )
        if own
        else ""
    )  # fmt: skip
    return group(
        [disc, inner, fitted(token.corporation, at, slot - (2 if own else 0), letters, bold=True)],
        class_="token",
        data_hex=token.hex,
        data_city=str(token.city),
        data_slot=str(token.slot),
        data_corporation=token.corporation,
        data_kind=token.kind,
    )


def fitted(content: str, at: XY, slot: float, fill: str, *, bold: bool = False) -> str:
    """Return letters that fit into a slot."""
    room = 2 * slot - 5
    size = min(12.0, room / text_width(content, 1.0, bold=bold))
    return text(content, at[0], at[1], size, fill=fill, bold=bold)


def stop_radius(place: Place) -> float:
    """Return how far a stop's drawing reaches from its middle, in pixels."""
    if not place.slots:
        return _DOT + 2
    return max(math.dist(place.at, slot) for slot in place.slots) + place.slot
