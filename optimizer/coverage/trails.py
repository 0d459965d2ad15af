"""Trails: chained routes joined end to end, found node by node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import permutations
from typing import Protocol

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.coverage.arrays import (
    Flags,
    Ints,
    Words,
    different,
    maximal_in_groups,
    order_by,
    starts_of_runs,
)
from optimizer.coverage.enumerate import TimeUpError
from optimizer.coverage.patterns import ChainType

AT_ONCE = 1 << 17
"""About so many trails are joined in one operation, and reduced before there are more."""


@dataclass(frozen=True)
class Runs:
    """Routes of one part, seen as what a chain can be made of.

    Parameters
    ----------
    part
        Number of the part.
    a, b
        By route: numbers of its ends.
    marks
        By route: anchors visited that matter to others.
    tracks
        The routes as sequences of stops and legs, by row.
    """

    part: int
    a: Ints
    b: Ints
    marks: Words
    tracks: Callable[[int], NetRoute]

    def directed(self) -> tuple[Ints, Ints, Ints]:
        """Return the routes in both directions: from which end, to which end, which route."""
        rows = np.arange(len(self.a), dtype=np.int64)
        return np.r_[self.a, self.b], np.r_[self.b, self.a], np.r_[rows, rows]


@dataclass(frozen=True)
class Trails:
    """Trails of one order of parts, one a row.

    Parameters
    ----------
    order
        Parts in order along the trail.
    start, tail
        Numbers of its first and last end.
    nodes
        Bits of the anchors where routes end, in order: one more than routes.
    marks
        Anchors visited that matter to others.
    links
        The routes, as rows of their part.
    whole
        Its routes meet without the help of others.
    """

    order: ChainType
    start: Ints
    tail: Ints
    nodes: Ints
    marks: Words
    links: Ints
    whole: Flags

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Ints | Flags) -> Trails:
        """Return some of the trails."""
        return Trails(
            self.order,
            self.start[rows],
            self.tail[rows],
            self.nodes[rows],
            self.marks[rows],
            self.links[rows],
            self.whole[rows],
        )

    def loose(self) -> tuple[Flags, Flags]:
        """Tell for both ends of each trail whether nothing else of it ends there."""
        first = (self.nodes[:, 1:] != self.nodes[:, :1]).all(axis=1)
        last = (self.nodes[:, :-1] != self.nodes[:, -1:]).all(axis=1)
        return first, last


class Filter(Protocol):
    """Which trails may be a chain at all."""

    def begins(self, runs: Runs) -> Flags:
        """Tell by directed route whether a trail may begin with it."""

    def keeps(self, trails: Trails) -> Flags:
        """Tell which trails may be used."""


@dataclass(frozen=True)
class TrailFinder:
    """Finds the trails of given orders of parts.

    Parameters
    ----------
    runs
        Routes by part.
    node
        By number of an end: the bit of its anchor.
    meet
        The anchors at which routes meet; None if they need not.
    every
        Keep trails that pass where another one does too.
    over
        Tells whether time is up.
    allowed
        Says which trails may be used; all if None.
    places
        What may run beside a trail depends on where its routes are joined.
    """

    runs: Mapping[int, Runs]
    node: Ints
    meet: Words | None
    every: bool
    over: Callable[[], bool]
    allowed: Filter | None
    places: bool

    def find(self, order: ChainType, wanted: Flags, closed: bool) -> tuple[Trails, Trails]:
        """Return open and closed trails.

        Parameters
        ----------
        order
            Parts in order along the trails.
        wanted
            Pairs of ends between which open trails are wanted.
        closed
            Closed trails are wanted too.

        Raises
        ------
        TimeUpError
            Time is up.
        """
        trails = self._first(order[0])
        trails = trails.take(self._begins(order[0]))
        if not closed:
            trails = trails.take(np.asarray(wanted.any(axis=1))[trails.start])
        for part in order[1:-1]:
            some = list(map(self._started, self._prolong(trails, part, None, False)))
            trails = some[0] if len(some) == 1 else self._started(_together(some))
        whole: Iterable[Trails] = [trails]
        if len(order) > 1:
            whole = self._prolong(trails, order[-1], None if closed else wanted, True)
        lines: list[Trails] = []
        rings: list[Trails] = []
        for several in whole:
            one, other = self._told_apart(several, wanted, closed)
            rings.append(other)
            lines.append(one)
            if sum(map(len, lines)) >= AT_ONCE:
                lines = [self._lean(_together(lines))]
        return _together(lines), _together(rings)

    def _started(self, trails: Trails) -> Trails:
        """Return the trails, still to be prolonged, that no other one can stand for."""
        return trails.take(self.kept(trails, np.sort(trails.nodes, axis=1)))

    def _told_apart(self, trails: Trails, wanted: Flags, closed: bool) -> tuple[Trails, Trails]:
        """Return those of whole trails that are open between ends wanted, and the closed ones."""
        first, end = trails.loose()
        joined = wanted[trails.start, trails.tail] & first & end
        if trails.order == trails.order[::-1]:
            joined &= trails.start < trails.tail
        return self._fine(trails.take(joined)), self._fine(trails.take(~first & ~end & closed))

    def _lean(self, lines: Trails) -> Trails:
        """Return the open trails that no other one can stand for."""
        is_open = np.ones(len(lines), dtype=np.bool_)
        return lines.take(self.kept(lines, self.told_by(lines, is_open)))

    def _fine(self, trails: Trails) -> Trails:
        self._check_time()
        return trails if self.allowed is None else trails.take(self.allowed.keeps(trails))

    def told_by(self, trails: Trails, is_open: Flags) -> Ints:
        """Return by what whole trails between equal ends are told apart: the nodes, if they matter.

        Parameters
        ----------
        is_open
            By trail: it has loose ends.
        """
        if self.every:
            return trails.nodes
        nodes = np.sort(trails.nodes, axis=1)
        matter = ~is_open | (nodes[:, 1:] == nodes[:, :-1]).any(axis=1) | self.places
        return np.where(matter[:, None], nodes, -1)

    def _check_time(self) -> None:
        if self.over():
            raise TimeUpError

    def _begins(self, part: int) -> Flags:
        runs = self.runs[part]
        if self.allowed is None:
            return np.ones(2 * len(runs.a), dtype=np.bool_)
        return self.allowed.begins(runs)

    def _first(self, part: int) -> Trails:
        start, tail, rows = self.runs[part].directed()
        return Trails(
            (part,),
            start,
            tail,
            np.stack((self.node[start], self.node[tail]), axis=1),
            self.runs[part].marks[rows],
            rows[:, None],
            np.ones(len(rows), dtype=np.bool_),
        )

    def _prolong(
        self, trails: Trails, part: int, wanted: Flags | None, last: bool
    ) -> Iterator[Trails]:
        """Yield, some at a time, the trails that are one of `trails` and a route of a part at
        its end."""
        more = self._first(part)
        here = self.node[trails.tail]
        ends = np.ones(len(more), dtype=np.bool_)
        if last:  # turned round, a trail may begin with its last route
            ends = np.roll(self._begins(part), len(ends) // 2)
        rows, others = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
        for node in np.unique(here).tolist():
            self._check_time()
            above = np.nonzero(here == node)[0]
            beside = np.nonzero(ends & (more.nodes[:, 0] == node))[0]
            if wanted is None:
                one, two = np.indices((len(above), len(beside))).reshape(2, -1)
            else:
                one, two = np.nonzero(wanted[np.ix_(trails.start[above], more.tail[beside])])
            rows.append(above[one])
            others.append(beside[two])
            if sum(map(len, rows)) >= AT_ONCE:
                yield self._joined(trails, more, np.concatenate(rows), np.concatenate(others))
                rows, others = rows[:1], others[:1]
        yield self._joined(trails, more, np.concatenate(rows), np.concatenate(others))

    def _joined(self, trails: Trails, more: Trails, row: Ints, other: Ints) -> Trails:
        """Return trails `row` with the routes `other` at their ends."""
        joined = Trails(
            trails.order + more.order,
            trails.start[row],
            more.tail[other],
            np.concatenate((trails.nodes[row], more.nodes[other, 1:]), axis=1),
            trails.marks[row] | more.marks[other],
            np.concatenate((trails.links[row], more.links[other]), axis=1),
            np.ones(len(row), dtype=np.bool_),
        )
        return replace(joined, whole=self._whole(joined))

    def _whole(self, trails: Trails) -> Flags:
        """Tell which trails meet by themselves: surely if all joints are where routes meet."""
        whole = np.ones(len(trails), dtype=np.bool_)
        if self.meet is None:
            return whole
        words = self.meet.shape[0]
        joints = trails.nodes[:, 1:-1]
        at = np.zeros(words * 64, dtype=np.bool_)
        numbers = np.arange(words * 64)
        at[:] = (self.meet[numbers // 64] >> (numbers % 64).astype(np.uint64)) & np.uint64(1)
        unsure = np.nonzero(~at[joints].all(axis=1))[0]
        if len(unsure):
            sets = [
                self.runs[part].marks[trails.links[unsure, column]] & self.meet
                for column, part in enumerate(trails.order)
            ]
            able = np.all([piece.any(axis=1) for piece in sets], axis=0)
            whole[unsure] = connected(sets) & able
        return whole

    def kept(self, trails: Trails, *keys: Ints) -> Ints:
        """Return the trails that no other one with equal keys can stand for.

        Trails that do not meet by themselves are all kept: how they do with the
        help of others depends on each of their routes.
        """
        self._check_time()
        apart = np.where(trails.whole, -1, np.arange(len(trails)))
        group = groups_of(trails.start[:, None], trails.tail[:, None], apart[:, None], *keys)
        if self.every:
            return different(np.concatenate((group[:, None].view(np.uint64), trails.marks), axis=1))
        return maximal_in_groups(group, trails.marks)


def _together(some: Sequence[Trails]) -> Trails:
    """Return trails of one order, found some at a time, in one."""
    if len(some) == 1:
        return some[0]
    arrays = (field.name for field in fields(Trails) if field.name != "order")
    return Trails(
        some[0].order, *(np.concatenate([getattr(t, name) for t in some]) for name in arrays)
    )


def connected(sets: list[Words]) -> Flags:
    """Tell row by row whether the sets that are not empty are connected by common elements."""
    reached = sets[0].copy()
    for other in sets[1:]:
        nothing = ~reached.any(axis=1)
        reached[nothing] = other[nothing]
    for _ in range(len(sets) - 1):
        for one in sets:
            reached |= np.where(np.asarray((reached & one).any(axis=1))[:, None], one, np.uint64(0))
    joined = np.ones(len(reached), dtype=np.bool_)
    for one in sets:
        joined &= ~(one & ~reached).any(axis=1)
    return joined


def orders_of(kind: ChainType) -> list[ChainType]:
    """Return the orders of the parts of a chain, one of each and its reverse."""
    return sorted({min(order, order[::-1]) for order in permutations(kind)})


def groups_of(*keys: Ints) -> Ints:
    """Number the different combinations of keys, given as matrices."""
    order = order_by(*keys)
    group = np.empty(len(order), dtype=np.int64)
    group[order] = np.cumsum(starts_of_runs(order, *keys))
    return group
