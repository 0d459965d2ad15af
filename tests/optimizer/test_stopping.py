"""A solve that may not take its time still answers, truly, and at once."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time

import pytest

from engine.routing.problem import RoutingProblem
from optimizer import ALGORITHMS, Status, Stop, Wishes, exhaustive, solve, warm_up
from optimizer.assignment import Assignment
from optimizer.errors import OutOfTimeError
from optimizer.solution import Solution
from optimizer.task import Task, Weights
from tests.optimizer.positions import TITLES, board_problem, large_problem
from tests.optimizer.watched import Watched

FAST = ("default", "search", "cp-sat", "circuit")
LATE = 0.05
"""Seconds within which a cancelled solve comes back."""
SLACK = 0.15
"""What a busy machine may add to it before the test calls it late."""


@pytest.fixture(scope="module", autouse=True)
def _imported() -> None:
    warm_up()


@pytest.fixture(scope="module", params=TITLES)
def problem(request: pytest.FixtureRequest) -> RoutingProblem:
    """A board that takes all but the engines longer than the tests give them."""
    return large_problem(request.param, 0)


@pytest.fixture(scope="module")
def best(problem: RoutingProblem) -> Solution:
    """Its best run."""
    return solve(problem)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.03])
def test_a_time_limit_leaves_a_legal_run_and_a_true_bound(
    problem: RoutingProblem, best: Solution, name: str, seconds: float
) -> None:
    """Whatever the limit, the run is legal, pays what is said, and the bound is none too low."""
    solution = solve(problem, algorithm=name, stop=Stop(seconds))
    verdict = problem.judge(solution.run)
    assert verdict.legal
    assert (verdict.revenue, verdict.subsidy) == (solution.revenue, solution.subsidy)
    assert solution.revenue <= best.revenue <= solution.bound
    assert (solution.proof == "") == (solution.status is Status.FEASIBLE)
    if solution.status is Status.OPTIMAL:
        assert solution.revenue == best.revenue


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("title", TITLES)
def test_no_time_at_all_is_enough_for_a_run_that_pays(name: str, title: str) -> None:
    """Whatever the algorithm, some run that pays is found where one does."""
    problem = board_problem(title, 2, hexes=4, trains=1)
    best = solve(problem)
    solution = solve(problem, algorithm=name, stop=Stop(0))
    assert solution.bound >= best.revenue
    assert solution.revenue > 0 or best.revenue == 0


def test_loading_an_algorithm_is_no_part_of_the_time_limit() -> None:
    """A limit stands still while code is imported, and goes on where it was."""
    stop = Stop(0.05)
    with stop.standing_still():
        time.sleep(0.1)
    assert not stop.over()
    left = stop.left()
    assert left is not None
    assert 0.0 < left <= 0.05


@pytest.mark.parametrize("name", ["cp-sat", "circuit"])
@pytest.mark.parametrize("after", [0.005, 0.06, 0.2])
def test_a_cancelled_solve_ends_within_50_ms(
    problem: RoutingProblem, best: Solution, name: str, after: float
) -> None:
    """Cancelled from another thread at any moment, a solve comes back at once: within 50 ms,
    and what a busy machine adds."""
    stop = Stop()
    cancelled_at: list[float] = []

    def cancel() -> None:
        cancelled_at.append(time.perf_counter())
        stop.cancel()

    timer = threading.Timer(after, cancel)
    timer.start()
    solution = solve(problem, algorithm=name, stop=stop)
    ended = time.perf_counter()
    timer.cancel()
    timer.join()
    if cancelled_at:
        assert ended - cancelled_at[0] < LATE + SLACK
    assert solution.revenue <= best.revenue <= solution.bound


def test_a_cancelled_oracle_stops_listing_routes(
    problem: RoutingProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would list without end, on a board that is too large for it."""
    monkeypatch.setattr(exhaustive, "MOST_ROUTES", 10**12)
    stop = Stop()
    timer = threading.Timer(0.05, stop.cancel)
    timer.start()
    started = time.perf_counter()
    solution = solve(problem, algorithm="exhaustive", stop=stop)
    timer.join()
    assert time.perf_counter() - started < 1.0
    assert solution.status is Status.FEASIBLE


def test_the_clock_is_looked_at_while_all_routes_are_stated() -> None:
    """Tens of thousands of routes take CP-SAT alone more than a second before it begins:
    a look comes many times within it, however fast the machine is."""
    problem = large_problem("1822", 2)
    gc.collect()
    gc.disable()
    try:
        stop = Watched()
        began = time.thread_time()
        Assignment(Task(problem, Weights(1000, 1), stop=stop))
        whole = time.thread_time() - began
    finally:
        gc.enable()
    assert stop.longest < whole / 20


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_cancelled_stop_is_respected_before_anything_begins(name: str) -> None:
    """A solve whose caller has gone already does no work."""
    problem = board_problem("1822", 3, hexes=4, trains=2)
    stop = Stop()
    stop.cancel()
    start = time.perf_counter()
    solution = solve(problem, algorithm=name, stop=stop)
    assert time.perf_counter() - start < LATE + SLACK
    assert solution.bound >= solution.revenue


def test_what_is_not_proven_in_time_is_left_out(problem: RoutingProblem) -> None:
    """Without time there are neither next best runs nor a best run without wishes."""
    train = next(train for cls in problem.classes for train in cls.trains)
    wishes = Wishes(idle=frozenset([train]))
    solution = solve(problem, stop=Stop(0), wishes=wishes, runs=3)
    assert solution.others == ()
    assert solution.others_cut_short
    assert solution.free is None


def test_without_time_a_train_that_must_run_has_no_answer() -> None:
    """1862 D18: the run of nothing is illegal, and no other has been found."""
    for seed in range(50):
        problem = board_problem("1862", seed, hexes=6, trains=1, profile="rulebook")
        if solve(problem, algorithm="cp-sat").revenue:
            with pytest.raises(OutOfTimeError):
                solve(problem, algorithm="cp-sat", stop=Stop(0))
            return
    pytest.fail("no train that must run")


def test_a_stop_is_cancelled_from_a_signal_handler_at_any_moment() -> None:
    """Also while the main thread registers what is to be interrupted."""
    called = 0

    def handler(*_: object) -> None:
        nonlocal called
        called += 1
        stop.cancel()

    before = signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.0001, 0.0001)
    try:
        while called < 200:
            stop = Stop()
            with stop.during(lambda: None):
                pass
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", ["cp-sat", "circuit"])
def test_an_interrupt_from_the_keyboard_is_left_to_the_program(
    problem: RoutingProblem, name: str
) -> None:
    """CP-SAT would take it for itself while it solves, also on another thread of a service,
    and end without a proof."""
    interrupted = threading.Event()
    before = signal.signal(signal.SIGINT, lambda *_: interrupted.set())
    stop = Stop()
    solutions: list[Solution] = []
    solving = threading.Thread(
        target=lambda: solutions.append(solve(problem, algorithm=name, stop=stop))
    )
    end = time.monotonic() + 2
    try:
        solving.start()
        while solving.is_alive() and time.monotonic() < end:
            interrupted.clear()
            os.kill(os.getpid(), signal.SIGINT)
            assert interrupted.wait(1.0)
            solving.join(0.02)
        ended_by_itself = not solving.is_alive()
    finally:
        stop.cancel()
        solving.join(5)
        signal.signal(signal.SIGINT, before)
    assert solutions
    assert not ended_by_itself or solutions[0].status is Status.OPTIMAL
