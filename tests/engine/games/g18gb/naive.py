"""A naive exhaustive search for 18GB: every run there is, priced by the referee.

Written from the rules alone. It follows the paths of the board itself and
knows nothing of legs found beforehand, of the statement of the problem or of
the optimizer; it prunes nothing but what cannot be legal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations

from engine.board.board import Board, PathRef, far_end, is_side, near_end
from engine.routing.rules import Rules
from engine.routing.run import Position, Route, Run

Side = tuple[str, int]
"""A hex and one of its sides."""


@dataclass(frozen=True)
class Walk:
    """Stops in order, the paths between them, and the hex sides on the way."""

    stops: tuple[str, ...]
    legs: tuple[tuple[PathRef, ...], ...]
    sides: frozenset[Side]


def segments(board: Board, start: str) -> list[Walk]:
    """Return all track from a stop to another without a stop in between (18GB §11.1.1)."""
    stop = board.stops[start]
    found: list[Walk] = []

    def follow(ref: PathRef, entered: int, paths: list[PathRef], sides: list[Side]) -> None:
        end = far_end(board.path(ref), entered)
        if not is_side(end):
            goal = board.stop_at.get((ref.hex, end.index)) if end.kind == 1 else None
            if goal is not None and goal.id != start:
                found.append(Walk((start, goal.id), ((*paths, ref),), frozenset(sides)))
            return
        for other, entry in board.across(ref.hex, end):
            crossed = [(ref.hex, end.index), (other.hex, near_end(board.path(other), entry).index)]
            if not set(crossed) & set(sides):
                follow(other, entry, [*paths, ref], sides + crossed)

    for number, which in board.faces[stop.hex].by_stop[stop.index]:
        follow(PathRef(stop.hex, number), which, [], [])
    return found


def all_routes(
    board: Board, corporation: str, cities: int, *, through_all: bool = False
) -> Iterator[Walk]:
    """Yield every route of a company with at most so many cities and off-board areas.

    Each route comes once, in one direction (18GB §11.2). With `through_all`
    also those that pass what cannot be passed.
    """
    onward = {stop: segments(board, stop) for stop in board.stops}

    def extend(walk: Walk) -> Iterator[Walk]:
        if len(walk.stops) > 1:
            owns = any(board.stops[stop].has(corporation) for stop in walk.stops)
            if owns and walk.stops[0] < walk.stops[-1]:
                yield walk
            if not through_all and not board.stops[walk.stops[-1]].passable(corporation):
                return
        for more in onward[walk.stops[-1]]:
            if more.stops[1] not in walk.stops and not more.sides & walk.sides:
                stops = (*walk.stops, more.stops[1])
                if sum(board.stops[stop].kind != "town" for stop in stops) <= cities:
                    yield from extend(Walk(stops, walk.legs + more.legs, walk.sides | more.sides))

    for stop in board.stops:
        yield from extend(Walk((stop,), (), frozenset()))


def as_route(walk: Walk, train: str, *, turned: bool = False) -> Route:
    """Return a walk as the route of a train."""
    if turned:
        return Route(train, walk.stops[::-1], tuple(leg[::-1] for leg in reversed(walk.legs)))
    return Route(train, walk.stops, walk.legs)


def most_cities(position: Position) -> int:
    """Return the most cities that any of the company's trains visits; 0 without trains."""
    kinds = [position.title.trains[train.name] for train in position.company.trains]
    return max((int(kind.name[0]) for kind in kinds), default=0)


def runs(position: Position, rules: Rules) -> Iterator[tuple[Route, ...]]:
    """Yield every run whose routes are legal one by one and share no hex side."""
    corporation = position.company.corporation
    walks = list(all_routes(position.board, corporation, most_cities(position)))
    trains = [train for train in position.company.trains if train.runnable]
    by_name = {
        name: [w for w in walks if rules.judge(position, Run((as_route(w, first),))).legal]
        for name, first in {train.name: train.id for train in trains}.items()
    }

    def choose(number: int, used: frozenset[Side]) -> Iterator[tuple[Route, ...]]:
        if number == len(trains):
            yield ()
            return
        yield from choose(number + 1, used)
        for walk in by_name[trains[number].name]:
            if not walk.sides & used:
                for others in choose(number + 1, used | walk.sides):
                    yield (as_route(walk, trains[number].id), *others)

    return choose(0, frozenset())


def is_small(position: Position, most: int) -> bool:
    """Tell whether there can be at most `most` runs, without listing more routes than that."""
    walks = all_routes(position.board, position.company.corporation, most_cities(position))
    count = sum(1 for _ in islice(walks, most + 1))
    return bool((count + 1) ** len(position.company.trains) <= most)


def best_revenue(position: Position, rules: Rules) -> int:
    """Return the largest revenue of any run, in any order, read from either end."""
    best = 0
    for run in runs(position, rules):
        for listed in _submissions(position.board, run):
            verdict = rules.judge(position, Run(listed))
            assert verdict.legal, verdict.faults
            best = max(best, verdict.revenue)
    return best


def _submissions(board: Board, run: Sequence[Route]) -> Iterator[tuple[Route, ...]]:
    """Yield the run in every order, with each route of two values in one hex both ways round."""
    for listed in permutations(run):
        options: list[tuple[Route, ...]] = [()]
        for route in listed:
            ways = [route]
            if _differs(board, route):
                back = tuple(leg[::-1] for leg in reversed(route.legs))
                ways.append(replace(route, stops=route.stops[::-1], legs=back))
            options = [(*before, way) for before in options for way in ways]
        yield from options


def _differs(board: Board, route: Route) -> bool:
    values = {(board.stops[s].hex, board.stops[s].value) for s in route.stops}
    return len(values) > len({hex_id for hex_id, _ in values})


def random_walks(rng: random.Random, position: Position) -> list[Route]:
    """Return a route for most trains, wandering from own tokens until nothing goes on.

    The routes share no hex side; they may be too long for a train only in towns.
    """
    board, corporation = position.board, position.company.corporation
    onward = {stop: segments(board, stop) for stop in board.stops}
    tokens = [stop.id for stop in board.token_stops(corporation)]
    used: frozenset[Side] = frozenset()
    found: list[Route] = []
    for train in position.company.trains:
        walk = Walk((rng.choice(tokens),), (), frozenset()) if tokens else None
        most = int(position.title.trains[train.name].name[0])
        for _ in range(2):
            walk = walk and _wander(rng, board, corporation, onward, _turned(walk), used, most)
        if walk is not None and len(walk.stops) > 1:
            found.append(as_route(walk, train.id))
            used |= walk.sides
    return found


def _wander(
    rng: random.Random,
    board: Board,
    corporation: str,
    onward: Mapping[str, Sequence[Walk]],
    walk: Walk,
    used: frozenset[Side],
    most: int,
) -> Walk:
    """Go on from the last stop of a walk, at random, as far as cities, tokens and track allow."""
    while len(walk.stops) == 1 or board.stops[walk.stops[-1]].passable(corporation):
        cities = sum(board.stops[stop].kind != "town" for stop in walk.stops)
        options = [
            more
            for more in onward[walk.stops[-1]]
            if more.stops[1] not in walk.stops
            and not more.sides & (walk.sides | used)
            and cities + (board.stops[more.stops[1]].kind != "town") <= most
        ]
        if not options or rng.random() < 0.1:
            break
        more = rng.choice(options)
        walk = Walk((*walk.stops, more.stops[1]), walk.legs + more.legs, walk.sides | more.sides)
    return walk


def _turned(walk: Walk) -> Walk:
    back = as_route(walk, "", turned=True)
    return Walk(back.stops, back.legs, walk.sides)


def partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every division of `items` into sets."""
    if not items:
        yield []
        return
    for rest in partitions(items[1:]):
        yield [[items[0]], *rest]
        for place, group in enumerate(rest):
            yield [*rest[:place], [items[0], *group], *rest[place + 1 :]]
