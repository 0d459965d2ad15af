"""The pools of a problem: every route that each class may run, ready to be combined."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import EndsSubsidy, GroupBonus, TrainClass
from optimizer.distinct import distinct
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
from optimizer.packing.scope import without_limit
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
                stage.counts["routes"] = stage.counts.get("routes", 0) + len(routes)
            self.complete &= routes.complete
            self.routes[key, alone] = routes
        return self.routes[key, alone]

    def _tails(self, family: Family, alone: bool) -> frozenset[int]:
        """Return the stops where no route need end: they bring nothing, not even a meeting."""
        groups = self.problem.word(GroupBonus)
        if self.problem.words_of(EndsSubsidy):
            return frozenset()
        bonus = {s for word in self.coupling.bonuses for s in word.stops}
        pay = family.cls.pay
        counting = pay.span.counting if pay.span else frozenset()
        excusing = {s for group in family.cls.reach.groups for s in group.unless}
        useful = bonus | set(counting) | set(family.cls.reach.own) | excusing
        if groups is not None:
            useful |= set(groups.letters)
            if not alone:
                useful |= groups.touch
        if not family.cls.reach.through <= family.cls.reach.ends:
            return frozenset()
        return frozenset(s for s in self.stops if not pay.stops[s] and s not in useful)

    def unlimited(self, number: int) -> bool:
        """Tell whether the routes of a class cannot be listed."""
        return without_limit(self._cls(number))

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
        cls = self._cls(route.cls)
        coupling = self.coupling
        base = own_value(self.problem, cls, route) * coupling.weights.revenue
        gains = [self._gain(row, route) for row in range(len(coupling.counts))]
        letters = 0
        touch = np.zeros((0, 1), dtype=np.uint64)
        own = np.zeros(1, dtype=np.int64)
        if coupling.groups is not None:
            ends = (route.stops[0], route.stops[-1])
            letters = int(coupling.groups.letters[ends[0]] | coupling.groups.letters[ends[1]])
            touch = self._touch(route)
            own = coupling.groups.own(np.array([letters]))
        marks = 0
        for leg in route.legs:
            for mark in self.problem.legs[leg].marks:
                marks |= coupling.mark_bits.get(mark, 0)
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

    def _gain(self, row: int, route: NetRoute) -> int:
        coupling = self.coupling
        if row < len(coupling.bonuses):
            word = coupling.bonuses[row]
            amount = word.amount.get(route.cls, 0) * coupling.weights.revenue
            return amount if word.stops <= set(route.stops) else 0
        ends = coupling.ends[row - len(coupling.bonuses)]
        if route.cls not in ends.classes:
            return 0
        both = ends.value[route.stops[0]] + ends.value[route.stops[-1]]
        return both // ends.divisor * coupling.weights.subsidy


def own_value(problem: RoutingProblem, cls: TrainClass, route: NetRoute) -> int:
    """Return what a route pays by itself, in £."""
    pay = cls.pay
    stops = set(route.stops)
    total = sum(pay.stops[s] for s in route.stops)
    total += sum(pay.legs[leg] for leg in route.legs) if pay.legs else 0
    for group in pay.once:
        paid = [pay.stops[s] for s in group & stops]
        total -= sum(paid) - max(paid, default=0)
    if pay.span is not None:
        counting = [s for s in route.stops if s in pay.span.counting]
        if counting:
            a, b = problem.stops[counting[0]].point, problem.stops[counting[-1]].point
            dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
            total += pay.span.rate * (dx + max(0, (dy - dx) // 2))
    return total
