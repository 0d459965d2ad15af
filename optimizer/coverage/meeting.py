"""The meeting bound: what a run can pay at most if its routes meet.

The routes of a run that meet form a connected graph; take a spanning tree of it.
At given prices the run pays no more than

    the part of the price bound that no column changes
    +  the scores of its columns
    -  the prices of what each column shares with its parent in the tree,

since an element that k columns pay lies on at most k - 1 edges of the tree. The
best tree of columns, each meeting its parent, is found by dynamic programming
over what is below a column, as in the Dreyfus-Wagner method for Steiner trees.
A tree can be rooted anywhere, so one pass bounds every column. Parts of the run
that are chosen already are vertices of the tree without score. Where routes need
not meet, every pair of columns may be an edge, and the bound holds all the same.

References
----------
D. Hunter, An upper bound for the probability of a union, 1976.
S. E. Dreyfus and R. A. Wagner, The Steiner problem in graphs, 1971.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Ints, Words, disjoint, row_blocks
from optimizer.coverage.columns import Group
from optimizer.coverage.node import Node, share_ends
from optimizer.coverage.passes import Counts, Layer, combine, hang, plan_of

Column = tuple[int, int]
"""A column: number of its group and place there."""


@dataclass(frozen=True)
class Marginals:
    """What one pass of the bound says.

    Parameters
    ----------
    bound
        What a run pays at most.
    columns
        By group: by column what a run with it pays at most.
    without
        By group: what a run without any column of it pays at most.
    """

    bound: float
    columns: tuple[Floats, ...]
    without: tuple[float, ...]


@dataclass(frozen=True)
class BestTree:
    """The tree that gives the bound.

    Parameters
    ----------
    columns
        Its columns.
    edges
        Pairs of columns; edges to parts that are chosen already are left out.
    """

    columns: tuple[Column, ...]
    edges: tuple[tuple[Column, Column], ...]


class Links:
    """What pairs of columns below a node have to do with each other.

    Parameters
    ----------
    node
        Columns chosen already, and prices.
    groups
        What may be added.
    meeting
        Routes must meet.
    check
        Called every few milliseconds; may raise.

    Notes
    -----
    A *vertex class* is a part of the run chosen already (one vertex) or a group
    (as many vertices as copies).
    """

    def __init__(
        self, node: Node, groups: Sequence[Group], meeting: bool, check: Callable[[], None]
    ) -> None:
        self.check = check
        self.node = replace(node, home_price=0.0, rest=node.rest + node.home_price)
        self.groups = groups
        self.meeting = meeting
        self.parts = len(node.parts)
        self.caps: Counts = (1,) * self.parts + tuple(group.copies for group in groups)
        self.meet: list[Words] = [group.meet for group in groups]
        if self.parts:
            words = node.part_words(self.meet[0].shape[1])
            self.meet = [part[None, :] for part in words] + self.meet
        nothing = np.zeros((1, len(node.open)), dtype=node.open.dtype)
        self.pay: list[Floats] = [nothing] * self.parts + [group.pay for group in groups]
        self.score: list[Floats] = [np.zeros(1, dtype=node.open.dtype)] * self.parts
        self.score += [self.node.scores(group) for group in groups]
        self._overlaps: dict[tuple[int, int], Floats] = {}
        self._links: dict[tuple[int, int], Floats] = {}

    def overlap(self, one: int, two: int) -> Floats:
        """Return by column of two classes minus the prices of what both pay; minus
        infinity where they have a loose end in common."""
        known = self._overlaps.get((one, two))
        if known is None:
            known = self._shared(one, two)
            if one >= self.parts and two >= self.parts:
                ends = [self.groups[v - self.parts].nodes for v in (one, two)]
                if (ends[0] >= 0).any() and (ends[1] >= 0).any():
                    known[share_ends(ends[0], ends[1])] = -np.inf
            self._overlaps[one, two] = known
            if one != two:
                self._overlaps[two, one] = self._turned(known)
        return known

    def _shared(self, one: int, two: int) -> Floats:
        prices = -self.node.element
        other = self.pay[two].T
        shared = np.empty((len(self.pay[one]), other.shape[1]), dtype=other.dtype)
        for block in row_blocks(*shared.shape):
            self.check()
            np.matmul(self.pay[one][block] * prices, other, out=shared[block])
        return shared

    def link(self, one: int, two: int) -> Floats:
        """Return by column of two classes what an edge of a tree adds: minus infinity
        if there can be none."""
        if not self.meeting:
            return self.overlap(one, two)
        known = self._links.get((one, two))
        if known is None:
            overlap = self.overlap(one, two)
            known = np.empty_like(overlap)
            for block in row_blocks(*known.shape):
                self.check()
                known[block] = overlap[block]
                known[block][disjoint(self.meet[one][block], self.meet[two])] = -np.inf
            self._links[one, two] = known
            if one != two:
                self._links[two, one] = self._turned(known)
        return known

    def _turned(self, table: Floats) -> Floats:
        """Return a matrix with rows and columns exchanged."""
        turned = np.empty((table.shape[1], table.shape[0]), dtype=table.dtype)
        for block in row_blocks(*turned.shape):
            self.check()
            turned[block] = table[:, block].T
        return turned


class Passes:
    """The tables of the dynamic programme.

    Parameters
    ----------
    links
        The pairs of columns.

    Notes
    -----
    By root class, counts of the classes below and root column, `best` has the
    best tree, `at_home` the best one that visits home. Complexity:
    for n vertices n (n - 1) 2^(n - 2) operations on pairs of columns of two
    groups, twice where home is not visited yet.
    """

    def __init__(self, links: Links) -> None:
        self.links = links
        self.node = links.node
        self.groups = links.groups
        self.parts = links.parts
        self.caps = links.caps
        self.score = links.score
        self.home: list[Flags] | None = None
        if not self.node.home:
            self.home = [np.zeros(1, dtype=np.bool_)] * self.parts
            self.home += [group.home for group in self.groups]
        self.plan = plan_of(self.caps)
        shape = self.plan.rows if self.home is None else 2 * self.plan.rows
        self._trees, self._hung = (
            [
                np.full((shape, len(score)), -np.inf, dtype=self.node.open.dtype)
                for score in self.score
            ]
            for _ in range(2)
        )
        self.best, self.at_home = self._sheets(self._trees)
        self._told, self._told_home = self._sheets(self._hung)
        self._fill()

    def _sheets(self, tables: list[Floats]) -> tuple[list[Floats], list[Floats]]:
        """Return the two halves of tables, one for any trees and one for those that visit home."""
        rows = self.plan.rows
        return [table[:rows] for table in tables], [table[rows:] for table in tables]

    def _fill(self) -> None:
        for root, score in enumerate(self.score):
            self.best[root][0] = score
            if self.home is not None:
                self.at_home[root][0] = np.where(self.home[root], score, -np.inf)
        for layer in self.plan.layers:
            if len(self.score[layer.root]):
                self._hang(layer)
                self._combine(layer)

    def _hang(self, layer: Layer) -> None:
        """Find the best subtrees that hang on each root column."""
        for some in layer.hanging:
            if len(self.score[some.child]):
                rows, left = some.branches, some.left
                if self.home is not None:
                    rows, left = some.branches_twice, some.left_twice
                across = self.links.link(some.child, layer.root)
                below = self._trees[some.child][left]
                hang(across, below, self._hung[layer.root], rows, self.links.check)

    def _combine(self, layer: Layer) -> None:
        """Find the best trees below each root column: one subtree, and the rest."""
        root = layer.root
        self.links.check()
        told, best = self._told[root], self.best[root]
        best[layer.rows] = combine(told, best, layer, best[layer.rows])
        if self.home is not None:
            home = self.at_home[root]
            found = combine(self._told_home[root], best, layer, home[layer.rows])
            home[layer.rows] = combine(told, home, layer, found)

    def _whole(self) -> list[tuple[Ints, Floats]]:
        """Return by root class the rows of trees that are whole runs, with all parts and all
        that must run, and what they pay."""
        musts = [1] * self.parts
        musts += [group.copies if group.must else 0 for group in self.groups]
        table = self.best if self.home is None else self.at_home
        found = []
        for root, trees in enumerate(table):
            least = np.array([m - (v == root) for v, m in enumerate(musts)], dtype=np.int64)
            able = (self.plan.counts >= least).all(axis=1)
            able &= self.plan.counts[:, root] < self.caps[root]
            rows = np.nonzero(able)[0]
            found.append((rows, trees[rows]))
        return found

    def marginals(self) -> Marginals:
        """Read the bounds off the tables."""
        count = len(self.caps)
        columns = []
        without = [-np.inf] * count
        for root, (rows, trees) in enumerate(self._whole()):
            columns.append(trees.max(axis=0, initial=-np.inf).astype(np.float64))
            most = trees.max(axis=1, initial=-np.inf)
            for vertex in range(count):
                if vertex != root:
                    missing = most[self.plan.counts[rows, vertex] == 0]
                    without[vertex] = max(without[vertex], float(missing.max(initial=-np.inf)))
        rest = self.node.rest
        tops = [float(column.max(initial=-np.inf)) for column in columns]
        return Marginals(
            max(tops) + rest,
            tuple(column + rest for column in columns[self.parts :]),
            tuple(value + rest for value in without[self.parts :]),
        )

    def tree(self) -> BestTree | None:
        """Return the tree that gives the bound; None if no run is possible."""
        tops = {
            (root, row): top
            for root, (rows, trees) in enumerate(self._whole())
            for row, top in zip(
                rows.tolist(), trees.max(axis=1, initial=-np.inf).tolist(), strict=True
            )
        }
        most = max(tops.values(), default=-np.inf)
        if most == -np.inf:
            return None
        root, row = next(state for state in self.plan.states if tops.get(state) == most)
        table = self.best if self.home is None else self.at_home
        at = int(table[root][row].argmax())
        columns, edges = self._trace(root, row, at, self.home is not None)
        first = self.parts
        return BestTree(
            tuple((v - first, at) for v, at in columns if v >= first),
            tuple(
                ((v - first, at), (w - first, to))
                for (v, at), (w, to) in edges
                if v >= first and w >= first
            ),
        )

    def _trace(
        self, root: int, below: int, at: int, homeward: bool
    ) -> tuple[list[Column], list[tuple[Column, Column]]]:
        """Return columns and edges of the best tree below a root column, by the row below."""
        if not below:
            return [(root, at)], []
        goal = (self.at_home if homeward else self.best)[root][below, at]
        for branch, rest, in_branch in self._ways(root, below, homeward):
            told = (self._told_home if in_branch else self._told)[root][branch, at]
            in_rest = homeward and not in_branch
            if told + (self.at_home if in_rest else self.best)[root][rest, at] == goal:
                child, left, to = self._child(root, branch, at, in_branch, told)
                columns, edges = self._trace(child, left, to, in_branch)
                more, others = self._trace(root, rest, at, in_rest)
                return more + columns, [*others, *edges, ((root, at), (child, to))]
        raise AssertionError("a tree is made of subtrees")

    def _ways(self, root: int, below: int, homeward: bool) -> Iterator[tuple[int, int, bool]]:
        for branch, rest in self.plan.ways(below):
            yield branch, rest, homeward
            if homeward:
                yield branch, rest, False

    def _child(
        self, root: int, branch: int, at: int, homeward: bool, told: float
    ) -> tuple[int, int, int]:
        table = self.at_home if homeward else self.best
        for child, left in self.plan.children(branch):
            if len(self.score[child]):
                added = self.links.link(root, child)[at] + table[child][left]
                if added.max() == told:
                    return child, left, int(added.argmax())
        raise AssertionError("a subtree has a root")


def work_of(node: Node, groups: Sequence[Group]) -> int:
    """Return how many pairs of columns :class:`Passes` looks at."""
    sizes = [1] * len(node.parts) + [len(group) for group in groups]
    caps = (1,) * len(node.parts) + tuple(group.copies for group in groups)
    return sum(times * sizes[one] * sizes[two] for (one, two), times in plan_of(caps).edges())
