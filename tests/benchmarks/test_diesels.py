"""Late boards of titles that are data: the same from the same seed, solved to a proof."""

from __future__ import annotations

import json
import time

import pytest

from benchmarks.diesels import TRAINS, late
from benchmarks.tail import Situation
from engine.games import load_game
from engine.notation.positions import position_object
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from optimizer import Stop, solve

LIMIT = 60
"""Seconds for one solve: far more than any takes."""


def _problem(situation: Situation) -> RoutingProblem:
    _, board, company = situation
    rules = make_rules(load_game(board.title))
    return rules.problem(load_position(rules, board, company))


@pytest.mark.parametrize("title", TRAINS)
def test_a_seed_makes_one_board(title: str) -> None:
    """The same seed writes the same bytes, the next one others."""
    once, again = ([json.dumps(position_object(*s)) for s in late(title, 2)] for _ in range(2))
    assert once == again
    assert once[0] != once[1]


@pytest.mark.parametrize("title", TRAINS)
def test_late_boards_are_proven(title: str) -> None:
    """Two boards a title are solved to a proof, at more than nothing."""
    solutions = [solve(_problem(situation), stop=Stop(LIMIT)) for situation in late(title, 2)]
    assert all(solution.revenue == solution.bound for solution in solutions)
    assert any(solution.revenue > 0 for solution in solutions)


@pytest.mark.slow
@pytest.mark.parametrize("title", TRAINS)
def test_late_boards_agree_with_cp_sat(title: str) -> None:
    """On 20 small boards a title CP-SAT alone proves the same best run."""
    for situation in late(title, 20, first=1000, share=0.25):
        problem = _problem(situation)
        mine = solve(problem, stop=Stop(LIMIT))
        other = solve(problem, algorithm="cp-sat", stop=Stop(LIMIT))
        assert other.revenue == other.bound, situation[0]
        assert mine.revenue == mine.bound == other.revenue, situation[0]


@pytest.mark.slow
@pytest.mark.parametrize("title", TRAINS)
def test_no_late_board_takes_long(title: str) -> None:
    """Thirty dense boards a title are proven, each in less than 3 s of processor time."""
    for situation in late(title, 30):
        problem = _problem(situation)
        begin = time.process_time()
        solution = solve(problem, stop=Stop(LIMIT))
        assert time.process_time() - begin < 3, situation[0]
        assert solution.revenue == solution.bound, situation[0]
