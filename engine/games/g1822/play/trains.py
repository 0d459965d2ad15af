"""Buying and upgrading trains (§13)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.buying import (
    buy_from_bank,
    cheapest,
    has_room,
    must_buy,
    on_sale,
    show,
)
from engine.games.g1822.play.emergency import (
    contribute,
    emergency_sales,
    help_fault,
    helped,
    sell_for_train,
)
from engine.games.g1822.play.state import Company1822
from engine.games.g1822.play.table import Table1822
from engine.play.actions import (
    Action,
    BuyTrain,
    Pass,
    SellShares,
    player,
)
from engine.play.bank import to_bank, transfer
from engine.play.depot import change_hands, owner_of
from engine.play.errors import IllegalActionError, refuse_if
from engine.play.offers import Offer, Priced
from engine.play.steps import CompanyStep, close_step

TRAINS = "trains"


def upgrade_cost(at: Table1822, train: str, side: str) -> int | None:
    """Return what it costs to turn a card to another side, £; None if impossible (§13.4)."""
    found = at.kit.roster.side_named(train, side)
    if found is None or at.kit.roster.side(at.state, train).name == side:
        return None
    return found.upgrade_costs.get(at.state.phase)


class TrainStep(CompanyStep[Table1822]):
    """Buy trains, turn an L into a 2, or stop (§13.2 to §13.8)."""

    name = TRAINS

    def offers(self, at: Table1822) -> bool:
        """See §8.3: a train of any other company counts as an offer of £1 in all phases."""
        company = at.company
        if must_buy(at, company):
            return True
        if any(cost <= company.cash for _, _, cost in self._upgrades(at)):
            return True
        if not has_room(at, company):
            return False
        roster = at.kit.roster
        others = any(
            roster.ordinary(c.trains) for c in at.state.companies.values() if c is not company
        )
        return company.cash >= (1 if others else cheapest(at, company))

    def _upgrades(self, at: Table1822) -> Iterator[tuple[str, str, int]]:
        for train in at.company.trains:
            for side in at.kit.roster.sides[train.rpartition("-")[0]]:
                cost = upgrade_cost(at, train, side.name)
                if cost is not None:
                    yield train, side.name, cost

    def takes(self, at: Table1822, action: Action) -> bool:
        if isinstance(action, SellShares):
            return action.entity == player(at.director().id) and helped(at)
        return isinstance(action, BuyTrain | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        who, company = self.actor(at), at.company
        for offer in on_sale(at, company):
            buying = BuyTrain(who, offer.train, offer.side.price, offer.side.name)
            if self._buy_fault(at, buying) is None:
                yield buying
        for other in at.state.companies.values():
            for train in at.kit.roster.ordinary(other.trains):
                buying = BuyTrain(who, train, 1)
                if self._buy_fault(at, buying) is None:
                    yield Priced(buying, range(1, company.cash + 1))
        for train, side, cost in self._upgrades(at):
            if cost <= company.cash:
                yield BuyTrain(who, train, cost, side, exchange=train)
        if helped(at):
            yield from emergency_sales(at)
        if not must_buy(at, company):
            yield Pass(who)

    def apply(self, at: Table1822, action: Action) -> Action:
        if isinstance(action, SellShares):
            return sell_for_train(at, action)
        if not isinstance(action, BuyTrain):
            if must_buy(at, at.company):
                message = f"{at.company.sym} has no train and must buy one"
                raise IllegalActionError(Fault("TRAIN_COMPULSORY", "type", message, "1822 §13.7"))
            close_step(at, self.name)
            return action
        if action.exchange is not None:
            return self._turn(at, action)
        fault = self._buy_fault(at, action)
        refuse_if(fault)
        return self._buy(at, action)

    def _turn(self, at: Table1822, action: BuyTrain) -> Action:
        """Turn an L into a 2; it can start phase 2 (§13.4)."""
        company, side = at.company, action.variant or ""
        cost = upgrade_cost(at, action.train, side)
        fault: Fault | None = None
        if cost is None or action.train != action.exchange or action.train not in company.trains:
            message = f"{company.sym} has no {action.exchange} that becomes a {side}"
            fault = Fault("TRAIN_NOT_UPGRADABLE", "exchange", message, "1822 §13.4")
        elif action.price != cost:
            message = f"the upgrade costs £{cost}"
            fault = Fault("TRAIN_PRICE_WRONG", "price", message, "1822 §13.4")
        elif cost > company.cash:
            fault = self._cash_fault(at)
        if fault is not None or cost is None:
            raise IllegalActionError(fault or self._cash_fault(at))
        to_bank(at.state, company, cost)
        show(at, action.train, side)
        at.kit.roster.begin(at.state, side)
        return action

    def _buy_fault(self, at: Table1822, action: BuyTrain) -> Fault | None:
        company = at.company
        if not has_room(at, company):
            message = f"{company.sym} has no room for another train"
            return Fault("TRAIN_LIMIT", "train", message, "1822 §13.6")
        seller = owner_of(at.state, action.train)
        if seller is None:
            return self._bank_fault(at, action)
        return self._company_fault(at, action, at.company_of(seller))

    def _cash_fault(self, at: Table1822) -> Fault:
        message = f"{at.company.sym} has £{at.company.cash}"
        return Fault("CASH_SHORT", "price", message, "1822 §13.2")

    def _bank_fault(self, at: Table1822, action: BuyTrain) -> Fault | None:
        company = at.company
        offers = [offer for offer in on_sale(at, company) if offer.train == action.train]
        if not offers:
            message = f"{action.train} is not on sale"
            return Fault("TRAIN_NOT_ON_SALE", "train", message, "1822 §13.2")
        offer = next((o for o in offers if action.variant in (None, o.side.name)), None)
        if offer is None:
            message = f"{action.train} is not sold as {action.variant}"
            return Fault("TRAIN_VARIANT_WRONG", "variant", message, "1822 §13.2")
        if action.price != offer.side.price:
            message = f"the bank sells {offer.side.name} for £{offer.side.price}"
            return Fault("TRAIN_PRICE_WRONG", "price", message, "1822 §13.2")
        if offer.side.price <= company.cash:
            return None
        return help_fault(at, offer.side.price)

    def _company_fault(self, at: Table1822, action: BuyTrain, seller: Company1822) -> Fault | None:
        """Trains of other companies (§13.2, §13.3, §13.8)."""
        company = at.company
        if seller is company or at.kit.roster.is_extra(action.train):
            message = f"{action.train} is not for sale"
            return Fault("TRAIN_NOT_FOR_SALE", "train", message, "1822 §13.3")
        if not at.flag("can_buy_trains"):
            message = "companies do not sell trains before phase 3"
            return Fault("PHASE_TOO_EARLY", "train", message, "1822 §13.2")
        if at.operating.sold:
            message = "after a sale of shares a train of the bank must be bought"
            return Fault("BANK_TRAIN_NEEDED", "train", message, "1822 §13.8")
        shown = at.kit.roster.side(at.state, action.train).name
        if action.variant not in (None, shown):
            message = f"{action.train} is a {shown}"
            return Fault("TRAIN_VARIANT_WRONG", "variant", message, "1822 §13.2")
        if action.price < 1:
            return Fault("TRAIN_PRICE_WRONG", "price", "the least price is £1", "1822 §13.2")
        return self._cash_fault(at) if action.price > company.cash else None

    def _buy(self, at: Table1822, action: BuyTrain) -> Action:
        company, seller = at.company, owner_of(at.state, action.train)
        if seller is not None:
            other = at.state.companies[seller]
            transfer(company, other, action.price)
            change_hands(action.train, other, company)
            return action
        offers = [offer for offer in on_sale(at, company) if offer.train == action.train]
        side = next(o.side for o in offers if action.variant in (None, o.side.name))
        contribute(at, side.price)
        buy_from_bank(at, action.train, side.name)
        return BuyTrain(action.entity, action.train, side.price, side.name)
