"""Random games of all player counts and variants: they end, nothing is lost, and the list of
actions is right."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from engine.play.game import Play
from tests.engine.games.g1862.play.robot import TEMPERS, moves
from tests.engine.games.g1862.play.sightings import RARE
from tests.engine.games.g1862.play.trials import SEATS, TRIAL
from tests.engine.play.random_games import check_repeatable
from tests.engine.play.robot_games import check_file, play_watched
from tests.engine.play.scene import start_game

SITE, RULEBOOK = "18xx.games", "rulebook"
MORE = range(100, 100 + int(os.environ.get("BRADSHAW_RANDOM_GAMES", "2")))
"""Seeds of the longer test; the environment variable asks for more."""
QUICK = (0, 3, 4)
"""Tempers whose games are short; the longer test has them all."""
ENDS = ("lner", "bank", "stock_market", "dnf")


def new_game(players: int, options: tuple[str, ...], seed: int, profile: str = SITE) -> Play:
    return start_game("1862", players, options, seed, profile)


def play_out(play: Play, seed: int, every: int) -> Counter[str]:
    """Play to the end with all checks, the dearer ones at every so many actions; read the file
    of the game again. Returns how often rare things have happened."""
    found = play_watched(TRIAL, play, seed, every)
    check_file(play)
    return found


@pytest.mark.parametrize("place", range(0, len(SEATS), 5))
def test_random_games_end_and_break_nothing(place: int) -> None:
    """Some counts and variants, the longer test has all: a game to its end, all invariants
    after every action."""
    players, options = SEATS[place]
    seed = len(TEMPERS) * place + QUICK[place % len(QUICK)]
    play = new_game(players, options, seed, RULEBOOK if place % 4 == 0 else SITE)
    play_out(play, seed, every=100)
    assert play.end_reason in ENDS


def test_rare_things_happen_in_the_sample() -> None:
    """Mergers, refinancing, bankruptcy, receivership, fines and the LNER occur in two games."""
    found: Counter[str] = Counter()
    for seed in (30, 33):
        found += play_out(new_game(3, (), seed), seed, every=200)
    named = {"merge", "acquire", "refinancing", "bankruptcy", "receivership", "end lner"}
    assert {name for name in named if found[name]} == named
    assert len({name for name in RARE if found[name]}) > 20


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(SEATS)))
@pytest.mark.parametrize("seed", MORE)
def test_many_random_games(place: int, seed: int) -> None:
    """The same over more seeds, of players of all tempers, by both profiles."""
    players, options = SEATS[place]
    play = new_game(players, options, seed, (SITE, RULEBOOK)[(seed + place) % 2])
    play_out(play, seed + place, every=20)
    assert play.finished


def test_same_seed_same_game() -> None:
    """Equal settings and choices give equal games; another seed another deal."""
    check_repeatable(lambda seed: new_game(4, (), seed), moves)
