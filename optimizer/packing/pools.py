"""The pools of a problem: every route that each class may run, ready to be combined."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import EndsSubsidy, GroupBonus, Has, Of, TrainClass
from optimizer.distinct import distinct
from optimizer.packing.best_of import looks_at
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.enumerate import Enumerator, Routes
from optimizer.packing.network import (
    Family,
    Ints,
    TrackBits,
    Words,
    family_key,
    make_family,
    reachable,
    to_words,
    track_bits,
)
from optimizer.packing.scope import leg_by_leg, without_limit
from optimizer.packing.settle import is_plain, settled
from optimizer.packing.watch import TooWideError
from optimizer.route_pay import own_pay
from optimizer.task import RouteKey, Task, route_key


@dataclass
class ListedRoutes:
    """Routes held one by one (stops and legs); what a pool needs to rebuild them."""

    listed: list[tuple[tuple[int, ...], tuple[int, ...]]]

    def rebuild(self, number: int, train: str, cls: int) -> NetRoute:
        """Return a route in numbers of the problem."""
        return NetRoute(train, cls, *self.listed[number])


@dataclass
class Track:
    """Bits of a track class, and the words of a pool in which they stand."""

    bits: TrackBits
    offset: int
    words: int


class PoolMaker:
    """Makes the pools of a problem, each family once.

    Attributes
    ----------
    words
        Words of track in all pools.
    complete
        False once time ran out in an enumeration: routes are missing.
    """

    def __init__(self, task: Task, coupling: Coupling, classes: Sequence[int]) -> None:
        self.task = task
        self.problem = task.problem
        self.coupling = coupling
        self.classes = list(classes)
        self.legs = {c: reachable(self.problem.legs, self._cls(c).reach) for c in classes}
        pinned = {leg for route in task.pinned for leg in route.legs}
        self.tracks = self._tracks(pinned)
        self.words = sum(track.words for track in self.tracks.values()) or 1
        self.stops = self._stops()
        coupling.stop_words = max(1, -(-len(self.stops) // 64))
        self.routes: dict[Hashable, Routes] = {}
        self.complete = True

    def _cls(self, number: int) -> TrainClass:
        return self.problem.classes[number]

    def _tracks(self, pinned: set[int]) -> dict[str | None, Track]:
        tracks: dict[str | None, Track] = {}
        offset = 0
        for name in dict.fromkeys(self._cls(c).track for c in self.classes):
            mine = [c for c in self.classes if self._cls(c).track == name]
            used = set(pinned).union(*(self.legs[c] for c in mine))
            claims = [claim for c in mine for claim in self._cls(c).claims.values()]
            bits = track_bits(self.problem.legs, used, claims)
            words = max(1, -(-bits.count // 64))
            tracks[name] = Track(bits, offset, words)
            offset += words
        return tracks

    def _stops(self) -> list[int]:
        stops = {s for route in self.task.pinned for s in route.stops}
        for number in self.classes:
            reach = self._cls(number).reach
            stops |= reach.own & reach.visits
            for leg in self.legs[number]:
                stops |= {self.problem.legs[leg].a, self.problem.legs[leg].b}
        return sorted(stops)

    def family_of(self, number: int) -> tuple[Hashable, list[int]]:
        """Return the key of a class's family and the classes in it."""
        key = family_key(self._cls(number))
        return key, [c for c in self.classes if family_key(self._cls(c)) == key]

    def pool(self, number: int, count: int, used: Words, marks: int, alone: bool) -> Pool:
        """Return the pool of a class for `count` trains.

        Parameters
        ----------
        used, marks
            Track and marks that pinned routes take.
        alone
            No other train runs: touching others is of no use.
        """
        routes = self._family_routes(number, alone)
        limits = dict(routes.family.members)[number]
        fits = np.all(routes.costs <= np.array(limits).reshape(-1, 1), axis=0)
        track = self.tracks[self._cls(number).track]
        pool = self.coupling.pool(
            routes, np.flatnonzero(fits), number, count, self.words, track.offset
        )
        if routes.paying is not None:
            pool = _better_choices(pool, routes)
        if self._cls(number).track is None:
            pool.track[:] = 0
        return self._allowed(pool, used, marks)

    def _allowed(self, pool: Pool, used: Words, marks: int) -> Pool:
        fits = np.ones(len(pool), dtype=np.bool_)
        for word, taken in enumerate(used):
            if taken:
                fits &= (pool.track[word] & taken) == 0
        for value in distinct(pool.marks).tolist():
            if not self.coupling.allowed(value | marks):
                fits &= pool.marks != value
        keys = {key for key in self.task.banned if key[0] == pool.cls}
        if keys:
            fits &= self._not_banned(pool, keys)
        return pool if fits.all() else pool.keep(np.flatnonzero(fits))

    def _not_banned(
        self, pool: Pool, keys: set[RouteKey]
    ) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Compare with banned routes those that take the same track."""
        fits = np.ones(len(pool), dtype=np.bool_)
        for key in keys:
            mask = self.track_of(key[0], key[1], key[2])
            same = np.all(pool.track == mask[:, None], axis=0)
            for n in np.flatnonzero(same).tolist():
                route = pool.source.rebuild(int(pool.index[n]), "", pool.cls)
                if route_key(route) == key:
                    fits[n] = False
        return fits

    def _family_routes(self, number: int, alone: bool) -> Routes:
        key, members = self.family_of(number)
        if (key, alone) not in self.routes:
            track = self.tracks[self._cls(number).track]
            with self.task.stages("routes") as stage:
                family = make_family(
                    self.problem, members, track.bits, self.legs[number], self.stops
                )
                grown = Enumerator(self.problem, family, self._tails(family, alone))
                routes = grown.run(self.task.stop)
                if not is_plain(family.cls):
                    routes = settled(self.problem, routes)
                stage.counts["routes"] = stage.counts.get("routes", 0) + len(routes)
            self.complete &= routes.complete
            if not routes.complete and without_limit(family.cls) and not self.task.stop.over():
                raise TooWideError("there are too many routes without a limit")
            self.routes[key, alone] = routes
        return self.routes[key, alone]

    def _tails(self, family: Family, alone: bool) -> frozenset[int]:
        """Return the stops where no route need end: they bring nothing, not even a meeting."""
        reach, pay = family.cls.reach, family.cls.pay
        tests, looked_at = looks_at(self.problem)
        if (
            self.problem.words_of(EndsSubsidy)
            or not reach.through <= reach.ends
            or any(budget.ends for budget in reach.budgets)
            or any(test.of in (Of.ENDS, Of.LEGS) for test in tests)
            or not _shorter_is_no_worse(family.cls)
        ):
            return frozenset()
        counting = pay.span.counting if pay.span else frozenset()
        excusing = {s for group in reach.groups for s in group.unless}
        useful = looked_at | counting | reach.own | excusing | _told(family.cls)
        groups = self.problem.word(GroupBonus)
        if groups is not None:
            useful |= set(groups.letters)
            if not alone:
                useful |= groups.touch
        return frozenset(s for s in self.stops if not pay.stops[s] and s not in useful)

    def unlimited(self, number: int) -> bool:
        """Tell whether the routes of a class are found leg by leg, not listed."""
        cls = self._cls(number)
        return without_limit(cls) and leg_by_leg(self.problem, cls)

    def bits_of(self, number: int, leg: int) -> int:
        """Return the bits of a leg in the words of all pools."""
        track = self.tracks[self._cls(number).track]
        return track.bits.legs[leg] << 64 * track.offset

    def claims_of(self, number: int) -> list[int]:
        """Return the bits of all that routes of a class may claim."""
        cls = self._cls(number)
        track = self.tracks[cls.track]
        return [track.bits.claims[c] << 64 * track.offset for c in cls.claims.values()]

    def claims_at(self, route: NetRoute) -> list[int]:
        """Return the bits of what a route claims."""
        cls = self._cls(route.cls)
        track = self.tracks[cls.track]
        claimed = [cls.claims[stop] for stop in route.stops if stop in cls.claims]
        return [track.bits.claims[c] << 64 * track.offset for c in claimed]

    def as_words(self, bits: int) -> Words:
        """Return bits as words of a pool."""
        return to_words(bits, self.words)

    def track_of(self, number: int, stops: Sequence[int], legs: Sequence[int]) -> Words:
        """Return the words of track that a route of a class takes."""
        cls = self._cls(number)
        words = np.zeros(self.words, dtype=np.uint64)
        if cls.track is None:
            return words
        track = self.tracks[cls.track]
        bits = 0
        for leg in legs:
            bits |= track.bits.legs.get(leg, 0)
        for stop in stops:
            if stop in cls.claims:
                bits |= track.bits.claims[cls.claims[stop]]
        words[track.offset : track.offset + track.words] = to_words(bits, track.words)
        return words

    def routes_pool(self, routes: Sequence[NetRoute], count: int = 1) -> Pool:
        """Return a pool that holds given routes of one class only."""
        parts = [self._alone(route) for route in routes]
        return Pool(
            cls=routes[0].cls,
            count=count,
            source=ListedRoutes([(route.stops, route.legs) for route in routes]),
            index=np.arange(len(routes)),
            **{name: np.concatenate([p[name] for p in parts], axis=-1) for name in parts[0]},
        )

    def _alone(self, route: NetRoute) -> dict[str, Words | Ints]:
        """Return the entries of a route in a pool, by their names there."""
        coupling = self.coupling
        pays = own_pay(self.problem, route)
        base = coupling.weights.value(pays.revenue, pays.subsidy)
        gains = [word.gain(route) for word in coupling.best_of]
        letters = 0
        touch = np.zeros((0, 1), dtype=np.uint64)
        own = np.zeros(1, dtype=np.int64)
        if coupling.groups is not None:
            ends = (route.stops[0], route.stops[-1])
            letters = int(coupling.groups.letters[ends[0]] | coupling.groups.letters[ends[1]])
            touch = self._touch(route)
            own = coupling.groups.own(np.array([letters]))
        marks = coupling.marks_of(route)
        return {
            "base": np.array([base], dtype=np.int64),
            "track": self.track_of(route.cls, route.stops, route.legs).reshape(-1, 1),
            "gains": np.array(gains, dtype=np.int64).reshape(-1, 1),
            "letters": np.array([letters], dtype=np.int64),
            "own": own,
            "touch": touch,
            "marks": np.array([marks], dtype=np.int64),
        }

    def empty_pool(self, number: int, count: int) -> Pool:
        """Return a pool without routes."""
        none = np.zeros(0, dtype=np.int64)
        words = np.zeros((self.words, 0), dtype=np.uint64)
        gains = np.zeros((len(self.coupling.counts), 0), dtype=np.int64)
        source = ListedRoutes([])
        return Pool(number, count, source, none, none, words, gains, none, none, words[:0], none)

    def _touch(self, route: NetRoute) -> Words:
        """Return the stop words of a route, laid out as those of the families."""
        groups = self.coupling.groups
        place = {stop: n for n, stop in enumerate(self.stops)}
        bits = 0
        for stop in route.stops:
            if groups is not None and stop in groups.touch:
                bits |= 1 << place[stop]
        return to_words(bits, self.coupling.stop_words).reshape(-1, 1)


def _better_choices(pool: Pool, routes: Routes) -> Pool:
    """Return a pool without choices that another of the same route outdoes in any run.

    The one that pays most by itself does unless gains of words can make up for it.
    """
    if not len(pool):
        return pool
    state = routes.layer[pool.index].astype(np.int64) << 32 | routes.place[pool.index]
    order = np.lexsort((-pool.gains.sum(axis=0), -pool.base, state))
    first = np.flatnonzero(np.diff(state[order], prepend=-1))
    lead = np.repeat(order[first], np.diff(np.append(first, len(order))))
    more = np.maximum(0, pool.gains[:, order] - pool.gains[:, lead]).sum(axis=0)
    kept = (lead == order) | (pool.base[order] + more > pool.base[lead])
    return pool.keep(np.sort(order[kept]))


def _tests(cls: TrainClass) -> list[Has]:
    """Return all tests at which pay and needs of a class look."""
    found = [test for need in cls.reach.needs for test in (*need.when, *need.then)]
    found += [test for bonus in cls.pay.bonuses for test in bonus.tests]
    found += cls.pay.factor.tests if cls.pay.factor else ()
    return found + [Has(b.of, b.per) for b in cls.pay.bonuses if b.per is not None]


def _shorter_is_no_worse(cls: TrainClass) -> bool:
    """Tell whether a route without a bare end pays as much, its other end being as it was.

    With a choice another stop may have to be paid, which must not lower anything.
    """
    pay = cls.pay
    if any(test.of is Of.ENDS for test in _tests(cls)):
        return False
    return pay.choice is None or (
        min(pay.stops, default=0) >= 0
        and all(bonus.amount >= 0 for bonus in pay.bonuses)
        and all(test.most is None for test in _tests(cls) if test.of is Of.PAID)
    )


def _told(cls: TrainClass) -> set[int]:
    """Return the stops of which it matters whether a route visits them, whatever they pay."""
    found = {n for test in _tests(cls) if test.of is not Of.LEGS for n in test.numbers}
    found |= {stop for stop, brings in enumerate(cls.pay.subsidy) if brings}
    choice = cls.pay.choice
    return found | (choice.first if choice is not None and choice.first else frozenset())
