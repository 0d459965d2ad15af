"""Scenes: games of 18GB brought to the moment that a test is about."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.g18gb.play.state import State18GB
from engine.play.actions import Bid, Par, Pass, corporation, player
from engine.play.game import Play
from tests.engine.play.scene import start_game


def new_game(
    players: int, options: tuple[str, ...] = (), seed: int = 1, profile: str = "18xx.games"
) -> Play:
    """Start a game."""
    return start_game("18GB", players, options, seed, profile)


def state_of(play: Play) -> State18GB:
    """Return the state, as that of 18GB."""
    state = play.current
    assert isinstance(state, State18GB)
    return state


def auction(play: Play, owners: Mapping[str, int]) -> Play:
    """Play the auction: everybody bids the least for what he is to have."""
    waiting = dict(owners)
    while play.step() == "auction":
        actor = play.actor()
        assert actor is not None
        mine = next((sym for sym, owner in waiting.items() if owner == actor.id), None)
        if mine is None:
            play.apply(Pass(actor))
        else:
            del waiting[mine]
            bids = {a.company: a for a in reversed(play.legal_actions()) if isinstance(a, Bid)}
            play.apply(bids[mine])
    return play


def passes(play: Play, step: str, until: int | None = None) -> Play:
    """Pass while a step waits, until a given player is in turn."""
    while play.step() == step:
        actor = play.actor()
        assert actor is not None
        if until is not None and actor == player(until):
            break
        play.apply(Pass(actor))
    return play


def pass_all(play: Play, sym: str) -> Play:
    """Pass every step of a company's turn that takes a pass."""
    while play.actor() == corporation(sym) and Pass(corporation(sym)) in play.legal_actions():
        play.apply(Pass(corporation(sym)))
    return play


def par(number: int, sym: str, price: int) -> Par:
    """Start a company at a price."""
    columns = {70: 4, 75: 5, 80: 6, 90: 7, 100: 8}
    return Par(player(number), sym, f"{price},0,{columns[price]}")
