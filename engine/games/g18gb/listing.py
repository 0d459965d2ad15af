"""The order in which to submit the routes of a run so that it pays most (18GB §11.8.6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from engine.board.board import Board
from engine.routing.run import Route


@dataclass(frozen=True)
class Listing:
    """Puts routes into the order, and each the way round, that pays most.

    The routes of a compass set are listed one after the other, each touching
    an earlier one of the set, so that the referee can form the set.

    Parameters
    ----------
    board
        The board.
    letters
        Compass letters by hex.
    pairs
        Pairs of letters that score, with their £; empty where the order of
        routes does not matter.
    """

    board: Board
    letters: Mapping[str, frozenset[str]]
    pairs: tuple[tuple[str, str, int], ...]

    def __call__(self, routes: Sequence[Route]) -> tuple[Route, ...]:
        """Return the routes as they should be submitted."""
        ways = [self._better_way(route) for route in routes]
        if not self.pairs or len(ways) < 2:
            return tuple(ways)
        beside = self._beside(ways)
        letters = [self._letters_of(route) for route in ways]
        listed: list[int] = []
        for group in sorted(best_sets(beside, letters, self.pairs), key=min):
            listed.extend(_outward(beside, group))
        return tuple(ways[number] for number in listed)

    def _better_way(self, route: Route) -> Route:
        """Read a route from the end that pays more (18GB §11.4: Hull and Grimsby)."""
        back = replace(
            route,
            stops=route.stops[::-1],
            legs=tuple(leg[::-1] for leg in reversed(route.legs)),
        )
        return back if self._value(back) > self._value(route) else route

    def _value(self, route: Route) -> int:
        first: dict[str, int] = {}
        for name in route.stops:
            stop = self.board.stops[name]
            first.setdefault(stop.hex, stop.value)
        return sum(first.values())

    def _letters_of(self, route: Route) -> frozenset[str]:
        ends = (self.board.stops[route.stops[0]], self.board.stops[route.stops[-1]])
        return frozenset(letter for end in ends for letter in self.letters.get(end.hex, ()))

    def _beside(self, routes: Sequence[Route]) -> tuple[frozenset[int], ...]:
        """Return for each route those that it touches."""
        at: dict[str, set[int]] = defaultdict(set)
        for number, route in enumerate(routes):
            for name in route.stops:
                if self.board.stops[name].kind != "offboard":
                    at[name].add(number)
        return tuple(
            frozenset(other for name in route.stops for other in at[name]) - {number}
            for number, route in enumerate(routes)
        )


def best_sets(
    beside: Sequence[frozenset[int]],
    letters: Sequence[frozenset[str]],
    pairs: Sequence[tuple[str, str, int]],
) -> tuple[frozenset[int], ...]:
    """Divide routes into sets connected by touching, with the highest total bonus.

    Parameters
    ----------
    beside
        For each route those that it touches.
    letters
        For each route its compass letters.
    pairs
        Pairs of letters that score, with their £.

    Returns
    -------
    tuple of frozenset
        The sets; of equally good divisions one with the most of them.

    Notes
    -----
    For each collection of routes still to divide, the set of its first route
    is chosen once among all connected sets within the collection.
    """
    known: dict[frozenset[int], tuple[int, tuple[frozenset[int], ...]]] = {frozenset(): (0, ())}

    def divided(rest: frozenset[int]) -> tuple[int, tuple[frozenset[int], ...]]:
        if rest not in known:
            found: list[tuple[int, int, tuple[frozenset[int], ...]]] = []
            for group in connected_sets(beside, min(rest), rest):
                total, others = divided(rest - group)
                found.append((total + score(group), len(others), (group, *others)))
            total, _, sets = max(found, key=lambda entry: entry[:2])
            known[rest] = total, sets
        return known[rest]

    def score(group: frozenset[int]) -> int:
        has = frozenset(letter for number in group for letter in letters[number])
        return sum(amount for a, b, amount in pairs if a in has and b in has)

    return divided(frozenset(range(len(beside))))[1]


def connected_sets(
    beside: Sequence[frozenset[int]], first: int, within: frozenset[int]
) -> Iterator[frozenset[int]]:
    """Yield every connected set of routes that holds `first`, once.

    Sets grow by layers: those at distance 1 of `first` are any of its
    neighbours, those of the next layer any neighbours of these, and so on.
    """

    def grown(
        done: frozenset[int], layer: frozenset[int], left: frozenset[int]
    ) -> Iterator[frozenset[int]]:
        next_to = frozenset(other for number in layer for other in beside[number]) & left
        for size in range(len(next_to) + 1):
            for chosen in combinations(sorted(next_to), size):
                if size == 0:
                    yield done
                else:
                    added = frozenset(chosen)
                    yield from grown(done | added, added, left - next_to)

    return grown(frozenset([first]), frozenset([first]), within - {first})


def _outward(beside: Sequence[frozenset[int]], group: frozenset[int]) -> list[int]:
    """List the routes of a set, each but the first touching one listed before."""
    listed = [min(group)]
    for number in listed:
        listed.extend(sorted((beside[number] & group).difference(listed)))
    return listed
