"""The problem read for coverage: what pays once, in units.

An *element* is something that pays once over the run: a name of
:class:`~engine.routing.vocabulary.PaidOnce`, or a hex of
:class:`~engine.routing.vocabulary.HexSubsidy`. Its value is a whole number of
*units*, the largest amount that divides everything the objective can grow by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    Chains,
    HexSubsidy,
    MustRun,
    MustVisit,
    PaidOnce,
)
from optimizer.coverage.arrays import Ints, mask_of
from optimizer.coverage.lines import Lines, Strand, read_lines
from optimizer.task import RouteKey, Task, Weights
from optimizer.words import refuse_unknown

MOST_STEPS = 16
EXACT = 1 << 24
"""Whole numbers below this are exact in the shorter floating-point type."""


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
        By stop: its element, or -1 if it never pays.
    hex_element
        By hex: its element; empty if no hexes pay.
    lines
        The network.
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
    lines: Lines
    parts: tuple[Part, ...]
    banned: frozenset[RouteKey]

    @property
    def bit(self) -> Mapping[int, int]:
        """By anchor: its bit."""
        return self.lines.bit

    @property
    def strands(self) -> tuple[Strand, ...]:
        """The strands of the network."""
        return self.lines.strands

    @property
    def meet(self) -> frozenset[int] | None:
        """Stops at which routes meet; None if they need not."""
        return self.lines.meet

    @cached_property
    def home(self) -> frozenset[int] | None:
        """Stops of which one must be visited; None if none need be."""
        word = self.problem.word(MustVisit)
        return None if word is None else word.stops

    @cached_property
    def once(self) -> PaidOnce:
        """The word that says what pays once."""
        word = self.problem.word(PaidOnce)
        if word is None:
            raise ValueError("coverage needs the word PaidOnce")
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
        return frozenset() if word is None else word.classes

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
    def closed_bonus(self) -> Ints:
        """By anchor, as a bit: units that a closed chain earns if it pays there."""
        word = self.chains
        pounds = [0 if word is None else word.closed_bonus.get(stop, 0) for stop in self.anchors]
        return np.array(pounds, dtype=np.int64) * self.weights.revenue // self.unit

    @cached_property
    def trains(self) -> int:
        """Number of trains."""
        return sum(len(part.trains) for part in self.parts)

    @cached_property
    def most(self) -> int:
        """Units that no run can exceed: every element and every bonus at its best."""
        chained = sum(len(part.trains) for part in self.parts if self.is_chained(part.cls))
        highest = 0 if self.chains is None else self.chains.highest_bonus()
        return int(self.values.sum()) + chained * (highest * self.weights.revenue // self.unit)

    @cached_property
    def steps(self) -> int:
        """Prices are multiples of a unit divided by this, so that all sums are exact."""
        room = EXACT // self._largest
        return min(MOST_STEPS, 1 << (room.bit_length() - 1)) if room else MOST_STEPS

    @cached_property
    def dtype(self) -> type[np.floating]:
        """The shorter floating-point type if sums of values and prices are exact in it."""
        return np.float32 if self._largest <= EXACT else np.float64

    @property
    def _largest(self) -> int:
        """Units that no sum in the bounds exceeds: no price is above :attr:`most`, and the
        score of a column has the prices of two loose ends at most."""
        return max(1, 2 * self.most * max(2, self.trains))


def read_statement(task: Task) -> Statement:
    """Read the problem of a task.

    Raises
    ------
    ValueError
        The problem uses words, or trains use track, that this engine does not know.
    """
    problem, weights = task.problem, task.weights
    once = _check_known(problem, weights)
    names = sorted({name for name in once.payee if name is not None})
    subsidy = problem.word(HexSubsidy)
    hexes: list[str] = []
    if subsidy is not None:
        touched = {name for leg in problem.legs for name in leg.hexes}
        hexes = sorted(touched | {stop.hex for stop in problem.stops})
    amounts = [weights.revenue * once.amount[name] for name in names]
    amounts += [weights.subsidy * subsidy.amount if subsidy else 0] * len(hexes)
    chains = problem.word(Chains)
    bonuses = list(_bonuses(chains, weights)) if chains is not None else []
    unit = gcd(*amounts, *bonuses) or 1
    place = {name: number for number, name in enumerate(names)}
    return Statement(
        problem=problem,
        weights=weights,
        unit=unit,
        values=np.array(amounts, dtype=np.int64) // unit,
        stop_element=tuple(-1 if name is None else place[name] for name in once.payee),
        hex_element={name: len(names) + number for number, name in enumerate(hexes)},
        lines=read_lines(task),
        parts=tuple(_parts(task)),
        banned=task.banned,
    )


def _bonuses(chains: Chains, weights: Weights) -> Iterator[int]:
    """Yield every weighted bonus that chains may earn."""
    for row in chains.bonus:
        yield from (weights.revenue * amount for amount in row)
    yield from (weights.revenue * amount for amount in chains.closed_bonus.values())


def _check_known(problem: RoutingProblem, weights: Weights) -> PaidOnce:
    """Refuse what this engine would get wrong; return the word that says what pays."""
    refuse_unknown(problem, "coverage")
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
    if any(not word.classes.isdisjoint(chained) for word in problem.words_of(HexSubsidy)):
        raise ValueError("coverage knows no subsidy for chained routes")
    for number, cls in enumerate(problem.classes):
        if cls.trains and (number in once.choose) == (number in chained):
            raise ValueError(f"class {cls.name} pays neither once nor through chains alone")
        if cls.trains and (any(cls.pay.legs) or cls.pay.span is not None):
            raise ValueError(f"class {cls.name} pays for legs or distance")
    return once


def _parts(task: Task) -> Iterator[Part]:
    taken = {route.train for route in task.pinned}
    for route in task.pinned:
        yield Part(route.cls, (route.train,), route)
    for number, cls in enumerate(task.problem.classes):
        free = tuple(train for train in cls.trains if train not in taken)
        if free:
            yield Part(number, free)
