"""On boards of 1862 both provers agree, the referee confirms, and time is kept."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.games import load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.routing.position import load_position, make_rules
from engine.routing.problem import NetRoute, RoutingProblem
from optimizer.coverage import (
    solve_coverage,
    solve_coverage_cp_sat,
    solve_coverage_search,
)
from optimizer.coverage.tree import MANY
from optimizer.objective import weights_for
from optimizer.solution import Objective
from optimizer.stop import Stop
from optimizer.task import IMPOSSIBLE, Outcome, Task
from tests.boards import g1862
from tests.optimizer.positions import PROFILES, board_problem, boards, large_problem, stated
from tests.optimizer.watched import Watched
from tests.shared import POSITIONS, needs_positions


def _task(problem: RoutingProblem, objective: Objective = Objective.REVENUE) -> Task:
    return Task(problem, weights_for(problem, objective))


def _confirm(task: Task, outcome: Outcome) -> None:
    """The referee pays exactly what the outcome promises."""
    verdict = task.problem.judge(task.problem.to_run(outcome.routes))
    assert verdict.faults == ()
    assert task.weights.value(verdict.revenue, verdict.subsidy) == outcome.value


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("objective", list(Objective))
def test_provers_agree_and_the_referee_confirms(profile: str, objective: Objective) -> None:
    """On random boards of up to four trains the search and CP-SAT prove the same value."""
    for seed in range(boards(10)):
        problem = board_problem("1862", 500 + seed, hexes=14, trains=4, profile=profile)
        task = _task(problem, objective)
        found = [prover(task) for prover in (solve_coverage, solve_coverage_cp_sat)]
        assert all(outcome.proven for outcome in found)
        assert found[0].value == found[1].value, seed
        for outcome in found:
            _confirm(task, outcome)


@pytest.mark.parametrize("seed", range(8))
def test_dense_boards_are_proven(seed: int) -> None:
    """Three to five heavy trains of phase H on a full map are proven in seconds."""
    task = replace(_task(large_problem("1862", seed)), stop=Stop(60))
    outcome = solve_coverage(task)
    assert outcome.proven
    _confirm(task, outcome)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 40))
def test_more_dense_boards_are_proven(seed: int) -> None:
    """The same on more boards."""
    test_dense_boards_are_proven(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 5, 6, 9, 10])
def test_provers_agree_on_dense_boards(seed: int) -> None:
    """CP-SAT proves what the search proves on boards where it is not too slow."""
    task = replace(_task(large_problem("1862", seed)), stop=Stop(60))
    outcome = solve_coverage_cp_sat(task)
    assert outcome.proven
    assert outcome.value == solve_coverage(_task(task.problem)).value
    _confirm(task, outcome)


@pytest.mark.slow
def test_cp_sat_relieves_a_long_search() -> None:
    """Where five Locals can pay nearly everything, CP-SAT proves what takes the search long."""
    task = _task(large_problem("1862", 376))
    outcome = solve_coverage(task)
    assert (outcome.proof, outcome.value) == ("cp-sat", outcome.bound)
    assert task.stages.by_name["proof"].counts["nodes"] == MANY
    assert solve_coverage_search(_task(task.problem)).value == outcome.value


@pytest.mark.parametrize("prover", [solve_coverage, solve_coverage_cp_sat])
@pytest.mark.parametrize("seed", [3, 7, 12])
def test_bounds_hold_when_time_runs_out(prover: Callable[[Task], Outcome], seed: int) -> None:
    """However early a solve ends, its run is legal and nothing exceeds its bound."""
    task = _task(large_problem("1862", seed))
    best = solve_coverage(task)
    assert best.proven
    for seconds in (0.0, 0.002, 0.01, 0.03, 0.1, 0.3):
        outcome = prover(replace(task, stop=Stop(seconds)))
        assert outcome.value <= best.value <= outcome.bound
        assert bool(outcome.proof) == outcome.proven
        _confirm(task, outcome)


def test_without_time_pinned_routes_are_not_lost() -> None:
    """Without time no run with the pinned route is known, and that is what is said."""
    task = _task(large_problem("1862", 3))
    pinned = (solve_coverage(task).routes[0],)
    outcome = solve_coverage(replace(task, pinned=pinned, stop=Stop(0.0)))
    assert (outcome.routes, outcome.value, outcome.proof) == ((), IMPOSSIBLE, "")
    assert outcome.bound >= solve_coverage(replace(task, pinned=pinned)).value


@pytest.mark.parametrize(
    ("prover", "seed"), [(solve_coverage_search, 376), (solve_coverage_cp_sat, 87)]
)
def test_a_cancelled_solve_ends_soon(prover: Callable[[Task], Outcome], seed: int) -> None:
    """A solve that would take long ends within a fraction of a second after it is cancelled."""
    task = _task(large_problem("1862", seed))
    stop = Stop()
    at: list[float] = []

    def cancel() -> None:
        at.append(time.monotonic())
        stop.cancel()

    threading.Timer(0.4, cancel).start()
    outcome = prover(replace(task, stop=stop))
    late = time.monotonic() - at[0]
    assert late < 0.5  # 50 ms on an idle machine
    assert outcome.bound > outcome.value > 0
    _confirm(task, outcome)


@pytest.mark.slow
def test_the_clock_is_looked_at_where_millions_of_trails_are_joined() -> None:
    """Four Freights that must run (1862 D18) on a dense board: never long without a look."""
    board, company = g1862.large_position(random.Random(9))
    stop = Watched()
    task = replace(_task(stated(board, company, "rulebook")), stop=stop)
    assert solve_coverage(task).proven
    assert stop.longest < 0.6


def test_progress_tells_of_every_better_run() -> None:
    """Values rise, each with a legal run and a bound that holds; the last is the answer."""
    told: list[tuple[tuple[NetRoute, ...], int, int]] = []
    task = _task(large_problem("1862", 7))
    outcome = solve_coverage(replace(task, progress=lambda *better: told.append(better)))
    values = [value for _, value, _ in told]
    assert values == sorted(set(values))
    assert values[-1] == outcome.value
    assert told[-1][0] == outcome.routes
    for routes, value, bound in told:
        assert value <= outcome.value <= bound
        _confirm(task, Outcome(routes, value, bound, ""))


def test_stages_are_told() -> None:
    """Times and counts of the stages are kept, in the order of the work."""
    task = _task(large_problem("1862", 7))
    solve_coverage(task)
    assert list(task.stages.by_name) == [
        "read",
        "enumerate",
        "chains",
        "first run",
        "bound",
        "fix",
        "exchange",
        "tighten",
        "proof",
    ]
    assert task.stages.by_name["enumerate"].counts["columns"] > 1000
    assert task.stages.by_name["proof"].counts["nodes"] > 1


@pytest.mark.parametrize("seed", range(5))
def test_pinning_and_banning_the_best_routes(seed: int) -> None:
    """With a route of the best run pinned the value stays; with it banned another run is
    found that lacks it."""
    task = _task(board_problem("1862", seed, hexes=20, trains=4))
    best = solve_coverage(task)
    for route in best.routes:
        pinned = solve_coverage(replace(task, pinned=(route,)))
        assert pinned.value == pinned.bound == best.value
        assert route in pinned.routes
        key = (route.cls, *min((route.stops, route.legs), (route.stops[::-1], route.legs[::-1])))
        banned = solve_coverage(replace(task, banned=frozenset({key})))
        assert banned.proven
        assert banned.value <= best.value
        assert all(r.cls != route.cls or set(r.legs) != set(route.legs) for r in banned.routes)
        _confirm(task, banned)


def _records() -> list[PositionRecord]:
    files = sorted((POSITIONS / "1862").glob("*.jsonl"))
    return [record for file in files for record in read_positions(file)]


@needs_positions
def test_recorded_positions_have_their_optimum() -> None:
    """1862 §10.11: the largest revenue, then subsidy, of every recorded position."""
    rules = make_rules(load_game("1862"))
    records = _records()
    assert len(records) > 100
    for record in records:
        position = load_position(rules, record.board, record.company)
        task = _task(rules.problem(position))
        outcome = solve_coverage(task)
        assert outcome.proven, record.id
        _confirm(task, outcome)
        verdict = task.problem.judge(task.problem.to_run(outcome.routes))
        known = (record.optimum, record.optimum_subsidy or 0)
        assert (verdict.revenue, verdict.subsidy) == known, record.id


@pytest.mark.slow
@needs_positions
def test_cp_sat_proves_recorded_positions() -> None:
    """CP-SAT alone after the bounds proves the same optima."""
    rules = make_rules(load_game("1862"))
    for record in _records():
        position = load_position(rules, record.board, record.company)
        task = _task(rules.problem(position))
        outcome = solve_coverage_cp_sat(replace(task, stop=Stop(60)))
        assert outcome.proven, record.id
        assert outcome.value // task.weights.revenue == record.optimum
