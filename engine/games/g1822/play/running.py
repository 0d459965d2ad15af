"""Running trains (§11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial

from engine.games.g1822.play.state import Company1822, Earned
from engine.games.g1822.play.table import MINOR, Table1822
from engine.games.g1822.special import is_express, is_local, track_class
from engine.notation.routes import WrittenLegs
from engine.play import runs
from engine.play.actions import (
    Action,
    Choose,
    RouteEntry,
    RunRoutes,
)
from engine.play.errors import refuse
from engine.play.offers import Offer
from engine.play.runs import check_trains, settle_run, written_entry
from engine.play.steps import RUN, CompanyStep, close_step
from engine.routing.run import CompanyState, Position, Route, Run, TokenRef, Train, Verdict
from engine.titles.trains import TrainKind

CARRIAGE = "P+"


def kind_of(at: Table1822, train: str) -> TrainKind:
    """Return what is printed on the side that a train shows."""
    return at.kit.game.trains[at.kit.roster.side(at.state, train).name]


def trains_to_run(at: Table1822) -> tuple[str, ...]:
    """Return the trains that the company in turn may run (§11.16); a minor cannot use an E."""
    company, data = at.company, at.operating
    return tuple(
        train
        for train in company.trains
        if train not in data.used
        and not at.kit.roster.is_carriage(train)
        and not (company.kind == MINOR and is_express(kind_of(at, train)))
    )


def takers(at: Table1822) -> tuple[str, ...]:
    """Return the trains that may take the P+, in the order in which they came (§11.12, §18.4)."""
    if not any(at.kit.roster.is_carriage(train) for train in at.company.trains):
        return ()
    kinds = {train: kind_of(at, train) for train in trains_to_run(at)}
    return tuple(t for t, kind in kinds.items() if not is_local(kind) and not is_express(kind))


def company_state(at: Table1822) -> CompanyState:
    """Return the company in turn as referee and optimizer take it."""
    company = at.company
    runnable = trains_to_run(at)
    trains = [
        Train(train, at.kit.roster.side(at.state, train).name, train in runnable)
        for train in company.trains
    ]
    contracts = [
        card
        for card in at.cards()
        if card.company == company.sym and at.kit.abilities(card.sym, "mail_contract")
    ]
    home = None if company.home is None else TokenRef(*company.home)
    return CompanyState(
        corporation=company.sym,
        trains=tuple(trains),
        kind=company.kind,
        home=home,
        destination=_destination(at, company),
        mail_contracts=len(contracts),
    )


def _destination(at: Table1822, company: Company1822) -> TokenRef | None:
    for token in at.state.layout.tokens:
        if token.corporation == company.sym and token.kind == "destination":
            return TokenRef(token.hex, token.city)
    return None


def position_now(at: Table1822) -> Position:
    """Return the position of the company in turn."""
    return Position(at.kit.game, at.board(), company_state(at))


def _written_legs(at: Table1822) -> WrittenLegs:
    known = at.state.layout.known
    written: WrittenLegs | None = known.get("written legs")
    if written is None:
        written = known["written legs"] = WrittenLegs(at.board(), at.legs())
    return written


def read_routes(at: Table1822, entries: Sequence[RouteEntry]) -> tuple[Route | None, ...]:
    """Return the routes that a record means, with the P+ attached; None for a void one."""
    classes = {entry.train: track_class(kind_of(at, entry.train)) for entry in entries}
    found = runs.read_routes(position_now(at), entries, classes, _written_legs(at))
    return tuple(route and replace(route, attachment=_with(at, route.train)) for route in found)


def _with(at: Table1822, train: str) -> str:
    """What is attached to a train: the P+ or nothing."""
    return CARRIAGE if train == at.operating.attached else ""


def mail_money(at: Table1822, routes: Sequence[Route | None]) -> int:
    """Return half the values of both ends of the best routes, £ (§11.15)."""
    stops, contracts = at.board().stops, company_state(at).mail_contracts
    worth = [
        (stops[route.stops[0]].value + stops[route.stops[-1]].value) // 2
        for route in routes
        if route is not None and not is_local(kind_of(at, route.train))
    ]
    return sum(sorted(worth, reverse=True)[:contracts])


def _judge(at: Table1822, run: Run) -> Verdict:
    """What the referee says, mail money left out: it does not stand with the routes (§18.3)."""
    verdict = at.kit.rules.judge(position_now(at), run)
    routes = tuple(replace(route, subsidy=0) for route in verdict.routes)
    return replace(verdict, subsidy=0, routes=routes)


class RunStep(CompanyStep[Table1822]):
    """Run the trains, or leave them standing (§11)."""

    name = RUN

    def offers(self, at: Table1822) -> bool:
        """See §8.3: a train to run, and an L or LP or a connection of two stops."""
        trains = trains_to_run(at)
        if not trains:
            return False
        if any(is_local(kind_of(at, train)) for train in trains):
            return True
        own = {stop.id for stop in at.board().token_stops(at.company.sym)}
        if at.network(at.company.sym).stops - own:
            return True
        return any(leg.a in own and leg.b in own for leg in at.legs())

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, RunRoutes | Choose) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        who = self.actor(at)
        if not at.operating.attached:
            for number in range(len(takers(at))):
                yield Choose(who, str(number))
        yield RunRoutes(who)
        for route in self._single_routes(at):
            if self._allowed(at, route):
                yield RunRoutes(who, (written_entry(at.board(), route),))

    def _single_routes(self, at: Table1822) -> Iterator[Route]:
        """Each train alone: standing in an own city, or over one leg."""
        own = at.board().token_stops(at.company.sym)
        names = {stop.id for stop in own}
        for train in trains_to_run(at):
            if is_local(kind_of(at, train)):
                for stop in own:
                    yield Route(train, (stop.id,))
            for leg in at.legs():
                if leg.a in names or leg.b in names:
                    yield Route(train, (leg.a, leg.b), (leg.paths,), attachment=_with(at, train))

    def _allowed(self, at: Table1822, route: Route) -> bool:
        """Whether the referee admits a route as it is read back from its written form."""
        read = read_routes(at, (written_entry(at.board(), route),))[0]
        same = read is not None and set(read.stops) == set(route.stops)
        return same and not _judge(at, Run((route,))).faults

    def apply(self, at: Table1822, action: Action) -> Action:
        if isinstance(action, Choose):
            return self._attach(at, action)
        if not isinstance(action, RunRoutes):
            raise TypeError(f"the run step takes no {action.TYPE}")
        check_trains(action, at.company.sym, trains_to_run(at), ("1822 §11.16", "1822 §11.17"))
        data, position = at.operating, position_now(at)
        read = cache(partial(read_routes, at, action.routes))
        if position.company.mail_contracts:
            data.mail = mail_money(at, read())
        judge = partial(_judge, at)
        action = settle_run(at.bench, position, action, read, judge, "1822 §11.17")
        data.earned = tuple(Earned(entry.train, entry.revenue or 0) for entry in action.routes)
        close_step(at, self.name)
        return action

    def _attach(self, at: Table1822, action: Choose) -> Choose:
        """The P+ goes to a train, named by its place among those that may take it (§18.4)."""
        choice, trains = str(action.choice), takers(at)
        places = [str(place) for place in range(len(trains))]
        if at.operating.attached or choice not in places:
            message = f"no train takes the P+ by the choice {choice!r}"
            refuse("CHOICE_UNKNOWN", "choice", message, "1822 §18.4")
        at.operating.attached = trains[places.index(choice)]
        return Choose(action.entity, choice)
