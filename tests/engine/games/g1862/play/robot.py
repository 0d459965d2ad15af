"""A robot that plays 1862 well enough to reach the late phases, and badly enough for accidents."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import FORMED, OperatingData, State1862, StockData
from engine.play.actions import (
    Action,
    BuyShares,
    BuyTrain,
    Dividend,
    Merge,
    Par,
    RouteEntry,
    RunRoutes,
    SellShares,
)
from engine.play.errors import IllegalActionError
from engine.play.game import Play
from engine.play.offers import Offer, Offers, Priced
from engine.play.shares import split

WEIGHTS: Mapping[tuple[str, str], float] = {
    ("charter", "bid"): 0.6,
    ("charter", "buy_shares"): 4,
    ("trade", "buy_shares"): 8,
    ("trade", "par"): 1,
    ("trade", "sell_shares"): 0.15,
    ("trade", "pass"): 0.3,
    ("merge", "merge"): 0.15,
    ("acquire", "merge"): 0.25,
    ("track", "lay_tile"): 8,
    ("track", "pass"): 0.5,
    ("token", "place_token"): 3,
    ("trains", "buy_train"): 2,
    ("trains", "convert"): 3,
    ("redeem", "buy_shares"): 0.3,
}
"""Weights of types of action by step, others having 1."""


def _head(offer: Offer) -> Action:
    return offer.action if isinstance(offer, Priced) else offer


def choose(rng: random.Random, play: Play, offers: Offers, reckless: float) -> Action:
    """Choose a type of action, then an action of it; `reckless` is how often shares are sold."""
    step = play.step()
    if step == "run":
        return best_known_run(play, offers)
    by_type: dict[str, list[Offer]] = defaultdict(list)
    for offer in offers.offers:
        by_type[_head(offer).TYPE].append(offer)
    kinds = sorted(by_type)
    weights = [WEIGHTS.get((step, kind), 1.0) for kind in kinds]
    if "sell_shares" in kinds:
        weights[kinds.index("sell_shares")] *= reckless
    listed = by_type[rng.choices(kinds, weights)[0]]
    if rng.random() > reckless / 4:
        listed = [offer for offer in listed if sensible(play, _head(offer))] or listed
    offer = rng.choice(listed)
    if isinstance(offer, Priced):
        return replace(offer.action, price=offer.prices[0])
    if isinstance(offer, Dividend) and rng.random() < 0.5:
        return replace(offer, kind="payout")
    return offer


def sensible(play: Play, action: Action) -> bool:
    """Tell whether a careful player might do this: trains with permit, pars that he can carry
    to flotation, shares of his own companies that have not floated."""
    state, kit = play.current, play.kit
    assert isinstance(state, State1862)
    assert isinstance(kit, Kit1862)
    who = action.entity.id
    if isinstance(action, BuyTrain) and isinstance(who, str):
        name = action.variant or state.fittings[action.train].name
        side, permits = kit.kind(action.train, name), state.charters[who].permits
        return side is not None and (side.kind in permits or not kit.permits)
    if isinstance(action, Par) and isinstance(who, int):
        cash = state.players[who].cash
        return 5 * int(action.share_price.partition(",")[0]) <= cash
    if isinstance(action, BuyShares) and isinstance(who, int):
        waiting = [c.sym for c in state.companies.values() if c.director == who and not c.floated]
        return not waiting or split(action.shares[0])[0] in waiting
    return True


def best_known_run(play: Play, offers: Offers) -> Action:
    """Return the listed run that earns most, with routes of other trains added while that helps."""
    listed = [offer for offer in offers.offers if isinstance(offer, RunRoutes)]
    best = max(listed, key=lambda run: earned(play, run) or 0)
    entries: dict[str, list[RouteEntry]] = defaultdict(list)
    for run in listed:
        if len(run.routes) == 1:
            entries[run.routes[0].train].append(run.routes[0])
    for train, routes in entries.items():
        if train in [entry.train for entry in best.routes]:
            continue
        longer = [RunRoutes(best.entity, (*best.routes, route)) for route in routes]
        best = max((best, *longer), key=lambda run: earned(play, run) or 0)
    return best


def earned(play: Play, run: RunRoutes) -> int | None:
    """Return what a run pays, £, or None if it is not legal."""
    other = play.copy()
    try:
        other.apply(run)
    except IllegalActionError:
        return None
    done = other.actions()[-1] if play.finished else other.undo()
    return sum(entry.revenue or 0 for entry in done.routes) if isinstance(done, RunRoutes) else None


def moves(play: Play, seed: int, reckless: float = 1.0) -> Iterator[tuple[Offers, Action]]:
    """Play a game to its end; yield what is legal and what is done, before it is done."""
    rng = random.Random(seed)
    while not play.finished:
        offers = play.legal_actions()
        assert offers.offers, f"nothing is legal at {play.step()} of {play.actor()}"
        action = choose(rng, play, offers, reckless)
        yield offers, action
        play.apply(action)


def events(before: State1862, action: Action, after: State1862) -> Counter[str]:
    """Count the rarer things that an action has brought about."""
    found: Counter[str] = Counter()
    found["merger"] = isinstance(action, Merge)
    found["lner"] = before.lner != FORMED and after.lner == FORMED
    old, new = before.round, after.round
    refinancing = isinstance(new, OperatingData) and new.exchange is not None
    if refinancing and isinstance(new, OperatingData) and new.exchange is not None:
        fresh = not (isinstance(old, OperatingData) and old.exchange is not None)
        found["refinancing"] = fresh and new.exchange.kind == "refinance"
    for sym, was in before.companies.items():
        now = after.companies[sym]
        found["receivership"] += now.receivership and not was.receivership
        gone = was.started and not now.started
        absorbed = isinstance(old, OperatingData) and old.exchange is not None
        if gone and not absorbed:
            failed = isinstance(old, StockData) and not was.floated
            found["obligation failed" if failed else "bankruptcy"] += 1
    if isinstance(old, StockData) and old.closing:
        found["forced sale"] += isinstance(action, SellShares)
    return found
