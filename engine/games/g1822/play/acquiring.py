"""Majors acquire minors (§14)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.board.board import Stop
from engine.errors import Fault
from engine.games.g1822.play.boxes import corporation_of
from engine.games.g1822.play.housekeeping import london_cities
from engine.games.g1822.play.merging import (
    EXCHANGE,
    MARKERS,
    MONEY,
    REMOVE,
    REPLACE,
    UNITS,
    close_minor,
    free_marker,
    hand_over_goods,
    pay,
    pay_for_box,
    replace_home,
    replace_marker,
    settle_box_14,
)
from engine.games.g1822.play.places import city_of, has_in_city, home_city
from engine.games.g1822.play.state import City, Company1822
from engine.games.g1822.play.table import MAJOR, MINOR, Table1822
from engine.games.g1822.play.trading import certificates, exempt
from engine.play import shares
from engine.play.actions import (
    Action,
    Choose,
    Merge,
    Pass,
    PlaceToken,
)
from engine.play.cities import name_of_city, named_city
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step


def box_card(at: Table1822, minor: str) -> str | None:
    """Return the card of a minor that still lies in a bid box."""
    return next((card for card in at.state.boxes if corporation_of(at, card) == minor), None)


def ways_to_pay(at: Table1822, minor: Company1822) -> Iterator[str]:
    """Yield how the company in turn can pay for a minor (§14.5)."""
    company = at.company
    if box_card(at, minor.sym) is not None:
        if company.cash >= at.kit.setup["minor_from_bid_box_price"]:
            yield MONEY
        return
    if minor.director is None:
        return
    treasury = len(shares.held(at.state, company.sym, company.sym))
    value, price = 2 * at.price(minor.sym), at.price(company.sym)
    for way, units in UNITS.items():
        difference = value - units * price
        payer = company.cash if difference >= 0 else at.player_of(minor.director).cash
        if units <= treasury and abs(difference) <= payer and _may_own(at, minor.director, units):
            yield way


def _may_own(at: Table1822, owner: int, units: int) -> bool:
    """Whether the owner may take two certificates for one (§14.5 c)."""
    room = certificates(at, owner) < at.kit.certificate_limit
    return units < 2 or room or exempt(at, at.company.sym)


def minor_fault(at: Table1822, sym: str) -> Fault | None:
    """Return why the company in turn cannot acquire a minor, connections aside (§14.2).

    The consent of another owner is given outside the game.
    """
    minor = at.state.companies.get(sym)
    if not isinstance(minor, Company1822) or minor.kind != MINOR or minor.removed:
        message = f"{sym!r} is no minor that can be acquired"
        return Fault("MINOR_UNKNOWN", "corporation", message, "1822 §14.2")
    boxed = box_card(at, sym) is not None
    if boxed and not at.flag("can_acquire_minor_bidbox"):
        message = "minors in bid boxes are acquired from phase 5 on"
        return Fault("PHASE_TOO_EARLY", "corporation", message, "1822 §14.2")
    if not boxed and minor.turns < 2:
        message = f"{sym} has not had two operating turns"
        return Fault("MINOR_TOO_YOUNG", "corporation", message, "1822 §14.2")
    if not any(True for _ in ways_to_pay(at, minor)):
        message = f"{at.company.sym} cannot pay for {sym}"
        return Fault("MINOR_NOT_PAYABLE", "corporation", message, "1822 §14.5")
    return None


def minor_cities(at: Table1822, sym: str) -> Sequence[City]:
    """Return the city of a minor, or the cities one of which has to be reached (§14.3)."""
    for token in at.state.layout.tokens:
        if token.corporation == sym:
            return [City(token.hex, token.city)]
    home = home_city(at, sym)
    return [home] if home is not None else [city_of(stop) for stop in london_cities(at)]


def connected(at: Table1822, sym: str) -> bool:
    """Tell whether the company in turn reaches a minor (§14.3)."""
    reached = at.network(at.company.sym).stops
    cities = [at.board().city_at(*city) for city in minor_cities(at, sym)]
    return any(stop is not None and stop.id in reached for stop in cities)


class MinorStep(CompanyStep[Table1822]):
    """Acquire one minor: name it, choose how to pay, choose what becomes of its marker (§14)."""

    name = "acquire minor"

    def offers(self, at: Table1822) -> bool:
        """See §8.3: some minor can be paid for, connected or not."""
        company = at.company
        if company.kind != MAJOR or not company.turns:
            return False
        if at.operating.merging:
            return True
        return any(minor_fault(at, sym) is None for sym in at.state.companies)

    def takes(self, at: Table1822, action: Action) -> bool:
        data = at.operating
        if action.entity != self.actor(at) or at.company.kind != MAJOR:
            return False
        if data.placing:
            return isinstance(action, PlaceToken)
        if data.merging:
            return isinstance(action, Choose)
        return isinstance(action, Merge | Pass)

    def options(self, at: Table1822) -> Iterator[Offer]:
        data, who = at.operating, self.actor(at)
        if data.placing:
            for stop in london_cities(at):
                if (self._place_fault(at, stop) or self._far_fault(at, stop)) is None:
                    yield PlaceToken(who, name_of_city(at, stop))
        elif data.merging:
            for choice in self._choices(at):
                yield Choose(who, choice)
        else:
            if self.offers(at):
                for sym in at.state.companies:
                    if minor_fault(at, sym) is None and connected(at, sym):
                        yield Merge(who, sym)
            yield Pass(who)

    def _choices(self, at: Table1822) -> tuple[str, ...]:
        data = at.operating
        if not data.payment:
            return tuple(ways_to_pay(at, at.company_of(data.merging)))
        if not at.company.exchange:
            return (REMOVE,)
        return (REPLACE, EXCHANGE) if self._replaceable(at, data.merging, True) else (EXCHANGE,)

    def _replaceable(self, at: Table1822, minor: str, connected_only: bool) -> bool:
        """Whether a marker for minor 14 out of a box could be paid and placed (§14.6).

        Parameters
        ----------
        connected_only
            Only cities that the major reaches count.
        """
        if box_card(at, minor) is None or home_city(at, minor) is not None:
            return True
        setup = at.kit.setup
        cost = setup["minor_from_bid_box_price"] + setup["tokens"]["minor_14_home_price"]
        open_city = any(
            self._place_fault(at, stop) is None
            and not (connected_only and self._far_fault(at, stop))
            for stop in london_cities(at)
        )
        return bool(at.company.cash >= cost and open_city)

    def apply(self, at: Table1822, action: Action) -> Action:
        if isinstance(action, Merge):
            return self._merge(at, action)
        if isinstance(action, PlaceToken):
            return self._place(at, action)
        if isinstance(action, Choose):
            return self._choose(at, action)
        close_step(at, self.name)
        return action

    def _merge(self, at: Table1822, action: Merge) -> Action:
        fault, sym = minor_fault(at, action.corporation), action.corporation
        if fault is None and not at.company.turns:
            message = f"{at.company.sym} is on its first turn"
            fault = Fault("MAJOR_TOO_YOUNG", "type", message, "1822 §14.1")
        refuse_if(fault)
        if not connected(at, sym):
            message = f"{at.company.sym} does not reach {sym}"
            at.bench.object(Fault("NOT_CONNECTED", "corporation", message, "1822 §14.3"))
        at.operating.merging = sym
        return action

    def _choose(self, at: Table1822, action: Choose) -> Action:
        data, choice = at.operating, str(action.choice)
        if self._out_of_reach(at, choice):
            message = f"{at.company.sym} reaches no city for a marker in place of minor 14"
            at.bench.object(Fault("NOT_CONNECTED", "choice", message, "1822 §14.6"))
        elif choice not in self._choices(at):
            message = f"the choice is {', '.join(self._choices(at))}"
            refuse("CHOICE_UNKNOWN", "choice", message, "1822 §14.5")
        if choice not in MARKERS:
            data.payment = choice
            return action
        minor = at.company_of(data.merging)
        card = box_card(at, minor.sym)
        if card is not None:
            self._take_from_box(at, minor, card, choice)
        else:
            pay(at, minor, data.payment)
            hand_over_goods(at, minor)
            replace_marker(at, minor, choice)
            close_minor(at, minor)
        if not data.placing:
            self._finish(at)
        return action

    def _out_of_reach(self, at: Table1822, choice: str) -> bool:
        """Whether a marker is chosen for which only cities are open that are not reached."""
        data = at.operating
        asked = choice == REPLACE and bool(data.payment) and at.company.exchange > 0
        open_city = asked and self._replaceable(at, data.merging, False)
        return open_city and choice not in self._choices(at)

    def _take_from_box(self, at: Table1822, minor: Company1822, card: str, choice: str) -> None:
        pay_for_box(at, card)
        if choice == REPLACE and home_city(at, minor.sym) is None:
            at.operating.placing = True
        elif choice == REPLACE:
            replace_home(at, minor)
        else:
            free_marker(at, choice)
        minor.removed = True

    def _place_fault(self, at: Table1822, stop: Stop) -> Fault | None:
        if stop.hex != at.kit.city_14:
            message = f"the marker goes into a city of {at.kit.city_14}"
            return Fault("CITY_NOT_ALLOWED", "city", message, "1822 §14.6", stop.hex)
        if has_in_city(at, city_of(stop), at.company.sym):
            message = f"{at.company.sym} has a marker in {stop.id}"
            return Fault("MARKER_TWICE", "city", message, "1822 §10.1", stop.hex)
        return None

    def _far_fault(self, at: Table1822, stop: Stop) -> Fault | None:
        """Why the city is too far; not asked when a record is loaded (§14.6; FMT §B9)."""
        if stop.id in at.network(at.company.sym).stops:
            return None
        message = f"{at.company.sym} does not reach {stop.id}"
        return Fault("NOT_CONNECTED", "city", message, "1822 §14.6", stop.hex)

    def _place(self, at: Table1822, action: PlaceToken) -> Action:
        stop = named_city(at, action.city)
        fault = self._place_fault(at, stop)
        refuse_if(fault)
        far = self._far_fault(at, stop)
        if far is not None:
            at.bench.object(far)
        settle_box_14(at, city_of(stop))
        self._finish(at)
        return PlaceToken(action.entity, action.city)

    def _finish(self, at: Table1822) -> None:
        data = at.operating
        data.merging = ""
        data.payment = ""
        data.placing = False
        close_step(at, self.name)
