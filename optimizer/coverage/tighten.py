"""Prices for the meeting bound, by subgradient steps, with fixing on the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from optimizer.coverage.arrays import Floats
from optimizer.coverage.columns import Group
from optimizer.coverage.exchange import Finder
from optimizer.coverage.first import improve
from optimizer.coverage.meeting import BestTree, Links, Marginals, Passes, work_of
from optimizer.coverage.node import Node
from optimizer.coverage.prices import priced
from optimizer.coverage.stars import star_bounds

PATIENCE = 3
"""Passes without a better bound after which steps become shorter."""
WINDOW = 4
SLOW = 0.02
"""Share of the gap that :data:`WINDOW` passes must close; otherwise no more are made."""
POLISHED = (0, 2, 5, 9)
"""Passes whose trees are improved as runs, where that is asked for."""
MOST_WORK = 1 << 28
"""Pairs of columns that one pass may look at."""
MOST_VERTICES = 8
"""The passes grow like the power of two of the number of vertices of the trees."""


@dataclass(frozen=True)
class Tightened:
    """A node with what is left below it.

    Parameters
    ----------
    node
        The node at the best prices found.
    bound
        No run below the node pays more.
    groups
        The groups without the columns that are in no better run.
    columns
        By group and column: what a run with it pays at most.
    without
        By group: what a run without it pays at most.
    """

    node: Node
    bound: float
    groups: list[Group]
    columns: list[Floats]
    without: list[float]

    def at(self, goal: float) -> list[Group]:
        """Return the columns that can be in a run of at least `goal` units."""
        return [g.take(c >= goal) for g, c in zip(self.groups, self.columns, strict=True)]


def tighten(
    finder: Finder, node: Node, groups: Sequence[Group], passes: int, polish: bool = False
) -> Tightened:
    """Bound what is below a node, at better and better prices, and drop columns.

    The trees that give the bounds are offered as runs.

    Parameters
    ----------
    passes
        The most passes of the meeting bound; with none only stars are looked at.
    polish
        Improve some of those runs by exchange.
    """
    work = _Tightening(finder, node, groups)
    work.stars()
    for number in range(passes):
        finder.check_time()
        if work.closed or not work.affordable():
            break
        if not work.trees(polish and number in POLISHED) or work.closed or work.slow():
            break
        if number + 1 < passes:
            work.stars()
    return Tightened(work.best, work.bound, work.left, work.columns, work.without)


class _Tightening:
    """The state between passes: prices, what is left, and the bounds of it."""

    def __init__(self, finder: Finder, node: Node, groups: Sequence[Group]) -> None:
        self.finder = finder
        self.node = self.best = node
        self.left = list(groups)
        self.columns: list[Floats] = [np.full(len(group), np.inf) for group in groups]
        self.without = [np.inf] * len(groups)
        self.bound = np.inf
        self.pace = 1.0
        self.waited = 0
        self.trace: list[float] = []

    @property
    def closed(self) -> bool:
        """Nothing below the node is better than the best run."""
        return self.bound < self.finder.value + 1

    def affordable(self) -> bool:
        """Tell whether a pass of the meeting bound is worth its time."""
        vertices = len(self.node.parts) + sum(group.copies for group in self.left)
        return vertices <= MOST_VERTICES and work_of(self.node, self.left) <= MOST_WORK

    def _links(self) -> Links:
        return Links(self.node, self.left, self.finder.meeting, self.finder.check_time)

    def stars(self) -> None:
        """Take the star bound."""
        found = star_bounds(self._links())
        self.bound = min(self.bound, found.bound)
        self._drop(found)

    def trees(self, polish: bool) -> bool:
        """Take the meeting bound, and prices for the next one; tell whether there are better ones.

        Parameters
        ----------
        polish
            Improve the run of the tree that gives the bound.
        """
        passes = Passes(self._links())
        found = passes.marginals()
        self._note(passes.node, found.bound)
        tree = passes.tree()
        moved = None
        if tree is not None:
            run = _run(passes.node, self.left, tree)
            self.finder.offer(run)
            if polish:
                improve(self.finder, passes.node, self.left, run)
            gap = max(found.bound - self.finder.value - 1, 1.0)
            moved = _moved(passes.node, self.left, tree, self.pace * gap)
        self._drop(found)
        self.node = moved or self.node
        return moved is not None

    def _note(self, node: Node, bound: float) -> None:
        """Remember the best prices; shorten steps that do not help."""
        if bound < self.bound:
            self.best, self.bound, self.waited = node, bound, 0
        else:
            self.waited += 1
            if self.waited >= PATIENCE:
                self.pace, self.waited = self.pace / 2, 0
        self.trace.append(self.bound)

    def _drop(self, found: Marginals) -> None:
        """Take over bounds, and drop the columns that are in no better run."""
        self.without = [min(w, m) for w, m in zip(self.without, found.without, strict=True)]
        for number, (old, new) in enumerate(zip(self.columns, found.columns, strict=True)):
            bounds = np.minimum(old, new)
            kept = bounds >= self.finder.value + 1
            self.columns[number] = bounds[kept]
            self.left[number] = self.left[number].take(kept)

    def slow(self) -> bool:
        """Tell whether the last passes closed too little of the gap."""
        if len(self.trace) <= WINDOW + 1:
            return False
        gap = self.bound - self.finder.value - 1
        return self.trace[-WINDOW - 1] - self.bound < SLOW * gap


def _run(node: Node, groups: Sequence[Group], tree: BestTree) -> Node:
    """Return the node with the columns of a tree."""
    for number, at in tree.columns:
        node = node.add(groups[number], at)
    return node


def _moved(node: Node, groups: Sequence[Group], tree: BestTree, gap: float) -> Node | None:
    """Return the node at prices one step down the slope of the bound, None at its bottom."""
    slope = np.full(len(node.open), -1.0)
    ends = np.zeros(len(node.node))
    for number, at in tree.columns:
        slope += groups[number].pay[at]
        used = groups[number].nodes[at]
        np.add.at(ends, used[used >= 0], 1.0)
    for (one, at), (two, to) in tree.edges:
        slope -= groups[one].pay[at] * groups[two].pay[to]
    prices = node.element.astype(np.float64)
    slope[((prices <= 0) & (slope > 0)) | ((prices >= node.open) & (slope < 0))] = 0
    several = sum(group.copies for group in groups if (group.nodes >= 0).any()) > 1
    end_slope = np.where(ends > 0, 1.0 - ends, np.where(node.node > 0, 1.0, 0.0))
    if not several:
        end_slope[:] = 0
    end_slope[-1] = 0
    norm = float(slope @ slope + end_slope @ end_slope)
    if norm == 0:
        return None
    element = np.clip(prices - gap / norm * slope, 0.0, node.open)
    most = float(node.open.sum()) + max(float(group.gain.max(initial=0.0)) for group in groups)
    at_ends = np.clip(node.node - gap / norm * end_slope, 0.0, most)
    return priced(node, element, 0.0, at_ends)
