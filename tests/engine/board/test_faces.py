"""Faces: tiles turned, stops, lanes, track bonuses (FMT §D2, §D3; facts §3, §4)."""

from __future__ import annotations

import pytest

from engine.board.atlas import Atlas
from engine.board.board import Board, PathRef, far_end, lanes_meet, near_end
from engine.board.build import build_board
from engine.board.faces import EndKind, PathEnd
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game

GB = load_game("18GB")
BR = load_game("1822")


def end(lanes: int, lane: int) -> PathEnd:
    """Return a path end at a side with so many lanes."""
    return PathEnd(EndKind.SIDE, 0, lanes, lane)


def test_a_rotation_turns_the_sides_clockwise() -> None:
    """FMT §D2.1: rotation r adds r to every exit."""
    faces = GB.atlas().tiles["G40"].faces
    assert [sorted(face.sides()) for face in faces] == [
        [0, 2], [1, 3], [2, 4], [3, 5], [0, 4], [1, 5],
    ]  # fmt: skip
    assert [face.rotation for face in faces] == list(range(6))


def test_a_rotation_keeps_stops_and_their_parts() -> None:
    """FMT §D2.1: part numbers and references stay."""
    for kind in GB.atlas().tiles.values():
        for face in kind.faces:
            assert [(s.index, s.part, s.kind, s.slots) for s in face.stops] == [
                (s.index, s.part, s.kind, s.slots) for s in kind.faces[0].stops
            ]
            assert len(face.paths) == len(kind.faces[0].paths)


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        ((1, 0), (1, 0), True),
        ((2, 0), (2, 1), True),
        ((2, 0), (2, 0), False),
        ((2, 1), (1, 0), True),
        ((2, 0), (1, 0), False),
        ((3, 1), (1, 0), True),
        ((3, 0), (1, 0), False),
    ],
)
def test_lanes_that_meet(a: tuple[int, int], b: tuple[int, int], meet: bool) -> None:
    """FMT §D3.2: equal numbers add up to w - 1; otherwise the narrower is shifted."""
    assert lanes_meet(end(*a), end(*b)) is meet
    assert lanes_meet(end(*b), end(*a)) is meet


def test_double_track_of_mid_wales_stays_apart() -> None:
    """FMT §D3.2: each lane of E28 meets one lane of F27, which part to the north and east."""
    board = build_board(BR, BoardState("1822", "1"))
    met = {}
    for number, path in enumerate(board.faces["E28"].paths):
        if path.a.index == 4:
            met[path.a.lane] = board.across("E28", path.a)
            assert board.path(PathRef("E28", number)) is path
    assert met == {0: ((PathRef("F27", 1), 0),), 1: ((PathRef("F27", 0), 0),)}


def test_nothing_is_met_at_the_rim_of_the_map() -> None:
    """FMT §D1.2: a side without a hex behind it meets no track."""
    board = build_board(GB, BoardState("18GB", "2+1"))
    assert board.across("L1", PathEnd(EndKind.SIDE, 5)) == ()


def test_far_and_near_end_of_a_path() -> None:
    """End 0 is ``a``; the far end of entering at ``a`` is ``b``."""
    path = GB.atlas().tiles["8"].faces[0].paths[0]
    assert (near_end(path, 0).index, far_end(path, 0).index) == (0, 2)
    assert (near_end(path, 1).index, far_end(path, 1).index) == (2, 0)


def test_bonus_only_on_the_special_track_of_an_estuary() -> None:
    """18GB §11.6: one path of G32 and one of G33."""
    tiles = GB.atlas().tiles
    for tile, sides, bonus in (("G33", {2, 5}, ("S", 30)), ("G32", {4, 5}, ("FT", 40))):
        face = tiles[tile].faces[0]
        ((number, paid),) = face.bonuses.items()
        assert {face.paths[number].a.index, face.paths[number].b.index} == sides
        assert paid == bonus
    assert not tiles["G30"].faces[0].bonuses


def test_a_tile_hides_the_printed_face() -> None:
    """The first tile of a hex replaces the printed stops (facts §3.2)."""
    plain = build_board(GB, BoardState("18GB", "3+1"))
    laid = build_board(GB, BoardState("18GB", "3+1", (TileLay("I14", "G36", 0),)))
    assert plain.stops["I14-0"].value == 0
    assert laid.stops["I14-0"].value == 20
    assert laid.stops["I14-0"].name == "York"


def test_groups_stay_when_the_tile_is_replaced() -> None:
    """Facts §3.2: London's cities keep their group under X20."""
    board = build_board(BR, BoardState("1822", "1", (TileLay("M38", "X20", 0),)))
    london = [stop for stop in board.stops.values() if stop.hex == "M38"]
    assert len(london) == 6
    assert {stop.groups for stop in london} == {("London",)}


def test_values_by_phase() -> None:
    """18GB §1.8: London has five values, other areas three, cities that of their tile."""
    values = {}
    for phase in GB.phases:
        stops = build_board(GB, BoardState("18GB", phase)).stops
        values[phase] = stops["G26-0"].value, stops["E14-0"].value, stops["J17-2"].value
    assert values == {
        "2+1": (30, 20, 20),
        "3+1": (40, 20, 20),
        "4+2": (50, 40, 20),
        "5+2": (60, 40, 20),
        "4X": (60, 40, 20),
        "5X": (60, 40, 20),
        "6X": (70, 50, 20),
    }


def york(*tokens: tuple[int, str], tile: str = "G34") -> Board:
    """Return a board with tokens (slot, company) in York."""
    placed = tuple(TokenPlacement("I14", 0, slot, name) for slot, name in tokens)
    return build_board(GB, BoardState("18GB", "5+2", (TileLay("I14", tile, 0),), placed))


def test_who_may_pass_a_city() -> None:
    """FMT §D4.1: a full city blocks whoever has no token in it; an empty slot lets all pass."""
    stop = york((1, "MR")).stops["I14-0"]
    assert not stop.full()
    assert stop.passable("MR")
    assert stop.passable("NER")
    stop = york((0, "CR"), (1, "MR")).stops["I14-0"]
    assert stop.full()
    assert stop.passable("MR")
    assert not stop.passable("NER")


def test_towns_never_block_and_off_boards_always() -> None:
    """FMT §D4.1."""
    stops = york().stops
    assert stops["L1-0"].passable("MR")
    assert not stops["G26-0"].passable("MR")


def test_a_token_in_an_extra_slot_leaves_the_city_open() -> None:
    """1822 §11.7: it counts as presence, and the printed slot stays empty."""
    tokens = (TokenPlacement("P35", 0, 1, "MR", "destination"),)
    state = BoardState("1822", "1", (TileLay("P35", "57", 1),), tokens)
    stop = build_board(BR, state).stops["P35-0"]
    assert stop.has("MR")
    assert not stop.full()
    assert stop.passable("LNWR")


def test_cities_are_found_by_their_place() -> None:
    """Tokens name a city by its place among the cities of the hex."""
    board = build_board(GB, BoardState("18GB", "3+1", (TileLay("G4", "G08", 0),)))
    first, second = board.city_at("G4", 0), board.city_at("G4", 1)
    assert first is not None
    assert second is not None
    assert (first.id, second.id) == ("G4-0", "G4-1")
    for hex_id, place in (("G4", 2), ("G4", -1), ("L1", 0), ("Z9", 0)):
        assert board.city_at(hex_id, place) is None


def test_tokens_stand_in_the_city_that_they_name() -> None:
    """The stops of a company are those with its tokens."""
    state = BoardState(
        "18GB", "3+1", (TileLay("G4", "G08", 0),), (TokenPlacement("G4", 1, 0, "CR"),)
    )
    assert [stop.id for stop in build_board(GB, state).token_stops("CR")] == ["G4-1"]


@pytest.mark.parametrize("title", ["1862", "1822", "1822MRS", "1822NRS", "18GB"])
def test_printed_stops_and_paths_fit_each_other(title: str) -> None:
    """Every path end names a side, stop or junction that its face has."""
    game = load_game(title)
    for name in game.map_files:
        atlas: Atlas = game.atlas(name)
        faces = [h.face for h in atlas.hexes.values()]
        faces += [face for kind in atlas.tiles.values() for face in kind.faces]
        for face in faces:
            ends = [e for path in face.paths for e in (path.a, path.b)]
            limits = {EndKind.SIDE: 6, EndKind.STOP: len(face.stops)}
            limits[EndKind.JUNCTION] = face.junctions
            assert all(0 <= e.index < limits[e.kind] for e in ends), face.id
            assert all(e.lane < e.lanes for e in ends), face.id
