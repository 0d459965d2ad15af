"""Hexes, sides, names and distance (FMT §D1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.geometry import SIDES, Point, distance, opposite, parse_hex
from engine.games import Game, all_games

POINTS = st.tuples(st.integers(-20, 20), st.integers(-40, 40)).filter(lambda p: sum(p) % 2 == 0)
MAPS = [(game, name) for game in all_games().values() for name in game.map_files]


def step(point: Point, side: int) -> Point:
    """Return the hex over a side."""
    return point[0] + SIDES[side][0], point[1] + SIDES[side][1]


def test_sides_run_clockwise_from_the_south() -> None:
    """FMT §D1.1: the table of exits."""
    assert SIDES == ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))


@given(POINTS, st.integers(0, 5))
def test_the_opposite_side_leads_back(point: Point, side: int) -> None:
    """FMT §D1.1: exit e faces exit e + 3 of the neighbour."""
    assert step(step(point, side), opposite(side)) == point


@given(POINTS, POINTS, POINTS)
def test_distance_is_a_metric(a: Point, b: Point, c: Point) -> None:
    """FMT §D1.3: symmetric, 0 only for the same hex, never longer over a third."""
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(POINTS, st.integers(0, 5), POINTS)
def test_a_step_changes_the_distance_by_at_most_one(a: Point, side: int, b: Point) -> None:
    """FMT §D1.3: and from any other hex some side leads nearer by one."""
    assert distance(a, step(a, side)) == 1
    assert abs(distance(a, b) - distance(step(a, side), b)) <= 1
    if a != b:
        assert min(distance(step(a, s), b) for s in range(6)) == distance(a, b) - 1


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("H19", "G26", 4), ("E6", "K0", 6), ("J17", "B21", 8), ("G26", "J13", 8), ("J17", "J17", 0)],
)
def test_distances_of_worked_examples(a: str, b: str, expected: int) -> None:
    """18GB §11.10: examples 4, 7 and 11."""
    one, two = parse_hex(a), parse_hex(b)
    assert one is not None
    assert two is not None
    assert distance(one, two) == expected


@pytest.mark.parametrize("name", ["", "11F", "F", "AA11", "f11", "F-1", "F1x", "b2", "F²"])
def test_what_is_no_hex_name(name: str) -> None:
    """FMT §B4.1: one capital letter, or a small a, and a number."""
    assert parse_hex(name) is None


@pytest.mark.parametrize(("game", "name"), MAPS, ids=lambda v: getattr(v, "title", v))
def test_names_give_the_coordinates_of_every_map(game: Game, name: str) -> None:
    """FMT §D1.1, §B4.1: x from the letter, y from the number."""
    for hex_id, printed in game.atlas(name).hexes.items():
        assert parse_hex(hex_id) == printed.point


@pytest.mark.parametrize(("game", "name"), MAPS, ids=lambda v: getattr(v, "title", v))
def test_neighbours_of_every_map_lie_over_their_sides(game: Game, name: str) -> None:
    """FMT §D1.2: an open neighbour is the hex over the side, and no other."""
    atlas = game.atlas(name)
    at = {printed.point: hex_id for hex_id, printed in atlas.hexes.items()}
    for printed in atlas.hexes.values():
        for side, other in printed.neighbours.items():
            assert at[step(printed.point, side)] == other
