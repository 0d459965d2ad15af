"""What is said of smaller fleets without a solve holds, and spares solves."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from engine.routing.problem import RoutingProblem
from optimizer.coverage import solve_coverage
from optimizer.objective import weights_for
from optimizer.ranking import fewest_trains
from optimizer.solution import Objective
from optimizer.task import Outcome, Task
from tests.optimizer.positions import board_problem, boards, large_problem


def _smaller(problem: RoutingProblem, trains: tuple[int, ...]) -> RoutingProblem:
    classes = tuple(
        replace(cls, trains=cls.trains[:number])
        for cls, number in zip(problem.classes, trains, strict=True)
    )
    return replace(problem, classes=classes)


def test_no_smaller_fleet_passes_its_bound() -> None:
    """On random boards of up to four trains, chains among them, for every part of the fleet."""
    tried = close = 0
    for seed in range(boards(12)):
        problem = board_problem("1862", 700 + seed, hexes=10, trains=4)
        task = Task(problem, weights_for(problem, Objective.REVENUE))
        bound = solve_coverage(task).fleet_bound
        assert bound is not None
        for trains in product(*(range(len(cls.trains) + 1) for cls in problem.classes)):
            best = solve_coverage(replace(task, problem=_smaller(problem, trains))).value
            assert best <= bound(trains), (seed, trains)
            tried += 1
            close += best == bound(trains)
    assert close > tried // 8


@pytest.mark.parametrize("seed", [1, 3])
def test_few_fleets_are_solved_for_fewer_trains(seed: int) -> None:
    """On dense boards of phase H fewer solves are needed than there are smaller fleets, and the
    run and its proof are those of solving for each."""
    problem = large_problem("1862", seed)
    task = Task(problem, weights_for(problem, Objective.REVENUE))
    outcome = solve_coverage(task)
    solved: list[Task] = []

    def counted(smaller: Task) -> Outcome:
        solved.append(smaller)
        return solve_coverage(smaller)

    quick = fewest_trains(task, counted, outcome.routes, outcome.value, outcome.fleet_bound)
    few = len(solved)
    slow = fewest_trains(task, counted, outcome.routes, outcome.value)
    assert few < len(solved) - few
    assert quick.proven
    assert slow.proven
    assert len(quick.routes) == len(slow.routes)
