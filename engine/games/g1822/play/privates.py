"""Acquiring privates, and the choice that P8 brings (§16.0 to §16.15)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.money import store_to_company
from engine.games.g1822.play.powers import DISCOUNT, HILLS, TOKEN
from engine.games.g1822.play.state import Card
from engine.games.g1822.play.table import Table1822
from engine.play.actions import (
    AcquireCompany,
    Action,
    Choose,
    Pass,
)
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step


def acquisition_fault(at: Table1822, sym: str) -> Fault | None:
    """Return why the company in turn cannot acquire a private now (§16.0).

    The consent of another player who holds it is given outside the game.
    """
    company, known = at.company, at.state.privates.get(sym)
    card = at.card(sym) if known is not None else None
    if card is None or card.closed or card.owner is None:
        message = f"no player holds a private {sym!r}"
        return Fault("PRIVATE_NOT_HELD", "company", message, "1822 §16.0")
    terms = at.kit.game.certificates[sym].get("acquisition")
    if terms is None or company.kind not in terms["by"]:
        message = f"a {company.kind} cannot acquire {sym}"
        return Fault("PRIVATE_NOT_FOR_KIND", "company", message, "1822 §16.0")
    if not at.phase_reached(terms["from_phase"]):
        message = f"{sym} may be acquired from phase {terms['from_phase']} on"
        return Fault("PHASE_TOO_EARLY", "company", message, "1822 §16.0")
    return None


def give(at: Table1822, card: Card, sym: str) -> None:
    """Give a private to a company: its train, its money, or its ability (§16)."""
    company, grant = at.company_of(sym), at.kit.roster.grants.get(card.sym)
    card.owner = None
    if grant is not None:
        company.trains += (grant.train,)
        card.closed = True
    elif at.kit.abilities(card.sym, "own_treasury"):
        store_to_company(card, company)
        card.closed = True
    else:
        card.company = sym


class AcquireStep(CompanyStep[Table1822]):
    """Acquire privates that players hold, as many as wanted (§16.0)."""

    name = "acquire privates"

    def offers(self, at: Table1822) -> bool:
        return any(acquisition_fault(at, card.sym) is None for card in at.cards())

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, AcquireCompany | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        for card in at.cards():
            if acquisition_fault(at, card.sym) is None:
                yield AcquireCompany(self.actor(at), card.sym)
        yield Pass(self.actor(at))

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, AcquireCompany):
            close_step(at, self.name)
            return action
        fault = acquisition_fault(at, action.company)
        refuse_if(fault)
        give(at, at.card(action.company), at.company.sym)
        return action


class HillsStep(CompanyStep[Table1822]):
    """Who has acquired P8 chooses its side (§16.8)."""

    name = "choose P8"

    def offers(self, at: Table1822) -> bool:
        return at.owns(HILLS) and not at.card(HILLS).choice

    def takes(self, at: Table1822, action: Action) -> bool:
        mine = action.entity == self.actor(at) and self.offers(at)
        return isinstance(action, Choose) and mine

    def options(self, at: Table1822) -> Iterator[Offer]:
        if self.offers(at):
            yield Choose(self.actor(at), TOKEN)
            yield Choose(self.actor(at), DISCOUNT)

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, Choose) or action.choice not in (TOKEN, DISCOUNT):
            message = f"P8 is a {TOKEN} or a {DISCOUNT}"
            refuse("CHOICE_UNKNOWN", "choice", message, "1822 §16.8")
        at.card(HILLS).choice = str(action.choice)
        return action
