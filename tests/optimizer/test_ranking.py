"""The next best runs: those that trying everything lists, in order, and nothing useless."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Budget, MustRun, Pay, Reach, TrainClass
from optimizer import Stop, Wishes, solve
from optimizer.pricing import price
from optimizer.ranking import fewest_trains, lean, next_best, shapes
from optimizer.registry import find_algorithm
from optimizer.task import IMPOSSIBLE, Task, Weights
from tests.optimizer.builders import (
    all_runs,
    count_runs,
    made_problem,
    net_leg,
    net_stop,
    random_problem,
)
from tests.optimizer.positions import TITLES, board_problem, boards

WEIGHTS = Weights(1000, 1)


def _by_trying(task: Task, number: int) -> list[int]:
    """Return the values of the best lean runs that are different, from all runs there are."""
    best: dict[object, tuple[int, tuple[NetRoute, ...]]] = {}
    for run in all_runs(task.problem, task.pinned):
        known = price(task.problem, run)
        if run and known.legal:
            key = tuple(shapes(task.problem, run))
            value = known.value(WEIGHTS)
            if value > best.get(key, (IMPOSSIBLE, ()))[0]:
                best[key] = value, run
    values = []
    for key, (value, run) in sorted(best.items(), key=lambda entry: -entry[1][0]):
        if tuple(shapes(task.problem, lean(task.problem, task, run, value))) == key:
            values.append(value)
            if len(values) == number:
                break
    return values


def _listed(task: Task, name: str, number: int) -> list[int]:
    algorithm = find_algorithm(name).load()
    outcome = algorithm(task)
    if not outcome.routes:
        return []
    best = fewest_trains(task, algorithm, outcome.routes, outcome.value).routes
    if not best:
        return []
    others = next_best(task, algorithm, best, outcome.value, number - 1)
    assert not others.cut_short
    return [outcome.value, *(entry.value for entry in others.runs)]


@settings(max_examples=boards(30), deadline=None)
@given(st.integers(0, 10**6))
@example(103)
def test_the_list_is_that_of_trying_everything(seed: int) -> None:
    """With any words together, CP-SAT in both formulations lists what trying everything does."""
    problem = random_problem(random.Random(seed))
    if count_runs(problem) > 1500:
        return
    task = Task(problem, WEIGHTS)
    expected = _by_trying(task, 5)
    for name in ("cp-sat", "circuit"):
        listed = _listed(task, name, 5)
        assert listed == expected or (not listed and max(expected, default=0) == 0), name


def test_trains_that_must_run_are_in_every_run_of_the_list() -> None:
    """Where both trains must run, no run is listed twice and none with a train left idle."""
    problem = random_problem(random.Random(103))
    words = (
        *(w for w in problem.words if not isinstance(w, MustRun)),
        MustRun(frozenset({0, 1})),
    )
    task = Task(replace(problem, words=words), WEIGHTS)
    expected = _by_trying(task, 5)
    assert len(expected) == 3
    for name in ("cp-sat", "circuit"):
        assert _listed(task, name, 5) == expected, name


@pytest.mark.parametrize("title", TITLES)
def test_engines_list_the_same_on_boards(title: str) -> None:
    """So do the engines on boards; a train without limits is left out, since its routes that
    another route serves as well are not listed."""
    for seed in range(boards(8)):
        problem = board_problem(title, 5000 + seed, hexes=6, trains=2)
        if count_runs(problem) > 1500 or any(not c.reach.budgets for c in problem.classes):
            continue
        task = Task(problem, WEIGHTS)
        expected = _by_trying(task, 5)
        for name in ("default", "cp-sat"):
            assert _listed(task, name, 5) == expected, (seed, name)


@pytest.mark.parametrize("title", TITLES)
def test_runs_asked_for_are_different_and_fall(title: str) -> None:
    """`solve` returns so many runs that the referee confirms, best first, no two the same."""
    found = 0
    for seed in range(boards(8)):
        problem = board_problem(title, 6000 + seed, hexes=8, trains=2)
        solution = solve(problem, runs=4, stop=Stop(60))
        worth = [(solution.revenue, solution.subsidy)]
        worth += [(run.revenue, run.subsidy) for run in solution.others]
        assert worth == sorted(worth, reverse=True)
        assert len(worth) <= 4
        runs = [solution.run, *(ranked.run for ranked in solution.others)]
        written = {
            frozenset((r.train, frozenset(r.stops), frozenset(r.legs)) for r in run.routes)
            for run in runs
        }
        assert len(written) == len(runs)
        for ranked in solution.others:
            verdict = problem.judge(ranked.run)
            assert verdict.legal
            assert (verdict.revenue, verdict.subsidy) == (ranked.revenue, ranked.subsidy)
        found += len(solution.others)
    assert found > 8


def test_the_next_best_runs_fulfil_the_wishes() -> None:
    """A pinned route is in every run of the list."""
    for seed in range(6100, 6200):
        problem = board_problem("18GB", seed, hexes=8, trains=2)
        best = solve(problem)
        if len(best.run.routes) < 2:
            continue
        mine = best.run.routes[0]
        solution = solve(problem, wishes=Wishes(pinned=(mine,)), runs=3)
        if len(solution.others) == 2:
            for ranked in solution.others:
                ran = next(r for r in ranked.run.routes if r.train == mine.train)
                assert frozenset(ran.stops) == frozenset(mine.stops)
            return
    pytest.fail("no board with three runs around a pinned route")


def _line(pays: tuple[int, ...], trains: tuple[str, ...]) -> RoutingProblem:
    """Stops in a line, every train as long as it."""
    stops = [net_stop(n) for n in range(len(pays))]
    legs = [net_leg(stops, n, n + 1, n) for n in range(len(pays) - 1)]
    everywhere = frozenset(range(len(pays)))
    budget = Budget(len(pays), (1,) * len(pays))
    reach = Reach(everywhere, everywhere, everywhere, everywhere, (budget,))
    return made_problem(stops, legs, [TrainClass("line", trains, reach, Pay(pays), "track")])


def test_a_stop_at_the_end_that_pays_nothing_is_not_another_run() -> None:
    """Along 10 - 20 - 0 the runs are 10 - 20 and 20 - 0; 10 - 20 - 0 is the first with a
    useless end."""
    solution = solve(_line((10, 20, 0), ("x",)), algorithm="cp-sat", runs=5)
    assert [solution.revenue, *(run.revenue for run in solution.others)] == [30, 20]


@pytest.mark.parametrize("name", ["default", "search", "cp-sat", "circuit"])
def test_of_equal_runs_the_one_with_fewest_trains_is_taken(name: str) -> None:
    """One train over 10 - 0 - 10 pays as much as two over its halves."""
    solution = solve(_line((10, 0, 10), ("x", "y")), algorithm=name)
    assert solution.revenue == 20
    assert len(solution.run.routes) == 1


def test_two_trains_that_pay_more_both_run() -> None:
    """Over 10 - 10 - 10 the middle stop pays each of two trains."""
    solution = solve(_line((10, 10, 10), ("x", "y")), algorithm="cp-sat")
    assert solution.revenue == 40
    assert len(solution.run.routes) == 2
