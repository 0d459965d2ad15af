"""How fast replay and the list of actions are, in time of the processor."""

from __future__ import annotations

import pytest

from tests.engine.play.speed import time_of_a_list, time_of_an_action
from tests.shared import needs_records

NAMES = ("1822/33845", "1822/36685", "1822MRS/33867")
LAST_PHASES = ("6", "7")

pytestmark = [pytest.mark.slow, needs_records]


@pytest.mark.parametrize("name", NAMES)
def test_a_replay_takes_less_than_a_millisecond_an_action(name: str) -> None:
    """On average, every lay checked on its merits; 1,100 actions in under 2 s."""
    assert time_of_an_action([name]) < 0.001


def test_legal_actions_take_less_than_20_milliseconds() -> None:
    """At the 95th percentile of all states of the last two phases of the recorded games."""
    assert time_of_a_list(NAMES, LAST_PHASES) < 0.020
