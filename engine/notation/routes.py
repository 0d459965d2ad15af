"""Routes as game records of 18xx.games write them: legs as lists of hexes (FMT §B6).

A written leg does not always say which stops or paths it means; the choice
below is the one that the records need (FMT §B6.7 to §B6.11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.board.board import Board, PathRef
from engine.board.legs import Leg, find_legs
from engine.routing.problem import turned
from engine.routing.run import Route


@dataclass(frozen=True, slots=True)
class WrittenRoute:
    """A route of a ``run_routes`` action.

    Parameters
    ----------
    train
        Train id.
    connections
        Legs as written, in order of travel; ``[["local", hex]]`` for a train
        that stands in a city.
    nodes
        Stop ids, where the record has them.
    """

    train: str
    connections: tuple[tuple[str, ...], ...]
    nodes: tuple[str, ...] = ()


class WrittenLegs:
    """Finds the legs of a board by their written form."""

    def __init__(self, board: Board, legs: Sequence[Leg] | None = None) -> None:
        self.board = board
        self._by_hexes: dict[tuple[str, ...], list[Leg]] = {}
        order = {stop: number for number, stop in enumerate(self._stop_order())}
        found = find_legs(board) if legs is None else legs
        both = [way for leg in found for way in (leg, turned(leg))]
        both.sort(key=lambda leg: (order[leg.a], order[leg.b], len(leg.paths)))
        for leg in both:
            self._by_hexes.setdefault(leg.hexes, []).append(leg)

    def _stop_order(self) -> list[str]:
        """Stops hex by hex in the order in which the paths of the face name them."""
        named: list[str] = []
        for hex_id, face in self.board.faces.items():
            for path in face.paths:
                for end in (path.a, path.b):
                    stop = self.board.stop_at.get((hex_id, end.index)) if end.kind == 1 else None
                    if stop and stop.id not in named:
                        named.append(stop.id)
        named.extend(stop for stop in self.board.stops if stop not in named)
        return named

    def candidates(self, written: Sequence[str]) -> list[Leg]:
        """Return the legs that a written leg can mean, in its written direction."""
        return self._by_hexes.get(tuple(written), [])


def resolve_run(
    board: Board,
    corporation: str,
    routes: Sequence[WrittenRoute],
    classes: Mapping[str, str | None],
    legs: WrittenLegs | None = None,
) -> tuple[Route | None, ...]:
    """Return the routes that written routes mean; None for one that is void.

    Parameters
    ----------
    classes
        By train id the track class: routes of equal class cannot share paths;
        None for trains that share freely (FMT §B6.10).

    Notes
    -----
    The last route is resolved first, with nothing taken (FMT §B6.10).
    """
    legs = legs or WrittenLegs(board)
    taken: dict[str, set[PathRef]] = {}
    found: list[Route | None] = []
    for written in reversed(routes):
        group = classes.get(written.train)
        used = taken.setdefault(group, set()) if group is not None else set()
        route = _resolve(board, corporation, written, legs, used)
        if route is not None:
            used.update(ref for leg in route.legs for ref in leg)
        found.append(route)
    return tuple(reversed(found))


def _resolve(
    board: Board, corporation: str, written: WrittenRoute, legs: WrittenLegs, taken: set[PathRef]
) -> Route | None:
    first = written.connections[0] if written.connections else ()
    if len(written.connections) == 1 and first[:1] == ("local",):
        stop = _standing(board, corporation, first[1]) if len(first) == 2 else None
        return Route(written.train, (stop,)) if stop else None
    options = [legs.candidates(written_leg) for written_leg in written.connections]
    if len(options) == 1:
        return _single(board, corporation, written.train, options[0], taken)
    chain = _chain(options, written.nodes, taken) if options else None
    return None if chain is None else _as_route(written.train, chain)


def _standing(board: Board, corporation: str, hex_id: str) -> str | None:
    face = board.faces.get(hex_id)
    stops = [] if face is None else [board.stop_at[hex_id, s.index] for s in face.stops]
    return next((stop.id for stop in stops if stop.has(corporation)), None)


def _single(
    board: Board, corporation: str, train: str, options: Sequence[Leg], taken: set[PathRef]
) -> Route | None:
    for leg in options:
        ends = (board.stops[leg.a], board.stops[leg.b])
        if any(stop.has(corporation) for stop in ends) and taken.isdisjoint(leg.paths):
            return _as_route(train, [leg])
    return None


def _chain(
    options: Sequence[Sequence[Leg]], nodes: Sequence[str], taken: set[PathRef]
) -> list[Leg] | None:
    """Choose one candidate per leg so that successive legs meet (FMT §B6.8)."""
    chosen: list[Leg] = []
    used = set(taken)
    for number in range(len(options) - 1):
        earlier = [chosen[-1]] if chosen else list(options[0])
        fits = [
            pair
            for one in earlier
            for other in options[number + 1]
            if (pair := _pair(one, other, bool(chosen), used)) is not None
        ]
        if not fits:
            return None
        best = max(fits, key=lambda pair: _named(pair, nodes)) if nodes else fits[0]
        if not chosen:
            chosen.append(best[0])
            used.update(best[0].paths)
        chosen.append(best[1])
        used.update(best[1].paths)
    return chosen


def _pair(one: Leg, other: Leg, fixed: bool, used: set[PathRef]) -> tuple[Leg, Leg] | None:
    """Turn two legs so that they meet in exactly one stop, or return None."""
    shared = {one.a, one.b} & {other.a, other.b}
    if len(shared) != 1 or not set(one.paths).isdisjoint(other.paths):
        return None
    if not used.isdisjoint(other.paths) or not (fixed or used.isdisjoint(one.paths)):
        return None
    (middle,) = shared
    if one.b != middle:
        if fixed:
            return None
        one = turned(one)
    return one, other if other.a == middle else turned(other)


def _named(pair: tuple[Leg, Leg], nodes: Sequence[str]) -> int:
    one, other = pair
    return sum(nodes.count(stop) for stop in (one.a, one.b, other.b))


def _as_route(train: str, legs: Sequence[Leg]) -> Route:
    stops = (legs[0].a, *(leg.b for leg in legs))
    return Route(train, stops, tuple(leg.paths for leg in legs))


def written_route(board: Board, route: Route) -> WrittenRoute:
    """Return a route in the written form, ready for a ``run_routes`` action."""
    if not route.legs:
        hex_id = board.stops[route.stops[0]].hex
        return WrittenRoute(route.train, (("local", hex_id),), route.stops)
    connections = []
    for number, paths in enumerate(route.legs):
        leg = Leg(route.stops[number], route.stops[number + 1], paths, frozenset(), False, False)
        connections.append(leg.hexes)
    return WrittenRoute(route.train, tuple(connections), route.stops)
