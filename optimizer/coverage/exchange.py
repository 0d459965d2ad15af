"""Exact search for the last one or two columns of a run.

With all other columns held, the best two columns of two groups are found by
pricing every pair: gain of one, plus gain of the other, minus what both pay. It
is a product of matrices, and it is exact. It serves as exchange of two trains in
the first run and as the leaf of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Ints, Words, meets
from optimizer.coverage.columns import Group
from optimizer.coverage.enumerate import TimeUpError
from optimizer.coverage.node import Node, Pick, share_ends
from optimizer.coverage.statement import Statement

PAIRS = 1 << 19
"""Pairs of columns priced in one operation."""


class Finder:
    """Holds the best run known and looks for better ones.

    Parameters
    ----------
    statement
        The problem.
    over
        Tells whether time is up.
    accept
        Last check of a run that is good and connected: conditions on several
        columns that arrays do not hold.
    found
        Told of each better run.
    value
        Units that a run must exceed.

    Attributes
    ----------
    value
        Units of the best run known.
    picks
        Its columns; None if no run is known that exceeds the given value.
    """

    def __init__(
        self,
        statement: Statement,
        over: Callable[[], bool],
        accept: Callable[[Sequence[Pick]], bool],
        found: Callable[[Sequence[Pick], float], None],
        value: float,
    ) -> None:
        self.statement = statement
        self.over = over
        self.accept = accept
        self.found = found
        self.value = value
        self.picks: tuple[Pick, ...] | None = None
        self.meeting = statement.meet is not None

    def check_time(self) -> None:
        """Raise TimeUpError if time is up."""
        if self.over():
            raise TimeUpError

    def offer(self, node: Node) -> bool:
        """Take the run of a node if it is legal and better; tell whether it was taken."""
        apart = self.meeting and len(node.parts) > 1
        if node.value <= self.value or apart or not node.home or not self.accept(node.picks):
            return False
        self.value, self.picks = node.value, node.picks
        self.found(node.picks, node.value)
        return True

    # --- one column ------------------------------------------------------------

    def one(self, node: Node, group: Group) -> bool:
        """Find the best column of a group that completes a run; tell whether it is better."""
        gains = node.gains(group)
        rows = np.nonzero(gains > self.value - node.value)[0]
        if not len(rows):
            return False
        fine = np.ones(len(rows), dtype=np.bool_)
        if not node.home:
            fine &= group.home[rows]
        if self.meeting:
            for part in node.part_words(group.meet.shape[1]):
                fine &= meets(group.meet[rows], part)
        rows = rows[fine]
        for row in rows[np.argsort(-gains[rows], kind="stable")].tolist():
            if node.value + gains[row] <= self.value:
                break
            if self.offer(node.add(group, row)):
                return True
        return False

    # --- two columns -----------------------------------------------------------

    def two(self, node: Node, group: Group, other: Group) -> bool:
        """Find the best pair of columns that completes a run; tell whether it is better."""
        group, gains = self._useful(node, group, other)
        other, more = self._useful(node, other, group)
        order = np.argsort(-gains, kind="stable")
        best_other = float(more.max(initial=-np.inf))
        improved = False
        step = max(1, PAIRS // max(1, len(other)))
        for first in range(0, len(order), step):
            self.check_time()
            rows = order[first : first + step]
            if node.value + gains[rows[0]] + best_other <= self.value:
                break
            some = group.take(rows)
            improved |= self._pairs(node, some, gains[rows], other, more)
        return improved

    def _useful(self, node: Node, group: Group, other: Group) -> tuple[Group, Floats]:
        """Return the columns that can be in a better pair, with what they bring."""
        gains, more = node.gains(group), node.gains(other)
        useful = (gains >= 0) & (node.value + gains + more.max(initial=-np.inf) > self.value)
        bound = node.rest + node.scores(group) + node.scores(other).max(initial=-np.inf)
        useful &= bound >= self.value + 1
        return group.take(useful), gains[useful]

    def _pairs(
        self, node: Node, group: Group, gains: Floats, other: Group, more: Floats
    ) -> bool:
        both = (group.pay * node.open) @ other.pay.T
        np.subtract(more, both, out=both)
        both += gains[:, None]
        if (group.nodes >= 0).any() and (other.nodes >= 0).any():
            both[share_ends(group.nodes, other.nodes)] = -1.0
        rows, cols = np.nonzero(both > self.value - node.value)
        if not len(rows):
            return False
        fine = self._complete(node, group, rows, other, cols)
        rows, cols = rows[fine], cols[fine]
        brings = both[rows, cols]
        for place in np.argsort(-brings, kind="stable").tolist():
            if node.value + brings[place] <= self.value:
                break
            if self.offer(node.add(group, int(rows[place])).add(other, int(cols[place]))):
                return True
        return False

    def _complete(self, node: Node, group: Group, rows: Ints, other: Group, cols: Ints) -> Flags:
        """Tell for pairs of columns whether the run is connected and visits home."""
        fine = np.ones(len(rows), dtype=np.bool_)
        if not node.home:
            fine &= group.home[rows] | other.home[cols]
        if self.meeting:
            fine &= _connects(
                node.part_words(group.meet.shape[1]), group.meet[rows], other.meet[cols]
            )
        return fine


def _connects(parts: Words, one: Words, other: Words) -> Flags:
    """Tell for pairs of columns whether they and the parts of a run are connected.

    The parts do not meet each other. So each must meet one of the columns, and the
    columns must meet each other, or the same part.
    """
    joined = (one & other).any(axis=1)
    all_met = np.ones(len(one), dtype=np.bool_)
    for part in parts:
        by_one, by_other = meets(one, part), meets(other, part)
        joined |= by_one & by_other
        all_met &= by_one | by_other
    return joined & all_met
