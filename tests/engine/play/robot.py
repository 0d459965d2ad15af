"""A robot that plays any game at random, and lively enough to fill the board."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from engine.play.actions import Action, EndGame
from engine.play.game import Play
from engine.play.offers import Offer, Offers, Priced

WEIGHTS = {"sell_shares": 0.04, "choose_ability": 0.1, "pass": 0.8, "lay_tile": 8.0, "par": 6.0}
"""Weights of types of action, others having 2: a game of sales and passes stays empty."""


def choose(rng: random.Random, offers: Offers) -> Action:
    """Choose a type of action, then an action of it; prices are mostly the least."""
    by_type: dict[tuple[str, bool], list[Offer]] = defaultdict(list)
    for offer in offers.offers:
        priced = isinstance(offer, Priced)
        head = offer.action if isinstance(offer, Priced) else offer
        by_type[head.TYPE, priced].append(offer)
    kinds = sorted(by_type)
    weights = [WEIGHTS.get(name, 2.0) * (0.2 if priced else 1.0) for name, priced in kinds]
    offer = rng.choice(by_type[rng.choices(kinds, weights)[0]])
    if isinstance(offer, Priced):
        price = rng.choice(offer.prices) if rng.random() < 0.1 else offer.prices[0]
        return replace(offer.action, price=price)
    return offer


def moves(play: Play, seed: int) -> Iterator[tuple[Offers, Action]]:
    """Play a game to its end; yield what is legal and what is done, before it is done.

    Who has bound all his cash in the auction of 18GB can neither bid nor pass (18GB §5.4):
    he ends the game by hand.
    """
    rng = random.Random(seed)
    while not play.finished:
        offers = play.legal_actions()
        actor = play.actor()
        assert actor is not None
        assert offers.offers or play.step() == "auction", f"nothing is legal at {play.step()}"
        action = choose(rng, offers) if offers.offers else EndGame(actor)
        yield offers, action
        play.apply(action)
