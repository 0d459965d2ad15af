"""The plain list of routes holds every route that the words allow, once, and no other."""

from __future__ import annotations

import random
from itertools import pairwise, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Route, Run
from optimizer.exhaustive import board_routes
from optimizer.network_map import NetworkMap
from optimizer.one_route import route_faults
from optimizer.routes import PlainRoute, routes_of
from optimizer.task import route_key
from tests.optimizer.builders import random_problem
from tests.optimizer.positions import TITLES, board_problem, large_problem


def _every_route(problem: RoutingProblem, cls: int) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every sequence of stops with every choice of legs that has no fault, one way round."""
    between: dict[frozenset[int], list[int]] = {}
    for number, leg in enumerate(problem.legs):
        between.setdefault(frozenset((leg.a, leg.b)), []).append(number)
    found = set()
    for size in range(1, len(problem.stops) + 1):
        for stops in permutations(range(len(problem.stops)), size):
            if stops[0] > stops[-1]:
                continue
            pairs = [frozenset(pair) for pair in pairwise(stops)]
            for legs in product(*(between.get(pair, []) for pair in pairs)):
                route = NetRoute("", cls, stops, legs)
                if not any(route_faults(problem, route, "")):
                    found.add((stops, legs))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_the_list_is_what_has_no_fault(seed: int) -> None:
    """Searching from every end finds what trying every sequence of stops finds, each once."""
    problem = random_problem(random.Random(seed))
    for cls in range(len(problem.classes)):
        listed = [(route.stops, route.legs) for route in routes_of(problem, cls)]
        assert len(listed) == len(set(listed))
        assert set(listed) == _every_route(problem, cls)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("seed", range(15))
def test_the_referee_allows_the_same_routes(title: str, seed: int) -> None:
    """Routes of the network are those that the referee has nothing against, but for such as
    the statement may leave out: a track beside that serves no better, and an E that runs on
    beyond its last own city (1822 D6)."""
    problem = board_problem(title, seed, hexes=6, trains=2)
    network = NetworkMap(problem)
    paid = () if title == "1862" else None
    for number, cls in enumerate(problem.classes):
        for train in cls.trains[:1]:
            listed = {route_key(r.run_by("", number)) for r in routes_of(problem, number)}
            legal = set()
            for stops, legs in board_routes(problem.position.board):
                route = Route(train, stops, legs, paid)
                faults = problem.judge(Run((route,))).faults
                if any(fault.path.startswith("routes[0]") for fault in faults):
                    continue
                found = network.find(route)
                if found is not None and not any(route_faults(problem, found, "")):
                    legal.add(route_key(found))
                else:
                    assert title == "1822"
                    assert cls.name == "E" or "Q44" in "".join(stops)
            assert legal == listed


def test_a_search_that_is_told_to_end_ends() -> None:
    """After `over` has said True nothing more is listed."""
    problem = large_problem("18GB", 0)
    asked = []

    def over() -> bool:
        asked.append(True)
        return len(asked) == 2

    assert len(list(routes_of(problem, 0, over))) < len(list(routes_of(problem, 0)))
    assert len(asked) == 2


def test_a_plain_route_knows_the_leg_at_each_end() -> None:
    """`by` names the first leg at the first stop and the last at the last."""
    route = PlainRoute((4, 2, 7), (11, 5))
    assert (route.by(4), route.by(7)) == (11, 5)
    assert route.ends() == (4, 7)
