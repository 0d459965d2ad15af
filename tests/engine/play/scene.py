"""Scenes: games brought to the moment that a test is about, and what is refused there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.play.actions import Action
from engine.play.errors import IllegalActionError
from engine.play.game import Play, Setting, course_of, start
from engine.play.records import clone


def start_game(
    title: str,
    players: int,
    options: tuple[str, ...] = (),
    seed: int = 1,
    profile: str = "18xx.games",
) -> Play:
    """Start a game of so many players, numbered from 1."""
    seats = tuple((number, f"Player {number}") for number in range(1, players + 1))
    return start(Setting(title, seats, seed, options, profile))


def changed(play: Play, *changes: Callable[[Any], None]) -> Play:
    """Return a game whose state has been changed by hand."""
    state = clone(play.current)
    for change in changes:
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
    assert fault.path
    assert fault.path == (field or fault.path)
    assert play.current is state
    assert play.state() == before
