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

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.coverage.arrays import (
    Flags,
    Floats,
    Ints,
    Words,
    different,
    mask_of,
    maximal_in_groups,
    pack,
    words_for,
)
from optimizer.coverage.columns import Group, banned_keys, make_group, without_banned
from optimizer.coverage.enumerate import Routes, enumerate_routes
from optimizer.coverage.network import ChainEnds, build_network
from optimizer.coverage.patterns import ChainType
from optimizer.coverage.statement import Statement
from optimizer.coverage.trails import Filter, Runs, TrailFinder, Trails, groups_of, orders_of

BRANCHING = 4
"""From so many chained routes on, where a chain passes decides what may run beside it."""


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
    statement
        The problem.
    runs
        By part: the routes.
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

    statement: Statement
    runs: Mapping[int, Runs]
    parts: ChainType
    order: Ints
    links: Ints
    nodes: Ints
    paid: Ints

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Return the routes of a chain, in order along it."""
        pairs = zip(self.order[row].tolist(), self.links[row].tolist(), strict=True)
        return tuple(self.runs[part].tracks(link) for part, link in pairs)

    def link(self, row: int) -> Link:
        """Return a chain as the rules see it."""
        statement = self.statement
        stops = [statement.anchors[bit] for bit in self.nodes[row].tolist()]
        paid = int(self.paid[row])
        classes = tuple(statement.parts[part].cls for part in self.order[row].tolist())
        return Link(
            ends=tuple(itertools.pairwise(stops)),
            classes=classes,
            loose=() if paid >= 0 else ((0, stops[0]), (len(stops) - 2, stops[-1])),
            paid=-1 if paid < 0 else statement.anchors[paid],
        )


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

    def __init__(self, statement: Statement, over: Callable[[], bool], every: bool = False) -> None:
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
            self.runs[number] = self._free(number, every)
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

    def _free(self, number: int, every: bool) -> Runs:
        """Return the routes of a part that are not banned."""
        pinned = self._pinned(number)
        if pinned is not None:
            return pinned
        cls = self.statement.parts[number].cls
        banned = banned_keys(self.statement, cls)
        if not banned:
            return self._as_runs(number, self._routes(cls, every))
        reach = self.statement.problem.classes[cls].reach
        network = build_network(self.statement, cls, self.ends, every=True)
        routes = enumerate_routes(network, max(2, reach.fewest), self.over, every=True)
        routes = without_banned(self.statement, routes, cls, banned)
        return self._as_runs(number, routes.take(self._kept(routes, every)))

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
        return maximal_in_groups(groups_of(ends), marks)

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

        The last columns have no ends: one for each element that closed chains may pay, and
        the most that they earn with it.
        """
        joined = np.zeros((len(self.node), len(self.node)), dtype=np.bool_)
        for order in orders_of(kind):
            joined |= self._joined(order)
        joined |= joined.T
        joined &= self.node[:, None] != self.node[None, :]
        a, b = np.nonzero(np.triu(joined))
        closed, most = self._closed_elements(kind)
        values = self.statement.values
        pay = np.zeros((len(a) + len(closed), len(values)), dtype=self.statement.dtype)
        none = np.full(len(closed), -1, dtype=np.int64)
        self._mark(pay, np.r_[self.element[a], closed], np.r_[self.element[b], none])
        gain = np.zeros(len(pay), dtype=self.statement.dtype)
        gain[: len(a)] = self.statement.bonus[self.place[a], self.place[b]]
        gain[len(a) :] = most
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

    def _closed_elements(self, kind: ChainType) -> tuple[Ints, Ints]:
        """Return the elements of which a closed chain of a type might pay one, -1 for none,
        and with each the largest bonus of a closed chain that pays it."""
        chains = self.statement.chains
        if len(kind) == 1 or chains is None or not chains.closed:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        ends = np.unique(np.concatenate([np.r_[self.runs[p].a, self.runs[p].b] for p in kind]))
        elements, number = np.unique(self.element[ends], return_inverse=True)
        most = np.zeros(len(elements), dtype=np.int64)
        np.maximum.at(most, number, self.statement.closed_bonus[self.node[ends]])
        return elements, most

    def _mark(self, pay: Floats, *elements: Ints) -> None:
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
        if not isinstance(source, PairColumns):
            raise TypeError("chains lie between pairs of ends")
        a, b = source.a[pairs.rows], source.b[pairs.rows]
        wanted = np.zeros((len(self.node), len(self.node)), dtype=np.bool_)
        wanted[a[a >= 0], b[a >= 0]] = True
        wanted |= wanted.T
        every = self.every or allowed is not None
        runs = {part: self._free(part, every) for part in source.parts}
        meet = None if self.statement.meet is None else pack([self.statement.meet_mask], self.words)
        places = self.trains >= BRANCHING and len(source.parts) < self.trains
        meet_at = None if meet is None else meet[0]
        finder = TrailFinder(runs, self.node, meet_at, every, self.over, allowed, places)
        batches: list[tuple[Trails, Ints]] = []
        for order in orders_of(source.parts):
            lines, rings = finder.find(order, wanted, bool((a < 0).any()))
            batches.append((lines, np.full(len(lines), -1, dtype=np.int64)))
            batches += [(rings, rings.nodes[:, column]) for column in range(rings.nodes.shape[1])]
        return self._columns(finder, batches, pairs)

    def _columns(
        self, finder: TrailFinder, batches: Sequence[tuple[Trails, Ints]], pairs: Group
    ) -> Group:
        """Return the columns of trails; with each trail the anchor that it pays if closed."""
        trails = [trail for trail, _ in batches]
        paid = np.concatenate([payment for _, payment in batches])
        orders = [np.tile(np.array(t.order, dtype=np.int64), (len(t), 1)) for t in trails]
        order = np.concatenate(orders)
        start, tail = [np.concatenate([getattr(t, n) for t in trails]) for n in ("start", "tail")]
        is_open = paid < 0
        together = Trails(
            (),
            np.where(is_open, np.minimum(start, tail), -1),
            np.where(is_open, np.maximum(start, tail), -1),
            np.concatenate([trail.nodes for trail in trails]),
            np.concatenate([trail.marks for trail in trails]),
            np.concatenate([trail.links for trail in trails]),
            np.concatenate([trail.whole for trail in trails]),
        )
        keys = [
            paid[:, None],
            finder.told_by(together, is_open),
            *([order] if finder.every else []),
        ]
        kept = finder.kept(together, *keys)
        source = ChainColumns(
            self.statement,
            finder.runs,
            pairs.source.parts,
            order[kept],
            together.links[kept],
            together.nodes[kept],
            paid[kept],
        )
        return self._group(source, pairs, start[kept], tail[kept], together.take(kept))

    def _group(
        self, source: ChainColumns, pairs: Group, start: Ints, tail: Ints, trails: Trails
    ) -> Group:
        loose = source.paid < 0
        pay = np.zeros((len(loose), len(self.statement.values)), dtype=self.statement.dtype)
        element_of = np.full(len(self.statement.bit) + 1, -1, dtype=np.int64)
        element_of[self.node] = self.element
        self._mark(pay, np.where(loose, self.element[start], element_of[source.paid]))
        self._mark(pay, np.where(loose, self.element[tail], -1))
        bonus = self.statement.bonus[self.place[start], self.place[tail]]
        closed = np.r_[self.statement.closed_bonus, 0][source.paid]
        gain = np.where(loose, bonus, closed).astype(self.statement.dtype)
        ends = np.stack((self.node[start], self.node[tail]), axis=1)
        ends = np.where(loose[:, None], ends, -1)
        pieces = () if trails.whole.all() else self._pieces(source)
        return make_group(
            self.statement, source, pairs.copies, pairs.must, pay, gain, trails.marks, ends, pieces
        )

    def _pieces(self, source: ChainColumns) -> tuple[Words, ...]:
        """Return by route of the chains the anchors visited."""
        pieces = []
        for column in range(source.links.shape[1]):
            piece = np.zeros((len(source.links), self.words), dtype=np.uint64)
            for part in np.unique(source.order[:, column]).tolist():
                mine = source.order[:, column] == part
                piece[mine] = source.runs[part].marks[source.links[mine, column]]
            pieces.append(piece)
        return tuple(pieces)


def _turned(cls: int, stops: tuple[int, ...], legs: tuple[int, ...]) -> NetRoute:
    return NetRoute("", cls, stops[::-1], legs[::-1])


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
