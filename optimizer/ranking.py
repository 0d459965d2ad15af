"""Runs beside the best one: as good with fewer trains, and the next best different ones.

A run is *lean* if nothing less would do: leaving out any of its routes (pinned
ones aside) lowers what it is worth, or is forbidden. Two runs are *different*
if their sets of routes differ, a route being its class, stops and legs;
direction, train and choice of what pays make no difference. The next best runs
are the best lean runs that are different from each other; a run that only adds
to a better one a train that earns nothing is none of them, nor is the run of
nothing.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, product

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import MustRun
from optimizer.fleet import staff
from optimizer.objective import most_value
from optimizer.pricing import price, with_choice
from optimizer.task import Algorithm, RouteKey, Stages, Task, route_key

# --- fewer trains ------------------------------------------------------------


def fewest_trains(
    task: Task, algorithm: Algorithm, routes: Sequence[NetRoute], value: int
) -> tuple[NetRoute, ...]:
    """Return a best run with as few trains as any.

    Parameters
    ----------
    task
        What was solved.
    algorithm
        How.
    routes, value
        A best run and what it is worth.

    Returns
    -------
    tuple of NetRoute
        A run worth `value`. No run with fewer trains is worth as much, unless
        time ran out meanwhile or a train must run if it can
        (:class:`~engine.routing.vocabulary.MustRun`); then only leaving out
        routes of this run was tried.

    Notes
    -----
    Solves the problem once for every smaller fleet of just one train less than
    run now, with `value` as floor, so that most end with the first bound.
    """
    best = lean(task.problem, task, routes, value)
    if task.problem.words_of(MustRun):
        return best
    while len(best) > max(1, len(task.pinned)):
        better = _with_fewer(task, algorithm, len(best) - 1, value)
        if better is None:
            return best
        best = lean(task.problem, task, better, value)
    return best


def _with_fewer(
    task: Task, algorithm: Algorithm, trains: int, value: int
) -> tuple[NetRoute, ...] | None:
    for fleet in _fleets(task, trains):
        if task.stop.over():
            return None
        if most_value(fleet, task.weights) < value:
            continue
        smaller = replace(task, problem=fleet, floor=value, stages=Stages(), progress=None)
        outcome = algorithm(smaller)
        if outcome.value >= value:
            return outcome.routes
    return None


def _fleets(task: Task, trains: int) -> Iterator[RoutingProblem]:
    """Yield the problem with every choice of so many of its trains, pinned ones among them."""
    pinned = {route.train for route in task.pinned}
    kept = [[t for t in cls.trains if t in pinned] for cls in task.problem.classes]
    free = [[t for t in cls.trains if t not in pinned] for cls in task.problem.classes]
    for counts in product(*(range(len(some) + 1) for some in free)):
        if sum(counts) == trains - len(pinned):
            classes = tuple(
                replace(cls, trains=(*held, *some[:number]))
                for cls, held, some, number in zip(
                    task.problem.classes, kept, free, counts, strict=True
                )
            )
            yield replace(task.problem, classes=classes)


def lean(
    problem: RoutingProblem, task: Task, routes: Sequence[NetRoute], value: int
) -> tuple[NetRoute, ...]:
    """Return the fewest routes of a run that are worth as much, pinned ones among them."""
    held = {route.train for route in task.pinned}
    for size in range(len(held), len(routes)):
        for some in combinations(routes, size):
            if held <= {route.train for route in some}:
                loose = [r if r.train in held else replace(r, paid=None) for r in some]
                known = price(problem, loose)
                if known.legal and known.value(task.weights) >= value:
                    return with_choice(problem, loose)
    return tuple(routes)


# --- the next best -----------------------------------------------------------


@dataclass(frozen=True)
class Ranked:
    """A run of the list with its weighted value."""

    routes: tuple[NetRoute, ...]
    value: int


@dataclass(frozen=True)
class _Node:
    """Runs that hold some routes and not others, with the best of them."""

    routes: tuple[NetRoute, ...]
    value: int
    pinned: tuple[NetRoute, ...]
    banned: frozenset[RouteKey]


def next_best(
    task: Task, algorithm: Algorithm, routes: Sequence[NetRoute], value: int, number: int
) -> list[Ranked]:
    """Return the next best different lean runs after the best one, best first.

    Parameters
    ----------
    task, algorithm
        What was solved, and how.
    routes, value
        The best run, lean, and what it is worth.
    number
        How many more to find. Fewer come back if there are no more, or if
        time ran out: what comes back is exact.

    Notes
    -----
    Lawler's partition [1]_: the runs that lack at least one route of the best
    are divided by the first of its routes that they lack, and so on in each
    part. A run that holds all of them and more is not lean.

    References
    ----------
    .. [1] E. L. Lawler, "A procedure for computing the K best solutions to
       discrete optimization problems", Management Science 18 (1972).
    """
    ticket = count()
    heap: list[tuple[int, int, list[RouteKey], int, _Node]] = []
    seen = {_keys(routes)}
    found: list[Ranked] = []
    node = _Node(tuple(routes), value, task.pinned, task.banned)
    while True:
        for child in _divided(task, node):
            solved = _solve(task, algorithm, *child)
            if solved is None:
                return found
            if solved.value >= 0 and solved.routes:
                rank = (-solved.value, len(solved.routes), sorted(_keys(solved.routes)))
                heapq.heappush(heap, (*rank, next(ticket), solved))
        if not heap:
            return found
        node = heapq.heappop(heap)[-1]
        keys = _keys(node.routes)
        thinnest = lean(task.problem, task, node.routes, node.value)
        if len(thinnest) == len(node.routes) and keys not in seen:
            found.append(Ranked(node.routes, node.value))
            seen.add(keys)
            if len(found) == number:
                return found


def _keys(routes: Sequence[NetRoute]) -> frozenset[RouteKey]:
    return frozenset(route_key(route) for route in routes)


def _solve(
    task: Task, algorithm: Algorithm, pinned: tuple[NetRoute, ...], banned: frozenset[RouteKey]
) -> _Node | None:
    """Return a part with its best run; None if time ran out before it was proven."""
    part = replace(task, pinned=pinned, banned=banned, stages=Stages(), progress=None)
    outcome = algorithm(part)
    if not outcome.proven or task.stop.over():
        return None
    return _Node(outcome.routes, outcome.value, pinned, banned)


def _divided(task: Task, node: _Node) -> Iterator[tuple[tuple[NetRoute, ...], frozenset[RouteKey]]]:
    """Divide the runs of a node that lack one of the routes of its best run.

    Yields
    ------
    pinned, banned
        Of each part. A route may be pinned to trains of several classes, by a
        carriage or without: then each is a part.
    """
    kept = _keys(task.pinned)
    held = _keys(node.pinned)
    distinct = {key: route for route in node.routes if (key := route_key(route)) not in kept}
    before = [route for key, route in distinct.items() if key in held]
    free = [route for key, route in distinct.items() if key not in held]
    for number, route in enumerate(free):
        banned = node.banned | {route_key(route)}
        for pinned in _ways_to_pin(task, [*before, *free[:number]]):
            yield pinned, banned


def _ways_to_pin(task: Task, routes: Sequence[NetRoute]) -> Iterator[tuple[NetRoute, ...]]:
    """Yield pinned routes for every way to take their trains from the classes."""
    problem = task.problem
    options = []
    for route in routes:
        sources = [route.cls] + [
            before
            for attachment in problem.attachments
            for before, after in attachment.turns.items()
            if after == route.cls
        ]
        options.append(
            [source for source in dict.fromkeys(sources) if problem.classes[source].trains]
        )
    busy = {route.train for route in task.pinned}
    for chosen in product(*options):
        idle = [[t for t in cls.trains if t not in busy] for cls in problem.classes]
        if all(chosen.count(source) <= len(idle[source]) for source in chosen):
            pinned = tuple(
                replace(route, train=idle[source].pop(0), paid=None)
                for route, source in zip(routes, chosen, strict=True)
            )
            together = (*task.pinned, *pinned)
            if staff(problem, (), together) is not None:
                yield together
