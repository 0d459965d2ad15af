"""Routes as game records write them, in and out (FMT §B6)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from engine.board.board import Board
from engine.board.build import build_board
from engine.board.legs import find_legs
from engine.board.state import BoardState
from engine.games import load_game
from engine.notation.routes import WrittenLegs, WrittenRoute, resolve_run, written_route
from engine.routing.problem import turned
from engine.routing.run import Route
from tests.boards.g18gb import random_position
from tests.boards.g18gb_examples import hub, lays, ride, tokens
from tests.engine.games.g18gb.naive import all_routes, as_route

ALL: Mapping[str, str | None] = {"a": "all", "b": "all", "c": "all"}


def made(title: str, tiles: str, placed: str, phase: str) -> Board:
    """Return a board with tiles ``hex tile rotation`` and tokens ``company hex city``."""
    state = BoardState(title, phase, lays(tiles) if tiles else (), tokens(placed))
    return build_board(load_game(title), state)


def written(train: str, *legs: str, nodes: str = "") -> WrittenRoute:
    """Return a written route with legs as hexes between blanks."""
    return WrittenRoute(train, tuple(tuple(leg.split()) for leg in legs), tuple(nodes.split()))


def one(board: Board, company: str, *legs: str, nodes: str = "") -> Route | None:
    """Return what a single written route means."""
    return resolve_run(board, company, [written("a", *legs, nodes=nodes)], ALL)[0]


def stops(routes: Sequence[Route | None]) -> list[tuple[str, ...] | None]:
    """Return the stops of routes, None for void ones."""
    return [None if route is None else route.stops for route in routes]


FRANCE = made("1822", "P43 X9 0", "MR P43 0", "5")
WALES = made("1822", "", "MR D35 0", "1")
GLASGOW = made("18GB", "G4 G08 0, G2 7 0", "CR G4 1", "3+1")


def test_every_leg_is_found_by_its_hexes_in_either_direction() -> None:
    """FMT §B6.3, §B6.7: the written form of a leg leads back to it."""
    board = hub().board
    known = WrittenLegs(board)
    for leg in find_legs(board):
        assert leg in known.candidates(leg.hexes)
        assert turned(leg) in known.candidates(leg.hexes[::-1])
    assert known.candidates(["I14", "Z9"]) == []


def test_the_list_of_legs_follows_the_travel_whatever_way_each_is_written() -> None:
    """FMT §B6.4, §H 24: every leg may be written in either direction."""
    board = hub().board
    ahead = ["J13 I14", "I14 I16", "I16 I18 I20"]
    back = [" ".join(reversed(leg.split())) for leg in ahead]
    expected = ride(board, "a", "J13-0 I14-0 I16-0 I20-0")
    for choice in range(8):
        legs = [(back if choice >> n & 1 else ahead)[n] for n in range(3)]
        assert one(board, "LSWR", *legs) == expected
    assert one(board, "LSWR", *reversed(ahead)) == replace(
        expected,
        stops=expected.stops[::-1],
        legs=tuple(leg[::-1] for leg in reversed(expected.legs)),
    )


def test_a_single_leg_runs_as_written() -> None:
    """FMT §B6.9: from its first to its last stop, whatever the record's order of hexes."""
    board = hub().board
    assert stops([one(board, "LSWR", "I14 J13")]) == [("I14-0", "J13-0")]
    assert stops([one(board, "LSWR", "J13 I14")]) == [("J13-0", "I14-0")]


def test_a_single_leg_needs_an_own_token() -> None:
    """FMT §B6.9: without one at either end the route is void; longer routes are not asked."""
    board = hub().board
    assert one(board, "LSWR", "I16 I18 I20") is None
    assert one(board, "GER", "I14 J13") is None
    assert one(board, "GER", "I14 J13", "I14 I16") is not None


@pytest.mark.parametrize(
    "legs",
    [
        (),
        ("J13 I14", "I16 I18 I20"),
        ("J13 I14", "I14 J13"),
        ("J13 Z9",),
        ("J13 I14", "I14 I16", "I16 I14"),
    ],
)
def test_void_routes(legs: tuple[str, ...]) -> None:
    """FMT §B6.8, §H 25: no legs, legs that do not meet in one stop, or use a path again."""
    assert one(hub().board, "LSWR", *legs) is None


def test_both_cities_of_glasgow() -> None:
    """FMT §B6.3, §H 19: four paths from one city of a hex to the other."""
    route = one(GLASGOW, "CR", "G4 F3 G2 G4")
    assert route is not None
    assert set(route.stops) == {"G4-0", "G4-1"}
    assert len(route.legs[0]) == 4


def test_a_leg_on_one_hex_face() -> None:
    """FMT §B6.5, §H 21: one path between city and town of Swansea (1822)."""
    route = one(WALES, "MR", "D35")
    assert route is not None
    assert sorted(route.stops) == ["D35-0", "D35-1"]
    assert len(route.legs[0]) == 1


def test_a_junction_is_written_once() -> None:
    """FMT §B6.3, §H 20: six paths, N35 once."""
    board = made("1822", "N35 81 0, N37 8 1, O34 8 5, P35 5 1", "MR P35 0", "3")
    route = one(board, "MR", "P35 O34 N35 N37 M38")
    assert route is not None
    assert route.stops == ("P35-0", "M38-4")
    assert len(route.legs[0]) == 6


def test_local_trains_stand_where_the_token_is() -> None:
    """FMT §B6.6, §H 22: in London the city with the company's token; void without one."""
    board = made("1822", "", "MR M38 3, LNWR M38 0", "1")
    assert stops([one(board, "MR", "local M38")]) == [("M38-3",)]
    assert stops([one(board, "LNWR", "local M38")]) == [("M38-0",)]
    assert one(board, "GWR", "local M38") is None
    assert one(board, "MR", "local Z9") is None
    assert one(board, "MR", "local") is None


def test_two_trains_take_both_tracks_to_france() -> None:
    """FMT §B6.10, §H 23: one each, the last route first; a third train finds none."""
    both = WrittenLegs(FRANCE).candidates(["Q44", "P43"])
    run = [written(train, "Q44 P43") for train in "abc"]
    first, second, third = resolve_run(FRANCE, "MR", run, ALL)
    assert first is None
    assert second is not None
    assert third is not None
    assert third.legs == (both[0].paths,)
    assert second.legs == (both[1].paths,)


def test_trains_of_other_classes_take_the_same_track() -> None:
    """FMT §B6.10: track is taken within a class; without a class it is shared freely."""
    run = [written(train, "Q44 P43") for train in "abc"]
    for classes in ({"a": "E", "b": "E", "c": "other"}, {"a": None, "b": None, "c": None}):
        found = resolve_run(FRANCE, "MR", run, classes)
        assert None not in found
    assert found[0] is not None
    assert found[2] is not None
    assert found[0].legs == found[2].legs


def test_taken_track_makes_longer_routes_void() -> None:
    """FMT §B6.8: no leg of a pair may use a path of a route resolved before."""
    board = hub().board
    run = [written("a", "J13 I14", "I14 I16"), written("b", "I14 I16", "I16 I18 I20")]
    assert stops(resolve_run(board, "LSWR", run, ALL)) == [None, ("I14-0", "I16-0", "I20-0")]
    free = {"a": None, "b": None}
    assert None not in resolve_run(board, "LSWR", run, free)


def test_nodes_choose_among_tracks_and_never_make_a_route_void() -> None:
    """FMT §B6.8: nodes only break ties between candidates; the first wins otherwise."""
    board = hub().board
    legs = ("J13 I14", "I14 I16")
    plain = one(board, "LSWR", *legs)
    assert one(board, "LSWR", *legs, nodes="J13-0 I14-0 I16-0") == plain
    assert one(board, "LSWR", *legs, nodes="G26-0") == plain


def test_a_run_without_routes() -> None:
    """FMT §B6.1: the list may be empty; then every train stands still."""
    assert resolve_run(hub().board, "LSWR", [], ALL) == ()


def test_a_standing_train_is_written_as_local() -> None:
    """FMT §B6.6: a route of one stop."""
    board = made("1822", "", "MR M38 3", "1")
    assert written_route(board, Route("L-0", ("M38-3",))) == WrittenRoute(
        "L-0", (("local", "M38"),), ("M38-3",)
    )


def test_what_is_written_is_read_back() -> None:
    """FMT §B6: every route of small random boards survives being written and resolved."""
    count = 0
    for seed in range(25):
        state, company = random_position(random.Random(seed), hexes=7, trains=1)
        board = build_board(load_game("18GB"), state)
        legs = WrittenLegs(board)
        for walk in all_routes(board, company.corporation, 4):
            route = as_route(walk, "a")
            text = written_route(board, route)
            assert text.nodes == route.stops
            assert resolve_run(board, company.corporation, [text], ALL, legs) == (route,)
            count += 1
    assert count > 100
