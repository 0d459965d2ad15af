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
from optimizer.words import plain_pay, unknown_words


def handles(problem: RoutingProblem) -> bool:
    """Tell whether the packing engine can solve a problem.

    It must know all words. No two trains of a class may run the same route, as
    both would take its track, or claim its only stop. Of a class without limits
    there is one train at most and no carriage makes another; it shares its track
    class with no other train, is paid at stops alone, of which a route has two at
    least, and no letters are at stake.
    """
    made = {after for a in problem.attachments for after in a.turns.values()}
    running = {n for n, cls in enumerate(problem.classes) if cls.trains} | made
    return not unknown_words(problem, "packing") and all(
        (_takes_something(problem.classes[number]) or fleet(problem, [number]) < 2)
        and (
            bool(problem.classes[number].reach.budgets)
            or (number not in made and _searchable(problem, number, running))
        )
        for number in running
    )


def _takes_something(cls: TrainClass) -> bool:
    """Tell whether every route of a class keeps others from running it as well."""
    reach = cls.reach
    return cls.track is not None and (
        reach.fewest > 1 or (reach.own & reach.visits & reach.ends) <= cls.claims.keys()
    )


def _searchable(problem: RoutingProblem, number: int, running: set[int]) -> bool:
    """Tell whether the search without a list can find the routes of a class."""
    cls = problem.classes[number]
    return (
        len(cls.trains) == 1
        and cls.reach.fewest > 1
        and plain_pay(cls.pay)
        and not cls.reach.needs
        and not any(problem.words_of(kind) for kind in (BestBonus, SomeRoute, Echo))
        and not any(cls.pay.legs)
        and not cls.pay.once
        and cls.pay.span is None
        and problem.word(GroupBonus) is None
        and all(problem.classes[n].track != cls.track for n in running - {number})
    )
