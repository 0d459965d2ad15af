"""Can a train that stands idle run? (1862 §10.3 S5, D18). Part of the referee.

Looks for one route that may be added to a run, over the board's own legs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.board.board import Board, PathRef, Stop
from engine.board.legs import find_legs
from engine.games.g1862.court import Court, counts_for, main_slot
from engine.games.g1862.profile import FreightChaining
from engine.games.g1862.stations import FREIGHT, LOCAL, Station, is_area, is_london
from engine.routing.run import Route, Run, Train
from engine.titles.trains import TrainKind


def addable_route(
    court: Court, train: Train, run: Run, legal: Callable[[Route], bool]
) -> Route | None:
    """Return a route of an idle train that can be added to a run, or None.

    Parameters
    ----------
    court
        Board and company.
    train
        The idle train.
    run
        What runs already, a legal run.
    legal
        Tells whether the run with this route at its end is legal.

    Notes
    -----
    Every route of the train is tried at worst. It must visit an own marker, and
    something that runs already or, as the first, home. Whether it can be added then
    follows from its ends and from what it shares with the run: `legal` is asked once
    for routes that are alike in that. A Freight that must chain begins at an end of
    another one.
    """
    kind = court.kind(train)
    visited = {stop for route in run.routes for stop in route.stops}
    kinds = {one.id: court.kind(one).kind for one in court.position.company.trains}
    freights = [route for route in run.routes if kinds[route.train] == FREIGHT]
    junctions = {stop for route in freights for stop in (route.stops[0], route.stops[-1])}
    must_chain = court.profile.freight_chaining is FreightChaining.ALL and bool(freights)
    starts = junctions if kind.kind == FREIGHT and must_chain else None
    needed = [court.marked, visited or {court.home.id if court.home else ""}]
    refused: set[tuple[frozenset[str], frozenset[str]]] = set()
    for route in _Walk(court, kind).routes(train.id, starts):
        if any(stops.isdisjoint(route.stops) for stops in needed):
            continue
        alike = frozenset(_ends(route)), frozenset(visited.intersection(route.stops))
        if alike in refused:
            continue
        if legal(route):
            return route
        refused.add(alike)
    return None


def _ends(route: Route) -> tuple[str, str]:
    return route.stops[0], route.stops[-1]


@dataclass(frozen=True, slots=True)
class _Step:
    """A leg in the direction from one of its stops to the other."""

    to: Stop
    paths: tuple[PathRef, ...]
    length: int


class _Walk:
    """Enumerates the routes of a train, each in one direction."""

    def __init__(self, court: Court, kind: TrainKind) -> None:
        self.court = court
        self.kind = kind
        self.board = court.position.board
        self.steps = _steps(self.board)
        self.order = {stop: number for number, stop in enumerate(self.board.stops)}
        self.either_way = False
        self.stops: list[str] = []
        self.legs: list[tuple[PathRef, ...]] = []

    def routes(self, train: str, starts: set[str] | None = None) -> Iterator[Route]:
        """Yield the routes that end in stations, for as far as the train goes.

        Parameters
        ----------
        starts
            Only those with an end here; one between two of these comes twice.
        """
        self.either_way = starts is not None
        for stop in self.board.stops.values():
            wanted = starts is None or stop.id in starts
            if wanted and stop.kind != Station.SMALL and self._may_visit(stop):
                self.stops.append(stop.id)
                yield from self._onward(train, stop, self._spent(stop, 0))
                self.stops.pop()

    def _onward(self, train: str, stop: Stop, spent: int) -> Iterator[Route]:
        company = self.court.position.company.corporation
        if len(self.stops) > 1:
            first = self.stops[0]
            first_way = self.either_way or self.order[first] < self.order[stop.id]
            if stop.kind != Station.SMALL and first_way:
                yield Route(train, tuple(self.stops), tuple(self.legs))
            if not stop.passable(company):
                return
        for step in self.steps.get(stop.id, ()):
            more = spent + self._spent(step.to, step.length)
            if step.to.id in self.stops or more > self._limit() or not self._may_visit(step.to):
                continue
            self.stops.append(step.to.id)
            self.legs.append(step.paths)
            yield from self._onward(train, step.to, more)
            self.stops.pop()
            self.legs.pop()

    def _may_visit(self, stop: Stop) -> bool:
        if is_area(stop) and self.kind.kind == LOCAL:
            return False
        return self.court.linked or not is_london(stop)

    def _spent(self, stop: Stop, length: int) -> int:
        return length if self.kind.kind == FREIGHT else int(counts_for(self.kind, stop))

    def _limit(self) -> int:
        return self.kind.reach if self.kind.kind == FREIGHT else main_slot(self.kind).visit


def _steps(board: Board) -> Mapping[str, list[_Step]]:
    found: dict[str, list[_Step]] = {}
    for leg in find_legs(board):
        there = _Step(board.stops[leg.b], leg.paths, leg.length)
        back = _Step(board.stops[leg.a], leg.paths[::-1], leg.length)
        found.setdefault(leg.a, []).append(there)
        found.setdefault(leg.b, []).append(back)
    return found
