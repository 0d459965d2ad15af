"""Scenes: games of 18GB brought to the moment that a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from engine.games.g18gb.play.state import State18GB
from engine.play.actions import Action, Bid, Par, Pass, corporation, player
from engine.play.errors import IllegalActionError
from engine.play.game import Play, Setting, course_of, start
from engine.play.records import clone


def new_game(
    players: int, options: tuple[str, ...] = (), seed: int = 1, profile: str = "18xx.games"
) -> Play:
    """Start a game."""
    seats = tuple((number, f"Player {number}") for number in range(1, players + 1))
    return start(Setting("18GB", seats, seed, options, profile))


def state_of(play: Play) -> State18GB:
    """Return the state, as that of 18GB."""
    state = play.current
    assert isinstance(state, State18GB)
    return state


def changed(play: Play, change: Callable[[State18GB], None]) -> Play:
    """Return a game whose state has been changed by hand."""
    state = clone(state_of(play))
    change(state)
    return Play(play.setting, course_of(play.setting), state)


def do(play: Play, *actions: Action) -> Play:
    """Do one thing after the other."""
    for action in actions:
        play.apply(action)
    return play


def refused(play: Play, action: Action, code: str, section: str, field: str = "") -> None:
    """Check that an action is refused with code, rule and field, and that nothing changes."""
    before, state = play.state(), play.current
    with pytest.raises(IllegalActionError) as error:
        play.apply(action)
    fault = error.value.fault
    assert (fault.code, fault.section) == (code, section), fault
    assert error.value.code == code
    assert fault.path == (field or fault.path)
    assert play.current is state
    assert play.state() == before


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
