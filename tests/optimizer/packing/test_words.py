"""On made-up problems all provers find what pricing every run finds."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from optimizer.packing import search, solve
from optimizer.packing.scope import handles
from optimizer.packing.solve import solve_packing
from optimizer.pricing import price
from optimizer.task import IMPOSSIBLE, Outcome, Task
from tests.optimizer.builders import best_by_price, count_runs
from tests.optimizer.packing.problems import packing_problem, packing_task
from tests.optimizer.positions import boards

MOST_RUNS = 3000


def _drawn(seed: int) -> Task | None:
    """Return a task whose runs can all be priced, or None."""
    rng = random.Random(seed)
    problem = packing_problem(rng)
    if not handles(problem) or count_runs(problem) > MOST_RUNS:
        return None
    return packing_task(problem, rng)


def _check(task: Task, outcome: Outcome, best: int | None) -> None:
    value = IMPOSSIBLE if best is None else best
    assert (outcome.value, outcome.bound) == (value, value)
    assert outcome.proof
    if best is not None:
        known = price(task.problem, outcome.routes)
        assert known.legal
        assert known.value(task.weights) == value
        assert {r.train for r in task.pinned} <= {r.train for r in outcome.routes}


@settings(max_examples=boards(150), deadline=None)
@given(st.integers(0, 10**7))
def test_all_runs_priced_give_the_same(seed: int) -> None:
    """Search alone, and both provers, prove the value of the best run there is."""
    task = _drawn(seed)
    if task is not None:
        best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
        for prover in (None, "search"):
            _check(task, solve_packing(task, prover), best)


@settings(max_examples=boards(60), deadline=None)
@given(st.integers(0, 10**7))
def test_every_stage_proves_the_same(seed: int) -> None:
    """So they do where the first stages, which close most small problems, are cut short."""
    task = _drawn(seed)
    if task is None:
        return
    best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
    rng = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solve, "FEW_PAIRS", -1)
        patch.setattr(solve, "NODES", rng.choice((0, 4)))
        patch.setattr(solve, "TOP", rng.choice((1, 3)))
        patch.setattr(search, "BLOCK", rng.choice((1, 256)))
        patch.setattr(solve.Builder, "build", lambda *_: None)
        for prover in (None, "search", "cp-sat"):
            _check(task, solve_packing(task, prover), best)
