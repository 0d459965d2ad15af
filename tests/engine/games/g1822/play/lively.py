"""A robot that plays 1822 at random, but so that rare things happen."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from engine.play.actions import (
    COMPANY,
    CORPORATION,
    PLAYER,
    AcquireCompany,
    Action,
    Bid,
    BuyTrain,
    LayTile,
    RunRoutes,
)
from engine.play.game import Play
from engine.play.offers import Offer, Offers, Priced

WEIGHTS = {
    "pass": 0.6,
    "bid": 1.5,
    "par": 8.0,
    "buy_shares": 3.0,
    "sell_shares": 0.05,
    "lay_tile": 6.0,
    "acquire_company": 3.0,
    "choose_ability": 1.0,
    "place_token": 4.0,
    "merge": 3.0,
    "buy_train": 2.5,
    "payoff_player_debt": 5.0,
    "payoff_player_debt_partial": 0.2,
    "choose": 2.0,
}
"""Weights of types of action, others having 1."""

CORPORATE = {"sell_shares": 0.3, "buy_shares": 0.3}
"""Weights where a company acts."""

TRIES = 6
"""Runs that are compared before one is submitted."""

BRIDGE, ENDS = "P21", ("N21", "N23")
"""A private that only companies at its places want."""

RARE = ("P11", "P16")
"""Privates for which it bids when it can."""


def wanted(offer: Priced) -> bool:
    """Tell whether a bid is for a card that is to be seen in play."""
    return isinstance(offer.action, Bid) and offer.action.company in RARE


Kind = tuple[str, str, str]
"""Type of action, who acts, and what is special about it."""


def kind_of(offer: Offer) -> Kind:
    """Return the kind by which an offer is weighed."""
    action = offer.action if isinstance(offer, Priced) else offer
    special = "priced" if isinstance(offer, Priced) else ""
    if isinstance(action, BuyTrain) and action.exchange:
        special = "upgrade"
    elif isinstance(action, LayTile) and action.combo_entities:
        special = "combination"
    who = action.entity.kind if action.entity.kind != COMPANY else str(action.entity.id)
    return action.TYPE, who, special


def weight_of(kind: Kind) -> float:
    """Return how likely a kind is."""
    name, who, special = kind
    weight = WEIGHTS.get(name, 1.0)
    if who == CORPORATION:
        weight = CORPORATE.get(name, weight)
    elif who != PLAYER:
        weight *= 3.0
    if name == "buy_train":
        weight *= {"priced": 0.2, "upgrade": 2.0}.get(special, 1.0)
    return weight


class Lively:
    """A robot with a random generator of its own.

    Parameters
    ----------
    seed
        For its choices.
    """

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, play: Play, offers: Offers) -> Action:
        """Choose a kind of action by weight, then an action of it."""
        by_kind: dict[Kind, list[Offer]] = defaultdict(list)
        for offer in offers.offers:
            if not self._useless(play, offer):
                by_kind[kind_of(offer)].append(offer)
        kinds = sorted(by_kind)
        kind = self._rng.choices(kinds, [weight_of(kind) for kind in kinds])[0]
        found = by_kind[kind]
        if kind[0] == RunRoutes.TYPE:
            return self._run(play, found)
        keen = kind[0] in ("dividend", "bid") and self._rng.random() < 0.7
        rare = [o for o in found if isinstance(o, Priced) and wanted(o)]
        offer = found[0] if keen else self._rng.choice(rare or found)
        return self._price(offer) if isinstance(offer, Priced) else offer

    def _useless(self, play: Play, offer: Offer) -> bool:
        if not isinstance(offer, AcquireCompany) or offer.company != BRIDGE:
            return False
        tokens = play.current.layout.tokens
        return not any(t.corporation == offer.entity.id and t.hex in ENDS for t in tokens)

    def _price(self, offer: Priced) -> Action:
        high = self._rng.random() < 0.1
        price = self._rng.choice(offer.prices) if high else offer.prices[0]
        return replace(offer.action, price=min(price, offer.prices[0] + 300))

    def _run(self, play: Play, offers: list[Offer]) -> Action:
        """Of some runs the one that pays most."""
        runs = [offer for offer in offers if isinstance(offer, RunRoutes)]
        tried = self._rng.sample(runs, min(TRIES, len(runs)))
        return max(tried, key=lambda run: self._revenue(play, run))

    def _revenue(self, play: Play, run: RunRoutes) -> int:
        done = play.copy().apply(run).actions()[-1]
        assert isinstance(done, RunRoutes)
        return sum(entry.revenue or 0 for entry in done.routes)


def moves(play: Play, seed: int) -> Iterator[tuple[Offers, Action]]:
    """Play a game to its end; yield what is legal and what is done, before it is done."""
    robot = Lively(seed)
    while not play.finished:
        offers = play.legal_actions()
        assert offers.offers, f"nothing is legal at {play.step()} of {play.actor()}"
        action = robot.choose(play, offers)
        yield offers, action
        play.apply(action)
