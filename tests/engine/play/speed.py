"""How fast replay and the list of actions are, in time of the processor."""

from __future__ import annotations

import gc
import time
from collections.abc import Collection, Iterable

from tests.shared import replay_of


def time_of_an_action(names: Iterable[str]) -> float:
    """Return the seconds that the replay of an action takes, on average over recorded games."""
    actions, spent = 0, 0.0
    for name in names:
        replay = replay_of(name, audit=False)
        begun = time.process_time()
        actions += sum(1 for _ in replay.steps())
        spent += time.process_time() - begun
    return spent / actions


def time_of_a_list(names: Iterable[str], phases: Collection[str]) -> float:
    """Return the seconds that listing the legal actions takes: the 95th percentile of all
    states of recorded games in some phases."""
    taken: list[float] = []
    for name in names:
        replay = replay_of(name, audit=False)
        for _ in replay.steps():
            if replay.play.current.phase in phases:
                gc.collect(0)
                begun = time.process_time()
                assert replay.play.legal_actions().offers
                taken.append(time.process_time() - begun)
    taken.sort()
    return taken[len(taken) * 95 // 100]
