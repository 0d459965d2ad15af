"""The steps of building: home marker, track, marker, London link (1862 §8.1, §8.3 to §8.6)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.board.board import Stop
from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g1862.play.companies import home_circle, home_hex, home_upgrades
from engine.games.g1862.play.state import Table1862
from engine.games.g1862.play.track import (
    LAYING,
    bare_home,
    lay,
    lay_options,
    layout_after,
)
from engine.games.g1862.stations import is_london, london_hexes
from engine.play.actions import Action, LayTile, Pass, PlaceToken
from engine.play.cities import name_of_city, named_city
from engine.play.errors import refuse, refuse_if
from engine.play.laying import put_down, rotation_fault
from engine.play.layout import Laid
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step
from engine.play.supply import copies_left, split_tile

HOME, TRACK, TOKEN = "home", "track", "token"


class HomeStep(CompanyStep[Table1862]):
    """Place the home marker; upgrade the home hex if that makes room (§8.1)."""

    name = HOME

    def _due(self, at: Table1862) -> bool:
        company = at.company
        if at.state.charters[company.sym].home_placed or at.formed or not company.tokens:
            return False
        if not company.receivership:
            return True
        alone = at.kit.profile.receivership_places_home
        return alone and home_circle(at, company.sym) is not None

    def _upgrade_due(self, at: Table1862) -> bool:
        sym = at.company.sym
        full = self._due(at) and home_circle(at, sym) is None
        return full and any(True for _ in home_upgrades(at, sym))

    def asleep(self, at: Table1862) -> bool:
        """By the rulebook a forced upgrade waits for the track step (D9)."""
        waits = not at.kit.profile.home_before_merge and "merge" not in at.operating.done
        return waits and self._upgrade_due(at)

    def offers(self, at: Table1862) -> bool:
        return self._upgrade_due(at)

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = isinstance(action, LayTile) and action.entity == self.actor(at)
        return mine and not self.asleep(at) and self._upgrade_due(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if self._upgrade_due(at) and not self.asleep(at):
            sym = at.company.sym
            for upgrade in home_upgrades(at, sym):
                yield LayTile(self.actor(at), home_hex(at, sym), upgrade.tile, upgrade.rotation)

    def apply(self, at: Table1862, action: Action) -> Action:
        sym, data = at.company.sym, at.operating
        if not isinstance(action, LayTile) or action.hex != home_hex(at, sym):
            message = f"{sym} has to make room in {home_hex(at, sym)}"
            refuse("HOME_UPGRADE_COMPULSORY", "hex", message, "1862 §8.1")
        named = split_tile(action.tile) or ("", 0)
        laid = at.state.layout.laid.get(action.hex)
        rotations = [
            upgrade.rotation
            for upgrade in home_upgrades(at, sym)
            if upgrade.tile.rpartition("-")[0] == named[0]
        ]
        if not rotations or named[1] not in copies_left(
            at.state, at.kit.guide.atlas, named[0], laid
        ):
            message = f"{action.tile} makes no room for {sym}"
            refuse("HOME_UPGRADE_COMPULSORY", "tile", message, "1862 §8.1", action.hex)
        if action.rotation not in range(6):
            message = f"a rotation is 0 to 5, not {action.rotation}"
            refuse("ROTATION_OUT_OF_RANGE", "rotation", message, "1862 §1.7", action.hex)
        new = Laid(*named, action.rotation)
        if action.rotation not in rotations:
            at.bench.object(rotation_fault(at, action.hex, new, LAYING))
        put_down(at, action.hex, new, layout_after(at, action.hex, new))
        data.tiles, data.track_over = 1, True
        close_step(at, self.name)
        self.close(at)
        return action

    def close(self, at: Table1862) -> None:
        """Place the marker; where there is no circle a foreign marker gives way (§8.1.3)."""
        if not self._due(at):
            return
        state, sym = at.state, at.company.sym
        hex_id = home_hex(at, sym)
        circle = home_circle(at, sym)
        if circle is None:
            there = state.layout.tokens_in(hex_id)
            last = there[-1]
            if at.kit.profile.last_circle_displaced:
                last = max(there, key=lambda token: token.slot)
            circle = last.slot
            state.companies[last.corporation].tokens += (0,)
            left = tuple(token for token in state.layout.tokens if token != last)
            state.layout = state.layout.with_tokens(left)
        state.layout = state.layout.with_token(TokenPlacement(hex_id, 0, circle, sym))
        at.company.tokens = at.company.tokens[1:]
        state.charters[sym].home_placed = True


class TrackStep(CompanyStep[Table1862]):
    """Lay tiles, or add a small station (§8.3, §8.4)."""

    name = TRACK

    def offers(self, at: Table1862) -> bool:
        """See §15.3: no look at the map."""
        return not at.idle() and not at.operating.track_over

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = isinstance(action, LayTile | Pass) and action.entity == self.actor(at)
        return mine and not at.idle()

    def options(self, at: Table1862) -> Iterator[Offer]:
        if not self.offers(at):
            return
        for hex_id, tile, rotation in lay_options(at):
            yield LayTile(self.actor(at), hex_id, tile, rotation)
        if not bare_home(at):
            yield Pass(self.actor(at))

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, LayTile):
            lay(at, action)
            return action
        bare = bare_home(at)
        if bare:
            message = f"{at.company.sym} must lay a tile on {bare}"
            refuse("HOME_TILE_COMPULSORY", "type", message, "1862 §8.1", bare)
        close_step(at, self.name)
        return action


class TokenStep(CompanyStep[Table1862]):
    """Place a marker, or one in London instead of all building (§8.5, §8.6)."""

    name = TOKEN

    def offers(self, at: Table1862) -> bool:
        """See §15.3: a reachable London counts even if it is full, or no marker is left."""
        if at.idle():
            return False
        if at.company.tokens and any(True for _ in self._cities(at)):
            return True
        return self._london_fault(at) is None

    def _cities(self, at: Table1862) -> Iterator[Stop]:
        """The large stations on land where a marker could be placed (§8.6)."""
        stops, london = at.board().stops, london_hexes(at.kit.game)
        for stop_id in sorted(at.network(at.company.sym).stops):
            stop = stops[stop_id]
            if stop.kind == "city" and stop.hex not in london and self._free(at, stop) is None:
                yield stop

    def _free(self, at: Table1862, stop: Stop) -> Fault | None:
        sym = at.company.sym
        if stop.has(sym):
            message = f"{sym} has a marker in {stop.hex}"
            return Fault("TOKEN_TWICE_IN_HEX", "city", message, "1862 §8.6", stop.hex)
        if stop.full():
            message = f"{stop.id} has no free circle"
            return Fault("NO_FREE_SLOT", "city", message, "1862 §8.6", stop.hex)
        return None

    def _london_fault(self, at: Table1862) -> Fault | None:
        """Why the company may not link with London, its circles aside (§8.5)."""
        sym, london = at.company.sym, london_hexes(at.kit.game)
        if at.operating.tiles:
            message = "a tile has been laid in this turn"
            return Fault("LINK_AFTER_TILE", "type", message, "1862 §8.5")
        if any(t.corporation == sym and t.hex in london for t in at.state.layout.tokens):
            return Fault("LONDON_TWICE", "city", f"{sym} has a marker in London", "1862 §8.5")
        stops = at.board().stops
        if not any(is_london(stops[stop]) for stop in at.network(sym).stops):
            return Fault("LONDON_NOT_REACHED", "city", f"{sym} does not reach London", "1862 §8.5")
        return None

    def _london_cities(self, at: Table1862) -> Iterator[Stop]:
        for hex_id in sorted(london_hexes(at.kit.game)):
            stop = at.board().city_at(hex_id, 0)
            if stop is not None:
                yield stop

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = isinstance(action, PlaceToken | Pass) and action.entity == self.actor(at)
        return mine and not at.idle()

    def options(self, at: Table1862) -> Iterator[Offer]:
        if not self.offers(at):
            return
        left = bool(at.company.tokens)
        found = list(self._cities(at)) if left else []
        if left and self._london_fault(at) is None:
            found.extend(stop for stop in self._london_cities(at) if not stop.full())
        for stop in found:
            circle = self._circle(stop)
            yield PlaceToken(self.actor(at), name_of_city(at, stop), circle)
        yield Pass(self.actor(at))

    def _circle(self, stop: Stop) -> int:
        taken = {token.slot for token in stop.tokens}
        return next(slot for slot in range(stop.slots) if slot not in taken)

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, PlaceToken):
            self._place(at, action)
        close_step(at, self.name)
        return action

    def _place(self, at: Table1862, action: PlaceToken) -> None:
        company, layout = at.company, at.state.layout
        stop = named_city(at, action.city)
        fault = None
        if not company.tokens:
            message = f"{company.sym} has no marker left"
            fault = Fault("NO_TOKEN_LEFT", "type", message, "1862 §8.6")
        link = stop.hex in london_hexes(at.kit.game)
        london = self._london_fault(at) if link else None
        reached = london is None or london.code != "LONDON_NOT_REACHED"
        fault = fault or (london if reached else None) or self._free(at, stop)
        refuse_if(fault)
        if not reached and london is not None:
            at.bench.object(london)
        if not link and stop.id not in at.network(company.sym).stops:
            message = f"{company.sym} does not reach {stop.id}"
            at.bench.object(Fault("CITY_NOT_REACHED", "city", message, "1862 §8.6", stop.hex))
        token = TokenPlacement(stop.hex, stop.city or 0, self._circle(stop), company.sym)
        at.state.layout = layout.with_token(token)
        company.tokens = company.tokens[1:]
