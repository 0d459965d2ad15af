"""Buying and selling shares: what the rules say of one deal (1862 §6.3, §6.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.errors import Fault
from engine.games.g1862.play.companies import float_if_due, move_price
from engine.games.g1862.play.state import IPO, Table1862
from engine.play import shares
from engine.play.actions import SellShares
from engine.play.bank import from_bank, to_bank, transfer
from engine.play.entities import MARKET, Holder
from engine.play.errors import IllegalActionError, refuse

SOURCES: tuple[str | None, ...] = (IPO, MARKET, None)
"""Where shares are bought; None for the treasury of the company."""


def share_price(at: Table1862, holder: Holder, sym: str) -> int:
    """Return what a share costs, £: par from the IPO, else the current price (§6.4)."""
    return at.state.charters[sym].par if holder == IPO else at.price(sym)


def for_sale(at: Table1862, sym: str) -> Iterator[str]:
    """Yield the certificates of a company that players can buy; of like ones the first."""
    for source in SOURCES:
        yield from shares.ordinary(at.state, source or sym, sym)[:1]


def purchase_fault(at: Table1862, buyer: int, share: str) -> Fault | None:
    """Return why a player may not own and pay a certificate, whatever the turn (§6.4, §6.7)."""
    state = at.state
    sym, number = shares.split(share)
    company = state.companies.get(sym)
    holder = shares.holder_of(state, share)
    if company is None or number == 0 or holder not in (IPO, MARKET, sym):
        message = f"{share} is not to be had from IPO, pool or treasury"
        return Fault("SHARE_NOT_FOR_SALE", "shares", message, "1862 §6.4")
    if not company.started:
        return Fault("COMPANY_NOT_STARTED", "shares", f"{sym} has not been started", "1862 §6.4")
    if shares.certificates(state, buyer) >= state.limit:
        message = f"the limit is {state.limit} certificates"
        return Fault("CERTIFICATE_LIMIT", "shares", message, "1862 §6.7")
    price = share_price(at, holder, sym)
    if state.players[buyer].cash < price:
        message = f"{share} costs £{price}, there are £{state.players[buyer].cash}"
        return Fault("CASH_SHORT", "shares", message, "1862 §6.4")
    return None


def buy(at: Table1862, buyer: int, share: str) -> None:
    """Carry out a purchase that has no fault (§6.4, §6.6, §6.8, §6.9)."""
    state, (sym, _) = at.state, shares.split(share)
    payer, holder = state.players[buyer], shares.holder_of(state, share)
    if holder is None:
        raise ValueError(f"nobody holds {share}")
    price = share_price(at, holder, sym)
    if holder == sym:
        transfer(payer, state.companies[sym], price)
    else:
        to_bank(state, payer, price)
    shares.hand_over(state, share, buyer)
    shares.settle_director(state, sym)
    float_if_due(at, sym)


@dataclass(frozen=True)
class Block:
    """Shares of one company offered for sale.

    Parameters
    ----------
    sym, cards
        Company and certificates.
    units
        Shares sold; fewer than on the certificates if part of the director's
        certificate is kept.
    change
        Shares that the seller gets back as ordinary certificates.
    """

    sym: str
    cards: tuple[str, ...]
    units: int
    change: int

    @property
    def with_director(self) -> bool:
        """The director's certificate is among the certificates."""
        return any(shares.split(card)[1] == 0 for card in self.cards)


def blocks(at: Table1862, seller: int, sym: str, most: int) -> Iterator[Block]:
    """Yield every number of shares, up to `most`, that a player may sell (§6.3, FMT §E3.5)."""
    own = shares.ordinary(at.state, seller, sym)
    director = shares.name(sym, 0)
    total = shares.units(at.state, seller, sym)
    for count in range(1, min(most, total) + 1):
        if count <= len(own):
            yield Block(sym, own[:count], count, 0)
        else:
            block = Block(sym, (*own, director), count, total - count)
            if change_fault(at, seller, block) is None:
                yield block


def read_block(
    at: Table1862, seller: int, cards: Sequence[str], percent: int | None
) -> Block | Fault:
    """Return what a player wants to sell, or what is wrong with it (FMT §B5.1, §E3.5)."""
    state = at.state
    syms = {shares.split(card)[0] for card in cards}
    owned = set(cards) <= set(state.holdings[seller])
    if len(syms) != 1 or len(set(cards)) != len(cards) or not owned:
        message = "a block is made of own certificates of one company"
        return Fault("BLOCK_NOT_OWNED", "shares", message, "1862 §6.3")
    (sym,) = syms
    company = state.companies[sym]
    total = shares.units_on(state, cards)
    units = total if percent is None else percent // company.unit
    block = Block(sym, tuple(cards), units, total - units)
    parts = company.director_units if block.with_director else 1
    if (percent is not None and percent % company.unit) or not 0 <= block.change < parts:
        message = f"these certificates cannot stand for {percent} %"
        return Fault("PERCENT_WRONG", "percent", message, "1862 §6.3")
    if block.with_director and len(cards) != len(shares.held(state, seller, sym)):
        message = "the director's certificate is sold after all others"
        return Fault("BLOCK_SHAPE", "shares", message, "1862 §6.3")
    return block


def change_fault(at: Table1862, seller: int, block: Block) -> Fault | None:
    """Return why part of a director's certificate may not be sold (§6.3.4, D2).

    Nobody else could become director, and there are too few ordinary
    certificates to give back.
    """
    state, sym = at.state, block.sym
    if not block.with_director or not block.change:
        return None
    others = [shares.units(state, number, sym) for number in state.players if number != seller]
    least = state.companies[sym].director_units
    if max(others) >= least:
        return None
    there = len(shares.ordinary(state, MARKET, sym))
    if not at.kit.profile.change_from_pool or block.units >= least:
        there += len(block.cards) - 1
    if there >= block.change:
        return None
    message = f"there are not {block.change} ordinary certificates to give in change"
    return Fault("NO_CHANGE_FOR_DIRECTOR", "percent", message, "1862 §6.3")


def free_shares(at: Table1862, sym: str, by_director: bool) -> int:
    """Return how many shares are sold without a drop, by the zone of the price (§6.3.5, D3)."""
    cell = at.state.companies[sym].cell
    types = at.kit.chart.cells[cell].types if cell is not None else frozenset()
    if "ignore_two_sales" in types:
        return 0 if by_director and not at.kit.profile.top_zone_for_directors else 2
    return 1 if "ignore_one_sale" in types and not by_director else 0


def sell(at: Table1862, seller: int, block: Block) -> None:
    """Carry out a sale: money, certificates, directorship, price (§6.3)."""
    state, sym = at.state, block.sym
    company = state.companies[sym]
    by_director = company.director == seller
    from_bank(state, state.players[seller], block.units * at.sale_price(sym))
    for card in block.cards:
        shares.hand_over(state, card, MARKET)
    if block.with_director:
        new = shares.leader(state, sym)
        if new is None:
            company.director = None
        else:
            shares.swap_director(state, sym, new, MARKET)
        for card in shares.ordinary(state, MARKET, sym)[: block.change]:
            shares.hand_over(state, card, seller)
    elif by_director:
        shares.settle_director(state, sym)
    if company.floated and not at.formed:
        drop = max(0, block.units - free_shares(at, sym, by_director))
        move_price(at, sym, "down", drop)


def special_price(at: Table1862, sym: str) -> int | None:
    """Return the price per share if it is not the printed one, as records have it (§15.7)."""
    price = at.sale_price(sym)
    return None if price == at.price(sym) else price


def sell_block(at: Table1862, seller: int, block: Block, action: SellShares) -> SellShares:
    """Sell a block on the terms of an action; return the action as a record has it.

    Raises
    ------
    IllegalActionError
        The director's certificate cannot be changed, or the price is another.
    """
    fault = change_fault(at, seller, block)
    if fault is not None:
        raise IllegalActionError(fault)
    price = special_price(at, block.sym)
    if action.share_price is not None and action.share_price != at.sale_price(block.sym):
        message = f"a share brings £{at.sale_price(block.sym)}"
        refuse("SALE_PRICE_WRONG", "share_price", message, "1862 §6.3")
    percent = block.units * at.state.companies[block.sym].unit
    sell(at, seller, block)
    return SellShares(action.entity, block.cards, percent, price)
