"""From an objective to weights, and from a bound on weighted values to one in £.

Lexicographic orders become one number: with S the most subsidy that a run can
have, R the most revenue and L the least, the weights are

=========  ===============  ==============  ====================================
objective  weight, revenue  weight, subsidy  because
=========  ===============  ==============  ====================================
revenue    S + 1            1               £1 of revenue outweighs any subsidy
total      S + 1            S               (S + 1) (R + S) - S: of equal totals
                                            the one with less subsidy
subsidy    1                R - L + 1       £1 of subsidy outweighs any revenue
=========  ===============  ==============  ====================================
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.board.geometry import distance
from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import (
    BestBonus,
    Bonus,
    Budget,
    Chains,
    Echo,
    EndsSubsidy,
    GroupBonus,
    HexSubsidy,
    Of,
    PaidOnce,
    VisitBonus,
)
from optimizer.route_pay import factored, paid_over_the_run
from optimizer.solution import Objective
from optimizer.task import Weights


def weights_for(problem: RoutingProblem, objective: Objective) -> Weights:
    """Return weights under which the largest value is the best run by `objective`."""
    if objective is Objective.SUBSIDY:
        return Weights(1, most_revenue(problem) - least_revenue(problem) + 1)
    subsidy = most_subsidy(problem)
    if objective is Objective.TOTAL:
        return Weights(subsidy + 1, subsidy)
    return Weights(subsidy + 1, 1 if subsidy else 0)


def bound_in_pounds(problem: RoutingProblem, objective: Objective, bound: int) -> int:
    """Return what no run exceeds in the objective's first amount, in £.

    Parameters
    ----------
    bound
        No run has a larger weighted value.

    Notes
    -----
    Revenues are multiples of the problem's step, so a bound on the revenue is
    rounded down to one.
    """
    weights = weights_for(problem, objective)
    if objective is Objective.SUBSIDY:
        return (bound - least_revenue(problem)) // weights.subsidy
    if objective is Objective.TOTAL:
        total = (bound + weights.subsidy) // weights.revenue
        return total if weights.subsidy else total - total % problem.step
    revenue = bound // weights.revenue
    return revenue - revenue % problem.step


def most_value(problem: RoutingProblem, weights: Weights) -> int:
    """Return a weighted value that no run exceeds, seen at a glance."""
    return weights.value(most_revenue(problem), most_subsidy(problem))


def most_subsidy(problem: RoutingProblem) -> int:
    """Return an amount in £ that the subsidy of no run exceeds."""
    total = 0
    for word in problem.words_of(HexSubsidy):
        touched: set[str] = set()
        for cls in word.classes:
            reach = problem.classes[cls].reach
            touched |= {problem.stops[stop].hex for stop in reach.visits}
            for number, leg in enumerate(problem.legs):
                if reach.legs is None or number in reach.legs:
                    touched |= leg.hexes
        total += word.amount * len(touched) if fleet(problem, word.classes) else 0
    for ends in problem.words_of(EndsSubsidy):
        routes = min(ends.count, fleet(problem, ends.classes))
        total += routes * (2 * max(ends.value, default=0) // ends.divisor)
    for number, kind in enumerate(problem.classes):
        pay = kind.pay
        brought = sum(pay.subsidy[s] for s in kind.reach.visits) if pay.subsidy else 0
        given = [bonus for bonus in pay.bonuses if bonus.subsidy]
        if brought or given:
            total += fleet(problem, [number]) * (brought + most_of_bonuses(problem, number, given))
    return total


def least_revenue(problem: RoutingProblem) -> int:
    """Return an amount in £ below which the revenue of no run falls: 0 but for what is deducted."""
    total = problem.constant
    for number, cls in enumerate(problem.classes):
        less = [replace(b, amount=-b.amount) for b in cls.pay.bonuses if b.amount < 0]
        if less:
            total -= fleet(problem, [number]) * 2 * most_of_bonuses(problem, number, less)
    return total


def most_revenue(problem: RoutingProblem) -> int:
    """Return an amount in £ that the revenue of no run exceeds."""
    everyone = fleet(problem, range(len(problem.classes)))
    total = problem.constant + sum(
        max(_most_of_a_route(problem, as_cls) for as_cls in (cls, *_turned_into(problem, cls)))
        * len(problem.classes[cls].trains)
        for cls in range(len(problem.classes))
    )
    once = problem.word(PaidOnce)
    if once is not None:
        total += sum(once.amount[name] for name in {n for n in once.payee if n is not None})
    for chains in problem.words_of(Chains):
        total += chains.highest_bonus() * fleet(problem, chains.classes)
    for bonus in problem.words_of(VisitBonus):
        routes = min(bonus.count, fleet(problem, bonus.amount))
        total += routes * max(bonus.amount.values(), default=0)
    for best in problem.words_of(BestBonus):
        gains = [most_of_bonuses(problem, cls, kinds) for cls, kinds in best.bonuses.items()]
        total += min(best.count, fleet(problem, best.bonuses)) * max(gains, default=0)
    for echo in problem.words_of(Echo):
        total += max((0, *echo.value.values()))
    for group in problem.words_of(GroupBonus):
        total += everyone * sum(amount for _, _, amount in group.pairs)
    return total


def fleet(problem: RoutingProblem, classes: Iterable[int]) -> int:
    """Return how many trains may run as one of `classes`."""
    wanted = set(classes)
    return sum(
        len(problem.classes[cls].trains)
        for cls in range(len(problem.classes))
        if cls in wanted or not wanted.isdisjoint(_turned_into(problem, cls))
    )


def _turned_into(problem: RoutingProblem, cls: int) -> tuple[int, ...]:
    return tuple(a.turns[cls] for a in problem.attachments if cls in a.turns and a.count)


def _most_of_a_route(problem: RoutingProblem, number: int) -> int:
    cls = problem.classes[number]
    pay, reach = cls.pay, cls.reach
    total = 0
    if not paid_over_the_run(problem, number):
        values = {stop: max(0, pay.stops[stop]) for stop in reach.visits}
        total = min(
            [sum(values.values()), *(_affordable(budget, values) for budget in reach.budgets)]
        )
    total += most_of_bonuses(problem, number, [b for b in pay.bonuses if b.scaled])
    if pay.factor is not None:
        total = max(total, factored(pay.factor, total))
    total += most_of_bonuses(
        problem, number, [b for b in pay.bonuses if not (b.scaled or b.subsidy)]
    )
    total += sum(max(0, amount) for amount in pay.legs)
    if pay.span is not None:
        points = {problem.stops[stop].point for stop in pay.span.counting & reach.visits}
        widest = max((distance(a, b) for a in points for b in points), default=0)
        total += max(0, pay.span.rate) * widest
    return total


def most_of_bonuses(problem: RoutingProblem, number: int, bonuses: Iterable[Bonus]) -> int:
    """Return the most that bonuses give a route of a class, in £."""
    visits = problem.classes[number].reach.visits
    total = 0
    for bonus in bonuses:
        times = 1
        if bonus.per is not None:
            times = len(bonus.per if bonus.of is Of.LEGS else bonus.per & visits)
        total += max(0, bonus.amount) * times
    return total


def _affordable(budget: Budget, values: dict[int, int]) -> int:
    """Return what stops of the budget's limit can pay, each costing at least 1 or nothing."""
    if not budget.stops:
        return sum(values.values())
    free = sum(value for stop, value in values.items() if budget.stops[stop] <= 0)
    costly = sorted((v for stop, v in values.items() if budget.stops[stop] > 0), reverse=True)
    most = budget.limit + sum(off for _, off in budget.rebates)
    return free + sum(costly[: max(0, most)])
