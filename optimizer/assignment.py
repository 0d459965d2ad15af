"""CP-SAT alone, over the list of all routes.

Every route of every class is listed by :mod:`optimizer.routes` and gets a
literal; all words become constraints. There are no bounds, nothing is left out
beforehand: slow on large boards, and for that reason a check of everything
that is fast.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    BestBonus,
    Chains,
    EndsSubsidy,
    GroupBonus,
    MustMeet,
    MustRun,
    PaidOnce,
    SomeRoute,
    VisitBonus,
)
from optimizer.modelled import Formulation, Values, slot_classes, solve_formulation
from optimizer.pricing import taken
from optimizer.route_pay import (
    OwnPay,
    all_hold,
    bonuses,
    own_pay,
    paid_with,
    told_by_the_run,
    ways_to_pay,
)
from optimizer.routes import PlainRoute, routes_of
from optimizer.rows import Linear, Rows, Slot
from optimizer.task import Outcome, Task, route_key


def solve_assignment(task: Task) -> Outcome:
    """Solve a problem by CP-SAT over all routes.

    Complexity
    ----------
    Exponential. Fine up to a few thousand routes where few trains compete;
    some problems of 500 routes of 1862 take minutes.
    """
    return solve_formulation(task, Assignment, "cp-sat")


class ListedSlot(Slot):
    """A train, or several of one class, that choose from a list of routes.

    Parameters
    ----------
    count
        How many routes it may run. More than 1 only where no word asks which
        train does what.
    """

    def __init__(
        self,
        rows: Rows,
        cls: int,
        routes: Sequence[PlainRoute],
        count: int,
        pinned: NetRoute | None = None,
    ) -> None:
        super().__init__(cls, pinned)
        self.rows = rows
        self.routes = routes
        self.literals = [rows.literal() for _ in routes]
        self._used = cp_model.LinearExpr.sum(self.literals)
        rows.model.add(self._used <= count)
        if pinned is not None:
            rows.model.add(self._used == 1)
        self._by_stop: dict[int, list[int]] = {}
        self._by_end: dict[tuple[int, int], list[int]] = {}
        for number, route in enumerate(rows.watched(routes)):
            for stop in route.stops:
                self._by_stop.setdefault(stop, []).append(number)
            if route.legs:
                for stop in route.ends():
                    self._by_end.setdefault((stop, route.by(stop)), []).append(number)
            else:
                self._by_end.setdefault((route.stops[0], -1), []).append(number)
        self._known: dict[Hashable, cp_model.IntVar] = {}

    @property
    def used(self) -> Linear:
        """How many routes it runs."""
        return self._used

    def running(self) -> Sequence[Literal]:
        """Return the literals of its routes."""
        return self.literals

    def runs(self) -> Literal:
        """Return a literal: it runs."""
        return self._one_of("runs", range(len(self.routes)))

    def stops(self) -> Collection[int]:
        """Return the stops that its routes visit."""
        return self._by_stop.keys()

    def legs(self) -> Collection[int]:
        """Return the legs that its routes use."""
        return {leg for route in self.routes for leg in route.legs}

    def visits(self, stop: int) -> Literal:
        """Return a literal: the route chosen visits the stop."""
        return self._one_of(("stop", stop), self._by_stop[stop])

    def ends(self) -> Collection[tuple[int, int]]:
        """Return the ends of its routes; leg -1 for a route of one stop."""
        return self._by_end.keys()

    def ends_by(self, stop: int, leg: int) -> Literal:
        """Return a literal: the route chosen ends so."""
        return self._one_of(("by", stop, leg), self._by_end[stop, leg])

    def ends_at(self, stop: int) -> Literal | None:
        """Return a literal: the route chosen ends at the stop."""
        routes = {n for (at, _), found in self._by_end.items() if at == stop for n in found}
        return self._one_of(("end", stop), sorted(routes)) if routes else None

    def touching(self, stops: Collection[int], legs: Collection[int]) -> Sequence[Literal]:
        """Return the literals of the routes that have one of these stops or legs."""
        wanted, tracks = set(stops), set(legs)
        return [
            literal
            for literal, route in zip(self.literals, self.routes, strict=True)
            if not wanted.isdisjoint(route.stops) or not tracks.isdisjoint(route.legs)
        ]

    def _one_of(self, key: Hashable, routes: Sequence[int]) -> cp_model.IntVar:
        if key not in self._known:
            literal = self._known[key] = self.rows.literal()
            chosen = cp_model.LinearExpr.sum([self.literals[n] for n in routes])
            self.rows.model.add(chosen == literal)
        return self._known[key]


class Assignment(Formulation):
    """The model: slots with lists of routes, track and carriages shared between them."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        problem = task.problem
        self.listed: list[ListedSlot] = []
        single = names_trains(problem)
        for cls, capacity in slot_classes(task):
            routes = self._routes_of(cls)
            if single:
                for _ in range(capacity):
                    self._add(cls, routes, 1, None)
            else:
                watched = self.rows.watched(routes)
                again = [route for route in watched if not taken(problem, route.run_by("", cls))]
                self._add(cls, [*routes, *again * (capacity - 1)], capacity, None)
        for pinned in task.pinned:
            plain = PlainRoute(pinned.stops, pinned.legs)
            self._add(pinned.cls, self._ways(pinned.cls, [plain]), 1, pinned)
        self.state_fleet()
        self._track()
        for slot in self.listed:
            self._pays(slot)
        for bonus in problem.words_of(VisitBonus):
            self.best_of(bonus.count, self._bonuses(bonus), task.weights.revenue)
        for best in problem.words_of(BestBonus):
            self.best_of(best.count, self._best_bonuses(best), task.weights.revenue)
        for ends in problem.words_of(EndsSubsidy):
            self.best_of(ends.count, self._end_shares(ends), task.weights.subsidy)
        self.state_words()

    def _routes_of(self, cls: int) -> list[PlainRoute]:
        routes = routes_of(self.task.problem, cls, self.task.stop.over)
        listed = [
            route
            for route in self.rows.watched(routes)
            if route_key(route.run_by("", cls)) not in self.task.banned
        ]
        self.rows.check()
        self.task.stages.count("model", routes=len(listed))
        return self._ways(cls, listed)

    def _ways(self, cls: int, routes: list[PlainRoute]) -> list[PlainRoute]:
        """Return routes as often as there are choices of stops that may be best for the run."""
        problem = self.task.problem
        if not told_by_the_run(problem, cls):
            return routes
        return [
            route._replace(paying=way.paying)
            for route in self.rows.watched(routes)
            for way in ways_to_pay(problem, route.run_by("", cls))
        ]

    def _own(self, route: PlainRoute, cls: int) -> OwnPay:
        """Return what a route pays by itself."""
        net = route.run_by("", cls)
        if route.paying is None:
            return own_pay(self.task.problem, net)
        return OwnPay(*paid_with(self.task.problem, net, route.paying), route.paying)

    def _add(
        self, cls: int, routes: Sequence[PlainRoute], count: int, pinned: NetRoute | None
    ) -> None:
        slot = ListedSlot(self.rows, cls, routes, count, pinned)
        self.listed.append(slot)
        self.slots.append(slot)

    def _choices(self, slot: ListedSlot) -> Iterator[tuple[Literal, PlainRoute]]:
        """Yield each literal of a slot with its route."""
        return self.rows.watched(zip(slot.literals, slot.routes, strict=True))

    def _track(self) -> None:
        """Trains with equal track share no piece of it and no claim."""
        users: dict[tuple[str, Hashable], list[Literal]] = {}
        for slot in self.listed:
            for literal, route in self._choices(slot):
                for what in taken(self.task.problem, route.run_by("", slot.cls)):
                    users.setdefault(what, []).append(literal)
        for literals in users.values():
            self.rows.check()
            if len(literals) > 1:
                self.model.add_at_most_one(literals)

    def _pays(self, slot: ListedSlot) -> None:
        routes = self.rows.watched(slot.routes)
        own = [self._own(route, slot.cls) for route in routes]
        weighted = [self.task.weights.value(one.revenue, one.subsidy) for one in own]
        self.rows.terms.append(cp_model.LinearExpr.weighted_sum(slot.literals, weighted))

    def _bonuses(self, word: VisitBonus) -> dict[int, list[Literal]]:
        gains: dict[int, list[Literal]] = {}
        for slot in self.listed:
            amount = word.amount.get(slot.cls, 0)
            for literal, route in self._choices(slot):
                if word.stops.issubset(route.stops):
                    gains.setdefault(amount, []).append(literal)
        return gains

    def _best_bonuses(self, word: BestBonus) -> dict[int, list[Literal]]:
        gains: dict[int, list[Literal]] = {}
        for slot in self.listed:
            kinds = word.bonuses.get(slot.cls, ())
            for literal, plain in self._choices(slot) if kinds else ():
                route = plain.run_by("", slot.cls)
                paying = self._own(plain, slot.cls).paying
                gains.setdefault(sum(bonuses(kinds, route, paying)), []).append(literal)
        return gains

    def marked(self, slot: Slot, word: SomeRoute) -> Sequence[Literal]:
        """Return the literals of the routes that have what some route must have."""
        assert isinstance(slot, ListedSlot)
        return [
            literal
            for literal, route in self._choices(slot)
            if all_hold(word.tests, route.run_by("", slot.cls), frozenset(route.stops))
        ]

    def _end_shares(self, word: EndsSubsidy) -> dict[int, list[Literal]]:
        gains: dict[int, list[Literal]] = {}
        for slot in self.listed:
            if slot.cls in word.classes:
                for literal, route in self._choices(slot):
                    a, b = route.ends()
                    share = (word.value[a] + word.value[b]) // word.divisor
                    gains.setdefault(share, []).append(literal)
        return gains

    def read(self, values: Values) -> list[tuple[Slot, NetRoute]]:
        """Return the routes that run in a solution; only pinned ones name a train."""
        return [
            (slot, slot.pinned or route.run_by("", slot.cls))
            for slot in self.listed
            for literal, route in zip(slot.literals, slot.routes, strict=True)
            if values.boolean_value(literal)
        ]


def names_trains(problem: RoutingProblem) -> bool:
    """Tell whether some word asks which train does what, so that each needs a slot."""
    words = (PaidOnce, MustMeet, MustRun, Chains, GroupBonus)
    return any(isinstance(word, words) for word in problem.words) or any(
        cls.track is None for cls in problem.classes
    )
