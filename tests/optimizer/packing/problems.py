"""Problems for the tests of the packing engine: on random boards, and made up."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import (
    AtMostOne,
    Attachment,
    Budget,
    EndsSubsidy,
    GroupBonus,
    NetLeg,
    NetStop,
    OneOf,
    Pay,
    Reach,
    Span,
    TrainClass,
    VisitBonus,
    Word,
)
from optimizer.packing.scope import without_limit
from optimizer.pricing import price
from optimizer.routes import routes_of
from optimizer.task import Task, Weights, route_key
from tests.boards import g18gb, g1822
from tests.optimizer.builders import made_problem, net_leg, net_stop, some

GAMES = {"1822": g1822, "18GB": g18gb}


def small_problem(title: str, seed: int, *, hexes: int = 14, trains: int = 3) -> RoutingProblem:
    """Return the problem of a small random position."""
    board, company = GAMES[title].random_position(random.Random(seed), hexes=hexes, trains=trains)
    return _stated(board, company)


def large_problem(title: str, seed: int) -> RoutingProblem:
    """Return the problem of a random end-game position."""
    return _stated(*GAMES[title].large_position(random.Random(seed)))


def _stated(board: object, company: object) -> RoutingProblem:
    rules = make_rules(load_game(board.title))  # type: ignore[attr-defined]
    return rules.problem(load_position(rules, board, company))  # type: ignore[arg-type]


# --- made-up problems ----------------------------------------------------------


def packing_problem(rng: random.Random, unlimited: float = 0.15) -> RoutingProblem:
    """Return a small problem with all that the engine knows, up to two kinds of carriages.

    `unlimited` is the share of classes without a limit, of up to three trains.
    """
    count = rng.randint(3, 7)
    stops = [net_stop(n, (rng.randint(0, 4), 2 * rng.randint(0, 3))) for n in range(count)]
    legs = _legs(rng, stops)
    classes = [_class(rng, n, stops, legs, unlimited) for n in range(rng.randint(1, 3))]
    attachments = []
    for name in "PQ"[: rng.choice((0, 1, 1, 2))]:
        turns = {}
        for before in sorted(some(rng, len(classes), 0.7)):
            if classes[before].trains:
                turns[before] = len(classes)
                classes.append(_turned(rng, classes[before], len(classes), stops, legs, unlimited))
        if turns:
            attachments.append(Attachment(name, rng.randint(1, 2), turns))
    words = _words(rng, stops, len(classes))
    if any(without_limit(cls) for cls in classes):
        words = [word for word in words if not isinstance(word, GroupBonus)]
    return made_problem(stops, legs, classes, words, attachments)


def _legs(rng: random.Random, stops: Sequence[NetStop]) -> list[NetLeg]:
    legs = []
    for number in range(rng.randint(len(stops) - 1, len(stops) + 2)):
        a, b = rng.sample(range(len(stops)), 2)
        shared = [f"side {rng.randrange(6)}"] if rng.random() < 0.5 else []
        once = (rng.random() < 0.1, rng.random() < 0.1)
        marks = [rng.choice("pq")] if rng.random() < 0.3 else []
        length = rng.randint(1, 3)
        leg = net_leg(stops, a, b, number, shared, end_only=once, length=length, marks=marks)
        legs.append(leg)
    return legs


def _class(
    rng: random.Random,
    number: int,
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    share: float,
) -> TrainClass:
    count = len(stops)
    visits = some(rng, count, 0.9)
    unlimited = rng.random() < share
    budgets = [] if unlimited else [Budget(rng.randint(2, 4), (1,) * count)]
    if unlimited and rng.random() < 0.2:
        budgets.append(Budget(rng.randint(0, 2), (), tuple(rng.choice((0, 0, 1)) for _ in legs)))
    elif budgets and rng.random() < 0.3:
        budgets.append(Budget(rng.randint(2, 5), (), tuple(leg.length for leg in legs)))
    groups = []
    if rng.random() < 0.4:
        unless = some(rng, count, 0.2) if rng.random() < 0.5 else frozenset[int]()
        groups.append(AtMostOne(some(rng, count, 0.5), unless))
    reach = Reach(
        visits=visits,
        through=visits & some(rng, count, 0.8),
        ends=visits if rng.random() < 0.3 else visits & some(rng, count, 0.9),
        own=some(rng, count, 0.6) or frozenset({0}),
        budgets=tuple(budgets),
        groups=tuple(groups),
        fewest=1 if rng.random() < 0.2 and not unlimited else 2,
    )
    pay = Pay(
        stops=tuple(10 * rng.choice((0, 1, 2, 2, 4, 5)) for _ in stops),
        legs=tuple(rng.choice((0, 0, 30)) for _ in legs) if rng.random() < 0.15 else (),
        once=(some(rng, count, 0.5),) if rng.random() < 0.2 else (),
        span=Span(10, some(rng, count, 0.6)) if rng.random() < 0.2 and not unlimited else None,
    )
    ids = tuple(
        f"{number}-{n}" for n in range(rng.choice((1, 1, 2, 3) if unlimited else (1, 1, 2)))
    )
    track = rng.choice("aaab")
    claims = {n: f"claim {n}" for n in range(count)} if reach.fewest == 1 else {}
    return TrainClass(f"class {number}", ids, reach, pay, track, claims)


def _turned(
    rng: random.Random,
    before: TrainClass,
    number: int,
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    share: float,
) -> TrainClass:
    """Return what a carriage makes of a class: mostly the same with larger or cheaper budgets."""
    if not before.reach.budgets or rng.random() < 0.3:
        return replace(_class(rng, number, stops, legs, share), trains=())
    if without_limit(before):
        return replace(before, name=f"{before.name}+", trains=())
    budgets = tuple(
        replace(budget, limit=budget.limit + 1)
        if rng.random() < 0.5
        else replace(budget, stops=tuple(c * (rng.random() < 0.6) for c in budget.stops))
        for budget in before.reach.budgets
    )
    reach = replace(before.reach, budgets=budgets)
    return replace(before, name=f"{before.name}+", trains=(), reach=reach)


def _words(rng: random.Random, stops: Sequence[NetStop], kinds: int) -> list[Word]:
    count = len(stops)
    words: list[Word] = []
    for share in (0.4, 0.2):
        if rng.random() < share:
            amount = {n: 10 * rng.randint(1, 5) for n in range(kinds) if rng.random() < 0.8}
            words.append(VisitBonus(some(rng, count, 0.4), amount, rng.randint(1, 2)))
    if rng.random() < 0.4:
        value = tuple(10 * rng.randint(0, 6) for _ in stops)
        words.append(EndsSubsidy(rng.randint(1, 2), value, 2, some(rng, kinds, 0.8)))
    if rng.random() < 0.4:
        letters = {n: frozenset(rng.sample("NSEW", rng.randint(1, 2))) for n in range(count)}
        kept = {n: letters[n] for n in sorted(some(rng, count, 0.6))}
        pairs = (("N", "S", 20), ("E", "W", 30))
        words.append(GroupBonus(kept, pairs, some(rng, count, 0.5), rng.random() < 0.6))
    if rng.random() < 0.3:
        words.append(OneOf(frozenset("pq")))
    return words


def packing_task(problem: RoutingProblem, rng: random.Random) -> Task:
    """Return a task with a random objective, often with pinned and banned routes.

    All routes of a shape are banned together, and with them all that a train
    could prolong to no avail: the engine leaves such routes out.
    """
    able = {n: list(cls.trains) for n, cls in enumerate(problem.classes)}
    for attachment in problem.attachments:
        for before, after in attachment.turns.items():
            able[after] += problem.classes[before].trains
    every = [
        route.run_by(train, cls)
        for cls, trains in able.items()
        for train in trains
        for route in routes_of(problem, cls)
    ]
    pinned: tuple[NetRoute, ...] = ()
    for route in rng.sample(every, min(len(every), rng.choice((0, 0, 1, 2)))):
        if price(problem, (*pinned, route)).legal:
            pinned = (*pinned, route)
    paying = [r for r in every if min(problem.classes[r.cls].pay.stops) > 0]
    share = rng.choice((0, 0, 0.3))
    banned = frozenset(route_key(route) for route in paying if rng.random() < share)
    weights = rng.choice((Weights(1000, 1), Weights(1, 1000), Weights(11, 10), Weights(1, 0)))
    return Task(problem, weights, pinned=pinned, banned=banned)
