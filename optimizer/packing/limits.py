"""A bound that needs no list of routes: for when time runs out while they are listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Budget, TrainClass
from optimizer.packing.couple import Coupling
from optimizer.packing.network import reachable
from optimizer.packing.pools import own_value


def most(
    problem: RoutingProblem,
    coupling: Coupling,
    fleet: Mapping[int, int],
    pinned: Sequence[NetRoute],
) -> int:
    """Return a weighted value that no run of a fleet exceeds.

    Each train is given the best stops that its tightest budget pays for, the
    bonuses of all legs in reach, and the widest span.
    """
    total = sum(own_value(problem, problem.classes[r.cls], r) for r in pinned)
    total += sum(n * _most_of(problem, problem.classes[c]) for c, n in fleet.items())
    total *= coupling.weights.revenue
    trains = sum(fleet.values()) + len(pinned)
    for word in coupling.bonuses:
        highest = max(word.amount.values(), default=0)
        total += min(word.count, trains) * highest * coupling.weights.revenue
    for ends in coupling.ends:
        highest = 2 * max(ends.value, default=0) // ends.divisor
        total += min(ends.count, trains) * highest * coupling.weights.subsidy
    if coupling.groups is not None:
        total += trains * sum(amount for _, _, amount in coupling.groups.pairs)
    return total


def _most_of(problem: RoutingProblem, cls: TrainClass) -> int:
    legs = reachable(problem.legs, cls.reach)
    stops = {s for n in legs for s in (problem.legs[n].a, problem.legs[n].b)}
    stops |= cls.reach.own & cls.reach.visits
    pay = cls.pay
    total = min(
        (_within(budget, stops, pay.stops) for budget in cls.reach.budgets),
        default=sum(pay.stops[s] for s in stops),
    )
    total += sum(max(0, pay.legs[n]) for n in legs) if pay.legs else 0
    if pay.span is not None:
        points = [problem.stops[s].point for s in stops & pay.span.counting]
        wide = max((abs(a[0] - b[0]) for a in points for b in points), default=0)
        high = max((abs(a[1] - b[1]) for a in points for b in points), default=0)
        total += pay.span.rate * (wide + high)
    return total


def _within(budget: Budget, stops: set[int], pay: Sequence[int]) -> int:
    """Return the most that stops pay within a budget, fractions of stops allowed."""
    total, left = 0.0, float(budget.limit)
    costs = budget.stops
    best = sorted(stops, key=lambda s: -pay[s] / costs[s] if costs and costs[s] else float("-inf"))
    for stop in best:
        cost = costs[stop] if costs else 0
        if cost <= 0:
            total += pay[stop]
        elif left > 0:
            part = min(1.0, left / cost)
            total += pay[stop] * part
            left -= cost * part
    return int(total + 0.999)
