"""Legs: the track from one stop to the next (FMT §D5, §B6.3)."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine.board.board import Board
from engine.board.build import build_board
from engine.board.legs import Leg, find_legs
from engine.board.state import BoardState
from engine.games import load_game
from engine.routing.problem import turned
from engine.routing.run import CompanyState, Route
from engine.routing.track import repeated_track, trace
from tests.boards import g18gb, g1822, g1862
from tests.boards.g18gb_examples import great_north, lays, ring
from tests.engine.games.g18gb.naive import segments

Draw = Callable[[random.Random], tuple[BoardState, CompanyState]]

BOARDS: dict[str, Draw] = {
    "1862 small": lambda rng: g1862.random_position(rng, hexes=15, trains=1),
    "1862 large": g1862.large_position,
    "1822 small": lambda rng: g1822.random_position(rng, hexes=15, trains=1),
    "1822 large": g1822.large_position,
    "18GB small": lambda rng: g18gb.random_position(rng, hexes=15, trains=1),
    "18GB large": lambda rng: g18gb.large_position(rng, density=0.8),
}


def made(title: str, tiles: str, phase: str) -> Board:
    """Return a board with tiles written ``hex tile rotation``."""
    return build_board(load_game(title), BoardState(title, phase, lays(tiles)))


def between(board: Board, a: str, b: str) -> list[Leg]:
    """Return the legs from `a` to `b`, turned to run that way."""
    both = [way for leg in find_legs(board) for way in (leg, turned(leg))]
    return [leg for leg in both if (leg.a, leg.b) == (a, b)]


@pytest.mark.parametrize("kind", BOARDS)
def test_every_leg_is_track_as_the_referee_sees_it(kind: str) -> None:
    """FMT §D5: each leg can be followed path by path, both ways, and uses nothing twice."""
    count = 0
    for seed in range(3):
        state, _ = BOARDS[kind](random.Random(seed))
        board = build_board(load_game(state.title), state)
        for leg in find_legs(board):
            for way in (leg, turned(leg)):
                traced, faults = trace(board, Route("", (way.a, way.b), (way.paths,)), "routes[0]")
                assert faults == ()
                assert traced is not None
                assert list(repeated_track(traced, "routes[0]", "")) == []
                assert frozenset(traced.all_sides()) == leg.sides
                assert traced.moves() == leg.length
                count += 1
    assert count > 20


@pytest.mark.parametrize("kind", ["18GB small", "18GB large"])
def test_every_leg_is_found_once(kind: str) -> None:
    """FMT §D5: the same legs as a search that follows the paths of the board one by one."""
    for seed in range(5):
        state, _ = BOARDS[kind](random.Random(seed))
        board = build_board(load_game(state.title), state)
        found = [(leg.a, leg.b, leg.paths) for leg in find_legs(board)]
        assert len(found) == len(set(found))
        naive = {
            (walk.stops[0], walk.stops[1], walk.legs[0])
            for stop in board.stops
            for walk in segments(board, stop)
        }
        both = {*found, *((b, a, paths[::-1]) for a, b, paths in found)}
        assert both == naive


def test_legs_come_in_a_fixed_order() -> None:
    """Reproducible answers begin here: stops in the order of the map."""
    board = great_north().board
    assert find_legs(board) == find_legs(board)
    order = list(board.stops)
    starts = [order.index(leg.a) for leg in find_legs(board)]
    assert starts == sorted(starts)
    assert all(order.index(leg.a) < order.index(leg.b) for leg in find_legs(board))


def test_sides_of_a_leg_are_seen_from_both_hexes() -> None:
    """FMT §D5.2: the leg from Sheffield to Grimsby crosses three borders."""
    (leg,) = between(ring("4+2", "3+1").board, "H17-1", "J17-2")
    assert {(hex_id, side) for hex_id, side, *_ in leg.sides} == {
        ("H17", 5), ("I18", 2), ("I18", 5), ("J19", 2), ("J19", 3), ("J17", 0),
    }  # fmt: skip
    assert leg.length == 3
    assert leg.hexes == ("H17", "I18", "J19", "J17")


def test_a_leg_between_two_cities_of_one_hex() -> None:
    """FMT §B6.3: from one city of Glasgow over F3 and G2 to its other."""
    board = made("18GB", "G4 G08 0, G2 7 0", "3+1")
    (leg,) = between(board, "G4-0", "G4-1")
    assert leg.hexes == ("G4", "F3", "G2", "G4")


def test_two_legs_between_the_same_stops() -> None:
    """Parallel legs are kept apart: two lanes from the Channel to France (1822)."""
    board = made("1822", "P43 X9 0", "5")
    legs = between(board, "P43-0", "Q44-0")
    assert len(legs) == 2
    assert not legs[0].sides & legs[1].sides
    assert not set(legs[0].paths) & set(legs[1].paths)


def test_a_junction_joins_every_pair_of_its_paths() -> None:
    """FMT §D2, §D5.1: tile 80 in N35 (1822) joins Ipswich, Colchester and London."""
    board = made("1822", "N35 80 4, N37 8 1, O34 8 5, P35 5 1, O36 58 0", "3")
    for a, b in (("P35-0", "O36-0"), ("P35-0", "M38-4"), ("O36-0", "M38-4")):
        assert len(between(board, a, b)) == 1


def test_a_junction_is_written_once() -> None:
    """FMT §B6.3: of two successive paths that meet in a junction the hex is written once."""
    board = made("1822", "N35 81 0, N37 8 1, O34 8 5, P35 5 1", "3")
    (leg,) = between(board, "P35-0", "M38-4")
    assert leg.hexes == ("P35", "O34", "N35", "N37", "M38")
    assert len(leg.paths) == 6


def test_no_leg_comes_back_over_the_side_by_which_it_left() -> None:
    """FMT §D5.2, §H 26: a loop of track beyond a hex side does not turn a train round."""
    board = made("18GB", "I26 3 2, J25 G39 1, I24 23 2, H23 29 5, H25 7 2, G24 7 4", "3+1")
    loop = {"H23", "H25", "G24"}
    assert {n for h in loop for n in board.atlas.hexes[h].neighbours.values()} >= loop
    assert between(board, "I26-0", "J25-0") == []
    straight = made("18GB", "I26 3 2, J25 G39 1, I24 7 5", "3+1")
    assert len(between(straight, "I26-0", "J25-0")) == 1, "without the detour there is a leg"


def test_terminal_track_ends_a_route_there() -> None:
    """FMT §D3.4: a leg to Aberdeen (1822) says that a route must end there."""
    (leg,) = between(made("1822", "H3 4 0", "1"), "H3-0", "H1-0")
    assert (leg.terminal_a, leg.terminal_b) == (False, True)


def test_a_terminal_path_to_a_junction_carries_no_leg() -> None:
    """FMT §D3.4: the blue port stubs of 1822 are only drawn."""
    board = made("1822", "G16 6 2", "1")
    side = next(s for s, n in board.atlas.hexes["G16"].neighbours.items() if n == "F15")
    assert side in board.faces["G16"].sides()
    assert all(ref.hex != "F15" for leg in find_legs(board) for ref in leg.paths)
