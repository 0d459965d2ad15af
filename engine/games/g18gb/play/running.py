"""Running trains and the dividend (§11, §12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engine.games.g18gb.play.receivership import buy_by_itself
from engine.games.g18gb.play.state import Table18GB
from engine.play import shares
from engine.play.actions import Action, Dividend, RunRoutes
from engine.play.bank import from_bank
from engine.play.errors import refuse
from engine.play.market import move
from engine.play.offers import Offer
from engine.play.runs import check_trains, read_routes, settle_run, written_entry
from engine.play.steps import RUN, CompanyStep, close_step
from engine.routing.run import CompanyState, HexBonus, Position, Route, Train

PAYOUT = "payout"
WITHHOLD = "withhold"


def trains_to_run(at: Table18GB) -> tuple[str, ...]:
    """Return the trains that the company in turn may run (§11.9, §13.6).

    An insolvent company runs the cheapest train on sale, if there is one.
    """
    company = at.company
    if company.sym in at.state.insolvent:
        return at.kit.roster.on_sale(at.state)[:1]
    return tuple(train for train in company.trains if train not in at.operating.ran)


def company_state(at: Table18GB) -> CompanyState:
    """Return the company in turn as referee and optimizer take it."""
    company = at.company
    trains = [Train(train, at.kit.roster.card(train).name) for train in trains_to_run(at)]
    return CompanyState(
        corporation=company.sym,
        trains=tuple(trains),
        kind=company.kind,
        hex_bonuses=tuple(_bonuses(at)),
        receivership=company.receivership,
        insolvent=company.sym in at.state.insolvent,
    )


def _bonuses(at: Table18GB) -> Iterator[HexBonus]:
    """The bonuses of the director's closed privates (§11.5)."""
    director = at.company.director
    for sym, abilities in at.kit.abilities.items():
        bonus, owned = abilities.get("hex_bonus"), at.state.privates[sym]
        if bonus and owned.closed and director is not None and owned.owner == director:
            for hex_id in bonus["hexes"]:
                yield HexBonus(hex_id, bonus["amount"])


def position_now(at: Table18GB) -> Position:
    """Return the position of the company in turn."""
    return Position(at.kit.game, at.board(), company_state(at))


class RunStep(CompanyStep[Table18GB]):
    """Run the trains, or leave them standing (§11)."""

    name = RUN

    def offers(self, at: Table18GB) -> bool:
        """See §16.3: a train to run, or insolvent, and a second node is reachable."""
        company = at.company
        if not trains_to_run(at) and company.sym not in at.state.insolvent:
            return False
        return any(True for _ in self._legs(at))

    def _legs(self, at: Table18GB) -> Iterator[Route]:
        """Every leg from a token of the company, as a route without a train (FMT §D6.6)."""
        own = {stop.id for stop in at.board().token_stops(at.company.sym)}
        for leg in at.legs():
            if leg.a in own or leg.b in own:
                yield Route("", (leg.a, leg.b), (leg.paths,))

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, RunRoutes) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        yield RunRoutes(self.actor(at))
        for route in self._legs(at):
            entry = written_entry(at.board(), route)
            for train in trains_to_run(at):
                yield RunRoutes(self.actor(at), (replace(entry, train=train),))

    def apply(self, at: Table18GB, action: Action) -> Action:
        data = at.operating
        if not isinstance(action, RunRoutes):
            raise TypeError(f"the run step takes no {action.TYPE}")
        check_trains(action, at.company.sym, trains_to_run(at), ("18GB §11.9", "18GB §11.7"))
        classes = {entry.train: "track" for entry in action.routes}
        position = position_now(at)
        read = partial(read_routes, position, action.routes, classes)
        judge = partial(at.kit.rules.judge, position)
        action = settle_run(at.bench, position, action, read, judge, "18GB §11.4")
        data.revenue = sum(entry.revenue or 0 for entry in action.routes)
        if at.company.sym not in at.state.insolvent:
            data.ran |= {entry.train for entry in action.routes}
        close_step(at, self.name)
        return action


class DividendStep(CompanyStep[Table18GB]):
    """Pay out all or withhold all (§12)."""

    name = "dividend"

    def offers(self, at: Table18GB) -> bool:
        return at.operating.revenue > 0 and not at.trackless()

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, Dividend) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        if self.offers(at):
            yield Dividend(self.actor(at), PAYOUT)
            yield Dividend(self.actor(at), WITHHOLD)

    def apply(self, at: Table18GB, action: Action) -> Action:
        if not self.offers(at):
            refuse("DIVIDEND_FORCED", "type", "the company withholds", "18GB §12.1")
        if not isinstance(action, Dividend) or action.kind not in (PAYOUT, WITHHOLD):
            message = "revenue is paid out or withheld"
            refuse("DIVIDEND_KIND_UNKNOWN", "kind", message, "18GB §12.1")
        if action.kind == PAYOUT:
            self._pay_out(at)
        else:
            self._withhold(at)
        close_step(at, self.name)
        return action

    def close(self, at: Table18GB) -> None:
        """Withhold; in receivership buy a train (§12.1, §13.9)."""
        self._withhold(at)
        buy_by_itself(at)

    def _withhold(self, at: Table18GB) -> None:
        from_bank(at.state, at.company, at.operating.revenue)
        move(at.state, at.kit.chart, at.company.sym, "left")

    def _pay_out(self, at: Table18GB) -> None:
        """Pay all holders, then move the marker (§12.2, §12.4)."""
        state, company, revenue = at.state, at.company, at.operating.revenue
        count = 100 // company.unit
        for number in state.order:
            held = shares.units(state, number, company.sym)
            from_bank(state, state.players[number], -(-revenue * held // count))
        unsold = shares.units(state, company.sym, company.sym)
        from_bank(state, company, -(-revenue * unsold // count))
        times = revenue // at.price(company.sym)
        move(state, at.kit.chart, company.sym, "right", min(max(times, 1), 4))
