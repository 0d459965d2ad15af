"""Words of which the best few routes of a run earn something, as gains per route.

One form for four words: each route has a gain, and the largest `count` of a run
are paid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import BestBonus, Echo, EndsSubsidy, Has, Of, VisitBonus
from optimizer.objective import most_of_bonuses
from optimizer.packing.enumerate import Routes
from optimizer.packing.network import Ints
from optimizer.packing.paying import Tests, bits_number
from optimizer.route_pay import bonuses, own_pay
from optimizer.task import Weights


class BestOf(ABC):
    """A word of this form; all amounts are weighted.

    Attributes
    ----------
    count
        How many gains are paid.
    """

    count: int

    @abstractmethod
    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        """Return the gains of some routes as a class."""

    @abstractmethod
    def gain(self, route: NetRoute) -> int:
        """Return the gain of one route."""

    @abstractmethod
    def most(self) -> int:
        """Return what no gain exceeds."""


class Visits(BestOf):
    """A route visits all of some stops."""

    def __init__(self, word: VisitBonus, weight: int) -> None:
        self.word, self.weight, self.count = word, weight, word.count

    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        family = routes.family
        amount = self.word.amount.get(cls, 0) * self.weight
        if not amount or not all(stop in family.stop_bit_of for stop in self.word.stops):
            return np.zeros(len(index), dtype=np.int64)
        mask = family.mask_of(self.word.stops)[family.track_words :, None]
        found: Ints = amount * np.all((routes.stops[:, index] & mask) == mask, axis=0)
        return found

    def gain(self, route: NetRoute) -> int:
        amount = self.word.amount.get(route.cls, 0) * self.weight
        return amount if self.word.stops <= set(route.stops) else 0

    def most(self) -> int:
        return max((0, *self.word.amount.values())) * self.weight


class Ends(BestOf):
    """A share of what both ends are worth."""

    def __init__(self, word: EndsSubsidy, weight: int) -> None:
        self.word, self.weight, self.count = word, weight, word.count

    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        if cls not in self.word.classes:
            return np.zeros(len(index), dtype=np.int64)
        value = np.array(self.word.value, dtype=np.int64)
        both = value[routes.a[index]] + value[routes.b[index]]
        found: Ints = both // self.word.divisor * self.weight
        return found

    def gain(self, route: NetRoute) -> int:
        if route.cls not in self.word.classes:
            return 0
        both = self.word.value[route.stops[0]] + self.word.value[route.stops[-1]]
        return both // self.word.divisor * self.weight

    def most(self) -> int:
        return 2 * max(self.word.value, default=0) // self.word.divisor * self.weight


class Bonuses(BestOf):
    """The sum of the bonuses of a route's class."""

    def __init__(self, problem: RoutingProblem, word: BestBonus, weight: int) -> None:
        self.problem = problem
        self.word, self.weight, self.count = word, weight, word.count

    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        mine = self.word.bonuses.get(cls, ())
        if not mine:
            return np.zeros(len(index), dtype=np.int64)
        tests = Tests(self.problem, routes, all_paid=False)
        return tests.earned(mine)[index] * self.weight

    def gain(self, route: NetRoute) -> int:
        mine = self.word.bonuses.get(route.cls, ())
        if not mine:
            return 0
        return sum(bonuses(mine, route, own_pay(self.problem, route).paying)) * self.weight

    def most(self) -> int:
        found = (
            most_of_bonuses(self.problem, cls, mine) for cls, mine in self.word.bonuses.items()
        )
        return max(found, default=0) * self.weight


class Echoes(BestOf):
    """The best paid stop of a route that pays again."""

    def __init__(self, word: Echo, weight: int) -> None:
        self.word, self.weight, self.count = word, weight, 1

    def gains(self, routes: Routes, index: Ints, cls: int) -> Ints:
        family = routes.family
        found = np.zeros(len(index), dtype=np.int64)
        some = routes.stops[:, index]
        stops: dict[int, list[int]] = {}
        for stop, value in self.word.value.items():
            stops.setdefault(value, []).append(stop)
        for value, here in sorted(stops.items()):
            visited = bits_number(some, family.mask_of(here)[family.track_words :]) > 0
            found[visited] = np.maximum(found[visited], value * self.weight)
        return found

    def gain(self, route: NetRoute) -> int:
        return max((0, *(self.word.value.get(stop, 0) for stop in route.stops))) * self.weight

    def most(self) -> int:
        return max((0, *self.word.value.values())) * self.weight


def best_of_words(problem: RoutingProblem, weights: Weights) -> list[BestOf]:
    """Return the words of a problem that have this form, visits and ends first."""
    found: list[BestOf] = []
    found += [Visits(word, weights.revenue) for word in problem.words_of(VisitBonus)]
    found += [Ends(word, weights.subsidy) for word in problem.words_of(EndsSubsidy)]
    found += [Bonuses(problem, word, weights.revenue) for word in problem.words_of(BestBonus)]
    found += [Echoes(word, weights.revenue) for word in problem.words_of(Echo)]
    return found


def looks_at(problem: RoutingProblem) -> tuple[list[Has], frozenset[int]]:
    """Return the tests of words of the run, and all stops at which such words look."""
    tests = [test for word in problem.words for test in getattr(word, "tests", ())]
    for best in problem.words_of(BestBonus):
        for bonus in (bonus for kinds in best.bonuses.values() for bonus in kinds):
            tests += bonus.tests
            tests += () if bonus.per is None else (Has(bonus.of, bonus.per),)
    stops = {n for test in tests if test.of is not Of.LEGS for n in test.numbers}
    stops |= {s for word in problem.words_of(VisitBonus) for s in word.stops}
    stops |= {s for word in problem.words_of(Echo) for s in word.value}
    return tests, frozenset(stops)
