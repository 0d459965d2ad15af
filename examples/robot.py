"""A robot that plays any game sensibly: it builds, floats companies, buys trains and pays out.

It knows types of actions and no game. What it cannot judge it chooses at random, by
weights; lays and tokens are tried out, and the one that lets the company earn most is
taken. Same seed, same game.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.play.actions import (
    CORPORATION,
    PLAYER,
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    CharterBid,
    DiscardTrain,
    Dividend,
    EndGame,
    Entity,
    LayTile,
    Par,
    Pass,
    PlaceToken,
)
from engine.play.depot import owner_of
from engine.play.game import Play
from engine.play.offers import Offer, Priced
from engine.play.shares import split
from optimizer import solve
from optimizer.stop import Stop
from server.autorun import AutoRun, auto_run, need_situation
from server.desk import Desk
from server.question import Question, SubmittedWishes
from server.seat import seat

PLAYERS: Mapping[str, float] = {
    "pass": 0.3,
    "bid": 2.0,
    "par": 6.0,
    "buy_shares": 8.0,
    "sell_shares": 0.1,
    "choose": 0.3,
    "payoff_player_debt": 20.0,
    "payoff_player_debt_partial": 0.1,
}
"""Weights of what players do, by type of action; others have 1."""

COMPANIES: Mapping[str, float] = {
    "pass": 0.3,
    "lay_tile": 20.0,
    "place_token": 6.0,
    "buy_train": 10.0,
    "acquire_company": 4.0,
    "sell_shares": 0.2,
    "buy_shares": 0.1,
    "convert": 0.3,
    "merge": 0.3,
    "choose": 1.0,
}
"""Weights of what companies and privates do."""

TRIES = 6
"""Lays that are tried out before one is chosen."""
PASSES = 8
"""Steps that a trial passes on its way to the run."""


@dataclass(frozen=True)
class Manners:
    """How a robot plays.

    Parameters
    ----------
    oversights
        How often a director overlooks one of the stops that the best run visits.
    prudence
        How often a company that cannot pay for the next train keeps its revenue.
    players, companies
        Weights that differ from :data:`PLAYERS` and :data:`COMPANIES`.
    fits
        Tells of an action whether it makes sense in the game.
    """

    oversights: float = 0.25
    prudence: float = 0.3
    players: Mapping[str, float] = field(default_factory=dict)
    companies: Mapping[str, float] = field(default_factory=dict)
    fits: Callable[[Play, Action], bool] = lambda play, action: True


def least(offer: Offer) -> Action:
    """Return the action of an offer, at its least price."""
    return replace(offer.action, price=offer.prices[0]) if isinstance(offer, Priced) else offer


def head(offer: Offer) -> Action:
    """Return the action of an offer, at any price."""
    return offer.action if isinstance(offer, Priced) else offer


class Robot:
    """Chooses actions.

    Parameters
    ----------
    seed
        For its choices.
    manners
        How it plays.
    """

    def __init__(self, seed: int, manners: Manners) -> None:
        self._rng = random.Random(seed)
        self._manners = manners
        self._players = {**PLAYERS, **manners.players}
        self._companies = {**COMPANIES, **manners.companies}
        self._desk = Desk(solve)

    def moves(self, play: Play) -> Iterator[Action]:
        """Play a game to its end; yield what has been done."""
        while not play.finished:
            for action in self.choose(play):
                play.apply(action)
                yield action

    def choose(self, play: Play) -> Sequence[Action]:
        """Return what to do now; a run may take several actions."""
        if play.running() is not None:
            return self._run(play).actions
        actor, offered = play.actor(), play.legal_actions().offers
        if actor is not None and not offered:
            return (EndGame(actor),)  # all cash is bound in the auction (18GB §5.4)
        kinds: dict[str, list[Offer]] = defaultdict(list)
        for offer in self._sensible(play, offered):
            kinds[head(offer).TYPE].append(offer)
        names = sorted(kinds)
        weights = [self._weight(name, kinds[name]) for name in names]
        return (self._of_kind(play, kinds[self._rng.choices(names, weights)[0]]),)

    def _weight(self, name: str, offers: Sequence[Offer]) -> float:
        company = any(head(offer).entity.kind == CORPORATION for offer in offers)
        return (self._companies if company else self._players).get(name, 1.0)

    def _sensible(self, play: Play, offers: Sequence[Offer]) -> list[Offer]:
        """Leave out what a careful player would not do, if something is left."""
        good = [o for o in offers if sensible(play, least(o)) and self._manners.fits(play, head(o))]
        return good or list(offers)

    def _of_kind(self, play: Play, offers: Sequence[Offer]) -> Action:
        """Choose among offers of one type."""
        first = head(offers[0])
        if isinstance(first, LayTile | PlaceToken):
            return self._tried(play, [head(offer) for offer in offers])
        if isinstance(first, Dividend):
            return self._dividend(play, [o for o in offers if isinstance(o, Dividend)])
        return least(offers[0] if isinstance(first, DiscardTrain) else self._rng.choice(offers))

    def _run(self, play: Play) -> AutoRun:
        """Return the best run, or sometimes the best that overlooks one of its stops, which is
        not one with an own token. Without director there are no oversights."""
        best = auto_run(play, self._desk, Stop())
        position = best.answer.position
        company = position.company
        visited = {stop for route in best.answer.best.run.routes for stop in route.stops}
        foreign = [s for s in visited if not position.board.stops[s].has(company.corporation)]
        careless = self._rng.random() < self._manners.oversights
        if not foreign or company.receivership or not careless:
            return best
        overlooked = SubmittedWishes(avoid_stops=(self._rng.choice(sorted(foreign)),))
        question = Question(need_situation(play), wishes=overlooked)
        return auto_run(play, self._desk, Stop(), question)

    def _dividend(self, play: Play, offers: Sequence[Dividend]) -> Action:
        """Pay out, or sometimes save for the next train."""
        state = play.current
        company = state.companies[str(offers[0].entity.id)]
        prices = [play.kit.roster.card(train).price for train in state.depot[:1]]
        poor = any(company.cash < price for price in prices) and len(company.trains) < 2
        saves = poor and self._rng.random() < self._manners.prudence
        wanted = "withhold" if saves else "payout"
        return next((offer for offer in offers if offer.kind == wanted), offers[0])

    def _tried(self, play: Play, actions: Sequence[Action]) -> Action:
        """Try some actions out; return the one after which the company earns most."""
        tried = self._rng.sample(actions, min(TRIES, len(actions)))
        return max(tried, key=lambda action: prospects(play, action))


def sensible(play: Play, action: Action) -> bool:
    """Tell whether a careful player might do this."""
    state = play.current
    if isinstance(action, BuyTrain):
        return owner_of(state, action.train) is None
    if isinstance(action, Bid | CharterBid):
        return 3 * action.price <= state.players[int(action.entity.id)].cash
    if isinstance(action, Par) and action.entity.kind == PLAYER:
        cash = state.players[int(action.entity.id)].cash
        return 3 * int(action.share_price.partition(",")[0]) <= cash
    if isinstance(action, BuyShares) and action.entity.kind == PLAYER:
        mine = [c for c in state.companies.values() if c.director == action.entity.id]
        waiting = [c.sym for c in mine if not c.floated]
        return not waiting or split(action.shares[0])[0] in waiting
    return True


def prospects(play: Play, action: Action) -> tuple[int, int]:
    """Return the revenue in reach of the company in turn after an action, £, and the worth of
    its network."""
    other = play.copy()
    actor = play.actor() or action.entity
    other.apply(action)
    worth = network_worth(other, actor)
    for _ in range(PASSES):
        if other.finished or other.actor() != actor:
            return 0, worth
        if other.running() is not None:
            rules, position = seat(need_situation(other))
            return solve(rules.problem(position)).revenue, worth
        if Pass(actor) not in other.legal_actions():
            return 0, worth
        other.apply(Pass(actor))
    return 0, worth


def network_worth(play: Play, company: Entity) -> int:
    """Return what a company reaches: the £ of its stops, and £1 for each piece of track."""
    state = play.current
    if company.kind != CORPORATION:
        return 0
    board = state.layout.board(play.setting.title, play.kit.guide.atlas, state.phase)
    network = state.layout.network(board, str(company.id))
    return sum(board.stops[stop].value for stop in network.stops) + len(network.paths)
