"""Which problems the packing engine solves."""

from __future__ import annotations

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import EndsSubsidy, GroupBonus, OneOf, VisitBonus

WORDS = (VisitBonus, EndsSubsidy, GroupBonus, OneOf)
"""The words that the engine knows."""


def handles(problem: RoutingProblem) -> bool:
    """Tell whether the packing engine can solve a problem.

    It must know all words. A class without limits holds one train at most,
    shares its track class with no other, and no letters are at stake.
    """
    if not all(isinstance(word, WORDS) for word in problem.words):
        return False
    for number, cls in enumerate(problem.classes):
        if cls.reach.budgets:
            continue
        alone = not any(
            other.track == cls.track for n, other in enumerate(problem.classes) if n != number
        )
        if len(cls.trains) > 1 or not alone or problem.word(GroupBonus) is not None:
            return False
    return True
