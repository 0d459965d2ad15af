"""A route as the referee sees it: its stops, its track and its train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.board.board import PathRef, Stop
from engine.declared.reading import Reading
from engine.routing.run import Route
from engine.routing.track import Traced
from engine.titles.trains import TrainKind


@dataclass(frozen=True)
class Ride:
    """A route that follows the track, with the train that runs it.

    Parameters
    ----------
    reading
        The position.
    traced
        The route laid over the track.
    train
        What the train can do.
    path
        Field path for faults: ``routes[0]``.
    """

    reading: Reading
    traced: Traced
    train: TrainKind
    path: str

    @property
    def attached(self) -> bool:
        """Tell whether the train takes the company's carriage."""
        return bool(self.route.attachment)

    @property
    def route(self) -> Route:
        """The route as submitted."""
        return self.traced.route

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The visited stops in order."""
        return self.traced.stops

    @property
    def ends(self) -> tuple[Stop, ...]:
        """Its first and last stop."""
        return (self.stops[0], self.stops[-1])

    @cached_property
    def refs(self) -> tuple[PathRef, ...]:
        """Its paths in order."""
        return self.traced.paths()

    @cached_property
    def touched(self) -> frozenset[str]:
        """Hexes of its track."""
        return frozenset(ref.hex for ref in self.refs)

    @cached_property
    def gauges(self) -> frozenset[str]:
        """Gauges of its track."""
        return frozenset(self.reading.board.path(ref).track for ref in self.refs)

    @cached_property
    def leg_gauges(self) -> tuple[frozenset[str], ...]:
        """Gauges of each leg."""
        board = self.reading.board
        return tuple(frozenset(board.path(ref).track for ref, _ in leg) for leg in self.traced.legs)

    @cached_property
    def leg_steps(self) -> tuple[int, ...]:
        """Hex sides crossed by each leg."""
        return tuple(len(sides) // 2 for sides in self.traced.sides)

    @cached_property
    def by_id(self) -> Mapping[str, Stop]:
        """Its stops by id."""
        return {stop.id: stop for stop in self.stops}
