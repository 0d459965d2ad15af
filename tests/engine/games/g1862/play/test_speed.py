"""How fast replay and the list of actions are, in time of the processor."""

from __future__ import annotations

import pytest

from tests.engine.play.speed import time_of_a_list, time_of_an_action
from tests.shared import needs_records

NAMES = ("1862/46925", "1862/game_end_bank")
LAST_PHASES = ("G", "H")

pytestmark = [pytest.mark.slow, needs_records]


def test_a_replay_takes_less_than_a_millisecond_an_action() -> None:
    """On average over the recorded games, every lay checked on its merits."""
    assert time_of_an_action(NAMES) < 0.001


def test_legal_actions_take_less_than_20_milliseconds() -> None:
    """At the 95th percentile of all states of the last two phases of the recorded games."""
    assert time_of_a_list(NAMES, LAST_PHASES) < 0.020
