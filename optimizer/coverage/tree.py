"""The tree: columns one after the other, the last two by exchange.

At each node every column of one group is priced at once together with the best
that the other groups can add to it, whose common elements count once: a product
of matrices for each other group. Where routes must meet, one of the later
columns must meet the new one; where home is not visited yet, one must visit it.
What cannot exceed the best run is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Words, disjoint, meets
from optimizer.coverage.columns import Group
from optimizer.coverage.exchange import Finder
from optimizer.coverage.node import Node, share_ends

CELLS = 1 << 19
"""Pairs of columns bounded in one operation."""


class Tree:
    """Searches groups exhaustively for a run better than the finder's.

    Attributes
    ----------
    bound
        No run in the groups that is still to be found exceeds it.
    nodes
        Number of nodes visited.
    """

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.bound = np.inf
        self.nodes = 0

    def search(self, root: Node, groups: Sequence[Group]) -> None:
        """Find the best run in the groups if it is better than the finder's.

        Raises
        ------
        TimeUpError
            Time is up; :attr:`bound` then says what may be missing.
        """
        self._explore(root, list(groups), top=True)
        self.bound = self.finder.value

    def reduce(self, root: Node, groups: Sequence[Group]) -> list[Group]:
        """Drop columns that are in no run better than the finder's, until few go.

        Returns
        -------
        list of Group
            The groups with the columns left; some may be empty.
        """
        groups = list(groups)
        while True:
            before = sum(len(group) for group in groups)
            for number, group in enumerate(groups):
                if len(group):
                    self.finder.check_time()
                    bounds = self.bounds(root, group, _without(groups, number))
                    groups[number] = group.take(bounds >= self.finder.value + 1)
            if sum(len(group) for group in groups) >= 0.9 * before:
                return groups

    def _explore(self, node: Node, groups: list[Group], top: bool = False) -> None:
        """Search below a node; `groups` hold what may still be added."""
        self.nodes += 1
        finder = self.finder
        finder.check_time()
        groups = [group for group in groups if group.copies and (len(group) or group.must)]
        open_places = sum(group.copies for group in groups)
        if not any(group.must for group in groups):
            finder.offer(node)
        if open_places == 1:
            finder.one(node, groups[0])
        elif open_places == 2:
            one, other = (groups * 2)[:2] if len(groups) == 1 else groups
            if not other.must:
                finder.one(node, one)
            if not one.must and other is not one:
                finder.one(node, other)
            finder.two(node, one, other)
        elif open_places:
            self._branch(node, groups, top)

    def _branch(self, node: Node, groups: list[Group], top: bool) -> None:
        number = min(range(len(groups)), key=lambda n: len(groups[n]))
        group = groups[number]
        rest = groups[:number] + groups[number + 1 :]
        without = -np.inf if group.must else _bound(node, rest)
        bounds = self.bounds(node, group, _without(groups, number))
        gone = np.zeros(len(group), dtype=np.bool_)
        for place in np.argsort(-bounds, kind="stable").tolist():
            if top:
                self.bound = max(without, float(bounds[place]))
            if bounds[place] < self.finder.value + 1:
                break
            gone[place] = True
            child = node.add(group, place)
            again = [group.take(~gone).with_copies(group.copies - 1)] if group.copies > 1 else []
            useful = _useful(child, rest + again, self.finder.value + 1)
            if useful is not None:
                self._explore(child, useful)
        if top:
            self.bound = without
        if without >= self.finder.value + 1:
            self._explore(node, rest)

    def bounds(self, node: Node, group: Group, others: Sequence[Group]) -> Floats:
        """Return by column of a group what a run with it can pay at most.

        Parameters
        ----------
        node
            The columns chosen before.
        others
            What may be added after the column.
        """
        goal = self.finder.value + 1
        bounds = node.rest + node.scores(group).astype(np.float64)
        alone = node.value + node.gains(group).astype(np.float64)
        if any(other.must for other in others):
            alone[:] = -np.inf
        step = max(1, CELLS // max(1, *(len(other) for other in others), 1))
        for first in range(0, len(group), step):
            some = slice(first, first + step)
            part = group.take(np.arange(len(group))[some])
            bounds[some] = self._bounds(node, part, others, bounds[some], alone[some], goal)
        return bounds

    def _bounds(
        self,
        node: Node,
        group: Group,
        others: Sequence[Group],
        bounds: Floats,
        alone: Floats,
        goal: float,
    ) -> Floats:
        added = [_added(node, group, other) for other in others]
        tops = [
            _top(scores, other.must) for scores, other in zip(added, others, strict=True)
        ]
        for top, other in zip(tops, others, strict=True):
            bounds = bounds + other.copies * top
        if not self.finder.meeting and node.home:
            return bounds
        rows = np.nonzero(bounds >= goal)[0]
        if not len(rows):
            return bounds
        part = group.take(rows)
        lost_apart = np.full(len(rows), np.inf)
        lost_home = np.full(len(rows), np.inf)
        reach, whole = _reach(node, part)
        for scores, top, other in zip(added, tops, others, strict=True):
            if len(other):
                some, most = scores[rows], top[rows]
                met = ~disjoint(reach, other.meet)
                lost_apart = np.minimum(lost_apart, most - _best(some, met))
                lost_home = np.minimum(lost_home, most - _best(some, other.home[None, :]))
        if self.finder.meeting:
            apart = np.where(whole, np.maximum(bounds[rows] - lost_apart, alone[rows]), -np.inf)
            split = np.where(whole, -np.inf, bounds[rows] - lost_apart)
            bounds[rows] = np.minimum(bounds[rows], np.maximum(apart, split))
        if not node.home:
            away = ~part.home
            bounds[rows[away]] = np.minimum(bounds[rows], bounds[rows] - lost_home)[away]
        return bounds


def _without(groups: Sequence[Group], number: int) -> list[Group]:
    """Return what may be added beside a column of one of the groups."""
    found = []
    for n, group in enumerate(groups):
        copies = group.copies - (n == number)
        if copies:
            found.append(group.with_copies(copies))
    return found


def _bound(node: Node, groups: Sequence[Group]) -> float:
    """Return what a run below a node can pay at most."""
    total = node.rest
    for group in groups:
        best = float(node.scores(group).max(initial=-np.inf))
        total += group.copies * (best if group.must else max(0.0, best))
    return total


def _useful(node: Node, groups: Sequence[Group], goal: float) -> list[Group] | None:
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


def _added(node: Node, group: Group, other: Group) -> Floats:
    """Return what each column of `other` adds to the bound beside each of `group`."""
    added = (group.pay * -node.element) @ other.pay.T
    added += node.scores(other)
    if node.home_price:
        added -= added.dtype.type(node.home_price) * (group.home[:, None] & other.home)
    if (group.nodes >= 0).any() and (other.nodes >= 0).any():
        added[share_ends(group.nodes, other.nodes)] = -np.inf
    return added


def _top(scores: Floats, must: bool) -> Floats:
    best = scores.max(axis=1, initial=-np.inf).astype(np.float64)
    return best if must else np.maximum(best, 0.0)


def _best(scores: Floats, which: Flags) -> Floats:
    best = np.where(which, scores, -np.inf).max(axis=1, initial=-np.inf)
    return best.astype(np.float64)


def _reach(node: Node, group: Group) -> tuple[Words, Flags]:
    """Return by column the anchors of its part of the run, and whether that is the whole run."""
    reach = group.meet.copy()
    whole = np.ones(len(group), dtype=np.bool_)
    for part in node.part_words(reach.shape[1]):
        met = meets(group.meet, part)
        reach[met] |= part
        whole &= met
    return reach, whole
