"""The order in which routes are listed so that they pay most (18GB §11.8.6)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from engine.games import load_game
from engine.games.g18gb.listing import best_sets, connected_sets
from engine.routing.position import make_rules
from engine.routing.run import Run
from tests.boards import g18gb_examples as boards
from tests.engine.games.g18gb.naive import partitions

PAIRS = (("N", "S", 40), ("E", "W", 40))
LETTERS = st.lists(st.frozensets(st.sampled_from("NSEW"), max_size=2), min_size=1, max_size=6)
Drawn = tuple[list[frozenset[str]], list[frozenset[int]]]
"""Letters of routes and, for each route, those that it touches."""


@st.composite
def touching(draw: st.DrawFn) -> Drawn:
    """Return up to six routes that touch at random."""
    letters = draw(LETTERS)
    pairs = list(combinations(range(len(letters)), 2))
    chosen = draw(st.sets(st.sampled_from(pairs))) if pairs else set()
    beside = [
        frozenset(other for pair in chosen if n in pair for other in pair if other != n)
        for n in range(len(letters))
    ]
    return letters, beside


def connected(beside: Sequence[frozenset[int]], group: Sequence[int]) -> bool:
    """Tell whether a chain of touches within the group joins all of it."""
    met = [group[0]]
    for number in met:
        met.extend(sorted((beside[number] & set(group)).difference(met)))
    return len(met) == len(group)


def score(letters: Sequence[frozenset[str]], group: Sequence[int]) -> int:
    """Return what a set scores."""
    has = frozenset(letter for number in group for letter in letters[number])
    return sum(amount for a, b, amount in PAIRS if a in has and b in has)


@given(touching())
def test_every_connected_set_comes_once(drawn: Drawn) -> None:
    """The sets that hold the first route, and no other."""
    _, beside = drawn
    found = list(connected_sets(beside, 0, frozenset(range(len(beside)))))
    assert len(found) == len(set(found))
    expected = {
        frozenset([0, *chosen])
        for size in range(len(beside))
        for chosen in combinations(range(1, len(beside)), size)
        if connected(beside, [0, *chosen])
    }
    assert set(found) == expected


@given(touching())
def test_the_best_sets_are_the_best_of_all_divisions(drawn: Drawn) -> None:
    """§11.8.6: the maximum over all divisions into sets connected by touching."""
    letters, beside = drawn
    sets = [sorted(group) for group in best_sets(beside, letters, PAIRS)]
    assert sorted(n for group in sets for n in group) == list(range(len(letters)))
    assert all(connected(beside, group) for group in sets)
    best = max(
        (sum(score(letters, group) for group in division), len(division))
        for division in partitions(range(len(letters)))
        if all(connected(beside, group) for group in division)
    )
    assert (sum(score(letters, group) for group in sets), len(sets)) == best


def test_the_route_that_joins_two_others_comes_between_them() -> None:
    """§11.8.2: meeting in an off-board area is no touch, whatever order is given."""
    position = boards.crewe()
    rules = make_rules(load_game("18GB"))
    order = rules.problem(position).order
    assert order is not None
    routes = [
        boards.ride(position.board, "4X-0", "H9-0 G14-0 E14-0"),
        boards.ride(position.board, "4X-1", "G14-0 G16-0 F17-0"),
        boards.ride(position.board, "4X-2", "E14-0 F17-0 F21-0 F23-0 F25-0 G26-0"),
    ]
    for given_order in permutations(routes):
        listed = order(given_order)
        verdict = rules.judge(position, Run(listed))
        assert verdict.revenue == 470, [route.train for route in listed]
