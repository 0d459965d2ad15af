"""Laying tiles: what is allowed, and what a lay changes (§9; FMT §D7 to §D10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from engine.board.faces import Face
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g1822.play.costs import crossings, lay_cost, paid_after
from engine.games.g1822.play.fitting import (
    allowed_fits,
    bridge_side,
    candidates,
    colour_allowed,
    fits,
    fullest,
    stub_sides,
)
from engine.games.g1822.play.places import open_slot, reserved, same_city, tokens_at
from engine.games.g1822.play.powers import (
    BRIDGE,
    CHANNEL,
    EXTRA_LAYS,
    RIVERS,
    Terms,
    extra_lays,
    normal_lays,
)
from engine.games.g1822.play.state import City
from engine.games.g1822.play.table import Table1822
from engine.play.actions import LayTile
from engine.play.bank import to_bank
from engine.play.errors import refuse, refuse_if
from engine.play.laying import put_down, read_tile, rotation_fault, uses_track
from engine.play.layout import Laid, Layout
from engine.play.lays import Fit, carry_tokens, new_city
from engine.play.supply import copies_left, split_tile, tile_name

YELLOW = "yellow"
UPGRADE = "upgrade"


def kind_of_lay(at: Table1822, hex_id: str) -> str:
    """Return whether the next tile on a hex is a yellow one or an upgrade (§9.1)."""
    return YELLOW if at.face(hex_id).colour == "white" else UPGRADE


def lay_kinds(at: Table1822, terms: Terms) -> frozenset[str]:
    """Return which kinds of lay the turn and the privates used still allow."""
    if terms.uses(EXTRA_LAYS):
        return extra_lays(at)
    if terms.uses(BRIDGE):
        return frozenset((YELLOW, UPGRADE))
    return normal_lays(at)


def hex_fault(at: Table1822, hex_id: str, terms: Terms) -> Fault | None:
    """Return why the privates used do not lay in a hex (§16)."""
    for private in terms.powers:
        for kind in ("tile_lay", "tile_lay_with_token"):
            for ability in at.kit.abilities(private, kind):
                listed = ability["hexes"]
                if isinstance(listed, list) and hex_id not in listed:
                    message = f"{private} lays no tile in {hex_id}"
                    return Fault("HEX_NOT_ALLOWED", "hex", message, "1822 §16", hex_id)
    if terms.uses(CHANNEL):
        return _channel_fault(at, hex_id)
    if terms.uses(BRIDGE):
        return _bridge_fault(at, hex_id)
    return None


def _channel_fault(at: Table1822, hex_id: str) -> Fault | None:
    """P5 upgrades the full Channel and needs an exchange marker (§16.5 c)."""
    city, sym = City(hex_id, 0), at.company.sym
    if open_slot(at, city, sym) is not None:
        message = f"{hex_id} still has an open slot"
        return Fault("SLOT_OPEN", "hex", message, "1822 §16.5", hex_id)
    if not at.company.exchange or any(t.corporation == sym for t in tokens_at(at, city)):
        message = f"{sym} has no exchange marker for {hex_id}"
        return Fault("NO_EXCHANGE_MARKER", "hex", message, "1822 §16.5", hex_id)
    return None


def _bridge_fault(at: Table1822, hex_id: str) -> Fault | None:
    """P21 lays once in each of its hexes and upgrades one (§16.21)."""
    chained = at.operating.chained
    if hex_id in chained:
        message = f"{hex_id} has its tile"
        return Fault("HEX_TWICE", "hex", message, "1822 §16.21", hex_id)
    if kind_of_lay(at, hex_id) == UPGRADE and any(_upgraded(at, done) for done in chained):
        message = "one of the two lays may be an upgrade"
        return Fault("TILE_LAYS_USED", "hex", message, "1822 §16.21", hex_id)
    return None


def _upgraded(at: Table1822, hex_id: str) -> bool:
    return at.face(hex_id).colour != YELLOW


def _crosses(at: Table1822, hex_id: str, fit: Fit, terms: Terms) -> bool:
    """Whether a lay by P10 crosses an estuary (§16.10)."""
    return not terms.uses(RIVERS) or any(True for _ in crossings(at, hex_id, fit.sides))


def tokens_after(at: Table1822, hex_id: str, new: Face) -> tuple[TokenPlacement, ...]:
    """Return the markers of a hex as they stand under a new tile (§9.10; FMT §D10.2)."""
    old = at.face(hex_id)
    city_of = new_city(old, new)
    tokens = at.state.layout.tokens_in(hex_id)
    found: list[TokenPlacement] = []
    for place in range(len(old.cities)):
        inside = [token for token in tokens if token.city == place]
        kept = frozenset(reserved(at, City(hex_id, place)))
        found.extend(carry_tokens(inside, new, city_of, kept))
    return tuple(found)


def layout_after(at: Table1822, hex_id: str, laid: Laid) -> Layout:
    """Return the layout after a lay."""
    face = at.kit.guide.face(hex_id, (laid.tile, laid.rotation))
    moved = tokens_after(at, hex_id, face)
    others = tuple(token for token in at.state.layout.tokens if token.hex != hex_id)
    paid = paid_after(at, hex_id, face.sides())
    return at.state.layout.with_tile(hex_id, laid, (*others, *moved), paid)


def gives_new_track(at: Table1822, hex_id: str, tile: str, fit: Fit) -> bool:
    """Tell whether a lay gives the company in turn new track, or a city another value, to
    use (§9.3 g; FMT §D8)."""
    old = at.face(hex_id)
    exempt = at.kit.guide.atlas.tiles[tile].label in ("C", "EC")
    if not old.paths or exempt:
        return True
    face = at.kit.guide.face(hex_id, (tile, fit.rotation))
    useful = fit.fresh | _revalued(at, old, face)
    if not useful:
        return False
    tokens = tokens_after(at, hex_id, face)
    after = partial(layout_after, at, hex_id, Laid(tile, 0, fit.rotation))
    return uses_track(at, hex_id, face, useful, tokens, after)


def _revalued(at: Table1822, old: Face, new: Face) -> frozenset[int]:
    """The paths at cities whose value changes."""
    phase = at.state.phase
    found: set[int] = set()
    for place, city in enumerate(old.cities):
        after = new.cities[same_city(old, new, place)]
        if after.value(phase) != city.value(phase):
            found.update(number for number, _ in new.by_stop[after.index])
    return frozenset(found)


def lay_options(at: Table1822, terms: Terms) -> Iterator[tuple[str, str, int]]:
    """Yield hex, tile with copy and rotation of every lay that is allowed on some terms."""
    kinds, company = lay_kinds(at, terms), at.company
    hexes: Sequence[str] = sorted(at.network(company.sym).sides)
    if terms.uses(CHANNEL):
        hexes = [str(at.kit.special.channel)]
    for hex_id in hexes:
        if kind_of_lay(at, hex_id) not in kinds or hex_fault(at, hex_id, terms) is not None:
            continue
        laid = at.state.layout.laid.get(hex_id)
        found = [t for t in candidates(at, hex_id, terms) if colour_allowed(at, hex_id, t, terms)]
        for tile in fullest(at, hex_id, found, terms):
            copies = copies_left(at.state, at.kit.guide.atlas, tile, laid)
            if not copies:
                continue
            for fit in allowed_fits(at, hex_id, tile, terms):
                affordable = lay_cost(at, hex_id, fit.sides, terms) <= company.cash
                crossed = _crosses(at, hex_id, fit, terms)
                if affordable and crossed and gives_new_track(at, hex_id, tile, fit):
                    yield hex_id, tile_name(tile, copies[0]), fit.rotation


def lay(at: Table1822, action: LayTile, terms: Terms) -> LayTile:
    """Lay a tile for the company in turn; return the lay with the present name of its tile.

    Raises
    ------
    IllegalActionError
        The rules do not allow it. What 18xx.games does not check when it loads
        a game goes to the bench (FMT §B9).
    """
    hex_id, company = action.hex, at.company
    laid = _read(at, action, terms)
    for breach in _breaches(at, hex_id, laid, terms):
        at.bench.object(breach)
    face = at.kit.guide.face(hex_id, (laid.tile, laid.rotation))
    cost = lay_cost(at, hex_id, face.sides(), terms)
    if cost > company.cash:
        message = f"the lay costs £{cost}, {company.sym} has £{company.cash}"
        refuse("CASH_SHORT", "hex", message, "1822 §9.7", hex_id)
    to_bank(at.state, company, cost)
    _move_cities(at, hex_id, at.face(hex_id), face)
    put_down(at, hex_id, laid, layout_after(at, hex_id, laid))
    return replace(action, tile=tile_name(laid.tile, laid.copy))


def _move_cities(at: Table1822, hex_id: str, old: Face, new: Face) -> None:
    """Keep homes and added slots at their cities (§9.10)."""
    city_of = new_city(old, new)
    for sym in at.state.companies:
        company = at.company_of(sym)
        if company.home is not None and company.home.hex == hex_id:
            company.home = City(hex_id, city_of[company.home.city])
    at.state.wider = frozenset(
        City(hex_id, city_of[c.city]) if c.hex == hex_id else c for c in at.state.wider
    )


def _read(at: Table1822, action: LayTile, terms: Terms) -> Laid:
    """Check what even a trusting replay checks; return the tile to be laid."""
    hex_id = action.hex
    if hex_id not in at.kit.guide.atlas.hexes:
        refuse("HEX_NOT_ALLOWED", "hex", f"the map has no hex {hex_id!r}", "1822 §9.3")
    fault = hex_fault(at, hex_id, terms)
    refuse_if(fault)
    laid = read_tile(at, _present(at, action), ("1822 §9.3", "1822 §9.3", "1822 §0.2"))
    tile = laid.tile
    if tile not in candidates(at, hex_id, terms):
        message = f"{tile} cannot replace what lies on {hex_id}"
        refuse("TILE_NOT_UPGRADE", "tile", message, "1822 §9.3", hex_id)
    if kind_of_lay(at, hex_id) not in lay_kinds(at, terms):
        message = "this kind of lay is not left in the turn"
        refuse("TILE_LAYS_USED", "type", message, "1822 §9.1", hex_id)
    return laid


def _present(at: Table1822, action: LayTile) -> LayTile:
    """The lay with the present number of its tile, where a record has an older one."""
    tile, copy = split_tile(action.tile) or ("", 0)
    present = at.kit.aliases.get(tile)
    return replace(action, tile=tile_name(present, copy)) if present else action


def _breaches(at: Table1822, hex_id: str, laid: Laid, terms: Terms) -> Iterator[Fault]:
    tile = laid.tile
    if not colour_allowed(at, hex_id, tile, terms):
        message = f"{tile} may not be laid in phase {at.state.phase}"
        yield Fault("TILE_COLOUR_NOT_ALLOWED", "tile", message, "1822 §9.3", hex_id)
    found = fits(at, hex_id, tile, terms)
    fit = next((fit for fit in found if fit.rotation == laid.rotation), None)
    if fit is None:
        yield rotation_fault(at, hex_id, laid, ("1822 §9.3", "1822 §9.3"))
        return
    yield from _fit_breaches(at, hex_id, tile, fit, terms)


def _fit_breaches(at: Table1822, hex_id: str, tile: str, fit: Fit, terms: Terms) -> Iterator[Fault]:
    sym = at.company.sym
    joins = at.network(sym).sides.get(hex_id, frozenset())
    if not stub_sides(at, hex_id) <= fit.sides:
        message = f"the first tile in {hex_id} must join London"
        yield Fault("STUB_NOT_JOINED", "rotation", message, "1822 §9.9", hex_id)
    if terms.uses(BRIDGE) and bridge_side(at, hex_id) not in fit.sides:
        message = "the tile must cross the estuary between Hull and Grimsby"
        yield Fault("ESTUARY_NOT_CROSSED", "rotation", message, "1822 §16.21", hex_id)
    if not _crosses(at, hex_id, fit, terms):
        message = "with P10 a lay crosses an estuary"
        yield Fault("ESTUARY_NOT_CROSSED", "rotation", message, "1822 §16.10", hex_id)
    if not terms.uses(CHANNEL) and joins.isdisjoint(fit.sides):
        message = f"the tile does not join the track of {sym}"
        yield Fault("NOT_CONNECTED", "hex", message, "1822 §9.3", hex_id)
        return
    found = [t for t in candidates(at, hex_id, terms) if colour_allowed(at, hex_id, t, terms)]
    if tile in found and tile not in fullest(at, hex_id, found, terms):
        message = f"another tile has more exits than {tile}"
        yield Fault("TOO_FEW_EXITS", "tile", message, "1822 §9.4", hex_id)
    if not gives_new_track(at, hex_id, tile, fit):
        message = f"{sym} cannot use any new track of the tile"
        yield Fault("NEW_TRACK_UNUSED", "rotation", message, "1822 §9.3", hex_id)
