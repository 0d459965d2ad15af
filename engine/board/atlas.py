"""The map of a game and its tiles, as loaded from the data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine.board.faces import UNLIMITED, Face, face_from
from engine.board.geometry import SIDES, Point, Steps
from engine.titles.derive import STEPS
from engine.titles.title import Title


@dataclass(frozen=True)
class Hex:
    """A hex of the map as printed (facts §3.1).

    Parameters
    ----------
    id, point
        Name and (x, y).
    face
        What is printed.
    name
        Place name, or None.
    neighbours
        Hexes to which track may lead, by side.
    raw
        The hex as in the data file, for what only one module needs
        (terrain, borders, homes, drawing).
    """

    id: str
    point: Point
    face: Face
    name: str | None
    neighbours: Mapping[int, str]
    raw: Mapping[str, Any]


@dataclass(frozen=True)
class TileKind:
    """A tile of the box (facts §4): its face at each rotation and how many there are."""

    id: str
    colour: str
    label: str | None
    count: int
    pool: str
    """Tile whose supply it uses: itself, or its base tile (1862 small stations)."""
    rotations: tuple[int, ...]
    raw: Mapping[str, Any]

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        """Its face at each rotation, built when first asked for: a board shows few of all tiles."""
        return tuple(face_from(self.raw, rotation) for rotation in range(6))


@dataclass(frozen=True)
class Atlas:
    """One map with the tiles that may come to lie on it.

    Parameters
    ----------
    name
        Name of the map (``Standard``, ``2NS``, ...).
    layout
        ``flat`` if hexes have a side at the top, ``pointy`` if they have a corner there.
    hexes
        By id, in the order of the data file.
    tiles
        By id.
    steps
        The grid step over each side.
    layout
        ``flat`` or ``pointy``.
    any_gauge
        Track of every gauge meets at hex sides (1844 §2.4).
    """

    name: str
    hexes: Mapping[str, Hex]
    tiles: Mapping[str, TileKind]
    colours: Mapping[str, Any]
    steps: Steps = SIDES
    layout: str = "flat"
    any_gauge: bool = False
    _closure: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def hex_of_face(self) -> Mapping[str, str]:
        """Hexes by the name of their printed face, as game records write it (FMT §B4.8)."""
        return {h.raw["tile_id"]: h.id for h in self.hexes.values()}

    @cached_property
    def lists_upgrades(self) -> bool:
        """Tell whether the data say which tiles may replace which; else any tile may lie on
        any hex, for a board is not the place where lays are judged."""
        return any("upgrades_to" in printed.raw for printed in self.hexes.values())

    def may_carry(self, hex_id: str) -> frozenset[str]:
        """Return the ids of all tiles that upgrades can ever bring onto a hex."""
        if not self.lists_upgrades:
            return frozenset(self.tiles)
        known = self._closure.get(hex_id)
        if known is None:
            known = self._closure[hex_id] = _closure_of(self, hex_id)
        return known


def _successors(raw: Mapping[str, Any], hex_id: str) -> set[str]:
    on_hex: Mapping[str, list[str]] = raw.get("upgrades_to_on_hex", {})
    found = set(on_hex.get(hex_id, raw.get("upgrades_to", ())))
    found.update(raw.get("adds_town", ()))
    for tiles in raw.get("upgrades_to_with", {}).values():
        found.update(tiles)
    return found


def _closure_of(atlas: Atlas, hex_id: str) -> frozenset[str]:
    waiting = _successors(atlas.hexes[hex_id].raw, hex_id)
    seen: set[str] = set()
    while waiting:
        tile = waiting.pop()
        if tile in seen or tile not in atlas.tiles:
            continue
        seen.add(tile)
        waiting |= _successors(atlas.tiles[tile].raw, hex_id)
    return frozenset(seen)


def atlas_from(
    board: Mapping[str, Any], tiles: Mapping[str, Any], *, any_gauge: bool = False
) -> Atlas:
    """Build an atlas from a ``map.json`` and a ``tiles.json``."""
    hexes = {
        raw["id"]: Hex(
            id=raw["id"],
            point=(raw["x"], raw["y"]),
            face=face_from(raw),
            name=raw.get("name"),
            neighbours={int(side): other for side, other in raw["neighbours"].items()},
            raw=raw,
        )
        for raw in board["hexes"]
    }
    kinds = {raw["id"]: _tile(raw) for raw in tiles["tiles"]}
    return Atlas(
        name=board["map"],
        hexes=hexes,
        tiles=kinds,
        colours=board.get("colours", {}),
        steps=STEPS[board["layout"]],
        layout=board["layout"],
        any_gauge=any_gauge,
    )


def atlas_of(title: Title, name: str = "") -> Atlas:
    """Return the map of a title called `name`, or its first map for the empty name.

    Raises
    ------
    KeyError
        There is no such map.
    """
    name = name or next(iter(title.variants))
    atlas: Atlas = title.kept(("atlas", name), lambda: _atlas(title, name))
    return atlas


def _atlas(title: Title, name: str) -> Atlas:
    files = title.variants[name]
    tiles = title.data(files.get("tiles", "tiles.json"))
    board = title.data(files.get("map", "map.json"))
    return replace(atlas_from(board, tiles, any_gauge=title.any_gauge), name=name)


def _tile(raw: Mapping[str, Any]) -> TileKind:
    count = 1 if raw.get("by_event") else raw["count"]
    return TileKind(
        id=raw["id"],
        colour=raw["colour"],
        label=raw.get("label"),
        count=UNLIMITED if count == "unlimited" else count,
        pool=raw.get("base_tile", raw["id"]),
        rotations=tuple(raw.get("rotations", range(6))),
        raw=raw,
    )
