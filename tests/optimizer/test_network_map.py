"""Routes of the board are recognised as routes of the network."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest

from engine.board.legs import find_legs
from engine.routing.run import Route
from optimizer.network_map import NetworkMap
from optimizer.routes import routes_of
from optimizer.task import route_key
from tests.optimizer.positions import TITLES, board_problem, large_problem


def _turned(route: Route) -> Route:
    legs = tuple(leg[::-1] for leg in reversed(route.legs))
    return replace(route, stops=route.stops[::-1], legs=legs)


@pytest.mark.parametrize("title", TITLES)
def test_every_route_of_the_network_is_recognised_both_ways_round(title: str) -> None:
    """To the board and back gives the same route, its class and carriage included."""
    count = 0
    problems = [board_problem(title, seed, hexes=8) for seed in range(10)]
    for problem in [*problems, large_problem(title, 0)]:
        network = NetworkMap(problem)
        for number, cls in enumerate(problem.classes):
            befores = [b for a in problem.attachments for b, c in a.turns.items() if c == number]
            trains = [*cls.trains, *(t for b in befores for t in problem.classes[b].trains)]
            for plain in islice(routes_of(problem, number), 200):
                route = plain.run_by(trains[0], number)
                for way in (problem.to_route(route), _turned(problem.to_route(route))):
                    found = network.find(way)
                    assert found is not None
                    assert (found.train, found.cls) == (route.train, number)
                    assert route_key(found) == route_key(route)
                    count += 1
    assert count > 200


def test_what_is_not_of_the_network_is_not_found() -> None:
    """Another's train, a leg that leads elsewhere and a choice that names no stop are nothing."""
    problem = board_problem("1862", 6, hexes=8)
    network = NetworkMap(problem)
    train = problem.classes[0].trains[0]
    plain = next(plain for plain in routes_of(problem, 0) if len(plain.stops) > 2)
    route = problem.to_route(plain.run_by(train, 0))
    assert network.find(route) is not None
    assert network.find(replace(route, train="nobody's")) is None
    assert network.find(replace(route, attachment="P+")) is None
    assert network.find(replace(route, stops=route.stops[::-1])) is None
    assert network.find(replace(route, legs=route.legs[:-1])) is None
    assert network.find(replace(route, paid=("nowhere",))) is None


def test_a_track_beside_is_replaced_by_the_one_that_the_network_lists() -> None:
    """1822 §11.5: two lanes lead from the Channel to France; the statement lists one for each
    way in, and a route over the other lane is that route."""
    for seed in range(40):
        problem = large_problem("1822", seed)
        folded = next((leg for leg in problem.legs if len(leg.parts) > 1), None)
        if folded is None:
            continue
        to_channel, last = folded.parts
        lanes = [
            leg.paths if leg.a == last.a else leg.paths[::-1]
            for leg in find_legs(problem.position.board)
            if {leg.a, leg.b} == {last.a, last.b}
        ]
        if len(lanes) > 1:
            break
    else:
        pytest.fail("no board with two lanes to France")
    train = next(train for cls in problem.classes for train in cls.trains)
    stops = (to_channel.a, to_channel.b, last.b)
    found = {
        NetworkMap(problem).find(Route(train, stops, (to_channel.paths, lane))) for lane in lanes
    }
    assert len(found) == 1
    assert None not in found
