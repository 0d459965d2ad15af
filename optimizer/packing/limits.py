"""A bound that needs no list of routes: for when time runs out while they are listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Budget
from optimizer.objective import most_of_bonuses
from optimizer.packing.couple import Coupling
from optimizer.packing.network import reachable
from optimizer.route_pay import factored, own_pay


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
    weights = coupling.weights
    own = [own_pay(problem, route) for route in pinned]
    total = sum(weights.value(one.revenue, one.subsidy) for one in own)
    total += sum(n * weights.value(*_most_of(problem, c)) for c, n in fleet.items())
    trains = sum(fleet.values()) + len(pinned)
    for word in coupling.best_of:
        total += min(word.count, trains) * word.most()
    if coupling.groups is not None:
        total += trains * sum(amount for _, _, amount in coupling.groups.pairs)
    return total


def _most_of(problem: RoutingProblem, number: int) -> tuple[int, int]:
    """Return the most revenue and subsidy of a route of a class, in £; no less than nothing."""
    cls = problem.classes[number]
    legs = reachable(problem.legs, cls.reach)
    stops = {s for n in legs for s in (problem.legs[n].a, problem.legs[n].b)}
    stops |= cls.reach.own & cls.reach.visits
    pay = cls.pay
    total = min(
        (_within(budget, stops, pay.stops) for budget in cls.reach.budgets),
        default=sum(pay.stops[s] for s in stops),
    )
    scaled = [bonus for bonus in pay.bonuses if bonus.scaled]
    total += most_of_bonuses(problem, number, scaled)
    if pay.factor is not None:
        total = max(total, factored(pay.factor, total))
    plain = [bonus for bonus in pay.bonuses if not (bonus.scaled or bonus.subsidy)]
    total += most_of_bonuses(problem, number, plain)
    subsidy = sum(pay.subsidy[s] for s in stops) if pay.subsidy else 0
    subsidy += most_of_bonuses(problem, number, [bonus for bonus in pay.bonuses if bonus.subsidy])
    total += sum(max(0, pay.legs[n]) for n in legs) if pay.legs else 0
    if pay.span is not None:
        points = [problem.stops[s].point for s in stops & pay.span.counting]
        wide = max((abs(a[0] - b[0]) for a in points for b in points), default=0)
        high = max((abs(a[1] - b[1]) for a in points for b in points), default=0)
        total += pay.span.rate * (wide + high)
    return total, subsidy


def _within(budget: Budget, stops: set[int], pay: Sequence[int]) -> int:
    """Return the most that stops pay within a budget, fractions of stops allowed."""
    total, left = 0.0, float(budget.limit + sum(off for _, off in budget.rebates))
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
