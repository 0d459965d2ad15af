"""Chains of routes as columns.

A chain is a *trail*: routes joined end to end, each used once. Its ends are the
stops that are an end of only one of its routes: two, or none if it is closed.
What it pays depends on its ends alone; where it passes, only on what the other
trains need to meet it. So there are two groups of columns for each type of
chain: *pairs* of ends between which a chain may exist (more than do, cheap to
list, enough for bounds), and the chains themselves for those pairs that are
still wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.coverage.arrays import (
    Flags,
    Ints,
    Words,
    different,
    mask_of,
    maximal_in_groups,
    order_by,
    pack,
    starts_of_runs,
    words_for,
)
from optimizer.coverage.columns import Group, banned_keys, make_group, without_banned
from optimizer.coverage.enumerate import Routes, TimeUpError, enumerate_routes
from optimizer.coverage.network import ChainEnds, build_network
from optimizer.coverage.patterns import ChainType
from optimizer.coverage.statement import Statement

BRANCHING = 4
"""From so many chained routes on, where a chain passes decides what may run beside it."""


@dataclass(frozen=True)
class Runs:
    """Routes of one part, seen as what a chain can be made of.

    Parameters
    ----------
    part
        Number of the part.
    a, b
        By route: numbers of its ends.
    marks
        By route: anchors visited that matter to others.
    tracks
        The routes as sequences of stops and legs, by row.
    """

    part: int
    a: Ints
    b: Ints
    marks: Words
    tracks: Callable[[int], NetRoute]


@dataclass(frozen=True)
class Trails:
    """Trails of one order of parts, one a row.

    Parameters
    ----------
    order
        Parts in order along the trail.
    start, tail
        Numbers of its first and last end.
    nodes
        Bits of the anchors where routes end, in order: one more than routes.
    marks
        Anchors visited that matter to others.
    links
        The routes, as rows of their part.
    """

    order: ChainType
    start: Ints
    tail: Ints
    nodes: Ints
    marks: Words
    links: Ints

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Ints | Flags) -> Trails:
        """Return some of the trails."""
        return Trails(
            self.order,
            self.start[rows],
            self.tail[rows],
            self.nodes[rows],
            self.marks[rows],
            self.links[rows],
        )

    def loose(self) -> tuple[Flags, Flags]:
        """Tell for both ends of each trail whether nothing else of it ends there."""
        first = (self.nodes[:, 1:] != self.nodes[:, :1]).all(axis=1)
        last = (self.nodes[:, :-1] != self.nodes[:, -1:]).all(axis=1)
        return first, last


@dataclass(frozen=True)
class PairColumns:
    """Columns of pairs of ends; they stand for chains and cannot run by themselves."""

    parts: ChainType
    a: Ints
    b: Ints

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Pairs have no routes."""
        raise TypeError(f"pair {row} of ends is no chain")


@dataclass(frozen=True)
class Link:
    """A chain as the rules see it.

    Parameters
    ----------
    ends
        By route: its two end stops.
    classes
        By route: its class.
    loose
        Its loose ends as (route, stop).
    paid
        Of a closed chain the stop that it pays, or -1.
    """

    ends: tuple[tuple[int, int], ...]
    classes: tuple[int, ...]
    loose: tuple[tuple[int, int], ...]
    paid: int


@dataclass(frozen=True)
class ChainColumns:
    """Columns of chains.

    Parameters
    ----------
    book
        Where their routes are.
    parts
        Type of the chains.
    order
        By column: parts in order along the chain.
    links
        By column: the routes in order.
    nodes
        By column: stops where routes end, in order.
    paid
        By column: of a closed chain the anchor (as a bit) that it pays, or -1.
    """

    book: ChainBook
    parts: ChainType
    order: Ints
    links: Ints
    nodes: Ints
    paid: Ints

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Return the routes of a chain, in order along it."""
        pairs = zip(self.order[row].tolist(), self.links[row].tolist(), strict=True)
        return tuple(self.book.runs[part].tracks(link) for part, link in pairs)

    def link(self, row: int) -> Link:
        """Return a chain as the rules see it."""
        statement = self.book.statement
        stops = [statement.anchors[bit] for bit in self.nodes[row].tolist()]
        paid = int(self.paid[row])
        classes = tuple(statement.parts[part].cls for part in self.order[row].tolist())
        return Link(
            ends=tuple(zip(stops, stops[1:], strict=False)),
            classes=classes,
            loose=() if paid >= 0 else ((0, stops[0]), (len(stops) - 2, stops[-1])),
            paid=-1 if paid < 0 else statement.anchors[paid],
        )


Filter = Callable[[Trails], Flags]


class ChainBook:
    """The chained routes of a problem and what can be made of them.

    Parameters
    ----------
    statement
        The problem.
    over
        Tells whether time is up.
    every
        Keep all routes and chains that differ in where they pass, not only
        those that no other one can stand for.
    """

    def __init__(
        self, statement: Statement, over: Callable[[], bool], every: bool = False
    ) -> None:
        self.statement = statement
        self.over = over
        self.every = every
        self.words = words_for(len(statement.bit))
        self.mask = pack([statement.meet_mask | statement.home_mask], self.words)
        self.runs: dict[int, Runs] = {}
        self._all: dict[int, Runs] = {}
        chained = [n for n, part in enumerate(statement.parts) if statement.is_chained(part.cls)]
        known = statement.lines.known
        if chained:
            self.ends: ChainEnds = known.setdefault("ends", ChainEnds(statement))
        for number in chained:
            self.runs[number] = self._pinned(number) or self._free(number)
        self.trains = sum(len(statement.parts[number].trains) for number in self.runs)
        self.node = np.array(self.ends.bits if chained else (), dtype=np.int64)
        self.element = np.array(self.ends.elements if chained else (), dtype=np.int64)
        self.place = np.array(self.ends.places if chained else (), dtype=np.int64)
        self._starts = {number: self._ends_by_node(runs) for number, runs in self.runs.items()}

    # --- routes ----------------------------------------------------------------

    def _pinned(self, number: int) -> Runs | None:
        route = self.statement.parts[number].pinned
        if route is None:
            return None
        a = self.ends.number(route.stops[0], route.legs[0])
        b = self.ends.number(route.stops[-1], route.legs[-1])
        visited = mask_of(self.statement.bit[s] for s in route.stops if s in self.statement.bit)
        marks = pack([visited], self.words) & self.mask
        return Runs(number, np.array([a]), np.array([b]), marks, lambda _: route)

    def _free(self, number: int) -> Runs:
        """Return the routes of a class that are not banned."""
        cls = self.statement.parts[number].cls
        banned = banned_keys(self.statement, cls)
        if not banned:
            return self._as_runs(number, self._routes(cls, self.every))
        reach = self.statement.problem.classes[cls].reach
        network = build_network(self.statement, cls, self.ends, every=True)
        routes = enumerate_routes(network, max(2, reach.fewest), self.over, every=True)
        routes = without_banned(self.statement, routes, cls, banned)
        return self._as_runs(number, routes.take(self._kept(routes, self.every)))

    def all_runs(self, number: int) -> Runs:
        """Return every route of a part that differs in ends or where it passes, banned or not."""
        if number not in self._all:
            self._all[number] = self._as_runs(
                number, self._routes(self.statement.parts[number].cls, every=True)
            )
        return self._all[number]

    def _routes(self, cls: int, every: bool) -> Routes:
        reach = self.statement.problem.classes[cls].reach
        known = self.statement.lines.known
        key = ("chained", reach)
        if key not in known:
            network = build_network(self.statement, cls, self.ends)
            known[key] = enumerate_routes(network, max(2, reach.fewest), self.over)
        kept = (*key, every)
        if kept not in known:
            known[kept] = known[key].take(self._kept(known[key], every))
        routes: Routes = known[kept]
        return routes

    def _kept(self, routes: Routes, every: bool) -> Ints:
        """Return the routes that no other one between the same ends can stand for, or all
        that differ."""
        ends = np.sort(routes.ends, axis=1)
        marks = routes.bits[:, : self.words] & self.mask
        if every:
            return different(np.concatenate((ends.view(np.uint64), marks), axis=1))
        return maximal_in_groups(_groups_of(ends), marks)

    def _as_runs(self, number: int, routes: Routes) -> Runs:
        cls = self.statement.parts[number].cls

        def track(row: int) -> NetRoute:
            stops, legs = routes.track(self.statement, row)
            low, high = routes.ends[row].tolist()
            return NetRoute("", cls, stops, legs) if low <= high else _turned(cls, stops, legs)

        ends = np.sort(routes.ends, axis=1)
        marks = routes.bits[:, : self.words] & self.mask
        return Runs(number, ends[:, 0], ends[:, 1], marks, track)

    def _ends_by_node(self, runs: Runs) -> Flags:
        """Tell from which end to which node some route leads."""
        leads = np.zeros((len(self.node), len(self.statement.bit)), dtype=np.bool_)
        leads[runs.a, self.node[runs.b]] = True
        leads[runs.b, self.node[runs.a]] = True
        return leads

    # --- pairs of ends -----------------------------------------------------------

    def pairs(self, kind: ChainType, copies: int, must: bool) -> Group:
        """Return the pairs of ends between which a chain of a type may exist.

        A last column for each element that closed chains may pay has no ends.
        """
        joined = np.zeros((len(self.node), len(self.node)), dtype=np.bool_)
        for order in _orders(kind):
            joined |= self._joined(order)
        joined |= joined.T
        joined &= self.node[:, None] != self.node[None, :]
        a, b = np.nonzero(np.triu(joined))
        closed = self._closed_elements(kind)
        values = self.statement.values
        pay = np.zeros((len(a) + len(closed), len(values)), dtype=self.statement.dtype)
        self._mark(pay, self.element[a], self.element[b])
        pay[np.arange(len(a), len(pay)), closed] = 1
        none = np.full(len(closed), -1, dtype=np.int64)
        gain = np.zeros(len(pay), dtype=self.statement.dtype)
        gain[: len(a)] = self.statement.bonus[self.place[a], self.place[b]]
        nodes = np.stack((np.r_[self.node[a], none], np.r_[self.node[b], none]), axis=1)
        everywhere = np.full((len(pay), self.words), -1, dtype=np.int64).view(np.uint64)
        source = PairColumns(kind, np.r_[a, none], np.r_[b, none])
        return make_group(self.statement, source, copies, must, pay, gain, everywhere, nodes)

    def _joined(self, order: ChainType) -> Flags:
        """Tell between which ends routes of parts in this order can be a trail."""
        runs = self.runs[order[0]]
        if len(order) == 1:
            joined = np.zeros((len(self.node), len(self.node)), dtype=np.bool_)
            joined[runs.a, runs.b] = True
            return joined
        reached = self._starts[order[0]]
        for part in order[1:-1]:
            onward = self.runs[part]
            step = np.zeros((reached.shape[1], reached.shape[1]), dtype=np.float32)
            step[self.node[onward.a], self.node[onward.b]] = 1
            step = np.maximum(step, step.T)
            reached = reached.astype(np.float32) @ step > 0
        last = self._starts[order[-1]].astype(np.float32)
        return reached.astype(np.float32) @ last.T > 0

    def _closed_elements(self, kind: ChainType) -> Ints:
        """Return the elements of which a closed chain of a type might pay one."""
        chains = self.statement.chains
        if len(kind) == 1 or chains is None or not chains.closed:
            return np.zeros(0, dtype=np.int64)
        ends = np.unique(np.concatenate([np.r_[self.runs[p].a, self.runs[p].b] for p in kind]))
        elements = np.unique(self.element[ends])
        return elements[elements >= 0]

    def _mark(self, pay: np.ndarray, *elements: Ints) -> None:
        for column in elements:
            rows = np.nonzero(column >= 0)[0]
            pay[rows, column[rows]] = 1

    # --- chains --------------------------------------------------------------------

    def chains(self, pairs: Group, allowed: Filter | None = None) -> Group:
        """Return the chains between pairs of ends.

        Parameters
        ----------
        pairs
            Some of the columns of :meth:`pairs`.
        allowed
            Says which trails may be used at all; all if None.

        Raises
        ------
        TimeUpError
            Time is up.
        """
        source = pairs.source
        assert isinstance(source, PairColumns)
        kind = source.parts
        a, b = source.a[pairs.rows], source.b[pairs.rows]
        wanted = np.zeros((len(self.node), len(self.node)), dtype=np.bool_)
        wanted[a[a >= 0], b[a >= 0]] = True
        wanted |= wanted.T
        batches = [
            batch
            for order in _orders(kind)
            for batch in self._trails(order, wanted, bool((a < 0).any()))
        ]
        return self._columns(kind, batches, pairs, allowed)

    def _trails(self, order: ChainType, wanted: Flags, closed: bool) -> Iterator[tuple[Trails, Ints]]:
        """Yield trails with the anchor that they pay if closed, or -1."""
        trails = self._first(order[0])
        starts = wanted.any(axis=1)
        for number, part in enumerate(order[1:], start=1):
            last = number == len(order) - 1
            if not closed:
                trails = trails.take(starts[trails.start])
            trails = self._prolong(trails, part, wanted if last and not closed else None)
            if not last:
                trails = trails.take(self._different(trails))
        first_loose, last_loose = trails.loose()
        ends_there = wanted[trails.start, trails.tail] & first_loose & last_loose
        backwards = order == order[::-1]
        if backwards:
            ends_there &= trails.start < trails.tail
        open_ones = trails.take(ends_there)
        yield open_ones, np.full(len(open_ones), -1, dtype=np.int64)
        if closed:
            rings = trails.take(~first_loose & ~last_loose)
            for column in range(rings.nodes.shape[1]):
                yield rings, rings.nodes[:, column]

    def _first(self, part: int) -> Trails:
        runs = self.runs[part]
        start, tail = np.r_[runs.a, runs.b], np.r_[runs.b, runs.a]
        rows = np.arange(len(runs.a), dtype=np.int64)
        return Trails(
            (part,),
            start,
            tail,
            np.stack((self.node[start], self.node[tail]), axis=1),
            np.concatenate((runs.marks, runs.marks)),
            np.r_[rows, rows][:, None],
        )

    def _prolong(self, trails: Trails, part: int, wanted: Flags | None) -> Trails:
        """Return the trails that are one of `trails` and a route of a part at its end."""
        more = self._first(part)
        here = self.node[trails.tail]
        rows, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for node in np.unique(here).tolist():
            if self.over():
                raise TimeUpError
            above = np.nonzero(here == node)[0]
            beside = np.nonzero(more.nodes[:, 0] == node)[0]
            if wanted is None:
                one, two = np.indices((len(above), len(beside))).reshape(2, -1)
            else:
                one, two = np.nonzero(wanted[np.ix_(trails.start[above], more.tail[beside])])
            rows.append(above[one])
            others.append(beside[two])
        row, other = np.concatenate(rows), np.concatenate(others)
        return Trails(
            (*trails.order, part),
            trails.start[row],
            more.tail[other],
            np.concatenate((trails.nodes[row], more.nodes[other, 1:]), axis=1),
            trails.marks[row] | more.marks[other],
            np.concatenate((trails.links[row], more.links[other]), axis=1),
        )

    def _different(self, trails: Trails) -> Ints:
        """Return the trails that differ in more than where they pass."""
        group = _groups_of(trails.start[:, None], trails.tail[:, None], trails.nodes)
        if self.every:
            return different(np.concatenate((group[:, None].view(np.uint64), trails.marks), axis=1))
        return maximal_in_groups(group, trails.marks)

    def _columns(
        self,
        kind: ChainType,
        batches: Sequence[tuple[Trails, Ints]],
        pairs: Group,
        allowed: Filter | None,
    ) -> Group:
        fine = [(t, p) if allowed is None else _only(t, p, allowed(t)) for t, p in batches]
        trails = [trail for trail, _ in fine]
        paid = np.concatenate([payment for _, payment in fine])
        start = np.concatenate([trail.start for trail in trails])
        tail = np.concatenate([trail.tail for trail in trails])
        nodes = np.concatenate([trail.nodes for trail in trails])
        marks = np.concatenate([trail.marks for trail in trails])
        links = np.concatenate([trail.links for trail in trails])
        order = np.concatenate(
            [np.tile(np.array(t.order, dtype=np.int64), (len(t), 1)) for t in trails]
        )
        low, high = np.minimum(start, tail), np.maximum(start, tail)
        is_open = paid < 0
        keys = [np.where(is_open, low, -1)[:, None], np.where(is_open, high, -1)[:, None]]
        keys.append(paid[:, None])
        if self.every:
            group = _groups_of(*keys, nodes, order)[:, None].view(np.uint64)
            kept = different(np.concatenate((group, marks), axis=1))
        else:
            passes = ~is_open | (self.trains >= BRANCHING)
            keys.append(np.where(passes[:, None], np.sort(nodes, axis=1), -1))
            kept = maximal_in_groups(_groups_of(*keys), marks)
        source = ChainColumns(self, kind, order[kept], links[kept], nodes[kept], paid[kept])
        pay = np.zeros((len(kept), len(self.statement.values)), dtype=self.statement.dtype)
        element_of = np.full(len(self.statement.bit) + 1, -1, dtype=np.int64)
        element_of[self.node] = self.element
        loose = is_open[kept]
        start, tail = start[kept], tail[kept]
        self._mark(
            pay,
            np.where(loose, self.element[start], element_of[paid[kept]]),
            np.where(loose, self.element[tail], -1),
        )
        bonus = self.statement.bonus[self.place[start], self.place[tail]]
        gain = np.where(loose, bonus, 0).astype(self.statement.dtype)
        ends = np.stack((self.node[start], self.node[tail]), axis=1)
        ends = np.where(loose[:, None], ends, -1)
        return make_group(
            self.statement, source, pairs.copies, pairs.must, pay, gain, marks[kept], ends
        )


def _turned(cls: int, stops: tuple[int, ...], legs: tuple[int, ...]) -> NetRoute:
    return NetRoute("", cls, stops[::-1], legs[::-1])


def _orders(kind: ChainType) -> list[ChainType]:
    """Return the orders of the parts of a chain, one of each and its reverse."""
    return sorted({min(order, order[::-1]) for order in permutations(kind)})


def _groups_of(*keys: Ints) -> Ints:
    """Number the different combinations of keys, given as matrices."""
    order = order_by(*keys)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(starts_of_runs(order, *keys))
    return group


def _only(trails: Trails, paid: Ints, which: Flags) -> tuple[Trails, Ints]:
    return trails.take(which), paid[which]


def division_holds(statement: Statement, links: Sequence[Link]) -> bool:
    """Tell whether chains may run beside each other, as some order of listing joins them.

    Up to three routes without a closed chain need not be asked: what the notes
    of :class:`~engine.routing.vocabulary.Chains` say holds by construction.
    """
    chains = statement.chains
    count = sum(len(link.classes) for link in links)
    if chains is None or (count < BRANCHING and all(link.paid < 0 for link in links)):
        return True
    ends = [pair for link in links for pair in link.ends]
    classes = [cls for link in links for cls in link.classes]
    wanted: dict[frozenset[int], tuple[frozenset[tuple[int, int]], int]] = {}
    first = 0
    for link in links:
        routes = frozenset(range(first, first + len(link.classes)))
        wanted[routes] = frozenset((first + n, stop) for n, stop in link.loose), link.paid
        first += len(link.classes)
    return any(
        all(
            part.routes in wanted
            and frozenset(part.loose) == wanted[part.routes][0]
            and (wanted[part.routes][1] < 0 or wanted[part.routes][1] in part.closed)
            for part in division
        )
        for division in chains.divide(ends, classes)
    )
