"""Buying and selling shares: what the rules say of one deal (§5.4 to §5.8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.boxes import committed, leading
from engine.games.g1822.play.floating import float_if_due, pay_for_treasury_shares
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.play import shares
from engine.play.bank import from_bank, to_bank
from engine.play.blocks import Block, has_heir, own_blocks, to_market
from engine.play.entities import MARKET
from engine.play.market import move
from engine.play.state import Sale

BLOCKS = ("1822 §5.4", "FMT §E3.5")
"""The rules of what may be sold, and of the shape of a sale."""
MARKET_LIMIT = 50
"""Percent of a company that the market may hold (§5.4)."""


def certificates(at: Table1822, player: int) -> int:
    """Return how many certificates of a player count towards the limit (§5.7)."""
    state = at.state
    counted = sum(
        not exempt(at, shares.split(share)[0]) for share in state.holdings.get(player, ())
    )
    cards = sum(
        card.owner == player and not at.kit.abilities(card.sym, "tax_haven") for card in at.cards()
    )
    return counted + cards


def exempt(at: Table1822, sym: str) -> bool:
    """Tell whether the price of a company stands in the yellow zone (§3.1)."""
    cell = at.state.companies[sym].cell
    return cell is not None and "no_certificate_limit" in at.kit.chart.cells[cell].types


def free_cash(at: Table1822, player: int) -> int:
    """Return the cash of a player that no leading bid of his needs, £ (§5.11)."""
    return at.state.players[player].cash - committed(at, player)


def limit_fault(at: Table1822, player: int, field: str) -> Fault | None:
    """Return the fault of taking one more certificate, leading bids included (§5.7)."""
    if certificates(at, player) + leading(at, player) < at.kit.certificate_limit:
        return None
    message = f"the limit is {at.kit.certificate_limit} certificates, leading bids included"
    return Fault("CERTIFICATE_LIMIT", field, message, "1822 §5.7")


def purchase_fault(at: Table1822, buyer: int, share: str) -> Fault | None:
    """Return why a player may not buy a certificate (§5.6)."""
    state = at.state
    sym, number = shares.split(share)
    company = state.companies.get(sym)
    if company is None:
        return Fault("COMPANY_UNKNOWN", "shares", f"{share!r} is no certificate", "1822 §1.7")
    if not company.started:
        return Fault("COMPANY_NOT_STARTED", "shares", f"{sym} has not been started", "1822 §7.2")
    if number == 0 or shares.holder_of(state, share) not in (MARKET, sym):
        message = f"{share} is in neither treasury nor market"
        return Fault("SHARE_NOT_FOR_SALE", "shares", message, "1822 §5.6")
    if Sale(buyer, sym) in at.stock.sales:
        message = f"{sym} was sold in this round"
        return Fault("SOLD_THIS_ROUND", "shares", message, "1822 §5.6")
    most: int = at.kit.game.corporations[sym]["max_ownership_percent"]
    if (shares.units(state, buyer, sym) + 1) * company.unit > most:
        message = f"a purchase cannot lead above {most} %"
        return Fault("OWNERSHIP_LIMIT", "shares", message, "1822 §5.6")
    if at.price(sym) > free_cash(at, buyer):
        message = f"{share} costs £{at.price(sym)}, there are £{free_cash(at, buyer)} to spend"
        return Fault("CASH_SHORT", "shares", message, "1822 §5.11")
    return None if exempt(at, sym) else limit_fault(at, buyer, "shares")


def buy(at: Table1822, buyer: int, share: str) -> None:
    """Carry out a purchase that has no fault (§5.6, §7.5)."""
    state, sym = at.state, shares.split(share)[0]
    company = at.company_of(sym)
    if shares.holder_of(state, share) == sym:
        pay_for_treasury_shares(at, buyer, company, at.price(sym))
    else:
        to_bank(state, state.players[buyer], at.price(sym))
    shares.hand_over(state, share, buyer)
    shares.settle_director(state, sym)
    float_if_due(at, company)


def for_sale(at: Table1822, sym: str) -> Iterator[str]:
    """Yield the first share in the treasury and the first in the market."""
    for holder in (sym, MARKET):
        found = shares.ordinary(at.state, holder, sym)
        if found:
            yield found[0]


def sale_fault(at: Table1822, seller: int, block: Block) -> Fault | None:
    """Return why shares may not be sold (§5.4, §5.5)."""
    state, sym = at.state, block.sym
    company = at.company_of(sym)
    if company.kind != MAJOR:
        message = f"the certificate of minor {sym} cannot be sold"
        return Fault("MINOR_NOT_SALEABLE", "shares", message, "1822 §5.4")
    if not company.turns:
        message = f"{sym} has not completed an operating turn"
        return Fault("NOT_OPERATED", "shares", message, "1822 §5.4")
    if (shares.units(state, MARKET, sym) + block.units) * company.unit > MARKET_LIMIT:
        message = f"the market holds at most {MARKET_LIMIT} % of {sym}"
        return Fault("MARKET_FULL", "shares", message, "1822 §5.4")
    if block.with_director and not has_heir(state, seller, sym):
        message = f"nobody else could become director of {sym}"
        return Fault("NO_NEW_DIRECTOR", "shares", message, "1822 §5.5")
    return None


def sell(at: Table1822, seller: int, block: Block, price: int) -> None:
    """Carry out a sale; each share sold moves the price down a row (§5.4, §5.5)."""
    state, sym = at.state, block.sym
    from_bank(state, state.players[seller], block.units * price)
    to_market(state, seller, block)
    move(state, at.kit.chart, sym, "down", block.units)


def can_sell_something(at: Table1822, seller: int) -> bool:
    """Tell whether a player has anything that may be sold (§5.3)."""
    syms = {shares.split(share)[0] for share in at.state.holdings[seller]}
    return any(
        sale_fault(at, seller, block) is None
        for sym in syms
        for block in own_blocks(at.state, seller, sym)
    )


def must_sell(at: Table1822, player: int) -> bool:
    """Tell whether a player is over the certificate limit and can sell (§5.3)."""
    over = certificates(at, player) > at.kit.certificate_limit
    return over and can_sell_something(at, player)
