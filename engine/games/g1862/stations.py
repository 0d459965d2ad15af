"""Stations of 1862: which stop is what, homes, and links to London (1862 §1.7, §10.1)."""

from __future__ import annotations

from enum import StrEnum

from engine.board.board import Board, Stop
from engine.board.faces import EndKind
from engine.board.geometry import Point
from engine.titles.title import Title

LONDON = "London"
"""The group of London's entry nodes in the map file."""

FREIGHT, LOCAL, EXPRESS = "freight", "local", "express"
TYPES = (FREIGHT, LOCAL, EXPRESS)
"""The types of trains, and of permits."""

CHAINING_BANDS = frozenset("ABCD")
"""Cards whose Freights must chain on the site (1862 §10.5.5)."""


class Station(StrEnum):
    """The kinds of stations."""

    LARGE = "city"
    SMALL = "town"
    AREA = "offboard"


def name_of(stop: Stop) -> str:
    """Return the name under which a stop scores: an area's, or the stop's own id."""
    return stop.groups[0] if stop.kind == Station.AREA else stop.id


def is_large(stop: Stop) -> bool:
    """Tell whether a stop is a large station."""
    return stop.kind == Station.LARGE


def is_area(stop: Stop) -> bool:
    """Tell whether a stop is an entry node of an area."""
    return stop.kind == Station.AREA


def is_port(board: Board, stop: Stop) -> bool:
    """Tell whether a stop is an entry node of a port; other areas are red (1862 §1.7)."""
    return is_area(stop) and board.faces[stop.hex].colour == "blue"


def is_london(stop: Stop) -> bool:
    """Tell whether a stop is an entry node of London."""
    return is_area(stop) and name_of(stop) == LONDON


def london_hexes(title: Title) -> frozenset[str]:
    """Return the hexes that hold London's marker circles."""
    return frozenset(title.setup["london"]["token_hexes"])


def has_link(title: Title, board: Board, corporation: str) -> bool:
    """Tell whether a company has a marker in London (1862 R8)."""
    where = london_hexes(title)
    return any(t.hex in where and t.corporation == corporation for t in board.state.tokens)


def marked(title: Title, board: Board, corporation: str) -> tuple[Stop, ...]:
    """Return the large stations with a company's markers; London's never count (1862 R6)."""
    london = london_hexes(title)
    return tuple(s for s in board.token_stops(corporation) if s.hex not in london)


def home_of(title: Title, board: Board, corporation: str) -> Stop | None:
    """Return the station of a company's home marker; None if it is not on the board."""
    hex_id = title.corporations[corporation]["home"]["hex"]
    return next((s for s in marked(title, board, corporation) if s.hex == hex_id), None)


def entries_of(board: Board, area: str) -> tuple[tuple[str, Point], ...]:
    """Return the land hexes through which an area can be entered, with their places."""
    found: dict[str, Point] = {}
    for stop in board.stops.values():
        if is_area(stop) and name_of(stop) == area:
            face, printed = board.faces[stop.hex], board.atlas.hexes[stop.hex]
            for number, _ in face.by_stop[stop.index]:
                for end in (face.paths[number].a, face.paths[number].b):
                    if end.kind is EndKind.SIDE:
                        land = board.atlas.hexes[printed.neighbours[end.index]]
                        found[land.id] = land.point
    return tuple(found.items())
