"""Bounds hold for any prices, and routes that are dropped belong to no better run."""

from __future__ import annotations

import random

import numpy as np
import pytest

from optimizer.packing.couple import Coupling
from optimizer.packing.pools import PoolMaker
from optimizer.packing.prices import Prices, bound_at, track_cost
from optimizer.packing.solve import solve_packing
from optimizer.stop import Stop
from optimizer.task import Task, Weights
from tests.optimizer.packing.problems import small_problem


def _grainy(rng: random.Random, most: int) -> float:
    return rng.randrange(0, most * 64) / 64


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(15))
def test_bound_at_random_prices_is_a_bound(title: str, seed: int) -> None:
    """No run is worth more than the bound at prices drawn at random."""
    problem = small_problem(title, seed)
    task = Task(problem, Weights(1000, 1))
    best = solve_packing(task)
    assert best.proven
    if problem.attachments:
        return
    coupling = Coupling(problem, task.weights)
    maker = PoolMaker(task, coupling, range(len(problem.classes)))
    none = np.zeros(maker.words, dtype=np.uint64)
    pools = [
        maker.pool(n, len(cls.trains), none, 0, False) for n, cls in enumerate(problem.classes)
    ]
    rng = random.Random(seed)
    for _ in range(20):
        prices = Prices(
            np.array([_grainy(rng, 40_000) for _ in range(64 * maker.words)]),
            np.array([_grainy(rng, 60_000) for _ in coupling.counts]),
            [_split(rng, amount) for _, _, amount in coupling.groups.pairs]
            if coupling.groups
            else [],
        )
        assert bound_at(prices, pools, coupling).value >= best.value


def _split(rng: random.Random, amount: int) -> tuple[float, float]:
    first = rng.randrange(0, amount * 64 + 1) / 64
    return first, amount - first


def test_track_cost_adds_the_prices_of_the_bits() -> None:
    """The table look-up gives the plain sum over the bits of each route."""
    rng = random.Random(5)
    track = np.array([[rng.getrandbits(64) for _ in range(50)] for _ in range(2)], dtype=np.uint64)
    prices = np.array([_grainy(rng, 1000) for _ in range(128)])
    plain = [
        sum(prices[64 * w + b] for w in range(2) for b in range(64) if int(track[w, n]) >> b & 1)
        for n in range(50)
    ]
    assert track_cost(track, prices).tolist() == plain


@pytest.mark.parametrize("title", ["1822", "18GB"])
def test_bounds_hold_whenever_the_time_ends(title: str) -> None:
    """However little time there is, the value is reached and the bound is not exceeded."""
    problem = small_problem(title, 3, hexes=24)
    exact = solve_packing(Task(problem, Weights(1000, 1)))
    for seconds in (0.0, 0.0005, 0.001, 0.002, 0.005):
        outcome = solve_packing(Task(problem, Weights(1000, 1), stop=Stop(seconds)))
        assert outcome.value <= exact.value <= outcome.bound
