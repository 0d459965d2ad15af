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
from functools import lru_cache
from itertools import product

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Words, disjoint, row_blocks
from optimizer.coverage.columns import Group
from optimizer.coverage.node import Node, share_ends

Counts = tuple[int, ...]
"""By vertex class: how many columns."""
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
    By root class and counts of the classes below, `best` has for each root
    column the best tree, `at_home` the best one that visits home. Complexity:
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
        self.best: dict[tuple[int, Counts], Floats] = {}
        self.at_home: dict[tuple[int, Counts], Floats] = {}
        self._told: dict[tuple[int, Counts], Floats] = {}
        self._told_home: dict[tuple[int, Counts], Floats] = {}
        for root, below in _states(self.caps):
            self._fill(root, below)

    def _fill(self, root: int, below: Counts) -> None:
        if any(below):
            self._tell(root, below)
            self._combine(root, below)
            return
        self.best[root, below] = self.score[root]
        if self.home is not None:
            self.at_home[root, below] = np.where(self.home[root], self.score[root], -np.inf)

    def _tell(self, root: int, branch: Counts) -> None:
        """Find the best subtree of the classes of `branch` that hangs on each root column."""
        told = np.full(len(self.score[root]), -np.inf, dtype=self.node.open.dtype)
        told_home = told.copy()
        for child, left in _children(branch):
            if len(self.score[child]):
                link = self.links.link(root, child)
                self._reach(link, self.best[child, left], told)
                if self.home is not None:
                    self._reach(link, self.at_home[child, left], told_home)
        self._told[root, branch] = told
        self._told_home[root, branch] = told_home

    def _reach(self, link: Floats, below: Floats, told: Floats) -> None:
        """Raise `told` to the best of what hangs on each root column by a link."""
        for block in row_blocks(*link.shape):
            self.links.check()
            np.maximum(told[block], (link[block] + below).max(axis=1), out=told[block])

    def _combine(self, root: int, below: Counts) -> None:
        """Find the best tree below each root column: one subtree, and the rest."""
        best = np.full(len(self.score[root]), -np.inf, dtype=self.node.open.dtype)
        at_home = best.copy()
        for branch, rest in _branches(below):
            told, others = self._told[root, branch], self.best[root, rest]
            np.maximum(best, told + others, out=best)
            if self.home is not None:
                np.maximum(at_home, self._told_home[root, branch] + others, out=at_home)
                np.maximum(at_home, told + self.at_home[root, rest], out=at_home)
        self.best[root, below] = best
        if self.home is not None:
            self.at_home[root, below] = at_home

    def _whole(self) -> Iterator[tuple[int, Counts, Floats]]:
        """Yield the tables of trees that are whole runs: with all parts and all that must run."""
        musts = [1] * self.parts
        musts += [group.copies if group.must else 0 for group in self.groups]
        table = self.best if self.home is None else self.at_home
        for (root, below), best in table.items():
            if all(b + (v == root) >= m for v, (b, m) in enumerate(zip(below, musts, strict=True))):
                yield root, below, best

    def marginals(self) -> Marginals:
        """Read the bounds off the tables."""
        count = len(self.caps)
        columns = [np.full(len(score), -np.inf, dtype=np.float64) for score in self.score]
        without = [-np.inf] * count
        for root, below, best in self._whole():
            np.maximum(columns[root], best, out=columns[root])
            most = float(best.max(initial=-np.inf))
            for vertex in range(count):
                if not below[vertex] and vertex != root:
                    without[vertex] = max(without[vertex], most)
        rest = self.node.rest
        tops = [float(column.max(initial=-np.inf)) for column in columns]
        return Marginals(
            max(tops) + rest,
            tuple(column + rest for column in columns[self.parts :]),
            tuple(value + rest for value in without[self.parts :]),
        )

    def tree(self) -> BestTree | None:
        """Return the tree that gives the bound; None if no run is possible."""
        most, where = -np.inf, None
        for root, below, best in self._whole():
            if len(best) and best.max() > most:
                most, where = float(best.max()), (root, below, int(best.argmax()))
        if where is None:
            return None
        columns, edges = self._trace(*where, self.home is not None)
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
        self, root: int, below: Counts, at: int, homeward: bool
    ) -> tuple[list[Column], list[tuple[Column, Column]]]:
        if not any(below):
            return [(root, at)], []
        goal = (self.at_home if homeward else self.best)[root, below][at]
        for branch, rest, in_branch in self._ways(root, below, homeward):
            told = (self._told_home if in_branch else self._told)[root, branch][at]
            in_rest = homeward and not in_branch
            if told + (self.at_home if in_rest else self.best)[root, rest][at] == goal:
                child, left, to = self._child(root, branch, at, in_branch, told)
                columns, edges = self._trace(child, left, to, in_branch)
                more, others = self._trace(root, rest, at, in_rest)
                return more + columns, [*others, *edges, ((root, at), (child, to))]
        raise AssertionError("a tree is made of subtrees")

    def _ways(
        self, root: int, below: Counts, homeward: bool
    ) -> Iterator[tuple[Counts, Counts, bool]]:
        for branch, rest in _branches(below):
            yield branch, rest, homeward
            if homeward:
                yield branch, rest, False

    def _child(
        self, root: int, branch: Counts, at: int, homeward: bool, told: float
    ) -> tuple[int, Counts, int]:
        table = self.at_home if homeward else self.best
        for child, left in _children(branch):
            if len(self.score[child]):
                added = self.links.link(root, child)[at] + table[child, left]
                if added.max() == told:
                    return child, left, int(added.argmax())
        raise AssertionError("a subtree has a root")


@lru_cache(maxsize=256)
def _states(caps: Counts) -> tuple[tuple[int, Counts], ...]:
    """Return every root class with every multiset of classes below it, small ones first."""
    found = [
        (root, below)
        for below in product(*(range(cap + 1) for cap in caps))
        for root, cap in enumerate(caps)
        if below[root] < cap
    ]
    return tuple(sorted(found, key=lambda state: sum(state[1])))


@lru_cache(maxsize=4096)
def _branches(below: Counts) -> tuple[tuple[Counts, Counts], ...]:
    """Return the multisets within `below` that hold its first class, each with the rest."""
    first = next(vertex for vertex, count in enumerate(below) if count)
    ranges = [range(v == first, count + 1) for v, count in enumerate(below)]
    return tuple(
        (branch, tuple(b - c for b, c in zip(below, branch, strict=True)))
        for branch in product(*ranges)
    )


@lru_cache(maxsize=4096)
def _children(branch: Counts) -> tuple[tuple[int, Counts], ...]:
    """Return the classes that may be the root of a branch, each with what is below it."""
    return tuple(
        (child, (*branch[:child], count - 1, *branch[child + 1 :]))
        for child, count in enumerate(branch)
        if count
    )


@lru_cache(maxsize=256)
def _edges(caps: Counts) -> tuple[tuple[int, int], ...]:
    return tuple((root, child) for root, below in _states(caps) for child, _ in _children(below))


def work_of(node: Node, groups: Sequence[Group]) -> int:
    """Return how many pairs of columns :class:`Passes` looks at."""
    sizes = [1] * len(node.parts) + [len(group) for group in groups]
    caps = (1,) * len(node.parts) + tuple(group.copies for group in groups)
    return sum(sizes[one] * sizes[two] for one, two in _edges(caps))
