"""The robot that plays the example games."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.play.actions import PLAYER, Bid, BuyShares, BuyTrain, RunRoutes
from engine.play.depot import owner_of
from engine.play.game import Play, Setting, start
from engine.play.shares import split
from examples.play_games import EXAMPLES, Example
from examples.robot import Manners, Robot

SEATS = ((1, "Ann"), (2, "Bob"), (3, "Cy"))


def new_game(title: str) -> Play:
    return start(Setting(title, SEATS, 2))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_same_seed_same_game(example: Example) -> None:
    """Two robots with one seed do the same, one with another seed does not."""
    title, manners = example.title, example.manners
    games = [list(islice(Robot(seed, manners).moves(new_game(title)), 80)) for seed in (5, 5, 6)]
    assert games[0] == games[1] != games[2]


def test_directors_overlook_stops_only_if_asked_to() -> None:
    """Without oversights every run is the best one; with them something is missed."""
    play = new_game("18GB")
    robot = Robot(5, Manners(oversights=0.0))
    careless = Robot(5, Manners(oversights=1.0))
    worse = runs = 0
    for _ in range(250):
        if play.running() is not None:
            runs += 1
            (best,), (other,) = robot.choose(play), careless.choose(play)
            assert isinstance(best, RunRoutes)
            assert isinstance(other, RunRoutes)
            most, less = (sum(r.revenue or 0 for r in run.routes) for run in (best, other))
            assert most >= less
            worse += most > less
            play.apply(best)
        else:
            for action in robot.choose(play):
                play.apply(action)
    assert runs > worse > 0


def test_robots_are_careful() -> None:
    """Who directs a company that has not floated buys its shares and no others; companies buy
    trains from the bank; nobody bids more than a third of his cash."""
    play, robot = new_game("18GB"), Robot(3, Manners())
    seen: set[str] = set()
    while not play.finished:
        state, actions = play.current, robot.choose(play)
        for action in actions:
            if isinstance(action, BuyTrain):
                assert owner_of(state, action.train) is None
            elif isinstance(action, Bid):
                assert 3 * action.price <= state.players[int(action.entity.id)].cash
            elif isinstance(action, BuyShares) and action.entity.kind == PLAYER:
                mine = [c for c in state.companies.values() if c.director == action.entity.id]
                waiting = {company.sym for company in mine if not company.floated}
                assert not waiting or split(action.shares[0])[0] in waiting
            seen.add(action.TYPE)
            play.apply(action)
    assert {"buy_train", "bid", "buy_shares"} <= seen
