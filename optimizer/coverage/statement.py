"""The problem read for coverage: what pays once, in units, and the network in strands.

An *element* is something that pays once over the run: a name of
:class:`~engine.routing.vocabulary.PaidOnce`, or a hex of
:class:`~engine.routing.vocabulary.HexSubsidy`. Its value is a whole number of
*units*, the largest amount that divides everything the objective can grow by.

A *plain* stop lies on a line between two others and matters only for what it
pays. An *anchor* is any other stop, and has a bit. A *strand* is the track from
one anchor to another with the plain stops between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    Chains,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    PaidOnce,
)
from optimizer.coverage.arrays import Ints, mask_of
from optimizer.task import RouteKey, Task, Weights

KNOWN_WORDS = (PaidOnce, MustVisit, MustMeet, Chains, MustRun, HexSubsidy)
MOST_STEPS = 16
EXACT = 1 << 24
"""Whole numbers below this are exact in the shorter floating-point type."""


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
class Part:
    """Trains that choose among the same routes: those of a class that are free to
    choose, or one train whose route is pinned."""

    cls: int
    trains: tuple[str, ...]
    pinned: NetRoute | None = None


@dataclass(frozen=True)
class Statement:
    """What there is to cover.

    Parameters
    ----------
    problem, weights
        As given.
    unit
        Weighted value of one unit.
    values
        Units of each element.
    stop_element
        By stop: its element, or -1 if it pays nothing.
    hex_element
        By hex: its element; empty if hexes pay nothing.
    meet, home
        Stops at which routes meet, without plain ones that add nothing; stops
        of which one must be visited. None: the run need not.
    bit
        By anchor: its bit.
    strands
        The network.
    clashes
        Number of bits of :attr:`Strand.clash`.
    parts
        The trains.
    banned
        Routes that may not run.
    """

    problem: RoutingProblem
    weights: Weights
    unit: int
    values: Ints
    stop_element: tuple[int, ...]
    hex_element: Mapping[str, int]
    meet: frozenset[int] | None
    home: frozenset[int] | None
    bit: Mapping[int, int]
    strands: tuple[Strand, ...]
    clashes: int
    parts: tuple[Part, ...]
    banned: frozenset[RouteKey]

    @cached_property
    def once(self) -> PaidOnce:
        """The word that says what pays once."""
        word = self.problem.word(PaidOnce)
        assert word is not None
        return word

    @cached_property
    def chains(self) -> Chains | None:
        """The word that joins routes, or None."""
        return self.problem.word(Chains)

    @cached_property
    def must_run(self) -> frozenset[int]:
        """Classes whose trains stand idle only if they must."""
        word = self.problem.word(MustRun)
        return frozenset() if word is None else word.classes

    @cached_property
    def hex_classes(self) -> frozenset[int]:
        """Classes whose hexes pay."""
        word = self.problem.word(HexSubsidy)
        return frozenset() if word is None or not self.hex_element else word.classes

    @cached_property
    def meet_mask(self) -> int:
        """The anchors at which routes meet, as bits."""
        return mask_of(self.bit[stop] for stop in self.meet or () if stop in self.bit)

    @cached_property
    def home_mask(self) -> int:
        """The anchors of which one must be visited, as bits."""
        return mask_of(self.bit[stop] for stop in self.home or () if stop in self.bit)

    @cached_property
    def anchors(self) -> tuple[int, ...]:
        """Stops by bit."""
        return tuple(self.bit)

    def is_chained(self, cls: int) -> bool:
        """Tell whether the routes of a class are joined to chains."""
        return self.chains is not None and cls in self.chains.classes

    @cached_property
    def bonus(self) -> Ints:
        """Units of bonus by two places."""
        if self.chains is None or not self.chains.bonus:
            return np.zeros((1, 1), dtype=np.int64)
        pounds = np.array(self.chains.bonus, dtype=np.int64)
        return pounds * self.weights.revenue // self.unit

    @cached_property
    def most(self) -> int:
        """Units that no run can exceed: every element and every bonus at its best."""
        chained = sum(len(part.trains) for part in self.parts if self.is_chained(part.cls))
        return int(self.values.sum()) + chained * int(self.bonus.max(initial=0))

    @cached_property
    def steps(self) -> int:
        """Prices are multiples of a unit divided by this, so that all sums are exact."""
        trains = sum(len(part.trains) for part in self.parts)
        room = EXACT // max(1, self.most * max(2, trains))
        return min(MOST_STEPS, 1 << (room.bit_length() - 1)) if room else MOST_STEPS

    @cached_property
    def dtype(self) -> type[np.floating]:
        """The shorter floating-point type if sums of values and prices are exact in it."""
        trains = sum(len(part.trains) for part in self.parts)
        return np.float32 if self.most * max(2, trains) < EXACT else np.float64


def read_statement(task: Task) -> Statement:
    """Read the problem of a task.

    Raises
    ------
    ValueError
        The problem uses words, or trains use track, that this engine does not know.
    """
    problem = task.problem
    _check_known(problem, task.weights)
    once = problem.word(PaidOnce)
    assert once is not None
    unit, names, hexes = _elements(problem, once, task.weights)
    amounts = [task.weights.revenue * once.amount[name] // unit for name in names]
    subsidy = problem.word(HexSubsidy)
    per_hex = 0 if subsidy is None else task.weights.subsidy * subsidy.amount // unit
    amounts += [per_hex] * len(hexes)
    place = {name: number for number, name in enumerate(names)}
    reader = _Network(problem, task)
    bit, strands, clashes = reader.read()
    return Statement(
        problem=problem,
        weights=task.weights,
        unit=unit,
        values=np.array(amounts, dtype=np.int64),
        stop_element=tuple(-1 if p is None else place.get(p, -1) for p in once.payee),
        hex_element={name: len(names) + number for number, name in enumerate(hexes)},
        meet=None if reader.meet is None else frozenset(reader.meet & bit.keys()),
        home=reader.home,
        bit=bit,
        strands=strands,
        clashes=clashes,
        parts=tuple(_parts(task)),
        banned=task.banned,
    )


def _check_known(problem: RoutingProblem, weights: Weights) -> None:
    """Refuse what this engine would get wrong."""
    unknown = {type(word).__name__ for word in problem.words if not isinstance(word, KNOWN_WORDS)}
    if unknown or problem.attachments:
        names = sorted(unknown | ({"Attachment"} if problem.attachments else set()))
        raise ValueError(f"coverage does not know {', '.join(names)}")
    once = problem.word(PaidOnce)
    if once is None:
        raise ValueError("coverage needs the word PaidOnce")
    if weights.revenue < 0 or weights.subsidy < 0 or min(once.amount.values(), default=0) < 0:
        raise ValueError("coverage knows no amounts below zero")
    tracks = Counter(c.track for c in problem.classes for _ in c.trains if c.track is not None)
    if any(count > 1 for count in tracks.values()):
        raise ValueError("coverage knows only trains that share track freely")
    chains = problem.word(Chains)
    chained = frozenset[int]() if chains is None else chains.classes
    for number, cls in enumerate(problem.classes):
        if cls.trains and (number in once.choose) == (number in chained):
            raise ValueError(f"class {cls.name} pays neither once nor through chains alone")
        if cls.trains and (any(cls.pay.legs) or cls.pay.span is not None):
            raise ValueError(f"class {cls.name} pays for legs or distance")


def _elements(
    problem: RoutingProblem, once: PaidOnce, weights: Weights
) -> tuple[int, list[str], list[str]]:
    """Return the unit, the names that pay, and the hexes that pay."""
    used = {name for name in once.payee if name is not None}
    names = sorted(name for name in used if weights.revenue * once.amount[name] > 0)
    steps = [weights.revenue * once.amount[name] for name in names]
    chains = problem.word(Chains)
    if chains is not None:
        steps += [weights.revenue * amount for row in chains.bonus for amount in row]
    subsidy = problem.word(HexSubsidy)
    hexes: list[str] = []
    if subsidy is not None and weights.subsidy * subsidy.amount > 0:
        steps.append(weights.subsidy * subsidy.amount)
        touched = {name for leg in problem.legs for name in leg.hexes}
        hexes = sorted(touched | {stop.hex for stop in problem.stops})
    return gcd(*steps) or 1, names, hexes


def _parts(task: Task) -> Iterator[Part]:
    taken = {route.train for route in task.pinned}
    for route in task.pinned:
        yield Part(route.cls, (route.train,), route)
    for number, cls in enumerate(task.problem.classes):
        free = tuple(train for train in cls.trains if train not in taken)
        if free:
            yield Part(number, free)


class _Network:
    """Finds plain stops, anchors and strands."""

    def __init__(self, problem: RoutingProblem, task: Task) -> None:
        self.problem = problem
        meet, home = problem.word(MustMeet), problem.word(MustVisit)
        self.meet = None if meet is None else meet.stops
        self.home = None if home is None else home.stops
        self.at: dict[int, list[int]] = {}
        for number, leg in enumerate(problem.legs):
            if leg.a != leg.b:
                self.at.setdefault(leg.a, []).append(number)
                self.at.setdefault(leg.b, []).append(number)
        self.plain = self._plain(task)

    def _plain(self, task: Task) -> set[int]:
        """Return the stops on a line that are never ends, choices, or told apart."""
        once = self.problem.word(PaidOnce)
        assert once is not None
        told = set(self.home or ())
        for number, cls in enumerate(self.problem.classes):
            if cls.trains:
                told |= cls.reach.ends | cls.reach.own
                told |= once.choose.get(number, (frozenset(), 0, frozenset()))[2]
                for group in cls.reach.groups:
                    told |= group.stops | group.unless
        for route in task.pinned:
            told |= {route.stops[0], route.stops[-1]}
        return {
            stop
            for stop, legs in self.at.items()
            if len(legs) == 2 and stop not in told and not any(self._end_only(n, stop) for n in legs)
        }

    def _end_only(self, number: int, stop: int) -> bool:
        leg = self.problem.legs[number]
        return leg.end_only_a if leg.a == stop else leg.end_only_b

    def read(self) -> tuple[dict[int, int], tuple[Strand, ...], int]:
        """Return the bits of anchors, the strands, and the number of clashes."""
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
        marked, clashes = self._clashes(strands)
        return {stop: bit for bit, stop in enumerate(anchors)}, marked, clashes

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
        return tuple(_with_clash(s, m) for s, m in zip(strands, masks, strict=True)), len(sets)


def _with_clash(strand: Strand, clash: int) -> Strand:
    if not clash:
        return strand
    return Strand(
        strand.a,
        strand.b,
        strand.legs,
        strand.inner,
        strand.hexes,
        strand.end_only_a,
        strand.end_only_b,
        clash,
    )


def elements_of_stops(statement: Statement, stops: Iterable[int]) -> frozenset[int]:
    """Return the elements under which `stops` pay."""
    return frozenset(statement.stop_element[stop] for stop in stops) - {-1}
