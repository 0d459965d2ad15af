"""Destination and ordinary markers (§10.4 to §10.6)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.board import Stop
from engine.errors import Fault
from engine.games.g1822.play.places import (
    city_of,
    connected_to_destination,
    destination_city,
    has_in_city,
    has_in_hex,
    open_slot,
    place_destination,
    put_token,
)
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.play.actions import (
    COMPANY,
    Action,
    Entity,
    HexToken,
    Pass,
    PlaceToken,
    private,
)
from engine.play.bank import to_bank
from engine.play.cities import name_of_city, named_city
from engine.play.errors import IllegalActionError, refuse, refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, Step, close_step

DESTINATION_STEP = "destination"
MARKER = "marker"
CHANNEL_PRIVATE = "P5"
SWAP_PRIVATE = "P18"


class DestinationStep(CompanyStep[Table1822]):
    """A major linked with its destination places its marker there (§10.4)."""

    name = DESTINATION_STEP

    def offers(self, at: Table1822) -> bool:
        return at.company.kind == MAJOR and not at.company.destined

    def takes(self, at: Table1822, action: Action) -> bool:
        mine = action.entity == self.actor(at) and self.offers(at)
        return isinstance(action, HexToken | Pass) and mine

    def options(self, at: Table1822) -> Iterator[Offer]:
        city = destination_city(at, at.company.sym)
        if not self.offers(at) or city is None:
            return
        if connected_to_destination(at, at.company.sym):
            yield HexToken(self.actor(at), city.hex)
        else:
            yield Pass(self.actor(at))

    def apply(self, at: Table1822, action: Action) -> Action:
        sym = at.company.sym
        linked, city = connected_to_destination(at, sym), destination_city(at, sym)
        close_step(at, self.name)
        if not isinstance(action, HexToken):
            if linked:
                message = f"{sym} is linked with its destination"
                at.bench.object(Fault("MARKER_COMPULSORY", "type", message, "1822 §10.4"))
            return action
        if city is None or action.hex != city.hex:
            message = f"{action.hex} is not the destination of {sym}"
            refuse("DESTINATION_ELSEWHERE", "hex", message, "1822 §1.7", action.hex)
        if not linked:
            message = f"{sym} is not linked with its destination"
            at.bench.object(Fault("NOT_CONNECTED", "hex", message, "1822 §10.4", city.hex))
        place_destination(at, sym)
        return HexToken(action.entity, city.hex)


def marker_fault(at: Table1822, stop: Stop, cost: int) -> Fault | None:
    """Return why the next available marker cannot come into a city, connections aside (§10)."""
    company = at.company
    if not company.tokens:
        message = f"{company.sym} has no available marker"
        return Fault("NO_MARKER_LEFT", "type", message, "1822 §10.5")
    if cost > company.cash:
        return Fault("CASH_SHORT", "city", f"the marker costs £{cost}", "1822 §10.5")
    return standing_fault(at, stop)


def standing_fault(at: Table1822, stop: Stop) -> Fault | None:
    """Return why a marker of the company in turn cannot stand in a city (§10.1, §10.6)."""
    sym, city = at.company.sym, city_of(stop)
    several = stop.hex == at.kit.city_14
    if has_in_city(at, city, sym) or (not several and has_in_hex(at, stop.hex, sym)):
        message = f"{sym} has a marker in {stop.hex}"
        return Fault("MARKER_TWICE", "city", message, "1822 §10.1", stop.hex)
    if open_slot(at, city, sym) is None:
        message = f"{stop.id} has no open slot"
        return Fault("NO_FREE_SLOT", "city", message, "1822 §10.1", stop.hex)
    return None


class MarkerStep(CompanyStep[Table1822]):
    """One ordinary marker a turn; it ends the step (§10.5)."""

    name = MARKER

    def offers(self, at: Table1822) -> bool:
        """See §8.3: London counts as one hex; rights to a marker count reachable or not."""
        company = at.company
        rights = at.owns(CHANNEL_PRIVATE) or at.owns(SWAP_PRIVATE)
        if rights and company.exchange:
            return True
        if not company.tokens:
            return False
        if self._free_channel(at) or at.owns(CHANNEL_PRIVATE):
            return True
        return any(not has_in_hex(at, stop.hex, company.sym) for stop in self._cities(at))

    def _free_channel(self, at: Table1822) -> bool:
        """Whether the company has its free marker for the Channel and none in it yet (§8.3)."""
        company, channel = at.company, at.kit.special.channel
        unused = company.free_channel and channel is not None
        return unused and not has_in_hex(at, str(channel), company.sym)

    def cost(self, at: Table1822, stop: Stop) -> int:
        """Return what the next marker costs in a city, £ (§10.5)."""
        company = at.company
        if company.free_channel and stop.hex == at.kit.special.channel:
            return 0
        return company.tokens[0] if company.tokens else 0

    def _cities(self, at: Table1822) -> Iterator[Stop]:
        """The reached cities into which the next marker can come."""
        if not at.company.tokens:
            return
        stops = at.board().stops
        for stop_id in sorted(at.network(at.company.sym).stops):
            stop = stops[stop_id]
            if stop.kind == "city" and marker_fault(at, stop, self.cost(at, stop)) is None:
                yield stop

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, PlaceToken | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        for stop in self._cities(at):
            slot = open_slot(at, city_of(stop), at.company.sym)
            yield PlaceToken(self.actor(at), name_of_city(at, stop), slot)
        yield Pass(self.actor(at))

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, PlaceToken):
            close_step(at, self.name)
            return action
        stop, company = named_city(at, action.city), at.company
        cost = self.cost(at, stop)
        fault = marker_fault(at, stop, cost)
        refuse_if(fault)
        if stop.id not in at.network(company.sym).stops:
            message = f"{company.sym} does not reach {stop.id}"
            at.bench.object(Fault("CITY_NOT_REACHED", "city", message, "1822 §10.1", stop.hex))
        slot = open_slot(at, city_of(stop), company.sym)
        if slot is None:
            raise ValueError(f"{stop.id} passed the check and has no slot")
        to_bank(at.state, company, cost)
        company.tokens = company.tokens[1:]
        if stop.hex == at.kit.special.channel:
            company.free_channel = False
        put_token(at, city_of(stop), company.sym, slot)
        close_step(at, self.name)
        return PlaceToken(action.entity, action.city, slot)


class ChannelToken(Step[Table1822]):
    """P5 puts an exchange marker into the Channel, beside the marker of the turn (§16.5 a)."""

    name = "channel token"
    blocks = False

    def actor(self, at: Table1822) -> Entity | None:
        return private(CHANNEL_PRIVATE)

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        here = isinstance(action, PlaceToken) and action.entity.kind == COMPANY
        return here and MARKER not in at.state.round.done

    def options(self, at: Table1822) -> Iterator[Offer]:
        if MARKER in at.state.round.done:
            return
        for stop in at.board().stops.values():
            if stop.hex == at.kit.special.channel and self._fault(at, stop) is None:
                sym = at.company.sym
                slot = open_slot(at, city_of(stop), sym)
                yield PlaceToken(private(CHANNEL_PRIVATE), name_of_city(at, stop), slot, sym)

    def _fault(self, at: Table1822, stop: Stop) -> Fault | None:
        if not at.owns(CHANNEL_PRIVATE):
            message = f"{at.company.sym} does not own {CHANNEL_PRIVATE}"
            return Fault("ABILITY_NOT_AT_HAND", "entity", message, "1822 §16.5")
        if stop.hex != at.kit.special.channel:
            message = f"{CHANNEL_PRIVATE} places no marker in {stop.hex}"
            return Fault("CITY_NOT_ALLOWED", "city", message, "1822 §16.5", stop.hex)
        if not at.company.exchange:
            message = f"{at.company.sym} has no exchange marker"
            return Fault("NO_EXCHANGE_MARKER", "type", message, "1822 §16.5")
        return standing_fault(at, stop)

    def apply(self, at: Table1822, action: Action) -> Action:
        if not isinstance(action, PlaceToken) or action.entity.id != CHANNEL_PRIVATE:
            message = f"{action.entity.id} places no marker"
            refuse("ABILITY_UNKNOWN", "entity", message, "1822 §16.5")
        stop = named_city(at, action.city)
        fault = self._fault(at, stop)
        slot = None if fault else open_slot(at, city_of(stop), at.company.sym)
        if fault is not None or slot is None:
            raise IllegalActionError(
                fault or Fault("NO_FREE_SLOT", "city", "no open slot", "1822 §16.5")
            )
        put_token(at, city_of(stop), at.company.sym, slot)
        at.company.exchange -= 1
        card = at.card(CHANNEL_PRIVATE)
        card.closed, card.company = True, ""
        return PlaceToken(action.entity, action.city, slot, at.company.sym)
