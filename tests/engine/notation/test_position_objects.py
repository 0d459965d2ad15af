"""Positions written by the project are read back as they were."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.notation.positions import position_from, position_object
from engine.routing.run import CompanyState, HexBonus, TokenRef, Train

words = st.text(st.characters(codec="utf-8", exclude_characters="+"), min_size=1, max_size=5)
refs = st.none() | st.builds(TokenRef, words, st.integers(0, 5))
lays = st.lists(
    st.builds(TileLay, words, words, st.integers(0, 5)), max_size=4, unique_by=lambda lay: lay.hex
)
tokens = st.builds(
    TokenPlacement,
    words,
    st.integers(0, 5),
    st.integers(0, 5),
    words,
    st.sampled_from(["normal", "destination"]),
)
boards = st.builds(
    BoardState,
    words,
    words,
    lays.map(tuple),
    st.lists(tokens, max_size=4).map(tuple),
    st.sampled_from(["", "2NS"]),
)
companies = st.builds(
    CompanyState,
    words,
    st.lists(st.builds(Train, words, words, st.booleans()), max_size=3).map(tuple),
    st.sampled_from(["", "major", "5-share"]),
    st.lists(st.sampled_from(["freight", "local"]), unique=True).map(tuple),
    refs,
    refs,
    st.integers(0, 3),
    st.lists(st.builds(HexBonus, words, st.integers(1, 90)), max_size=2).map(tuple),
    st.booleans(),
    st.booleans(),
)


@given(boards, companies)
def test_a_written_position_is_read_back_unchanged(
    board: BoardState, company: CompanyState
) -> None:
    """Board and company survive the way through a line of JSON."""
    line = json.dumps(position_object("title/game@1", board, company))
    record = position_from(json.loads(line))
    assert record.id == "title/game@1"
    assert record.board == board
    assert record.company == company
    assert record.recorded == ()
    assert record.checked is None
    assert record.optimum is None


def test_a_carriage_stays_a_carriage() -> None:
    """1822 §11.12: a P+ among the trains is not taken for a train with a carriage attached."""
    board = BoardState("1822", "7")
    company = CompanyState("MR", (Train("2P-0", "2P"), Train("P+-1", "P+", False)))
    record = position_from(position_object("x", board, company))
    assert record.company == company
    assert record.attached == ""
