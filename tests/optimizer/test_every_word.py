"""Every algorithm finds with every word, and every pair of words, what pricing all runs finds."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import pytest

from optimizer.assignment import solve_assignment
from optimizer.circuit import solve_circuit
from optimizer.errors import WordsError
from optimizer.packing import search, solve
from optimizer.packing.scope import handles
from optimizer.packing.solve import solve_packing
from optimizer.pricing import price
from optimizer.registry import solve_by_words
from optimizer.task import IMPOSSIBLE, Outcome, Task
from optimizer.words import check_words
from tests.optimizer.builders import best_by_price, count_runs
from tests.optimizer.packing.problems import packing_task
from tests.optimizer.worded import KINDS, worded_problem

MOST_RUNS = 2000
PAIRS = [*((kind,) for kind in KINDS), *combinations(KINDS, 2)]

FAST: dict[str, Callable[[Task], Outcome]] = {
    "default": solve_by_words,
    "search": lambda task: solve_packing(task, "search"),
    "proof by cp-sat": lambda task: solve_packing(task, "cp-sat"),
}
SLOW: dict[str, Callable[[Task], Outcome]] = {
    "cp-sat": solve_assignment,
    "circuit": solve_circuit,
}


def drawn(kinds: tuple[str, ...], seed: int) -> Task | None:
    """Return a task with these words whose runs can all be priced, or None."""
    rng = random.Random(f"{kinds} {seed}")
    problem = worded_problem(rng, kinds)
    if count_runs(problem) > MOST_RUNS:
        return None
    try:
        check_words(problem)
    except WordsError:
        return None
    return packing_task(problem, rng)


def agree(task: Task, methods: dict[str, Callable[[Task], Outcome]]) -> None:
    """Check the methods against the price of every run."""
    best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
    value = IMPOSSIBLE if best is None else best
    for name, method in methods.items():
        if name not in ("cp-sat", "circuit", "default") and not handles(task.problem):
            continue
        outcome = method(task)
        assert (outcome.value, outcome.bound) == (value, value), name
        if best is not None:
            known = price(task.problem, outcome.routes)
            assert known.legal, (name, known.faults)
            assert known.value(task.weights) == value, name


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_each_word_and_each_pair(kinds: tuple[str, ...]) -> None:
    """The packing engine agrees on a few problems with each word and each pair of words."""
    tasks = [task for seed in range(6) if (task := drawn(kinds, seed)) is not None]
    for task in tasks[:3]:
        agree(task, FAST)


@pytest.mark.parametrize("kind", KINDS)
def test_each_word_by_cp_sat_alone(kind: str) -> None:
    """Both formulations for CP-SAT alone agree on problems with each word."""
    tasks = [task for seed in range(100, 104) if (task := drawn((kind,), seed)) is not None]
    for task in tasks[:2]:
        agree(task, SLOW)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_each_pair_many_times(kinds: tuple[str, ...]) -> None:
    """All algorithms agree on dozens of problems with each word and each pair of words."""
    for seed in range(1000, 1030):
        task = drawn(kinds, seed)
        if task is not None:
            agree(task, FAST | SLOW)


def by_every_stage(seed: int, patch: pytest.MonkeyPatch) -> None:
    """Check the packing engine where the first stages, which close most problems, are cut short."""
    rng = random.Random(seed)
    task = drawn(tuple(rng.sample(KINDS, rng.randint(2, 6))), seed)
    patch.setattr(solve, "FEW_PAIRS", -1)
    patch.setattr(solve, "NODES", rng.choice((0, 4)))
    patch.setattr(solve, "TOP", rng.choice((1, 3)))
    patch.setattr(search, "BLOCK", rng.choice((1, 256)))
    patch.setattr(solve.Builder, "build", lambda *_: None)
    if task is not None:
        agree(task, FAST)


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_every_stage(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prices, search and CP-SAT agree with two to six words together."""
    by_every_stage(seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000))
def test_every_stage_many_times(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So they do on a thousand problems."""
    by_every_stage(seed, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(600))
def test_many_words_together(seed: int) -> None:
    """The packing engine agrees where three to six words stand together."""
    rng = random.Random(seed)
    task = drawn(tuple(rng.sample(KINDS, rng.randint(3, 6))), seed)
    if task is not None:
        agree(task, FAST)
