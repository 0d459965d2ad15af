"""The track and token step (§9, §10) and what privates add to it (§4.7 to §4.9)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.board import Stop
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g18gb.play.state import Table18GB
from engine.games.g18gb.play.track import (
    ORDINARY,
    LayTerms,
    lay,
    lay_options,
    reserved_slots,
)
from engine.play.actions import (
    COMPANY,
    Action,
    LayTile,
    Pass,
    PlaceToken,
    private,
)
from engine.play.bank import to_bank
from engine.play.cities import name_of_city, named_city
from engine.play.entities import Company
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, Step, close_step

BUILD = "build"
AF = "AF"
AT_ANY_TIME = ("LS", "GN", "MC")
"""Privates whose abilities the site accepts at any moment of the turn (§4.7, §4.9)."""


def free_slot(at: Table18GB, stop: Stop, kept: frozenset[int]) -> int | None:
    """Return the first slot of a city without token and reservation, or None (FMT §D9.2)."""
    taken = {token.slot for token in stop.tokens}
    return next((n for n in range(stop.slots) if n not in taken | kept), None)


def standing_fault(at: Table18GB, stop: Stop, kept: frozenset[int], sym: str) -> Fault | None:
    """Return why a token of a company cannot stand in a city (§10.1)."""
    if any(token.corporation == sym for token in at.state.layout.tokens_in(stop.hex)):
        message = f"{sym} has a token in {stop.hex}"
        return Fault("TOKEN_TWICE_IN_HEX", "city", message, "18GB §10.1", stop.hex)
    if free_slot(at, stop, kept) is None:
        message = f"{stop.id} has no free slot"
        return Fault("NO_FREE_SLOT", "city", message, "18GB §10.1", stop.hex)
    return None


def token_turn_fault(at: Table18GB) -> Fault | None:
    """Return why no token may be placed in this turn, wherever (§10.1, §10.3)."""
    if at.state.frozen:
        message = "no tokens are placed any more"
        return Fault("TOKENS_FROZEN", "type", message, "18GB §14.3")
    if at.operating.token:
        return Fault("TOKEN_PLACED", "type", "one token a turn", "18GB §10.1")
    return None


def place(at: Table18GB, stop: Stop, kept: frozenset[int], cost: int, sym: str) -> None:
    """Put a token of a company into a city; the company in turn pays."""
    slot = free_slot(at, stop, kept)
    if slot is None or stop.city is None:
        raise ValueError(f"{stop.id} takes no token")
    to_bank(at.state, at.company, cost)
    token = TokenPlacement(stop.hex, stop.city, slot, sym)
    at.state.layout = at.state.layout.with_token(token)
    at.operating.token = True


class BuildStep(CompanyStep[Table18GB]):
    """Two tiles and a token, freely mixed (§8.3)."""

    name = BUILD

    def offers(self, at: Table18GB) -> bool:
        """See §16.3."""
        if at.trackless():
            return False
        data = at.operating
        helper = self._director_has(at, AF, also_open=True)
        if data.tiles < 2:
            return True
        if data.acts and data.acts[-1] == "tile" and "token" in data.acts and not helper:
            return False
        if helper or self._director_has(at, "LS") or self._director_has(at, "TV"):
            return True
        return any(True for _ in self._cities(at))

    def _director_has(self, at: Table18GB, sym: str, also_open: bool = False) -> bool:
        owned = at.state.privates.get(sym)
        if owned is None or owned.owner != at.company.director or owned.used:
            return False
        return owned.closed or also_open

    def takes(self, at: Table18GB, action: Action) -> bool:
        mine = action.entity == self.actor(at) and not at.trackless()
        return mine and isinstance(action, LayTile | PlaceToken | Pass)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        who = self.actor(at)
        if at.trackless():
            return
        if at.operating.tiles < 2:
            for hex_id, tile, rotation in lay_options(at, ORDINARY):
                yield LayTile(who, hex_id, tile, rotation)
        for stop in self._cities(at):
            yield PlaceToken(who, name_of_city(at, stop), free_slot(at, stop, self._kept(at, stop)))
        yield Pass(who)

    def _kept(self, at: Table18GB, stop: Stop) -> frozenset[int]:
        return reserved_slots(at, stop.hex)

    def _cities(self, at: Table18GB) -> Iterator[Stop]:
        """The cities where a token could be placed now (§10.1)."""
        if self._charter_fault(at) is not None or token_turn_fault(at) is not None:
            return
        stops = at.board().stops
        for stop_id in sorted(at.network(at.company.sym).stops):
            stop = stops[stop_id]
            if stop.kind != "city":
                continue
            if standing_fault(at, stop, self._kept(at, stop), at.company.sym) is None:
                yield stop

    def _charter_fault(self, at: Table18GB) -> Fault | None:
        company = at.company
        if not company.tokens:
            message = f"{company.sym} has no token left"
            return Fault("NO_TOKEN_LEFT", "type", message, "18GB §10.2")
        if company.tokens[0] > company.cash:
            message = f"the next token costs £{company.tokens[0]}"
            return Fault("CASH_SHORT", "city", message, "18GB §10.2")
        return None

    def apply(self, at: Table18GB, action: Action) -> Action:
        data = at.operating
        if isinstance(action, LayTile):
            if data.tiles >= 2:
                refuse("TILE_ACTIONS_USED", "type", "two tile actions a turn", "18GB §9.1")
            lay(at, action, ORDINARY)
            data.tiles += 1
            data.acts = (*data.acts, "tile")
        elif isinstance(action, PlaceToken):
            self._token(at, action)
            data.acts = (*data.acts, "token")
        else:
            close_step(at, self.name)
        return action

    def _token(self, at: Table18GB, action: PlaceToken) -> None:
        stop = named_city(at, action.city)
        kept = self._kept(at, stop)
        company: Company = at.company
        refuse_if(
            token_turn_fault(at)
            or self._charter_fault(at)
            or standing_fault(at, stop, kept, company.sym)
        )
        if stop.id not in at.network(company.sym).stops:
            message = f"{company.sym} does not reach {stop.id}"
            at.bench.object(Fault("CITY_NOT_REACHED", "city", message, "18GB §10.1", stop.hex))
        place(at, stop, kept, company.tokens[0], company.sym)
        company.tokens = company.tokens[1:]


def ability_fault(at: Table18GB, sym: str, kind: str) -> Fault | None:
    """Return why the ability of a private is not at hand now (§4.6 to §4.10)."""
    owned = at.state.privates.get(sym)
    if owned is None or kind not in at.kit.abilities[sym]:
        message = f"{sym} has no such ability"
        return Fault("ABILITY_UNKNOWN", "entity", message, "18GB §4")
    if not owned.closed:
        message = f"{sym} is still open"
        return Fault("PRIVATE_OPEN", "entity", message, "18GB §4.3")
    if owned.used:
        message = f"the ability of {sym} has been used"
        return Fault("ABILITY_USED", "entity", message, "18GB §4.7")
    if at.company.director is None or owned.owner != at.company.director:
        message = f"{sym} does not belong to the director of {at.company.sym}"
        return Fault("PRIVATE_NOT_DIRECTORS", "entity", message, "18GB §4.6")
    free = at.kit.profile.specials_at_any_time and sym in AT_ANY_TIME
    if not free and (BUILD in at.operating.done or at.trackless()):
        message = f"{sym} is used in the track and token step"
        return Fault("BUILDING_OVER", "type", message, "18GB §4.7")
    return None


class SpecialTrack(Step[Table18GB]):
    """Lays by AF, LS and TV (§4.7, §4.8)."""

    name = "special track"
    blocks = False

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, LayTile) and action.entity.kind == COMPANY

    def _terms(self, at: Table18GB, sym: str) -> LayTerms:
        ability = at.kit.abilities[sym]["tile_lay"]
        colours = at.kit.guide.atlas.tiles
        tiles = frozenset(t for t in ability["tiles"] if colours[t].colour != "gray")
        return LayTerms(
            hexes=frozenset(ability["hexes"]),
            tiles=tiles if at.kit.profile.special_tiles_limited else None,
            new_track=at.kit.profile.special_lays_need_new_track,
            waived=ability["discount"],
            ordinary=False,
        )

    def _fault(self, at: Table18GB, sym: str) -> Fault | None:
        fault = ability_fault(at, sym, "tile_lay")
        if fault is None and self._is_action(at, sym) and at.operating.tiles >= 2:
            return Fault("TILE_ACTIONS_USED", "type", "two tile actions a turn", "18GB §4.8")
        return fault

    def _is_action(self, at: Table18GB, sym: str) -> bool:
        return bool(at.kit.abilities[sym]["tile_lay"]["uses_normal_tile_action"])

    def options(self, at: Table18GB) -> Iterator[Offer]:
        for sym, abilities in at.kit.abilities.items():
            if "tile_lay" in abilities and self._fault(at, sym) is None:
                for hex_id, tile, rotation in lay_options(at, self._terms(at, sym)):
                    yield LayTile(private(sym), hex_id, tile, rotation)

    def apply(self, at: Table18GB, action: Action) -> Action:
        sym, data = str(action.entity.id), at.operating
        fault = self._fault(at, sym)
        refuse_if(fault)
        if isinstance(action, LayTile):
            lay(at, action, self._terms(at, sym))
        at.state.privates[sym].used = True
        data.tiles += self._is_action(at, sym)
        data.acts = (*data.acts, "special")
        return action
