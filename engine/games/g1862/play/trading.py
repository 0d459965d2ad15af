"""Buying and selling shares: what the rules say of one deal (1862 §6.3, §6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.errors import Fault
from engine.games.g1862.play.companies import float_if_due, move_price
from engine.games.g1862.play.state import IPO, Table1862
from engine.play import shares
from engine.play.actions import SellShares
from engine.play.bank import from_bank, to_bank, transfer
from engine.play.blocks import Block, agreed_price, has_heir, own_blocks, to_market, written_sale
from engine.play.entities import MARKET, Holder
from engine.play.errors import refuse_if

BLOCKS = ("1862 §6.3", "1862 §6.3")
"""The rules of what may be sold, and of the director's certificate."""

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


def blocks(at: Table1862, seller: int, sym: str, most: int) -> Iterator[Block]:
    """Yield every number of shares, up to `most`, that a player may sell (§6.3)."""
    for block in own_blocks(at.state, seller, sym):
        if block.units <= most and change_fault(at, seller, block) is None:
            yield block


def change_fault(at: Table1862, seller: int, block: Block) -> Fault | None:
    """Return why part of a director's certificate may not be sold (§6.3.4, D2).

    Nobody else could become director, and there are too few ordinary
    certificates to give back.
    """
    state, sym = at.state, block.sym
    if not block.with_director or not block.change:
        return None
    if has_heir(state, seller, sym):
        return None
    there = len(shares.ordinary(state, MARKET, sym))
    part = block.units < state.companies[sym].director_units
    if not at.kit.profile.change_from_pool or not part:
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


def sell(at: Table1862, seller: int, block: Block, price: int) -> None:
    """Carry out a sale: money, certificates, directorship, price (§6.3)."""
    state, sym = at.state, block.sym
    company = state.companies[sym]
    by_director = company.director == seller
    from_bank(state, state.players[seller], block.units * price)
    if block.change and at.kit.profile.change_as_named and not has_heir(state, seller, sym):
        _sell_as_named(at, seller, block)
    else:
        to_market(state, seller, block)
    if company.floated and not at.formed:
        drop = max(0, block.units - free_shares(at, sym, by_director))
        move_price(at, sym, "down", drop)


def _sell_as_named(at: Table1862, seller: int, block: Block) -> None:
    """Bring a part of a director's certificate to the pool as the site does (§15.4b, D25).

    Back go the first certificates of those that lay in the pool and those that were
    named, in that order, each whole. Who named the director's certificate too early gets
    it back and stays director.
    """
    state, sym = at.state, block.sym
    back = (*shares.held(state, MARKET, sym), *block.cards)[: block.change]
    to_market(state, seller, replace(block, change=0))
    for card in back:
        shares.hand_over(state, card, seller)
    if shares.name(sym, 0) in back:
        state.companies[sym].director = seller


def sell_block(at: Table1862, seller: int, block: Block, action: SellShares) -> SellShares:
    """Sell a block on the terms of an action; return the action as a record has it.

    Raises
    ------
    IllegalActionError
        The director's certificate cannot be changed, or the price is another.
    """
    refuse_if(change_fault(at, seller, block))
    price = agreed_price(at, action, at.sale_price(block.sym), "SALE_PRICE_WRONG", "1862 §6.3")
    sold = written_sale(at, action.entity, block, price)
    sell(at, seller, block, price)
    return sold
