"""Random games of all player counts and variants: they end, nothing is lost, and the list of
actions is right."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import State1862
from engine.notation.gamefile import Replay, read_game, write_game
from engine.play.actions import Action, BuyTrain, CharterBid, Merge, Pass
from engine.play.game import Play
from tests.engine.games.g1862.play.events import RARE, Chronicle
from tests.engine.games.g1862.play.invariants import check
from tests.engine.games.g1862.play.robot import TEMPERS, Temper, moves
from tests.engine.games.g1862.play.scene import state_of
from tests.engine.play.random_games import Watch, check_repeatable, watched
from tests.engine.play.scene import start_game

SITE, RULEBOOK = "18xx.games", "rulebook"
GAMES: tuple[tuple[int, tuple[str, ...], str], ...] = (
    (2, (), SITE),
    (3, (), SITE),
    (3, (), RULEBOOK),
    (4, ("short_length",), SITE),
    (5, ("long_length",), RULEBOOK),
    (6, ("eight_tokens", "short_length", "long_length"), SITE),
    (7, (), SITE),
    (8, (), SITE),
    (3, ("simple_express",), RULEBOOK),
    (4, ("simple_freight", "new_players"), RULEBOOK),
    (5, ("advanced_freight",), SITE),
    (7, ("advanced_express",), SITE),
    (4, ("shorter_game",), SITE),
    (5, ("shorter_game", "new_players", "simple_express"), RULEBOOK),
)
MORE = range(100, 100 + int(os.environ.get("BRADSHAW_RANDOM_GAMES", "2")))
"""Seeds of the longer test; the environment variable asks for more."""

COMPANIES = ("E&H", "ECR", "WNR")


def not_listed(action: Action, rng: random.Random) -> Iterator[Action]:
    """Other warranties, bids and companies, and mergers where one may pass."""
    if isinstance(action, BuyTrain):
        yield replace(action, warranties=rng.randrange(5))
    elif isinstance(action, CharterBid):
        yield replace(action, price=action.price + rng.choice((-5, 1)))
        yield replace(action, corporation=rng.choice(COMPANIES))
    elif isinstance(action, Pass):
        yield Merge(action.entity, rng.choice(COMPANIES))


WATCH = Watch(
    rules="1862",
    invariants=check,
    hexes=("F11", "C8", "D13", "E10", "B3"),
    cities=("B15-0-3", "C8-0-0", "5-0-0"),
    more=not_listed,
    composed_runs=True,
)


def new_game(players: int, options: tuple[str, ...], seed: int, profile: str = SITE) -> Play:
    return start_game("1862", players, options, seed, profile)


def play_out(play: Play, seed: int, every: int, temper: Temper = TEMPERS[0]) -> Counter[str]:
    """Play to the end with all checks, the dearer ones at every so many actions; the file that
    is written replays to the same scores.

    Returns how often rare things have happened.
    """
    kit = play.kit
    assert isinstance(kit, Kit1862)
    chronicle = Chronicle(kit)
    before: tuple[State1862, Action] | None = None
    for action in watched(play, moves(play, seed, temper), WATCH, seed, every):
        if before is not None:
            chronicle.note(*before, state_of(play))
        before = state_of(play), action
    if before is not None:
        chronicle.note(*before, state_of(play))
    check_written(play)
    return chronicle.found


def check_written(play: Play) -> None:
    """The game file, read and replayed, comes to the same end and the same scores."""
    file = read_game(json.loads(json.dumps(write_game(play, "1"))), play.setting.profile)
    replay = Replay(file, audit=False)
    again = replay.run()
    assert replay.reports == []
    assert (again.end_reason, again.scores()) == (play.end_reason, play.scores())
    assert again.actions() == play.actions()


@pytest.mark.parametrize(("players", "options", "profile"), GAMES)
def test_random_games_end_and_break_nothing(
    players: int, options: tuple[str, ...], profile: str
) -> None:
    """Each count and variant: a game to its end, all invariants after every action."""
    play = new_game(players, options, players, profile)
    play_out(play, players, every=40)
    assert play.end_reason in ("lner", "bank", "stock_market", "stalemate")


def test_rare_things_happen_in_the_sample() -> None:
    """Mergers, refinancing, bankruptcy, receivership, failed obligations and the LNER occur."""
    found: Counter[str] = Counter()
    for seed in (30, 31):
        found += play_out(new_game(3, (), seed), seed, every=100)
    assert {name for name in RARE if found[name]} == RARE


@pytest.mark.slow
@pytest.mark.parametrize(("players", "options", "profile"), GAMES)
@pytest.mark.parametrize("seed", MORE)
def test_many_random_games(players: int, options: tuple[str, ...], profile: str, seed: int) -> None:
    """The same over more seeds, also of careless players."""
    play = new_game(players, options, seed, profile)
    play_out(play, seed, every=20, temper=TEMPERS[seed % len(TEMPERS)])
    assert play.finished


def test_same_seed_same_game() -> None:
    """Equal settings and choices give equal games; another seed another deal."""
    check_repeatable(lambda seed: new_game(4, (), seed), moves)
