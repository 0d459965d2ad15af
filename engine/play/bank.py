"""Money: every payment goes through here, so that none is made or lost."""

from __future__ import annotations

from engine.play.entities import Company, Player
from engine.play.state import GameState


def from_bank(state: GameState, to: Player | Company, amount: int) -> None:
    """The bank pays £`amount`; a limited bank is broken once it goes below zero (FMT §E10.1)."""
    if state.bank is not None:
        state.bank -= amount
        state.broken |= state.bank < 0
    to.cash += amount


def to_bank(state: GameState, payer: Player | Company, amount: int) -> None:
    """Someone pays £`amount` to the bank.

    Raises
    ------
    ValueError
        He has not got that much: the step should have refused the action.
    """
    _take(payer, amount)
    if state.bank is not None:
        state.bank += amount


def transfer(payer: Player | Company, to: Player | Company, amount: int) -> None:
    """Someone pays £`amount` to somebody else.

    Raises
    ------
    ValueError
        He has not got that much.
    """
    _take(payer, amount)
    to.cash += amount


def _take(payer: Player | Company, amount: int) -> None:
    if amount < 0 or payer.cash < amount:
        raise ValueError(f"£{amount} cannot be taken from £{payer.cash}")
    payer.cash -= amount
