"""A naive exhaustive search for 1862: every run there is, priced by the referee.

Written from the rules alone. It follows the paths of the board itself and
knows nothing of legs found beforehand, of the statement of the problem or of
the optimizer; what it cuts off early is only what cannot be legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise, permutations, product
from math import comb, prod

from engine.board.board import Board, PathRef, far_end, is_side
from engine.games.g1862.rules import Profile1862, Rules1862
from engine.routing.run import Position, Route, Run
from engine.titles.trains import TrainKind


@dataclass(frozen=True)
class Best:
    """The best that the search found, and how many runs it priced."""

    revenue: int
    subsidy: int
    runs: int


def ways_from(board: Board, start: str) -> list[tuple[str, tuple[PathRef, ...]]]:
    """Return all track from a stop to the next, each with the stop it leads to."""
    stop = board.stops[start]
    found = []
    for number, which in board.faces[stop.hex].by_stop[stop.index]:
        ref, entered, paths = PathRef(stop.hex, number), which, [PathRef(stop.hex, number)]
        while is_side(end := far_end(board.path(ref), entered)):
            met = board.across(ref.hex, end)
            if not met:
                break
            (ref, entered) = met[0]
            paths.append(ref)
        else:
            goal = board.stop_at[ref.hex, end.index].id
            if goal != start:
                found.append((goal, tuple(paths)))
    return found


def routes_of(rules: Rules1862, position: Position, train: str) -> list[Route]:
    """Return every valid route of a train, each in one direction."""
    board = position.board
    kind = _kind(position, train)
    ways = {stop: ways_from(board, stop) for stop in board.stops}
    order = list(board.stops)
    lenient = Rules1862(position.title, _alone(rules))

    def extend(stops: list[str], legs: list[tuple[PathRef, ...]]) -> Iterator[Route]:
        if len(stops) > 1 and order.index(stops[0]) < order.index(stops[-1]):
            route = Route(train, tuple(stops), tuple(legs))
            if _valid(lenient, position, route):
                yield route
        for stop, paths in ways[stops[-1]]:
            longer = [*stops, stop], [*legs, paths]
            if stop not in stops and not _too_long(board, kind, *longer):
                yield from extend(*longer)

    return [route for stop in order for route in extend([stop], [])]


def _kind(position: Position, train: str) -> TrainKind:
    name = next(one.name for one in position.company.trains if one.id == train)
    return position.title.trains[name.rstrip("*")]


def _alone(rules: Rules1862) -> Profile1862:
    return replace(rules.profile, name="alone", idle_trains=True)


def _too_long(
    board: Board, kind: TrainKind, stops: Sequence[str], legs: Sequence[tuple[PathRef, ...]]
) -> bool:
    if kind.kind == "freight":
        hexes = sum(p.hex != q.hex for leg in legs for p, q in pairwise(leg))
        return hexes > kind.reach
    large = sum(board.stops[stop].kind == "city" for stop in stops)
    return large > max(slot.visit for slot in kind.slots if "city" in slot.kinds)


def _valid(rules: Rules1862, position: Position, route: Route) -> bool:
    """A route is valid by itself if at most home, which another may visit, is missing."""
    codes = {fault.code for fault in rules.judge(position, Run((route,))).faults}
    return codes <= {"HOME_NOT_VISITED"}


def count_runs(position: Position, routes: dict[str, list[Route]]) -> int:
    """Return how many runs there are, orders of listing aside."""
    sizes = Counter(_kind(position, train).name for train in routes)
    many = {_kind(position, train).name: len(found) for train, found in routes.items()}
    return prod(comb(many[name] + count, count) for name, count in sizes.items())


def best_run(rules: Rules1862, position: Position, routes: dict[str, list[Route]]) -> Best:
    """Try every run in every order of listing that can matter.

    The choice of what counts is the exact one (1862 D19), as for an optimum.
    """
    exact = Rules1862(position.title, replace(rules.profile, name="exact", choice_by_node=False))
    best, tried = (0, 0), 0
    for run in _runs(position, routes):
        for listed in _orders(position, run):
            verdict = exact.judge(position, Run(listed))
            tried += 1
            if verdict.legal:
                best = max(best, (verdict.revenue, verdict.subsidy))
    return Best(*best, tried)


def _runs(position: Position, routes: dict[str, list[Route]]) -> Iterator[tuple[Route, ...]]:
    """Yield every run; of identical trains the routes are tried in one order only."""
    same: dict[str, list[str]] = {}
    for train in routes:
        same.setdefault(_kind(position, train).name, []).append(train)
    groups = [
        list(combinations_with_replacement([None, *range(len(routes[trains[0]]))], len(trains)))
        for trains in same.values()
    ]
    for picks in product(*groups):
        yield tuple(
            routes[train][pick]
            for trains, chosen in zip(same.values(), picks, strict=True)
            for train, pick in zip(trains, chosen, strict=True)
            if pick is not None
        )


def _orders(position: Position, run: tuple[Route, ...]) -> Iterator[tuple[Route, ...]]:
    """Yield a run in every order and direction of its Freights, where these can matter."""
    freights = [r for r in run if _kind(position, r.train).kind == "freight"]
    others = tuple(r for r in run if r not in freights)
    ends = Counter(stop for route in freights for stop in (route.stops[0], route.stops[-1]))
    plain = len(freights) < 2 or (max(ends.values()) <= 2 and min(ends.values()) == 1)
    if plain and sum(count == 1 for count in ends.values()) >= 2:
        yield run
        return
    for listed in permutations(freights):
        for turned in product((False, True), repeat=len(freights)):
            yield (
                *others,
                *(turn(r) if back else r for r, back in zip(listed, turned, strict=True)),
            )


def turn(route: Route) -> Route:
    """Return a route in the other direction."""
    legs = tuple(leg[::-1] for leg in reversed(route.legs))
    return replace(route, stops=route.stops[::-1], legs=legs)
