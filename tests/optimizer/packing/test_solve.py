"""Provers agree, pinned and banned routes are respected, answers pass the referee."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine.routing.problem import RoutingProblem
from optimizer.packing.solve import solve_packing
from optimizer.task import Outcome, Task, Weights, route_key
from tests.optimizer.packing.problems import large_problem, small_problem

WEIGHTS = Weights(10_000, 1)


def _checked(problem: RoutingProblem, outcome: Outcome) -> None:
    verdict = problem.judge(problem.to_run(outcome.routes))
    assert verdict.faults == ()
    assert WEIGHTS.value(verdict.revenue, verdict.subsidy) == outcome.value


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(40))
def test_provers_agree_and_the_referee_confirms(title: str, seed: int) -> None:
    """The search and CP-SAT prove the same value, which the referee pays."""
    problem = small_problem(title, seed)
    outcomes = [solve_packing(Task(problem, WEIGHTS), prover) for prover in ("search", "cp-sat")]
    assert all(outcome.proven for outcome in outcomes)
    assert outcomes[0].value == outcomes[1].value
    for outcome in outcomes:
        _checked(problem, outcome)


@pytest.mark.slow
@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(6))
def test_provers_agree_on_end_game_boards(title: str, seed: int) -> None:
    """On boards of real size both provers prove the same value."""
    problem = large_problem(title, seed)
    outcomes = [solve_packing(Task(problem, WEIGHTS), prover) for prover in ("search", "cp-sat")]
    assert all(outcome.proven for outcome in outcomes)
    assert outcomes[0].value == outcomes[1].value
    for outcome in outcomes:
        _checked(problem, outcome)


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(10))
def test_pinning_the_best_routes_keeps_the_value(title: str, seed: int) -> None:
    """With any one route of the best run pinned, the best run is worth the same."""
    problem = small_problem(title, seed)
    free = solve_packing(Task(problem, WEIGHTS))
    for route in free.routes:
        pinned = solve_packing(Task(problem, WEIGHTS, pinned=(route,)))
        assert pinned.proven
        assert pinned.value == free.value
        assert route in pinned.routes
        _checked(problem, pinned)


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(10))
def test_banned_routes_do_not_run(title: str, seed: int) -> None:
    """A run without a banned route is worth no more, and both provers agree on it."""
    problem = small_problem(title, seed)
    free = solve_packing(Task(problem, WEIGHTS))
    for route in free.routes:
        banned = frozenset([route_key(route)])
        outcomes = [
            solve_packing(Task(problem, WEIGHTS, banned=banned), prover)
            for prover in ("search", "cp-sat")
        ]
        assert outcomes[0].value == outcomes[1].value <= free.value
        assert all(route_key(r) not in banned for o in outcomes for r in o.routes)


@pytest.mark.parametrize("title", ["1822", "18GB"])
def test_same_task_same_answer(title: str) -> None:
    """Equal tasks give equal routes."""
    problem = small_problem(title, 7, hexes=24)
    runs = {solve_packing(Task(problem, WEIGHTS)).routes for _ in range(3)}
    assert len(runs) == 1


@pytest.mark.parametrize("title", ["1822", "18GB"])
def test_progress_tells_ever_better_runs_with_valid_bounds(title: str) -> None:
    """Each run told is worth more than the one before and no more than the bound told."""
    problem = large_problem(title, 1)
    told: list[tuple[int, int]] = []
    task = Task(problem, WEIGHTS, progress=lambda _, value, bound: told.append((value, bound)))
    final = solve_packing(task)
    assert told
    assert all(a[0] < b[0] for a, b in pairwise(told))
    assert all(value <= final.value <= bound for value, bound in told)
