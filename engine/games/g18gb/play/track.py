"""Laying tiles (§9): what may be laid, what it costs, what it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from engine.board.faces import Face
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g18gb.play.closing import blocked_by, close_private
from engine.games.g18gb.play.state import Right, Table18GB
from engine.play.actions import LayTile
from engine.play.bank import to_bank
from engine.play.entities import Company
from engine.play.errors import refuse
from engine.play.laying import put_down, read_tile, rotation_fault, uses_track
from engine.play.layout import BorderSide, Laid, Layout
from engine.play.lays import Fit, carry_tokens, new_city
from engine.play.supply import tile_name

EARLY_GREEN = "early_green_tile"


@dataclass(frozen=True)
class LayTerms:
    """On what terms a tile is laid.

    Parameters
    ----------
    hexes, tiles
        Only these; None for any.
    new_track
        The company must be able to use new track (§9.5).
    waived
        £ not to be paid.
    ordinary
        It is a tile action by the company itself: cities are limited, hexes
        are blocked and early green may be used.
    """

    hexes: frozenset[str] | None = None
    tiles: frozenset[str] | None = None
    new_track: bool = True
    waived: int = 0
    ordinary: bool = True


ORDINARY = LayTerms()


def early_greens(at: Table18GB, hex_id: str) -> tuple[str, ...]:
    """Return the green tiles that the company in turn may lay in a hex early (§9.8)."""
    sym = at.company.sym
    for ability in at.kit.game.corporations[sym]["abilities"]:
        if ability["type"] == EARLY_GREEN and hex_id in ability["hexes"]:
            return tuple(ability["tiles"])
    if Right(sym, hex_id) in at.state.early_green:
        for abilities in at.kit.abilities.values():
            if "token" in abilities and hex_id in abilities["token"]["hexes"]:
                return tuple(abilities["token"]["then"]["tiles"])
    return ()


def candidates(at: Table18GB, hex_id: str, terms: LayTerms) -> Iterator[tuple[str, bool]]:
    """Yield the tiles that may follow on a hex, each with whether its colour is out (§9.3)."""
    laid = at.state.layout.laid.get(hex_id)
    tiles = at.kit.guide.atlas.tiles
    colours = at.kit.game.phases[at.state.phase]["tiles"]
    early = early_greens(at, hex_id) if terms.ordinary else ()
    found = list(at.kit.guide.successors(hex_id, laid))
    if laid is None:
        found.extend(early)
    for tile in found:
        if terms.tiles is None or tile in terms.tiles:
            yield tile, tile in early or tiles[tile].colour in colours


def lay_cost(at: Table18GB, hex_id: str, sides: frozenset[int]) -> int:
    """Return what a tile with track to these sides costs, £ (§9.6, §9.7; FMT §D8.2)."""
    raw = at.kit.guide.atlas.hexes[hex_id].raw
    layout = at.state.layout
    cost = sum(
        border["cost"] for border, side in _borders(at, hex_id, sides) if side not in layout.paid
    )
    if hex_id not in layout.laid:
        cost += sum(terrain["cost"] for terrain in raw["terrain"])
    return int(cost)


def _borders(
    at: Table18GB, hex_id: str, sides: frozenset[int]
) -> Iterator[tuple[dict[str, int], BorderSide]]:
    for border in at.kit.guide.atlas.hexes[hex_id].raw["borders"]:
        if border["edge"] in sides and border.get("cost"):
            yield border, BorderSide(hex_id, border["edge"])


def tokens_after(at: Table18GB, hex_id: str, new: Face, layer: str) -> tuple[TokenPlacement, ...]:
    """Return the tokens of a hex as they stand under a new tile (§9.10; FMT §D10)."""
    old = at.face(hex_id)
    tokens = at.state.layout.tokens_in(hex_id)
    if not old.paths and len(new.cities) > 1:
        return tuple(replace(t, city=0 if t.corporation == layer else 1, slot=0) for t in tokens)
    return carry_tokens(tokens, new, new_city(old, new), reserved_slots(at, hex_id))


def reserved_slots(at: Table18GB, hex_id: str) -> frozenset[int]:
    """Return the slots of a hex that GN or MC still keep (§4.9)."""
    for sym, abilities in at.kit.abilities.items():
        kept = abilities.get("reservation")
        if kept is not None and hex_id in kept["hexes"] and not at.state.privates[sym].used:
            until = at.kit.guide.atlas.hexes[hex_id].face.stops[kept["stop"]].reservations
            if not any(at.phase_reached(r.until_phase) for r in until if r.until_phase):
                return frozenset((kept["slot"],))
    return frozenset()


def gives_new_track(at: Table18GB, hex_id: str, tile: str, fit: Fit) -> bool:
    """Tell whether the company in turn can use new track of a lay (§9.5; FMT §D8)."""
    if not at.face(hex_id).paths:
        return True
    if not fit.fresh:
        return False
    face = at.kit.guide.face(hex_id, (tile, fit.rotation))
    tokens = tokens_after(at, hex_id, face, at.company.sym)
    after = partial(layout_after, at, hex_id, Laid(tile, 0, fit.rotation))
    return uses_track(at, hex_id, face, fit.fresh, tokens, after)


def layout_after(at: Table18GB, hex_id: str, laid: Laid) -> Layout:
    """Return the layout after a lay by the company in turn."""
    face = at.kit.guide.face(hex_id, (laid.tile, laid.rotation))
    moved = tokens_after(at, hex_id, face, at.company.sym)
    others = tuple(token for token in at.state.layout.tokens if token.hex != hex_id)
    crossed = {side for _, side in _borders(at, hex_id, face.sides())}
    paid = at.state.layout.paid | crossed
    return at.state.layout.with_tile(hex_id, laid, (*others, *moved), paid)


def lay_options(at: Table18GB, terms: LayTerms) -> Iterator[tuple[str, str, int]]:
    """Yield hex, tile with copy and rotation of every lay that is allowed on some terms."""
    company = at.company
    network = at.network(company.sym)
    hexes = network.sides if terms.hexes is None else terms.hexes & network.sides.keys()
    for hex_id in sorted(hexes):
        if terms.ordinary and _hex_blocked(at, hex_id):
            continue
        laid = at.state.layout.laid.get(hex_id)
        joins = network.sides[hex_id]
        for tile, allowed in candidates(at, hex_id, terms):
            copies = at.state.supply.get(tile, ())
            if not allowed or not copies or _second_city(at, tile, terms):
                continue
            for fit in at.kit.guide.fits(hex_id, laid, tile):
                if _fit_allowed(at, company, hex_id, tile, fit, joins, terms):
                    yield hex_id, tile_name(tile, copies[0]), fit.rotation


def _fit_allowed(
    at: Table18GB,
    company: Company,
    hex_id: str,
    tile: str,
    fit: Fit,
    joins: frozenset[int],
    terms: LayTerms,
) -> bool:
    return (
        not joins.isdisjoint(fit.sides)
        and lay_cost(at, hex_id, fit.sides) - terms.waived <= company.cash
        and (not terms.new_track or gives_new_track(at, hex_id, tile, fit))
    )


def _hex_blocked(at: Table18GB, hex_id: str) -> bool:
    return not at.phase_reached("4+2") and blocked_by(at, hex_id) is not None


def _second_city(at: Table18GB, tile: str, terms: LayTerms) -> bool:
    has_city = bool(at.kit.guide.atlas.tiles[tile].faces[0].cities)
    return terms.ordinary and has_city and at.operating.city


def lay(at: Table18GB, action: LayTile, terms: LayTerms) -> None:
    """Lay a tile for the company in turn.

    Raises
    ------
    IllegalActionError
        The rules do not allow it. What 18xx.games does not check when it loads
        a game goes to the bench (FMT §B9).
    """
    hex_id = action.hex
    laid = _read(at, action, terms)
    for breach in _breaches(at, hex_id, laid, terms):
        at.bench.object(breach)
    face = at.kit.guide.face(hex_id, (laid.tile, laid.rotation))
    company = at.company
    cost = max(0, lay_cost(at, hex_id, face.sides()) - terms.waived)
    if cost > company.cash:
        message = f"the lay costs £{cost}, {company.sym} has £{company.cash}"
        refuse("CASH_SHORT", "hex", message, "18GB §9.9", hex_id)
    to_bank(at.state, company, cost)
    owner = blocked_by(at, hex_id) if terms.ordinary else None
    put_down(at, hex_id, laid, layout_after(at, hex_id, laid))
    if terms.ordinary and face.cities:
        at.operating.city = True
    if owner is not None:
        close_private(at, owner)


def _read(at: Table18GB, action: LayTile, terms: LayTerms) -> Laid:
    """Check what even a trusting replay checks; return the tile to be laid."""
    hex_id = action.hex
    if hex_id not in at.kit.guide.atlas.hexes or (terms.hexes and hex_id not in terms.hexes):
        refuse("HEX_NOT_ALLOWED", "hex", f"nothing may be laid in {hex_id!r}", "18GB §9.4")
    laid = read_tile(at, action, ("18GB §9.3", "18GB §9.3", "18GB §0.4"))
    tile = laid.tile
    if tile not in (name for name, _ in candidates(at, hex_id, terms)):
        message = f"{tile} cannot replace what lies on {hex_id}"
        refuse("TILE_NOT_UPGRADE", "tile", message, "18GB §9.3", hex_id)
    if _second_city(at, tile, terms):
        message = "a second tile with a city in one turn"
        refuse("CITY_TILE_TWICE", "tile", message, "18GB §9.2", hex_id)
    return laid


def _breaches(at: Table18GB, hex_id: str, laid: Laid, terms: LayTerms) -> Iterator[Fault]:
    tile = laid.tile
    if not dict(candidates(at, hex_id, terms))[tile]:
        message = f"{tile} is not yet allowed in phase {at.state.phase}"
        yield Fault("TILE_COLOUR_TOO_EARLY", "tile", message, "18GB §7", hex_id)
    if terms.ordinary and _hex_blocked(at, hex_id):
        message = f"{blocked_by(at, hex_id)} blocks {hex_id}"
        yield Fault("HEX_BLOCKED", "hex", message, "18GB §4.5", hex_id)
    fits = at.kit.guide.fits(hex_id, at.state.layout.laid.get(hex_id), tile)
    fit = next((fit for fit in fits if fit.rotation == laid.rotation), None)
    if fit is None:
        yield rotation_fault(at, hex_id, laid, ("18GB §9.4", "18GB §9.3"))
        return
    joins = at.network(at.company.sym).sides.get(hex_id, frozenset())
    if joins.isdisjoint(fit.sides):
        message = f"the tile does not join the track of {at.company.sym}"
        yield Fault("NOT_CONNECTED", "hex", message, "18GB §9.4", hex_id)
    elif terms.new_track and not gives_new_track(at, hex_id, tile, fit):
        message = f"{at.company.sym} cannot use any new track of the tile"
        yield Fault("NEW_TRACK_UNUSED", "rotation", message, "18GB §9.5", hex_id)
