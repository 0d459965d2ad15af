"""Pricing a run of 1862 by the words of its problem alone, as the vocabulary promises.

Knows neither the referee nor the optimizer; it reads :mod:`engine.routing.vocabulary`
word by word and tries whatever the words leave open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    ChainPart,
    Chains,
    Division,
    HexSubsidy,
    MustMeet,
    MustVisit,
    PaidOnce,
    Reach,
)


@dataclass(frozen=True)
class Worth:
    """What a run pays."""

    revenue: int
    subsidy: int


def net_routes(problem: RoutingProblem, cls: int) -> Iterator[NetRoute]:
    """Yield the routes that a class may run by its :class:`Reach`, each in one direction."""
    reach = problem.classes[cls].reach
    train = problem.classes[cls].trains[0]
    ways: dict[int, list[tuple[int, int]]] = {}
    for number, leg in enumerate(problem.legs):
        ways.setdefault(leg.a, []).append((number, leg.b))
        ways.setdefault(leg.b, []).append((number, leg.a))

    def extend(stops: tuple[int, ...], legs: tuple[int, ...]) -> Iterator[NetRoute]:
        if len(stops) > 1:
            if stops[0] < stops[-1] and _complete(reach, stops):
                yield NetRoute(train, cls, stops, legs)
            if stops[-1] not in reach.through:
                return
        for leg, stop in ways.get(stops[-1], ()):
            longer = (*stops, stop), (*legs, leg)
            if stop not in stops and stop in reach.visits and _within(problem, reach, *longer):
                yield from extend(*longer)

    for stop in sorted(reach.visits & reach.ends):
        yield from extend((stop,), ())


def _complete(reach: Reach, stops: Sequence[int]) -> bool:
    ends = {stops[0], stops[-1]} <= reach.ends
    return ends and len(stops) >= reach.fewest and not reach.own.isdisjoint(stops)


def _within(
    problem: RoutingProblem, reach: Reach, stops: Sequence[int], legs: Sequence[int]
) -> bool:
    for budget in reach.budgets:
        spent = sum(budget.stops[s] for s in stops) if budget.stops else 0
        spent += sum(budget.legs[leg] for leg in legs) if budget.legs else 0
        if spent > budget.limit:
            return False
    for group in reach.groups:
        if len(group.stops & set(stops)) > 1 and group.unless.isdisjoint(stops):
            return False
    items = [problem.legs[leg].items for leg in legs]
    return all(a.isdisjoint(b) for a, b in combinations(items, 2))


def worth(problem: RoutingProblem, run: Sequence[NetRoute]) -> Worth | None:
    """Return the most that a run can pay, or None if the words forbid it."""
    if not run:
        return Worth(0, 0)
    visit, meet = problem.word(MustVisit), problem.word(MustMeet)
    assert visit is not None
    assert meet is not None
    if visit.stops.isdisjoint(stop for route in run for stop in route.stops):
        return None
    if not _connected([meet.stops.intersection(route.stops) for route in run]):
        return None
    revenue = max((_pay(problem, run, parts) for parts in _chainings(problem, run)), default=None)
    return None if revenue is None else Worth(revenue, _subsidy(problem, run))


def _connected(places: Sequence[frozenset[int]]) -> bool:
    joined, reached = {0}, set(places[0])
    for _ in places:
        for number, place in enumerate(places):
            if place & reached:
                joined.add(number)
                reached |= place
    return len(joined) == len(places)


def _subsidy(problem: RoutingProblem, run: Sequence[NetRoute]) -> int:
    word = problem.word(HexSubsidy)
    if word is None:
        return 0
    legs = {leg for route in run if route.cls in word.classes for leg in route.legs}
    return word.amount * len({hex_id for leg in legs for hex_id in problem.legs[leg].hexes})


Chained = tuple[frozenset[int], int]
"""Stops that chains count, and the bonuses together."""


def _chainings(problem: RoutingProblem, run: Sequence[NetRoute]) -> Iterator[Chained]:
    """Yield what the chains may pay, for every division and choice that is allowed."""
    word = problem.word(Chains)
    routes = [r for r in run if word is not None and r.cls in word.classes]
    if word is None or not routes:
        yield frozenset(), 0
        return
    ends = [(route.stops[0], route.stops[-1]) for route in routes]
    for division in word.divide(ends, [route.cls for route in routes]):
        yield from _of_division(word, routes, division)


def _of_division(word: Chains, routes: Sequence[NetRoute], division: Division) -> Iterator[Chained]:
    open_ends = [part for part in division if part.loose]
    stops = frozenset(stop for part in open_ends for _, stop in part.loose)
    bonus = sum(_bonus(word, routes, part) for part in open_ends)
    for chosen in product(*(sorted(part.closed) for part in division if part.closed)):
        yield stops | set(chosen), bonus + sum(word.closed_bonus.get(stop, 0) for stop in chosen)


def _bonus(word: Chains, routes: Sequence[NetRoute], part: ChainPart) -> int:
    places = []
    for number, stop in part.loose:
        route = routes[number]
        leg = route.legs[0] if route.stops[0] == stop else route.legs[-1]
        places.append(word.place[stop, leg])
    return word.bonus[places[0]][places[1]]


def _pay(problem: RoutingProblem, run: Sequence[NetRoute], chained: Chained) -> int:
    word = problem.word(PaidOnce)
    assert word is not None
    stops, bonus = chained
    fixed = {word.payee[stop] for stop in stops}
    options = []
    for route in run:
        if route.cls in word.choose:
            always, limit, choice = word.choose[route.cls]
            fixed |= {word.payee[stop] for stop in always.intersection(route.stops)}
            open_ones = sorted({word.payee[stop] for stop in choice.intersection(route.stops)})  # type: ignore[type-var]
            options.append(list(combinations(open_ones, min(limit, len(open_ones)))))
    best = max(
        sum(word.amount[name] for name in fixed.union(*picked) if name is not None)
        for picked in product(*options)
    )
    return bonus + best
