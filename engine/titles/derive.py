"""What follows from the other facts of a title, and so need not be written (facts §3).

Neighbours from places and borders, figures by phase from figures by colour, sides
with track from paths, homes from the companies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Raw = Mapping[str, Any]

STEPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}
"""By layout the step to the neighbour at each edge."""

CLOSED_COLOURS = ("blue", "gray", "red")
"""Hexes of these colours are entered only where their printed track leads out."""


def grid_place(hex_id: str, axes: Mapping[str, str]) -> tuple[int, int]:
    """Return x and y of a hex by its name: ``F11``, ``AA3``, ``a5``.

    Letter A is 0, AA is 26, small a is -1; number 1 is 0.

    Raises
    ------
    ValueError
        The name is not letters and a number.
    """
    letters = hex_id.rstrip("0123456789")
    digits = hex_id[len(letters) :]
    if not letters.isalpha() or not letters.isascii() or not digits or len(digits) > 4:
        raise ValueError(f"a hex is named by letters and a number, not {hex_id!r}")
    if letters.islower():
        if len(letters) != 1:
            raise ValueError(f"small letters stand alone, unlike {hex_id!r}")
        letter = ord("a") - ord(letters) - 1
    else:
        letter = 0
        for character in letters.upper():
            letter = letter * 26 + ord(character) - ord("A") + 1
        letter -= 1
    place = {"letter": letter, "number": int(digits) - 1}
    return place[axes["x"]], place[axes["y"]]


def edge_steps(layout: str) -> dict[str, dict[str, int]]:
    """Return the field ``edges`` of a ``map.json``."""
    return {str(edge): {"dx": dx, "dy": dy} for edge, (dx, dy) in enumerate(STEPS[layout])}


def face_edges(face: Raw) -> list[int]:
    """Return the edges to which the track of a face leads, at rotation 0."""
    ends = (path[end] for path in face.get("paths", ()) for end in ("a", "b"))
    return sorted({end["edge"] for end in ends if "edge" in end})


def by_phase(by_colour: Mapping[str, int], phases: Sequence[Raw]) -> dict[str, int]:
    """Return the figure of each phase: the latest of its colours that has one, else 0.

    Colours come in the order in which the phase lists them.
    """
    return {
        phase["name"]: next(
            (by_colour[colour] for colour in reversed(phase["tiles"]) if colour in by_colour), 0
        )
        for phase in phases
    }


def neighbours(
    hexes: Sequence[Raw], layout: str, closed_colours: Sequence[str] = CLOSED_COLOURS
) -> Iterator[tuple[dict[str, str], dict[str, dict[str, Any]]]]:
    """Yield for each hex the fields ``neighbours`` and ``closed_neighbours``.

    Parameters
    ----------
    hexes
        With ``x``, ``y``, ``colour``, ``paths``, ``borders``.
    layout
        ``flat`` or ``pointy``.
    closed_colours
        Into a hex of these colours leads only track that its own meets.

    Notes
    -----
    Both causes hold from one side: a side that only one hex prints as
    impassable is closed from that hex only (COMMON §5.4).
    """
    at = {(raw["x"], raw["y"]): raw for raw in hexes}
    for raw in hexes:
        walls = {b["edge"] for b in raw.get("borders", ()) if b["type"] == "impassable"}
        open_sides: dict[str, str] = {}
        closed: dict[str, dict[str, Any]] = {}
        for edge, (dx, dy) in enumerate(STEPS[layout]):
            other = at.get((raw["x"] + dx, raw["y"] + dy))
            if other is None:
                continue
            because = ["impassable_border"] if edge in walls else []
            if other["colour"] in closed_colours and (edge + 3) % 6 not in face_edges(other):
                because.append("no_track_towards")
            if because:
                closed[str(edge)] = {"hex": other["id"], "because": because}
            else:
                open_sides[str(edge)] = other["id"]
        yield open_sides, closed


def homes(hexes: Sequence[Raw], corporations: Sequence[Raw]) -> dict[str, list[dict[str, Any]]]:
    """Return the field ``homes`` of each hex that is the home of a company."""
    known = {raw["id"] for raw in hexes}
    found: dict[str, list[dict[str, Any]]] = {}
    for company in corporations:
        places = company.get("homes") or [company.get("home")]
        for place in places:
            if place and place["hex"] in known:
                home = {"corporation": company["sym"], "stop": place.get("stop")}
                found.setdefault(place["hex"], []).append(home)
    return found
