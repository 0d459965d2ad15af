"""Money that lies on cards, and what players owe (§8.1, §13.10 to §13.12, §16.15)."""

from __future__ import annotations

from engine.games.g1822.play.state import Card, Player1822
from engine.games.g1822.play.table import Table1822
from engine.play.bank import from_bank, to_bank
from engine.play.entities import Company


def bank_to_store(at: Table1822, card: Card, amount: int) -> None:
    """The bank puts £`amount` on a card."""
    if at.state.bank is not None:
        at.state.bank -= amount
        at.state.broken |= at.state.bank < 0
    card.store += amount


def store_to_bank(at: Table1822, card: Card, amount: int) -> None:
    """£`amount` on a card go to the bank.

    Raises
    ------
    ValueError
        There is not so much.
    """
    if not 0 <= amount <= card.store:
        raise ValueError(f"£{amount} cannot be taken from £{card.store} on {card.sym}")
    card.store -= amount
    if at.state.bank is not None:
        at.state.bank += amount


def store_to_company(card: Card, company: Company) -> None:
    """All money on a card goes to a company (§16.15)."""
    company.cash += card.store
    card.store = 0


def with_interest(at: Table1822, amount: int) -> int:
    """Return an amount with the interest of a loan, rounded up, £ (§13.10)."""
    percent: int = at.kit.setup["loan"]["interest_percent"]
    return amount - -amount * percent // 100


def lend(at: Table1822, player: Player1822, amount: int) -> None:
    """The bank lends; the interest is owed at once (§13.10)."""
    from_bank(at.state, player, amount)
    player.debt += with_interest(at, amount)


def repay(at: Table1822, player: Player1822, amount: int) -> None:
    """A player pays back part of his debt (§13.12)."""
    to_bank(at.state, player, amount)
    player.debt -= amount
