"""The colours of a picture: those of the data files, and usual ones for what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USUAL: Mapping[str, Any] = {
    "hex": {
        "white": "#F4EFDF", "yellow": "#F6DE3B", "green": "#74B65A", "brown": "#B9794A",
        "gray": "#B9BCBE", "red": "#D9534A", "blue": "#5BA3D9", "purple": "#A98BCB",
        "orange": "#EE9A3A", "black": "#4A4A4A",
    },
    "revenue_band": {
        "white": "#FFFFFF", "gray": "#B9BCBE", "purple": "#8E6BBF", "yellow": "#F6DE3B",
        "green": "#74B65A", "blue": "#5BA3D9", "brown": "#B9794A", "red": "#D9534A",
        "orange": "#EE9A3A", "black": "#222222",
    },
    "terrain": {
        "river": "#3E7FB8", "rough": "#9DBF6B", "hill": "#6E9A45", "mountain": "#8A5A2B",
        "estuary": "#2F6FA8", "water": "#2F6FA8", "lake": "#2F6FA8", "swamp": "#3B7A57",
        "desert": "#A87B22", "wall": "#666666",
    },
    "border": {
        "impassable": "#C0392B", "estuary": "#2F6FA8", "hill": "#8A5A2B", "divider": "#333333",
        "water": "#2F6FA8", "mountain": "#8A5A2B", "province": "#6A1B9A",
    },
    "track": "#111111",
    "track_dual": "#1F3A93",
    "track_narrow": "#111111",
    "stop": "#FFFFFF",
    "outline": "#444444",
}  # fmt: skip
"""By part of the picture (facts §3)."""

LIGHT: Mapping[str, str] = {
    "white": "#F9F6EC", "yellow": "#FBEE9C", "green": "#B7DBA8", "brown": "#E0BFA4",
    "gray": "#DCDEDF", "red": "#F0A9A4", "blue": "#B5D6EF",
}  # fmt: skip
"""Of the halo around letters, by the colour of the hex."""


def colours_of(printed: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the colours of a map.

    >>> colours_of({"track": "#000000", "hex": {"red": "#FF0000"}})["hex"]["blue"]
    '#5BA3D9'
    """
    return {
        key: usual if key not in printed
        else {**usual, **printed[key]} if isinstance(usual, Mapping) else printed[key]
        for key, usual in USUAL.items()
    }  # fmt: skip
