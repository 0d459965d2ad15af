"""What is asked of the optimizer when a client lets it run the trains of a game."""

from __future__ import annotations

import pytest
from bradshaw.v1 import game_service_pb2, route_service_pb2

from engine.play.entities import MARKET, Holder
from optimizer.solution import Objective
from server.convert.games import run_question
from tests.engine.games.g1862.play.scene import company, laid, new_game, operating, phase
from tests.engine.play.scene import changed

TWO_LOCALS = (("C-0", "3L", 0), ("C-1", "3L", 0))


@pytest.mark.parametrize(
    ("held_by", "named", "asked"),
    [
        ({MARKET: 80, 1: 20}, "UNSPECIFIED", Objective.TOTAL),
        ({MARKET: 80, 1: 20}, "REVENUE", Objective.REVENUE),
        ({1: 80, MARKET: 20}, "UNSPECIFIED", Objective.REVENUE),
    ],
)
def test_in_receivership_revenue_and_subsidy_are_one_sum(
    held_by: dict[Holder, int], named: str, asked: Objective
) -> None:
    """1862 §7.5: it runs for the most, subsidy included; a client that names an objective
    gets that one, and a director decides for himself (§10.8)."""
    play = changed(
        new_game(),
        phase("D"),
        laid(E12=("790", 0), F11=("790", 1)),
        company("EUR", 100, held_by, trains=TWO_LOCALS, markers=("E12",), permits=("local",)),
        operating("EUR", open_from="run"),
    )
    request = game_service_pb2.RunTrainsRequest()
    request.options.objective = route_service_pb2.Objective.Value(f"OBJECTIVE_{named}")
    assert run_question(request, play).objective is asked
