"""How fast replay and the list of actions are, in time of the processor."""

from __future__ import annotations

import gc
import time

import pytest

from tests.engine.games.g1822.play.test_records import needs_records, replay_of

NAMES = ("1822/33845", "1822/36685", "1822MRS/33867")

pytestmark = [pytest.mark.slow, needs_records]


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_takes_less_than_a_millisecond_an_action(name: str) -> None:
    """On average, every lay checked on its merits; 1,100 actions in under 2 s."""
    replay = replay_of(name, audit=False)
    begun = time.process_time()
    actions = sum(1 for _ in replay.steps())
    assert (time.process_time() - begun) / actions < 0.001


def test_legal_actions_take_less_than_20_milliseconds() -> None:
    """At the 95th percentile of all states of the last two phases of the recorded games."""
    taken: list[float] = []
    for name in NAMES:
        replay = replay_of(name, audit=False)
        for _ in replay.steps():
            if replay.play.current.phase in ("6", "7"):
                gc.collect(0)
                begun = time.process_time()
                assert replay.play.legal_actions().offers
                taken.append(time.process_time() - begun)
    taken.sort()
    assert taken[len(taken) * 95 // 100] < 0.020
