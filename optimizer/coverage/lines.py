"""The network of a problem in strands, and what is remembered of it.

A *plain* stop lies on a line between two others and matters only for what it
pays. An *anchor* is any other stop, and has a bit. A *strand* is the track from
one anchor to another with the plain stops between them.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import MustMeet, MustVisit, PaidOnce
from optimizer.task import Task

REMEMBERED = 8
"""Networks remembered at the same time."""


@dataclass(frozen=True)
class Strand:
    """Track from anchor `a` to anchor `b` with only plain stops in between.

    Parameters
    ----------
    a, b
        Stops.
    legs
        Legs in order from `a` to `b`.
    inner
        The plain stops passed, in order.
    hexes
        Hexes touched.
    end_only_a, end_only_b
        As for a leg.
    clash
        Bits of the pieces of track that other strands use too.
    """

    a: int
    b: int
    legs: tuple[int, ...]
    inner: tuple[int, ...]
    hexes: frozenset[str]
    end_only_a: bool
    end_only_b: bool
    clash: int = 0


@dataclass(frozen=True)
class Lines:
    """The network of a problem.

    Parameters
    ----------
    bit
        By anchor: its bit.
    strands
        The strands.
    clashes
        Number of bits of :attr:`Strand.clash`.
    meet
        Stops at which routes meet, without plain ones that add nothing; None
        if routes need not meet.
    known
        What was found out about the network, by whatever identifies it: the
        same network is asked for with fewer trains, or other objectives.
    lock
        Held while `known` is changed.
    """

    bit: Mapping[int, int]
    strands: tuple[Strand, ...]
    clashes: int
    meet: frozenset[int] | None
    known: dict[object, Any] = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock)


_remembered: OrderedDict[tuple[int, int, frozenset[int]], tuple[RoutingProblem, Lines]]
_remembered = OrderedDict()
_lock = threading.Lock()


def read_lines(task: Task) -> Lines:
    """Return the network of a task's problem; remembered for problems that share it."""
    problem = task.problem
    told = _told_apart(task)
    key = (id(problem.legs), id(problem.words), told)
    with _lock:
        known = _remembered.get(key)
        if known is not None:
            _remembered.move_to_end(key)
            return known[1]
    lines = _Reader(problem, told).read()
    with _lock:
        _remembered[key] = problem, lines
        while len(_remembered) > REMEMBERED:
            _remembered.popitem(last=False)
    return lines


def _told_apart(task: Task) -> frozenset[int]:
    """Return the stops that are ends or choices or have rules of their own."""
    problem = task.problem
    once, home = problem.word(PaidOnce), problem.word(MustVisit)
    told = set() if home is None else set(home.stops)
    for number, cls in enumerate(problem.classes):
        told |= cls.reach.ends | cls.reach.own
        if once is not None and number in once.choose:
            told |= once.choose[number][2]
        for group in cls.reach.groups:
            told |= group.stops | group.unless
    for route in task.pinned:
        told |= {route.stops[0], route.stops[-1]}
    return frozenset(told)


class _Reader:
    """Finds plain stops, anchors and strands."""

    def __init__(self, problem: RoutingProblem, told: frozenset[int]) -> None:
        self.problem = problem
        meet = problem.word(MustMeet)
        self.meet = None if meet is None else meet.stops
        self.at: dict[int, list[int]] = {}
        for number, leg in enumerate(problem.legs):
            if leg.a != leg.b:
                self.at.setdefault(leg.a, []).append(number)
                self.at.setdefault(leg.b, []).append(number)
        self.plain = {
            stop
            for stop, legs in self.at.items()
            if len(legs) == 2
            and stop not in told
            and not any(self._end_only(n, stop) for n in legs)
        }

    def _end_only(self, number: int, stop: int) -> bool:
        leg = self.problem.legs[number]
        return leg.end_only_a if leg.a == stop else leg.end_only_b

    def read(self) -> Lines:
        """Return the network."""
        while True:
            strands = list(self._strands())
            needed = {
                stop
                for strand in strands
                if self.meet is not None and self.meet.isdisjoint((strand.a, strand.b))
                for stop in self.meet.intersection(strand.inner)
            }
            if not needed:
                break
            self.plain -= needed
        anchors = sorted(self.at.keys() - self.plain | self._lone())
        bit = {stop: number for number, stop in enumerate(anchors)}
        marked, clashes = self._clashes(strands)
        meet = None if self.meet is None else frozenset(self.meet & bit.keys())
        return Lines(bit, marked, clashes, meet)

    def _lone(self) -> set[int]:
        """Return stops without legs at which a train may stand."""
        return {
            stop
            for cls in self.problem.classes
            if cls.reach.fewest <= 1
            for stop in cls.reach.own & cls.reach.ends
        }

    def _strands(self) -> Iterator[Strand]:
        for start in sorted(self.at.keys() - self.plain):
            for first in self.at[start]:
                strand = self._walk(start, first)
                if strand is not None:
                    yield strand

    def _walk(self, start: int, first: int) -> Strand | None:
        """Follow a line from an anchor; None unless this is the direction to keep."""
        legs, inner, here = [first], [], self._other(first, start)
        while here in self.plain:
            inner.append(here)
            onward = next(n for n in self.at[here] if n != legs[-1])
            legs.append(onward)
            here = self._other(onward, here)
        items = Counter(item for n in legs for item in self.problem.legs[n].items)
        twice = any(times > 1 for times in items.values())
        if (start, first) > (here, legs[-1]) or start == here or twice:
            return None
        hexes = frozenset().union(*(self.problem.legs[n].hexes for n in legs))
        hexes |= {self.problem.stops[stop].hex for stop in (start, *inner, here)}
        return Strand(
            start,
            here,
            tuple(legs),
            tuple(inner),
            hexes,
            self._end_only(first, start),
            self._end_only(legs[-1], here),
        )

    def _other(self, number: int, stop: int) -> int:
        leg = self.problem.legs[number]
        return leg.b if leg.a == stop else leg.a

    def _clashes(self, strands: list[Strand]) -> tuple[tuple[Strand, ...], int]:
        """Give a bit to each set of strands that share a piece of track."""
        users: dict[Hashable, set[int]] = {}
        for number, strand in enumerate(strands):
            for leg in strand.legs:
                for item in self.problem.legs[leg].items:
                    users.setdefault(item, set()).add(number)
        sets = sorted({tuple(sorted(u)) for u in users.values() if len(u) > 1})
        masks = [0] * len(strands)
        for bit, together in enumerate(sets):
            for number in together:
                masks[number] |= 1 << bit
        marked = [replace(s, clash=m) if m else s for s, m in zip(strands, masks, strict=True)]
        return tuple(marked), len(sets)
