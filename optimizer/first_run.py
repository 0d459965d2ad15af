"""A first run in a few milliseconds, before an algorithm builds anything.

Every algorithm begins with it, so that a run is there whenever time runs out:

    routes, value = first_run(task)

gives a legal run that holds the pinned routes, priced by the words, or no
routes and :data:`~optimizer.task.IMPOSSIBLE` if none was found; the caller
keeps it as the best run so far, and tells ``task.progress`` of it. It knows the
words only through :mod:`optimizer.pricing`, and no bound comes from here.

Trains choose one after the other. The routes of a train are grown from its own
tokens at both ends, of all those with equally many legs only the most hopeful
(a beam); of the complete ones the run takes what pays most beside what it holds
already. Where the run pays nothing, routes are tried one by one until one does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    Chains,
    EndsSubsidy,
    MustRun,
    MustVisit,
    PaidOnce,
    Reach,
    VisitBonus,
)
from optimizer.fleet import staff
from optimizer.pricing import price, price_what_runs, with_choice
from optimizer.routes import routes_of
from optimizer.task import IMPOSSIBLE, Task, route_key

WIDTH = 8
"""Partial routes that are grown on, of those with equally many legs."""
TRIED = 5
"""Complete routes of a train that are priced beside the rest of the run."""
SECONDS = 0.006
"""After this time no more trains are given routes, once something pays."""
LAST_SECONDS = 0.012
"""After this time nothing more is tried, even if nothing pays or a train must run."""
FADE = 0.6
"""What a stop one leg further away is worth to a route that could grow there."""


def first_run(task: Task) -> tuple[tuple[NetRoute, ...], int]:
    """Return a legal run with the pinned routes and its weighted value, quickly.

    Returns
    -------
    routes, value
        Of the best run met; ``()`` and :data:`~optimizer.task.IMPOSSIBLE` if
        none was found, as where the pinned routes cannot run together.

    Notes
    -----
    It takes some milliseconds even where the time is up already: `task.stop` is
    looked at between trains, once something pays.
    """
    with task.stages("quick run"):
        return _Quick(task).run()


class _Quick:
    """The run so far, and what is known of the network."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.problem = task.problem
        self.began = time.monotonic()
        self.track = _Track(task.problem)
        self.growers: dict[int, _Grower] = {}
        self.routes: tuple[NetRoute, ...] = tuple(task.pinned)
        self.value = self.worth(self.routes)

    def run(self) -> tuple[tuple[NetRoute, ...], int]:
        if self.task.pinned and self.value == IMPOSSIBLE and not self._rescued():
            return (), IMPOSSIBLE
        for train, classes in self._trains():
            if self.value > 0 and self._late(SECONDS):
                break
            self._give(train, classes)
        if self.value <= 0:
            self._try_all()
        if self.problem.words_of(MustRun) and not self._all_run():
            return (), IMPOSSIBLE
        return self._written()

    def worth(self, routes: Sequence[NetRoute]) -> int:
        """Return the weighted value of a run; IMPOSSIBLE if words forbid it."""
        known = price_what_runs(self.problem, routes)
        return known.value(self.task.weights) if known.legal else IMPOSSIBLE

    def _rescued(self) -> bool:
        """Tell whether more routes could make a run of pinned routes legal (they must meet)."""
        return bool(self.problem.words_of(MustVisit)) or bool(self.problem.words_of(Chains))

    def _late(self, seconds: float) -> bool:
        return time.monotonic() - self.began > seconds or self.task.stop.over()

    def _trains(self) -> list[tuple[str, list[int]]]:
        """Return the free trains, those that reach most first, with the classes they may run as."""
        problem = self.problem
        busy = {route.train for route in self.task.pinned}
        found = []
        for number, cls in enumerate(problem.classes):
            after = [a.turns[number] for a in problem.attachments if a.count and number in a.turns]
            size = min((budget.limit for budget in cls.reach.budgets), default=1 << 30)
            found += [
                (-size, number, train, [number, *after])
                for train in cls.trains
                if train not in busy
            ]
        return [(train, classes) for _, _, train, classes in sorted(found)]

    def _give(self, train: str, classes: Sequence[int]) -> None:
        """Give a train the route that makes the run pay most, if one does."""
        others = self.routes
        for cls in classes:
            for route in self._routes(train, cls, others):
                self._take((*others, route))

    def _take(self, routes: tuple[NetRoute, ...]) -> None:
        """Keep a run if it pays more than the best one."""
        value = self.worth(routes)
        if value > self.value:
            self.routes, self.value = routes, value

    def _routes(self, train: str, cls: int, others: Sequence[NetRoute]) -> list[NetRoute]:
        """Return the most hopeful routes of a train beside those of the others."""
        if cls not in self.growers:
            self.growers[cls] = _Grower(self.task, cls, self.track)
        used = self.track.used(self.problem, cls, others)
        paid = self._paid(others)
        grown = self.growers[cls].grow(used, paid, TRIED)
        for word in self.problem.words_of(MustVisit):
            if all(word.stops.isdisjoint(route.stops) for route in others):
                grown = self.growers[cls].grow(used, paid, TRIED, word.stops) + grown
        return [NetRoute(train, cls, stops, legs) for stops, legs in grown]

    def _paid(self, others: Sequence[NetRoute]) -> frozenset[str | None]:
        """Return the names that pay once and are on other routes already."""
        once = self.problem.word(PaidOnce)
        if once is None:
            return frozenset()
        return frozenset(once.payee[stop] for route in others for stop in route.stops)

    def _try_all(self) -> None:
        """Try routes one by one until a run pays: nothing hopeful did."""
        for train, classes in self._trains():
            for cls in classes:
                for plain in routes_of(self.problem, cls, lambda: self._late(LAST_SECONDS)):
                    route = plain.run_by(train, cls)
                    if route_key(route) not in self.task.banned:
                        self._take((*self.task.pinned, route))
                    if self.value > 0 or self._late(LAST_SECONDS):
                        return

    def _all_run(self) -> bool:
        """Add routes until no train that must run stands idle; False if time is too short."""
        while True:
            more = self._addable()
            if more is None:
                # A banned route that could be added makes the run illegal all the same.
                barred = self.task.banned and not price(self.problem, self.routes).legal
                return not barred and not self._late(LAST_SECONDS)
            self.routes = (*self.routes, more)
            self.value = self.worth(self.routes)

    def _addable(self) -> NetRoute | None:
        """Return a route that an idle train could run beside the others (:class:`MustRun`)."""
        running = {route.train for route in self.routes}
        for word in self.problem.words_of(MustRun):
            for cls in sorted(word.classes):
                idle = [t for t in self.problem.classes[cls].trains if t not in running]
                for route in self._options(idle[0], cls) if idle else ():
                    if self.worth((*self.routes, route)) != IMPOSSIBLE:
                        return route
        return None

    def _options(self, train: str, cls: int) -> Iterator[NetRoute]:
        yield from self._routes(train, cls, self.routes)
        for plain in routes_of(self.problem, cls, lambda: self._late(LAST_SECONDS)):
            route = plain.run_by(train, cls)
            if route_key(route) not in self.task.banned:
                yield route

    def _written(self) -> tuple[tuple[NetRoute, ...], int]:
        if self.value == IMPOSSIBLE:
            return (), IMPOSSIBLE
        pinned = {route.train for route in self.task.pinned}
        free = [route for route in self.routes if route.train not in pinned]
        routes = staff(self.problem, free, self.task.pinned)
        if routes is None:
            raise AssertionError("the words allow a run for which there are not enough trains")
        return with_choice(self.problem, routes), self.value


class _Track:
    """Items and claims of the network as bits."""

    def __init__(self, problem: RoutingProblem) -> None:
        number = count()
        places: dict[object, int] = {}
        self.legs = []
        for leg in problem.legs:
            mask = 0
            for item in leg.items:
                if item not in places:
                    places[item] = next(number)
                mask |= 1 << places[item]
            self.legs.append(mask)

    def used(self, problem: RoutingProblem, cls: int, others: Sequence[NetRoute]) -> int:
        """Return the items that trains with the track of a class use already."""
        mine = problem.classes[cls].track
        used = 0
        for route in others:
            if mine is not None and problem.classes[route.cls].track == mine:
                for leg in route.legs:
                    used |= self.legs[leg]
        return used


@dataclass(frozen=True, slots=True)
class _Arc:
    to: int
    leg: int
    items: int
    leave_only: bool
    arrive_only: bool


@dataclass(frozen=True, slots=True)
class _Part:
    """A route that may still grow, at both ends if they are open."""

    stops: tuple[int, ...]
    legs: tuple[int, ...]
    visited: int
    items: int
    worth: float
    spent: tuple[int, ...]
    open: tuple[bool, bool]


class _Grower:
    """Grows the routes of a class from its tokens."""

    def __init__(self, task: Task, cls: int, track: _Track) -> None:
        self.task = task
        self.problem = task.problem
        self.cls = cls
        self.reach: Reach = self.problem.classes[cls].reach
        self.roots = sorted(self.reach.own & self.reach.visits)
        self.arcs = self._arcs(track)
        once = self.problem.word(PaidOnce)
        chains = self.problem.word(Chains)
        self.chained = chains is not None and cls in chains.classes
        self.names: Sequence[str | None] = ()
        pay = list(self.problem.classes[cls].pay.stops)
        if once is not None and (cls in once.choose or self.chained):
            self.names = once.payee
            pay = [0 if name is None else once.amount[name] for name in once.payee]
        self.pay = [amount * task.weights.revenue for amount in pay]
        self.leg_pay = self.problem.classes[cls].pay.legs
        self.hope = self._hope()

    def _arcs(self, track: _Track) -> dict[int, list[_Arc]]:
        arcs: dict[int, list[_Arc]] = {}
        allowed = self.reach.legs
        numbers: Sequence[int] = (
            range(len(self.problem.legs)) if allowed is None else sorted(allowed)
        )
        for number in numbers:
            leg = self.problem.legs[number]
            if leg.a in self.reach.visits and leg.b in self.reach.visits:
                mask = track.legs[number]
                there = _Arc(leg.b, number, mask, leg.end_only_a, leg.end_only_b)
                back = _Arc(leg.a, number, mask, leg.end_only_b, leg.end_only_a)
                arcs.setdefault(leg.a, []).append(there)
                arcs.setdefault(leg.b, []).append(back)
        return arcs

    def _hope(self) -> list[float]:
        """Return what stops promise to a route that ends there: what pays nearby, fading."""
        hope = [float(amount) for amount in self.pay]
        for _ in range(6):
            for stop, arcs in self.arcs.items():
                far = FADE * max((hope[arc.to] for arc in arcs), default=0.0)
                hope[stop] = max(hope[stop], far)
        return hope

    def grow(
        self,
        used: int,
        paid: frozenset[str | None],
        most: int,
        within: frozenset[int] | None = None,
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Return up to `most` complete routes, the most hopeful first.

        Parameters
        ----------
        used, paid
            Items and names that other routes have taken.
        within
            Only the tokens at these stops are roots; None: all.
        """
        roots = self.roots if within is None else [r for r in self.roots if r in within]
        parts = [part for root in roots if (part := self._root(root, paid)) is not None]
        done: list[tuple[float, tuple[int, ...], tuple[int, ...]]] = []
        while parts:
            done += [(-self._rank(p), p.stops, p.legs) for p in parts if self._complete(p)]
            grown: dict[tuple[int, int], tuple[float, _Part]] = {}
            for part in parts:
                for more in self._more(part, used, paid):
                    key = (more.visited, more.items)
                    if key not in grown:
                        grown[key] = (-self._promise(more), more)
            best = sorted(grown.values(), key=lambda entry: (entry[0], entry[1].stops))
            parts = [part for _, part in best[:WIDTH]]
        found = [(stops, legs) for _, stops, legs in sorted(done)[: 2 * most]]
        banned = self.task.banned
        if banned:
            keys = ((f, route_key(NetRoute("", self.cls, *f))) for f in found)
            found = [f for f, key in keys if key not in banned]
        return found[:most]

    def _root(self, root: int, paid: frozenset[str | None]) -> _Part | None:
        spent = tuple(b.stops[root] if b.stops else 0 for b in self.reach.budgets)
        if not self._within(spent):
            return None
        able = root in self.reach.through
        worth = self._pays(root, paid)
        return _Part((root,), (), 1 << root, 0, worth, spent, (able, able))

    def _pays(self, stop: int, paid: frozenset[str | None]) -> float:
        if self.names and self.names[stop] in paid:
            return 0.0
        return float(self.pay[stop])

    def _within(self, spent: Sequence[int]) -> bool:
        return all(s <= b.limit for s, b in zip(spent, self.reach.budgets, strict=True))

    def _more(self, part: _Part, used: int, paid: frozenset[str | None]) -> Iterator[_Part]:
        """Yield the routes with one leg more at one end."""
        lone = len(part.stops) == 1
        for side in (1,) if lone else (0, 1):
            if not lone and not part.open[side]:
                continue
            here = part.stops[-1 if side else 0]
            for arc in self.arcs.get(here, ()):
                if part.visited >> arc.to & 1 or arc.items & (part.items | used):
                    continue
                if arc.leave_only and not lone:
                    continue
                more = self._longer(part, arc, side, paid)
                if more is not None:
                    yield more

    def _longer(
        self, part: _Part, arc: _Arc, side: int, paid: frozenset[str | None]
    ) -> _Part | None:
        budgets = self.reach.budgets
        spent = tuple(
            s + (b.stops[arc.to] if b.stops else 0) + (b.legs[arc.leg] if b.legs else 0)
            for s, b in zip(part.spent, budgets, strict=True)
        )
        if not self._within(spent) or self._excluded(arc.to, part.stops):
            return None
        on = arc.to in self.reach.through and not arc.arrive_only
        worth = part.worth + self._pays(arc.to, paid)
        worth += self.leg_pay[arc.leg] * self.task.weights.revenue if self.leg_pay else 0
        visited, items = part.visited | 1 << arc.to, part.items | arc.items
        if side:
            before = part.open[0] and not (len(part.stops) == 1 and arc.leave_only)
            stops, legs = (*part.stops, arc.to), (*part.legs, arc.leg)
            return _Part(stops, legs, visited, items, worth, spent, (before, on))
        stops, legs = (arc.to, *part.stops), (arc.leg, *part.legs)
        return _Part(stops, legs, visited, items, worth, spent, (on, part.open[1]))

    def _excluded(self, stop: int, stops: Sequence[int]) -> bool:
        return any(
            stop in group.stops and not group.unless and not group.stops.isdisjoint(stops)
            for group in self.reach.groups
        )

    def _promise(self, part: _Part) -> float:
        ends = zip((part.stops[0], part.stops[-1]), part.open, strict=True)
        ahead = sum(0.3 * self.hope[stop] for stop, able in ends if able)
        return (0.0 if self.chained else part.worth) + ahead + 0.1 * self._rank(part)

    def _rank(self, part: _Part) -> float:
        """Return about what a complete route would bring."""
        a, b = part.stops[0], part.stops[-1]
        worth = float(self.pay[a] + self.pay[b]) if self.chained else part.worth
        for bonus in self.problem.words_of(VisitBonus):
            if bonus.stops.issubset(part.stops):
                worth += bonus.amount.get(self.cls, 0) * self.task.weights.revenue
        for ends in self.problem.words_of(EndsSubsidy):
            if self.cls in ends.classes:
                share = (ends.value[a] + ends.value[b]) // ends.divisor
                worth += share * self.task.weights.subsidy
        return worth

    def _complete(self, part: _Part) -> bool:
        reach = self.reach
        return (
            len(part.stops) >= reach.fewest
            and part.stops[0] in reach.ends
            and part.stops[-1] in reach.ends
            and all(
                len(group.stops.intersection(part.stops)) < 2
                or not group.unless.isdisjoint(part.stops)
                for group in reach.groups
            )
        )
