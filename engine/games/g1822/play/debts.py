"""Paying back a loan in a stock round (§13.12)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.money import repay
from engine.games.g1822.play.table import Table1822
from engine.games.g1822.play.trading import free_cash
from engine.play.actions import PayoffPlayerDebt, PayoffPlayerDebtPartial, player
from engine.play.errors import IllegalActionError
from engine.play.offers import Offer

Payoff = PayoffPlayerDebt | PayoffPlayerDebtPartial


def payoff_options(at: Table1822, number: int) -> Iterator[Offer]:
    """Yield the full repayment, as far as the cash goes, and each part of it."""
    most = min(at.player_of(number).debt, free_cash(at, number))
    if most > 0:
        yield PayoffPlayerDebt(player(number))
        for amount in range(1, most):
            yield PayoffPlayerDebtPartial(player(number), amount)


def pay_back(at: Table1822, number: int, action: Payoff) -> None:
    """Pay a debt back, as far as it and the cash go.

    Raises
    ------
    IllegalActionError
        There is no debt or no cash, or the amount is less than £1.
    """
    owing = at.player_of(number)
    most = min(owing.debt, owing.cash)
    amount = min(action.amount, most) if isinstance(action, PayoffPlayerDebtPartial) else most
    if not owing.debt:
        message = f"{owing.name} owes nothing"
        raise IllegalActionError(Fault("NO_DEBT", "type", message, "1822 §13.12"))
    if amount < 1:
        message = f"£1 to £{most} can be paid back"
        raise IllegalActionError(Fault("AMOUNT_WRONG", "amount", message, "1822 §13.12"))
    repay(at, owing, amount)
