"""Ell: three pointy hexes in the short language, with all that may be left out left out."""

from __future__ import annotations

from typing import Any

FILES: dict[str, Any] = {
    "map.json": {
        "game": "Ell",
        "layout": "pointy",
        "axes": {"x": "number", "y": "letter"},
        "hexes": [
            {"id": "A1", "colour": "white", "face": "city=revenue:20;path=a:4,b:_0;path=a:5,b:_0"},
            {"id": "B2", "colour": "white", "face": "town=revenue:10;path=a:2,b:_0"},
            {"id": "A3", "colour": "red", "face": "offboard=revenue:40;path=a:1,b:_0,terminal:1"},
        ],
    },
    "trains.json": {
        "trains": [
            {"name": name, "distance": {"measure": "stops", "stops": int(name)}} for name in "23"
        ]
    },
    "phases.json": {
        "phases": [
            {"name": "2", "tiles": ["yellow"]},
            {"name": "3", "tiles": ["yellow", "green"], "starts_with_first": ["3"]},
        ]
    },
    "corporations.json": {
        "corporations": [{"sym": "LR", "name": "Ell Railway", "home": {"hex": "A1", "stop": 0}}]
    },
    "rules.json": {"declared": [{"op": "marker", "marker": "mill", "amount": 10}]},
}
