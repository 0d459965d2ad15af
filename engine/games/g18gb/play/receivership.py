"""Companies in receivership and insolvent ones (§8.4, §13.6 to §13.9)."""

from __future__ import annotations

from engine.games.g18gb.play.companies import FIVE_SHARE, convert, leave_bank
from engine.games.g18gb.play.state import Table18GB
from engine.play.bank import to_bank
from engine.play.entities import Company
from engine.play.steps import close_step

TRAINS = "trains"
"""Name of the step in which trains are bought."""


def cheapest(at: Table18GB) -> int | None:
    """Return the lowest price on sale, £; None if the bank has no train (§7.3)."""
    return min((at.kit.roster.card(t).price for t in at.kit.roster.on_sale(at.state)), default=None)


def dearest(at: Table18GB) -> int | None:
    """Return the highest price on sale, £; None if the bank has no train (§7.3)."""
    return max((at.kit.roster.card(t).price for t in at.kit.roster.on_sale(at.state)), default=None)


def begin_company_turn(at: Table18GB) -> None:
    """In receivership, trainless and unable to pay a train means insolvent (§13.9)."""
    company, least = at.company, cheapest(at)
    if company.receivership and not company.trains and (least is None or company.cash < least):
        at.state.insolvent |= {company.sym}


def end_company_turn(at: Table18GB) -> None:
    """Without a train at the end of its turn a company is insolvent, else not (§8.4)."""
    company = at.company
    company.operated = True
    if company.trains:
        at.state.insolvent -= {company.sym}
    else:
        at.state.insolvent |= {company.sym}


def in_emergency(at: Table18GB, company: Company) -> bool:
    """Tell whether a company may convert for want of a train (§13.7)."""
    least = cheapest(at)
    short = least is not None and company.cash < least
    return company.kind == FIVE_SHARE and not company.trains and short


def buy_from_bank(at: Table18GB, train: str) -> None:
    """The company in turn buys a train from the bank (§13.1)."""
    company = at.company
    to_bank(at.state, company, at.kit.roster.card(train).price)
    company.trains += (train,)
    at.operating.bought = True
    leave_bank(at, train)


def buy_by_itself(at: Table18GB) -> None:
    """Insolvent in receivership, after a run that earned something, a company converts if
    it must and buys the dearest train that it can afford (§13.9).

    Nobody is asked about trains then, whether or not it could afford one.
    """
    company = at.company
    insolvent = company.sym in at.state.insolvent
    if not (company.receivership and insolvent and at.operating.revenue) or company.trains:
        return
    close_step(at, TRAINS)
    if in_emergency(at, company):
        convert(at, company.sym, at.kit.conversion_spaces["forced_train_purchase"])
    most = company.cash - at.kit.profile.receivership_keeps_a_pound
    affordable = [
        train
        for train in at.kit.roster.on_sale(at.state)
        if at.kit.roster.card(train).price <= most
    ]
    if affordable:
        buy_from_bank(at, max(affordable, key=lambda train: at.kit.roster.card(train).price))
