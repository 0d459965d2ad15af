"""A run in the making: some columns are chosen, what they leave open is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Ints, Words, pack, unpack_one, words_for
from optimizer.coverage.columns import Group
from optimizer.coverage.statement import Statement


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen column: place `at` in `group`."""

    group: Group
    at: int

    @property
    def row(self) -> int:
        """Number of the column at its source."""
        return int(self.group.rows[self.at])


@dataclass(frozen=True, slots=True)
class Node:
    """Chosen columns, and what they leave to others.

    Parameters
    ----------
    picks
        The columns.
    value
        Units that they bring together.
    rest
        The bound without columns still to come: that of the prices, and the
        scores of the columns, each when it was chosen.
    open
        Value of each element that is not paid yet, else 0.
    element
        Price of each element that is not paid yet, else 0.
    home_price
        Price of the visit to home, 0 once it is visited.
    node
        Prices of loose ends; one more entry, 0.
    parts
        Anchors of each connected part of the run.
    home
        Home is visited, or need not be.
    used
        Bits of anchors that are loose ends.
    steps
        Prices are multiples of a unit divided by this.
    """

    picks: tuple[Pick, ...]
    value: float
    rest: float
    open: Floats
    element: Floats
    home_price: float
    node: Floats
    parts: tuple[int, ...]
    home: bool
    used: tuple[int, ...]
    steps: int

    def add(self, group: Group, at: int) -> Node:
        """Return the node with one column more."""
        pay, gain = group.pay[at], float(group.gain[at])
        at_home = bool(group.home[at])
        ends = group.nodes[at]
        score = float(pay @ self.element) + gain + self.home_price * at_home
        score -= float(self.node[ends].sum())
        parts = list(self.parts)
        for piece in group.pieces or (group.meet,):
            mine = unpack_one(piece[at])
            apart = [part for part in parts if not part & mine]
            for part in parts:
                if part & mine:
                    mine |= part
            parts = [*apart, mine]
        return Node(
            picks=(*self.picks, Pick(group, at)),
            value=self.value + float(pay @ self.open) + gain,
            rest=self.rest + score,
            open=self.open * (1 - pay),
            element=self.element * (1 - pay),
            home_price=0.0 if at_home else self.home_price,
            node=self.node,
            parts=tuple(parts),
            home=self.home or at_home,
            used=(*self.used, *ends[ends >= 0].tolist()),
            steps=self.steps,
        )

    def add_all(self, picks: Sequence[Pick]) -> Node:
        """Return the node with more columns."""
        node = self
        for pick in picks:
            node = node.add(pick.group, pick.at)
        return node

    def gains(self, group: Group) -> Floats:
        """Return by column the units that it would bring; minus infinity where it may not run."""
        gains: Floats = group.pay @ self.open + group.gain
        if self.used:
            gains[self.taken(group)] = -np.inf
        return gains

    def scores(self, group: Group) -> Floats:
        """Return what each column adds to the bound; minus infinity where it may not run."""
        scores: Floats = group.pay @ self.element + group.gain
        if self.home_price:
            scores += scores.dtype.type(self.home_price) * group.home
        if self.node.any():
            scores -= self.node[group.nodes].sum(axis=1)
        if self.used:
            scores[self.taken(group)] = -np.inf
        return scores

    def taken(self, group: Group) -> Flags:
        """Tell by column whether one of its loose ends is used already."""
        used = np.zeros(len(self.node), dtype=np.bool_)
        used[list(self.used)] = True
        return np.asarray(used[group.nodes].any(axis=1))

    def part_words(self, words: int) -> Words:
        """Return the connected parts as rows of words."""
        return pack(self.parts, words)


def share_ends(one: Ints, other: Ints) -> Flags:
    """Tell for each column of one group and each of another if they have a loose end in common.

    Parameters
    ----------
    one, other
        :attr:`Group.nodes` of both.
    """
    shared = np.zeros((len(one), len(other)), dtype=np.bool_)
    for a in range(2):
        for b in range(2):
            shared |= (one[:, a, None] == other[None, :, b]) & (one[:, a, None] >= 0)
    return shared


def meet_words(statement: Statement) -> int:
    """Return the number of words of :attr:`Group.meet`."""
    return words_for(len(statement.bit))
