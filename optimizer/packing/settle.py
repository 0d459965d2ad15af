"""What is only known of whole routes: costs of ends, rebates, needs, and what is no plain sum."""

from __future__ import annotations

import numpy as np

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Budget, Of, TrainClass
from optimizer.packing.choosing import chosen, every_choice
from optimizer.packing.enumerate import Routes
from optimizer.packing.network import Small
from optimizer.packing.paying import Tests, Worth
from optimizer.route_pay import told_by_the_run
from optimizer.words import plain_pay


def is_plain(cls: TrainClass) -> bool:
    """Tell whether the enumerator alone settles the routes of a class."""
    return (
        plain_pay(cls.pay)
        and not cls.reach.needs
        and not any(budget.ends or budget.rebates for budget in cls.reach.budgets)
    )


def settled(problem: RoutingProblem, routes: Routes) -> Routes:
    """Return the routes that may run, with what they cost and pay.

    Where words of the run hang on which stops pay, a route for each choice.
    """
    family = routes.family
    cls = family.cls
    tests = Tests(problem, routes)
    costs = routes.costs
    for row, budget in enumerate(cls.reach.budgets):
        if budget.ends or budget.rebates:
            costs = costs.copy() if costs is routes.costs else costs
            costs[row] += _beside(budget, routes, tests)
    fits = np.all(costs <= np.array(family.limits).reshape(-1, 1), axis=0)
    for need in cls.reach.needs:
        fits &= ~tests.all_hold(need.when) | tests.all_hold(need.then)
    routes.costs = costs
    if not fits.all():
        routes = routes.take(np.flatnonzero(fits))
        tests = Tests(problem, routes)
    if plain_pay(cls.pay):
        return routes
    worth = Worth(tests)
    if cls.pay.choice is None:
        routes.value, routes.subsidy = worth.of(np.arange(len(routes)), routes.stops)
        return routes
    more = [some for cls, _ in family.members for some in told_by_the_run(problem, cls)]
    if more:
        return every_choice(worth, more)
    may, value, subsidy, sizes = chosen(worth)
    routes.value, routes.subsidy, routes.sizes = value, subsidy, sizes
    return routes if may.all() else routes.take(np.flatnonzero(may))


def _beside(budget: Budget, routes: Routes, tests: Tests) -> Small:
    """Return what the ends of routes cost besides, less their rebates."""
    more = np.zeros(len(routes), dtype=np.int16)
    if budget.ends:
        ends = np.array(budget.ends, dtype=np.int16)
        more += ends[routes.a] + np.where(routes.a != routes.b, ends[routes.b], 0)
    for legs, off in budget.rebates:
        more -= np.where(tests.number(Of.LEGS, legs) > 0, off, 0).astype(np.int16)
    return more
