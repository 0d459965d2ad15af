"""Prices for the meeting bound, by subgradient steps, with fixing on the way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from optimizer.coverage.arrays import Floats
from optimizer.coverage.columns import Group
from optimizer.coverage.exchange import Finder
from optimizer.coverage.first import improve
from optimizer.coverage.meeting import BestTree, Links, Passes
from optimizer.coverage.node import Node
from optimizer.coverage.prices import priced
from optimizer.coverage.stars import star_bounds

PATIENCE = 3
"""Steps without a better bound after which steps become shorter."""
SLOW = 0.02
"""Share of the gap that a few steps must close; otherwise no more are made."""


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
    finder: Finder,
    node: Node,
    groups: Sequence[Group],
    steps: int,
    trees: bool = True,
    polish: Collection[int] = (),
) -> Tightened:
    """Bound what is below a node, at better and better prices, and drop columns.

    The trees that give the bounds are offered as runs.

    Parameters
    ----------
    steps
        The most passes.
    """
    count = len(groups)
    left = list(groups)
    columns: list[Floats] = [np.full(len(group), np.inf) for group in groups]
    without = [np.inf] * count
    best, best_bound = node, np.inf
    pace, waited = 1.0, 0
    trace = list[float]()
    for number in range(steps):
        finder.check_time()
        links = Links(node, left, finder.meeting)
        marginals = star_bounds(links)
        columns = [np.minimum(c, m) for c, m in zip(columns, marginals.columns, strict=True)]
        without = [min(w, m) for w, m in zip(without, marginals.without, strict=True)]
        best_bound = min(best_bound, marginals.bound)
        goal = finder.value + 1
        kept = [c >= goal for c in columns]
        left = [group.take(k) for group, k in zip(left, kept, strict=True)]
        columns = [c[k] for c, k in zip(columns, kept, strict=True)]
        if best_bound < goal or not trees:
            break
        passes = Passes(Links(node, left, finder.meeting))
        marginals = passes.marginals()
        columns = [np.minimum(c, m) for c, m in zip(columns, marginals.columns, strict=True)]
        without = [min(w, m) for w, m in zip(without, marginals.without, strict=True)]
        if marginals.bound < best_bound:
            best, best_bound, waited = passes.node, marginals.bound, 0
        else:
            waited += 1
            if waited >= PATIENCE:
                pace, waited = pace / 2, 0
        tree = passes.tree()
        if tree is not None:
            run = _run(passes.node, left, tree)
            finder.offer(run)
            if number in polish:
                improve(finder, passes.node, left, run)
        goal = finder.value + 1
        kept = [c >= goal for c in columns]
        trace.append(best_bound)
        slow = number > 4 and trace[-5] - best_bound < SLOW * (best_bound - goal)
        if best_bound < goal or tree is None or slow or number + 1 == steps:
            break
        moved = _moved(passes.node, left, tree, pace * max(marginals.bound - goal, 1.0))
        left = [group.take(k) for group, k in zip(left, kept, strict=True)]
        columns = [c[k] for c, k in zip(columns, kept, strict=True)]
        if moved is None:
            break
        node = moved
    return Tightened(best, best_bound, left, columns, without)


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
    at_ends = np.maximum(node.node - gap / norm * end_slope, 0.0)
    return priced(node, element, 0.0, at_ends)
