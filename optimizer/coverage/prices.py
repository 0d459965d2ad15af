"""The price bound: what a run can pay at most, by prices of what its trains share.

Each element s that is not paid yet has a price p(s) between 0 and its value
v(s); the visit to home has a price h >= 0, each loose end n of a chain one of
m(n) >= 0. No run with the columns of a node pays more than

    their units  +  sum of v(s) - p(s)  +  sum of m(n)  -  h
    +  for each copy of each group the best of: nothing, or
       gain + p of the elements it pays + h if it visits home - m of its ends

since an element that is paid brings v - p once and p at least once, an end is
used once, and home is visited (h is 0 once it is). The best prices come from
subgradient steps and are rounded to multiples of a fraction of a unit, so that
all sums are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from optimizer.coverage.arrays import Floats, Ints
from optimizer.coverage.columns import Group
from optimizer.coverage.node import Node
from optimizer.coverage.statement import Statement

STEPS = 80
PATIENCE = 6
"""Steps without a better bound after which steps become shorter."""


def root_node(statement: Statement, groups: Sequence[Group]) -> Node:
    """Return the node without columns, at half the value of each element as its price.

    With one train the price is the whole value.
    """
    trains = sum(group.copies for group in groups)
    values = statement.values.astype(statement.dtype)
    root = Node(
        picks=(),
        value=0.0,
        rest=0.0,
        open=values,
        element=values,
        home_price=0.0,
        node=np.zeros(len(statement.bit) + 1, dtype=statement.dtype),
        parts=(),
        home=statement.home is None,
        used=(),
        steps=statement.steps,
    )
    return priced(root, values * (0.5 if trains > 1 else 1.0), 0.0, root.node)


def priced(node: Node, element: Floats, home: float, ends: Floats) -> Node:
    """Return a node at other prices, rounded to exact multiples."""
    dtype = node.open.dtype
    steps = node.steps
    rounded = (np.rint(element * steps) / steps).astype(dtype)
    nodes = (np.rint(ends * steps) / steps).astype(dtype)
    at_home = round(home * steps) / steps
    rest = node.value + float((node.open - rounded).sum(dtype=np.float64))
    rest += float(nodes.sum(dtype=np.float64)) - at_home
    return replace(node, rest=rest, element=rounded, home_price=at_home, node=nodes)


def price_bound(node: Node, groups: Sequence[Group]) -> float:
    """Return what a run with the columns of a node, and others of the groups, pays at most."""
    total = node.rest
    for group in groups:
        best = float(node.scores(group).max(initial=-np.inf))
        total += group.copies * (best if group.must else max(0.0, best))
    return total


def reprice(
    node: Node,
    groups: Sequence[Group],
    goal: float,
    steps: int = STEPS,
    check: Callable[[], None] = lambda: None,
) -> tuple[Node, float]:
    """Improve prices until they prove that no run reaches `goal`, or steps run out.

    Parameters
    ----------
    goal
        Units that a run must reach to be of interest.
    check
        Called at every step; may raise.

    Returns
    -------
    node, bound
        The node at the best prices found, and their bound, which may be fractional.

    References
    ----------
    B. T. Polyak, Minimization of unsmooth functionals, 1969.
    """
    best, best_bound = node, price_bound(node, groups)
    if best_bound < goal or not any(len(group) for group in groups):
        return best, best_bound
    descent = _Descent(node, groups)
    pace, waited = 1.0, 0
    for _ in range(steps):
        check()
        bound, slope = descent.look()
        if bound < best_bound - 1e-6:
            rounded = descent.priced()
            exact = price_bound(rounded, groups)
            if exact < best_bound:
                best, best_bound = rounded, exact
                if best_bound < goal:
                    break
            waited = 0
        else:
            waited += 1
            if waited >= PATIENCE:
                pace, waited = pace / 2, 0
        norm = float(slope @ slope)
        if norm == 0 or pace < 0.02:
            break
        descent.step(pace * max(bound - goal, 1.0) / norm * slope)
    return best, best_bound


class _Descent:
    """Prices in one vector (elements, home, ends), and one matrix of all columns."""

    def __init__(self, start: Node, groups: Sequence[Group]) -> None:
        self.start = start
        self.groups = [group for group in groups if len(group)]
        self.with_home = not start.home
        ends = [np.unique(group.nodes[group.nodes >= 0]) for group in self.groups]
        chains = sum(group.copies for group in self.groups if (group.nodes >= 0).any())
        self.nodes: Ints = (
            np.unique(np.concatenate(ends)) if chains > 1 else np.zeros(0, dtype=np.int64)
        )
        self.nodes = np.setdiff1d(self.nodes, start.used)
        self.values = start.open.astype(np.float64)
        home = [start.home_price] if self.with_home else []
        self.vector = np.concatenate(
            (start.element.astype(np.float64), home, start.node[self.nodes].astype(np.float64))
        )
        self.matrix = np.concatenate([self._rows(group) for group in self.groups])
        self.gain = np.concatenate([self._gain(group) for group in self.groups])
        self.first = np.cumsum([0, *(len(group) for group in self.groups)])
        self.constant = np.full(len(self.vector), -1.0)
        self.constant[len(self.values) + len(home) :] = 1.0
        most = float(self.values.sum()) + float(self.gain.max(initial=0.0))
        self.upper = np.full(len(self.vector), most)
        self.upper[: len(self.values)] = self.values

    def _gain(self, group: Group) -> Floats:
        if not self.start.used:
            return group.gain
        return np.where(self.start.taken(group), -np.inf, group.gain)

    def _rows(self, group: Group) -> Floats:
        parts: list[Floats] = [group.pay]
        if self.with_home:
            parts.append(group.home[:, None].astype(group.pay.dtype))
        if len(self.nodes):
            used = (group.nodes[:, :, None] == self.nodes).any(axis=1)
            parts.append(-used.astype(group.pay.dtype))
        return np.concatenate(parts, axis=1)

    def look(self) -> tuple[float, Floats]:
        """Return the bound at the present prices and its slope where prices may move."""
        scores = self.matrix @ self.vector.astype(self.matrix.dtype) + self.gain
        slope = self.constant.copy()
        bound = self.start.value + float(self.values.sum() + self.constant @ self.vector)
        for number, group in enumerate(self.groups):
            first = self.first[number]
            place = first + int(scores[first : self.first[number + 1]].argmax())
            if scores[place] > 0 or group.must:
                bound += group.copies * float(scores[place])
                slope += group.copies * self.matrix[place]
        slope[(self.vector <= 0) & (slope > 0)] = 0
        slope[(self.vector >= self.upper) & (slope < 0)] = 0
        return bound, slope

    def step(self, move: Floats) -> None:
        """Move the prices against the slope, within their limits."""
        self.vector = np.clip(self.vector - move, 0.0, self.upper)

    def priced(self) -> Node:
        """Return the node at the present prices, rounded."""
        count = len(self.values)
        home = float(self.vector[count]) if self.with_home else 0.0
        node = np.zeros(len(self.start.node))
        node[self.nodes] = self.vector[count + self.with_home :]
        return priced(self.start, self.vector[:count], home, node)
