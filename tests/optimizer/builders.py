"""Routing problems made by hand: any words together, also such as no game has.

Their referee is the plain pricing of the words, so they show whether the
formulations agree with it; whether the words say what the rules say is shown
on boards (``test_agreement.py``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, permutations, product
from typing import cast

from engine.board.board import PathRef
from engine.board.legs import Leg
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Position, RouteVerdict, Run, Verdict
from engine.routing.vocabulary import (
    AtMostOne,
    Attachment,
    Budget,
    ChainPart,
    Chains,
    Division,
    Echo,
    EndsSubsidy,
    GroupBonus,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    NetLeg,
    NetStop,
    OneOf,
    PaidOnce,
    Pay,
    Reach,
    Span,
    TrainClass,
    VisitBonus,
    Word,
)
from optimizer.network_map import NetworkMap
from optimizer.pricing import price
from optimizer.routes import routes_of
from optimizer.task import Weights, route_key

POSITION = cast(Position, None)
"""Nothing that is tested on problems made by hand looks at the position."""


def net_stop(number: int, point: tuple[int, int] = (0, 0), hex_id: str = "") -> NetStop:
    """Return a stop."""
    where = hex_id or f"H{number}"
    return NetStop(f"{where}-{number}", where, point, "city", f"Stop {number}")


def net_leg(
    stops: Sequence[NetStop],
    a: int,
    b: int,
    number: int,
    items: Sequence[str] = (),
    *,
    end_only: tuple[bool, bool] = (False, False),
    length: int = 1,
    marks: Sequence[str] = (),
) -> NetLeg:
    """Return a leg; what it shares with others is named in `items`."""
    paths = (PathRef(stops[a].hex, 10 + number), PathRef(stops[b].hex, 50 + number))
    return NetLeg(
        a=a,
        b=b,
        items=frozenset({f"leg {number}", *items}),
        end_only_a=end_only[0],
        end_only_b=end_only[1],
        length=length,
        hexes=frozenset({stops[a].hex, stops[b].hex}),
        marks=frozenset(marks),
        parts=(Leg(stops[a].id, stops[b].id, paths, frozenset(), *end_only),),
    )


def made_problem(
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    classes: Sequence[TrainClass],
    words: Sequence[Word] = (),
    attachments: Sequence[Attachment] = (),
    constant: int = 0,
) -> RoutingProblem:
    """Return a problem whose referee is the pricing of its words."""

    def judge(run: Run) -> Verdict:
        network = NetworkMap(problem)
        trains = {word.train for word in problem.words_of(Echo)}
        echoes = {route.train: route.stops for route in run.routes if route.train in trains}
        listed = [route for route in run.routes if route.train not in trains]
        routes = [route for part in listed if (route := network.find(part)) is not None]
        assert len(routes) == len(listed)
        known = price(replace(problem, words=_heard(problem, echoes)), routes)
        first = RouteVerdict(routes[0].train if routes else "", known.revenue, known.subsidy, ())
        return Verdict(known.faults, known.revenue, known.subsidy, (first,))

    problem = RoutingProblem(
        position=POSITION,
        stops=tuple(stops),
        legs=tuple(legs),
        classes=tuple(classes),
        words=tuple(words),
        judge=judge,
        attachments=tuple(attachments),
        constant=constant,
    )
    return problem


def _heard(problem: RoutingProblem, echoes: Mapping[str, tuple[str, ...]]) -> tuple[Word, ...]:
    """Return the words with echoing trains at the stops to which they run, others left out."""
    words: list[Word] = []
    for word in problem.words:
        if not isinstance(word, Echo):
            words.append(word)
        elif word.train in echoes:
            at = {s: v for s, v in word.value.items() if problem.stops[s].id in echoes[word.train]}
            words.append(replace(word, value=at))
    return tuple(words)


def divide(
    ends: Sequence[tuple[int, int]], classes: Sequence[int], chains: Chains
) -> frozenset[Division]:
    """Return all divisions of routes into chains, by the notes to the word."""
    found = set()
    for parts in _partitions(list(range(len(ends)))):
        for shapes in product(*(list(_shapes(part, ends)) for part in parts)):
            if _allowed(shapes, ends, classes, chains):
                found.add(frozenset(shapes))
    return frozenset(found)


def _partitions(items: list[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = [item for item in rest if item not in others]
            for parts in _partitions(left):
                yield [[first, *others], *parts]


def _shapes(part: Sequence[int], ends: Sequence[tuple[int, int]]) -> Iterator[ChainPart]:
    """Yield the chains that some routes form: a path, a circle, or three side by side."""
    pairs = {frozenset(ends[n]) for n in part}
    if len(part) == 3 and len(pairs) == 1:
        yield ChainPart(frozenset(part), (), next(iter(pairs)))
    seen = set()
    for order in permutations(part):
        for ways in product((0, 1), repeat=len(order)):
            walk = [
                ends[n] if not way else ends[n][::-1] for n, way in zip(order, ways, strict=True)
            ]
            if any(a[1] != b[0] for a, b in pairwise(walk)):
                continue
            visited = [walk[0][0], *(leg[1] for leg in walk)]
            if len(set(visited)) == len(visited):
                loose = tuple(sorted(((order[0], visited[0]), (order[-1], visited[-1]))))
                chain = ChainPart(frozenset(part), loose)
            elif visited[0] == visited[-1] and len(set(visited)) == len(visited) - 1 > 1:
                chain = ChainPart(frozenset(part), (), frozenset(visited))
            else:
                continue
            if chain not in seen:
                seen.add(chain)
                yield chain


def _allowed(
    shapes: Sequence[ChainPart],
    ends: Sequence[tuple[int, int]],
    classes: Sequence[int],
    chains: Chains,
) -> bool:
    loose = [stop for chain in shapes for _, stop in chain.loose]
    if len(set(loose)) < len(loose) or (not chains.closed and any(not c.loose for c in shapes)):
        return False
    if len(ends) == 3 and len({frozenset(pair) for pair in ends}) == 1 and len(shapes) > 1:
        return False
    if chains.single:
        return len(shapes) == 1
    bound = [c for c in shapes if any(classes[n] in chains.binding for n in c.routes)]
    if len(bound) > 1:
        return False
    others = any(cls not in chains.binding for cls in classes)
    return not bound or not others or any(classes[n] not in chains.binding for n in bound[0].routes)


def with_division(word: Chains) -> Chains:
    """Return the word with its rule of division."""
    return replace(word, divide=lambda ends, classes: divide(ends, classes, word))


# --- all runs ----------------------------------------------------------------


def all_runs(
    problem: RoutingProblem,
    pinned: Sequence[NetRoute] = (),
    banned: frozenset[object] = frozenset(),
) -> Iterator[tuple[NetRoute, ...]]:
    """Yield every run, legal or not, of the routes that classes may run."""
    held = {route.train: route for route in pinned}
    options: list[list[NetRoute | None]] = []
    for number, cls in enumerate(problem.classes):
        kinds = [number, *(a.turns[number] for a in problem.attachments if number in a.turns)]
        listed = [
            plain.run_by("", kind)
            for kind in dict.fromkeys(kinds)
            for plain in routes_of(problem, kind)
        ]
        for train in cls.trains:
            free = [replace(r, train=train) for r in listed if route_key(r) not in banned]
            options.append([held[train]] if train in held else [None, *free])
    for chosen in product(*options):
        yield tuple(route for route in chosen if route is not None)


def best_by_price(
    problem: RoutingProblem,
    weights: Weights,
    pinned: Sequence[NetRoute] = (),
    banned: frozenset[object] = frozenset(),
) -> int | None:
    """Return the largest weighted value of a run, or None if none may run."""
    values = [
        known.value(weights)
        for run in all_runs(problem, pinned, banned)
        if (known := price(problem, run)).legal
    ]
    return max(values, default=None)


def count_runs(problem: RoutingProblem) -> int:
    """Return how many runs :func:`all_runs` yields."""
    total = 1
    for number, cls in enumerate(problem.classes):
        kinds = {number, *(a.turns[number] for a in problem.attachments if number in a.turns)}
        total *= (1 + sum(sum(1 for _ in routes_of(problem, k)) for k in kinds)) ** len(cls.trains)
    return total


# --- random problems ---------------------------------------------------------


def random_problem(rng: random.Random) -> RoutingProblem:
    """Return a small random problem with random words, or with those of no game."""
    count = rng.randint(3, 6)
    stops = [
        net_stop(n, (rng.randint(0, 4), 2 * rng.randint(0, 3)), rng.choice(["", "", "X"]))
        for n in range(count)
    ]
    legs = _legs(rng, stops)
    free = rng.random() < 0.5
    classes = [_class(rng, n, stops, legs, free) for n in range(rng.randint(1, 3))]
    attachments = []
    if rng.random() < 0.3:
        before = rng.randrange(len(classes))
        classes.append(replace(_class(rng, len(classes), stops, legs, free), trains=()))
        attachments.append(Attachment("P", 1, {before: len(classes) - 1}))
    words = _words(rng, stops, legs, classes)
    return made_problem(stops, legs, classes, words, attachments)


def _legs(rng: random.Random, stops: Sequence[NetStop]) -> list[NetLeg]:
    legs = []
    for number in range(rng.randint(len(stops) - 1, len(stops) + 2)):
        a, b = rng.sample(range(len(stops)), 2)
        shared = [f"side {rng.randrange(6)}"] if rng.random() < 0.5 else []
        once = (rng.random() < 0.1, rng.random() < 0.1)
        marks = [rng.choice("pq")] if rng.random() < 0.3 else []
        legs.append(
            net_leg(
                stops, a, b, number, shared, end_only=once, length=rng.randint(1, 3), marks=marks
            )
        )
    return legs


def some(rng: random.Random, count: int, share: float) -> frozenset[int]:
    """Return some of the numbers below `count`."""
    return frozenset(n for n in range(count) if rng.random() < share)


def _class(
    rng: random.Random, number: int, stops: Sequence[NetStop], legs: Sequence[NetLeg], free: bool
) -> TrainClass:
    count = len(stops)
    visits = some(rng, count, 0.9)
    budgets = [Budget(rng.randint(2, 4), (1,) * count)]
    if rng.random() < 0.3:
        budgets.append(Budget(rng.randint(2, 5), (), tuple(leg.length for leg in legs)))
    groups = []
    if rng.random() < 0.4:
        unless = some(rng, count, 0.2) if rng.random() < 0.5 else frozenset()
        groups.append(AtMostOne(some(rng, count, 0.5), unless))
    reach = Reach(
        visits=visits,
        through=visits & some(rng, count, 0.8),
        ends=visits & some(rng, count, 0.9),
        own=some(rng, count, 0.6) or frozenset({0}),
        budgets=tuple(budgets),
        groups=tuple(groups),
        fewest=1 if rng.random() < 0.2 else 2,
        legs=some(rng, len(legs), 0.9) if rng.random() < 0.3 else None,
    )
    counting = some(rng, count, 0.6)
    pay = Pay(
        stops=tuple(10 * rng.randint(0, 6) for _ in stops),
        legs=tuple(rng.choice((0, 0, 30)) for _ in legs) if rng.random() < 0.3 else (),
        once=(some(rng, count, 0.5),) if rng.random() < 0.3 else (),
        span=Span(10, counting) if rng.random() < 0.4 else None,
    )
    trains = tuple(f"{number}-{n}" for n in range(rng.choice((1, 1, 2))))
    track = None if free else rng.choice(("a", "a", "b"))
    claims = {n: f"claim {n}" for n in some(rng, count, 0.3)} if rng.random() < 0.3 else {}
    return TrainClass(f"class {number}", trains, reach, pay, track, claims)


def _words(
    rng: random.Random,
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    classes: Sequence[TrainClass],
) -> list[Word]:
    count, kinds = len(stops), len(classes)
    words: list[Word] = []
    if rng.random() < 0.4:
        words.append(VisitBonus(some(rng, count, 0.4), _amounts(rng, kinds), rng.randint(1, 2)))
    if rng.random() < 0.4:
        value = tuple(10 * rng.randint(0, 6) for _ in stops)
        words.append(EndsSubsidy(rng.randint(1, 2), value, 2, some(rng, kinds, 0.8)))
    if rng.random() < 0.4:
        letters = {n: frozenset(rng.sample("NSEW", rng.randint(1, 2))) for n in range(count)}
        pairs = (("N", "S", 20), ("E", "W", 30))
        words.append(GroupBonus(letters, pairs, some(rng, count, 0.7), rng.random() < 0.6))
    if rng.random() < 0.3:
        words.append(OneOf(frozenset("pq")))
    if rng.random() < 0.3:
        words.append(MustVisit(some(rng, count, 0.5)))
    if rng.random() < 0.4:
        words.append(MustMeet(some(rng, count, 0.8)))
    if rng.random() < 0.3:
        words.append(HexSubsidy(some(rng, kinds, 0.7), 10))
    if rng.random() < 0.5:
        words.extend(_once(rng, stops, legs, classes))
    if rng.random() < 0.3:
        words.append(MustRun(some(rng, kinds, 0.7)))
    return words


def _amounts(rng: random.Random, kinds: int) -> dict[int, int]:
    return {n: 10 * rng.randint(1, 5) for n in range(kinds) if rng.random() < 0.8}


def _once(
    rng: random.Random,
    stops: Sequence[NetStop],
    legs: Sequence[NetLeg],
    classes: Sequence[TrainClass],
) -> Iterator[Word]:
    names = [
        rng.choice([f"n{n}", "shared"]) if rng.random() < 0.9 else None for n in range(len(stops))
    ]
    amount = {name: 10 * rng.randint(1, 6) for name in names if name is not None}
    able = [n for n, cls in enumerate(classes) if cls.reach.fewest > 1]
    chained = frozenset(n for n in able if rng.random() < 0.5)
    choose = {}
    for number in range(len(classes)):
        if number not in chained and rng.random() < 0.8:
            always = some(rng, len(stops), 0.2)
            choice = some(rng, len(stops), 0.8) - always
            choose[number] = (always, rng.randint(1, 3), choice)
    yield PaidOnce(tuple(names), amount, choose)
    if chained:
        size = rng.randint(1, 3)
        bonus = [[10 * rng.randint(0, 4) for _ in range(size)] for _ in range(size)]
        place = {
            (stop, n): rng.randrange(size) for n, leg in enumerate(legs) for stop in (leg.a, leg.b)
        }
        word = Chains(
            classes=chained,
            binding=frozenset(n for n in chained if rng.random() < 0.4),
            single=rng.random() < 0.2,
            place=place,
            bonus=tuple(
                tuple(bonus[min(a, b)][max(a, b)] for b in range(size)) for a in range(size)
            ),
            divide=lambda ends, classes: frozenset(),
            closed=rng.random() < 0.7,
            closed_bonus={stop: 10 * rng.randint(0, 6) for stop in some(rng, len(stops), 0.4)},
        )
        yield with_division(word)
