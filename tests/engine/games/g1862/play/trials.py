"""Which games of 1862 the robots play, and what is counted in them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from engine.play.actions import Action, BuyTrain, CharterBid, Merge, Pass
from engine.play.game import Play
from tests.engine.games.g1862.play.invariants import check
from tests.engine.games.g1862.play.robot import TEMPERS, moves
from tests.engine.games.g1862.play.sightings import RARE, seen
from tests.engine.play.random_games import Moves, Watch
from tests.engine.play.robot_games import Seats, Trial

SEATS: tuple[Seats, ...] = (
    (2, ()),
    (3, ()),
    (4, ()),
    (5, ()),
    (6, ()),
    (7, ()),
    (8, ()),
    (4, ("short_length",)),
    (5, ("long_length",)),
    (6, ("eight_tokens", "short_length", "long_length")),
    (3, ("eight_tokens",)),
    (3, ("simple_express",)),
    (4, ("simple_freight", "new_players")),
    (5, ("advanced_freight",)),
    (7, ("advanced_express",)),
    (4, ("shorter_game",)),
    (5, ("shorter_game", "new_players", "simple_express")),
)
"""Their number has no divisor in common with that of the tempers, so that all pairs occur."""

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


def tempered(play: Play, seed: int) -> Moves:
    """Play a game with the temper whose turn it is."""
    return moves(play, seed, TEMPERS[seed % len(TEMPERS)])


TRIAL = Trial(seats={"1862": SEATS}, watch=WATCH, moves=tempered, seen=seen, rare=RARE)
