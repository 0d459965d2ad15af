"""Small random problems of payments that count once, with everything the engine knows."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    AtMostOne,
    Budget,
    Chains,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    NetLeg,
    NetStop,
    PaidOnce,
    Pay,
    Reach,
    TrainClass,
    Word,
)
from optimizer.routes import routes_of
from optimizer.task import Task, Weights, route_key
from tests.optimizer.builders import made_problem, net_leg, net_stop, some, with_division

Some = frozenset[int]


def coverage_problem(rng: random.Random, most_trains: int = 4) -> RoutingProblem:
    """Return a problem with one to `most_trains` trains that may run some hundred runs."""
    count = rng.randint(3, 7)
    stops = [net_stop(n, hex_id=rng.choice(["", "", "X", "Y"])) for n in range(count)]
    legs = _legs(rng, stops)
    classes: list[TrainClass] = []
    left = rng.randint(1, most_trains)
    while left:
        trains = min(left, rng.choice((1, 1, 2)))
        left -= trains
        classes.append(_class(rng, len(classes), trains, stops, legs))
    return made_problem(stops, legs, classes, _words(rng, stops, legs, classes))


def _legs(rng: random.Random, stops: Sequence[NetStop]) -> list[NetLeg]:
    legs = []
    for number in range(rng.randint(len(stops) - 1, len(stops) + 2)):
        a, b = rng.sample(range(len(stops)), 2)
        shared = [f"side {rng.randrange(6)}"] if rng.random() < 0.15 else []
        ends = (rng.random() < 0.05, rng.random() < 0.05)
        length = rng.randint(1, 3)
        legs.append(net_leg(stops, a, b, number, shared, end_only=ends, length=length))
    return legs


def _class(
    rng: random.Random, number: int, trains: int, stops: Sequence[NetStop], legs: Sequence[NetLeg]
) -> TrainClass:
    count = len(stops)
    visits = some(rng, count, 0.95)
    budgets = [Budget(rng.randint(2, 4), (1,) * count)]
    if rng.random() < 0.3:
        budgets = [Budget(rng.randint(2, 6), (), tuple(leg.length for leg in legs))]
    if rng.random() < 0.2:
        budgets.append(Budget(rng.randint(2, 6), (), tuple(leg.length for leg in legs)))
    groups = []
    if rng.random() < 0.4:
        unless = some(rng, count, 0.2) if rng.random() < 0.5 else frozenset[int]()
        groups.append(AtMostOne(some(rng, count, 0.5), unless))
    reach = Reach(
        visits=visits,
        through=visits & some(rng, count, 0.85),
        ends=visits & some(rng, count, 0.8),
        own=some(rng, count, 0.5) or frozenset({0}),
        budgets=tuple(budgets),
        groups=tuple(groups),
        fewest=rng.choice((1, 2, 2, 2, 2, 3)),
        legs=some(rng, len(legs), 0.9) if rng.random() < 0.2 else None,
    )
    ids = tuple(f"{number}-{n}" for n in range(trains))
    return TrainClass(f"class {number}", ids, reach, Pay((0,) * count), None)


def _words(
    rng: random.Random,
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    classes: Sequence[TrainClass],
) -> list[Word]:
    count, kinds = len(stops), len(classes)
    names = [
        rng.choice([f"n{n}"] * 3 + ["shared"]) if rng.random() < 0.9 else None for n in range(count)
    ]
    amount = {name: 10 * rng.randint(0, 6) for name in names if name is not None}
    able = [n for n, cls in enumerate(classes) if cls.reach.fewest > 1]
    chained = frozenset(n for n in able if rng.random() < 0.5)
    choose = {}
    for number in set(range(kinds)) - chained:
        always = some(rng, count, 0.2)
        choose[number] = (always, rng.randint(1, 3), some(rng, count, 0.8) - always)
    words: list[Word] = [PaidOnce(tuple(names), amount, choose)]
    if chained:
        words.append(_chains(rng, chained, legs, count))
    if rng.random() < 0.6:
        words.append(MustVisit(some(rng, count, 0.3) or frozenset({0})))
    if rng.random() < 0.7:
        words.append(MustMeet(some(rng, count, 0.85)))
    if rng.random() < 0.4:
        words.append(HexSubsidy(some(rng, kinds, 0.7) - chained, 10))
    if rng.random() < 0.3:
        words.append(MustRun(some(rng, kinds, 0.8)))
    return words


def _chains(rng: random.Random, chained: Some, legs: Sequence[NetLeg], stops: int) -> Chains:
    size = rng.randint(1, 4)
    bonus = [[10 * rng.randint(0, 5) for _ in range(size)] for _ in range(size)]
    ends = {(stop, n) for n, leg in enumerate(legs) for stop in (leg.a, leg.b)}
    word = Chains(
        classes=chained,
        binding=frozenset(n for n in sorted(chained) if rng.random() < 0.4),
        single=rng.random() < 0.25,
        place={end: rng.randrange(size) for end in sorted(ends)},
        bonus=tuple(tuple(bonus[min(a, b)][max(a, b)] for b in range(size)) for a in range(size)),
        divide=lambda ends, classes: frozenset(),
        closed=rng.random() < 0.7,
        closed_bonus={stop: 10 * rng.randint(0, 6) for stop in some(rng, stops, 0.4)},
    )
    return with_division(word)


def random_task(problem: RoutingProblem, rng: random.Random) -> Task:
    """Return a task with a random objective, often with pinned and banned routes."""
    listed: dict[int, list[NetRoute]] = {}
    for number, cls in enumerate(problem.classes):
        listed[number] = [
            route.run_by(train, number)
            for route in routes_of(problem, number)
            for train in cls.trains
        ]
    every = [route for routes in listed.values() for route in routes]
    pinned: tuple[NetRoute, ...] = ()
    if every and rng.random() < 0.4:
        pinned = (rng.choice(every),)
    share = rng.choice((0, 0, 0.3))
    banned = frozenset(route_key(route) for route in every if rng.random() < share)
    weights = rng.choice((Weights(1000, 1), Weights(1, 1000), Weights(11, 10), Weights(1, 0)))
    return Task(problem, weights, pinned=pinned, banned=banned)
