"""The fleets of a problem: which trains run as which class once carriages are attached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import (
    AtMostRoutes,
    Attachment,
    BestBonus,
    EndsSubsidy,
    VisitBonus,
)
from optimizer.fleet import carriages_left
from optimizer.task import Task

Fleet = dict[int, int]
"""By class how many free trains run as it; none of 0."""
Turn = tuple[int, int]
"""A carriage given: the class of the train, and the one as which it runs."""


def fleets_of(task: Task) -> list[Fleet]:
    """Return the fleets that a run may be of, each once.

    A fleet is left out where one more carriage makes another that is no worse.
    There is none if the pinned routes need more carriages than there are.
    """
    problem = task.problem
    pinned = {route.train for route in task.pinned}
    trains = {n: sum(t not in pinned for t in cls.trains) for n, cls in enumerate(problem.classes)}
    gains = [
        {turn for turn in attachment.turns.items() if _no_worse(task, *turn)}
        for attachment in problem.attachments
    ]
    found: dict[tuple[tuple[int, int], ...], Fleet] = {}
    for left in carriages_left(problem, task.pinned):
        for given in product(*map(_ways, problem.attachments, left)):
            plain = Counter(trains)
            plain.subtract(before for turns in given for before, _ in turns)
            if min(plain.values(), default=0) < 0 or any(
                len(turns) < count and any(plain[before] for before, _ in better)
                for turns, count, better in zip(given, left, gains, strict=True)
            ):
                continue
            plain.update(after for turns in given for _, after in turns)
            fleet = {n: plain[n] for n in sorted(plain) if plain[n]}
            for smaller in _smaller(fleet, _most_free(task)):
                found.setdefault(tuple(smaller.items()), smaller)
    return list(found.values())


def _most_free(task: Task) -> int | None:
    """Return how many routes may run beside the pinned ones; None: any number."""
    counts = [word.count for word in task.problem.words_of(AtMostRoutes)]
    return min(counts) - len(task.pinned) if counts else None


def _smaller(fleet: Fleet, most: int | None) -> Iterator[Fleet]:
    """Yield the fleets of at most so many of the trains: none if not even nothing may run."""
    if most is None or sum(fleet.values()) <= most:
        yield fleet
        return
    for counts in product(*(range(number + 1) for number in fleet.values())):
        if sum(counts) == most:
            yield {cls: number for cls, number in zip(fleet, counts, strict=True) if number}


def _ways(attachment: Attachment, left: int) -> Iterator[tuple[Turn, ...]]:
    """Yield the turns that carriages of a kind may make, most of them first."""
    turns = sorted(attachment.turns.items())
    for number in range(left, -1, -1):
        yield from combinations_with_replacement(turns, number)


def _no_worse(task: Task, before: int, after: int) -> bool:
    """Tell whether every route of `before` may be run as `after` and brings as much."""
    problem = task.problem
    old, new = problem.classes[before], problem.classes[after]
    return (
        replace(new.reach, budgets=()) == replace(old.reach, budgets=())
        and (new.pay, new.track, dict(new.claims)) == (old.pay, old.track, dict(old.claims))
        and all(
            any(
                mine.limit <= its.limit
                and _covers(mine.stops, its.stops)
                and _covers(mine.legs, its.legs)
                and _covers(mine.ends, its.ends)
                and set(mine.rebates) <= set(its.rebates)
                for mine in old.reach.budgets
            )
            for its in new.reach.budgets
        )
        and _words_agree(problem, before, after)
        and {key[1:] for key in task.banned if key[0] == after}
        <= {key[1:] for key in task.banned if key[0] == before}
    )


def _covers(old: tuple[int, ...], new: tuple[int, ...]) -> bool:
    """Tell whether costs `old` are nowhere below costs `new`."""
    if not new:
        return True
    return bool(old) and all(a >= b for a, b in zip(old, new, strict=True))


def _words_agree(problem: RoutingProblem, before: int, after: int) -> bool:
    """Tell whether words give a route as `after` all that they give it as `before`."""
    return (
        all(
            word.amount.get(before, 0) <= word.amount.get(after, 0)
            for word in problem.words_of(VisitBonus)
        )
        and all(
            before not in word.classes or after in word.classes
            for word in problem.words_of(EndsSubsidy)
        )
        and all(
            before not in word.bonuses or word.bonuses[before] == word.bonuses.get(after)
            for word in problem.words_of(BestBonus)
        )
    )
