"""Blocks: shares of one company that a player sells together (FMT §E3.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.errors import Fault
from engine.play import shares
from engine.play.actions import BuyShares, Entity, SellShares
from engine.play.entities import MARKET
from engine.play.errors import refuse, refuse_if
from engine.play.state import GameState
from engine.play.steps import Table


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
        Shares that the seller keeps of it: he gets them as ordinary certificates.
    """

    sym: str
    cards: tuple[str, ...]
    units: int
    change: int = 0

    @property
    def with_director(self) -> bool:
        """The director's certificate is among the certificates."""
        return any(shares.split(card)[1] == 0 for card in self.cards)


def own_blocks(state: GameState, seller: int, sym: str) -> Iterator[Block]:
    """Yield every number of shares that a player has of a company, as certificates.

    Ordinary certificates come first, in the order in which he got them; then the
    director's one, part of which may be kept.
    """
    own = shares.ordinary(state, seller, sym)
    for count in range(1, len(own) + 1):
        yield Block(sym, own[:count], count)
    director = shares.name(sym, 0)
    if director in state.holdings[seller]:
        most = state.companies[sym].director_units
        for part in range(1, most + 1):
            yield Block(sym, (*own, director), len(own) + part, most - part)


def read_block(
    state: GameState,
    seller: int,
    cards: Sequence[str],
    percent: int | None,
    sections: tuple[str, str],
) -> Block:
    """Return what a player wants to sell (FMT §B5.1, §E3.5).

    Parameters
    ----------
    percent
        What is sold of the company if it is less than what stands on the
        certificates; None for all of it.
    sections
        The rules that say what may be sold, and how a director's certificate is.

    Raises
    ------
    IllegalActionError
        The certificates are no block of the player's.
    """
    syms = {shares.split(card)[0] for card in cards}
    own = set(cards) <= set(state.holdings[seller])
    if len(syms) != 1 or len(set(cards)) != len(cards) or not own:
        message = "a block is made of own certificates of one company"
        refuse("BLOCK_NOT_OWNED", "shares", message, sections[0])
    (sym,) = syms
    company = state.companies[sym]
    most = shares.units_on(state, cards)
    units = most if percent is None else percent // company.unit
    block = Block(sym, tuple(cards), units, most - units)
    parts = company.director_units if block.with_director else 1
    if (percent is not None and percent % company.unit) or not 0 <= block.change < parts:
        message = f"these certificates cannot stand for {percent} %"
        refuse("PERCENT_WRONG", "percent", message, sections[1])
    if block.with_director and len(cards) != len(shares.held(state, seller, sym)):
        message = "the director's certificate is sold after all others"
        refuse("BLOCK_SHAPE", "shares", message, sections[1])
    return block


def has_heir(state: GameState, seller: int, sym: str) -> bool:
    """Tell whether another player could become director of a company (FMT §E4)."""
    others = [shares.units(state, number, sym) for number in state.players if number != seller]
    return max(others) >= state.companies[sym].director_units


def to_market(state: GameState, seller: int, block: Block) -> None:
    """Bring a block that has been sold to the market, and settle who is director (FMT §E4).

    Money and price are the game's affair. Who sells the director's certificate gets
    what he keeps of it as ordinary certificates; if nobody has shares enough to
    take it, it lies in the market and the company is in receivership.
    """
    sym = block.sym
    for card in block.cards:
        shares.hand_over(state, card, MARKET)
    if not block.with_director:
        shares.settle_director(state, sym)
        return
    new = shares.leader(state, sym)
    if new is None:
        state.companies[sym].director = None
    else:
        shares.swap_director(state, sym, new, MARKET)
    for card in shares.ordinary(state, MARKET, sym)[: block.change]:
        shares.hand_over(state, card, seller)


def agreed_price(
    at: Table, action: SellShares | BuyShares, price: int, code: str, section: str
) -> int:
    """Return the price of a share, £: the recorded one in a replay, else that of the rules.

    Parameters
    ----------
    price
        By the rules, £.
    code, section
        Of the fault if the action names another one; the bench hears it (FMT §B5.1).

    Raises
    ------
    IllegalActionError
        It is another one, and this is no replay, or no cell has so high a price.
    """
    named = action.share_price
    if named in (None, price):
        return price
    fault = Fault(code, "share_price", f"the price of a share is £{price}", section)
    refuse_if(None if 0 <= named <= at.kit.chart.highest else fault)
    at.bench.object(fault)
    return named


def written_sale(at: Table, who: Entity, block: Block, price: int) -> SellShares:
    """Return the sale of a block as a record has it (FMT §B5.1).

    Parameters
    ----------
    price
        What a share brings, £; a record names it where it is not the printed one.
    """
    percent = block.units * at.state.companies[block.sym].unit
    named = None if price == at.price(block.sym) else price
    return SellShares(who, block.cards, percent, named)
