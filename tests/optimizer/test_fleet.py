"""Trains and carriages are given to routes, in one fixed way."""

from __future__ import annotations

import random
from itertools import permutations

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Attachment, Budget, Pay, Reach, TrainClass
from optimizer.fleet import staff
from optimizer.pricing import price
from tests.optimizer.builders import made_problem, net_leg, net_stop


def _problem(carriages: int) -> RoutingProblem:
    """Two short trains that a carriage makes long, and a long one, on four stops in a line."""
    stops = [net_stop(n) for n in range(4)]
    legs = [net_leg(stops, n, n + 1, n) for n in range(3)]
    everywhere = frozenset(range(4))

    def cls(name: str, limit: int, trains: tuple[str, ...]) -> TrainClass:
        budget = Budget(limit, (1,) * 4)
        reach = Reach(everywhere, everywhere, everywhere, everywhere, (budget,))
        return TrainClass(name, trains, reach, Pay((10, 10, 10, 10)), "all")

    classes = [cls("2", 2, ("2-0", "2-1")), cls("3", 3, ("3-0",))]
    return made_problem(stops, legs, classes, (), [Attachment("P+", carriages, {0: 1})])


SHORT = NetRoute("", 0, (1, 0), (0,))
LONG = NetRoute("", 1, (1, 2, 3), (1, 2))


def test_routes_go_to_trains_of_their_class_and_then_to_carriages() -> None:
    """One long route takes the long train; the second needs a carriage."""
    problem = _problem(1)
    run = staff(problem, [LONG, SHORT])
    assert run is not None
    assert [(route.train, route.cls) for route in run] == [("2-0", 0), ("3-0", 1)]
    run = staff(problem, [LONG, LONG])
    assert run is not None
    assert [(route.train, route.cls) for route in run] == [("2-0", 1), ("3-0", 1)]


def test_there_are_not_more_carriages_than_there_are() -> None:
    """Three long routes need two carriages."""
    assert staff(_problem(1), [LONG, LONG, LONG]) is None
    assert staff(_problem(2), [LONG, LONG, LONG]) is not None
    three = [NetRoute(train, 1, LONG.stops, LONG.legs) for train in ("2-0", "2-1", "3-0")]
    faults = price(_problem(1), three).faults
    assert "ATTACHMENTS_TOO_MANY" in {fault.code for fault in faults}


def test_pinned_trains_keep_their_routes_and_carriages() -> None:
    """The carriage of a pinned train is not there for others."""
    problem = _problem(1)
    pinned = NetRoute("2-1", 1, LONG.stops, LONG.legs)
    run = staff(problem, [SHORT], [pinned])
    assert run is not None
    assert [route.train for route in run] == ["2-0", "2-1"]
    assert staff(problem, [LONG, LONG], [pinned]) is None


def test_the_way_of_writing_does_not_depend_on_the_way_of_finding() -> None:
    """Any order and direction of the routes gives the same run."""
    problem = _problem(1)
    other = NetRoute("", 0, (3, 2), (2,))
    runs = set()
    for listed in permutations([SHORT, other, LONG]):
        rng = random.Random(len(runs))
        turned = [
            NetRoute(r.train, r.cls, r.stops[::-1], r.legs[::-1]) if rng.random() < 0.5 else r
            for r in listed
        ]
        runs.add(staff(problem, turned))
    assert len(runs) == 1
    (run,) = runs
    assert run is not None
    assert [(route.train, route.stops) for route in run] == [
        ("2-0", (0, 1)),
        ("2-1", (2, 3)),
        ("3-0", (1, 2, 3)),
    ]
