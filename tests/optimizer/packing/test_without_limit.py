"""Trains without a limit: any number of them, beside others, whatever their stops pay."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import StateError
from engine.games import load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from engine.routing.run import Train
from engine.routing.vocabulary import Pay, TrainClass
from optimizer import Status, Stop, solve
from optimizer.errors import TooLargeError
from optimizer.packing import frontier, joint
from optimizer.packing.scope import handles, without_limit
from optimizer.packing.solve import solve_packing
from optimizer.pricing import price
from optimizer.registry import find_algorithm
from optimizer.task import IMPOSSIBLE, Outcome, Task, Weights
from tests.optimizer.builders import best_by_price, count_runs
from tests.optimizer.packing.problems import packing_problem, packing_task
from tests.optimizer.positions import PROFILES, boards, random_board, stated

DATA = Path(__file__).resolve().parents[2] / "data" / "positions"
MOST_RUNS = 20_000


def _records(name: str) -> list[PositionRecord]:
    return list(read_positions(DATA / name))


def _problem_of(record: PositionRecord) -> RoutingProblem:
    rules = make_rules(load_game(record.board.title))
    return rules.problem(load_position(rules, record.board, record.company))


# --- made-up problems ----------------------------------------------------------


def _drawn(seed: int) -> Task | None:
    """Return a task with one to three trains without a limit, or None."""
    rng = random.Random(seed)
    problem = packing_problem(rng, unlimited=0.5)
    free = sum(len(cls.trains) for cls in problem.classes if without_limit(cls))
    if not 1 <= free <= 3 or not handles(problem):
        return None
    return packing_task(problem, rng)


def _confirmed(task: Task, outcome: Outcome) -> int:
    """Return the proven value of an outcome; the words price its run alike."""
    assert outcome.bound == outcome.value
    if outcome.value != IMPOSSIBLE:
        known = price(task.problem, outcome.routes)
        assert known.legal
        assert known.value(task.weights) == outcome.value
    return outcome.value


def _agree(seeds: range) -> int:
    """Let all algorithms solve made-up problems; return how many there were."""
    tried = 0
    for seed in seeds:
        task = _drawn(seed)
        if task is None:
            continue
        tried += 1
        values = {
            "default": _confirmed(task, solve_packing(task)),
            "search": _confirmed(task, solve_packing(task, "search")),
        }
        for name in ("cp-sat", "circuit"):
            values[name] = _confirmed(task, find_algorithm(name).load()(task))
        if count_runs(task.problem) <= MOST_RUNS:
            best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
            values["all runs"] = IMPOSSIBLE if best is None else best
        assert len(set(values.values())) == 1, (seed, values)
    return tried


def test_algorithms_agree_on_made_up_problems() -> None:
    """Engine, search, both formulations and pricing every run: limits of all kinds, stops and legs
    that pay, stops that pay once, bonuses, shares of the ends, marks, claims, carriages, pins
    and bans."""
    assert _agree(range(boards(30))) >= boards(30) // 4


@pytest.mark.slow
def test_algorithms_agree_on_thousands_of_made_up_problems() -> None:
    """The same, at length."""
    assert _agree(range(10_000, 10_000 + boards(3_000))) >= boards(3_000) // 4


@pytest.mark.parametrize("seed", range(6))
def test_the_joint_decision_proves_what_prices_do(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without good prices the states that are left decide all, and find the same."""
    tasks = [task for n in range(40) if (task := _drawn(1000 * seed + n)) is not None]
    values = [solve_packing(task).value for task in tasks]
    monkeypatch.setattr("optimizer.packing.group.ROUNDS", 1)
    monkeypatch.setattr("optimizer.packing.solve.first_run", lambda _: ((), IMPOSSIBLE))
    again = [solve_packing(replace(task, memory={})) for task in tasks]
    assert [outcome.value for outcome in again] == values
    assert all(outcome.proven for outcome in again)


@pytest.mark.parametrize("limit", ["frontier", "joint"])
def test_what_is_too_wide_is_left_to_cp_sat(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many states, the answer is the same and proven by CP-SAT alone."""
    module = {"frontier": frontier, "joint": joint}[limit]
    tasks = [task for seed in range(60) if (task := _drawn(seed)) is not None]
    values = [solve_packing(task).value for task in tasks]
    monkeypatch.setattr(module, "MOST_STATES", 1)
    monkeypatch.setattr("optimizer.packing.group.ROUNDS", 1)
    again = [solve_packing(replace(task, memory={})) for task in tasks]
    assert [outcome.value for outcome in again] == values
    assert any(outcome.proof == "cp-sat" for outcome in again)


# --- boards --------------------------------------------------------------------


def _last_phase(seed: int) -> RoutingProblem | None:
    """Return a small board in phase 7 with one to three E trains, or None if it cannot be.

    Every other one has another train beside them.
    """
    board, company = random_board("1822", seed, 6, 3)
    trains = [Train(f"E-{n}", "E") for n in range(1 + seed % 3)]
    others = [train for train in company.trains if train.name in ("7", "6", "5", "2P", "LP")]
    company = replace(company, trains=(*trains, *others[: seed % 2]), kind="major")
    try:
        return stated(replace(board, phase="7"), company, PROFILES[seed % len(PROFILES)])
    except StateError:
        return None


def _answers(problem: RoutingProblem) -> dict[str, tuple[int, int]]:
    found = {}
    for name in ("default", "search", "cp-sat", "circuit", "exhaustive"):
        try:
            solution = solve(problem, algorithm=name, stop=Stop(60))
        except TooLargeError:
            continue
        assert solution.status is Status.OPTIMAL, name
        found[name] = solution.revenue, solution.subsidy
    return found


def _plain(problem: RoutingProblem, trains: int) -> RoutingProblem:
    """Return the problem with trains without a limit to which every stop pays."""
    model = problem.classes[0]
    reach = replace(model.reach, budgets=(), fewest=2)
    ids = tuple(f"D-{n}" for n in range(trains))
    diesel = TrainClass("D", ids, reach, Pay(model.pay.stops), "all")
    limited = replace(diesel, name="2", trains=("2-0",), reach=replace(model.reach, fewest=2))
    return replace(problem, classes=(diesel, limited), words=(), attachments=())


def _boards_agree(seeds: range) -> int:
    """Let all algorithms solve boards; return how many there were."""
    tried = 0
    for seed in seeds:
        problem = _last_phase(seed)
        if problem is None:
            continue
        tried += 1
        found = _answers(problem)
        assert len(set(found.values())) == 1, (seed, found)
        task = Task(_plain(problem, 1 + seed % 3), Weights(1, 0))
        names = ("default", "search", "cp-sat", "circuit")
        values = {name: find_algorithm(name).load()(task) for name in names}
        assert all(outcome.proven for outcome in values.values())
        assert len({outcome.value for outcome in values.values()}) == 1, (seed, values)
    return tried


def test_algorithms_agree_on_boards() -> None:
    """One to three E trains (1822 §11.13), alone and beside others, and as many plain trains to
    which every stop pays: all algorithms find the same, on E trains the oracle as well."""
    assert _boards_agree(range(boards(24))) >= boards(24) // 4


@pytest.mark.slow
def test_algorithms_agree_on_a_thousand_boards() -> None:
    """The same, at length."""
    assert _boards_agree(range(5_000, 5_000 + boards(1_000))) >= boards(1_000) // 4


def test_the_next_best_runs_of_trains_without_a_limit_are_found() -> None:
    """Banned and pinned routes hold for them: the best runs are those of CP-SAT."""
    problems = [found for seed in range(60) if (found := _last_phase(seed)) is not None]
    for problem in problems[:3]:
        ours, theirs = (solve(problem, algorithm=name, runs=4) for name in ("default", "cp-sat"))
        assert [r.revenue for r in ours.others] == [r.revenue for r in theirs.others]


# --- positions that were once out of reach ---------------------------------------


@pytest.mark.parametrize("record", _records("1822-without-limit.jsonl"), ids=lambda r: str(r.id))
def test_two_express_trains_are_proven(record: PositionRecord) -> None:
    """Two E trains at the end of 1822, which CP-SAT alone took seconds to a minute for."""
    solution = solve(_problem_of(record), stop=Stop(30))
    assert solution.status is Status.OPTIMAL
    assert solution.revenue == record.optimum


def test_two_trains_with_long_lists_are_proven() -> None:
    """18GB, two 6X on a dense board: 200,000 routes."""
    (record,) = _records("18GB-long-list.jsonl")
    solution = solve(_problem_of(record), stop=Stop(60))
    assert solution.status is Status.OPTIMAL
    assert solution.revenue == record.optimum


@pytest.mark.parametrize("milliseconds", [0, 10, 50])
def test_a_short_limit_leaves_a_run_and_a_true_bound(milliseconds: int) -> None:
    """Two E trains: never £0, and never a bound below what can be had."""
    for record in _records("1822-without-limit.jsonl"):
        solution = solve(_problem_of(record), stop=Stop(milliseconds / 1000))
        assert solution.revenue > 0
        assert record.optimum is not None
        assert solution.revenue <= record.optimum <= solution.bound
