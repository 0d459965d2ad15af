"""What follows when a train leaves the bank (§2.2 to §2.6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.games.g1822.play.boxes import take_card
from engine.games.g1822.play.money import store_to_bank
from engine.games.g1822.play.table import MAJOR, Table1822


def leave_depot(at: Table1822, train: str, side: str) -> None:
    """A train leaves the depot: phase, rusting, then its event (§2.3).

    Parameters
    ----------
    side
        The side under which it is sold: a 2 starts phase 2, an L nothing.
    """
    roster = at.kit.roster
    for event in roster.leave(at.state, train, sold_as=roster.sold_as(train, side)):
        if event in EVENTS:
            EVENTS[event](at)


def _close_concessions(at: Table1822) -> None:
    """First 5: concessions close; majors not started float at 50 % (§2.5)."""
    for card in at.cards():
        if at.kit.game.certificates[card.sym]["kind"] == "concession":
            take_card(at, card.sym)
            card.owner = None
            card.closed = True
    for company in at.state.companies.values():
        if company.kind == MAJOR and not company.floated:
            raw = at.kit.game.corporations[company.sym]
            company.float_percent = raw["float_percent_without_concession"]


def _close_stores(at: Table1822) -> None:
    """First 7 or E: P15 and P20 close and their money goes back (§2.5)."""
    for card in at.cards():
        if at.kit.abilities(card.sym, "own_treasury"):
            take_card(at, card.sym)
            store_to_bank(at, card, card.store)
            card.owner = None
            card.closed = True


EVENTS: Mapping[str, Callable[[Table1822], None]] = {
    "close_concessions": _close_concessions,
    "phase_revenue": _close_stores,
}
"""What the events of ``trains.json`` do; full capitalisation is a flag of the phase (§7.6)."""
