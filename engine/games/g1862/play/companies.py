"""Start, flotation, bankruptcy and return of companies (1862 §3.3, §6.5, §6.6, §8.12)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.errors import Fault
from engine.games.g1862.play.kit import CLOSE
from engine.games.g1862.play.state import IPO, OPERATING, Table1862
from engine.play import shares
from engine.play.bank import from_bank, to_bank
from engine.play.entities import Cell
from engine.play.market import move, put, take_off
from engine.play.supply import copies_left, tile_name

FULL_TURN = (
    "home",
    "merge",
    "track",
    "token",
    "run",
    "dividend",
    "trains",
    "new train",
    "redeem",
    "acquire",
)
"""Names of the steps of an operating turn (§7.3)."""


def skip_rest(at: Table1862) -> None:
    """Close all that is left of the operating turn (§7.4)."""
    at.state.round.done |= frozenset(FULL_TURN)


class HomeLay(NamedTuple):
    """An upgrade that gives the home hex one more circle: tile with its copy, and rotation."""

    tile: str
    rotation: int


def home_hex(at: Table1862, sym: str) -> str:
    """Return the home of a company."""
    hex_id: str = at.kit.game.corporations[sym]["home"]["hex"]
    return hex_id


def home_circle(at: Table1862, sym: str) -> int | None:
    """Return the first free circle of a company's home hex, or None (§8.1)."""
    hex_id = home_hex(at, sym)
    taken = {token.slot for token in at.state.layout.tokens_in(hex_id)}
    (city,) = at.state.layout.face(at.kit.guide.atlas, hex_id).cities
    return next((slot for slot in range(city.slots) if slot not in taken), None)


def home_upgrades(at: Table1862, sym: str) -> Iterator[HomeLay]:
    """Yield the upgrades of the home hex that add a circle (§3.3c, §8.1.2).

    The connection of track plays no part.
    """
    state, guide, hex_id = at.state, at.kit.guide, home_hex(at, sym)
    laid = state.layout.laid.get(hex_id)
    (old,) = state.layout.face(guide.atlas, hex_id).cities
    colours = at.kit.game.phases[state.phase]["tiles"]
    for tile in guide.successors(hex_id, laid) if laid is not None else ():
        kind = guide.atlas.tiles[tile]
        copies = copies_left(state, guide.atlas, tile, laid)
        if kind.colour in colours and copies and kind.faces[0].cities[0].slots > old.slots:
            for fit in guide.fits(hex_id, laid, tile):
                yield HomeLay(tile_name(tile, copies[0]), fit.rotation)


def can_place_home(at: Table1862, sym: str) -> bool:
    """Tell whether a company's home marker can be placed (§3.3c)."""
    return home_circle(at, sym) is not None or any(True for _ in home_upgrades(at, sym))


def opening_fault(at: Table1862, sym: str, field: str) -> Fault | None:
    """Return why a company may not be started (§3.3)."""
    company = at.state.companies.get(sym)
    if company is None or company.removed:
        return Fault("COMPANY_UNKNOWN", field, f"{sym!r} is not in play", "1862 §2.2")
    if company.started:
        return Fault("COMPANY_STARTED", field, f"{sym} has been started", "1862 §3.3")
    group = at.state.charters[sym].group
    if not at.kit.roster.reached(at.state.phase, group):
        message = f"{sym} may be started from phase {group}"
        return Fault("GROUP_CLOSED", field, message, "1862 §3.3")
    if not can_place_home(at, sym):
        message = f"there is no circle for {sym} in {home_hex(at, sym)}"
        return Fault("HOME_FULL", field, message, "1862 §3.3")
    return None


def unsold(at: Table1862, sym: str) -> int:
    """Return how many shares of a company lie in IPO and treasury."""
    return shares.units(at.state, IPO, sym) + shares.units(at.state, sym, sym)


def set_up(at: Table1862, sym: str, starter: int, cell: Cell, chartered: bool) -> None:
    """Give a company its price, its director and its certificates (§4.4, §6.5)."""
    state, company, charter = at.state, at.state.companies[sym], at.state.charters[sym]
    price = at.kit.chart.price(cell)
    put(state, sym, cell)
    company.par = cell
    company.director = starter
    charter.chartered = chartered
    charter.par = price if chartered else at.kit.par_for(price)
    shares.hand_over(state, shares.name(sym, 0), starter)
    if not chartered:
        for share in shares.held(state, IPO, sym):
            shares.hand_over(state, share, sym)


def float_if_due(at: Table1862, sym: str) -> None:
    """Float a company of which at most half is unsold (§6.6)."""
    state, company, charter = at.state, at.state.companies[sym], at.state.charters[sym]
    if company.floated or unsold(at, sym) * company.unit > 100 - company.float_percent:
        return
    company.floated = True
    release(at, sym)
    if charter.chartered:
        rule = at.kit.setup("station_tokens", "chartered")
        from_bank(state, company, 10 * charter.par)
        to_bank(state, company, rule["count"] * rule["price_each"])
        company.tokens = (0,) * rule["count"]
        if at.kit.profile.queue_at_float:
            requeue(at, sym)
    else:
        at.stock.floating = sym


def release(at: Table1862, sym: str) -> None:
    """Nobody answers for a charter any more: it has floated or has been taken back (§5.1)."""
    kept = tuple(duty for duty in at.state.obligations if duty.company != sym)
    at.state.obligations = kept


def requeue(at: Table1862, sym: str) -> None:
    """Put a marker to the bottom of its stack."""
    cell = at.state.companies[sym].cell
    if cell is not None:
        take_off(at.state, sym)
        put(at.state, sym, cell)


def to_ipo(at: Table1862, sym: str) -> None:
    """Return all certificates of a company to the IPO, in index order (§15.4e)."""
    holdings, company = at.state.holdings, at.state.companies[sym]
    for holder, held in holdings.items():
        if any(shares.split(share)[0] == sym for share in held):
            holdings[holder] = tuple(share for share in held if shares.split(share)[0] != sym)
    cards = shares.all_cards(company)
    holdings[IPO] = (*holdings[IPO], *cards)


def take_back(at: Table1862, sym: str) -> None:
    """Make a company one that has not been started (§5.2, §8.12, §9.10).

    Its money and trains must have gone elsewhere.
    """
    state, company, charter = at.state, at.state.companies[sym], at.state.charters[sym]
    to_ipo(at, sym)
    release(at, sym)
    take_off(state, sym)
    company.par = None
    company.director = None
    company.floated = False
    company.operated = False
    company.tokens = ()
    charter.permits = (charter.permit,) if charter.permit else ()
    charter.chartered = False
    charter.par = 0
    charter.home_placed = False
    left = tuple(token for token in state.layout.tokens if token.corporation != sym)
    if len(left) < len(state.layout.tokens):
        state.layout = state.layout.with_tokens(left)


def scrap(at: Table1862, trains: frozenset[str]) -> None:
    """Take trains out of the game (§11.1)."""
    for company in at.state.companies.values():
        if not trains.isdisjoint(company.trains):
            company.trains = tuple(train for train in company.trains if train not in trains)
    for train in trains:
        del at.state.fittings[train]
        at.state.stranded.pop(train, None)


def bankrupt(at: Table1862, sym: str) -> None:
    """Wind up a company (§8.12); on the site its trains stay for sale (D26)."""
    state, company = at.state, at.state.companies[sym]
    worth = at.sale_price(sym)
    for number in state.order:
        from_bank(state, state.players[number], worth * shares.units(state, number, sym))
    to_bank(state, company, company.cash)
    if at.kit.profile.stranded_trains:
        state.stranded |= dict.fromkeys(company.trains, sym)
        company.trains = ()
    else:
        scrap(at, frozenset(company.trains))
    take_back(at, sym)
    if state.round.kind == OPERATING and at.company is company:
        skip_rest(at)


def move_price(at: Table1862, sym: str, way: str, times: int) -> None:
    """Move a price marker; a price of 0 bankrupts the company (§1.8, §6.3.6)."""
    move(at.state, at.kit.chart, sym, way, times)
    if at.state.companies[sym].cell in at.kit.chart.of_type(CLOSE):
        bankrupt(at, sym)
