"""Laying a tile: what every game checks, what a lay is good for, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.board.faces import Face
from engine.board.network import trace_network
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.play.actions import LayTile
from engine.play.errors import refuse
from engine.play.layout import Laid, Layout
from engine.play.lays import reaches_new_track
from engine.play.steps import Table
from engine.play.supply import copies_left, exchange, split_tile


def read_tile(at: Table, action: LayTile, sections: tuple[str, str, str]) -> Laid:
    """Return the tile of a lay, with copy and rotation, after the checks of every replay.

    Parameters
    ----------
    action
        A lay in a hex of the map.
    sections
        The rules that name the tiles, the supply, and the rotations.

    Raises
    ------
    IllegalActionError
        There is no such tile, it is not in the supply, or there is no such rotation.
    """
    hex_id, named, atlas = action.hex, split_tile(action.tile), at.kit.guide.atlas
    if named is None or named[0] not in atlas.tiles:
        refuse("TILE_UNKNOWN", "tile", f"there is no tile {action.tile!r}", sections[0])
    laid = at.state.layout.laid.get(hex_id)
    if named[1] not in copies_left(at.state, atlas, named[0], laid):
        message = f"{action.tile} is not in the supply"
        refuse("TILE_NOT_IN_SUPPLY", "tile", message, sections[1], hex_id)
    if action.rotation not in range(6):
        message = f"a rotation is 0 to 5, not {action.rotation}"
        refuse("ROTATION_OUT_OF_RANGE", "rotation", message, sections[2], hex_id)
    return Laid(*named, action.rotation)


def rotation_fault(at: Table, hex_id: str, laid: Laid, sections: tuple[str, str]) -> Fault:
    """Return what is wrong with a rotation in which a tile does not fit (FMT §D7.6, §D7.7).

    Parameters
    ----------
    sections
        The rules about sides where track may not end, and about what an upgrade keeps.
    """
    guide = at.kit.guide
    message = f"{laid.tile} in rotation {laid.rotation}"
    if guide.open_at(hex_id, guide.face(hex_id, (laid.tile, laid.rotation))):
        message += " does not keep track and stops"
        return Fault("TRACK_NOT_KEPT", "rotation", message, sections[1], hex_id)
    message += " leads track into a closed side"
    return Fault("SIDE_CLOSED", "rotation", message, sections[0], hex_id)


def crowd(tokens: Sequence[TokenPlacement], face: Face, company: str) -> tuple[int, ...]:
    """Return for each city of a face 1 if the company stands there, -1 if it is full of
    others, else 0. Tokens in extra slots fill nothing."""
    found: list[int] = []
    for place, city in enumerate(face.cities):
        inside = [token for token in tokens if token.city == place]
        if any(token.corporation == company for token in inside):
            found.append(1)
        else:
            printed = sum(token.slot < city.slots for token in inside)
            found.append(-1 if printed >= city.slots else 0)
    return tuple(found)


def uses_track(
    at: Table,
    hex_id: str,
    face: Face,
    wanted: frozenset[int],
    tokens: Sequence[TokenPlacement],
    after: Callable[[], Layout],
) -> bool:
    """Tell whether the company in turn can use certain track of a lay (FMT §D8).

    A look at the network mostly tells; where track comes back in a loop the board
    is searched as it would lie.

    Parameters
    ----------
    face
        What is to be seen after the lay.
    wanted
        Numbers of the paths of the face, some of which must be reached.
    tokens
        Tokens of the hex after the lay.
    after
        Returns the layout after the lay.
    """
    sym = at.company.sym
    crowded = crowd(tokens, face, sym)
    known = reaches_new_track(at.network(sym), hex_id, face, wanted, crowded)
    return search_track(at, hex_id, wanted, after()) if known is None else known


def search_track(at: Table, hex_id: str, wanted: frozenset[int], layout: Layout) -> bool:
    """Tell the same by a search of the board with the layout after the lay."""
    paths = trace_network(at.board_with(layout), at.company.sym).paths
    return any(ref.hex == hex_id and ref.path in wanted for ref in paths)


def put_down(at: Table, hex_id: str, laid: Laid, layout: Layout) -> None:
    """Lay a tile that has passed all checks: its copy leaves the supply, the old one returns.

    Parameters
    ----------
    layout
        The layout after the lay.
    """
    replaced = at.state.layout.laid.get(hex_id)
    exchange(at.state, at.kit.guide.atlas, laid.tile, laid.copy, replaced)
    at.state.layout = layout
