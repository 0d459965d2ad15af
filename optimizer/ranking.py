"""Runs beside the best one: as good with fewer trains, and the next best different ones.

A run is *lean* if nothing less would do: leaving out any of its routes, or
letting one of them end earlier, lowers what it is worth or is forbidden (pinned
routes aside). Two runs are *different* if they differ in the routes that trains
of each class run: in their stops and legs, not in direction, carriages, choice
of what pays or which of several equal trains runs what. The next best runs are
the best lean runs that are different from each other. So a run that only adds
to a better one a train that earns nothing, or a piece of track beyond the last
stop that pays, is none of them, nor is the run of nothing.

One thing is not listed by the packing engine: of the routes of a train without
limits those that another of its routes equals or outdoes in every respect (1822
E: the same own cities over other track).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, product

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import MustRun
from optimizer.fleet import staff
from optimizer.objective import most_value
from optimizer.one_route import route_faults
from optimizer.pricing import price, with_choice
from optimizer.task import IMPOSSIBLE, Algorithm, FleetBound, RouteKey, Stages, Task, route_key

# --- fewer trains ------------------------------------------------------------


@dataclass(frozen=True)
class Fewest:
    """A best run.

    Parameters
    ----------
    routes
        The run.
    proven
        No run with fewer trains is worth as much.
    """

    routes: tuple[NetRoute, ...]
    proven: bool


def fewest_trains(
    task: Task,
    algorithm: Algorithm,
    routes: Sequence[NetRoute],
    value: int,
    bound: FleetBound | None = None,
) -> Fewest:
    """Return a best run with as few trains as any.

    Parameters
    ----------
    task
        What was solved.
    algorithm
        How.
    routes, value
        A best run and what it is worth.
    bound
        What is known of smaller fleets.

    Returns
    -------
    Fewest
        A run worth `value`. That no run with fewer trains is worth as much is
        not proven if time ran out meanwhile, or if a train must run if it can
        (:class:`~engine.routing.vocabulary.MustRun`): then only leaving out
        routes of this run was tried.

    Notes
    -----
    Solves the problem once for every smaller fleet of just one train less than
    run now that `bound` does not rule out, with `value` as floor, so that most
    end with the first bound.
    """
    best = lean(task.problem, task, routes, value, bound)
    least = max(1, len(task.pinned))
    while len(best) > least:
        if task.problem.words_of(MustRun):
            return Fewest(best, proven=False)
        better = _with_fewer(task, algorithm, len(best) - 1, value, bound)
        if not better.routes:
            return Fewest(best, better.proven)
        best = lean(task.problem, task, better.routes, value, bound)
    return Fewest(best, proven=True)


def _with_fewer(
    task: Task, algorithm: Algorithm, trains: int, value: int, bound: FleetBound | None
) -> Fewest:
    """Return a best run of at most so many trains; without routes if there is none, or if time
    ran out before one was found, which is no proof."""
    for fleet in _fleets(task, trains):
        if bound is not None and bound([len(cls.trains) for cls in fleet.classes]) < value:
            continue
        if most_value(fleet, task.weights) < value:
            continue
        if task.stop.over():
            return Fewest((), proven=False)
        smaller = replace(task, problem=fleet, floor=value, stages=Stages(), progress=None)
        outcome = algorithm(smaller)
        if outcome.value >= value:
            return Fewest(outcome.routes, proven=False)
        if outcome.bound >= value:
            return Fewest((), proven=False)
    return Fewest((), proven=True)


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
    problem: RoutingProblem,
    task: Task,
    routes: Sequence[NetRoute],
    value: int,
    bound: FleetBound | None = None,
) -> tuple[NetRoute, ...]:
    """Return a run with all left out that brings nothing: routes, then what lies beyond an end.

    Parameters
    ----------
    routes, value
        A run and what it is worth; the run returned is worth as much.
    bound
        What is known of smaller fleets; spares pricing runs of too few trains.
    """
    held = {route.train for route in task.pinned}

    def may_do(run: Sequence[NetRoute]) -> bool:
        if bound is None:
            return True
        running = Counter(route.cls for route in run)
        return bound([running[cls] for cls in range(len(problem.classes))]) >= value

    def enough(run: Sequence[NetRoute]) -> bool:
        known = price(problem, run)
        return known.legal and known.value(task.weights) >= value

    open_to_choice = [r if r.train in held else replace(r, paid=None) for r in routes]
    best = next(
        (
            some
            for size in range(len(held), len(routes))
            for some in combinations(open_to_choice, size)
            if held <= {route.train for route in some} and may_do(some) and enough(some)
        ),
        tuple(open_to_choice),
    )
    shortened = True
    while shortened:
        shortened = False
        for place, route in enumerate(best):
            for shorter in () if route.train in held else _cut_short(problem, route):
                run = (*best[:place], shorter, *best[place + 1 :])
                if enough(run):
                    best, shortened = run, True
                    break
    same = [(r.stops, r.legs) for r in best] == [(r.stops, r.legs) for r in routes]
    return tuple(routes) if same else with_choice(problem, best)


def _cut_short(problem: RoutingProblem, route: NetRoute) -> Iterator[NetRoute]:
    """Yield the route without what lies before, or after, the next stop where it may end."""
    length = len(route.stops)
    for backward in (False, True):
        for cut in range(1, length):
            kept = slice(0, length - cut) if backward else slice(cut, length)
            legs = slice(0, length - cut - 1) if backward else slice(cut, length)
            shorter = replace(route, stops=route.stops[kept], legs=route.legs[legs])
            if not any(route_faults(problem, shorter, "")):
                yield shorter
                break


# --- the next best -----------------------------------------------------------

Shape = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A route whatever its carriage and direction: family of classes, stops, legs."""


@dataclass(frozen=True)
class Ranked:
    """A run of the list with its weighted value."""

    routes: tuple[NetRoute, ...]
    value: int


@dataclass(frozen=True)
class NextBest:
    """The next best runs.

    Parameters
    ----------
    runs
        Best first; each is exactly where it belongs in the list.
    cut_short
        Time ran out before all were found.
    """

    runs: tuple[Ranked, ...]
    cut_short: bool


@dataclass(frozen=True)
class _Node:
    """Runs that hold some routes, and no others of some shapes, with the best of them.

    `held` are the shapes of the pinned routes, wished ones aside, in the order
    in which they were pinned.
    """

    routes: tuple[NetRoute, ...]
    value: int
    held: tuple[Shape, ...]
    banned: frozenset[RouteKey]


def next_best(
    task: Task, algorithm: Algorithm, routes: Sequence[NetRoute], value: int, number: int
) -> NextBest:
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
    return _Lawler(task, algorithm).run(routes, value, number)


class _Lawler:
    def __init__(self, task: Task, algorithm: Algorithm) -> None:
        self.task = task
        self.algorithm = algorithm
        self.problem = task.problem
        self.family = _families(task.problem)
        self.wished = {route.train for route in task.pinned}

    def run(self, routes: Sequence[NetRoute], value: int, number: int) -> NextBest:
        """Return the next best runs."""
        ticket = count()
        heap: list[tuple[int, int, list[Shape], int, _Node]] = []
        found: list[Ranked] = []
        node = _Node(tuple(routes), value, (), self.task.banned)
        while True:
            for held, banned in self._parts(node):
                part = self._best_of(held, banned)
                if part is None:
                    return NextBest(tuple(found), cut_short=True)
                if part.routes:
                    rank = (-part.value, len(part.routes), shapes(self.problem, part.routes))
                    heapq.heappush(heap, (*rank, next(ticket), part))
            if not heap:
                return NextBest(tuple(found), cut_short=False)
            node = heapq.heappop(heap)[-1]
            thinned = lean(self.problem, self.task, node.routes, node.value)
            if shapes(self.problem, thinned) == shapes(self.problem, node.routes):
                found.append(Ranked(node.routes, node.value))
                if len(found) == number:
                    return NextBest(tuple(found), cut_short=False)

    def _parts(self, node: _Node) -> Iterator[tuple[tuple[Shape, ...], frozenset[RouteKey]]]:
        """Divide the runs of a node that lack a route of its best run, by the first they lack.

        Yields
        ------
        held, banned
            Shapes that the runs of the part hold, and what else may not run.
        """
        free = shapes(self.problem, [r for r in node.routes if r.train not in self.wished])
        for shape in node.held:
            free.remove(shape)
        for place, shape in enumerate(free):
            members = [cls for cls, family in self.family.items() if family == shape[0]]
            banned = {(cls, shape[1], shape[2]) for cls in members}
            yield (*node.held, *free[:place]), node.banned | banned

    def _best_of(self, held: tuple[Shape, ...], banned: frozenset[RouteKey]) -> _Node | None:
        """Return a part with its best run, without routes if it has none.

        None if time ran out before that was proven.
        """
        best = _Node((), IMPOSSIBLE, held, banned)
        for pinned in self._ways_to_pin(held):
            part = replace(self.task, pinned=pinned, banned=banned, stages=Stages(), progress=None)
            outcome = self.algorithm(part)
            if not outcome.proven or self.task.stop.over():
                return None
            if outcome.value > best.value:
                best = _Node(outcome.routes, outcome.value, held, banned)
        return best

    def _ways_to_pin(self, held: Sequence[Shape]) -> Iterator[tuple[NetRoute, ...]]:
        """Yield pinned routes of given shapes, with and without carriages, wished ones first."""
        idle = [
            [train for train in cls.trains if train not in self.wished]
            for cls in self.problem.classes
        ]
        options = [list(self._runners(shape)) for shape in held]
        for chosen in product(*options):
            sources = [source for source, _ in chosen]
            if any(sources.count(source) > len(idle[source]) for source in sources):
                continue
            left = [iter(trains) for trains in idle]
            pinned = tuple(
                NetRoute(next(left[source]), cls, shape[1], shape[2])
                for shape, (source, cls) in zip(held, chosen, strict=True)
            )
            together = (*self.task.pinned, *pinned)
            if staff(self.problem, (), together) is not None:
                yield together

    def _runners(self, shape: Shape) -> Iterator[tuple[int, int]]:
        """Yield the classes of trains that can run a shape, with the class as which they do."""
        for source, cls in enumerate(self.problem.classes):
            if self.family[source] != shape[0] or not cls.trains:
                continue
            turned = [a.turns[source] for a in self.problem.attachments if source in a.turns]
            for as_cls in dict.fromkeys((source, *turned)):
                route = NetRoute("", as_cls, shape[1], shape[2])
                if not any(route_faults(self.problem, route, "")):
                    yield source, as_cls


def shapes(problem: RoutingProblem, routes: Sequence[NetRoute]) -> list[Shape]:
    """Return what makes a run different from others, in order."""
    family = _families(problem)
    keys = map(route_key, routes)
    return sorted((family[cls], stops, legs) for cls, stops, legs in keys)


def _families(problem: RoutingProblem) -> dict[int, int]:
    """Return for each class the first of those that carriages turn into one another."""
    family = {cls: cls for cls in range(len(problem.classes))}
    for attachment in problem.attachments:
        for before, after in attachment.turns.items():
            low, high = sorted((family[before], family[after]))
            family = {cls: low if old == high else old for cls, old in family.items()}
    return family
