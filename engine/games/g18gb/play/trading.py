"""Buying, selling and starting: what the rules say of one deal (§3, §6)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g18gb.play.companies import float_if_due
from engine.games.g18gb.play.state import StockData, Table18GB
from engine.play import shares
from engine.play.actions import BuyShares
from engine.play.bank import from_bank, to_bank
from engine.play.blocks import Block, has_heir, to_market
from engine.play.entities import MARKET, Cell
from engine.play.market import move, put
from engine.play.state import Sale

LNWR = "LNWR"
LB = "LB"
BLOCKS = ("18GB §6.12", "18GB §6.13")
"""The rules of what may be sold, and of the director's certificate."""


def purchase_fault(at: Table18GB, buyer: int, share: str) -> Fault | None:
    """Return why a player may not own and pay a certificate, whatever the turn (§3.6, §6.10).

    Used in stock turns and in the share offer after an emergency conversion.
    """
    state = at.state
    sym, number = shares.split(share)
    holder = shares.holder_of(state, share)
    company = state.companies.get(sym)
    if company is None or holder not in (MARKET, sym) or (number == 0 and holder == sym):
        message = f"{share} is not to be had from the initial offering or the market"
        return Fault("SHARE_NOT_FOR_SALE", "shares", message, "18GB §6.1")
    if not company.started:
        message = f"{sym} has not been started"
        return Fault("COMPANY_NOT_STARTED", "shares", message, "18GB §6.2")
    if number == 0:
        return exchange_fault(at, buyer, sym)
    if shares.certificates(state, buyer) >= at.kit.certificate_limit:
        message = f"the limit is {at.kit.certificate_limit} certificates"
        return Fault("CERTIFICATE_LIMIT", "shares", message, "18GB §6.7")
    after = (shares.units(state, buyer, sym) + 1) * company.unit
    if holder == sym and after > at.kit.game.setup["ipo_limit_percent"]:
        message = f"a purchase from the initial offering cannot lead to {after} %"
        return Fault("IPO_CAP", "shares", message, "18GB §3.6")
    price = at.value(share)
    if state.players[buyer].cash < price:
        message = f"{share} costs £{price}, there are £{state.players[buyer].cash}"
        return Fault("CASH_SHORT", "shares", message, "18GB §3.3")
    return None


def exchange_fault(at: Table18GB, buyer: int, sym: str) -> Fault | None:
    """Return why a player may not take a director's certificate out of the market (§6.10)."""
    if shares.units(at.state, buyer, sym) != 1:
        message = f"only who owns exactly one share of {sym} may take the director's certificate"
        return Fault("EXCHANGE_NEEDS_ONE_SHARE", "shares", message, "18GB §6.10")
    price = at.price(sym)
    needed = 2 * price if at.kit.profile.exchange_needs_cash_for_two else price
    if at.state.players[buyer].cash < needed:
        message = f"£{needed} must be at hand"
        return Fault("CASH_SHORT", "shares", message, "18GB §6.10")
    return None


def terms_fault(at: Table18GB, action: BuyShares) -> Fault | None:
    """Return how percent or price in an action differ from those of its certificate."""
    sym, number = shares.split(action.shares[0])
    percent = at.state.companies[sym].percents[number]
    if action.percent not in (None, percent):
        message = f"{action.shares[0]} is of {percent} %"
        return Fault("PERCENT_WRONG", "percent", message, "FMT §B5.1")
    if action.share_price not in (None, at.price(sym)):
        message = f"a share of {sym} costs £{at.price(sym)}"
        return Fault("SHARE_PRICE_WRONG", "share_price", message, "18GB §3.3")
    return None


def buy(at: Table18GB, buyer: int, share: str) -> None:
    """Carry out a purchase that has no fault (§6.4, §6.10, §6.13)."""
    state, (sym, number) = at.state, shares.split(share)
    payer = state.players[buyer]
    if number == 0:
        to_bank(state, payer, at.price(sym))
        shares.swap_director(state, sym, buyer, MARKET)
        return
    to_bank(state, payer, at.value(share))
    shares.hand_over(state, share, buyer)
    shares.settle_director(state, sym)
    float_if_due(at, sym)


def for_sale(at: Table18GB, sym: str) -> Iterator[str]:
    """Yield the certificates of a company that can be bought; of like ones the first."""
    seen: set[tuple[str | int, int]] = set()
    percents = at.state.companies[sym].percents
    for holder in (sym, MARKET):
        for share in shares.held(at.state, holder, sym):
            kind = (holder, percents[shares.split(share)[1]])
            if kind not in seen:
                seen.add(kind)
                yield share


def priority_fault(at: Table18GB, buyer: int, sym: str, field: str) -> Fault | None:
    """Return how the priority of LB's owner is in the way (§6.5)."""
    if not at.state.lnwr_priority:
        return None
    owner = at.state.privates[LB].owner
    if (buyer == owner) == (sym == LNWR):
        return None
    message = "until LNWR is started LB's owner may start it, and only it"
    return Fault("LNWR_PRIORITY", field, message, "18GB §6.5")


def start_fault(at: Table18GB, starter: int, sym: str, cell: Cell | None) -> Fault | None:
    """Return why a player may not start a company, its tier aside (§6.2)."""
    company = at.state.companies.get(sym)
    if company is None or company.removed:
        return Fault("COMPANY_UNKNOWN", "corporation", f"{sym!r} is not in play", "18GB §6.2")
    if company.started:
        message = f"{sym} has been started"
        return Fault("COMPANY_STARTED", "corporation", message, "18GB §6.2")
    if cell is None or cell not in at.kit.chart.of_type("par"):
        message = "a company starts at 70, 75, 80, 90 or 100"
        return Fault("PAR_NOT_ALLOWED", "share_price", message, "18GB §6.2")
    if shares.certificates(at.state, starter) >= at.kit.certificate_limit:
        message = f"the limit is {at.kit.certificate_limit} certificates"
        return Fault("CERTIFICATE_LIMIT", "corporation", message, "18GB §6.7")
    price = at.kit.chart.price(cell) * company.director_units
    if at.state.players[starter].cash < price:
        message = f"the director's certificate costs £{price}"
        return Fault("CASH_SHORT", "share_price", message, "18GB §6.2")
    return priority_fault(at, starter, sym, "corporation")


def tier_fault(at: Table18GB, sym: str) -> Fault | None:
    """Return the breach of starting a tier-2 company in the first stock round (§2.6)."""
    tiers = at.kit.game.setup["tiers"]
    first = tiers[f"tier_{at.state.tiers[sym]}_from_stock_round"]
    if at.state.turn >= first:
        return None
    message = f"{sym} is of tier {at.state.tiers[sym]}: not before stock round {first}"
    return Fault("TIER_TOO_EARLY", "corporation", message, "18GB §2.6")


def start(at: Table18GB, starter: int, sym: str, cell: Cell) -> None:
    """Start a company (§6.2)."""
    state, company = at.state, at.state.companies[sym]
    price = at.kit.chart.price(cell) * company.director_units
    to_bank(state, state.players[starter], price)
    put(state, sym, cell)
    company.par = cell
    company.director = starter
    shares.hand_over(state, shares.name(sym, 0), starter)
    if sym == LNWR:
        state.lnwr_priority = False
    float_if_due(at, sym)


def sale_fault(at: Table18GB, seller: int, block: Block) -> Fault | None:
    """Return why half a lone director's certificate may not be sold (§6.13)."""
    state, sym = at.state, block.sym
    if len(block.cards) > 1 or not block.with_director or block.units > 1:
        return None
    if has_heir(state, seller, sym) or shares.ordinary(state, MARKET, sym):
        return None
    message = "there is nobody to become director and no certificate to give in change"
    return Fault("NO_CHANGE_FOR_DIRECTOR", "percent", message, "18GB §6.13")


def sale_price(at: Table18GB, sym: str) -> int:
    """Return what a share brings when sold, £ (§3.5)."""
    price = at.price(sym)
    halved = at.kit.profile.trainless_sales_at_half and not at.state.companies[sym].trains
    return price // 2 if halved else price


def sell(at: Table18GB, seller: int, block: Block, price: int) -> None:
    """Carry out a sale (§6.12, §6.13)."""
    state, sym = at.state, block.sym
    by_director = state.companies[sym].director == seller
    from_bank(state, state.players[seller], block.units * price)
    to_market(state, seller, block)
    only_directors = at.flag("only_pres_drop")
    if by_director or not only_directors:
        move(state, at.kit.chart, sym, "left", block.units)


def note_sale(data: StockData, seller: int, sym: str) -> None:
    """Remember a sale for the rest of the turn and of the round (§6.6, §6.12)."""
    data.sold |= {sym}
    data.sales |= {Sale(seller, sym)}
