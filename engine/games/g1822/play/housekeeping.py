"""The first turn of a company: minor 14's marker, a first L (§10.3, §13.1)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.board import Stop
from engine.errors import Fault
from engine.games.g1822.play.buying import buy_from_bank, has_room
from engine.games.g1822.play.closing import LOCAL
from engine.games.g1822.play.places import city_of, extra_slot, open_slot, put_token
from engine.games.g1822.play.state import City
from engine.games.g1822.play.table import MINOR, Table1822
from engine.play.actions import (
    Action,
    BuyTrain,
    Pass,
    PlaceToken,
)
from engine.play.bank import to_bank
from engine.play.cities import name_of_city, named_city
from engine.play.errors import IllegalActionError, refuse
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step


def london_cities(at: Table1822) -> Iterator[Stop]:
    """Yield the cities among which minor 14 chooses (§10.3)."""
    for stop in at.board().stops.values():
        if stop.hex == at.kit.city_14 and stop.city is not None:
            yield stop


def settle_in_london(at: Table1822, sym: str, city: City) -> None:
    """Pay for the marker of minor 14 and place it; the city gains a slot (§10.3)."""
    price: int = at.kit.setup["tokens"]["minor_14_home_price"]
    to_bank(at.state, at.company, price)
    at.state.wider |= {city}
    slot = open_slot(at, city, sym)
    put_token(at, city, sym, extra_slot(at, city) if slot is None else slot)


class HomeStep(CompanyStep[Table1822]):
    """Minor 14 chooses a city of London (§10.3)."""

    name = "home"

    def offers(self, at: Table1822) -> bool:
        return at.company.home is None

    def takes(self, at: Table1822, action: Action) -> bool:
        mine = action.entity == self.actor(at) and self.offers(at)
        return isinstance(action, PlaceToken) and mine

    def options(self, at: Table1822) -> Iterator[Offer]:
        if self.offers(at):
            for stop in london_cities(at):
                yield PlaceToken(self.actor(at), name_of_city(at, stop))

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, PlaceToken):
            raise TypeError(f"the home step takes no {action.TYPE}")
        stop = named_city(at, action.city)
        if stop.hex != at.kit.city_14:
            message = f"the home is a city of {at.kit.city_14}"
            refuse("CITY_NOT_ALLOWED", "city", message, "1822 §10.3", stop.hex)
        city = city_of(stop)
        settle_in_london(at, at.company.sym, city)
        at.company.home = city
        close_step(at, self.name)
        return PlaceToken(action.entity, action.city)


class FirstTrainStep(CompanyStep[Table1822]):
    """A minor may buy one L before it lays track (§13.1)."""

    name = "first train"

    def offers(self, at: Table1822) -> bool:
        company, depot = at.company, at.state.depot
        card = at.kit.roster.card(depot[0])
        first = company.kind == MINOR and not company.turns and card.name == LOCAL
        return first and has_room(at, company) and company.cash >= card.price

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, BuyTrain | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        if self.offers(at):
            train = at.state.depot[0]
            price = at.kit.roster.card(train).price
            yield BuyTrain(self.actor(at), train, price, LOCAL)
        yield Pass(self.actor(at))

    def apply(self, at: Table1822, action: Action) -> Action:
        """The id in a record is a placeholder: the depot's first train is bought (FMT §B5.3)."""
        close_step(at, self.name)
        if not isinstance(action, BuyTrain):
            return action
        train = at.state.depot[0]
        card = at.kit.roster.card(train)
        if action.variant not in (None, LOCAL):
            fault = Fault("TRAIN_VARIANT_WRONG", "variant", "it is bought as an L", "1822 §13.1")
            raise IllegalActionError(fault)
        if action.price != card.price:
            message = f"an L costs £{card.price}"
            refuse("TRAIN_PRICE_WRONG", "price", message, "1822 §13.1")
        buy_from_bank(at, train, LOCAL)
        return BuyTrain(action.entity, train, card.price, LOCAL)
