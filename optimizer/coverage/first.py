"""The first run: greedy at several prices, then exact exchange of one and two trains."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from optimizer.coverage.arrays import meets
from optimizer.coverage.columns import Group
from optimizer.coverage.exchange import Finder
from optimizer.coverage.node import Node, Pick


def build_runs(finder: Finder, root: Node, groups: Sequence[Group]) -> None:
    """Offer runs built column by column, one for each group that may come first.

    The first column visits home and has the best score at the prices of the
    root; each later one meets what is there and brings most.
    """
    held, left = _musts(root, groups)
    if held is None:
        return
    if held.picks:
        finder.offer(_fill(finder, held, groups, left))
    for start in groups:
        if left[id(start)] and len(start):
            scores = held.scores(start)
            if not held.home:
                scores = np.where(start.home, scores, -np.inf)
            place = int(scores.argmax())
            if np.isfinite(scores[place]):
                rest = {**left, id(start): left[id(start)] - 1}
                finder.offer(_fill(finder, held.add(start, place), groups, rest))


def _musts(root: Node, groups: Sequence[Group]) -> tuple[Node | None, dict[int, int]]:
    """Return the node with the columns that must run, None if there are none such."""
    left = {id(group): group.copies for group in groups}
    node = root
    for group in groups:
        if group.must:
            for _ in range(group.copies):
                scores = node.scores(group)
                if not len(scores) or not np.isfinite(scores.max()):
                    return None, left
                node = node.add(group, int(scores.argmax()))
            left[id(group)] = 0
    return node, left


def _fill(finder: Finder, node: Node, groups: Sequence[Group], left: dict[int, int]) -> Node:
    """Add the column that brings most until none brings anything."""
    left = dict(left)
    while True:
        best: tuple[float, Group, int] | None = None
        for group in groups:
            if left[id(group)] and len(group):
                gains = node.gains(group)
                if finder.meeting and node.parts:
                    parts = node.part_words(group.meet.shape[1])
                    gains = np.where(meets(group.meet, parts[-1]), gains, -np.inf)
                place = int(gains.argmax())
                if gains[place] > (best[0] if best else 0.0):
                    best = float(gains[place]), group, place
        if best is None:
            return node
        left[id(best[1])] -= 1
        node = node.add(best[1], best[2])


def exchange_one(finder: Finder, root: Node, groups: Sequence[Group]) -> None:
    """Replace single columns of the best run while that makes it better."""
    improved = finder.picks is not None
    while improved:
        improved = False
        for held, free in _openings(finder.picks or (), groups, 1):
            finder.check_time()
            if finder.complete(root.add_all(held), free):
                improved = True
                break


def exchange_two(finder: Finder, root: Node, groups: Sequence[Group]) -> None:
    """Replace pairs of columns of the best run, exactly, while that makes it better."""
    improved = finder.picks is not None
    while improved:
        improved = False
        for held, free in _openings(finder.picks or (), groups, 2):
            if finder.complete(root.add_all(held), free):
                improved = True
                break


def _openings(
    picks: Sequence[Pick], groups: Sequence[Group], size: int
) -> list[tuple[list[Pick], list[Group]]]:
    """Return the ways to free `size` places of a run: the columns held, the groups to fill in.

    A place is a column of the run, or a train that stands idle.
    """
    by_parts = {group.source.parts: group for group in groups}
    left = {group.source.parts: group.copies for group in groups}
    places: list[tuple[Pick | None, Group]] = []
    for pick in picks:
        group = by_parts.get(pick.group.source.parts)
        if group is None or not left[group.source.parts]:
            return []  # the run is one of other chains
        left[group.source.parts] -= 1
        places.append((pick, group))
    for group in groups:
        places.extend([(None, group)] * min(size, left[group.source.parts]))
    found = []
    for free in combinations(range(len(places)), size):
        held = [pick for n, (pick, _) in enumerate(places) if n not in free and pick is not None]
        found.append((held, [places[n][1] for n in free]))
    return found


def improve(finder: Finder, root: Node, groups: Sequence[Group], start: Node) -> None:
    """Exchange columns of a run that need not be the best; offer what comes of it.

    Parameters
    ----------
    start
        A node whose columns are a legal run.
    """
    local = finder.copy(start.value - 1)
    if local.offer(start):
        exchange_one(local, root, groups)
        exchange_two(local, root, groups)
        finder.offer(root.add_all(local.picks or ()))
