"""Laying tiles and adding small stations (1862 §8.3, §8.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from engine.board.board import Stop
from engine.board.faces import EndKind, Face
from engine.board.network import Network
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g1862.play.state import Table1862
from engine.play.actions import LayTile
from engine.play.errors import refuse, refuse_if
from engine.play.laying import put_down, read_tile, rotation_fault, uses_track
from engine.play.layout import Laid, Layout
from engine.play.lays import Fit, carry_tokens, new_city, stop_sides
from engine.play.supply import copies_left, tile_name

WIDE = "N"
"""Label of the tiles of which only one is laid in a turn (§8.3.1)."""
LAYING = ("1862 §8.3", "1862 §8.3")
"""The rules about closed sides, and about what an upgrade keeps (§8.3.4, §8.3.5)."""


@dataclass(frozen=True)
class Lines:
    """The lines of a village tile: pairs of sides, and those with a small station."""

    all: frozenset[frozenset[int]]
    stations: frozenset[frozenset[int]]


def lines_of(face: Face) -> Lines:
    """Return the lines of a village tile (§1.6)."""
    stations = frozenset(stop_sides(face, stop) for stop in face.stops)
    plain = frozenset(
        frozenset((path.a.index, path.b.index))
        for path in face.paths
        if path.a.kind is EndKind.SIDE and path.b.kind is EndKind.SIDE
    )
    return Lines(plain | stations, stations)


def is_station_lay(at: Table1862, hex_id: str, tile: str) -> bool:
    """Tell whether a tile adds a small station to the one that lies there (§8.4)."""
    laid = at.state.layout.laid.get(hex_id)
    return laid is not None and tile in at.kit.guide.atlas.tiles[laid.tile].raw.get("adds_town", ())


def fits(at: Table1862, hex_id: str, tile: str) -> tuple[Fit, ...]:
    """Return the rotations in which a tile fits its hex (§8.3.4, §8.3.5)."""
    guide, laid = at.kit.guide, at.state.layout.laid.get(hex_id)
    if laid is not None and is_station_lay(at, hex_id, tile):
        return tuple(_station_fits(at, hex_id, laid, tile))
    found = guide.fits(hex_id, laid, tile)
    if not at.kit.profile.lines_kept or laid is None:
        return found
    old = lines_of(guide.atlas.tiles[laid.tile].faces[laid.rotation]).stations
    if not old or guide.atlas.tiles[tile].faces[0].cities:
        return found
    return tuple(
        fit for fit in found if old <= lines_of(guide.face(hex_id, (tile, fit.rotation))).stations
    )


def _station_fits(at: Table1862, hex_id: str, laid: Laid, tile: str) -> Iterator[Fit]:
    """Rotations with the same lines, one more of which has a small station (§8.4)."""
    atlas = at.kit.guide.atlas
    old = lines_of(atlas.tiles[laid.tile].faces[laid.rotation])
    for rotation in atlas.tiles[tile].rotations:
        face = atlas.tiles[tile].faces[rotation]
        new = lines_of(face)
        if new.all == old.all and old.stations < new.stations:
            yield Fit(rotation, face.sides(), frozenset())


def candidates(at: Table1862, hex_id: str) -> Iterator[tuple[str, bool]]:
    """Yield the tiles that may follow on a hex, each with whether its colour is out (§8.3.2)."""
    laid = at.state.layout.laid.get(hex_id)
    tiles = at.kit.guide.atlas.tiles
    colours = at.kit.game.phases[at.state.phase]["tiles"]
    for tile in at.kit.guide.successors(hex_id, laid):
        yield tile, tiles[tile].colour in colours
    if laid is not None:
        for tile in tiles[laid.tile].raw.get("adds_town", ()):
            yield tile, True


def is_plain_yellow(at: Table1862, tile: str) -> bool:
    """Tell whether a tile is one of which two are laid in a turn (§8.3.1)."""
    kind = at.kit.guide.atlas.tiles[tile]
    return kind.colour == "yellow" and kind.label != WIDE


def turn_fault(at: Table1862, hex_id: str, tile: str) -> Fault | None:
    """Return why a lay does not go with what was laid in this turn (§8.1.4, §8.3.1)."""
    data = at.operating
    if data.track_over:
        return Fault("TRACK_OVER", "type", "nothing more is laid in this turn", "1862 §8.3")
    if data.tiles and not is_plain_yellow(at, tile):
        message = "the second tile is a yellow one without N"
        return Fault("SECOND_TILE_NOT_YELLOW", "tile", message, "1862 §8.3", hex_id)
    bare = bare_home(at)
    if bare and hex_id != bare:
        message = f"the first tile is laid on {bare}, the home of {at.company.sym}"
        return Fault("HOME_TILE_FIRST", "hex", message, "1862 §8.1", hex_id)
    return None


def bare_home(at: Table1862) -> str:
    """Return the home hex if it bears the home marker and no tile though one could be laid."""
    hex_id: str = at.kit.game.corporations[at.company.sym]["home"]["hex"]
    layout = at.state.layout
    here = any(token.corporation == at.company.sym for token in layout.tokens_in(hex_id))
    if hex_id in layout.laid or not here:
        return ""
    return hex_id if any(True for _ in _hex_options(at, hex_id)) else ""


def tokens_after(at: Table1862, hex_id: str, new: Face) -> tuple[TokenPlacement, ...]:
    """Return all markers as they stand after a lay, in the order in which they came (§8.3.5)."""
    layout = at.state.layout
    old = layout.face(at.kit.guide.atlas, hex_id)
    here = layout.tokens_in(hex_id)
    moved = {
        token.corporation: token
        for token in (carry_tokens(here, new, new_city(old, new), frozenset()) if here else ())
    }
    return tuple(
        moved[token.corporation] if token.hex == hex_id else token for token in layout.tokens
    )


def layout_after(at: Table1862, hex_id: str, laid: Laid) -> Layout:
    """Return the map after a lay."""
    face = at.kit.guide.face(hex_id, (laid.tile, laid.rotation))
    tokens = tokens_after(at, hex_id, face)
    return at.state.layout.with_tile(hex_id, laid, tokens, frozenset())


def gives_use(at: Table1862, hex_id: str, tile: str, fit: Fit) -> bool:
    """Tell whether the company in turn gains by a lay that its track joins (§8.3.7, FMT §D8).

    A large station always rises in value. It is in the network if the track of the
    tile is, unless a loop of track comes back to it, which only a search can tell.
    """
    layout, sym = at.state.layout, at.company.sym
    if hex_id not in layout.laid:
        return True
    face = at.kit.guide.face(hex_id, (tile, fit.rotation))
    network = at.network(sym)
    wanted = frozenset(range(len(face.paths))) if face.cities else fit.fresh
    if any(stop.hex == hex_id and stop.kind == "city" for stop in _stops(at, network)):
        return True
    after = partial(layout_after, at, hex_id, Laid(tile, 0, fit.rotation))
    tokens = at.state.layout.tokens_in(hex_id)
    return uses_track(at, hex_id, face, wanted, tokens, after)


def _stops(at: Table1862, network: Network) -> Iterator[Stop]:
    """Yield the stations of a network; an upgrade leaves them in it."""
    stops = at.board().stops
    return (stops[stop_id] for stop_id in network.stops)


def lay_options(at: Table1862) -> Iterator[tuple[str, str, int]]:
    """Yield hex, tile with copy and rotation of every lay that is allowed now."""
    bare = bare_home(at)
    if bare:
        yield from _hex_options(at, bare)
        return
    villages = [
        hex_id
        for hex_id, laid in at.state.layout.laid.items()
        if "adds_town" in at.kit.guide.atlas.tiles[laid.tile].raw
    ]
    for hex_id in sorted({*at.network(at.company.sym).sides, *villages}):
        yield from _hex_options(at, hex_id)


def _hex_options(at: Table1862, hex_id: str) -> Iterator[tuple[str, str, int]]:
    state, atlas = at.state, at.kit.guide.atlas
    laid = state.layout.laid.get(hex_id)
    joins = at.network(at.company.sym).sides.get(hex_id, frozenset())
    for tile, allowed in candidates(at, hex_id):
        copies = copies_left(state, atlas, tile, laid)
        if not allowed or not copies or (at.operating.tiles and not is_plain_yellow(at, tile)):
            continue
        anywhere = is_station_lay(at, hex_id, tile)
        for fit in fits(at, hex_id, tile):
            if anywhere or (not joins.isdisjoint(fit.sides) and gives_use(at, hex_id, tile, fit)):
                yield hex_id, tile_name(tile, copies[0]), fit.rotation


def lay(at: Table1862, action: LayTile) -> None:
    """Lay a tile for the company in turn.

    Raises
    ------
    IllegalActionError
        The rules do not allow it. What 18xx.games does not check when it loads
        a game goes to the bench (FMT §B9).
    """
    laid = _read(at, action)
    for breach in _breaches(at, action.hex, laid):
        at.bench.object(breach)
    data = at.operating
    second = is_plain_yellow(at, laid.tile) and not data.tiles
    put_down(at, action.hex, laid, layout_after(at, action.hex, laid))
    data.tiles += 1
    data.track_over = not second


def _read(at: Table1862, action: LayTile) -> Laid:
    """Check what even a trusting replay checks; return the tile to be laid."""
    hex_id = action.hex
    if hex_id not in at.kit.guide.atlas.hexes:
        refuse("HEX_UNKNOWN", "hex", f"there is no hex {hex_id!r}", "1862 §1.7")
    laid = read_tile(at, action, ("1862 §1.6", "1862 §8.3", "1862 §1.7"))
    tile = laid.tile
    if tile not in (name for name, _ in candidates(at, hex_id)):
        message = f"{tile} cannot replace what lies on {hex_id}"
        refuse("TILE_NOT_UPGRADE", "tile", message, "1862 §8.3", hex_id)
    fault = turn_fault(at, hex_id, tile)
    refuse_if(fault)
    return laid


def _breaches(at: Table1862, hex_id: str, laid: Laid) -> Iterator[Fault]:
    tile = laid.tile
    if not dict(candidates(at, hex_id))[tile]:
        message = f"{tile} is not yet allowed in phase {at.state.phase}"
        yield Fault("TILE_COLOUR_TOO_EARLY", "tile", message, "1862 §8.3", hex_id)
    fit = next((fit for fit in fits(at, hex_id, tile) if fit.rotation == laid.rotation), None)
    if fit is None:
        yield rotation_fault(at, hex_id, laid, LAYING)
        return
    if is_station_lay(at, hex_id, tile):
        return
    joins = at.network(at.company.sym).sides.get(hex_id, frozenset())
    if joins.isdisjoint(fit.sides):
        message = f"the tile does not join the track of {at.company.sym}"
        yield Fault("NOT_CONNECTED", "hex", message, "1862 §8.3", hex_id)
    elif not gives_use(at, hex_id, tile, fit):
        message = f"{at.company.sym} cannot use any new track of the tile"
        yield Fault("NEW_TRACK_UNUSED", "rotation", message, "1862 §8.3", hex_id)
