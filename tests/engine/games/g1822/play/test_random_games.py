"""Random games of every player count, option and scenario: they end, nothing is lost, the
list of actions is right, and everything rare occurs."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from engine.play.actions import Action, Pass
from engine.play.game import Play
from tests.engine.games.g1822.play import invariants
from tests.engine.games.g1822.play.lively import moves
from tests.engine.games.g1822.play.sightings import seen
from tests.engine.games.g1822.play.trials import (
    ALL_PRIVATES,
    HAVENS,
    ONE_STACK,
    OPTIONS,
    PLUS,
    WATCH,
    rare,
)
from tests.engine.play.random_games import check_repeatable, watched
from tests.engine.play.scene import start_game

Game = tuple[str, int, tuple[str, ...], int]
"""Title, players, options, seed."""

SAMPLE: tuple[Game, ...] = (
    ("1822", 2, (*ONE_STACK, HAVENS), 3),
    ("1822", 3, ALL_PRIVATES, 3),
    ("1822", 4, (PLUS,), 3),
    ("1822", 7, ALL_PRIVATES, 1),
    ("1822MRS", 3, (), 5),
    ("1822MRS", 6, ("advanced",), 1),
    ("1822NRS", 4, (HAVENS,), 1),
    ("1822NRS", 4, (HAVENS,), 5),
)


def play_out(play: Play, seed: int, every: int) -> Counter[str]:
    """Play to the end with all checks; return what was seen."""
    found = Counter[str]()
    before: tuple[Play, Action] | None = None
    for action in watched(play, moves(play, seed), WATCH, seed, every):
        if before is not None:
            found.update(seen(*before, play))
        before = (play.copy(), action)
    assert before is not None
    found.update(seen(*before, play))
    return found


@cache
def played(game: Game) -> tuple[Counter[str], str]:
    """Play one game of the sample; return what was seen and how it ended."""
    title, players, options, seed = game
    play = start_game(title, players, options, seed)
    return play_out(play, seed, every=50), play.end_reason


@pytest.mark.parametrize("game", SAMPLE, ids=lambda game: f"{game[0]}-{game[1]}-{game[3]}")
def test_random_games_end_and_break_nothing(game: Game) -> None:
    """Each to its real end, with all invariants after every action."""
    assert played(game)[1] in ("bank", "stock_market")


UNSAMPLED = {
    "P5 lay",
    "P5 choose_ability",
    "full capitalisation",
    "haven share of a company not floated",
    "minor 14 out of a box replaced",
    "payoff_player_debt_partial",
}
"""Too rare for a sample of a few games; the trials count them over hundreds."""


def test_everything_rare_occurs_in_the_sample() -> None:
    """Every private, every way to acquire, loans, conversions, exports, discards, both ends."""
    total: Counter[str] = Counter()
    for game in SAMPLE:
        total.update(played(game)[0])
    assert {name for name in rare() - UNSAMPLED if not total[name]} == set()


def test_a_first_round_without_bids_ends_the_game() -> None:
    """The third end: nobody bids in the first stock round (§6.1)."""
    play = start_game("1822", 3, (), 1)
    while not play.finished:
        actor = play.actor()
        assert actor is not None
        play.apply(Pass(actor))
    assert play.end_reason == "dnf"
    assert len(play.actions()) == 3
    assert set(play.scores().values()) == {700}


@pytest.mark.parametrize("title", ["1822", "1822MRS", "1822NRS"])
@pytest.mark.parametrize("players", range(2, 8))
def test_every_number_of_players_starts(title: str, players: int) -> None:
    """All player counts: cash, tokens and limits are those of the table (§1.1, §21.1)."""
    play = start_game(title, players, (), players)
    robot = moves(play, players)
    for _ in range(40):
        next(robot)
        invariants.check(play)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["1822", "1822MRS", "1822NRS"])
@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("seed", range(100, 102))
def test_many_random_games(title: str, players: int, seed: int) -> None:
    """The same over all player counts and options, and more seeds."""
    chosen = OPTIONS[title][(players + seed) % len(OPTIONS[title])]
    play = start_game(title, players, chosen, seed)
    play_out(play, seed, every=30)
    assert play.end_reason


@pytest.mark.parametrize("title", [pytest.param("1822MRS", marks=pytest.mark.slow), "1822NRS"])
def test_the_other_reading_of_the_rules_plays_too(title: str) -> None:
    """The profile ``rulebook`` reaches the end with the same invariants."""
    play = start_game(title, 3, (), 7, "rulebook")
    play_out(play, 7, every=100)
    assert play.finished


def test_same_seed_same_game() -> None:
    """Equal settings and choices give equal games; another seed another deal."""
    check_repeatable(lambda seed: start_game("1822", 4, (), seed), moves, most=300)
