"""The tree: columns one after the other, the last three at once.

At each node every column that may be added is bounded, in stars and in trees of
columns that meet, and what cannot exceed the best run is dropped. Then the
columns of the group with the fewest are chosen one after the other, those with
the highest bound first; a column that has been chosen is left out afterwards, so
that each run is met once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np

from optimizer.coverage.arrays import Flags
from optimizer.coverage.columns import Group
from optimizer.coverage.dominance import undominated
from optimizer.coverage.exchange import Finder
from optimizer.coverage.node import Node
from optimizer.coverage.tighten import Tightened, tighten

PASSES = 2
"""The most passes of the meeting bound at a node."""
LEAF = 3
"""Places that are filled at once."""
MANY = 1500
"""Nodes after which other means are tried: a second or two of search."""


class _RelievedError(Exception):
    """Ends a search whose proof came by other means."""


class Tree:
    """Searches groups exhaustively for a run better than the finder's.

    Parameters
    ----------
    finder
        Holds the best run.
    dominance
        Drop columns below a node that others can stand for.
    relief
        Asked once, after :data:`MANY` nodes, whether there is a proof by other
        means that the groups have no run better than the finder's then.

    Attributes
    ----------
    bound
        No run in the groups that is still to be found exceeds it.
    nodes
        Number of nodes visited.
    relieved
        The proof came by other means.
    """

    def __init__(
        self,
        finder: Finder,
        dominance: bool = True,
        relief: Callable[[], bool] | None = None,
    ) -> None:
        self.finder = finder
        self.relief = relief
        self.relieved = False
        self.dominance = dominance
        self.bound = np.inf
        self.nodes = 0
        self._first: Tightened | None = None

    def search(self, below: Tightened) -> None:
        """Find the best run below a node if it is better than the finder's.

        Raises
        ------
        TimeUpError
            Time is up; :attr:`bound` then says what may be missing.
        """
        self.bound = below.bound
        self._first = below
        with suppress(_RelievedError):
            self._branch(below)
        self.bound = self.finder.value

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes == MANY and self.relief is not None and self.relief():
            self.relieved = True
            raise _RelievedError

    def _explore(self, node: Node, groups: list[Group]) -> None:
        """Search below a node; `groups` hold what may still be added."""
        finder = self.finder
        finder.check_time()
        groups = [group for group in groups if group.copies and (len(group) or group.must)]
        places = sum(group.copies for group in groups)
        if not any(group.must for group in groups):
            finder.offer(node)
        if 0 < places < LEAF:
            self._count()
            finder.complete(node, places_of(groups))
        elif places:
            if node.picks and self.dominance:
                groups = undominated(node, groups, finder.meeting)
            self._branch(tighten(finder, node, groups, PASSES if places > LEAF else 0))

    def _branch(self, below: Tightened) -> None:
        """Choose columns of the group with the fewest, or none of it."""
        self._count()
        finder = self.finder
        groups = below.at(finder.value + 1)
        if sum(group.copies for group in groups) <= LEAF:
            finder.complete(below.node, places_of(groups))
            return
        number = min(range(len(groups)), key=lambda n: len(groups[n]))
        bounds, group = below.columns[number], below.groups[number]
        gone = np.zeros(len(group), dtype=np.bool_)
        for place in np.argsort(-bounds, kind="stable").tolist():
            goal = finder.value + 1
            if below is self._first:
                self.bound = max(below.without[number], float(bounds[place]))
            if bounds[place] < goal:
                break
            gone[place] = True
            child = below.node.add(group, place)
            useful = useful_columns(child, _beside(below, number, gone, goal), goal)
            if useful is not None:
                self._explore(child, useful)
        if below is self._first:
            self.bound = below.without[number]
        if below.without[number] >= finder.value + 1:
            rest = below.at(finder.value + 1)
            self._explore(below.node, rest[:number] + rest[number + 1 :])


def places_of(groups: Sequence[Group]) -> list[Group]:
    """Return a group for each place."""
    return [group for group in groups for _ in range(group.copies)]


def _beside(below: Tightened, number: int, gone: Flags, goal: float) -> list[Group]:
    """Return what may be added beside a column of group `number`."""
    found = []
    pairs = zip(below.groups, below.columns, strict=True)
    for n, (group, bounds) in enumerate(pairs):
        useful = bounds >= goal
        if n == number:
            useful &= ~gone
        copies = group.copies - (n == number)
        if copies:
            found.append(group.take(useful).with_copies(copies))
    return found


def useful_columns(node: Node, groups: Sequence[Group], goal: float) -> list[Group] | None:
    """Return the columns that can be in a run of at least `goal`, or None if there is none."""
    scores = [node.scores(group) for group in groups]
    bests = [float(s.max(initial=-np.inf)) for s in scores]
    bests = [
        best if group.must else max(0.0, best) for best, group in zip(bests, groups, strict=True)
    ]
    total = node.rest + sum(g.copies * best for g, best in zip(groups, bests, strict=True))
    if total < goal:
        return None
    return [
        group.take(total - best + some >= goal)
        for group, some, best in zip(groups, scores, bests, strict=True)
    ]
