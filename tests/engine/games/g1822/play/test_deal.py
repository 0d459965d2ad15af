"""Set-up and deal (1822 §1, §21): the check values of the rules document."""

from __future__ import annotations

import pytest

from engine.errors import StateError
from engine.games.g1822.play.boxes import concessions_on_offer, privates_on_offer
from engine.play.draws import Draws
from engine.play.game import Setting, start
from tests.engine.games.g1822.play.scene import new_game, state_of, table

PLUS = "plus_expansion"


def numbers(text: str, letter: str) -> tuple[str, ...]:
    return tuple(letter + word.lstrip(letter) for word in text.split())


def test_the_order_of_seed_36685() -> None:
    """§20.1: draws, minors, concessions and privates of the base game (§1.4)."""
    draws = Draws(36685)
    assert [draws.next() for _ in range(3)] == [242526722, 855977747, 155125072]
    state = state_of(new_game(3, seed=36685))
    minors = "24 22 21 18 9 2 16 10 19 11 17 12 8 6 1 13 7 3 14 5 15 23 20 4"
    assert (*state.boxes, *state.minors) == numbers(minors, "M")
    assert state.concessions == numbers("1 6 5 9 10 2 3 7 8 4", "C")
    privates = "1 5 3 15 4 6 17 11 9 16 2 7 12 8 18 14 10 13"
    assert state.piles == (numbers(privates, "P"),)
    assert state.boxes == numbers("24 22 21 18", "M")


def test_removals_and_boxes_of_seed_33845() -> None:
    """§20.1: 1822+ removes P8, P17 and P20; the boxes show P1, P12 and P18 (§1.5)."""
    play = new_game(4, (PLUS,), 33845)
    state = state_of(play)
    assert state.piles == tuple(
        numbers(pile, "P") for pile in ("1 13 3 14 19 4", "12 10 21 11 2 5", "18 16 6 7 15 9")
    )
    minors = "24 6 12 15 23 21 25 7 19 5 17 13 8 14 11 26 16 27 10 22 28 9 3 4 20 30 29 1 2 18"
    assert (*state.boxes, *state.minors) == numbers(minors, "M")
    assert state.concessions == numbers("1 4 6 5 9 3 8 10 2 7", "C")
    assert privates_on_offer(table(play)) == ("P1", "P12", "P18")
    assert concessions_on_offer(table(play)) == ("C1", "C4", "C6")
    assert {"P8", "P17", "P20"}.isdisjoint(state.privates)


def test_the_order_of_seed_33867_in_the_medium_scenario() -> None:
    """The vector of FMT §C4."""
    state = state_of(new_game(4, seed=33867, title="1822MRS"))
    minors = "24 15 17 7 9 12 21 10 18 8 13 11 16 20 14 19"
    assert (*state.boxes, *state.minors) == numbers(minors, "M")
    assert state.concessions == numbers("1 2 4 9 6 7 3", "C")
    assert state.piles == (numbers("1 10 18 5 13 2 9 15 7 11 12 16 6 8 14", "P"),)


def test_single_stacks() -> None:
    """§1.5, D2: without removals the stack keeps the order of the shuffle, with them it is
    grouped by category."""
    options = (PLUS, "plus_expansion_single_stack")
    (kept,) = state_of(new_game(4, (*options, "plus_expansion_no_removals"), 33845)).piles
    assert len(kept) == 21
    (grouped,) = state_of(new_game(4, options, 33845)).piles
    assert grouped == numbers("1 13 3 14 19 4 12 10 21 11 2 5 18 16 6 7 15 9", "P")
    assert privates_on_offer(table(new_game(4, options, 33845))) == ("P1", "P13", "P3")


@pytest.mark.parametrize(
    ("title", "players", "options", "first", "privates"),
    [
        ("1822", 3, (), "M24", [*range(1, 19)]),
        ("1822MRS", 2, (), "M24", [*range(1, 13)]),
        ("1822MRS", 3, (), "M24", [1, 2, *range(5, 17), 18]),
        ("1822MRS", 3, ("starter",), "M24", [1, 2, *range(5, 15)]),
        ("1822MRS", 3, ("advanced",), "M14", [*range(1, 13)]),
        ("1822NRS", 3, (), None, [*range(1, 5), *range(6, 10), *range(11, 17), *range(18, 22)]),
        ("1822NRS", 2, (), None, [1, 2, 3, 4, 6, 7, 8, 9, 11, 12]),
    ],
)
def test_what_is_in_play(
    title: str, players: int, options: tuple[str, ...], first: str | None, privates: list[int]
) -> None:
    """§1.3, §21.3, §21.7: privates by title, players and options, and the first minor."""
    state = state_of(new_game(players, options, 5, title))
    assert sorted(state.privates, key=lambda sym: (sym[0] == "C", int(sym[1:]))) == [
        *(f"P{number}" for number in privates),
        *sorted(state.concessions, key=lambda sym: int(sym[1:])),
    ]
    assert first in (None, state.boxes[0])
    minors = {"1822": 24, "1822MRS": 16, "1822NRS": 16}[title]
    assert len(state.boxes + state.minors) == minors


@pytest.mark.parametrize(
    ("players", "cash", "limit", "tokens"),
    [(2, 900, 33, 8), (3, 700, 26, 6), (4, 525, 20, 5), (5, 420, 16, 4), (6, 350, 13, 3)],
)
def test_figures_by_players(players: int, cash: int, limit: int, tokens: int) -> None:
    """§1.1: cash, certificate limit, bidding tokens, and what is left in the bank."""
    at = table(new_game(players))
    assert {player.cash for player in at.state.players.values()} == {cash}
    assert (at.kit.certificate_limit, at.kit.bidding_tokens) == (limit, tokens)
    assert at.state.bank == 12000 - players * cash


@pytest.mark.parametrize(
    ("title", "players", "options", "code"),
    [
        ("1822", 1, (), "PLAYER_COUNT"),
        ("1822", 8, (), "PLAYER_COUNT"),
        ("1822", 3, ("moon",), "OPTION_UNKNOWN"),
        ("1822", 3, ("plus_expansion_no_removals",), "OPTION_CLASH"),
        ("1822MRS", 3, ("starter", "advanced"), "OPTION_CLASH"),
    ],
)
def test_settings_that_do_not_fit(
    title: str, players: int, options: tuple[str, ...], code: str
) -> None:
    """§1.3, §21.3: refused with a code."""
    seats = tuple((number, "x") for number in range(players))
    with pytest.raises(StateError) as error:
        start(Setting(title, seats, 1, options))
    assert error.value.faults[0].code == code


def test_players_with_one_number() -> None:
    """Every player has a number of his own."""
    with pytest.raises(StateError) as error:
        start(Setting("1822", ((1, "Ann"), (1, "Bob"))))
    assert error.value.faults[0].code == "PLAYER_TWICE"
