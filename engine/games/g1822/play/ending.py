"""The end of the game and the scores (§17)."""

from __future__ import annotations

from engine.games.g1822.play.state import HAVEN, STOCK
from engine.games.g1822.play.table import Table1822

AFTER_ROUND = "round"
AFTER_SET = "set"
BANK = "bank"
PRICE = "stock_market"


def check_end(at: Table1822) -> None:
    """Note the first trigger that is observed (§17.1 to §17.3)."""
    state = at.state
    earlier = at.kit.profile.earlier_end and state.timing == AFTER_SET
    if state.end_reason and not earlier:
        return
    if not state.end_reason and state.broken:
        state.end_reason = BANK
        state.timing = AFTER_ROUND if state.round.kind == STOCK else AFTER_SET
    ends = at.kit.chart.of_type("end_game")
    reached = any(company.cell in ends for company in state.companies.values())
    both = at.kit.profile.earlier_end and state.timing == AFTER_SET
    if reached and (both or not state.end_reason):
        state.end_reason = PRICE
        state.timing = AFTER_ROUND


def score(at: Table1822, number: int) -> int:
    """Return what a player is worth, £ (§17.4)."""
    state, owner = at.state, at.player_of(number)
    total = owner.cash - owner.debt + sum(map(at.value, state.holdings[number]))
    for card in at.cards():
        if card.owner == number:
            total += at.kit.game.certificates[card.sym]["value"]
            if card.sym == HAVEN:
                total += card.store + sum(map(at.value, state.holdings[HAVEN]))
    return total
