"""A naive exhaustive search for 1822: every run there is, priced by the referee.

Written from the rules alone. It follows the paths of the board itself and
knows nothing of legs found beforehand, of the statement of the problem or of
the optimizer. It leaves out only what cannot be legal: routes that visit a
stop or use a hex side twice, and those that pass a blocked city (1822 §11.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from engine.board.board import Board, PathRef, far_end, near_end
from engine.board.faces import EndKind
from engine.routing.rules import Rules
from engine.routing.run import Position, Route, Run

Side = tuple[str, int, int, int]
"""A hex, one of its sides, and the lane there."""


@dataclass(frozen=True)
class Walk:
    """Stops in order, the paths between them, and the hex sides on the way."""

    stops: tuple[str, ...]
    legs: tuple[tuple[PathRef, ...], ...] = ()
    sides: frozenset[Side] = frozenset()


def segments(board: Board, start: str) -> list[Walk]:
    """Return all track from a stop to another without a stop in between (1822 §11.1)."""
    stop = board.stops[start]
    found: list[Walk] = []

    def follow(
        ref: PathRef, entered: int, paths: tuple[PathRef, ...], sides: Sequence[Side]
    ) -> None:
        paths = (*paths, ref)
        end = far_end(board.path(ref), entered)
        if end.kind is EndKind.STOP:
            goal = board.stop_at[ref.hex, end.index].id
            if goal != start:
                found.append(Walk((start, goal), (paths,), frozenset(sides)))
        elif end.kind is EndKind.JUNCTION:
            if sum(_at_junction(board, other, ref.hex, end.index) for other in paths) < 2:
                for number, entry in board.faces[ref.hex].by_junction[end.index]:
                    if number != ref.path and not board.path(PathRef(ref.hex, number)).terminal:
                        follow(PathRef(ref.hex, number), entry, paths, sides)
        else:
            leaving = (ref.hex, end.index, end.lanes, end.lane)
            for other, entry in board.across(ref.hex, end):
                near = near_end(board.path(other), entry)
                entering = (other.hex, near.index, near.lanes, near.lane)
                if leaving not in sides and entering not in sides:
                    follow(other, entry, paths, (*sides, leaving, entering))

    for number, which in board.faces[stop.hex].by_stop[stop.index]:
        follow(PathRef(stop.hex, number), which, (), ())
    return found


def _at_junction(board: Board, ref: PathRef, hex_id: str, junction: int) -> bool:
    path = board.path(ref)
    ends = [end.index for end in (path.a, path.b) if end.kind is EndKind.JUNCTION]
    return ref.hex == hex_id and junction in ends


def all_walks(board: Board, corporation: str, stops: int) -> Iterator[Walk]:
    """Yield all track along at most so many different stops, once, in one direction."""
    onward = {stop: segments(board, stop) for stop in board.stops}

    def extend(walk: Walk) -> Iterator[Walk]:
        if len(walk.stops) == 1 or walk.stops[0] < walk.stops[-1]:
            yield walk
        passable = board.stops[walk.stops[-1]].passable(corporation)
        if len(walk.stops) == stops or (walk.legs and not passable):
            return
        for more in onward[walk.stops[-1]]:
            if more.stops[1] not in walk.stops and not more.sides & walk.sides:
                together = walk.sides | more.sides
                longer = Walk((*walk.stops, more.stops[1]), walk.legs + more.legs, together)
                yield from extend(longer)

    for stop in board.stops:
        yield from extend(Walk((stop,)))


def legal_routes(rules: Rules, position: Position, most: int = 10**6) -> dict[str, list[Route]]:
    """Return by train every route that the referee accepts, with and without P+.

    Parameters
    ----------
    most
        Stops on a route, at most, where the trains allow more.
    """
    kinds = {t.id: position.title.trains[t.name] for t in position.company.trains}
    plus = next((position.title.trains[k.name].name for k in kinds.values() if k.carriage), "")
    running = [train for train, kind in kinds.items() if not kind.carriage]
    reach = max((kinds[train].reach + 1 for train in running), default=0)
    walks = list(
        all_walks(position.board, position.company.corporation, most if plus else min(most, reach))
    )
    found: dict[str, list[Route]] = {train: [] for train in running}
    for train, walk, attached in product(running, walks, ("", plus) if plus else ("",)):
        route = Route(train, walk.stops, walk.legs, None, attached)
        if rules.judge(position, Run((route,))).legal:
            found[train].append(route)
    return found


def best_run(rules: Rules, position: Position) -> tuple[int, int, int]:
    """Return the best revenue, the best mail money with it, and how many runs were judged.

    A run pays no more than its routes would alone, so runs that cannot reach the best so
    far are left out.
    """
    alone = [
        sorted(
            ((rules.judge(position, Run((route,))).revenue, route) for route in routes),
            key=lambda pair: -pair[0],
        )
        for routes in legal_routes(rules, position).values()
    ]
    best = (0, 0)
    judged = 0

    def choose(number: int, chosen: tuple[Route, ...], sum_alone: int) -> None:
        nonlocal best, judged
        rest = sum(routes[0][0] for routes in alone[number:] if routes)
        if sum_alone + rest < best[0]:
            return
        if number == len(alone):
            verdict = rules.judge(position, Run(chosen))
            judged += 1
            if verdict.legal:
                best = max(best, (verdict.revenue, verdict.subsidy))
            return
        later = sum(routes[0][0] for routes in alone[number + 1 :] if routes)
        for revenue, route in alone[number]:
            if sum_alone + revenue + later < best[0]:
                break
            choose(number + 1, (*chosen, route), sum_alone + revenue)
        choose(number + 1, chosen, sum_alone)

    choose(0, (), 0)
    return (*best, judged)
