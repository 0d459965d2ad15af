"""Which train runs which route, where several could."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.routing.problem import NetRoute, RoutingProblem


def staff(
    problem: RoutingProblem, routes: Sequence[NetRoute], pinned: Sequence[NetRoute] = ()
) -> tuple[NetRoute, ...] | None:
    """Return a run in which the company's trains run the given routes as their classes.

    Parameters
    ----------
    routes
        Routes; which train they name does not matter.
    pinned
        More routes, of which the trains are settled.

    Returns
    -------
    tuple of NetRoute or None
        The run in the one way of writing it that does not depend on how it was
        found: each route in the smaller of its two directions, equal trains in
        the order of their routes, routes in the order of their trains. None if
        the trains and carriages do not suffice.
    """
    wanted = sorted(map(_small, routes), key=lambda r: (r.cls, r.stops, r.legs, r.paid or ()))
    busy = {route.train for route in pinned}
    idle = {
        number: [train for train in cls.trains if train not in busy]
        for number, cls in enumerate(problem.classes)
    }
    for carriages in carriages_left(problem, pinned):
        sources = _sources(problem, [route.cls for route in wanted], idle, carriages)
        if sources is not None:
            left = {cls: iter(trains) for cls, trains in idle.items()}
            run = [
                replace(route, train=next(left[source]))
                for route, source in zip(wanted, sources, strict=True)
            ]
            return in_order(problem, [*run, *pinned])
    return None


def in_order(problem: RoutingProblem, run: Sequence[NetRoute]) -> tuple[NetRoute, ...]:
    """Return the routes of a run in the order of their trains in the problem."""
    trains = [train for cls in problem.classes for train in cls.trains]
    place = {train: number for number, train in enumerate(trains)}
    return tuple(sorted(run, key=lambda route: place[route.train]))


def carriages_left(problem: RoutingProblem, pinned: Sequence[NetRoute]) -> Iterator[list[int]]:
    """Yield the carriages of each kind that pinned trains leave, for each way to give them.

    Nothing is yielded where there are not as many as they need.
    """
    left = [attachment.count for attachment in problem.attachments]

    def give(number: int) -> Iterator[list[int]]:
        if number == len(pinned):
            yield list(left)
            return
        route = pinned[number]
        if route.train in problem.classes[route.cls].trains:
            yield from give(number + 1)
            return
        for kind, attachment in enumerate(problem.attachments):
            if left[kind] and any(
                after == route.cls and route.train in problem.classes[before].trains
                for before, after in attachment.turns.items()
            ):
                left[kind] -= 1
                yield from give(number + 1)
                left[kind] += 1

    yield from give(0)


def _sources(
    problem: RoutingProblem,
    wanted: Sequence[int],
    idle: dict[int, list[str]],
    carriages: list[int],
) -> list[int] | None:
    """Return for each wanted class the class from which the train comes."""
    spare = {cls: len(trains) for cls, trains in idle.items()}
    found: list[int] = []

    def options(cls: int) -> Iterator[tuple[int, int | None]]:
        yield cls, None
        for kind, attachment in enumerate(problem.attachments):
            for before, after in sorted(attachment.turns.items()):
                if after == cls:
                    yield before, kind

    def choose() -> bool:
        if len(found) == len(wanted):
            return True
        for source, kind in options(wanted[len(found)]):
            if spare[source] and (kind is None or carriages[kind]):
                spare[source] -= 1
                if kind is not None:
                    carriages[kind] -= 1
                found.append(source)
                if choose():
                    return True
                found.pop()
                spare[source] += 1
                if kind is not None:
                    carriages[kind] += 1
        return False

    return found if choose() else None


def _small(route: NetRoute) -> NetRoute:
    turned = replace(route, stops=route.stops[::-1], legs=route.legs[::-1])
    return min(route, turned, key=lambda way: (way.stops, way.legs))
