"""The array enumerator lists exactly the routes that a plain search finds."""

from __future__ import annotations

import numpy as np
import pytest

from engine.routing.problem import RoutingProblem
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.pools import PoolMaker
from optimizer.route_pay import own_pay
from optimizer.routes import routes_of
from optimizer.task import Task, Weights, route_key
from tests.optimizer.packing.problems import small_problem


def _pools(title: str, seed: int, *, alone: bool) -> tuple[RoutingProblem, list[tuple[int, Pool]]]:
    problem = small_problem(title, seed, hexes=16, trains=2)
    task = Task(problem, Weights(1000, 1))
    coupling = Coupling(problem, task.weights)
    limited = [n for n, cls in enumerate(problem.classes) if cls.reach.budgets]
    maker = PoolMaker(task, coupling, range(len(problem.classes)))
    none = np.zeros(maker.words, dtype=np.uint64)
    return problem, [(n, maker.pool(n, 1, none, 0, alone)) for n in limited]


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(12))
def test_routes_are_those_of_a_plain_search(title: str, seed: int) -> None:
    """Every route of every limited class arises once, and no other."""
    problem, pools = _pools(title, seed, alone=False)
    for number, pool in pools:
        listed = [route_key(pool.source.rebuild(int(n), "", number)) for n in pool.index.tolist()]
        plain = {route_key(route.run_by("", number)) for route in routes_of(problem, number)}
        assert len(set(listed)) == len(listed)
        assert set(listed) == plain


@pytest.mark.parametrize("title", ["1822", "18GB"])
@pytest.mark.parametrize("seed", range(12))
def test_values_and_ends_are_those_of_the_route(title: str, seed: int) -> None:
    """The value grown along with a route is what its stops, legs and span pay."""
    problem, pools = _pools(title, seed, alone=False)
    for number, pool in pools:
        for place in range(len(pool)):
            route = pool.source.rebuild(int(pool.index[place]), "", number)
            assert pool.base[place] == 1000 * own_pay(problem, route).revenue


@pytest.mark.parametrize("seed", range(12))
def test_bare_tails_lose_nothing_for_a_lone_train(seed: int) -> None:
    """Without routes that end in a stop that brings nothing the best value is the same."""
    _, with_tails = _pools("18GB", seed, alone=False)
    _, without = _pools("18GB", seed, alone=True)
    for (_, long), (_, short) in zip(with_tails, without, strict=True):
        assert len(short) <= len(long)
        assert max(long.best_case(), default=0) == max(short.best_case(), default=0)
