"""What couples the routes of a run besides track, as amounts per route.

All values here are weighted: revenue and subsidy are already one number
(:class:`optimizer.task.Weights`). A word takes one of two forms:

*best of*: each route has a gain, and the largest few of a run are paid
(:mod:`~optimizer.packing.best_of`);

*groups*: routes have letters, and sets of touching routes earn bonuses
(:class:`GroupBonus`).

Marks are bits of a route that are or-ed over the run: of those of :class:`OneOf` at
most one may be set, those of :class:`SomeRoute` must all be set if anything runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import EndsSubsidy, GroupBonus, OneOf, SomeRoute, VisitBonus
from optimizer.packing.best_of import best_of_words
from optimizer.packing.enumerate import Routes
from optimizer.packing.network import Ints, Words
from optimizer.packing.paying import Tests
from optimizer.route_pay import all_hold
from optimizer.task import Weights


@dataclass(frozen=True)
class Groups:
    """:class:`GroupBonus` in bits and weighted amounts.

    Parameters
    ----------
    letters
        By stop, the bits of its letters.
    pairs
        (bit, bit, weighted amount).
    touch
        Stops at which routes touch.
    best
        The sets are chosen; otherwise they are the connected components.
    """

    letters: Ints
    pairs: tuple[tuple[int, int, int], ...]
    touch: frozenset[int]
    best: bool

    def bonus(self, letters: int) -> int:
        """Return what a set with these letters earns."""
        return _bonus(self.pairs, letters)

    def own(self, letters: Ints) -> Ints:
        """Return what routes earn alone."""
        total = np.zeros(len(letters), dtype=np.int64)
        for one, two, amount in self.pairs:
            total += amount * (((letters & one) != 0) & ((letters & two) != 0))
        return total

    def total(self, letters: Sequence[int], touching: Sequence[int]) -> int:
        """Return what a run earns.

        Parameters
        ----------
        letters
            Of each route.
        touching
            For each route the bits of the routes that it touches.
        """
        if self.best:
            return best_division(self.pairs, tuple(letters), tuple(touching))
        return sum(
            self.bonus(_union(letters, part)) for part in _components(len(letters), touching)
        )


def _bonus(pairs: tuple[tuple[int, int, int], ...], letters: int) -> int:
    return sum(amount for one, two, amount in pairs if letters & one and letters & two)


def _union(letters: Sequence[int], part: int) -> int:
    found = 0
    for number, mine in enumerate(letters):
        if part >> number & 1:
            found |= mine
    return found


def _components(count: int, touching: Sequence[int]) -> Iterator[int]:
    left = (1 << count) - 1
    while left:
        part = _spread(left & -left, left, touching)
        yield part
        left &= ~part


def _spread(seed: int, within: int, touching: Sequence[int]) -> int:
    """Return all of `within` that is connected with `seed`."""
    part, new = seed, seed
    while new:
        low = new & -new
        new ^= low
        more = touching[low.bit_length() - 1] & within & ~part
        part |= more
        new |= more
    return part


@lru_cache(maxsize=1 << 16)
def best_division(
    pairs: tuple[tuple[int, int, int], ...], letters: tuple[int, ...], touching: tuple[int, ...]
) -> int:
    """Return the most that touching routes earn, over all divisions into connected sets."""
    everything = (1 << len(letters)) - 1

    def best(left: int) -> int:
        if not left:
            return 0
        low = left & -left
        rest = left ^ low
        result = 0
        others = rest
        while True:
            part = low | others
            if _spread(low, part, touching) == part:
                value = _bonus(pairs, _union(letters, part)) + best(left & ~part)
                result = max(result, value)
            if not others:
                return result
            others = (others - 1) & rest

    return best(everything)


class Source(Protocol):
    """Where the routes of a pool come from."""

    def rebuild(self, number: int, train: str, cls: int) -> NetRoute:
        """Return a route in numbers of the problem."""


@dataclass
class Pool:
    """Routes that the trains of one class may run, with weighted values.

    Attributes
    ----------
    cls, count
        Class, and how many trains it has in the fleet.
    source, index
        Where the routes come from, and which of them they are.
    base
        Weighted value of each route by itself.
    track
        Bits of track (words x routes); words are common to all pools.
    gains
        For each best-of word what the route would get (words x routes).
    letters, own
        Bits of letters, and weighted bonus earned alone.
    touch
        Bits of the stops at which it touches others (words x routes).
    marks
        Bits of marks.
    """

    cls: int
    count: int
    source: Source
    index: Ints
    base: Ints
    track: Words
    gains: Ints
    letters: Ints
    own: Ints
    touch: Words
    marks: Ints

    def __len__(self) -> int:
        return len(self.base)

    def keep(self, which: Ints) -> Pool:
        """Return a pool with some of the routes, in the given order."""
        return Pool(
            self.cls,
            self.count,
            self.source,
            self.index[which],
            self.base[which],
            self.track[:, which],
            self.gains[:, which],
            self.letters[which],
            self.own[which],
            self.touch[:, which],
            self.marks[which],
        )

    def best_case(self) -> Ints:
        """Return the most that each route can bring, its own gains included."""
        total: Ints = self.base + self.own + self.gains.sum(axis=0, dtype=np.int64)
        return total


class Coupling:
    """The coupling words of a problem, weighted.

    Attributes
    ----------
    counts
        By best-of word how many gains are paid.
    stop_words
        Words that hold the bits of stops; the same in all pools.
    """

    def __init__(self, problem: RoutingProblem, weights: Weights) -> None:
        self.problem = problem
        self.weights = weights
        self.bonuses = problem.words_of(VisitBonus)
        self.ends = problem.words_of(EndsSubsidy)
        self.best_of = best_of_words(problem, weights)
        self.counts = [word.count for word in self.best_of]
        self.groups = _groups(problem, weights)
        self.stop_words = 1
        marks = sorted({mark for word in problem.words_of(OneOf) for mark in word.marks})
        self.mark_bits = {mark: 1 << place for place, mark in enumerate(marks)}
        self.exclusive = [
            sum(self.mark_bits[mark] for mark in word.marks) for word in problem.words_of(OneOf)
        ]
        self.some = [
            (1 << len(marks) + place, word.tests)
            for place, word in enumerate(problem.words_of(SomeRoute))
        ]
        self.required = sum(bit for bit, _ in self.some)

    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        """Return what each route would get of each best-of word (words x routes)."""
        table = np.zeros((len(self.counts), len(index)), dtype=np.int64)
        for row, word in enumerate(self.best_of):
            table[row] = word.gains(routes, index, cls)
        return table

    def marks_of(self, route: NetRoute) -> int:
        """Return the bits of marks of one route."""
        marks = 0
        for leg in route.legs:
            for mark in self.problem.legs[leg].marks:
                marks |= self.mark_bits.get(mark, 0)
        paying = frozenset(route.stops)
        return marks | sum(bit for bit, tests in self.some if all_hold(tests, route, paying))

    def pool(
        self, routes: Routes, index: Ints, cls: int, count: int, words: int, offset: int
    ) -> Pool:
        """Return the pool of some routes for a class.

        Parameters
        ----------
        words
            Words of track, common to all pools.
        offset
            The first of them that belongs to the track class of the routes.
        """
        track = np.zeros((words, len(index)), dtype=np.uint64)
        track[offset : offset + len(routes.track)] = routes.track[:, index]
        letters = np.zeros(len(index), dtype=np.int64)
        touch = np.zeros((0, len(index)), dtype=np.uint64)
        own = letters
        if self.groups is not None:
            letters = self.groups.letters[routes.a[index]] | self.groups.letters[routes.b[index]]
            own = self.groups.own(letters)
            mask = routes.family.mask_of(self.groups.touch)[routes.family.track_words :, None]
            touch = (routes.stops[:, index] & mask)[: self.stop_words]
        return Pool(
            cls=cls,
            count=count,
            source=routes,
            index=index,
            base=self._base(routes, index),
            track=track,
            gains=self.gains(routes, index, cls),
            letters=letters,
            own=own,
            touch=touch,
            marks=self._marks(routes, index),
        )

    def _base(self, routes: Routes, index: Ints) -> Ints:
        base: Ints = routes.value[index] * self.weights.revenue
        if routes.subsidy is not None:
            base = base + routes.subsidy[index] * self.weights.subsidy
        return base

    def _marks(self, routes: Routes, index: Ints) -> Ints:
        marks = np.zeros(len(routes), dtype=np.int64)
        legs = self.problem.legs
        if any(legs[n].marks & self.mark_bits.keys() for n in set(routes.family.leg.tolist())):
            marks = routes.marks(
                {
                    number: sum(self.mark_bits.get(mark, 0) for mark in leg.marks)
                    for number, leg in enumerate(legs)
                    if leg.marks & self.mark_bits.keys()
                }
            )
        if self.some:
            tests = Tests(self.problem, routes, all_paid=False)
            for bit, some in self.some:
                marks |= tests.all_hold(some) * bit
        return marks[index]

    def value(self, chosen: Sequence[tuple[Pool, int]]) -> int:
        """Return the weighted value of a run, track and marks aside."""
        total = sum(int(pool.base[n]) for pool, n in chosen)
        for row, count in enumerate(self.counts):
            gains = sorted((int(pool.gains[row, n]) for pool, n in chosen), reverse=True)
            total += sum(gains[:count])
        if self.groups is not None and chosen:
            letters = [int(pool.letters[n]) for pool, n in chosen]
            if any(letters):
                touch = [pool.touch[:, n] for pool, n in chosen]
                total += self.groups.total(letters, touching(touch))
        return total

    def complete(self, marks: int) -> bool:
        """Tell whether a run of something has all the marks that it must have."""
        return marks & self.required == self.required

    def allowed(self, marks: int) -> bool:
        """Tell whether a run may use all these marks together."""
        return all((marks & bits).bit_count() <= 1 for bits in self.exclusive)


def touching(touch: Sequence[Words]) -> list[int]:
    """Return for each route the bits of the other routes that it touches."""
    found = [0] * len(touch)
    for one in range(len(touch)):
        for two in range(one):
            if np.any(touch[one] & touch[two]):
                found[one] |= 1 << two
                found[two] |= 1 << one
    return found


def _groups(problem: RoutingProblem, weights: Weights) -> Groups | None:
    word = problem.word(GroupBonus)
    if word is None:
        return None
    names = sorted({letter for pair in word.pairs for letter in pair[:2]})
    bit = {name: 1 << place for place, name in enumerate(names)}
    letters = np.zeros(len(problem.stops), dtype=np.int64)
    for stop, mine in word.letters.items():
        letters[stop] = sum(bit.get(letter, 0) for letter in mine)
    pairs = tuple((bit[a], bit[b], amount * weights.revenue) for a, b, amount in word.pairs)
    return Groups(letters, pairs, word.touch, word.best)
