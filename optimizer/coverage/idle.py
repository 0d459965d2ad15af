"""Trains that must run if they can (:class:`~engine.routing.vocabulary.MustRun`).

A run found without this word may have idle trains that could run. Single trains
are added to it: that never lowers what it pays. A chained route that could be
added makes the run illegal. Most such runs are ruled out beforehand: a chain
that meets a route which could be joined to it is no column. What is left
depends on where the *other* trains pass, and is checked run by run.

Columns are dropped where another one passes at least where they do. Where a run
is refused because of where a single train passes, a dropped column might have
been right: :attr:`IdleTrains.hidden` says so, and the solve is repeated with
all columns. Until then no bound is below what the refused run pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from optimizer.coverage.arrays import Flags, Ints, Words, disjoint, meets, pack
from optimizer.coverage.chains import ChainBook, ChainColumns, Link
from optimizer.coverage.columns import Group, RouteBook
from optimizer.coverage.exchange import Refusal
from optimizer.coverage.node import Node
from optimizer.coverage.patterns import ChainType
from optimizer.coverage.statement import Statement
from optimizer.coverage.trails import Filter, Runs, Trails, orders_of


class IdleTrains:
    """Adds trains that must run, and refuses runs to which a chained route can be added.

    Parameters
    ----------
    statement
        The problem.
    groups
        All columns of single trains.
    routes, book
        The routes behind them, banned ones included, and the chained ones.
    every
        `groups` hold every route; all ways to add trains are tried.

    Attributes
    ----------
    refused
        Units of the best run refused that might have been right with a dropped
        column, which pays no more; minus infinity if there is none.
    """

    def __init__(
        self,
        statement: Statement,
        groups: Sequence[Group],
        routes: RouteBook,
        book: ChainBook,
        every: bool,
    ) -> None:
        self.statement = statement
        self.routes = routes
        self.book = book
        self.every = every
        self.refused = -np.inf
        self.single = [
            (group.source.parts[0], group) for group in groups if self._must(group.source.parts[0])
        ]
        self.chained = [part for part in book.runs if self._must(part)]
        words = book.words
        self.meet = pack([statement.meet_mask], words)[0]
        self.home = pack([statement.home_mask], words)[0]

    @property
    def hidden(self) -> bool:
        """A run was refused that might have been right with a dropped column."""
        return self.refused > -np.inf

    def _must(self, part: int) -> bool:
        mine = self.statement.parts[part]
        return mine.pinned is None and mine.cls in self.statement.must_run

    # --- one run ---------------------------------------------------------------

    def complete(self, node: Node) -> Node | Refusal:
        """Return the run of a node with the trains that must run, or why it is refused."""
        for filled in self._filled(node):
            addable = self._addable(filled)
            if addable is None:
                return filled
            if addable is Refusal.CHAINS:
                return addable
            if not self.every:
                break
        self.refused = max(self.refused, node.value)
        return Refusal.RUN

    def _filled(self, node: Node) -> Iterator[Node]:
        """Yield the node with idle single trains added until none can be; in all ways if asked."""
        options = None
        for part, group in self.single:
            if _used(node, part) < group.copies:
                rows = self._useful(node, group)
                if len(rows):
                    options = group, rows
                    break
                if self._may_add(node, self._every_route(part)):
                    return
        if options is None:
            yield node
            return
        group, rows = options
        order = rows[np.argsort(-node.gains(group)[rows], kind="stable")].tolist()
        for row in order if self.every else order[:1]:
            yield from self._filled(node.add(group, row))

    def _useful(self, node: Node, group: Group) -> Ints:
        return np.nonzero(self._fits(node, group.meet, group.home))[0]

    def _fits(self, node: Node, meet: Words, home: Flags) -> Flags:
        """Tell which columns or routes may be added to the run of a node."""
        if not node.picks:
            return home if self.statement.home is not None else np.ones(len(meet), np.bool_)
        if self.statement.meet is None:
            return np.ones(len(meet), np.bool_)
        return meets(meet, pack(node.parts, meet.shape[1])[0])

    def _every_route(self, part: int) -> Words:
        """Return the anchors visited by each route of a class, banned ones included."""
        routes = self.routes.routes(self.statement.parts[part].cls)
        return routes.bits[:, : self.book.words]

    def _may_add(self, node: Node, visited: Words) -> bool:
        fits = self._fits(node, visited & self.meet, meets(visited, self.home))
        return bool(fits.any())

    # --- chains ------------------------------------------------------------------

    def _addable(self, node: Node) -> Refusal | None:
        """Tell whether a chained route of an idle train can be added to the run of a node.

        Returns
        -------
        Refusal or None
            Whether such a route could be added to any run with the same chains.
        """
        links: list[Link] = []
        inside = np.zeros(self.book.words, dtype=np.uint64)
        for pick in node.picks:
            if isinstance(pick.group.source, ChainColumns):
                links.append(pick.group.source.link(pick.row))
                inside |= pick.group.meet[pick.at]
        found: Refusal | None = None
        for part in self.chained:
            runs = self.book.all_runs(part)
            if _used(node, part) < len(self.statement.parts[part].trains):
                rows = self._joinable(links, part, runs)
                home = meets(runs.marks[rows], self.home)
                fits = self._fits(node, runs.marks[rows] & self.meet, home)
                sure = meets(runs.marks[rows] & self.meet, inside) | self._sure(home)
                if (fits & sure).any():
                    return Refusal.CHAINS
                if fits.any():
                    found = Refusal.RUN
        return found

    def _sure(self, home: Flags) -> Flags:
        """Tell which routes meet every run: those that visit the only home, where all meet."""
        stops, meet = self.statement.home, self.statement.meet
        if meet is None:
            return np.ones(len(home), dtype=np.bool_)
        if stops is None or len(stops) != 1 or not stops <= meet:
            return np.zeros(len(home), dtype=np.bool_)
        return home

    def _joinable(self, links: Sequence[Link], part: int, runs: Runs) -> Ints:
        """Return the routes of a part that some order of listing joins to the chains."""
        ends = [pair for link in links for pair in link.ends]
        classes = [cls for link in links for cls in link.classes]
        bit = self.statement.bit
        nodes = sorted({bit[stop] for pair in ends for stop in pair})
        place = np.full(len(bit), len(nodes), dtype=np.int64)
        place[nodes] = np.arange(len(nodes))
        a, b = place[self.book.node[runs.a]], place[self.book.node[runs.b]]
        table = np.zeros((len(nodes) + 1, len(nodes) + 1), dtype=np.bool_)
        cls = self.statement.parts[part].cls
        for row in np.unique(a * len(table) + b, return_index=True)[1].tolist():
            stops = [self.statement.anchors[self.book.node[end[row]]] for end in (runs.a, runs.b)]
            table[a[row], b[row]] = self.divides([*ends, (stops[0], stops[1])], [*classes, cls])
        return np.nonzero(table[a, b])[0]

    # --- beforehand --------------------------------------------------------------

    def nothing_chained(self) -> bool:
        """Tell whether runs without a chain are out of the question: a chained route could
        be added to any of them."""
        return any(
            bool(self._sure(meets(self.book.all_runs(part).marks, self.home)).any())
            for part in self.chained
        )

    def only_chain(self, kind: ChainType) -> Filter | None:
        """Return what says which trails of a type may be the only chain of a run.

        None if every trail may.
        """
        idle = [
            part
            for part in self.chained
            if kind.count(part) < len(self.statement.parts[part].trains)
        ]
        if not idle:
            return None
        return _OnlyChain(self, kind, idle)

    def divides(self, ends: Sequence[tuple[int, int]], classes: Sequence[int]) -> bool:
        """Tell whether routes with these ends, of these classes, may run together."""
        chains = self.statement.chains
        return chains is not None and bool(chains.divide(ends, classes))


class _OnlyChain:
    """Says which trails may be the only chain of a run while trains of `idle` stand idle.

    None may to which a route can be joined that meets it: it meets every run
    with that chain.
    """

    def __init__(self, trains: IdleTrains, kind: ChainType, idle: Sequence[int]) -> None:
        self.trains = trains
        self.book = trains.book
        self.idle = idle
        self.length = len(kind)
        self.prolongs = {
            part: all(
                self._joins(order, tuple(range(self.length + 1)), part, 0, self.length + 1)
                for order in orders_of(kind)
            )
            for part in idle
        }

    def begins(self, runs: Runs) -> Flags:
        """Tell by directed route whether a trail may begin with it.

        It may not if routes that meet it lead from its first end to more
        anchors than a trail has nodes: one of them is outside.
        """
        start, _, rows = runs.directed()
        begins = np.ones(len(start), dtype=np.bool_)
        for part in (part for part in self.idle if self.prolongs[part]):
            others = self.book.all_runs(part)
            away, towards, number = others.directed()
            for node in np.unique(self.book.node[start]).tolist():
                mine = np.nonzero(self.book.node[start] == node)[0]
                beside = np.nonzero(self.book.node[away] == node)[0]
                met = self._meet(runs.marks[rows[mine]], others.marks[number[beside]])
                far = np.zeros((len(beside), len(self.trains.statement.bit)), dtype=np.float32)
                far[np.arange(len(beside)), self.book.node[towards[beside]]] = 1
                reached = (met.astype(np.float32) @ far > 0).sum(axis=1)
                begins[mine[reached > self.length]] = False
        return begins

    def _meet(self, marks: Words, others: Words) -> Flags:
        if self.trains.statement.meet is None:
            return np.ones((len(marks), len(others)), dtype=np.bool_)
        return ~disjoint(marks & self.trains.meet, others)

    def keeps(self, trails: Trails) -> Flags:
        """Tell which trails may be used."""
        kept = np.ones(len(trails), dtype=np.bool_)
        for part in self.idle:
            runs = self.book.all_runs(part)
            away, towards, number = runs.directed()
            for column in range(trails.nodes.shape[1]):
                for node in np.unique(trails.nodes[:, column]).tolist():
                    mine = np.nonzero(kept & (trails.nodes[:, column] == node))[0]
                    beside = np.nonzero(self.book.node[away] == node)[0]
                    far = self.book.node[towards[beside]]
                    added = self._added(trails.take(mine), part, column, far)
                    added &= self._meet(trails.marks[mine], runs.marks[number[beside]])
                    kept[mine[added.any(axis=1)]] = False
        return kept

    def _added(self, trails: Trails, part: int, column: int, far: Ints) -> Flags:
        """Tell for trails and routes that start at their node `column` and end at the anchors
        `far` whether the route can be joined to the trail."""
        nodes = trails.nodes
        length = nodes.shape[1]
        where = np.full((len(nodes), len(far)), length, dtype=np.int64)
        for place in range(length - 1, -1, -1):
            where[nodes[:, place, None] == far[None, :]] = place
        shape = (nodes[:, :, None] == nodes[:, None, :]).argmax(axis=2)
        added = np.zeros(where.shape, dtype=np.bool_)
        for pattern in np.unique(shape, axis=0):
            same = (shape == pattern).all(axis=1)
            names = tuple(pattern.tolist())
            joins = [self._joins(trails.order, names, part, column, p) for p in range(length + 1)]
            added[same] = np.array(joins)[where[same]]
        return added

    def _joins(
        self, order: ChainType, pattern: tuple[int, ...], part: int, column: int, far: int
    ) -> bool:
        """Tell whether a route from node `column` of a trail to node `far`, or to an anchor
        beside it, can be joined to a trail whose nodes are equal as `pattern` says."""
        names = (*pattern, len(pattern))
        if names[column] == names[far]:
            return False
        ends = [*pairwise(names[:-1]), (names[column], names[far])]
        parts = self.trains.statement.parts
        return self.trains.divides(ends, [parts[p].cls for p in (*order, part)])


def _used(node: Node, part: int) -> int:
    return sum(pick.group.source.parts.count(part) for pick in node.picks)
