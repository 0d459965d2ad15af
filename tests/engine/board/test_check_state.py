"""Every fault that a board state can have, with its code and place."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board import build
from engine.board.build import build_board, check_state
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.errors import StateError
from engine.games import load_game
from tests.boards.g18gb import random_position

GB = load_game("18GB")
BR = load_game("1822")


def gb(*tiles: TileLay, tokens: tuple[TokenPlacement, ...] = (), phase: str = "4+2") -> BoardState:
    """Return a state of 18GB."""
    return BoardState("18GB", phase, tiles, tokens)


def token(hex_id: str, city: int, slot: int, company: str, kind: str = "normal") -> BoardState:
    """Return a state of 18GB with a green tile in York and one token."""
    york = TileLay("I14", "G36", 0)
    return gb(york, tokens=(TokenPlacement(hex_id, city, slot, company, kind),))


YORK = TileLay("I14", "G36", 0)
CASES: dict[str, tuple[BoardState, set[tuple[str, str]]]] = {
    "nothing": (gb(), set()),
    "map": (replace(gb(), map="Atlantis"), {("MAP_UNKNOWN", "board.map")}),
    "phase": (gb(phase="7X"), {("PHASE_UNKNOWN", "board.phase")}),
    "two tiles on a hex": (
        gb(YORK, TileLay("I14", "G41", 0)),
        {("HEX_TWICE", "board.tiles[1].hex")},
    ),
    "a hex that is not there": (
        gb(TileLay("Z9", "8", 0)),
        {("HEX_UNKNOWN", "board.tiles[0].hex")},
    ),
    "a tile that is not there": (
        gb(TileLay("I18", "999", 0)),
        {("TILE_UNKNOWN", "board.tiles[0].tile")},
    ),
    "a rotation that is not there": (
        gb(TileLay("I18", "8", 6)),
        {("ROTATION_OUT_OF_RANGE", "board.tiles[0].rotation")},
    ),
    "a negative rotation": (
        gb(TileLay("I18", "8", -1)),
        {("ROTATION_OUT_OF_RANGE", "board.tiles[0].rotation")},
    ),
    "a town where there is none": (
        gb(TileLay("I18", "4", 0)),
        {("TILE_NOT_ALLOWED_ON_HEX", "board.tiles[0].tile")},
    ),
    "a tile over London": (
        gb(TileLay("G26", "8", 0)),
        {("TILE_NOT_ALLOWED_ON_HEX", "board.tiles[0].tile")},
    ),
    "an estuary turned": (
        gb(TileLay("C22", "G33", 1)),
        {
            ("ROTATION_NOT_ALLOWED", "board.tiles[0].rotation"),
            ("SIDE_CLOSED", "board.tiles[0].rotation"),
        },
    ),
    "track into the sea": (
        gb(TileLay("J15", "9", 2)),
        {("SIDE_CLOSED", "board.tiles[0].rotation")},
    ),
    "more tiles than there are": (
        gb(*(TileLay(h, "204", 0) for h in ("I20", "I22", "F23", "F25", "D21"))),
        {("TILE_SUPPLY_EXCEEDED", "board.tiles[4].tile")},
    ),
    "a token off the map": (token("Z9", 0, 0, "MR"), {("HEX_UNKNOWN", "board.tokens[0].hex")}),
    "a token in a city that is not there": (
        token("I14", 1, 0, "MR"),
        {("CITY_UNKNOWN", "board.tokens[0].city")},
    ),
    "a token in an off-board area": (
        token("G26", 0, 0, "MR"),
        {("CITY_UNKNOWN", "board.tokens[0].city")},
    ),
    "a token beside the slots": (
        token("I14", 0, 1, "MR"),
        {("SLOT_UNKNOWN", "board.tokens[0].slot")},
    ),
    "a token of nobody": (
        token("I14", 0, 0, "XYZ"),
        {("CORPORATION_UNKNOWN", "board.tokens[0].corporation")},
    ),
    "a destination token where there are none": (
        token("I14", 0, 0, "MR", "destination"),
        {("TOKEN_KIND_UNKNOWN", "board.tokens[0].kind")},
    ),
    "two tokens in a slot": (
        gb(YORK, tokens=(TokenPlacement("I14", 0, 0, "MR"), TokenPlacement("I14", 0, 0, "NER"))),
        {("SLOT_TAKEN", "board.tokens[1].slot")},
    ),
    "two tokens of one company in a city": (
        gb(
            TileLay("I14", "G34", 0),
            tokens=(TokenPlacement("I14", 0, 0, "MR"), TokenPlacement("I14", 0, 1, "MR")),
        ),
        {("TOKEN_TWICE_IN_CITY", "board.tokens[1]")},
    ),
}


def found(state: BoardState) -> set[tuple[str, str]]:
    """Return code and path of every fault."""
    return {(f.code, f.path) for f in check_state(load_game(state.title), state)}


@pytest.mark.parametrize("case", CASES)
def test_fault_of_a_state(case: str) -> None:
    """Exactly the faults of the case, each at its field, with a sentence."""
    state, expected = CASES[case]
    assert found(state) == expected
    for fault in check_state(GB, state):
        assert len(fault.message.split()) > 3


def test_all_faults_are_listed_at_once() -> None:
    """One error holds them all."""
    tokens = (TokenPlacement("I14", 0, 9, "XYZ"), TokenPlacement("Z9", 0, 0, "MR"))
    state = gb(
        YORK,
        TileLay("I14", "999", 7),
        TileLay("I18", "4", 0),
        tokens=tokens,
        phase="7X",
    )
    with pytest.raises(StateError) as caught:
        build_board(GB, state)
    assert {(fault.code, fault.path) for fault in caught.value.faults} == {
        ("PHASE_UNKNOWN", "board.phase"),
        ("HEX_TWICE", "board.tiles[1].hex"),
        ("TILE_UNKNOWN", "board.tiles[1].tile"),
        ("ROTATION_OUT_OF_RANGE", "board.tiles[1].rotation"),
        ("TILE_NOT_ALLOWED_ON_HEX", "board.tiles[2].tile"),
        ("CORPORATION_UNKNOWN", "board.tokens[0].corporation"),
        ("SLOT_UNKNOWN", "board.tokens[0].slot"),
        ("HEX_UNKNOWN", "board.tokens[1].hex"),
    }
    assert caught.value.code == "STATE_INVALID"
    assert "and 3 more" in str(caught.value)


def test_supply_counts_the_base_tile() -> None:
    """1862: a tile with small stations added uses up a copy of its base tile (facts §4)."""
    game = load_game("1862")
    tiles = game.atlas().tiles
    base = next(k for k in tiles.values() if k.pool != k.id and 0 < k.count < 4)
    hexes = [h for h in game.atlas().hexes if base.id in game.atlas().may_carry(h)]
    lays = tuple(TileLay(h, base.id, 0) for h in hexes[: base.count + 1])
    codes = {fault.code for fault in check_state(game, BoardState("1862", "H", lays))}
    assert "TILE_SUPPLY_EXCEEDED" in codes
    fewer = {fault.code for fault in check_state(game, BoardState("1862", "H", lays[:-1]))}
    assert "TILE_SUPPLY_EXCEEDED" not in fewer


def test_extra_slots_and_destination_tokens_of_1822() -> None:
    """1822 §10.4: a number not below the printed slots is an extra slot."""
    tokens = (TokenPlacement("P35", 0, 1, "MR", "destination"),)
    assert check_state(BR, BoardState("1822", "1", (TileLay("P35", "57", 1),), tokens)) == ()


def test_rotations_that_one_hex_allows() -> None:
    """FMT §D7.8: Plymouth takes tile 57 in rotations 2 and 5 only."""
    for rotation in range(6):
        codes = found(BoardState("1822", "1", (TileLay("D35", "57", rotation),)))
        assert (("ROTATION_NOT_ALLOWED", "board.tiles[0].rotation") in codes) == (
            rotation not in (2, 5)
        )


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.data())
def test_a_legal_state_with_one_field_broken_has_a_fault_there(
    seed: int, data: st.DataObject
) -> None:
    """Whatever board, a tile turned away from the rotations 0 to 5 is found."""
    state, _ = random_position(random.Random(seed), hexes=3, trains=0)
    assert check_state(GB, state) == ()
    number = data.draw(st.integers(0, len(state.tiles) - 1))
    wrong = replace(state.tiles[number], rotation=data.draw(st.sampled_from([-1, 6, 99])))
    tiles = (*state.tiles[:number], wrong, *state.tiles[number + 1 :])
    path = f"board.tiles[{number}].rotation"
    assert ("ROTATION_OUT_OF_RANGE", path) in found(replace(state, tiles=tiles))


def test_every_code_is_tested_here() -> None:
    """Codes are part of the contract."""
    code = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')
    known = set(code.findall(Path(build.__file__).read_text("utf-8")))
    assert known <= set(code.findall(Path(__file__).read_text("utf-8")))
