"""Starting majors: concessions converted, from phase 5 without one (§7.2 to §7.4)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.boxes import corporation_of
from engine.games.g1822.play.floating import director_price, start_major
from engine.games.g1822.play.state import Card, Company1822
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.games.g1822.play.trading import free_cash, limit_fault
from engine.play.actions import Par, player
from engine.play.entities import Cell


def _concession(at: Table1822, sym: str) -> Card | None:
    """Return the open concession of a major."""
    for card in at.cards():
        kind = at.kit.game.certificates[card.sym]["kind"]
        if kind == "concession" and corporation_of(at, card.sym) == sym:
            return card
    return None


def _contribution(at: Table1822, card: Card | None) -> int:
    """Return what a concession pays of the director's certificate, £ (§7.2)."""
    if card is None:
        return 0
    amount: int = at.kit.abilities(card.sym, "converts_to")[0]["contributes"]
    return amount


def par_fault(at: Table1822, number: int, action: Par) -> Fault | None:
    """Return why a player may not start a major (§7.2 to §7.4)."""
    company = at.state.companies.get(action.corporation)
    if not isinstance(company, Company1822) or company.kind != MAJOR:
        message = f"{action.corporation!r} is no major in play"
        return Fault("COMPANY_UNKNOWN", "corporation", message, "1822 §7.2")
    if company.started:
        message = f"{company.sym} has been started"
        return Fault("COMPANY_STARTED", "corporation", message, "1822 §7.2")
    fault = _right_fault(at, number, company)
    if fault is not None:
        return fault
    cell = at.kit.chart.named(action.share_price)
    if cell is None or cell not in at.kit.chart.of_type("par_major"):
        message = "a major starts at 60, 70, 80, 90 or 100"
        return Fault("PAR_NOT_ALLOWED", "share_price", message, "1822 §7.2")
    price = _player_pays(at, company, cell)
    if price > free_cash(at, number):
        message = f"the director's certificate costs £{price}"
        return Fault("CASH_SHORT", "share_price", message, "1822 §5.11")
    return None


def _player_pays(at: Table1822, company: Company1822, cell: Cell) -> int:
    price = director_price(company, at.kit.chart.price(cell))
    return max(0, price - _contribution(at, _concession(at, company.sym)))


def _right_fault(at: Table1822, number: int, company: Company1822) -> Fault | None:
    """Return why the time or the concession is missing."""
    if at.flag("can_par"):
        return limit_fault(at, number, "corporation")
    if not at.flag("can_convert_concessions"):
        message = "concessions are not converted in phase 1"
        return Fault("PHASE_TOO_EARLY", "type", message, "1822 §7.2")
    card = _concession(at, company.sym)
    if card is None or card.owner != number:
        message = f"only who holds its concession may start {company.sym}"
        return Fault("CONCESSION_NEEDED", "corporation", message, "1822 §7.2")
    return None


def par_options(at: Table1822, number: int) -> Iterator[Par]:
    """Yield every start of a major that a player may make."""
    for sym, company in at.state.companies.items():
        if company.kind == MAJOR and not company.started:
            for cell in at.kit.chart.of_type("par_major"):
                start = Par(player(number), sym, at.kit.chart.name(cell))
                if par_fault(at, number, start) is None:
                    yield start


def start(at: Table1822, number: int, action: Par) -> None:
    """Start a major without fault; its concession closes (§7.2)."""
    cell = at.kit.chart.named(action.share_price)
    if cell is None:
        raise ValueError(f"{action.share_price} passed the check and is no cell")
    card = _concession(at, action.corporation)
    start_major(at, number, at.company_of(action.corporation), cell, _contribution(at, card))
    if card is not None:
        card.owner = None
        card.closed = True
