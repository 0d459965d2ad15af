"""A made-up map whose hexes have a corner at the top, with everything that a map can show."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from engine.board.atlas import Atlas, atlas_from
from engine.board.board import Board
from engine.board.geometry import POINTY_SIDES
from engine.board.state import BoardState, TileLay
from engine.games import load_game
from engine.routing.run import CompanyState, Position

SVG = "{http://www.w3.org/2000/svg}"


def side(number: int) -> dict[str, Any]:
    """Return the end of a path at a side."""
    return {"edge": number}


def stop(number: int = 0) -> dict[str, Any]:
    """Return the end of a path at a stop."""
    return {"stop": number}


def _stop(kind: str, **more: Any) -> dict[str, Any]:
    return {"stop": 0, "part": 0, "kind": kind, "revenue": {"fixed": 20}, **more}


HEXES: dict[str, dict[str, Any]] = {
    "A2": {"name": "Wigglesworth-on-the-Water", "icons": ["port", "port", "20"]},
    "A4": {"terrain": [{"types": ["desert"], "cost": 40}],
           "borders": [{"edge": 5, "type": "water", "cost": 30}]},
    "A6": {"borders": [{"edge": 1, "type": "impassable"}, {"edge": 0, "type": "province"}]},
    "B1": {"stops": [_stop("pass", slots=1)], "paths": [{"a": side(4), "b": stop()}],
           "borders": [{"edge": 4, "type": "mountain", "cost": 60}]},
    "B3": {"stops": [_stop("halt")],
           "paths": [{"a": side(1), "b": stop()}, {"a": side(4), "b": stop()}]},
    "B5": {"colour": "gray", "frame": ["green", "#800080"], "stripes": "yellow",
           "paths": [{"a": side(1), "b": side(4), "track": "narrow"},
                     {"a": side(2), "b": side(5), "track": "dual"}]},
    "B7": {"borders": [{"edge": 3, "type": "divider"}, {"edge": 4, "type": "offboard"}]},
    "C2": {"colour": "gray", "paths": [{"a": side(3), "b": side(3), "terminal": True}]},
    "C4": {"stubs": [0], "terrain": [{"types": ["wall"], "cost": 10}]},
    "C6": {"colour": "yellow", "stops": [_stop("city", slots=2)],
           "paths": [{"a": side(2), "b": stop(), "lanes": {"a": {"of": 2, "lane": 0}}},
                     {"a": side(2), "b": stop(), "lanes": {"a": {"of": 2, "lane": 1}}}]},
}  # fmt: skip
TILE = {"id": "x1", "colour": "yellow", "count": 1, "icons": ["mine"],
        "paths": [{"a": side(0), "b": side(3)}]}  # fmt: skip


def atlas() -> Atlas:
    """Return the map: letters are rows, numbers columns; no colours are given."""
    points = {name: (int(name[1:]) - 1, ord(name[0]) - 65) for name in HEXES}
    at = {point: name for name, point in points.items()}
    hexes = []
    for name, raw in HEXES.items():
        x, y = points[name]
        over = {n: at.get((x + dx, y + dy)) for n, (dx, dy) in enumerate(POINTY_SIDES)}
        plain: dict[str, Any] = {"id": name, "x": x, "y": y, "colour": "white", "name": None}
        plain["neighbours"] = {str(n): other for n, other in over.items() if other}
        hexes.append({**plain, "tile_id": f"{name}-0", "borders": [], "terrain": [], **raw})
    board = {"map": "made up", "layout": "pointy", "hexes": hexes, "colours": {}}
    return atlas_from(board, {"tiles": [TILE]})


def position(*lays: TileLay) -> Position:
    """Return a board of the map, as if it were one of 1862."""
    board = Board(atlas(), BoardState("1862", "A", lays))
    return Position(load_game("1862"), board, CompanyState("", ()))


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    """Return the elements of a class."""
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == name]
