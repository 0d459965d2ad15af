"""Discarding and buying trains, and what an emergency conversion brings (§13)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g18gb.play import trading
from engine.games.g18gb.play.companies import convert
from engine.games.g18gb.play.receivership import (
    TRAINS,
    buy_from_bank,
    cheapest,
    dearest,
    in_emergency,
)
from engine.games.g18gb.play.state import Table18GB
from engine.play import shares
from engine.play.actions import (
    Action,
    BuyShares,
    BuyTrain,
    Convert,
    DiscardTrain,
    Entity,
    Pass,
    corporation,
    player,
)
from engine.play.bank import transfer
from engine.play.depot import change_hands, owner_of
from engine.play.entities import Company
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer, Priced
from engine.play.steps import CompanyStep, Step, close_step


def train_limit(at: Table18GB, company: Company) -> int:
    """Return how many trains a company may own now (§7)."""
    limits: dict[str, int] = at.kit.game.phases[at.state.phase]["train_limit"]
    return limits[company.kind]


class DiscardStep(Step[Table18GB]):
    """Companies over the limit discard, the first in the list of companies first (§13.4)."""

    name = "discard"

    def _crowded(self, at: Table18GB) -> Company | None:
        companies = at.state.companies.values()
        return next((c for c in companies if len(c.trains) > train_limit(at, c)), None)

    def asleep(self, at: Table18GB) -> bool:
        return self._crowded(at) is None

    def actor(self, at: Table18GB) -> Entity | None:
        company = self._crowded(at)
        return None if company is None else corporation(company.sym)

    def offers(self, at: Table18GB) -> bool:
        return True

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, DiscardTrain) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        company = self._crowded(at)
        if company is not None:
            for train in company.trains:
                yield DiscardTrain(corporation(company.sym), train)

    def apply(self, at: Table18GB, action: Action) -> Action:
        company = self._crowded(at)
        if company is None or not isinstance(action, DiscardTrain):
            raise TypeError("nobody has to discard")
        if action.train not in company.trains:
            message = f"{company.sym} has no train {action.train}"
            refuse("TRAIN_NOT_OWNED", "train", message, "18GB §13.4")
        company.trains = tuple(train for train in company.trains if train != action.train)
        return action


class TrainStep(CompanyStep[Table18GB]):
    """Buy trains, convert in an emergency, or stop (§13.1 to §13.3, §13.7)."""

    name = TRAINS

    def offers(self, at: Table18GB) -> bool:
        """See §16.3."""
        company = at.company
        if company.receivership and company.trains:
            return False
        if in_emergency(at, company):
            return True
        others = any(c.trains for c in at.state.companies.values() if c is not company)
        least = 1 if others else cheapest(at)
        room = len(company.trains) < train_limit(at, company)
        return room and least is not None and company.cash >= least

    def takes(self, at: Table18GB, action: Action) -> bool:
        mine = action.entity == self.actor(at)
        return mine and isinstance(action, BuyTrain | Convert | Pass)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        who, company = self.actor(at), at.company
        for train in at.kit.roster.on_sale(at.state):
            card = at.kit.roster.card(train)
            buying = BuyTrain(who, train, card.price, card.name)
            if self._buy_fault(at, buying) is None:
                yield buying
        for other in at.state.companies.values():
            for train in other.trains:
                card = at.kit.roster.card(train)
                prices = range(1, min(2 * card.price, company.cash) + 1)
                buying = BuyTrain(who, train, 1, card.name)
                if prices and self._buy_fault(at, buying) is None:
                    yield Priced(buying, prices)
        if in_emergency(at, company):
            yield Convert(who)
        if self._pass_fault(at) is None:
            yield Pass(who)

    def apply(self, at: Table18GB, action: Action) -> Action:
        company = at.company
        fault: Fault | None = None
        if isinstance(action, BuyTrain):
            fault = self._buy_fault(at, action)
        elif isinstance(action, Convert):
            if not in_emergency(at, company):
                message = "only a trainless 5-share company without the price of a train converts"
                fault = Fault("NO_EMERGENCY", "type", message, "18GB §13.7")
        else:
            fault = self._pass_fault(at)
        refuse_if(fault)
        if isinstance(action, BuyTrain):
            self._buy(at, action)
        elif isinstance(action, Convert):
            convert(at, company.sym, at.kit.conversion_spaces["forced_train_purchase"])
            at.operating.converted = True
        else:
            close_step(at, self.name)
        return action

    def _must_buy(self, at: Table18GB) -> bool:
        """Trainless with the price of the dearest train on sale (§13.3)."""
        most = dearest(at)
        return most is not None and not at.company.trains and at.company.cash >= most

    def _pass_fault(self, at: Table18GB) -> Fault | None:
        if self._must_buy(at):
            message = f"{at.company.sym} has no train and can pay the dearest one"
            return Fault("TRAIN_COMPULSORY", "type", message, "18GB §13.3")
        forced = at.kit.profile.emergency_conversion_forced
        if forced and in_emergency(at, at.company) and not at.company.receivership:
            message = f"{at.company.sym} has no train and must convert"
            return Fault("CONVERSION_COMPULSORY", "type", message, "18GB §13.7")
        return None

    def _buy_fault(self, at: Table18GB, action: BuyTrain) -> Fault | None:
        company = at.company
        if len(company.trains) >= train_limit(at, company):
            message = f"{company.sym} has no room for another train"
            return Fault("TRAIN_LIMIT", "train", message, "18GB §7")
        seller = owner_of(at.state, action.train)
        if seller is None:
            return self._bank_fault(at, action)
        if action.price > company.cash:
            return self._cash_fault(at, action)
        return self._company_fault(at, action, at.state.companies[seller])

    def _cash_fault(self, at: Table18GB, action: BuyTrain) -> Fault:
        message = f"{at.company.sym} has £{at.company.cash}"
        return Fault("CASH_SHORT", "price", message, "18GB §13.1")

    def _bank_fault(self, at: Table18GB, action: BuyTrain) -> Fault | None:
        if action.train not in at.kit.roster.on_sale(at.state):
            message = f"{action.train} is not on sale"
            return Fault("TRAIN_NOT_ON_SALE", "train", message, "18GB §7.3")
        card = at.kit.roster.card(action.train)
        if action.price != card.price:
            message = f"the bank sells {card.name} for £{card.price}"
            return Fault("TRAIN_PRICE_WRONG", "price", message, "18GB §13.1")
        if action.variant not in (None, card.name):
            message = f"{action.train} is a {card.name} train"
            return Fault("TRAIN_VARIANT_WRONG", "variant", message, "18GB §7.1")
        return self._cash_fault(at, action) if card.price > at.company.cash else None

    def _company_fault(self, at: Table18GB, action: BuyTrain, seller: Company) -> Fault | None:
        """Trains of other companies (§13.2)."""
        company = at.company
        if seller is company or seller.receivership or company.receivership:
            message = f"{company.sym} cannot buy from {seller.sym}"
            return Fault("SELLER_NOT_ALLOWED", "train", message, "18GB §13.2")
        if at.operating.converted and self._must_buy(at):
            message = "after the conversion a new train must be bought"
            return Fault("NEW_TRAIN_COMPULSORY", "train", message, "18GB §13.7")
        if company.trains and len(seller.trains) == 1:
            message = f"{action.train} is the last train of {seller.sym}"
            return Fault("LAST_TRAIN", "train", message, "18GB §13.2")
        most = 2 * at.kit.roster.card(action.train).price
        if not 1 <= action.price <= most:
            message = f"the price is £1 to £{most}"
            return Fault("TRAIN_PRICE_WRONG", "price", message, "18GB §13.2")
        return None

    def _buy(self, at: Table18GB, action: BuyTrain) -> None:
        company, seller = at.company, owner_of(at.state, action.train)
        if seller is None:
            buy_from_bank(at, action.train)
            return
        other = at.state.companies[seller]
        transfer(company, other, action.price)
        change_hands(action.train, other, company)


class ShareOffer(Step[Table18GB]):
    """After an emergency conversion the director may buy (§13.8)."""

    name = "share offer"

    def actor(self, at: Table18GB) -> Entity | None:
        director = at.company.director
        return None if director is None else player(director)

    def offers(self, at: Table18GB) -> bool:
        """See §16.3: open while the director could afford some share of any company."""
        director, data = at.company.director, at.operating
        if not data.converted or director is None or data.offered >= self._most(at):
            return False
        if shares.certificates(at.state, director) >= at.kit.certificate_limit:
            return False
        cash = at.state.players[director].cash
        return any(
            at.value(share) <= cash
            for sym, company in at.state.companies.items()
            if company.started
            for share in trading.for_sale(at, sym)
        )

    def _most(self, at: Table18GB) -> int:
        """Two shares where the price is 50 to 65, otherwise one."""
        cell = at.company.cell
        cheap = cell is not None and "multiple_buy" in at.kit.chart.cells[cell].types
        return 2 if cheap else 1

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, BuyShares | Pass) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        who, company = self.actor(at), at.company
        if who is None or not self.offers(at):
            return
        for share in trading.for_sale(at, company.sym):
            percent = company.percents[shares.split(share)[1]]
            buying = BuyShares(who, (share,), percent)
            if self._fault(at, buying) is None:
                yield buying
        yield Pass(who)

    def _fault(self, at: Table18GB, action: BuyShares) -> Fault | None:
        company = at.company
        if len(action.shares) != 1 or shares.split(action.shares[0])[0] != company.sym:
            message = f"one share of {company.sym} is on offer"
            return Fault("SHARE_NOT_OFFERED", "shares", message, "18GB §13.8")
        if company.director is None:
            raise ValueError(f"{company.sym} has no director to offer shares to")
        fault = trading.purchase_fault(at, company.director, action.shares[0])
        return fault or trading.terms_fault(at, action)

    def apply(self, at: Table18GB, action: Action) -> Action:
        if isinstance(action, Pass):
            close_step(at, self.name)
            return action
        director = at.company.director
        if not isinstance(action, BuyShares) or director is None:
            raise TypeError(f"the share offer takes no {action.TYPE}")
        fault = self._fault(at, action)
        refuse_if(fault)
        trading.buy(at, director, action.shares[0])
        at.operating.offered += 1
        return action
