"""What a route has and what it pays by itself, written to be read beside the words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine.board.geometry import distance
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    BestBonus,
    Bonus,
    Budget,
    Chains,
    Choice,
    Factor,
    Has,
    Need,
    Of,
    PaidOnce,
    Pay,
    Reach,
    Span,
)

Paying = frozenset[int]
"""The stops of a route that pay."""


# --- what a route has --------------------------------------------------------


def looked_at(of: Of, route: NetRoute, paying: Paying) -> frozenset[int]:
    """Return what of a route a test looks at: stops or legs."""
    if of is Of.PAID:
        return paying
    if of is Of.VISITED:
        return frozenset(route.stops)
    if of is Of.ENDS:
        return frozenset({route.stops[0], route.stops[-1]})
    return frozenset(route.legs)


def holds(test: Has, route: NetRoute, paying: Paying) -> bool:
    """Tell whether a test of a route holds."""
    number = len(test.numbers & looked_at(test.of, route, paying))
    return number >= test.least and (test.most is None or number <= test.most)


def all_hold(tests: Iterable[Has], route: NetRoute, paying: Paying) -> bool:
    """Tell whether all tests of a route hold."""
    return all(holds(test, route, paying) for test in tests)


def met(need: Need, route: NetRoute) -> bool:
    """Tell whether a route may run under a need, which looks at nothing that is paid."""
    nothing: Paying = frozenset()
    return not all_hold(need.when, route, nothing) or all_hold(need.then, route, nothing)


def spent(budget: Budget, route: NetRoute) -> int:
    """Return what a route spends of a budget."""
    cost = sum(budget.stops[stop] for stop in route.stops) if budget.stops else 0
    cost += sum(budget.legs[leg] for leg in route.legs) if budget.legs else 0
    cost += sum(budget.ends[s] for s in {route.stops[0], route.stops[-1]}) if budget.ends else 0
    return cost - sum(off for legs, off in budget.rebates if not legs.isdisjoint(route.legs))


# --- which stops pay ---------------------------------------------------------


def paying_sets(
    pay: Pay, reach: Reach, stops: Sequence[int], more: Collection[frozenset[int]] = ()
) -> Iterator[Paying]:
    """Yield the sets of visited stops that may be the one that pays, best ones among them.

    None if there is none that holds a needed own stop: the route may not run.

    Parameters
    ----------
    more
        Other sets of stops of which it matters whether a stop that pays is in them.

    Notes
    -----
    Sets within nested or disjoint limits form a matroid: taking stop after stop
    while the limits allow, those of `first` before others, gives the size of all
    sets and how many of `first` they hold. Of stops alike in all but what they
    pay the better paid are taken.
    """
    choice = pay.choice
    if choice is None:
        yield frozenset(stops)
        return
    order = sorted(stops, key=lambda stop: choice.first is None or stop not in choice.first)
    taken: set[int] = set()
    for stop in order:
        if _within(choice, taken | {stop}):
            taken.add(stop)
    firsts = len(taken & choice.first) if choice.first is not None else 0
    for paying in _best_of_alike(_alike(pay, reach, stops, more), len(taken)):
        if (
            _within(choice, paying)
            and (choice.first is None or len(paying & choice.first) == firsts)
            and (not choice.own or paying & reach.own)
        ):
            yield paying


def _within(choice: Choice, paying: Collection[int]) -> bool:
    return all(len(some.intersection(paying)) <= count for some, count in choice.limits)


def _alike(
    pay: Pay, reach: Reach, stops: Sequence[int], more: Collection[frozenset[int]]
) -> list[list[int]]:
    """Return the stops in classes that differ in nothing but what they pay, best ones first."""
    told = [*told_apart(pay, reach), *more]
    alike: dict[tuple[int | bool, ...], list[int]] = {}
    for stop in sorted(stops, key=lambda stop: (-pay.stops[stop], stop)):
        subsidy = pay.subsidy[stop] if pay.subsidy else 0
        alike.setdefault((subsidy, *(stop in some for some in told)), []).append(stop)
    return list(alike.values())


def told_apart(pay: Pay, reach: Reach) -> Iterator[frozenset[int]]:
    """Yield every set of stops by which it matters whether a stop that pays is in it."""
    if pay.choice is not None:
        yield from (some for some, _ in pay.choice.limits)
        yield from (some for some in (pay.choice.first,) if some is not None)
        yield from (reach.own,) if pay.choice.own else ()
    yield from pay.once
    for bonus in pay.bonuses:
        yield from (test.numbers for test in bonus.tests if test.of is Of.PAID)
        yield from (bonus.per,) if bonus.per is not None and bonus.of is Of.PAID else ()
    if pay.factor is not None:
        yield from (test.numbers for test in pay.factor.tests if test.of is Of.PAID)


def told_by_the_run(problem: RoutingProblem, number: int) -> list[frozenset[int]]:
    """Return the sets of stops by which a word of the run hangs on the choice of a class.

    Where there are any the choice that is best for the route may not be for the run.
    """
    cls = problem.classes[number]
    if cls.pay.choice is None:
        return []
    found = []
    for word in problem.words_of(BestBonus):
        for bonus in word.bonuses.get(number, ()):
            found += [test.numbers for test in bonus.tests if test.of is Of.PAID]
            found += [bonus.per] if bonus.per is not None and bonus.of is Of.PAID else []
    return [numbers for numbers in found if not cls.reach.visits <= numbers]


def ways_to_pay(problem: RoutingProblem, route: NetRoute) -> list[OwnPay]:
    """Return what a route pays by itself: once, or for each choice that may be best for the run."""
    more = told_by_the_run(problem, route.cls)
    if not more:
        return [own_pay(problem, route)]
    cls = problem.classes[route.cls]
    return [
        OwnPay(*paid_with(problem, route, paying), paying)
        for paying in paying_sets(cls.pay, cls.reach, route.stops, more)
    ]


def _best_of_alike(alike: Sequence[Sequence[int]], size: int) -> Iterator[Paying]:
    """Yield every set of so many stops that takes of each class the first few."""
    if not alike:
        if not size:
            yield frozenset()
        return
    for number in range(min(size, len(alike[0])) + 1):
        for others in _best_of_alike(alike[1:], size - number):
            yield others.union(alike[0][:number])


# --- what they pay -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OwnPay:
    """What a route pays by itself, in £, and the stops that pay."""

    revenue: int
    subsidy: int
    paying: Paying


def own_pay(problem: RoutingProblem, route: NetRoute) -> OwnPay:
    """Return what a route pays by :class:`~engine.routing.vocabulary.Pay`, at the best choice.

    Of the sets of stops that may pay it takes the one with the most revenue, of
    these the one with the most subsidy.

    Raises
    ------
    ValueError
        No set of stops may pay: the route may not run.
    """
    cls = problem.classes[route.cls]
    ways = [
        OwnPay(*paid_with(problem, route, paying), paying)
        for paying in paying_sets(cls.pay, cls.reach, route.stops)
    ]
    if not ways:
        raise ValueError("no own stop of the route can be paid")
    return max(ways, key=lambda way: (way.revenue, way.subsidy))


def paid_with(problem: RoutingProblem, route: NetRoute, paying: Paying) -> tuple[int, int]:
    """Return the revenue and the subsidy of a route of which some stops pay, in £."""
    pay = problem.classes[route.cls].pay
    base = 0 if paid_over_the_run(problem, route.cls) else _stops_pay(pay, paying)
    base += sum(bonuses(pay.bonuses, route, paying, scaled=True, subsidy=False))
    revenue = base if pay.factor is None else scaled(pay.factor, base, route, paying)
    revenue += sum(pay.legs[leg] for leg in route.legs) if pay.legs else 0
    if pay.span is not None:
        revenue += span_pay(problem, pay.span, route.stops)
    revenue += sum(bonuses(pay.bonuses, route, paying, scaled=False, subsidy=False))
    subsidy = sum(pay.subsidy[stop] for stop in paying) if pay.subsidy else 0
    subsidy += sum(bonuses(pay.bonuses, route, paying, scaled=False, subsidy=True))
    return revenue, subsidy


def _stops_pay(pay: Pay, paying: Paying) -> int:
    counted = set(paying)
    for group in pay.once:
        several = counted & group
        if len(several) > 1:
            counted -= several
            counted.add(max(several, key=lambda stop: (pay.stops[stop], -stop)))
    return sum(pay.stops[stop] for stop in counted)


def bonuses(
    kinds: Collection[Bonus],
    route: NetRoute,
    paying: Paying,
    *,
    scaled: bool = False,
    subsidy: bool = False,
) -> Iterator[int]:
    """Yield what a route earns of those bonuses that are scaled, or go to the subsidy, or not."""
    for bonus in kinds:
        if bonus.scaled is scaled and bonus.subsidy is subsidy:
            yield earned(bonus, route, paying)


def earned(bonus: Bonus, route: NetRoute, paying: Paying) -> int:
    """Return what a route earns of a bonus, in £."""
    if not all_hold(bonus.tests, route, paying):
        return 0
    return bonus.amount * (
        1 if bonus.per is None else len(bonus.per & looked_at(bonus.of, route, paying))
    )


def scaled(factor: Factor, base: int, route: NetRoute, paying: Paying) -> int:
    """Return what a factor makes of an amount, if its tests hold."""
    return factored(factor, base) if all_hold(factor.tests, route, paying) else base


def factored(factor: Factor, base: int) -> int:
    """Return what a factor makes of an amount."""
    num, den, rounding = factor.num, factor.den, factor.rounding
    if num > den:
        return base + base * (num - den) // den // rounding * rounding
    return base * num // den // rounding * rounding


def span_pay(problem: RoutingProblem, span: Span, stops: Sequence[int]) -> int:
    """Return the bonus by distance of a route, in £."""
    counting = [problem.stops[stop].point for stop in stops if stop in span.counting]
    return span.rate * distance(counting[0], counting[-1]) if counting else 0


def paid_over_the_run(problem: RoutingProblem, cls: int) -> bool:
    """Tell whether the stops of a class pay through PaidOnce, not through Pay."""
    once = problem.word(PaidOnce)
    return once is not None and (
        cls in once.choose or any(cls in word.classes for word in problem.words_of(Chains))
    )
