"""The whole call with the words of other titles: checked runs, fewest trains, next best, wishes."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from engine.routing.problem import RoutingProblem
from engine.routing.run import Position, Route
from engine.routing.vocabulary import Budget, Echo, Pay, Reach, TrainClass
from optimizer import Objective, solve
from optimizer.errors import WishesError, WordsError
from optimizer.objective import weights_for
from optimizer.solution import Status, Wishes
from tests.optimizer.builders import best_by_price, count_runs, made_problem, net_leg, net_stop
from tests.optimizer.worded import KINDS, worded_problem

MOST_RUNS = 1000


@pytest.mark.parametrize("seed", range(60))
def test_solutions_are_worth_the_best_price(seed: int) -> None:
    """The answer is proven, confirmed, and worth the best of all runs under every objective."""
    rng = random.Random(seed)
    problem = worded_problem(rng, tuple(rng.sample(KINDS, rng.randint(1, 4))))
    if count_runs(problem) > MOST_RUNS:
        return
    for objective in Objective:
        try:
            found = solve(problem, objective=objective, runs=2)
        except WordsError:
            return
        weights = weights_for(problem, objective)
        assert found.status is Status.OPTIMAL
        assert weights.value(found.revenue, found.subsidy) == best_by_price(problem, weights)
        for other in found.others:
            assert weights.value(other.revenue, other.subsidy) <= weights.value(
                found.revenue, found.subsidy
            )


STOPS = [net_stop(n) for n in range(4)]
LEGS = [net_leg(STOPS, n, n + 1, n) for n in range(3)]
ALL = frozenset(range(4))


def _echoing() -> RoutingProblem:
    """Return a line of four stops with a train of two stops and one that echoes."""
    reach = Reach(ALL, ALL, ALL, ALL, (Budget(2, (1,) * 4),))
    cls = TrainClass("2", ("2-0",), reach, Pay((10, 40, 20, 30)), "track")
    problem = made_problem(STOPS, LEGS, [cls], [Echo("P", {0: 10, 2: 60, 3: 30})])
    company = SimpleNamespace(trains=[SimpleNamespace(id="2-0"), SimpleNamespace(id="P")])
    board = SimpleNamespace(faces={}, stops={stop.id: stop for stop in STOPS})
    position = cast(Position, SimpleNamespace(company=company, board=board))
    return replace(problem, position=position)


def test_an_echoing_train_is_written_into_the_run() -> None:
    """It runs to the visited stop that pays it most."""
    found = solve(_echoing())
    assert found.revenue == 40 + 20 + 60
    assert found.run.routes[-1] == Route("P", (STOPS[2].id,))


def test_an_echoing_train_may_stand_idle() -> None:
    """Then the other train runs where it pays most by itself."""
    found = solve(_echoing(), wishes=Wishes(idle=frozenset({"P"})))
    assert [route.train for route in found.run.routes] == ["2-0"]
    assert found.revenue == 60
    assert found.free is not None
    assert found.free.revenue == 120


def test_an_echoing_train_may_be_pinned() -> None:
    """The other train has to visit its stop; to pin it elsewhere than to one stop is refused."""
    found = solve(_echoing(), wishes=Wishes(pinned=(Route("P", (STOPS[3].id,)),)))
    assert found.run.routes[-1] == Route("P", (STOPS[3].id,))
    assert found.revenue == 20 + 30 + 30
    with pytest.raises(WishesError) as refused:
        solve(_echoing(), wishes=Wishes(pinned=(Route("P", (STOPS[3].id, STOPS[2].id)),)))
    assert refused.value.faults[0].code == "ROUTE_NOT_IN_NETWORK"
