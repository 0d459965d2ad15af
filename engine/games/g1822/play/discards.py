"""Companies with too many trains discard (§2.8)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.buying import train_limit
from engine.games.g1822.play.state import Company1822
from engine.games.g1822.play.table import Table1822
from engine.play.actions import Action, DiscardTrain, Entity, corporation
from engine.play.errors import refuse
from engine.play.offers import Offer
from engine.play.steps import Step


def surplus(at: Table1822, company: Company1822) -> tuple[str, ...]:
    """Return the trains of which a company has to discard one; empty if it is within limits."""
    roster = at.kit.roster
    ordinary = roster.ordinary(company.trains)
    extra = [train for train in company.trains if roster.is_extra(train)]
    carriages = tuple(train for train in extra if roster.is_carriage(train))
    permanent = tuple(train for train in extra if not roster.is_carriage(train))
    found: tuple[str, ...] = ()
    if len(ordinary) > train_limit(at, company):
        found += ordinary
    if len(permanent) > 1:
        found += permanent
    if len(carriages) > 1:
        found += carriages
    return found


class DiscardStep(Step[Table1822]):
    """The first company over its limits, in the order of the list, discards a train."""

    name = "discard"

    def _crowded(self, at: Table1822) -> Company1822 | None:
        for sym, company in at.state.companies.items():
            if company.trains and surplus(at, at.company_of(sym)):
                return at.company_of(sym)
        return None

    def asleep(self, at: Table1822) -> bool:
        return self._crowded(at) is None

    def actor(self, at: Table1822) -> Entity | None:
        company = self._crowded(at)
        return None if company is None else corporation(company.sym)

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, DiscardTrain) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        company = self._crowded(at)
        if company is not None:
            for train in surplus(at, company):
                yield DiscardTrain(corporation(company.sym), train)

    def apply(self, at: Table1822, action: Action) -> Action:
        """An ordinary train goes to the bank, an extra one out of the game."""
        company = self._crowded(at)
        if company is None or not isinstance(action, DiscardTrain):
            raise TypeError("nobody has to discard")
        if action.train not in surplus(at, company):
            message = f"{company.sym} cannot discard {action.train}"
            refuse("TRAIN_NOT_SURPLUS", "train", message, "1822 §2.8")
        company.trains = tuple(train for train in company.trains if train != action.train)
        if not at.kit.roster.is_extra(action.train):
            at.state.discarded += (action.train,)
        return action
