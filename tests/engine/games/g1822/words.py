"""The words of a stated problem taken literally: which routes, which runs, what they pay.

A reading of :mod:`engine.routing.vocabulary` without any thought of speed, as
far as 1822 uses it; shares no code with the optimizer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import EndsSubsidy, OneOf, Reach, VisitBonus


def routes_of(problem: RoutingProblem, cls: int, train: str) -> Iterator[NetRoute]:
    """Yield every route of a class, once, in one direction."""
    around: list[list[int]] = [[] for _ in problem.stops]
    for number, leg in enumerate(problem.legs):
        around[leg.a].append(number)
        around[leg.b].append(number)

    def extend(stops: tuple[int, ...], legs: tuple[int, ...]) -> Iterator[NetRoute]:
        if stops[0] <= stops[-1] and _allowed(problem, problem.classes[cls].reach, stops, legs):
            yield NetRoute(train, cls, stops, legs)
        if len(stops) > 1 and stops[-1] not in problem.classes[cls].reach.through:
            return
        for leg in around[stops[-1]]:
            net = problem.legs[leg]
            onward = net.b if net.a == stops[-1] else net.a
            fresh = all(problem.legs[other].items.isdisjoint(net.items) for other in legs)
            if onward not in stops and fresh:
                yield from extend((*stops, onward), (*legs, leg))

    for stop in range(len(problem.stops)):
        yield from extend((stop,), ())


def _allowed(
    problem: RoutingProblem, reach: Reach, stops: Sequence[int], legs: Sequence[int]
) -> bool:
    visited = set(stops)
    return (
        len(stops) >= reach.fewest
        and visited <= reach.visits
        and set(stops[1:-1]) <= reach.through
        and {stops[0], stops[-1]} <= reach.ends
        and bool(visited & reach.own)
        and (reach.legs is None or set(legs) <= reach.legs)
        and all(
            sum(budget.stops[stop] for stop in stops if budget.stops)
            + sum(budget.legs[leg] for leg in legs if budget.legs)
            <= budget.limit
            for budget in reach.budgets
        )
        and all(len(visited & group.stops) < 2 or visited & group.unless for group in reach.groups)
        and not any(_passes_end(problem, stops, number, leg) for number, leg in enumerate(legs))
    )


def _passes_end(problem: RoutingProblem, stops: Sequence[int], number: int, leg: int) -> bool:
    net = problem.legs[leg]
    ends = {stops[0], stops[-1]}
    return (net.end_only_a and net.a not in ends) or (net.end_only_b and net.b not in ends)


def compatible(problem: RoutingProblem, routes: Sequence[NetRoute]) -> bool:
    """Tell whether routes of different trains make a run."""
    for one, other in combinations(routes, 2):
        track = problem.classes[one.cls].track
        if track is not None and track == problem.classes[other.cls].track:
            if not _items(problem, one).isdisjoint(_items(problem, other)):
                return False
            if not _claims(problem, one).isdisjoint(_claims(problem, other)):
                return False
    for word in problem.words_of(OneOf):
        marks = {mark for route in routes for leg in route.legs for mark in problem.legs[leg].marks}
        if len(marks & word.marks) > 1:
            return False
    attached = [
        route
        for attachment in problem.attachments
        for route in routes
        if route.cls in attachment.turns.values()
    ]
    return len(attached) <= sum(attachment.count for attachment in problem.attachments)


def _items(problem: RoutingProblem, route: NetRoute) -> set[object]:
    return {item for leg in route.legs for item in problem.legs[leg].items}


def _claims(problem: RoutingProblem, route: NetRoute) -> set[object]:
    claims = problem.classes[route.cls].claims
    return {claims[stop] for stop in route.stops if stop in claims}


def price(problem: RoutingProblem, routes: Sequence[NetRoute]) -> tuple[int, int]:
    """Return revenue and subsidy of a run, in £."""
    revenue = sum(problem.classes[r.cls].pay.stops[stop] for r in routes for stop in r.stops)
    for bonus in problem.words_of(VisitBonus):
        earned = [bonus.amount.get(r.cls, 0) for r in routes if bonus.stops <= set(r.stops)]
        revenue += sum(sorted(earned, reverse=True)[: bonus.count])
    subsidy = 0
    for mail in problem.words_of(EndsSubsidy):
        worth = [
            (mail.value[r.stops[0]] + mail.value[r.stops[-1]]) // mail.divisor
            for r in routes
            if r.cls in mail.classes
        ]
        subsidy += sum(sorted(worth, reverse=True)[: mail.count])
    return revenue, subsidy
