"""Random games of all player counts and variants: they end, nothing is lost, and the list of
actions is right."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from engine.games.g1862.play.state import State1862
from engine.play.actions import (
    Action,
    BuyTrain,
    CharterBid,
    LayTile,
    Merge,
    Pass,
    PlaceToken,
)
from engine.play.errors import IllegalActionError
from engine.play.game import Play, Setting, restore, start
from engine.play.offers import Offers, Priced
from tests.engine.games.g1862.play import invariants
from tests.engine.games.g1862.play.robot import events, moves

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

RARE = {
    "merger",
    "refinancing",
    "bankruptcy",
    "receivership",
    "obligation failed",
    "forced sale",
    "lner",
}


def new_game(players: int, options: tuple[str, ...], seed: int, profile: str = SITE) -> Play:
    seats = tuple((number, f"Player {number}") for number in range(1, players + 1))
    return start(Setting("1862", seats, seed, options, profile))


def play_out(play: Play, seed: int, every: int, reckless: float = 0.3) -> Counter[str]:
    """Play to the end with all checks, the dearer ones at every so many actions.

    Returns how often rare things have happened.
    """
    rng = random.Random(seed)
    found: Counter[str] = Counter()
    before: tuple[State1862, Action] | None = None
    for number, (offers, action) in enumerate(moves(play, seed, reckless)):
        state = play.current
        assert isinstance(state, State1862)
        if before is not None:
            found += events(*before, state)
        before = state, action
        invariants.check(play)
        assert action in offers or action.TYPE == "run_routes"
        if number % every == 0:
            check_snapshot(play)
            check_listed(play, offers, rng)
            check_unlisted(play, offers, rng)
            check_undo(play, action)
    invariants.check(play)
    if before is not None and isinstance(play.current, State1862):
        found += events(*before, play.current)
    return found


def check_snapshot(play: Play) -> None:
    """A snapshot goes through JSON and comes back as the same state."""
    other = restore(json.loads(json.dumps(play.state())))
    assert other.current == play.current
    assert list(other.legal_actions()) == list(play.legal_actions())


def check_undo(play: Play, action: Action) -> None:
    """Undo gives back exactly the state before, seen from a copy that goes its own way."""
    before = play.state()
    other = play.copy()
    other.apply(action)
    assert other.state() != before
    other.undo()
    assert other.state() == before
    assert play.state() == before


def check_listed(play: Play, offers: Offers, rng: random.Random) -> None:
    """What is listed may be done."""
    for place in rng.sample(range(len(offers)), min(len(offers), 8)):
        play.copy().apply(offers[place])


def unlisted(offers: Offers, rng: random.Random) -> list[Action]:
    """Actions beside the listed ones, of kinds whose list is complete to the letter."""
    found: list[Action] = []
    for offer in offers.offers:
        action = offer.action if isinstance(offer, Priced) else offer
        if isinstance(action, LayTile):
            found.append(replace(action, rotation=rng.randrange(6)))
            found.append(replace(action, hex=rng.choice(("F11", "C8", "D13", "E10", "B3"))))
        elif isinstance(action, PlaceToken):
            found.append(replace(action, city=rng.choice(("B15-0-3", "C8-0-0", "5-0-0"))))
        elif isinstance(action, BuyTrain):
            found.append(replace(action, price=action.price + 1))
            found.append(replace(action, warranties=rng.randrange(5)))
        elif isinstance(action, CharterBid):
            found.append(replace(action, price=action.price + rng.choice((-5, 1))))
            found.append(replace(action, corporation=rng.choice(("E&H", "ECR", "WNR"))))
        elif isinstance(action, Pass):
            found.append(replace(action, entity=action.entity._replace(id="NOBODY")))
            found.append(Merge(action.entity, rng.choice(("E&H", "ECR", "WNR"))))
    rng.shuffle(found)
    return found[:8]


def check_unlisted(play: Play, offers: Offers, rng: random.Random) -> None:
    """What is not listed is refused with a code, a field and a rule, and changes nothing."""
    before = play.current
    for action in unlisted(offers, rng):
        bare = replace(action, slot=None) if isinstance(action, PlaceToken) else action
        listed = [replace(o, slot=None) if isinstance(o, PlaceToken) else o for o in offers.offers]
        no_star = isinstance(action, BuyTrain) and not action.warranties
        if action in offers or bare in listed or no_star:
            continue
        with pytest.raises(IllegalActionError) as refusal:
            play.copy().apply(action)
        fault = refusal.value.fault
        assert fault.code.isupper()
        assert fault.path
        assert fault.section.startswith(("1862 §", "FMT §"))
    assert play.current is before


@pytest.mark.parametrize(("players", "options", "profile"), GAMES)
def test_random_games_end_and_break_nothing(
    players: int, options: tuple[str, ...], profile: str
) -> None:
    """Each count and variant: a game to its end, all invariants after every action."""
    play = new_game(players, options, players, profile)
    play_out(play, players, every=40)
    assert play.end_reason in ("lner", "bank", "stock_market", "stalemate")
    assert not play.legal_actions()
    assert play.scores().keys() == play.current.players.keys()


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
    play_out(play, seed, every=20, reckless=(0.1, 0.5, 1.0)[seed % 3])
    assert play.finished


def test_same_seed_same_game() -> None:
    """Equal settings and choices give equal games; another seed another deal."""
    one, two, other = (new_game(4, (), seed) for seed in (11, 11, 12))
    assert one.current == two.current
    assert one.current != other.current
    for (_, first), (_, second) in zip(moves(one, 5), moves(two, 5), strict=True):
        assert first == second
    assert one.current == two.current
