"""From routes of the board to routes of the problem's network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board.board import PathRef
from engine.board.legs import Leg
from engine.routing.problem import NetRoute, RoutingProblem, turned
from engine.routing.run import Route


@dataclass(frozen=True, slots=True)
class _Way:
    """A leg of the network in one direction, as legs of the board."""

    leg: int
    to: int
    parts: tuple[Leg, ...]


class NetworkMap:
    """Finds the routes of a problem that routes of the board are.

    Parameters
    ----------
    problem
        The network.
    """

    def __init__(self, problem: RoutingProblem) -> None:
        self.problem = problem
        self._stops = {stop.id: number for number, stop in enumerate(problem.stops)}
        self._ways: dict[str, list[_Way]] = {}
        for number, leg in enumerate(problem.legs):
            ahead = _Way(number, leg.b, leg.parts)
            back = _Way(number, leg.a, tuple(turned(part) for part in reversed(leg.parts)))
            for way in (ahead, back):
                self._ways.setdefault(way.parts[0].a, []).append(way)

    def class_of(self, route: Route) -> int | None:
        """Return the class as which a train with or without a carriage runs, or None."""
        for number, cls in enumerate(self.problem.classes):
            if route.train not in cls.trains:
                continue
            if not route.attachment:
                return number
            for attachment in self.problem.attachments:
                if attachment.name == route.attachment and number in attachment.turns:
                    return attachment.turns[number]
        return None

    def find(self, route: Route) -> NetRoute | None:
        """Return a route of the board as one of the network, or None if it has no such route.

        Where the network has the same stops and hexes only by another track
        beside (it lists one of several that serve equally), that is returned.
        """
        cls = self.class_of(route)
        if cls is None:
            return None
        for exact in (True, False):
            for stops, legs in self._follow(route, exact):
                paid = None if route.paid is None else self._numbers(route.paid)
                if route.paid is None or paid is not None:
                    return NetRoute(route.train, cls, stops, legs, paid)
        return None

    def _follow(
        self, route: Route, exact: bool
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        if not route.stops or len(route.legs) != len(route.stops) - 1:
            return
        if not route.legs:
            alone = self._stops.get(route.stops[0])
            if alone is not None:
                yield (alone,), ()
            return
        stops: list[int] = []
        legs: list[int] = []

        def onward(place: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
            if place == len(route.legs):
                yield tuple(stops), tuple(legs)
                return
            for way in self._ways.get(route.stops[place], ()):
                if not self._runs(way, route, place, exact):
                    continue
                leg = self.problem.legs[way.leg]
                start = leg.a if way.to == leg.b else leg.b
                if stops and stops[-1] != start:
                    continue
                first = not stops
                stops.extend([start, way.to] if first else [way.to])
                legs.append(way.leg)
                yield from onward(place + len(way.parts))
                legs.pop()
                del stops[-2 if first else -1 :]

        yield from onward(0)

    def _runs(self, way: _Way, route: Route, place: int, exact: bool) -> bool:
        if place + len(way.parts) > len(route.legs):
            return False
        for number, part in enumerate(way.parts, start=place):
            if (part.a, part.b) != (route.stops[number], route.stops[number + 1]):
                return False
            paths = route.legs[number]
            if part.paths != paths and (exact or _hexes(part.paths) != _hexes(paths)):
                return False
        return True

    def _numbers(self, paid: Sequence[str]) -> tuple[int, ...] | None:
        if not all(name in self._stops for name in paid):
            return None
        return tuple(sorted(self._stops[name] for name in paid))


def _hexes(paths: Sequence[PathRef]) -> tuple[str, ...]:
    return tuple(ref.hex for ref in paths)
