"""Random games of every scenario: they end, nothing is lost, and the list of actions is right."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from engine.play.actions import Action, BuyTrain, LayTile, Pass, PlaceToken
from engine.play.errors import IllegalActionError
from engine.play.game import Play, Setting, restore, start
from engine.play.offers import Offers
from tests.engine.games.g18gb.play import invariants
from tests.engine.play.robot import moves

SCENARIOS = (
    (2, ()),
    (2, ("two_player_ew",)),
    (3, ()),
    (4, ()),
    (4, ("four_player_alt",)),
    (5, ()),
    (6, ()),
)


def new_game(players: int, options: tuple[str, ...], seed: int, profile: str = "") -> Play:
    seats = tuple((number, f"Player {number}") for number in range(1, players + 1))
    return start(Setting("18GB", seats, seed, options, profile or "18xx.games"))


def play_out(play: Play, seed: int, every: int) -> Play:
    """Play to the end with all checks; the dearer ones at every so many actions."""
    rng = random.Random(seed)
    for number, (offers, action) in enumerate(moves(play, seed)):
        invariants.check(play)
        assert action in offers
        if number % every == 0:
            check_snapshot(play)
            check_listed(play, offers, rng)
            check_unlisted(play, offers, rng)
        check_undo(play, action)
    invariants.check(play)
    return play


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
    for action in offers.offers:
        if isinstance(action, LayTile):
            found.append(replace(action, rotation=rng.randrange(6)))
            found.append(replace(action, hex=rng.choice(("F21", "G4", "I4", "H19", "D23"))))
        elif isinstance(action, PlaceToken):
            found.append(replace(action, city=rng.choice(("G41-0-0", "I14-4-0", "G30-0-0"))))
        elif isinstance(action, BuyTrain):
            found.append(replace(action, price=action.price + 1))
        elif isinstance(action, Pass):
            found.append(replace(action, entity=replace_id(action)))
    rng.shuffle(found)
    return found[:8]


def replace_id(action: Action) -> tuple[str, str]:
    return action.entity._replace(id="NOBODY")


def check_unlisted(play: Play, offers: Offers, rng: random.Random) -> None:
    """What is not listed is refused with a code, a field and a rule, and changes nothing."""
    before = play.current
    for action in unlisted(offers, rng):
        bare = replace(action, slot=None) if isinstance(action, PlaceToken) else action
        listed = [replace(o, slot=None) if isinstance(o, PlaceToken) else o for o in offers.offers]
        if action in offers or bare in listed:
            continue
        with pytest.raises(IllegalActionError) as refusal:
            play.copy().apply(action)
        fault = refusal.value.fault
        assert fault.code.isupper()
        assert fault.path
        assert fault.section.startswith(("18GB §", "FMT §"))
    assert play.current is before


@pytest.mark.parametrize(("players", "options"), SCENARIOS)
def test_random_games_end_and_break_nothing(players: int, options: tuple[str, ...]) -> None:
    """Each scenario: a game to its real end, all invariants after every action."""
    play = play_out(new_game(players, options, players), players, every=25)
    assert play.end_reason in ("final_train", "stock_market")
    assert not play.legal_actions()
    assert play.scores().keys() == play.current.players.keys()


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
    one, two, other = (new_game(4, (), seed) for seed in (11, 11, 12))
    assert one.current == two.current
    assert one.current != other.current
    for (_, first), (_, second) in zip(moves(one, 5), moves(two, 5), strict=True):
        assert first == second
    assert one.current == two.current
