"""The director helps his company to its train: cash, shares, a loan (§13.8 to §13.12)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.buying import cheapest, must_buy
from engine.games.g1822.play.money import lend
from engine.games.g1822.play.state import Price
from engine.games.g1822.play.table import Table1822
from engine.games.g1822.play.trading import BLOCKS, sale_fault, sell
from engine.play import shares
from engine.play.actions import SellShares, player
from engine.play.bank import transfer
from engine.play.blocks import Block, agreed_price, own_blocks, read_block, written_sale
from engine.play.errors import refuse_if


def helped(at: Table1822) -> bool:
    """Tell whether the company has to buy and cannot pay for the cheapest train (§13.8)."""
    company = at.company
    return must_buy(at, company) and company.cash < cheapest(at, company)


def missing(at: Table1822) -> int:
    """Return what treasury and director lack for the cheapest train, £; not below 0."""
    company = at.company
    return max(0, cheapest(at, company) - company.cash - at.director().cash)


def sale_price(at: Table1822, sym: str) -> int:
    """Return what a share brings in an emergency, £ (§13.9, D8)."""
    if at.kit.profile.prices_of_turn_start:
        for frozen in at.operating.frozen:
            if frozen.company == sym:
                return frozen.price
    return at.price(sym)


def emergency_fault(at: Table1822, block: Block) -> Fault | None:
    """Return why shares may not be sold to pay for a train (§13.9)."""
    state, seller, sym = at.state, at.director().id, block.sym
    needed, price = missing(at), sale_price(at, sym)
    if not needed:
        message = "the cash at hand is enough"
        return Fault("SALE_NOT_NEEDED", "type", message, "1822 §13.9")
    fault = sale_fault(at, seller, block)
    if fault is not None:
        return fault
    if (block.units - 1) * price >= needed:
        message = f"fewer shares bring the £{needed} that are missing"
        return Fault("SALE_TOO_LARGE", "shares", message, "1822 §13.9")
    if sym != at.company.sym:
        return None
    left = shares.units(state, seller, sym) - block.units
    others = [shares.units(state, n, sym) for n in state.players if n != seller]
    if at.kit.profile.prices_of_turn_start or block.with_director or left < max(others):
        message = f"the sale may not touch who runs {sym}"
        return Fault("DIRECTOR_WOULD_CHANGE", "shares", message, "1822 §13.9")
    return None


def emergency_blocks(at: Table1822) -> Iterator[Block]:
    """Yield what the director may sell now."""
    seller = at.director().id
    for sym in at.state.companies:
        for block in own_blocks(at.state, seller, sym):
            if emergency_fault(at, block) is None:
                yield block


def emergency_sales(at: Table1822) -> Iterator[SellShares]:
    """Yield every sale that the director may make now."""
    for block in emergency_blocks(at):
        who = player(at.director().id)
        yield written_sale(at, who, block, sale_price(at, block.sym))


def sell_for_train(at: Table1822, action: SellShares) -> SellShares:
    """Sell shares; the companies still to operate are put in order again (§13.9).

    Raises
    ------
    IllegalActionError
        The rules do not allow the sale.
    """
    seller, data = at.director().id, at.operating
    block = read_block(at.state, seller, action.shares, action.percent, BLOCKS)
    fault = emergency_fault(at, block)
    refuse_if(fault)
    price = sale_price(at, block.sym)
    price = agreed_price(at, action, price, "SHARE_PRICE_WRONG", "1822 §13.9")
    if not data.sold:
        started = [sym for sym, c in at.state.companies.items() if c.started]
        data.frozen = tuple(Price(sym, at.price(sym)) for sym in started)
    sold = written_sale(at, action.entity, block, price)
    sell(at, seller, block, price)
    data.sold = True
    waiting = data.order[data.index + 1 :]
    again = [sym for sym in at.in_order() if sym in waiting]
    gone = [sym for sym in waiting if sym not in again]
    data.order = (*data.order[: data.index + 1], *again, *gone)
    return sold


def help_fault(at: Table1822, price: int) -> Fault | None:
    """Return why the director does not help to pay a train of this price (§13.8, §13.9)."""
    company = at.company
    if not must_buy(at, company):
        message = f"{company.sym} has £{company.cash}"
        return Fault("CASH_SHORT", "price", message, "1822 §13.2")
    if not helped(at) or price != cheapest(at, company):
        message = f"with the director's help only a train for £{cheapest(at, company)} is bought"
        return Fault("CHEAPEST_TRAIN_ONLY", "price", message, "1822 §13.8")
    if missing(at) and any(True for _ in emergency_blocks(at)):
        message = "shares have to be sold first"
        return Fault("SHARES_FIRST", "type", message, "1822 §13.9")
    return None


def contribute(at: Table1822, price: int) -> None:
    """The director pays what the treasury lacks, the bank lends what he lacks (§13.8, §13.10)."""
    company, owner = at.company, at.director()
    lacking = price - company.cash
    if lacking <= 0:
        return
    if lacking > owner.cash:
        lend(at, owner, lacking - owner.cash)
    transfer(owner, company, lacking)
