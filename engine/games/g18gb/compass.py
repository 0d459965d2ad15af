"""The division of a submitted run into compass sets (18GB §11.8.4, §11.8.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

Pairs = Sequence[tuple[str, str, int]]
"""Pairs of letters that score, with their £."""

_Open = tuple[frozenset[str], int]
"""A set in the making: its letters, and as bits the routes that touch it."""


@dataclass(frozen=True, slots=True)
class Member:
    """What the division needs to know of a route.

    Parameters
    ----------
    letters
        Letters of the off-board areas in which it ends (18GB §11.8.1).
    nodes
        Cities and towns on it, skipped ones included: where it touches other
        routes (18GB §11.8.2).
    """

    letters: frozenset[str]
    nodes: frozenset[str]


def scored(letters: frozenset[str], pairs: Pairs) -> tuple[tuple[str, int], ...]:
    """Return what a set with these letters scores: names and £ (18GB §11.8.3).

    Examples
    --------
    >>> scored(frozenset("NSE"), [("N", "S", 20), ("E", "W", 20)])
    (('NS', 20),)
    """
    return tuple((a + b, amount) for a, b, amount in pairs if a in letters and b in letters)


def divide(members: Sequence[Member], pairs: Pairs) -> tuple[int, ...]:
    """Divide routes into sets in the order in which they are listed.

    Each route forms a new set or joins an existing one that holds a route it
    touches. Of all such divisions the one with the highest total bonus counts;
    of these the one with the most sets; of these the first when, route by
    route, a new set comes before the first set, the second, and so on.

    Parameters
    ----------
    members
        The routes as listed.
    pairs
        What scores.

    Returns
    -------
    tuple of int
        For each route the number of its set, in order of creation.

    Notes
    -----
    The value of what is still to come depends only on the letters of each set
    and on the later routes that touch it, so it is worked out once for each
    such state; then the listing is walked, at each route taking the first
    choice that keeps the best value.
    """
    touching = tuple(
        sum(1 << other for other, m in enumerate(members) if not m.nodes.isdisjoint(member.nodes))
        for member in members
    )

    def choices(number: int, sets: Sequence[_Open]) -> Iterator[tuple[int, list[_Open]]]:
        letters = members[number].letters
        yield len(sets), [*sets, (letters, touching[number])]
        for place, (has, touched) in enumerate(sets):
            if touched >> number & 1:
                joined = (has | letters, touched | touching[number])
                yield place, [*sets[:place], joined, *sets[place + 1 :]]

    def value(number: int, sets: Sequence[_Open]) -> tuple[int, int]:
        """Return the best bonus of all sets, and how many more can be formed with it."""
        done = sum(
            amount
            for has, touched in sets
            if not touched >> number
            for _, amount in scored(has, pairs)
        )
        waiting = [(tuple(sorted(has)), t >> number) for has, t in sets if t >> number]
        more, formed = best(number, tuple(sorted(waiting)))
        return done + more, formed

    @cache
    def best(number: int, waiting: tuple[tuple[tuple[str, ...], int], ...]) -> tuple[int, int]:
        sets = [(frozenset(has), touched << number) for has, touched in waiting]
        if number == len(members):
            return 0, 0
        return max(worth(number, sets, choice) for choice in choices(number, sets))

    def worth(
        number: int, sets: Sequence[_Open], choice: tuple[int, list[_Open]]
    ) -> tuple[int, int]:
        bonus, formed = value(number + 1, choice[1])
        return bonus, formed + (choice[0] == len(sets))

    numbers: list[int] = []
    sets: list[_Open] = []
    for number in range(len(members)):
        aim = value(number, sets)
        place, sets = next(c for c in choices(number, sets) if worth(number, sets, c) == aim)
        numbers.append(place)
    return tuple(numbers)


def components(members: Sequence[Member]) -> tuple[int, ...]:
    """Return for each route the number of its connected component of touching.

    Components are numbered by their first routes (18GB §11.8.6, the older practice).
    """
    numbers = list(range(len(members)))
    for number, member in enumerate(members):
        met = {
            numbers[other]
            for other in range(number)
            if not members[other].nodes.isdisjoint(member.nodes)
        }
        if met:
            least = min(met)
            numbers[: number + 1] = [least if n in met else n for n in (*numbers[:number], least)]
    order = {n: place for place, n in enumerate(dict.fromkeys(numbers))}
    return tuple(order[n] for n in numbers)
