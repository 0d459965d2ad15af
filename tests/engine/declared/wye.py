"""Wye: a made-up title of seven pointy hexes that declares many options.

::

    A1 West port   A3 Junction   A5 Halt
          B2 Quarry     B4 Mill       B6 Haven
                              C5 East port

A1 - A3 - B4 - C5 and A3 - A5 - B6 - C5 are broad track, A3 - B2 narrow. A3 has one slot,
B4 one, B6 two; A5 is a town, B2 a city, A1 (label W, icon 30) and C5 (label E, icon 20) are
off-board areas.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine.board.board import Board
from engine.board.legs import find_legs
from engine.board.state import BoardState, TokenPlacement
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import turned
from engine.routing.rules import Rules
from engine.routing.run import CompanyState, Position, Route, Run, Train, Verdict
from engine.titles import add_folder
from engine.titles.importing import import_title, write_title
from engine.titles.writing import write_face

Raw = dict[str, Any]

STEPS = ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1))
"""The sides of pointy hexes."""

HEXES: Mapping[str, tuple[str, Raw, str]] = {
    "A1": ("red", {"kind": "offboard", "revenue": {"fixed": 40}, "groups": ["West"]}, "4"),
    "A3": ("white", {"kind": "city", "slots": 1, "revenue": {"fixed": 20}}, "0n 1 4 5"),
    "A5": ("white", {"kind": "town", "revenue": {"fixed": 10}}, "1 5"),
    "B2": ("gray", {"kind": "city", "slots": 1, "revenue": {"fixed": 20}}, "3n"),
    "B4": ("white", {"kind": "city", "slots": 1, "revenue": {"fixed": 30}}, "2 5"),
    "B6": ("white", {"kind": "city", "slots": 2, "revenue": {"fixed": 30}}, "0 2"),
    "C5": ("red", {"kind": "offboard", "revenue": {"fixed": 50}, "groups": ["East"]}, "2 3"),
}
"""By hex: colour, stop, and the sides to which its track leads (n: narrow)."""

LABELS = {"A1": ("W", ["30"]), "C5": ("E", ["20"])}

OPTIONS: list[Raw] = [
    {"op": "set", "all": [{"label": "E"}, {"label": "W"}], "amount": "icons"},
    {"op": "marker", "marker": "mill", "amount": 10, "needs_corporation": True},
    {"op": "longest", "company": "MAIL", "amount": 10},
    {"op": "own_city", "amount": 10, "trains": ["4"]},
    {"op": "hex_once", "kinds": "all"},
    {"op": "ends_not", "kinds": ["town"]},
    {
        "op": "gauge",
        "trains_with_track": "narrow",
        "track": ["narrow", "dual"],
        "others": ["broad", "dual"],
    },
    {"op": "least_stops", "if_stop": {"group": "West"}, "stops": 3},
]

TRAINS: list[Raw] = [
    {"name": "2", "distance": {"measure": "stops", "stops": 2}},
    {"name": "3", "distance": {"measure": "stops", "stops": 3}},
    {"name": "4", "distance": {"measure": "stops", "stops": 4}},
    {
        "name": "2/4",
        "distance": {
            "measure": "slots",
            "slots": [{"kinds": ["city", "town", "offboard"], "pay": 2, "visit": 4}],
        },
    },
    {"name": "2M", "distance": {"measure": "stops", "stops": 2}, "track": "narrow"},
    {"name": "3H", "distance": {"measure": "hexes", "hexes": 3, "counts": "steps"}},
    {"name": "D", "distance": {"measure": "unlimited"}},
]


def _hex(name: str) -> Raw:
    colour, stop, sides = HEXES[name]
    x, y = int(name[1]) - 1, "ABC".index(name[0])
    places = {(int(other[1]) - 1, "ABC".index(other[0])): other for other in HEXES}
    label, icons = LABELS.get(name, (None, []))
    return {
        "id": name,
        "x": x,
        "y": y,
        "colour": colour,
        "name": name,
        "label": label,
        "icons": icons,
        "terrain": [],
        "borders": [],
        "stops": [{**stop, "stop": 0, "part": 0, "draw_at": "centre"}],
        "paths": [
            {"a": {"edge": int(side[0])}, "b": {"stop": 0}}
            | ({"track": "narrow"} if side.endswith("n") else {})
            | ({"terminal": True} if colour == "red" else {})
            for side in sides.split()
        ],
        "neighbours": {
            str(edge): places[x + dx, y + dy]
            for edge, (dx, dy) in enumerate(STEPS)
            if (x + dx, y + dy) in places
        },
        "tile_id": f"{name}-0",
    }


def facts() -> dict[str, Raw]:
    """Return the facts of Wye by name of file."""
    head = {"game": "Wye"}
    corporations = [
        {"sym": sym, "name": sym, "type": "company", "tokens": [], "abilities": [], "home": None}
        for sym in ("WR", "ER")
    ]
    plain = {"multiplier": 1, "rusts_on": None, "obsolete_on": None, "price": 100, "count": 2}
    return {
        "map.json": {
            **head,
            "map": "Wye",
            "layout": "pointy",
            "axes": {"x": "number", "y": "letter"},
            "edges": {str(n): {"dx": dx, "dy": dy} for n, (dx, dy) in enumerate(STEPS)},
            "hexes": [_hex(name) for name in HEXES],
        },
        "tiles.json": {**head, "colour_order": ["white"], "tiles": []},
        "trains.json": {**head, "trains": [{**plain, **train} for train in TRAINS]},
        "phases.json": {
            **head,
            "phases": [{"name": "I", "starts_with_first": [], "tiles": ["yellow"], "flags": []}],
        },
        "corporations.json": {**head, "corporations": corporations},
        "companies.json": {**head, "certificates": []},
        "setup.json": {**head, "options": [], "constants": {}},
    }


def write_source(folder: Path, options: list[Raw] | None = None) -> None:
    """Write Wye in the form that is imported."""
    (folder / "facts").mkdir(parents=True)
    for name, raw in facts().items():
        (folder / "facts" / name).write_text(json.dumps(raw), "utf-8")
    declared = OPTIONS if options is None else options
    text = json.dumps({"game": "Wye", "declared": declared})
    (folder / "options.json").write_text(text, "utf-8")


def write_short(folder: Path, title: str) -> None:
    """Write Wye as a title folder in the short language; what follows is left out."""
    write_source(folder.parent / "source")
    declared = json.loads(import_title(folder.parent / "source").files["rules.json"])["declared"]
    board = facts()["map.json"]
    hexes = [
        {"id": raw["id"], "name": raw["name"], "colour": raw["colour"], "face": write_face(raw)}
        for raw in board["hexes"]
    ]
    kept = {key: board[key] for key in ("layout", "axes")}
    files: dict[str, Raw] = {
        "map.json": {"game": title, **kept, "hexes": hexes},
        "trains.json": {"trains": TRAINS},
        "phases.json": {"phases": [{"name": "I", "tiles": ["yellow"]}]},
        "corporations.json": {"corporations": [{"sym": s, "name": s} for s in ("WR", "ER")]},
        "rules.json": {"declared": declared},
    }
    folder.mkdir()
    for name, raw in files.items():
        (folder / name).write_text(json.dumps(raw), "utf-8")


def rules(folder: Path, options: list[Raw] | None = None) -> Rules:
    """Import Wye below a folder, add it to the titles and return its rules."""
    write_source(folder / "source", options)
    write_title(import_title(folder / "source"), folder / "Wye")
    add_folder(folder / "Wye")
    return make_rules(load_game("Wye"))


def position(
    made: Rules,
    trains: str,
    tokens: str = "A3 WR",
    board: Mapping[str, Any] | None = None,
    title: str = "Wye",
    **company: Any,
) -> Position:
    """Return a position of Wye.

    Parameters
    ----------
    trains
        Names of trains, whose ids are ``0``, ``1``, ...
    tokens
        ``A3 WR, B4 ER neutral``: hex, company, kind.
    board, company
        More fields of both.
    title
        What the title is called.
    """
    placed = []
    for token in filter(None, tokens.split(", ")):
        hex_id, corporation, *kind = token.split()
        placed.append(TokenPlacement(hex_id, 0, 0, corporation, *kind))
    state = BoardState(title, "I", tokens=tuple(placed), **(board or {}))
    owned = tuple(Train(str(number), name) for number, name in enumerate(trains.split()))
    return load_position(made, state, CompanyState("WR", owned, **company))


def route(board: Board, train: str, stops: str) -> Route:
    """Return a route over these hexes, each leg over the first track there is."""
    names = [f"{hex_id}-0" for hex_id in stops.split()]
    legs = {(leg.a, leg.b): leg for one in find_legs(board) for leg in (one, turned(one))}
    pairs = pairwise(names)
    return Route(train, tuple(names), tuple(legs[pair].paths for pair in pairs))


def judge(made: Rules, at: Position, *routes: str) -> Verdict:
    """Judge the run of trains 0, 1, ... over these hexes."""
    run = Run(tuple(route(at.board, str(number), stops) for number, stops in enumerate(routes)))
    return made.judge(at, run)
