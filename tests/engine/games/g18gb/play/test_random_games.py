"""Random games of every scenario: they end, nothing is lost, and the list of actions is right."""

from __future__ import annotations

from functools import partial

import pytest

from engine.play.game import Play
from tests.engine.games.g18gb.play.scene import new_game
from tests.engine.games.g18gb.play.trials import SCENARIOS, WATCH
from tests.engine.play.random_games import check_repeatable, check_undo, watched
from tests.engine.play.robot import moves


def play_out(play: Play, seed: int, every: int) -> Play:
    """Play to the end with all checks; the dearer ones at every so many actions."""
    for action in watched(play, moves(play, seed), WATCH, seed, every):
        check_undo(play, action)
    return play


@pytest.mark.parametrize(("players", "options"), SCENARIOS)
def test_random_games_end_and_break_nothing(players: int, options: tuple[str, ...]) -> None:
    """Each scenario: a game to its real end, all invariants after every action."""
    play = play_out(new_game(players, options, players), players, every=25)
    assert play.end_reason in ("final_train", "stock_market")


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options"), SCENARIOS)
@pytest.mark.parametrize("seed", range(100, 104))
def test_many_random_games(players: int, options: tuple[str, ...], seed: int) -> None:
    """The same over more seeds."""
    assert play_out(new_game(players, options, seed), seed, every=10).end_reason


def test_the_other_reading_of_the_rules_plays_too() -> None:
    """The profile ``rulebook`` reaches the end with the same invariants."""
    assert play_out(new_game(4, (), 7, "rulebook"), 7, every=50).finished


def test_same_seed_same_game() -> None:
    """Equal settings and choices give equal games; another seed another deal."""
    check_repeatable(partial(new_game, 4, ()), moves)
