"""CP-SAT is run so that it can be stopped at any moment and is believed only with a proof."""

from __future__ import annotations

import random
import threading
import time

import pytest
from ortools.sat.python import cp_model

from optimizer.cpsat import OnBetter, new_solver, run_solver
from optimizer.stop import Stop


def _knapsack(count: int) -> cp_model.CpModel:
    """A model that takes CP-SAT minutes: market split, made to have no easy bound."""
    rng = random.Random(0)
    model = cp_model.CpModel()
    items = [model.new_bool_var("") for _ in range(count)]
    misses = []
    for _ in range(6):
        weights = [rng.randrange(100) for _ in items]
        miss = model.new_int_var(-10_000, 10_000, "")
        size = model.new_int_var(0, 10_000, "")
        model.add(
            sum(w * x for w, x in zip(weights, items, strict=True)) + miss == sum(weights) // 2
        )
        model.add_abs_equality(size, miss)
        misses.append(size)
    model.maximize(-sum(misses))
    return model


def _packing(columns: int, rows: int, used: int) -> cp_model.CpModel:
    """A model of the shape of a large board: many routes, each of which uses some pieces of track,
    no piece twice."""
    rng = random.Random(0)
    model = cp_model.CpModel()
    routes = [model.new_bool_var("") for _ in range(columns)]
    track: list[list[cp_model.IntVar]] = [[] for _ in range(rows)]
    for route in routes:
        for piece in rng.sample(range(rows), used):
            track[piece].append(route)
    for users in track:
        model.add_at_most_one(users)
    pay = [10 * rng.randrange(1, 100) for _ in routes]
    model.maximize(cp_model.LinearExpr.weighted_sum(routes, pay))
    return model


def test_a_small_model_is_solved_with_its_bound() -> None:
    """The objective is the bound."""
    model = cp_model.CpModel()
    x = model.new_int_var(0, 7, "")
    model.maximize(3 * x)
    answer = run_solver(new_solver(0), model, Stop())
    assert (answer.found, answer.value, answer.bound) == (True, 21, 21)


def test_a_model_without_solution_is_infeasible() -> None:
    """And nothing is found."""
    model = cp_model.CpModel()
    x = model.new_bool_var("")
    model.add(x >= 2)
    model.maximize(x)
    answer = run_solver(new_solver(0), model, Stop())
    assert answer.infeasible
    assert not answer.found


def test_without_time_nothing_is_believed() -> None:
    """A stop that is over says nothing about the model."""
    answer = run_solver(new_solver(0), _knapsack(40), Stop(0))
    assert (answer.found, answer.bound, answer.infeasible) == (False, None, False)


def test_a_time_limit_leaves_a_bound_above_what_was_found() -> None:
    """What is found in time is not called the best."""
    answer = run_solver(new_solver(0), _knapsack(40), Stop(0.3))
    assert answer.found
    assert answer.bound is not None
    assert answer.bound > answer.value


@pytest.mark.parametrize("after", [0.0, 0.0002, 0.001, 0.005, 0.05])
def test_a_cancel_is_not_lost_whenever_it_comes(after: float) -> None:
    """Not even between registering with the stop and the beginning of the search."""
    model = _knapsack(40)
    for _ in range(5):
        stop = Stop()
        timer = threading.Timer(after, stop.cancel)
        start = time.perf_counter()
        timer.start()
        run_solver(new_solver(0), model, stop)
        timer.join()
        assert time.perf_counter() - start < after + 0.3


def test_a_time_limit_is_kept_before_the_search_of_a_large_model_begins() -> None:
    """Nothing that CP-SAT does beforehand takes seconds in which it heeds no stop."""
    model = _packing(columns=45_000, rows=180, used=33)
    start = time.process_time()
    run_solver(new_solver(0), model, Stop(1.0))
    assert time.process_time() - start < 2.0


def test_an_error_of_a_callback_comes_out() -> None:
    """It ends the search and is kept for the caller."""

    def fail(_: cp_model.CpSolverSolutionCallback) -> None:
        raise LookupError("told you")

    watch = OnBetter(fail)
    run_solver(new_solver(0), _knapsack(40), Stop(20), watch)
    assert isinstance(watch.error, LookupError)
