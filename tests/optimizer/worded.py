"""Made-up problems in the words with which titles state what a route has and pays.

Each word is put on top of a small problem of the packing tests, alone or beside
others, so that every algorithm can be compared with the pricing of all runs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import (
    AtMostRoutes,
    BestBonus,
    Bonus,
    Budget,
    Choice,
    Echo,
    Factor,
    Has,
    Need,
    Of,
    Pay,
    Reach,
    SomeRoute,
    TrainClass,
)
from optimizer.task import Weights
from tests.optimizer.builders import made_problem, some
from tests.optimizer.packing.problems import packing_problem

ROUTE_TESTS = (Of.VISITED, Of.VISITED, Of.ENDS, Of.LEGS)
ALL_TESTS = (*ROUTE_TESTS, Of.PAID, Of.PAID, Of.PAID)


class Worder:
    """Adds words to a problem, one kind after the other.

    Parameters
    ----------
    problem
        To which they are added.
    """

    def __init__(self, rng: random.Random, problem: RoutingProblem) -> None:
        self.rng = rng
        self.problem = problem
        self.stops = len(problem.stops)
        self.legs = len(problem.legs)

    def test(self, among: tuple[Of, ...], numbers: frozenset[int] | None = None) -> Has:
        """Return a random test."""
        rng = self.rng
        of = rng.choice(among)
        count = self.legs if of is Of.LEGS else self.stops
        numbers = some(rng, count, 0.5) if numbers is None else numbers
        least = rng.choice((0, 1, 1, 1, 2))
        most = None if rng.random() < 0.7 else least + rng.randint(0, 1)
        return Has(of, numbers, least, most)

    def tests(self, among: tuple[Of, ...]) -> tuple[Has, ...]:
        """Return up to two random tests."""
        return tuple(self.test(among) for _ in range(self.rng.choice((0, 1, 1, 2))))

    def bonus(self, among: tuple[Of, ...], amounts: tuple[int, ...]) -> Bonus:
        """Return a random bonus."""
        rng = self.rng
        of = rng.choice(among)
        per = some(rng, self.legs if of is Of.LEGS else self.stops, 0.5)
        times = {"per": per, "of": of} if rng.random() < 0.4 else {}
        return Bonus(self.tests(among), rng.choice(amounts), **times)  # type: ignore[arg-type]

    # --- reach -----------------------------------------------------------------

    def reaches(self, change: Callable[[Reach], Reach]) -> None:
        """Change the reach of every class that has budgets."""
        classes = [
            replace(cls, reach=change(cls.reach)) if cls.reach.budgets else cls
            for cls in self.problem.classes
        ]
        self.problem = replace(self.problem, classes=tuple(classes))

    def need(self) -> None:
        """Every class needs something."""
        rng = self.rng
        when = self.tests(ROUTE_TESTS) if rng.random() < 0.6 else ()
        self.reaches(lambda r: replace(r, needs=(Need((self.test(ROUTE_TESTS),), when),)))

    def ends(self) -> None:
        """Ends cost something."""
        cost = tuple(self.rng.choice((0, 0, 1)) for _ in range(self.stops))
        self.budget(lambda budget: replace(budget, ends=cost))

    def rebates(self) -> None:
        """Legs let a route off a part of its costs."""
        rebates = tuple((some(self.rng, self.legs, 0.4), 1) for _ in range(self.rng.randint(1, 2)))
        self.budget(lambda budget: replace(budget, rebates=rebates))

    def budget(self, change: Callable[[Budget], Budget]) -> None:
        """Change the first budget of every class."""
        self.reaches(lambda r: replace(r, budgets=(change(r.budgets[0]), *r.budgets[1:])))

    def fewest(self) -> None:
        """A route has three stops at least."""
        self.reaches(lambda r: replace(r, fewest=3))

    # --- pay ---------------------------------------------------------------------

    def pays(self, change: Callable[[TrainClass], Pay]) -> None:
        """Change the pay of every class."""
        classes = [replace(cls, pay=change(cls)) for cls in self.problem.classes]
        self.problem = replace(self.problem, classes=tuple(classes))

    def choice(self) -> None:
        """Few of the stops pay."""
        rng = self.rng
        inner = some(rng, self.stops, 0.6)
        every = frozenset(range(self.stops))
        limits = rng.choice(
            (
                ((every, rng.randint(1, 3)),),
                ((every, rng.randint(1, 3)), (inner, rng.randint(0, 2))),
                ((inner, rng.randint(1, 2)), (every - inner, rng.randint(0, 2))),
                ((inner, rng.randint(1, 2)),),
            )
        )
        first = some(rng, self.stops, 0.4) if rng.random() < 0.4 else None
        choice = Choice(limits, first, rng.random() < 0.6)
        self.pays(lambda cls: replace(cls.pay, choice=choice))

    def bonuses(self) -> None:
        """Routes earn bonuses, or lose something."""
        count = self.rng.randint(1, 3)
        found = tuple(self.bonus(ALL_TESTS, (10, 20, 30, 40, -10, -20)) for _ in range(count))
        found = tuple(replace(b, scaled=self.rng.random() < 0.3) for b in found)
        self.pays(lambda cls: replace(cls.pay, bonuses=(*cls.pay.bonuses, *found)))

    def again(self) -> None:
        """The best stop that pays is paid again, as one increment for each value."""
        self.pays(lambda cls: replace(cls.pay, bonuses=(*cls.pay.bonuses, *_again(cls.pay))))

    def factor(self) -> None:
        """Routes pay a part, or more, of what they would."""
        num, den = self.rng.choice(((3, 2), (1, 2), (2, 1), (4, 3)))
        factor = Factor(num, den, self.rng.choice((1, 10, 5)), self.tests(ALL_TESTS))
        self.pays(lambda cls: replace(cls.pay, factor=factor))

    def subsidy(self) -> None:
        """Stops that pay bring a subsidy, and a bonus does."""
        brings = tuple(self.rng.choice((0, 5, 10)) for _ in range(self.stops))
        bonus = replace(self.bonus(ALL_TESTS, (5, 10)), subsidy=True)
        self.pays(lambda cls: replace(cls.pay, subsidy=brings, bonuses=(*cls.pay.bonuses, bonus)))

    # --- the run -----------------------------------------------------------------

    def best(self) -> None:
        """The best few routes earn a bonus."""
        rng = self.rng
        every = frozenset(range(self.stops))
        kinds = {}
        for number in sorted(some(rng, len(self.problem.classes), 0.8)):
            among = ALL_TESTS if rng.random() < 0.5 else ROUTE_TESTS
            mine = [self.bonus(among, (10, 20, 50)) for _ in range(rng.randint(1, 2))]
            if rng.random() < 0.3:
                mine.append(Bonus((), 10, every, rng.choice((Of.VISITED, Of.PAID))))
            kinds[number] = tuple(mine)
        self.add(BestBonus(kinds, rng.randint(1, 2)))

    def some_route(self) -> None:
        """Some route must have something."""
        self.add(SomeRoute((self.test(ROUTE_TESTS),)))

    def at_most(self) -> None:
        """Few routes run."""
        self.add(AtMostRoutes(self.rng.randint(1, 2)))

    def echo(self) -> None:
        """One train earns what a stop pays that another visits."""
        value = {n: 10 * self.rng.randint(0, 5) for n in sorted(some(self.rng, self.stops, 0.6))}
        self.add(Echo("echo", value))

    def constant(self) -> None:
        """The run earns something in any case."""
        self.problem = replace(self.problem, constant=10 * self.rng.randint(1, 9))

    def add(self, word: BestBonus | SomeRoute | AtMostRoutes | Echo) -> None:
        """Add a word of the run."""
        self.problem = replace(self.problem, words=(*self.problem.words, word))


def _again(pay: Pay) -> tuple[Bonus, ...]:
    values = sorted({0, *pay.stops})
    return tuple(
        Bonus(
            (Has(Of.PAID, frozenset(s for s, p in enumerate(pay.stops) if p >= high)),), high - low
        )
        for low, high in pairwise(values)
    )


KINDS = (
    *("need", "ends", "rebates", "fewest", "choice", "bonuses", "again", "factor", "subsidy"),
    *("best", "some_route", "at_most", "echo", "constant"),
)
"""The words that :class:`Worder` adds."""

WEIGHTS = (Weights(1000, 1), Weights(1, 1000), Weights(11, 10), Weights(1, 0))


def worded_problem(rng: random.Random, kinds: tuple[str, ...]) -> RoutingProblem:
    """Return a small problem with these kinds of words, and others of its own."""
    worder = Worder(rng, packing_problem(rng))
    for kind in kinds:
        getattr(worder, kind)()
    found = worder.problem
    return made_problem(
        found.stops, found.legs, found.classes, found.words, found.attachments, found.constant
    )
