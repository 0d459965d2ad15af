"""How fast replay and the list of actions are, in time of the processor."""

from __future__ import annotations

import gc
import json
import time
from pathlib import Path

import pytest

from engine.notation.gamefile import Replay, read_game

SHARED = Path(__file__).resolve().parents[6] / "shared" / "games" / "1862"
NAMES = ("46925", "game_end_bank")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded games are not here"),
]


def replay_of(name: str) -> Replay:
    text = (SHARED / f"{name}.json").read_text("utf-8")
    return Replay(read_game(json.loads(text)), audit=False)


def test_a_replay_takes_less_than_a_millisecond_an_action() -> None:
    """On average over the recorded games, every lay checked on its merits."""
    actions, spent = 0, 0.0
    for name in NAMES:
        replay = replay_of(name)
        begun = time.process_time()
        actions += sum(1 for _ in replay.steps())
        spent += time.process_time() - begun
    assert spent / actions < 0.001


def test_legal_actions_take_less_than_20_milliseconds() -> None:
    """At the 95th percentile of all states of the last two phases of the recorded games."""
    taken: list[float] = []
    for name in NAMES:
        replay = replay_of(name)
        for _ in replay.steps():
            if replay.play.current.phase in ("G", "H"):
                gc.collect(0)
                begun = time.process_time()
                assert replay.play.legal_actions().offers
                taken.append(time.process_time() - begun)
    taken.sort()
    assert taken[len(taken) * 95 // 100] < 0.020
