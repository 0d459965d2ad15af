"""All algorithms prove the same best run on random boards, and the oracle confirms it.

The oracle uses the referee alone; 'cp-sat' and 'circuit' use the words alone, by two
formulations; the engines have code of their own. `solve` itself has the referee
check every answer.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.games import load_game
from engine.games.g1862.rules import Rules1862
from engine.routing.position import load_position
from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import MustRun
from optimizer import Status, Stop, solve
from optimizer.errors import TooLargeError
from optimizer.registry import engine_for, find_algorithm
from optimizer.routes import routes_of
from optimizer.task import IMPOSSIBLE, Task, Weights, route_key
from tests.boards import g1862
from tests.optimizer.builders import best_by_price, count_runs, random_problem
from tests.optimizer.positions import PROFILES, TITLES, board_problem, boards

ENGINES = ("default", "search", "cp-sat", "circuit")


def _answers(problem: RoutingProblem, algorithms: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """Return by algorithm revenue, subsidy and, where it is exact, the number of trains."""
    exact = not problem.words_of(MustRun)
    found = {}
    for name in algorithms:
        solution = solve(problem, algorithm=name, stop=Stop(60))
        assert solution.status is Status.OPTIMAL, name
        assert solution.bound == solution.revenue
        trains = (len(solution.run.routes),) if exact else ()
        found[name] = (solution.revenue, solution.subsidy, *trains)
    return found


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("title", TITLES)
def test_all_algorithms_agree_with_the_oracle(title: str, profile: str) -> None:
    """On small boards of one to three trains every algorithm finds what trying everything does."""
    tried = 0
    for seed in range(boards(12)):
        problem = board_problem(title, seed, hexes=6, trains=3, profile=profile)
        try:
            oracle = _answers(problem, ("exhaustive",))
        except TooLargeError:
            continue
        tried += 1
        found = _answers(problem, ENGINES)
        assert set(found.values()) == set(oracle.values()), (seed, oracle, found)
    assert tried >= boards(12) // 2


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("title", TITLES)
def test_all_formulations_agree_on_larger_boards(title: str, profile: str) -> None:
    """Where trying everything takes too long, the four others agree."""
    for seed in range(1000, 1000 + boards(6)):
        problem = board_problem(title, seed, hexes=10, trains=4, profile=profile)
        found = _answers(problem, ENGINES)
        assert len(set(found.values())) == 1, (seed, found)


@pytest.mark.parametrize(
    "changed", [{}, {"closed_chain_bonus": False}, {"idle_trains": False}], ids=str
)
def test_all_algorithms_agree_on_boards_with_circles(changed: dict[str, bool]) -> None:
    """1862 §10.5.7: little boards by the sea, where the best that Freights can do is often to
    run in a circle; on some of them that is so, and pays the bonus where the reading has it."""
    rewarded = 0
    for seed in range(8, 8 + boards(6)):
        board, company = g1862.circle_position(random.Random(seed))
        game = load_game("1862")
        profile = replace(game.profiles["18xx.games"], name="other", **changed)
        rules = Rules1862(game, profile)
        problem = rules.problem(load_position(rules, board, company))
        found = {}
        for name in ("exhaustive", *ENGINES):
            with suppress(TooLargeError):
                solution = solve(problem, algorithm=name, stop=Stop(60))
                assert solution.status is Status.OPTIMAL, name
                found[name] = (solution.revenue, solution.subsidy)
        assert len(set(found.values())) == 1, (seed, found)
        accounts = solution.verdict.routes
        rewarded += any("circle" in item.text for one in accounts for item in one.items)
    assert (rewarded > 0) is changed.get("closed_chain_bonus", True)


ONCE_WRONG = (
    ("1862", 3371, 8, 4, "18xx.games"),
    ("1862", 3367, 8, 4, "rulebook"),
    ("1862", 3388, 8, 4, "rulebook"),
    ("1862", 3399, 8, 4, "rulebook"),
    ("1862", 215, 7, 3, "rulebook"),
)
"""Boards on which some algorithm was once wrong."""


@pytest.mark.parametrize(("title", "seed", "hexes", "trains", "profile"), ONCE_WRONG)
def test_what_was_once_wrong_stays_right(
    title: str, seed: int, hexes: int, trains: int, profile: str
) -> None:
    """Boards that showed an error are kept."""
    problem = board_problem(title, seed, hexes=hexes, trains=trains, profile=profile)
    assert len(set(_answers(problem, ENGINES).values())) == 1


def _task(problem: RoutingProblem, seed: int) -> Task:
    """Return a task with, often, a pinned route and some banned ones."""
    rng = random.Random(seed)
    runs = [
        route.run_by(train, number)
        for number, cls in enumerate(problem.classes)
        for train in cls.trains
        for route in routes_of(problem, number)
    ]
    pinned = tuple(rng.sample(runs, 1)) if runs and rng.random() < 0.5 else ()
    share = rng.choice((0, 0, 0.3))
    banned = frozenset(route_key(run) for run in runs if rng.random() < share)
    return Task(problem, Weights(1000, 1), pinned=pinned, banned=banned)


@settings(max_examples=boards(60), deadline=None)
@given(st.integers(0, 10**6))
@example(196)
@example(490)
@example(733)
@example(2187)
@example(1197)
@example(2336)
@example(7096)
@example(7203)
@example(7502)
@example(8365)
@example(8532)
@example(11614)
@example(19932)
def test_formulations_know_every_word(seed: int) -> None:
    """On made-up problems with any words together, pinned and banned routes, CP-SAT in both
    formulations finds what pricing every run finds; so do the engines for the words they know."""
    problem = random_problem(random.Random(seed))
    if count_runs(problem) > 3000:
        return
    for task in (Task(problem, Weights(1000, 1)), _task(problem, seed)):
        best = best_by_price(problem, task.weights, task.pinned, task.banned)
        value = IMPOSSIBLE if best is None else best
        names = ["cp-sat", "circuit", *(["default", "search"] if engine_for(problem) else [])]
        for name in names:
            outcome = find_algorithm(name).load()(task)
            assert (outcome.value, outcome.bound) == (value, value), name
            assert outcome.proof
            if best is not None:
                assert {route.train for route in task.pinned} <= {r.train for r in outcome.routes}
