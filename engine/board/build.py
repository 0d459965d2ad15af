"""From a board state to a board, with every fault of the state listed at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.board.atlas import Atlas, TileKind, atlas_of
from engine.board.board import Board
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.errors import Fault, StateError
from engine.titles.title import Title
from engine.words import counted

KINDS = ("normal", "neutral", "blocking")
"""Kinds of tokens; ``destination`` in games that place tokens in extra slots (1822 §10.4)."""


def build_board(title: Title, state: BoardState) -> Board:
    """Return the board of a state.

    Raises
    ------
    StateError
        The state has faults; all of them are listed.
    """
    faults = check_state(title, state)
    if faults:
        raise StateError(faults)
    return Board(atlas_of(title, state.map), state)


def check_state(title: Title, state: BoardState) -> tuple[Fault, ...]:
    """Return everything that is wrong with a board state, each with code and path."""
    if state.map and state.map not in title.map_files:
        known = ", ".join(title.map_files)
        message = f"{title.title} has no map {state.map!r}; it has {known}"
        return (Fault("MAP_UNKNOWN", "board.map", message),)
    atlas = atlas_of(title, state.map)
    title = title.variant(state.map)
    faults: list[Fault] = []
    if state.phase not in title.phases:
        known = ", ".join(title.phases)
        message = f"there is no phase {state.phase!r}; the phases are {known}"
        faults.append(Fault("PHASE_UNKNOWN", "board.phase", message))
    faults.extend(_tile_faults(atlas, state.tiles))
    faults.extend(_token_faults(title, atlas, state))
    return tuple(faults)


def _tile_faults(atlas: Atlas, lays: tuple[TileLay, ...]) -> Iterator[Fault]:
    used: Counter[str] = Counter()
    seen: dict[str, int] = {}
    for number, lay in enumerate(lays):
        path = f"board.tiles[{number}]"
        if lay.hex in seen:
            message = f"{lay.hex} already has a tile (tiles[{seen[lay.hex]}])"
            yield Fault("HEX_TWICE", f"{path}.hex", message, "FMT §D7", lay.hex)
        seen.setdefault(lay.hex, number)
        kind = atlas.tiles.get(lay.tile)
        if lay.hex not in atlas.hexes:
            yield Fault("HEX_UNKNOWN", f"{path}.hex", f"the map has no hex {lay.hex!r}")
        if kind is None:
            yield Fault("TILE_UNKNOWN", f"{path}.tile", f"the game has no tile {lay.tile!r}")
        if not 0 <= lay.rotation <= 5:
            message = f"a rotation is 0 to 5, not {lay.rotation}"
            yield Fault("ROTATION_OUT_OF_RANGE", f"{path}.rotation", message)
        elif kind is not None and lay.hex in atlas.hexes:
            yield from _lay_faults(atlas, lay, kind, path)
        if kind is not None:
            used[kind.pool] += 1
            if used[kind.pool] == atlas.tiles[kind.pool].count + 1:
                message = f"the box holds {counted(kind.count, 'tile')} {kind.pool}, not more"
                yield Fault("TILE_SUPPLY_EXCEEDED", f"{path}.tile", message, "FMT §D7.5", lay.hex)


def _lay_faults(atlas: Atlas, lay: TileLay, kind: TileKind, path: str) -> Iterator[Fault]:
    printed = atlas.hexes[lay.hex]
    if lay.tile not in atlas.may_carry(lay.hex):
        message = f"tile {lay.tile} can never come to lie on {lay.hex}"
        yield Fault("TILE_NOT_ALLOWED_ON_HEX", f"{path}.tile", message, "FMT §D7", lay.hex)
        return
    allowed = printed.raw.get("allowed_rotations", {}).get(lay.tile, kind.rotations)
    if lay.rotation not in allowed:
        message = f"tile {lay.tile} lies on {lay.hex} only in rotation {list(allowed)}"
        yield Fault("ROTATION_NOT_ALLOWED", f"{path}.rotation", message, "FMT §D7.8", lay.hex)
    if not atlas.lists_upgrades:
        return
    closed = sorted(kind.faces[lay.rotation].sides() - printed.neighbours.keys())
    if closed:
        message = f"track of {lay.hex} leads into the closed sides {closed}"
        yield Fault("SIDE_CLOSED", f"{path}.rotation", message, "FMT §D7.6", lay.hex)


def _token_faults(title: Title, atlas: Atlas, state: BoardState) -> Iterator[Fault]:
    faces = {h.id: h.face for h in atlas.hexes.values()}
    for lay in state.tiles:
        kind = atlas.tiles.get(lay.tile)
        if kind is not None and 0 <= lay.rotation <= 5 and lay.hex in faces:
            faces[lay.hex] = kind.faces[lay.rotation]
    slots: dict[tuple[str, int, int], int] = {}
    homes: dict[tuple[str, int, str], int] = {}
    for number, token in enumerate(state.tokens):
        path = f"board.tokens[{number}]"
        yield from _single_token_faults(title, token, path)
        face = faces.get(token.hex)
        if face is None:
            yield Fault("HEX_UNKNOWN", f"{path}.hex", f"the map has no hex {token.hex!r}")
            continue
        if not 0 <= token.city < len(face.cities):
            message = f"{token.hex} has {_places(len(face.cities), 'city', 'cities')} {token.city}"
            yield Fault("CITY_UNKNOWN", f"{path}.city", message, "", token.hex)
            continue
        printed = face.cities[token.city].slots
        yield from _slot_faults(title, token, printed, path)
        other = slots.setdefault((token.hex, token.city, token.slot), number)
        if other != number:
            message = f"slot {token.slot} already holds tokens[{other}]"
            yield Fault("SLOT_TAKEN", f"{path}.slot", message, "FMT §D9.1", token.hex)
        other = homes.setdefault((token.hex, token.city, token.corporation), number)
        if other != number and not title.declared:
            message = f"{token.corporation} already has tokens[{other}] in this city"
            yield Fault("TOKEN_TWICE_IN_CITY", path, message, "FMT §D9.1", token.hex)


def _places(number: int, one: str, more: str) -> str:
    """Return how many places there are, for a sentence that ends with one that is not there."""
    if not number:
        return f"no {one}; there is no {one}"
    return f"{counted(number, one, more)}, numbered from 0; there is no {one}"


def _single_token_faults(title: Title, token: TokenPlacement, path: str) -> Iterator[Fault]:
    nobody = title.declared and not token.corporation
    if token.corporation not in title.corporations and not nobody:
        message = f"{title.title} has no company {token.corporation!r}"
        yield Fault("CORPORATION_UNKNOWN", f"{path}.corporation", message)
    known = KINDS if title.declared else ("normal",)
    if token.kind not in known and not (token.kind == "destination" and title.extra_slots):
        message = f"{title.title} has no {token.kind!r} tokens"
        yield Fault("TOKEN_KIND_UNKNOWN", f"{path}.kind", message)


def _slot_faults(title: Title, token: TokenPlacement, printed: int, path: str) -> Iterator[Fault]:
    if token.extra:
        return
    more = title.extra_slots or title.declared
    most = printed + len(title.corporations) if more else printed
    if not 0 <= token.slot < most:
        message = f"this city of {token.hex} has {_places(printed, 'slot', 'slots')} {token.slot}"
        yield Fault("SLOT_UNKNOWN", f"{path}.slot", message, "FMT §D9.2", token.hex)
