"""Trains without a limit that are paid at few stops (1822 E trains).

Their routes cannot be listed. But only few of the stops pay, so that a depth
first search ends soon once a bound is attained: what has been visited, all
paying stops still within reach, and one more at which the route would end.
Stops that neither pay nor matter are taken out of the network first.

Kept are the routes that are not *dominated*: a route is, if another earns at
least as much whatever the other trains do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import TrainClass
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.network import TrackBits, to_words
from optimizer.stop import Stop
from optimizer.task import RouteKey, route_key


@dataclass(frozen=True, slots=True)
class Edge:
    """Track between two stops of the reduced network.

    `legs` run from the stop under which the edge is listed to `to`.
    """

    to: int
    legs: tuple[int, ...]
    inner: tuple[int, ...]
    items: int
    marks: int
    leave_only: bool
    arrive_only: bool


@dataclass(frozen=True)
class Listed:
    """A route of the list, with what it may bring."""

    stops: tuple[int, ...]
    legs: tuple[int, ...]
    base: int
    gains: tuple[int, ...]
    marks: int


@dataclass
class ListedRoutes:
    """Routes held one by one; what a pool needs to rebuild them."""

    listed: list[Listed]

    def rebuild(self, number: int, train: str, cls: int) -> NetRoute:
        """Return a route in numbers of the problem."""
        route = self.listed[number]
        return NetRoute(train, cls, route.stops, route.legs)


Edges = dict[int, list[Edge]]


def reduce_network(
    problem: RoutingProblem, cls: TrainClass, coupling: Coupling, legs: Mapping[int, int]
) -> Edges:
    """Return the network without stops that no route of the class needs.

    Parameters
    ----------
    legs
        Bits of each usable leg within a route (track).
    """
    reach = cls.reach
    keep = {s for s in reach.visits if s in reach.ends or cls.pay.stops[s]}
    keep |= {s for group in reach.groups for s in group.stops}
    keep |= {s for bonus in coupling.bonuses for s in bonus.stops}
    edges: Edges = {}
    for number, bits in legs.items():
        leg = problem.legs[number]
        marks = sum(coupling.mark_bits.get(mark, 0) for mark in leg.marks)
        for a, b, leave, arrive in (
            (leg.a, leg.b, leg.end_only_a, leg.end_only_b),
            (leg.b, leg.a, leg.end_only_b, leg.end_only_a),
        ):
            edges.setdefault(a, []).append(Edge(b, (number,), (), bits, marks, leave, arrive))
    usable = {s for s in edges if s in reach.ends or s in reach.through}
    changed = True
    while changed:
        for stop, out in edges.items():
            edges[stop] = _undominated(out)
        changed = _prune(edges, usable, reach.ends) or _contract(edges, usable, keep)
    for out in edges.values():
        out.sort(key=lambda e: (-cls.pay.stops[e.to], len(e.legs), e.to, e.legs))
    return edges


def _prune(edges: Edges, usable: set[int], ends: frozenset[int]) -> bool:
    """Take out stops that no route can pass or end at."""
    gone = [s for s in edges if s not in usable or (s not in ends and len(edges[s]) < 2)]
    for stop in gone:
        for edge in edges.pop(stop):
            if edge.to in edges:
                edges[edge.to] = [back for back in edges[edge.to] if back.to != stop]
        usable.discard(stop)
    passed = False
    for stop, out in edges.items():
        fit = [
            e
            for e in out
            if (stop in ends or not e.leave_only) and (e.to in ends or not e.arrive_only)
        ]
        if len(fit) != len(out):
            edges[stop] = fit
            passed = True
    return bool(gone) or passed


def _contract(edges: Edges, usable: set[int], keep: set[int]) -> bool:
    """Join the two edges of a stop that only passes on."""
    for stop, out in edges.items():
        if stop in keep or len(out) != 2 or stop not in usable:
            continue
        one, two = out
        del edges[stop]
        usable.discard(stop)
        for edge in out:
            edges[edge.to] = [back for back in edges[edge.to] if back.to != stop]
        if one.to != two.to and not one.items & two.items:
            edges[one.to].append(_through(one, two, stop))
            edges[two.to].append(_through(two, one, stop))
        return True
    return False


def _through(one: Edge, two: Edge, stop: int) -> Edge:
    """Return the edge from where `one` comes from, over `stop`, along `two`."""
    return Edge(
        to=two.to,
        legs=one.legs[::-1] + two.legs,
        inner=(*one.inner[::-1], stop, *two.inner),
        items=one.items | two.items,
        marks=one.marks | two.marks,
        leave_only=one.arrive_only,
        arrive_only=two.arrive_only,
    )


def _undominated(out: list[Edge]) -> list[Edge]:
    """Drop edges that use all the track of a parallel one and more."""
    kept: list[Edge] = []
    for edge in sorted(out, key=lambda e: (e.to, e.items.bit_count(), len(e.legs), e.legs)):
        if not any(
            other.to == edge.to
            and other.items & edge.items == other.items
            and other.marks & edge.marks == other.marks
            and other.leave_only <= edge.leave_only
            and other.arrive_only <= edge.arrive_only
            for other in kept
        ):
            kept.append(edge)
    return kept


class UnlimitedSearch:
    """Finds the routes of an unlimited class that are not dominated."""

    def __init__(
        self,
        problem: RoutingProblem,
        number: int,
        coupling: Coupling,
        bits: TrackBits,
        banned: frozenset[RouteKey],
        stop: Stop,
    ) -> None:
        self.problem = problem
        self.number = number
        self.cls = problem.classes[number]
        self.coupling = coupling
        self.bits = bits
        self.banned = banned
        self.stop = stop
        self.edges = reduce_network(problem, self.cls, coupling, bits.legs)
        self.pay = [p * coupling.weights.revenue for p in self.cls.pay.stops]
        self.groups = [
            (sum(1 << s for s in g.stops), sum(1 << s for s in g.unless))
            for g in self.cls.reach.groups
        ]
        self.own = sum(1 << s for s in self.cls.reach.own)
        self.found: list[Listed] = []
        self.states = 0
        self.complete = True

    def run(self) -> Pool:
        """Return the pool of routes that are not dominated."""
        for start in sorted(self.edges):
            if start in self.cls.reach.ends:
                self._grow(start, (start,), (), 1 << start, 0, self.pay[start], 0, False)
        return self._pool()

    def upper(self) -> int:
        """Return a bound on what any route of the class brings, its gains included."""
        total = sum(self.pay[s] for s in self.edges)
        return total + sum(max(self._most_gain(row), 0) for row in range(len(self.coupling.counts)))

    def _most_gain(self, row: int) -> int:
        bonuses = self.coupling.bonuses
        if row < len(bonuses):
            return bonuses[row].amount.get(self.number, 0) * self.coupling.weights.revenue
        ends = self.coupling.ends[row - len(bonuses)]
        highest = max(ends.value, default=0)
        return 2 * highest // ends.divisor * self.coupling.weights.subsidy

    def _grow(
        self,
        start: int,
        stops: tuple[int, ...],
        legs: tuple[int, ...],
        visited: int,
        items: int,
        value: int,
        marks: int,
        ended: bool,
    ) -> None:
        """Look at the route so far and at everything it can grow to."""
        self.states += 1
        if not self.states & 63 and self.stop.over():
            self.complete = False
        here = stops[-1]
        if here in self.cls.reach.ends and len(stops) >= self.cls.reach.fewest and start < here:
            self._list(stops, legs, visited, value, marks)
        if ended or not self.complete:
            return
        if len(stops) > 1 and here not in self.cls.reach.through:
            return
        options = list(self._options(here, visited, items, len(stops) == 1))
        if not options or self._hopeless(start, here, visited, items, value, marks):
            return
        for edge in options:
            bits = sum(1 << s for s in edge.inner) | 1 << edge.to
            self._grow(
                start,
                (*stops, *edge.inner, edge.to),
                legs + edge.legs,
                visited | bits,
                items | edge.items,
                value + self.pay[edge.to],
                marks | edge.marks,
                edge.arrive_only,
            )

    def _options(self, here: int, visited: int, items: int, first: bool) -> Iterator[Edge]:
        for edge in self.edges.get(here, ()):
            if edge.items & items or visited >> edge.to & 1 or (edge.leave_only and not first):
                continue
            if any(visited >> s & 1 for s in edge.inner):
                continue
            if self._excluded(edge.to, visited):
                continue
            yield edge

    def _excluded(self, stop: int, visited: int) -> bool:
        bit = 1 << stop
        return any(bit & group and visited & group and not unless for group, unless in self.groups)

    def _hopeless(
        self, start: int, here: int, visited: int, items: int, value: int, marks: int
    ) -> bool:
        """Tell whether nothing that grows from here can be worth listing."""
        inside, ends = self._flood(here, visited, items)
        most = value + sum(self.pay[s] for s in _bits(inside))
        last = max((self.pay[s] for s in _bits(ends)), default=0)
        seen = visited | inside | ends
        gains = [
            self._hope(row, start, seen, inside | ends) for row in range(len(self.coupling.counts))
        ]
        return self._dominated(most + last, gains, marks)

    def _hope(self, row: int, start: int, seen: int, ahead: int) -> int:
        bonuses = self.coupling.bonuses
        if row < len(bonuses):
            able = all(seen >> s & 1 for s in bonuses[row].stops)
            return self._most_gain(row) if able else 0
        ends = self.coupling.ends[row - len(bonuses)]
        if self.number not in ends.classes:
            return 0
        last = max((ends.value[s] for s in _bits(ahead) if s in self.cls.reach.ends), default=0)
        return (ends.value[start] + last) // ends.divisor * self.coupling.weights.subsidy

    def _flood(self, here: int, visited: int, items: int) -> tuple[int, int]:
        """Return what can still be reached: stops to run through, and stops to end at."""
        inside = ends = 0
        waiting = [here]
        reach = self.cls.reach
        while waiting:
            stop = waiting.pop()
            for edge in self.edges.get(stop, ()):
                bit = 1 << edge.to
                if (visited | inside) & bit or edge.items & items:
                    continue
                if self._excluded(edge.to, visited):
                    continue
                if edge.arrive_only or edge.to not in reach.through:
                    ends |= bit
                else:
                    inside |= bit
                    waiting.append(edge.to)
        return inside, ends & ~inside

    def _list(
        self, stops: tuple[int, ...], legs: tuple[int, ...], visited: int, value: int, marks: int
    ) -> None:
        if not visited & self.own or not self.coupling.allowed(marks):
            return
        for group, unless in self.groups:
            if (visited & group).bit_count() > 1 and not visited & unless:
                return
        gains = [self._earned(row, stops, visited) for row in range(len(self.coupling.counts))]
        if self._dominated(value, gains, marks):
            return
        if self.banned and route_key(NetRoute("", self.number, stops, legs)) in self.banned:
            return
        route = Listed(stops, legs, value, tuple(gains), marks)
        self.found = [old for old in self.found if not _dominates(route, old)]
        self.found.append(route)

    def _earned(self, row: int, stops: tuple[int, ...], visited: int) -> int:
        bonuses = self.coupling.bonuses
        if row < len(bonuses):
            able = all(visited >> s & 1 for s in bonuses[row].stops)
            return self._most_gain(row) if able else 0
        ends = self.coupling.ends[row - len(bonuses)]
        if self.number not in ends.classes:
            return 0
        both = ends.value[stops[0]] + ends.value[stops[-1]]
        return both // ends.divisor * self.coupling.weights.subsidy

    def _dominated(self, value: int, gains: list[int], marks: int) -> bool:
        return any(
            old.marks & marks == old.marks
            and value + sum(max(0, g - o) for g, o in zip(gains, old.gains, strict=True))
            <= old.base
            for old in self.found
        )

    def _pool(self) -> Pool:
        listed = sorted(self.found, key=lambda r: (-r.base - sum(r.gains), r.stops, r.legs))
        words = max(1, -(-self.bits.count // 64))
        track = [
            to_words(_or(self.bits.legs[leg] for leg in route.legs), words) for route in listed
        ]
        count = len(listed)
        none = np.zeros(count, dtype=np.int64)
        return Pool(
            cls=self.number,
            count=0,
            source=ListedRoutes(listed),
            index=np.arange(count),
            base=np.array([r.base for r in listed], dtype=np.int64),
            track=np.array(track, dtype=np.uint64).reshape(count, words).T,
            gains=np.array([r.gains for r in listed], dtype=np.int64)
            .reshape(count, len(self.coupling.counts))
            .T,
            letters=none,
            own=none,
            touch=np.zeros((0, count), dtype=np.uint64),
            marks=np.array([r.marks for r in listed], dtype=np.int64),
        )


def _dominates(one: Listed, other: Listed) -> bool:
    """Tell whether `one` earns at least as much as `other` whatever the other trains do."""
    more = sum(max(0, g - o) for g, o in zip(other.gains, one.gains, strict=True))
    return one.marks & other.marks == one.marks and other.base + more <= one.base


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _or(masks: Iterator[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found
