"""Random games under watch: nothing breaks, and the list of actions is right."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import pytest

from engine.play.actions import Action, BuyTrain, EndGame, LayTile, Pass, PlaceToken, RunRoutes
from engine.play.errors import IllegalActionError
from engine.play.game import Play, restore
from engine.play.offers import Offers, Priced
from tests.engine.play.invariants import check_board, check_position

Moves = Iterator[tuple[Offers, Action]]
"""What is legal and what is done, before it is done."""


def nothing_more(action: Action, rng: random.Random) -> Iterable[Action]:
    """No other action beside one that is listed."""
    return ()


@dataclass(frozen=True)
class Watch:
    """What a game is watched for.

    Parameters
    ----------
    rules
        The specification that refusals cite, beside the formats: ``1862``.
    invariants
        Checks everything that no action may break.
    hexes, cities
        Where tiles and tokens are tried that are not listed.
    more
        Other actions that may not be listed beside one that is.
    composed_runs
        Runs are made of several listed ones, and need not be listed themselves.
    """

    rules: str
    invariants: Callable[[Play], None]
    hexes: Sequence[str]
    cities: Sequence[str]
    more: Callable[[Action, random.Random], Iterable[Action]] = nothing_more
    composed_runs: bool = False


def watched(play: Play, moves: Moves, watch: Watch, seed: int, every: int) -> Iterator[Action]:
    """Yield the actions of a game before they are done, with all checks.

    Parameters
    ----------
    moves
        Plays the game to its end.
    every
        The dearer checks are made once in so many actions.
    """
    rng = random.Random(seed)
    for number, (offers, action) in enumerate(moves):
        watch.invariants(play)
        assert (
            action in offers
            or (watch.composed_runs and isinstance(action, RunRoutes))
            or (isinstance(action, EndGame) and not offers)
        )
        if number % every == 0:
            check_board(play)
            check_position(play)
            check_snapshot(play)
            check_listed(play, offers, rng)
            check_unlisted(play, offers, watch, rng)
            check_undo(play, action)
        yield action
    watch.invariants(play)
    assert play.finished
    assert play.end_reason
    assert not play.legal_actions()
    assert play.scores().keys() == play.current.players.keys()


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
    for place in rng.sample(range(len(offers)), min(len(offers), 10)):
        play.copy().apply(offers[place])


def unlisted(offers: Offers, watch: Watch, rng: random.Random) -> list[Action]:
    """Actions beside the listed ones, of kinds whose list is complete to the letter."""
    found: list[Action] = []
    for offer in offers.offers:
        action: Action = offer.action if isinstance(offer, Priced) else offer
        if isinstance(action, LayTile):
            found.append(replace(action, rotation=rng.randrange(6)))
            found.append(replace(action, hex=rng.choice(watch.hexes)))
        elif isinstance(action, PlaceToken):
            found.append(replace(action, city=rng.choice(watch.cities)))
        elif isinstance(action, BuyTrain):
            found.append(replace(action, price=action.price + 1))
        elif isinstance(action, Pass):
            found.append(replace(action, entity=action.entity._replace(id="NOBODY")))
        found.extend(watch.more(action, rng))
    rng.shuffle(found)
    return found[:8]


def bare(action: Action) -> Action:
    """An action without what it need not say: the slot of a token and whose it is, that a
    train has no warranties."""
    if isinstance(action, PlaceToken):
        return replace(action, slot=None, tokener=None)
    if isinstance(action, BuyTrain):
        return replace(action, warranties=action.warranties or None)
    return action


def check_unlisted(play: Play, offers: Offers, watch: Watch, rng: random.Random) -> None:
    """What is not listed is refused with a code, a field and a rule, and changes nothing."""
    before = play.current
    listed = [bare(offer) for offer in offers.offers if not isinstance(offer, Priced)]
    for action in unlisted(offers, watch, rng):
        if action in offers or bare(action) in listed or bare(action) in offers:
            continue
        with pytest.raises(IllegalActionError) as refusal:
            play.copy().apply(action)
        fault = refusal.value.fault
        assert fault.code.isupper()
        assert fault.path
        assert fault.section.startswith((f"{watch.rules} §", "FMT §"))
    assert play.current is before


def check_repeatable(
    make: Callable[[int], Play], moves: Callable[[Play, int], Moves], most: int | None = None
) -> None:
    """Equal settings and choices give equal games; another seed another deal.

    Parameters
    ----------
    make
        Starts a game with a seed.
    most
        Actions that are compared; None for all.
    """
    one, two, other = make(11), make(11), make(12)
    assert one.current == two.current
    assert one.current != other.current
    pairs = zip(moves(one, 5), moves(two, 5), strict=True)
    for (_, first), (_, second) in islice(pairs, most):
        assert first == second
    assert one.current == two.current
