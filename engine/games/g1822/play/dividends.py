"""Dividends and what they do to the price (§12)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.money import bank_to_store
from engine.games.g1822.play.state import HAVEN
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.play import shares
from engine.play.actions import Action, Choose, Dividend
from engine.play.bank import from_bank
from engine.play.errors import refuse
from engine.play.market import move
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step

PAYOUT = "payout"
HALF = "half"
WITHHOLD = "withhold"
KINDS = (PAYOUT, HALF, WITHHOLD)


def kept(kind: str, amount: int) -> int:
    """Return what a major keeps of an amount, £ (§12.2).

    Examples
    --------
    >>> kept("half", 110), kept("payout", 110), kept("withhold", 110)
    (50, 0, 110)
    """
    if kind == HALF:
        return amount // 20 * 10
    return amount if kind == WITHHOLD else 0


def permanent_revenue(at: Table1822) -> int:
    """Return what the 2P or LP has earned, £ (§12.5)."""
    return sum(e.revenue for e in at.operating.earned if at.kit.roster.is_extra(e.train))


class DividendStep(CompanyStep[Table1822]):
    """A major pays all, half or nothing; minors pay half by themselves (§12)."""

    name = "dividend"

    def offers(self, at: Table1822) -> bool:
        return at.company.kind == MAJOR and at.operating.revenue > 0

    def takes(self, at: Table1822, action: Action) -> bool:
        mine = action.entity == self.actor(at) and self.offers(at)
        return isinstance(action, Dividend | Choose) and mine

    def _may_separate(self, at: Table1822) -> bool:
        """Whether the 2P or LP may have a dividend of its own (§12.5)."""
        data = at.operating
        return not data.separate and 0 < permanent_revenue(at) < data.revenue

    def options(self, at: Table1822) -> Iterator[Offer]:
        if not self.offers(at):
            return
        for kind in KINDS:
            if self._may_separate(at):
                yield Choose(self.actor(at), kind)
            yield Dividend(self.actor(at), kind)

    def apply(self, at: Table1822, action: Action) -> Action:
        data = at.operating
        if isinstance(action, Choose):
            if not self._may_separate(at) or action.choice not in KINDS:
                message = "no train has a dividend of its own so"
                refuse("CHOICE_UNKNOWN", "choice", message, "1822 §12.5")
            data.separate = str(action.choice)
            return action
        if not isinstance(action, Dividend) or action.kind not in KINDS:
            message = "a major pays out, pays half or withholds"
            refuse("DIVIDEND_KIND_UNKNOWN", "kind", message, "1822 §12.2")
        alone = permanent_revenue(at) if data.separate else 0
        saved = kept(action.kind, data.revenue - alone)
        if data.separate:
            saved += kept(data.separate, alone)
        self._settle(at, saved)
        close_step(at, self.name)
        return action

    def close(self, at: Table1822) -> None:
        """A minor pays half; a major without revenue pays nothing (§12.1, §12.4)."""
        self._settle(at, at.operating.revenue // 2)

    def _settle(self, at: Table1822, saved: int) -> None:
        """Keep £`saved` and the mail, pay the rest, move the price; the trains have run."""
        state, data, company = at.state, at.operating, at.company
        paid, price = data.revenue - saved, at.price(company.sym)
        from_bank(state, company, saved + data.mail)
        self._pay(at, paid)
        if not data.revenue or not paid:
            move(state, at.kit.chart, company.sym, "left")
        elif company.kind != MAJOR:
            move(state, at.kit.chart, company.sym, "right")
        else:
            move(state, at.kit.chart, company.sym, "right", min(paid // price, 2))
        data.used |= frozenset(company.trains)

    def _pay(self, at: Table1822, paid: int) -> None:
        """A minor pays its owner; a major each share but those in the market (§12.1, §12.3)."""
        state, company = at.state, at.company
        if company.kind != MAJOR:
            from_bank(state, at.director(), paid)
            return
        count = 100 // company.unit
        for number in state.order:
            units = shares.units(state, number, company.sym)
            from_bank(state, state.players[number], paid * units // count)
        from_bank(state, company, paid * shares.units(state, company.sym, company.sym) // count)
        in_haven = shares.units(state, HAVEN, company.sym)
        if in_haven:
            bank_to_store(at, at.card(HAVEN), paid * in_haven // count)
