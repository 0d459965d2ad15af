"""Tiles that are not on the map (FMT §B4.6)."""

from __future__ import annotations

from engine.board.atlas import Atlas
from engine.board.faces import UNLIMITED
from engine.play.layout import Laid
from engine.play.naming import is_copy
from engine.play.state import GameState


def full_supply(atlas: Atlas, tiles: frozenset[str]) -> dict[str, tuple[int, ...]]:
    """Return the supply at the start: all copies, one of each unlimited tile."""
    return {
        tile: (0,) if kind.count == UNLIMITED else tuple(range(kind.count))
        for tile, kind in atlas.tiles.items()
        if tile in tiles
    }


def tile_name(tile: str, copy: int) -> str:
    """Return a copy of a tile as records name it."""
    return f"{tile}-{copy}"


def split_tile(text: str) -> tuple[str, int] | None:
    """Return tile and copy of a name, or None."""
    tile, _, copy = text.rpartition("-")
    return (tile, int(copy)) if tile and is_copy(copy) else None


def copies_left(
    state: GameState, atlas: Atlas, tile: str, replaced: Laid | None = None
) -> tuple[int, ...]:
    """Return the copies of a tile that may be laid now, the first one first.

    Tiles that use one supply (1862: a base tile with its small stations) are as
    many together as there are of each; `replaced` gives back what lies on the hex.
    """
    kind = atlas.tiles[tile]
    if kind.count != UNLIMITED:
        out = _out(state, atlas, kind.pool)
        if replaced is not None and atlas.tiles[replaced.tile].pool == kind.pool:
            out -= 1
        if out >= kind.count:
            return ()
    return state.supply.get(tile, ())


def left_to_lay(state: GameState, atlas: Atlas, tile: str) -> int | None:
    """Return how many copies of a tile may still be laid; None if it is unlimited.

    Tiles that use one supply have in common what is left of it.
    """
    kind = atlas.tiles[tile]
    if kind.count == UNLIMITED:
        return None
    return min(len(state.supply[tile]), kind.count - _out(state, atlas, kind.pool))


def _out(state: GameState, atlas: Atlas, pool: str) -> int:
    """How many tiles of a supply lie on the map."""
    return [atlas.tiles[laid.tile].pool for laid in state.layout.laid.values()].count(pool)


def exchange(state: GameState, atlas: Atlas, tile: str, copy: int, replaced: Laid | None) -> None:
    """Take a copy out of the supply and give back the one that it replaces.

    An unlimited tile gets a new copy, numbered one above the highest there is;
    a tile that comes back goes to the end of the supply.
    """
    left = tuple(other for other in state.supply[tile] if other != copy)
    if atlas.tiles[tile].count == UNLIMITED:
        out = [laid.copy for laid in state.layout.laid.values() if laid.tile == tile]
        left = (*left, max((*state.supply[tile], *out)) + 1)
    state.supply[tile] = left
    if replaced is not None:
        state.supply[replaced.tile] = (*state.supply[replaced.tile], replaced.copy)
