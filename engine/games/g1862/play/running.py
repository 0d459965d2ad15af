"""Running trains and the dividend (1862 §8.7 to §8.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engine.board.legs import Leg
from engine.errors import Fault
from engine.games.g1862.court import Court
from engine.games.g1862.idle import addable_route
from engine.games.g1862.play.companies import move_price, requeue, scrap
from engine.games.g1862.play.kit import END
from engine.games.g1862.play.state import THIS_ROUND, Table1862
from engine.games.g1862.profile import Profile1862
from engine.games.g1862.rules import Rules1862
from engine.games.g1862.stations import marked
from engine.play import shares
from engine.play.actions import Action, Dividend, RunRoutes
from engine.play.bank import from_bank, to_bank
from engine.play.errors import refuse_if
from engine.play.offers import Offer
from engine.play.runs import check_trains, read_routes, settle_run, written_entry
from engine.play.steps import RUN, CompanyStep, close_step
from engine.routing.run import CompanyState, Position, Route, Run, Train

PAYOUT, WITHHOLD, HUDSON = "payout", "withhold", "hudson"


def train_name(at: Table1862, train: str) -> str:
    """Return a sold train's name with a star for each warranty."""
    fitting = at.state.fittings[train]
    return fitting.name + "*" * fitting.warranties


def has_permit(at: Table1862, train: str) -> bool:
    """Tell whether the company in turn may run trains of this type (§8.7)."""
    kind = at.kit.kind(train, at.state.fittings[train].name)
    permits = at.state.charters[at.company.sym].permits
    return not at.kit.permits or (kind is not None and kind.kind in permits)


def trains_to_run(at: Table1862) -> tuple[str, ...]:
    """Return the trains that have not been with a company whose run is settled (§8.7)."""
    return tuple(train for train in at.company.trains if train not in at.operating.ran)


def company_state(at: Table1862) -> CompanyState:
    """Return the company in turn as referee and optimizer take it."""
    company = at.company
    return CompanyState(
        corporation=company.sym,
        trains=tuple(
            Train(train, train_name(at, train), has_permit(at, train))
            for train in trains_to_run(at)
        ),
        permits=at.state.charters[company.sym].permits,
        receivership=company.receivership,
    )


def position_now(at: Table1862) -> Position:
    """Return the position of the company in turn."""
    return Position(at.kit.game, at.board(), company_state(at))


class RunStep(CompanyStep[Table1862]):
    """Run the trains, or leave them standing (§8.7)."""

    name = RUN

    def offers(self, at: Table1862) -> bool:
        """See §15.3; for mergers into receivership D27."""
        if at.operating.no_run or not any(has_permit(at, train) for train in trains_to_run(at)):
            return False
        board, sym = at.board(), at.company.sym
        own = {stop.id for stop in marked(at.kit.game, board, sym)}
        reached = {s for s in at.network(sym).stops if board.stops[s].kind != "city"} | (
            at.network(sym).stops - {stop.id for stop in board.token_stops(sym)}
        )
        return bool(own) and (bool(reached) or any(True for _ in self._legs(at)))

    def _legs(self, at: Table1862) -> Iterator[Leg]:
        """Every leg from a marker of the company outside London (FMT §D6.6)."""
        own = {stop.id for stop in marked(at.kit.game, at.board(), at.company.sym)}
        for leg in at.legs():
            if leg.a in own or leg.b in own:
                yield leg

    def takes(self, at: Table1862, action: Action) -> bool:
        return isinstance(action, RunRoutes) and action.entity == self.actor(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        """Standing still, each train alone over one leg, and a run of all trains that can,
        as far as the referee admits them."""
        if not self.offers(at):
            return
        position = position_now(at)
        for run in self._runs(at, position):
            yield self._written(at, position, run)

    def _runs(self, at: Table1862, position: Position) -> Iterator[Run]:
        """Legal runs. Where idle trains must run one to which none can be added, and single
        routes of a company with one train only (§10.3 S5, D18)."""
        profile = at.kit.rules.profile
        if not isinstance(profile, Profile1862):
            raise TypeError(f"{profile!r} is no profile of 1862")
        able = [train for train in position.company.trains if train.runnable]
        lenient = Rules1862(at.kit.game, replace(profile, idle_trains=True))
        full = Run()
        if profile.idle_trains:
            yield full
        else:
            full = full_run(lenient, position)
            yield full
            able = able if len(able) == 1 and full.routes else []
        for leg in self._legs(at):
            for train in able:
                run = Run((Route(train.id, (leg.a, leg.b), (leg.paths,)),))
                if lenient.judge(position, run).legal:
                    yield run

    def _written(self, at: Table1862, position: Position, run: Run) -> RunRoutes:
        entries = tuple(written_entry(position.board, route) for route in run.routes)
        return RunRoutes(self.actor(at), entries)

    def apply(self, at: Table1862, action: Action) -> Action:
        if not isinstance(action, RunRoutes):
            raise TypeError(f"the run step takes no {action.TYPE}")
        able = [train for train in trains_to_run(at) if has_permit(at, train)]
        check_trains(action, at.company.sym, able, ("1862 §8.7", "1862 §10.3"))
        classes = {entry.train: None for entry in action.routes}
        position = position_now(at)
        read = partial(read_routes, position, action.routes, classes)
        judge = partial(at.kit.rules.judge, position)
        action = settle_run(at.bench, position, action, read, judge, "1862 §10.4")
        at.operating.revenue = sum(entry.revenue or 0 for entry in action.routes)
        at.operating.subsidy = sum(entry.subsidy or 0 for entry in action.routes)
        close_step(at, self.name)
        self.close(at)
        return action

    def close(self, at: Table1862) -> None:
        """The run is settled: these trains run no more in this round (§8.7)."""
        at.operating.ran |= frozenset(at.company.trains)


def full_run(lenient: Rules1862, position: Position) -> Run:
    """Return a run to which no idle train can be added.

    Parameters
    ----------
    lenient
        The rules, but that trains may stand idle.
    """
    court = Court.open(lenient.profile, position)
    run, grown = Run(), True
    while grown:
        grown = False
        for train in position.company.trains:
            busy = train.id in (route.train for route in run.routes)
            if busy or not court.may_run(train):
                continue

            def legal(route: Route, before: Run = run) -> bool:
                return lenient.judge(position, Run((*before.routes, route))).legal

            route = addable_route(court, train, run, legal)
            if route is not None:
                run, grown = Run((*run.routes, route)), True
    return run


def hudson_sum(at: Table1862) -> int | None:
    """Return what must be added to reach the price, £; None if that is not allowed (§8.8.3)."""
    revenue, price = at.operating.revenue, at.price(at.company.sym)
    if at.kit.new_players or not 10 <= revenue < price:
        return None
    added = -(-(price - revenue) // 10) * 10
    return added if added <= at.company.cash + at.operating.subsidy else None


class DividendStep(CompanyStep[Table1862]):
    """Pay out, withhold, or pay out with money added (§8.8)."""

    name = "dividend"

    def offers(self, at: Table1862) -> bool:
        """See §15.3."""
        return at.operating.revenue > 0 and not at.company.receivership

    def takes(self, at: Table1862, action: Action) -> bool:
        return isinstance(action, Dividend) and action.entity == self.actor(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if self.offers(at):
            yield Dividend(self.actor(at), PAYOUT)
            yield Dividend(self.actor(at), WITHHOLD)
            if hudson_sum(at) is not None:
                yield Dividend(self.actor(at), HUDSON)

    def apply(self, at: Table1862, action: Action) -> Action:
        kind = action.kind if isinstance(action, Dividend) else ""
        fault = self._fault(at, kind)
        refuse_if(fault)
        close_step(at, self.name)
        if kind == WITHHOLD:
            self.close(at)
            return action
        added = (hudson_sum(at) or 0) if kind == HUDSON else 0
        from_bank(at.state, at.company, at.operating.subsidy)
        to_bank(at.state, at.company, added)
        self._pay(at, at.operating.revenue + added)
        return action

    def _fault(self, at: Table1862, kind: str) -> Fault | None:
        if not self.offers(at):
            return Fault("DIVIDEND_FORCED", "type", "the company withholds", "1862 §8.8")
        if kind not in (PAYOUT, WITHHOLD, HUDSON):
            message = "revenue is paid out or withheld"
            return Fault("DIVIDEND_KIND_UNKNOWN", "kind", message, "1862 §8.8")
        if kind == HUDSON and hudson_sum(at) is None:
            message = "nothing can be added to this revenue"
            return Fault("HUDSON_NOT_ALLOWED", "kind", message, "1862 §8.8")
        return None

    def close(self, at: Table1862) -> None:
        """Without a choice everything is withheld (§8.8, §7.5)."""
        from_bank(at.state, at.company, at.operating.subsidy + at.operating.revenue)
        self._pay(at, 0)

    def _pay(self, at: Table1862, paid: int) -> None:
        """Pay the shareholders, move the marker, look at warranties (§8.8, §8.9).

        Of shares in IPO and pool the bank keeps the dividend.
        """
        state, company = at.state, at.company
        for number in state.order:
            held = shares.units(state, number, company.sym)
            from_bank(state, state.players[number], paid // 10 * held)
        from_bank(state, company, paid // 10 * shares.units(state, company.sym, company.sym))
        times = min(paid // at.price(company.sym), 4)
        before = company.cell
        move_price(at, company.sym, "right" if paid else "left", times if paid else 1)
        if company.cell != before:
            if company.cell in at.kit.chart.of_type(END):
                at.come_to_an_end("stock_market", THIS_ROUND)
        elif at.kit.profile.operating_requeues:
            requeue(at, company.sym)
        if company.floated:
            self._wear(at)

    def _wear(self, at: Table1862) -> None:
        """Take a warranty from every train; what should have rusted and has none rusts (§8.9)."""
        state = at.state
        worn: set[str] = set()
        for train in at.company.trains:
            fitting = state.fittings[train]
            if fitting.warranties:
                state.fittings[train] = fitting._replace(warranties=fitting.warranties - 1)
            if not state.fittings[train].warranties and overdue(at, train):
                worn.add(train)
        scrap(at, frozenset(worn))


def overdue(at: Table1862, train: str) -> bool:
    """Tell whether a train is kept from rusting by its warranties only (§11.1)."""
    rusts = at.kit.roster.card(train).rusts_on
    return rusts is not None and at.kit.roster.reached(at.state.phase, rusts)
