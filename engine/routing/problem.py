"""The routing problem: all that the optimizer knows of a game and a position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from engine.board.board import PathRef
from engine.board.legs import Leg
from engine.routing.run import Position, Route, Run, Verdict
from engine.routing.vocabulary import Attachment, Echo, NetLeg, NetStop, TrainClass, Word

W = TypeVar("W")


@dataclass(frozen=True, slots=True)
class NetRoute:
    """A route in numbers of the problem.

    Parameters
    ----------
    train
        Id of the train.
    cls
        Class as which it runs.
    stops
        Stops in order of travel.
    legs
        Legs between them.
    paid
        Stops chosen to pay, where :class:`PaidOnce` gives a choice; else None.
    """

    train: str
    cls: int
    stops: tuple[int, ...]
    legs: tuple[int, ...]
    paid: tuple[int, ...] | None = None


@dataclass(frozen=True)
class RoutingProblem:
    """What to decide, in the words of :mod:`engine.routing.vocabulary`.

    Parameters
    ----------
    position
        Where it comes from.
    stops, legs
        The network.
    classes
        The trains that may run, by class.
    attachments
        Carriages.
    words
        What couples the routes.
    judge
        The referee: the verdict on a run. The optimizer uses it only to check
        answers and, in the exhaustive search, to price runs.
    ordered
        The order in which routes are listed can change what a run pays; the
        problem asks for the best order.
    step
        Every revenue is a multiple of this many £.
    constant
        £ of revenue that the run earns whatever runs, nothing included (1858 §4.1).
    order
        Puts the routes of a run into an order in which the referee pays what
        the words promise; None where order does not matter.
    """

    position: Position
    stops: tuple[NetStop, ...]
    legs: tuple[NetLeg, ...]
    classes: tuple[TrainClass, ...]
    words: tuple[Word, ...]
    judge: Callable[[Run], Verdict]
    attachments: tuple[Attachment, ...] = ()
    ordered: bool = False
    step: int = 1
    constant: int = 0
    order: Callable[[Sequence[Route]], tuple[Route, ...]] | None = field(default=None)

    def words_of(self, kind: type[W]) -> tuple[W, ...]:
        """Return the words of one kind."""
        return tuple(word for word in self.words if isinstance(word, kind))

    def word(self, kind: type[W]) -> W | None:
        """Return the only word of one kind, or None."""
        found = self.words_of(kind)
        if len(found) > 1:
            raise ValueError(f"the problem has {len(found)} words {kind.__name__}")
        return found[0] if found else None

    def to_route(self, route: NetRoute) -> Route:
        """Return a route as the referee takes it, with stops and paths of the board."""
        stops = [self.stops[route.stops[0]].id] if not route.legs else []
        legs: list[tuple[PathRef, ...]] = []
        for number, leg in enumerate(route.legs):
            for part in self._turned(self.legs[leg], route.stops[number]):
                if not stops:
                    stops.append(part[0])
                stops.append(part[1])
                legs.append(part[2])
        paid = None if route.paid is None else tuple(self.stops[s].id for s in route.paid)
        return Route(route.train, tuple(stops), tuple(legs), paid, self._attached(route))

    def to_run(self, routes: Sequence[NetRoute]) -> Run:
        """Return a run as the referee takes it, in the order that pays best.

        The trains of :class:`~engine.routing.vocabulary.Echo` are added to it.
        """
        listed = tuple(self.to_route(route) for route in routes)
        listed += tuple(self._echoes(routes))
        return Run(self.order(listed) if self.order else listed)

    def _echoes(self, routes: Sequence[NetRoute]) -> Iterator[Route]:
        """Yield the route of each echoing train: the stop that pays it most, if any does."""
        for word in self.words_of(Echo):
            visited = {s for route in routes for s in route.stops if s in word.value}
            best = max(sorted(visited), key=lambda s: word.value[s], default=None)
            if best is not None:
                yield Route(word.train, (self.stops[best].id,))

    def _attached(self, route: NetRoute) -> str:
        for attachment in self.attachments:
            for before, after in attachment.turns.items():
                if after == route.cls and route.train in self.classes[before].trains:
                    return attachment.name
        return ""

    def _turned(self, leg: NetLeg, start: int) -> list[tuple[str, str, tuple[PathRef, ...]]]:
        if start == leg.a:
            return [(part.a, part.b, part.paths) for part in leg.parts]
        return [(part.b, part.a, part.paths[::-1]) for part in reversed(leg.parts)]


def turned(leg: Leg) -> Leg:
    """Return the same leg in the other direction."""
    return Leg(leg.b, leg.a, leg.paths[::-1], leg.sides, leg.terminal_b, leg.terminal_a)
