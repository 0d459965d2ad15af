"""Which problems the packing engine solves."""

from __future__ import annotations

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import (
    BestBonus,
    Echo,
    GroupBonus,
    SomeRoute,
    TrainClass,
)
from optimizer.objective import fleet
from optimizer.words import unknown_words


def handles(problem: RoutingProblem) -> bool:
    """Tell whether the packing engine can solve a problem.

    It must know all words, and no two trains of a class may run the same route, as
    both would take its track, or claim its only stop.
    """
    made = {after for a in problem.attachments for after in a.turns.values()}
    running = {n for n, cls in enumerate(problem.classes) if cls.trains} | made
    return not unknown_words(problem, "packing") and all(
        _takes_something(problem.classes[number]) or fleet(problem, [number]) < 2
        for number in running
    )


def without_limit(cls: TrainClass) -> bool:
    """Tell whether the routes of a class may be too many to be listed.

    A budget limits them if every stop but a few costs something, or every leg does.
    """
    return not any(
        any(budget.stops) or (bool(budget.legs) and all(budget.legs))
        for budget in cls.reach.budgets
    )


def _takes_something(cls: TrainClass) -> bool:
    """Tell whether every route of a class keeps others from running it as well."""
    reach = cls.reach
    return cls.track is not None and (
        reach.fewest > 1 or (reach.own & reach.visits & reach.ends) <= cls.claims.keys()
    )


def leg_by_leg(problem: RoutingProblem, cls: TrainClass) -> bool:
    """Tell whether the routes of a class without limits can be found leg by leg.

    They are not paid for distance, claim nothing, have two stops at least, and no
    letters are at stake; all that visited stops bring can be counted on the way. The
    routes of other classes without limits are listed, where there are not too many.
    """
    once = [stop for group in cls.pay.once for stop in group]
    return (
        cls.track is not None
        and cls.reach.fewest == 2
        and not cls.claims
        and not (cls.pay.choice or cls.pay.factor or cls.reach.needs)
        and not (cls.pay.bonuses or cls.pay.subsidy)
        and not any(budget.ends or budget.rebates for budget in cls.reach.budgets)
        and not any(problem.words_of(kind) for kind in (BestBonus, SomeRoute, Echo))
        and cls.pay.span is None
        and len(once) == len(set(once))
        and problem.word(GroupBonus) is None
    )
