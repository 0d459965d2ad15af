"""The run with which every algorithm begins."""

from __future__ import annotations

import pytest

from optimizer import solve
from optimizer.first_run import first_run
from optimizer.pricing import price
from optimizer.task import IMPOSSIBLE, Task, Weights
from tests.optimizer.positions import PROFILES, TITLES, board_problem, boards, large_problem

WEIGHTS = Weights(1000, 1)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("title", TITLES)
def test_the_first_run_is_legal_and_pays_where_something_does(title: str, profile: str) -> None:
    """On random boards of every game: legal, worth what is said, and never 0 without need."""
    for seed in range(boards(40)):
        problem = board_problem(title, seed, profile=profile)
        routes, value = first_run(Task(problem, WEIGHTS))
        if value == IMPOSSIBLE:
            assert routes == ()
            continue
        known = price(problem, routes)
        assert known.legal
        assert known.value(WEIGHTS) == value
        best = solve(problem)
        assert value <= WEIGHTS.value(best.revenue, best.subsidy)
        assert value > 0 or best.revenue == 0


@pytest.mark.parametrize("title", TITLES)
def test_pinned_routes_are_in_the_first_run(title: str) -> None:
    """It goes on from what must run, and bans hold."""
    for seed in range(boards(15)):
        problem = board_problem(title, seed)
        best, _ = first_run(Task(problem, WEIGHTS))
        if not best:
            continue
        routes, value = first_run(Task(problem, WEIGHTS, pinned=best[:1]))
        if value != IMPOSSIBLE:
            assert best[0].train in {route.train for route in routes}
            assert price(problem, routes).value(WEIGHTS) == value


@pytest.mark.parametrize("title", TITLES)
def test_the_first_run_of_a_large_board_is_worth_something(title: str) -> None:
    """More than a tenth of the best on end-game boards."""
    for seed in range(boards(3)):
        problem = large_problem(title, seed)
        _, value = first_run(Task(problem, Weights(1, 0)))
        assert value > solve(problem).revenue / 10
