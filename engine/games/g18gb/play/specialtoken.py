"""Additional tokens by GN and MC (§4.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.board.board import Stop
from engine.errors import Fault
from engine.games.g18gb.play.building import (
    ability_fault,
    free_slot,
    place,
    standing_fault,
    token_turn_fault,
)
from engine.games.g18gb.play.state import OperatingData, Right, Table18GB
from engine.play.actions import COMPANY, Action, PlaceToken, private
from engine.play.cities import name_of_city, named_city
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.steps import Step


class SpecialToken(Step[Table18GB]):
    """Additional tokens by GN and MC (§4.9)."""

    name = "special token"
    blocks = False

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, PlaceToken) and action.entity.kind == COMPANY

    def _cost(self, at: Table18GB, sym: str, stop: Stop) -> int:
        """Free if the hex holds track connected to the company, otherwise £50."""
        ability = at.kit.abilities[sym]["token"]
        joined = stop.hex in at.network(at.company.sym).hexes
        cost: int = ability["price_if_connected" if joined else "price_if_not_connected"]
        return cost

    def _fault(self, at: Table18GB, sym: str, stop: Stop, whose: str) -> Fault | None:
        if stop.hex not in at.kit.abilities[sym]["token"]["hexes"]:
            message = f"{sym} places no token in {stop.hex}"
            return Fault("CITY_NOT_ALLOWED", "city", message, "18GB §4.9", stop.hex)
        fault = token_turn_fault(at) or standing_fault(at, stop, frozenset(), whose)
        cost = self._cost(at, sym, stop)
        if fault is None and cost > at.company.cash:
            message = f"the token costs £{cost}"
            return Fault("CASH_SHORT", "city", message, "18GB §4.9", stop.hex)
        return fault

    def options(self, at: Table18GB) -> Iterator[Offer]:
        for sym, abilities in at.kit.abilities.items():
            if "token" not in abilities or ability_fault(at, sym, "token") is not None:
                continue
            whose = at.company.sym
            for hex_id in abilities["token"]["hexes"]:
                for stop in at.board().stops.values():
                    if stop.hex == hex_id and self._fault(at, sym, stop, whose) is None:
                        slot = free_slot(at, stop, frozenset())
                        yield PlaceToken(private(sym), name_of_city(at, stop), slot, whose)

    def _whose(self, at: Table18GB, action: PlaceToken) -> str:
        """Return whose token is placed (FMT §B5.2).

        It is the one of the company in turn. A record may name another company: the site
        then places a token of that company if it has one unused.
        """
        own = at.company.sym
        if action.tokener in (None, own):
            return own
        other = at.state.companies.get(str(action.tokener))
        if other is None:
            refuse("TOKENER_UNKNOWN", "tokener", f"there is no {action.tokener!r}", "FMT §B5.2")
        message = f"the token is one of {own}, whose turn it is"
        at.bench.object(Fault("TOKENER_NOT_IN_TURN", "tokener", message, "18GB §4.9"))
        return other.sym if other.tokens else own

    def apply(self, at: Table18GB, action: Action) -> Action:
        """Place the token; the action is written with its `tokener`, without which
        18xx.games cannot load it (FMT §B5.2)."""
        sym = str(action.entity.id)
        if not isinstance(action, PlaceToken):
            raise TypeError(f"{sym} does not {action.TYPE}")
        refuse_if(ability_fault(at, sym, "token"))
        stop, whose = named_city(at, action.city), self._whose(at, action)
        refuse_if(self._fault(at, sym, stop, whose))
        if action.tokener is None:
            message = f"the entry lacks its tokener, {whose}: 18xx.games cannot load it"
            at.bench.note(Fault("TOKENER_MISSING", "tokener", message, "FMT §B5.2"))
            action = replace(action, tokener=whose)
        place(at, stop, frozenset(), self._cost(at, sym, stop), whose)
        at.state.early_green |= {Right(whose, stop.hex)}
        at.state.privates[sym].used = True
        data: OperatingData = at.operating
        data.acts = (*data.acts, "special")
        return action
