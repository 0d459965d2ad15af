"""The price bound: what a run can pay at most, by prices of what it shares.

Each element s has a price p(s) between 0 and its value v(s); the visit to home
has a price h >= 0, each loose end n of a chain one of m(n) >= 0. No run pays more than

    sum of v(s) - p(s)  +  sum of m(n)  -  h
    +  for each copy of each group the best of: nothing, or
       gain + p of the elements it pays + h if it visits home - m of its ends

since an element that is paid brings v - p once and p at least once, an end is
used once, and home is visited. The best prices come from subgradient steps and
are rounded to multiples of a sixteenth of a unit, so that all sums are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from optimizer.coverage.arrays import Floats, Ints
from optimizer.coverage.columns import Group
from optimizer.coverage.statement import PRICE_STEPS, Statement

STEPS = 80
PATIENCE = 6
"""Steps without a better bound after which steps become shorter."""


@dataclass(frozen=True)
class Prices:
    """Prices, and the part of the bound that no column changes.

    Parameters
    ----------
    element
        By element.
    home
        For the visit to home.
    node
        By anchor bit, for loose ends; one more entry, 0, for no end.
    rest
        The bound without columns.
    """

    element: Floats
    home: float
    node: Floats
    rest: float

    def scores(self, group: Group) -> Floats:
        """Return what each column of a group adds to the bound."""
        scores: Floats = group.pay @ self.element + group.gain
        if self.home:
            scores = scores + self.home * group.home
        if self.node.any():
            scores = scores - self.node[group.nodes].sum(axis=1)
        return scores

    def bound(self, groups: Sequence[Group]) -> float:
        """Return the bound on what a run in these groups pays."""
        total = self.rest
        for group in groups:
            best = float(self.scores(group).max(initial=-np.inf))
            total += group.copies * (best if group.must else max(0.0, best))
        return total


def price_at(
    statement: Statement, element: Floats, home: float, node: Floats
) -> Prices:
    """Return prices rounded to exact multiples."""
    dtype = statement.dtype
    rounded = (np.rint(element * PRICE_STEPS) / PRICE_STEPS).astype(dtype)
    nodes = (np.rint(node * PRICE_STEPS) / PRICE_STEPS).astype(dtype)
    at_home = round(home * PRICE_STEPS) / PRICE_STEPS
    rest = float(statement.values.sum()) - float(rounded.sum(dtype=np.float64))
    rest += float(nodes.sum(dtype=np.float64)) - at_home
    return Prices(rounded, at_home, nodes, rest)


def first_prices(statement: Statement, groups: Sequence[Group]) -> Prices:
    """Return prices to start from: half of each value if two trains can pay it, else all."""
    trains = sum(group.copies for group in groups)
    share = 0.5 if trains > 1 else 1.0
    nodes = np.zeros(len(statement.bit) + 1)
    return price_at(statement, statement.values * share, 0.0, nodes)


def best_prices(
    statement: Statement, groups: Sequence[Group], start: Prices, goal: float, steps: int = STEPS
) -> tuple[Prices, float]:
    """Improve prices until they prove that nothing exceeds `goal`, or steps run out.

    Parameters
    ----------
    goal
        Value of the best run known, in units.

    Returns
    -------
    prices, bound
        The best prices found and their bound, which may be fractional.

    References
    ----------
    B. T. Polyak, Minimization of unsmooth functionals, 1969.
    """
    best, best_bound = start, start.bound(groups)
    if best_bound < goal + 1 or not any(len(group) for group in groups):
        return best, best_bound
    descent = _Descent(statement, groups, start)
    pace, waited = 1.0, 0
    for _ in range(steps):
        if best_bound < goal + 1:
            break
        bound, slope = descent.look()
        if bound < best_bound - 1e-6:
            rounded = descent.prices()
            exact = rounded.bound(groups)
            if exact < best_bound:
                best, best_bound = rounded, exact
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

    def __init__(self, statement: Statement, groups: Sequence[Group], start: Prices) -> None:
        self.statement = statement
        self.groups = [group for group in groups if len(group)]
        self.with_home = statement.home is not None
        ends = [np.unique(group.nodes[group.nodes >= 0]) for group in self.groups]
        chains = sum(group.copies for group in self.groups if (group.nodes >= 0).any())
        self.nodes: Ints = (
            np.unique(np.concatenate(ends)) if chains > 1 else np.zeros(0, dtype=np.int64)
        )
        self.values = statement.values.astype(np.float64)
        home = [start.home] if self.with_home else []
        self.vector = np.concatenate(
            (start.element.astype(np.float64), home, start.node[self.nodes].astype(np.float64))
        )
        self.matrix = np.concatenate([self._rows(group) for group in self.groups])
        self.gain = np.concatenate([group.gain for group in self.groups])
        self.first = np.cumsum([0, *(len(group) for group in self.groups)])
        self.constant = np.full(len(self.vector), -1.0)
        self.constant[len(self.values) + len(home) :] = 1.0
        self.upper = np.full(len(self.vector), np.inf)
        self.upper[: len(self.values)] = self.values

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
        bound = float(self.values.sum() + self.constant @ self.vector)
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

    def prices(self) -> Prices:
        """Return the present prices, rounded."""
        count = len(self.values)
        home = float(self.vector[count]) if self.with_home else 0.0
        node = np.zeros(len(self.statement.bit) + 1)
        node[self.nodes] = self.vector[count + self.with_home :]
        return price_at(self.statement, self.vector[:count], home, node)
