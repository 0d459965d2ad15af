"""The Tax Haven (§16.16)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.floating import float_if_due, waits_for_full_capital
from engine.games.g1822.play.kit import MANY_HAVENS
from engine.games.g1822.play.money import store_to_bank
from engine.games.g1822.play.state import HAVEN
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.games.g1822.play.trading import free_cash, must_sell
from engine.play import shares
from engine.play.actions import COMPANY, Action, ChooseAbility, Entity, private
from engine.play.bank import from_bank, to_bank
from engine.play.entities import MARKET
from engine.play.errors import refuse_if
from engine.play.offers import Offer
from engine.play.state import Sale
from engine.play.steps import Step

SOURCES = {"ipo": "", "market": MARKET}
"""Where the share comes from, as records say it (FMT §B5.4)."""


class HavenStep(Step[Table1822]):
    """The holder of P16 buys a share for it, instead of a purchase of his own."""

    name = "tax haven"
    blocks = False

    def actor(self, at: Table1822) -> Entity | None:
        return private(HAVEN)

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, ChooseAbility) and action.entity.kind == COMPANY

    def options(self, at: Table1822) -> Iterator[Offer]:
        if self._turn_fault(at, HAVEN) is None:
            for sym in at.state.companies:
                for source in SOURCES:
                    if self._share_fault(at, sym, source) is None:
                        yield ChooseAbility(private(HAVEN), f"{sym}_{source}")

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, ChooseAbility):
            raise TypeError(f"the Tax Haven takes no {action.TYPE}")
        sym, _, source = action.choice.rpartition("_")
        fault = self._turn_fault(at, str(action.entity.id)) or self._share_fault(at, sym, source)
        refuse_if(fault)
        self._buy(at, sym, SOURCES[source] or sym)
        at.stock.haven = True
        at.stock.bought = True
        return action

    def _from_store(self, at: Table1822) -> bool:
        """Whether this purchase is paid with the money on the card."""
        return at.card(HAVEN).uses > 0

    def _turn_fault(self, at: Table1822, sym: str) -> Fault | None:
        data, who = at.stock, at.seat
        owned = at.state.privates.get(HAVEN)
        if sym != HAVEN or owned is None or owned.owner != who:
            message = f"{sym} is no Tax Haven of the player in turn"
            return Fault("PRIVATE_NOT_OWNED", "entity", message, "1822 §16.16")
        if data.bids or data.bought:
            message = "the Tax Haven takes the place of purchase and bids"
            return Fault("ALREADY_ACTED", "type", message, "1822 §5.2")
        if at.player_of(who).debt:
            return Fault("IN_DEBT", "type", "the holder is in debt", "1822 §13.12")
        if must_sell(at, who):
            message = "over the certificate limit: sell first"
            return Fault("MUST_SELL", "type", message, "1822 §5.3")
        if self._from_store(at) and (MANY_HAVENS not in at.kit.options or data.haven):
            message = "the Tax Haven has had its share"
            return Fault("ABILITY_USED", "entity", message, "1822 §16.16")
        return None

    def _share_fault(self, at: Table1822, sym: str, source: str) -> Fault | None:
        state, who = at.state, at.seat
        company = state.companies.get(sym)
        known = company is not None and company.kind == MAJOR and company.started
        if not known or source not in SOURCES:
            message = "the choice is a started major and its ipo or market"
            return Fault("CHOICE_UNKNOWN", "choice", message, "FMT §B5.4")
        if not shares.ordinary(state, SOURCES[source] or sym, sym):
            message = f"there is no share of {sym}"
            return Fault("SHARE_NOT_FOR_SALE", "choice", message, "1822 §16.16")
        if Sale(who, sym) in at.stock.sales:
            message = f"{sym} was sold in this round"
            return Fault("SOLD_THIS_ROUND", "choice", message, "1822 §16.16")
        if shares.held(state, HAVEN, sym):
            message = f"the Tax Haven has a share of {sym}"
            return Fault("SHARE_IN_HAVEN", "choice", message, "1822 §16.16")
        cash = at.card(HAVEN).store if self._from_store(at) else free_cash(at, who)
        if at.price(sym) > cash:
            message = f"the share costs £{at.price(sym)}"
            return Fault("CASH_SHORT", "choice", message, "1822 §16.16")
        return None

    def _buy(self, at: Table1822, sym: str, holder: str) -> None:
        state, company, card = at.state, at.company_of(sym), at.card(HAVEN)
        price = at.price(sym)
        if self._from_store(at):
            store_to_bank(at, card, price)
        else:
            to_bank(state, state.players[at.seat], price)
        paid = at.kit.profile.haven_pays_waiting_company or not waits_for_full_capital(at, company)
        if holder == sym and paid:
            from_bank(state, company, price)
        card.uses += 1
        shares.hand_over(state, shares.ordinary(state, holder, sym)[0], HAVEN)
        float_if_due(at, company)
