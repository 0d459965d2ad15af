"""A robot that plays 1862 well enough to reach real ends, and badly enough for accidents.

Robots differ in temper: careless ones sell much, so that companies fall into receivership and
go bankrupt; frugal ones buy few trains, so that the bank breaks before the LNER is formed;
ambitious ones merge and add money to dividends, so that prices reach 1000.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import State1862
from engine.play.actions import (
    Action,
    BuyShares,
    BuyTrain,
    CharterBid,
    Dividend,
    Par,
    RouteEntry,
    RunRoutes,
)
from engine.play.errors import IllegalActionError
from engine.play.game import Play
from engine.play.offers import Offer, Offers, Priced
from engine.play.shares import ordinary, split

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

PAIRS = 12
"""Pairs of legs that are tried as a route."""
FLOATED_BY = 5
"""Shares that must be sold before a company floats (§6.6)."""


@dataclass(frozen=True)
class Temper:
    """How a robot plays.

    Parameters
    ----------
    reckless
        How often shares are sold, and with what little thought; 1 is much.
    frugal
        How often a company that has a train buys no other.
    merging
        How gladly companies merge, beside the usual weight.
    hudson
        How often money is added to a dividend where it may be.
    generous
        How often a dividend is paid out without further thought.
    searching
        How many legs more are joined to a leg to make a route.
    redeeming
        How gladly companies buy their own shares, beside the usual weight.
    """

    reckless: float = 0.3
    frugal: float = 0.0
    merging: float = 1.0
    hudson: float = 0.3
    generous: float = 0.7
    searching: int = 0
    redeeming: float = 1.0


TEMPERS = (
    Temper(),
    Temper(reckless=0.02, frugal=1.0, merging=0.02, hudson=0.0, generous=1.0, searching=1),
    Temper(frugal=1.0, merging=0.6, hudson=1.0, generous=1.0, redeeming=20.0, searching=2),
    Temper(reckless=1.0, merging=2.0),
    Temper(reckless=0.5, frugal=0.4),
)
"""Tempers of the sample, in turn."""


def _head(offer: Offer) -> Action:
    return offer.action if isinstance(offer, Priced) else offer


def choose(rng: random.Random, play: Play, offers: Offers, temper: Temper) -> Action:
    """Choose a type of action, then an action of it."""
    step = play.step()
    if step == "run":
        return best_known_run(rng, play, offers, temper.searching)
    by_type: dict[str, list[Offer]] = defaultdict(list)
    for offer in offers.offers:
        by_type[_head(offer).TYPE].append(offer)
    if rng.random() > temper.reckless / 4:
        by_type = _thoughtful(play, by_type)
    kinds = sorted(by_type)
    weights = [_weight(step, kind, temper) for kind in kinds]
    offer = rng.choice(by_type[rng.choices(kinds, weights)[0]])
    if isinstance(offer, Priced):
        return replace(offer.action, price=offer.prices[0])
    if isinstance(offer, Dividend):
        return _dividend(rng, offers, temper)
    return offer


def _weight(step: str, kind: str, temper: Temper) -> float:
    """Weight of a type of action by the step and the temper."""
    weight = WEIGHTS.get((step, kind), 1.0)
    if kind == "sell_shares" and step == "trade":
        weight *= temper.reckless
    elif (step, kind) == ("redeem", "buy_shares"):
        weight *= temper.redeeming
    elif kind == "merge":
        weight *= temper.merging
    elif (step, kind) == ("trains", "pass"):
        weight += 100 * temper.frugal
    return weight


def _thoughtful(play: Play, by_type: dict[str, list[Offer]]) -> dict[str, list[Offer]]:
    """Leave out what is not sensible, unless nothing is left or only types that need not be."""
    kept: dict[str, list[Offer]] = {}
    for kind, offers in by_type.items():
        good = [offer for offer in offers if sensible(play, _head(offer))]
        if good:
            kept[kind] = good
    return kept or by_type


def _dividend(rng: random.Random, offers: Offers, temper: Temper) -> Action:
    kinds = {offer.kind: offer for offer in offers.offers if isinstance(offer, Dividend)}
    if "hudson" in kinds and rng.random() < temper.hudson:
        return kinds["hudson"]
    return kinds["payout" if rng.random() < temper.generous else rng.choice(sorted(kinds))]


def sensible(play: Play, action: Action) -> bool:
    """Tell whether a careful player might do this: trains with permit, charters and pars that
    he can carry to flotation, shares of companies that wait for it before others."""
    state, kit = play.current, play.kit
    assert isinstance(state, State1862)
    assert isinstance(kit, Kit1862)
    who = action.entity.id
    if isinstance(action, BuyTrain) and isinstance(who, str):
        name = action.variant or state.fittings[action.train].name
        side, permits = kit.kind(action.train, name), state.charters[who].permits
        return side is not None and (side.kind in permits or not kit.permits)
    if isinstance(action, CharterBid) and isinstance(who, int):
        most = action.price + FLOATED_BY * kit.chart.price(kit.pars[0])
        return most <= state.players[who].cash
    if isinstance(action, Par) and isinstance(who, int):
        cash = state.players[who].cash
        return FLOATED_BY * int(action.share_price.partition(",")[0]) <= cash
    if isinstance(action, BuyShares) and isinstance(who, int):
        return _worth_buying(state, who, split(action.shares[0])[0])
    return True


def _worth_buying(state: State1862, who: int, sym: str) -> bool:
    """Own companies that have not floated come first, then those of others that nearly have."""
    waiting = [c for c in state.companies.values() if c.started and not c.floated]
    mine = [c.sym for c in waiting if c.director == who]
    if mine:
        return sym in mine
    unsold = {c.sym: _unsold(state, c.sym) for c in waiting}
    return not unsold or unsold.get(sym) == min(unsold.values())


def _unsold(state: State1862, sym: str) -> int:
    return len(ordinary(state, "ipo", sym)) + len(ordinary(state, sym, sym))


def best_known_run(rng: random.Random, play: Play, offers: Offers, searching: int) -> Action:
    """Return the listed run that earns most, or one over legs that meet, with routes of other
    trains added while that helps."""
    listed = [offer for offer in offers.offers if isinstance(offer, RunRoutes)]
    entries: dict[str, list[RouteEntry]] = defaultdict(list)
    for run in listed:
        if len(run.routes) == 1:
            entries[run.routes[0].train].append(run.routes[0])
    for train, routes in entries.items():
        found = list(routes)
        for _ in range(searching):
            found.extend(_joined(rng, found))
        entries[train] = [route for route in found if _runs(play, route)]
    singles = [RunRoutes(listed[0].entity, (r,)) for routes in entries.values() for r in routes]
    best = max([*listed, *singles], key=lambda run: earned(play, run) or 0)
    for train, routes in entries.items():
        if train in [entry.train for entry in best.routes]:
            continue
        longer = [RunRoutes(best.entity, (*best.routes, route)) for route in routes]
        best = max((best, *longer), key=lambda run: earned(play, run) or 0)
    return best


def _runs(play: Play, route: RouteEntry) -> bool:
    """Tell whether a route is no loop and pays something."""
    actor = play.actor()
    loops = len(set(route.nodes)) < len(route.nodes)
    return actor is not None and not loops and earned(play, RunRoutes(actor, (route,))) is not None


def _joined(rng: random.Random, routes: list[RouteEntry]) -> Iterator[RouteEntry]:
    """Yield routes over two of the legs that have an end in common, some of them."""
    pairs = list(combinations(routes, 2))
    for one, two in rng.sample(pairs, min(PAIRS, len(pairs))):
        shared = {one.nodes[0], one.nodes[-1]} & {two.nodes[0], two.nodes[-1]}
        if len(shared) == 1:
            (node,) = shared
            first = one if one.nodes[-1] == node else _reversed(one)
            last = two if two.nodes[0] == node else _reversed(two)
            yield replace(
                first,
                connections=(*first.connections, *last.connections),
                hexes=(*first.hexes, *last.hexes[1:]),
                nodes=(*first.nodes, *last.nodes[1:]),
            )


def _reversed(route: RouteEntry) -> RouteEntry:
    return replace(
        route,
        connections=tuple(tuple(reversed(leg)) for leg in reversed(route.connections)),
        hexes=tuple(reversed(route.hexes)),
        nodes=tuple(reversed(route.nodes)),
    )


def earned(play: Play, run: RunRoutes) -> int | None:
    """Return what a run pays, £, or None if it is not legal."""
    other = play.copy()
    try:
        other.apply(run)
    except IllegalActionError:
        return None
    done = other.actions()[-1] if play.finished else other.undo()
    return sum(entry.revenue or 0 for entry in done.routes) if isinstance(done, RunRoutes) else None


def moves(play: Play, seed: int, temper: Temper = TEMPERS[0]) -> Iterator[tuple[Offers, Action]]:
    """Play a game to its end; yield what is legal and what is done, before it is done."""
    rng = random.Random(seed)
    while not play.finished:
        offers = play.legal_actions()
        assert offers.offers, f"nothing is legal at {play.step()} of {play.actor()}"
        action = choose(rng, play, offers, temper)
        yield offers, action
        play.apply(action)
