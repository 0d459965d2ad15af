"""The part of the referee that all games share, where a game's own tests do not reach it."""

from __future__ import annotations

import re
from pathlib import Path

from engine.board.board import Board, PathRef
from engine.board.build import build_board
from engine.board.state import BoardState
from engine.games import load_game
from engine.routing import track
from engine.routing.run import Route
from engine.routing.track import passed_stops, repeated_track, trace
from tests.boards.g18gb_examples import hub, lays, ride, ring, tokens

LAWSON = "N35 81 0, N37 8 1, O34 8 5, P35 5 1"
HOUSE = Path(__file__).resolve().parents[2]


def made(tiles: str, placed: str = "") -> Board:
    """Return a board of 1822."""
    state = BoardState("1822", "3", lays(tiles), tokens(placed) if placed else ())
    return build_board(load_game("1822"), state)


def codes(board: Board, route: Route) -> list[tuple[str, str]]:
    """Return code and path of the faults of tracing a route."""
    return [(fault.code, fault.path) for fault in trace(board, route, "routes[2]")[1]]


def test_a_traced_route_knows_its_track() -> None:
    """Sides as both hexes see them, paths, hexes and moves, leg by leg."""
    board = ring("4+2", "3+1").board
    traced, faults = trace(board, ride(board, "", "J17-0 I16-0 H17-1 J17-2"), "routes[0]")
    assert faults == ()
    assert traced is not None
    assert [stop.id for stop in traced.stops] == ["J17-0", "I16-0", "H17-1", "J17-2"]
    assert [len(sides) for sides in traced.sides] == [4, 2, 6]
    assert traced.moves() == 6
    assert traced.hexes() == {"J17", "J15", "I16", "H17", "I18", "J19"}
    assert len(traced.paths()) == 3 + 2 + 4
    assert not any(traced.links)


def test_a_path_inside_a_hex_touches_no_side() -> None:
    """1822 §2: the track between Swansea and its town is a link of the route."""
    board = made("P35 5 1")
    traced, _ = trace(board, ride(board, "", "D35-0 D35-1"), "routes[0]")
    assert traced is not None
    assert traced.sides == ((),)
    assert traced.links == ((PathRef("D35", 0),),)
    assert traced.moves() == 0


def test_a_junction_is_passed_once() -> None:
    """FMT §D5.2: round a loop and through the junction of N35 again is no leg."""
    board = made("N35 81 0, M34 7 5, M36 8 3, N37 7 2, O34 8 5, P35 5 1")
    by_side = {path.a.index: PathRef("N35", n) for n, path in enumerate(board.faces["N35"].paths)}
    way = [PathRef("P35", 1), PathRef("O34", 0), by_side[4], by_side[2]]
    way += [PathRef("M34", 0), PathRef("M36", 0), PathRef("N37", 0), by_side[0], by_side[4]]
    assert codes(board, Route("", ("P35-0", "P35-0"), (tuple(way),))) == [
        ("JUNCTION_TWICE", "routes[2].legs[0]")
    ]


def test_a_leg_that_turns_round_in_a_junction_is_broken() -> None:
    """FMT §D5.1: at a junction the leg goes on by another path."""
    board = made(LAWSON)
    leg = ride(board, "", "P35-0 M38-4").legs[0]
    half = leg[: next(n for n, ref in enumerate(leg) if ref.hex == "N35") + 1]
    back = (*half, *reversed(half))
    assert codes(board, Route("", ("P35-0", "P35-0"), (back,))) == [
        ("LEG_BROKEN", "routes[2].legs[0]")
    ]


def test_terminal_track_is_not_passed() -> None:
    """FMT §D3.4: a route over Aberdeen (1822) breaks the rule at both legs there."""
    board = made("H3 3 2, G2 7 5", "MR H1 0")
    route = Route(
        "",
        ("H3-0", "H1-0", "H3-0"),
        (ride(board, "", "H3-0 H1-0").legs[0], ride(board, "", "H1-0 H3-0").legs[0]),
    )
    traced, _ = trace(board, route, "routes[0]")
    assert traced is not None
    passed = {(f.code, f.path) for f in passed_stops(board, traced, "MR", "routes[0]", "x")}
    assert passed == {
        ("TERMINAL_PASSED", "routes[0].legs[0]"),
        ("TERMINAL_PASSED", "routes[0].legs[1]"),
    }
    assert {fault.code for fault in repeated_track(traced, "routes[0]", "x")} >= {"STOP_TWICE"}


def test_every_place_that_is_wrong_is_named() -> None:
    """Unknown stops are listed together; so are all broken legs."""
    board = hub().board
    unknown = Route("", ("Z1-0", "I14-0", "Z2-0"), ((), ()))
    assert codes(board, unknown) == [
        ("STOP_UNKNOWN", "routes[2].stops[0]"),
        ("STOP_UNKNOWN", "routes[2].stops[2]"),
    ]
    broken = Route("", ("J13-0", "I14-0", "I16-0"), ((), (PathRef("I14", 9),)))
    assert codes(board, broken) == [
        ("LEG_EMPTY", "routes[2].legs[0]"),
        ("PATH_UNKNOWN", "routes[2].legs[1]"),
    ]


def test_every_code_of_tracing_is_tested_somewhere() -> None:
    """Codes are part of the contract."""
    code = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')
    known = set(code.findall(Path(track.__file__).read_text("utf-8")))
    tests = [file.read_text("utf-8") for file in (HOUSE / "engine").rglob("test_*.py")]
    assert known <= {found for text in tests for found in code.findall(text)}
