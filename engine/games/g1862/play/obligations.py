"""Fines for charters that have not been floated (1862 §5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.games.g1862.play import trading
from engine.games.g1862.play.companies import take_back
from engine.games.g1862.play.state import Debt, Table1862
from engine.play import shares
from engine.play.actions import Action, Entity, SellShares, player
from engine.play.bank import from_bank, to_bank
from engine.play.blocks import Block, read_block, written_sale
from engine.play.errors import refuse
from engine.play.offers import Offer
from engine.play.steps import Step


def settle_obligations(at: Table1862) -> None:
    """Fine the winners of charters that have not been floated in time (§5.1, §5.2).

    Who won it pays, whoever holds its certificates now. What is still owed must be
    raised by sales, if there is anything to sell.
    """
    state, owed = at.state, dict.fromkeys(at.state.order, 0)
    for who in state.order:
        for duty in state.obligations:
            if duty.player == who:
                owed[who] += _fine(at, who, duty.company)
    for duty in state.obligations:
        take_back(at, duty.company)
    debts = [Debt(who, amount) for who, amount in owed.items() if amount]
    at.stock.debts = _collected(at, debts)


def _collected(at: Table1862, debts: Sequence[Debt]) -> tuple[Debt, ...]:
    """Take what debtors have in cash; return the debts from the first one that can sell (§5.3).

    Debts before it are paid or forgiven. Those behind wait: the sales of one debtor
    change what the next one can sell.
    """
    left: list[Debt] = []
    for debt in debts:
        payer = at.state.players[debt.player]
        paid = min(debt.amount, payer.cash)
        to_bank(at.state, payer, paid)
        rest = debt._replace(amount=debt.amount - paid)
        if rest.amount and (left or any(True for _ in _sellable(at, debt.player))):
            left.append(rest)
    return tuple(left)


def full_fine(at: Table1862, sym: str) -> int:
    """Return the fine for a charter that has not been floated in time, £ (§5.1)."""
    multiple: int = at.kit.setup("parliament", "fine_multiple_of_par")
    return multiple * at.state.charters[sym].par


def _fine(at: Table1862, winner: int, sym: str) -> int:
    """Take cash, then his shares of the company at half its price; return what is left, £.

    Ordinary certificates come first; each is taken whole, the excess is refunded (§5.2).
    """
    state, payer = at.state, at.state.players[winner]
    debt = full_fine(at, sym)
    paid = min(debt, payer.cash)
    to_bank(state, payer, paid)
    debt -= paid
    cards = shares.held(state, winner, sym)
    for card in sorted(cards, key=lambda card: shares.units_on(state, (card,))) if debt else ():
        value = at.sale_price(sym) * shares.units_on(state, (card,))
        from_bank(state, payer, max(0, value - debt))
        debt = max(0, debt - value)
        if not debt:
            break
    return debt


def _sellable(at: Table1862, seller: int) -> Iterator[Block]:
    """Yield every block that a debtor may sell, also what he bought in this round (§5.3)."""
    for sym in at.state.companies:
        yield from trading.blocks(at, seller, sym, 100)


class ForcedSale(Step[Table1862]):
    """A debtor sells blocks of his choice until he has paid (§5.3)."""

    name = "forced sale"

    def asleep(self, at: Table1862) -> bool:
        return not at.stock.debts

    def actor(self, at: Table1862) -> Entity | None:
        debts = at.stock.debts
        return player(debts[0].player) if debts else None

    def offers(self, at: Table1862) -> bool:
        return True

    def takes(self, at: Table1862, action: Action) -> bool:
        return isinstance(action, SellShares) and action.entity == self.actor(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        for debt in at.stock.debts[:1]:
            for block in _sellable(at, debt.player):
                price = at.sale_price(block.sym)
                yield written_sale(at, player(debt.player), block, price)

    def apply(self, at: Table1862, action: Action) -> Action:
        debt = at.stock.debts[0]
        if not isinstance(action, SellShares):
            refuse("WRONG_STEP", "type", "a debtor sells shares", "1862 §5.3")
        cards, percent = action.shares, action.percent
        block = read_block(at.state, debt.player, cards, percent, trading.BLOCKS)
        sold = trading.sell_block(at, debt.player, block, action)
        at.stock.debts = _collected(at, at.stock.debts)
        return sold
