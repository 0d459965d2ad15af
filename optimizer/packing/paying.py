"""What listed routes pay by themselves, all at once: tests, bonuses, factors, choices.

The enumerator adds up stops and legs as routes grow; here is everything in
:class:`~engine.routing.vocabulary.Pay` that is no plain sum.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Bonus, Factor, Has, Of
from optimizer.packing.enumerate import Routes
from optimizer.packing.network import Family, Flags, Ints, Words


def bits_number(words: Words, mask: Words) -> Ints:
    """Return how many bits of a mask each column has."""
    total = np.zeros(words.shape[1], dtype=np.int64)
    for word, bits in enumerate(mask):
        if bits:
            total += np.bitwise_count(words[word] & bits)
    return total


class Tests:
    """Counts and tests of routes (:class:`~engine.routing.vocabulary.Has`), remembered.

    Parameters
    ----------
    problem, routes
        Whose routes.
    all_paid
        All visited stops count as paid; otherwise, where stops were chosen to pay
        (``routes.sizes``), tests of what is paid look at all stops.
    """

    def __init__(self, problem: RoutingProblem, routes: Routes, *, all_paid: bool = True) -> None:
        self.problem = problem
        self.routes = routes
        self.all_paid = all_paid
        self._numbers: dict[tuple[Of, frozenset[int]], Ints] = {}

    def mask(self, stops: Iterable[int]) -> Words:
        """Return the stop words with the bits of `stops` set."""
        family = self.routes.family
        return family.mask_of(stops)[family.track_words :]

    def number(self, of: Of, numbers: frozenset[int]) -> Ints:
        """Return how many of `numbers` each route has."""
        if of is Of.PAID and not self.all_paid:
            if self.routes.paying is not None:
                return bits_number(self.routes.paying, self.mask(numbers))
            if self.routes.sizes is not None:
                return self.routes.sizes
        of = Of.VISITED if of is Of.PAID else of
        key = (of, numbers)
        if key not in self._numbers:
            self._numbers[key] = self._count(of, numbers)
        return self._numbers[key]

    def _count(self, of: Of, numbers: frozenset[int]) -> Ints:
        routes = self.routes
        if of is Of.VISITED:
            return bits_number(routes.stops, self.mask(numbers))
        if of is Of.LEGS:
            return routes.leg_sums(dict.fromkeys(numbers, 1))
        among = np.zeros(len(self.problem.stops), dtype=np.int64)
        among[sorted(numbers)] = 1
        both: Ints = among[routes.a] + np.where(routes.a != routes.b, among[routes.b], 0)
        return both

    def all_hold(self, tests: Iterable[Has]) -> Flags:
        """Tell of which routes all tests hold."""
        holds = np.ones(len(self.routes), dtype=np.bool_)
        for test in tests:
            holds &= within(test, self.number(test.of, test.numbers))
        return holds

    def earned(self, bonuses: Collection[Bonus]) -> Ints:
        """Return what routes earn of bonuses, in £."""
        total = np.zeros(len(self.routes), dtype=np.int64)
        for bonus in bonuses:
            times = 1 if bonus.per is None else self.number(bonus.of, bonus.per)
            total += bonus.amount * times * self.all_hold(bonus.tests)
        return total


def within(test: Has, number: Ints) -> Flags:
    """Tell where a number is within the limits of a test."""
    holds: Flags = number >= test.least
    return holds if test.most is None else holds & (number <= test.most)


def factored(factor: Factor, base: Ints) -> Ints:
    """Return what a factor makes of amounts."""
    num, den, rounding = factor.num, factor.den, factor.rounding
    made: Ints
    if num > den:
        made = base + base * (num - den) // den // rounding * rounding
    else:
        made = base * num // den // rounding * rounding
    return made


class Amounts:
    """Sums of amounts of the stops whose bits are set, by tables of bytes."""

    def __init__(self, family: Family, amounts: Mapping[int, int]) -> None:
        words = family.words - family.track_words
        by_bit = np.zeros(64 * words, dtype=np.int64)
        for stop, bit in family.stop_bit_of.items():
            by_bit[bit - 64 * family.track_words] = amounts.get(stop, 0)
        bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
        self.tables = [
            (octet, bits @ part) for octet, part in enumerate(by_bit.reshape(-1, 8)) if part.any()
        ]

    def of(self, words: Words) -> Ints:
        """Return the sum of each column."""
        total = np.zeros(words.shape[1], dtype=np.int64)
        octets = [np.ascontiguousarray(word).view(np.uint8).reshape(-1, 8) for word in words]
        for place, table in self.tables:
            total += table[octets[place // 8][:, place % 8]]
        return total


class Worth:
    """Revenue and subsidy of routes of which given stops pay."""

    def __init__(self, tests: Tests) -> None:
        self.tests = tests
        self.routes = tests.routes
        self.cls = self.routes.family.cls
        self.pay = self.cls.pay
        family = self.routes.family
        self.stops = Amounts(family, dict(enumerate(self.pay.stops)))
        self.subsidies = Amounts(family, dict(enumerate(self.pay.subsidy)))
        self.beside = self.routes.value - self._stops_pay(self.routes.stops)

    def _stops_pay(self, paying: Words) -> Ints:
        total = self.stops.of(paying)
        for group in self.pay.once:
            mine = group & self.routes.family.stop_bit_of.keys()
            best = np.zeros(len(total), dtype=np.int64)
            for stop in sorted(mine) if len(mine) > 1 else ():
                paid = (bits_number(paying, self.tests.mask((stop,))) > 0) * self.pay.stops[stop]
                total -= paid
                best = np.maximum(best, paid)
            total += best
        return total

    def of(self, which: Ints, paying: Words) -> tuple[Ints, Ints]:
        """Return revenue and subsidy in £ of the routes `which` if these stops pay."""
        paid = _Paid(self.tests, which, paying)
        base = self._stops_pay(paying)
        plain = self.beside[which]
        subsidy = self.subsidies.of(paying)
        for bonus in self.pay.bonuses:
            amount = paid.earned(bonus)
            if bonus.subsidy:
                subsidy += amount
            elif bonus.scaled:
                base += amount
            else:
                plain += amount
        if self.pay.factor is not None:
            holds = paid.all_hold(self.pay.factor.tests)
            base = np.where(holds, factored(self.pay.factor, base), base)
        return base + plain, subsidy


class _Paid:
    """Tests of some routes of which given stops pay."""

    def __init__(self, tests: Tests, which: Ints, paying: Words) -> None:
        self.tests = tests
        self.which = which
        self.paying = paying
        self._paid: dict[frozenset[int], Ints] = {}

    def number(self, of: Of, numbers: frozenset[int]) -> Ints:
        if of is not Of.PAID:
            return self.tests.number(of, numbers)[self.which]
        if numbers not in self._paid:
            self._paid[numbers] = bits_number(self.paying, self.tests.mask(numbers))
        return self._paid[numbers]

    def all_hold(self, tests: Iterable[Has]) -> Flags:
        holds = np.ones(len(self.which), dtype=np.bool_)
        for test in tests:
            holds &= within(test, self.number(test.of, test.numbers))
        return holds

    def earned(self, bonus: Bonus) -> Ints:
        times = 1 if bonus.per is None else self.number(bonus.of, bonus.per)
        earned: Ints = bonus.amount * times * self.all_hold(bonus.tests)
        return earned
