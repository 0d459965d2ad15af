"""What privates and concessions pay at the start of an operating round (§8.1)."""

from __future__ import annotations

from engine.games.g1822.play.money import bank_to_store
from engine.games.g1822.play.state import Card
from engine.games.g1822.play.table import Table1822
from engine.play.bank import from_bank


def pay_income(at: Table1822) -> None:
    """Every private and concession in somebody's hands pays."""
    for card in at.cards():
        if card.owner is not None:
            from_bank(at.state, at.state.players[card.owner], to_holder(at, card))
            for ability in at.kit.abilities(card.sym, "own_treasury"):
                bank_to_store(at, card, ability["grows_by_phase"][at.state.phase])
        elif card.company:
            from_bank(at.state, at.state.companies[card.company], to_company(at, card))


def _by_phase(at: Table1822, card: Card, owner: str) -> int | None:
    for ability in at.kit.abilities(card.sym, "income_by_phase"):
        if ability["owner"] == owner:
            return int(ability["by_phase"][at.state.phase])
    return None


def to_holder(at: Table1822, card: Card) -> int:
    """Return what a card pays a player who holds it, £ (§16)."""
    by_phase = _by_phase(at, card, "player")
    revenue: int = at.kit.game.certificates[card.sym]["revenue"]
    return revenue if by_phase is None else by_phase


def to_company(at: Table1822, card: Card) -> int:
    """Return what a private pays the company that has acquired it, £ (§16)."""
    by_phase = _by_phase(at, card, "company")
    if by_phase is not None:
        return by_phase
    revenue: int | None = at.kit.game.certificates[card.sym]["revenue_after_acquisition"]
    return revenue or 0
