"""The statement of the problem of 18GB says what the referee says, in other words.

Every route of small random boards is written as stops and legs of the problem
and checked and priced by its words; the referee judges the same route on the
paths of the board.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import pytest

from engine.board.board import PathRef
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Position, Route, Run
from engine.routing.vocabulary import GroupBonus, TrainClass
from tests.boards import g18gb_examples as boards
from tests.boards.g18gb import large_position, random_position
from tests.engine.games.g18gb.naive import (
    Walk,
    all_routes,
    as_route,
    most_cities,
    partitions,
    random_walks,
    runs,
)

PROFILES = ("18xx.games", "rulebook", "18xx.games-2024-02-18")


@dataclass(frozen=True)
class Case:
    """A position with its problem and all walks of its board that might be routes."""

    position: Position
    problem: RoutingProblem
    walks: tuple[Walk, ...]


def small(seed: int, profile: str) -> Case:
    """Return a small random case; some of its walks are too long or pass what is closed."""
    rules = make_rules(load_game("18GB"), profile)
    drawn = random_position(random.Random(seed), hexes=7, trains=3)
    position = load_position(rules, *drawn)
    corporation = position.company.corporation
    most = most_cities(position) + 1
    walks = tuple(all_routes(position.board, corporation, most, through_all=True))
    return Case(position, rules.problem(position), walks)


def numbers(problem: RoutingProblem, walk: Walk, train: str) -> NetRoute | None:
    """Return a walk in numbers of the problem, or None if the network lacks a part of it."""
    stop = {s.id: n for n, s in enumerate(problem.stops)}
    leg: dict[tuple[PathRef, ...], int] = {}
    for n, net in enumerate(problem.legs):
        paths = tuple(ref for part in net.parts for ref in part.paths)
        leg[paths] = leg[paths[::-1]] = n
    if any(s not in stop for s in walk.stops) or any(refs not in leg for refs in walk.legs):
        return None
    (cls,) = [n for n, c in enumerate(problem.classes) if train in c.trains]
    return NetRoute(
        train, cls, tuple(stop[s] for s in walk.stops), tuple(leg[r] for r in walk.legs)
    )


def fits(problem: RoutingProblem, route: NetRoute) -> bool:
    """Tell whether the words of the route's class allow it."""
    reach = problem.classes[route.cls].reach
    ends = {route.stops[0], route.stops[-1]}
    items = [item for leg in route.legs for item in problem.legs[leg].items]
    within = all(
        sum(budget.stops[s] for s in route.stops if budget.stops)
        + sum(budget.legs[n] for n in route.legs if budget.legs)
        <= budget.limit
        for budget in reach.budgets
    )
    return (
        within
        and len(items) == len(set(items))
        and len(route.stops) >= reach.fewest
        and set(route.stops) <= reach.visits
        and set(route.stops[1:-1]) <= reach.through
        and ends <= reach.ends
        and not reach.own.isdisjoint(route.stops)
    )


def base(problem: RoutingProblem, cls: TrainClass, route: NetRoute) -> int:
    """Return what a route pays by the words of its class, compass aside."""
    pay = cls.pay
    total = sum(pay.stops[s] for s in route.stops)
    for once in pay.once:
        paid = sorted(pay.stops[s] for s in route.stops if s in once)
        total -= sum(paid[:-1])
    if pay.legs:
        total += sum(pay.legs[n] for n in route.legs)
    if pay.span:
        outer = [problem.stops[s].point for s in route.stops if s in pay.span.counting]
        dx, dy = (abs(outer[0][axis] - outer[-1][axis]) for axis in (0, 1))
        total += pay.span.rate * (dx + max(0, (dy - dx) // 2))
    return total


def compass(problem: RoutingProblem, routes: Sequence[NetRoute]) -> int:
    """Return the most that sets of touching routes score by the words."""
    word = problem.word(GroupBonus)
    if word is None:
        return 0
    meets = [
        {j for j, other in enumerate(routes) if set(r.stops) & set(other.stops) & word.touch}
        for r in routes
    ]
    totals = [
        sum(_score(word, routes, group) for group in division)
        for division in partitions(range(len(routes)))
        if all(_connected(meets, group) for group in division)
        and (word.best or all(_closed(meets, group) for group in division))
    ]
    return max(totals)


def _score(word: GroupBonus, routes: Sequence[NetRoute], group: Sequence[int]) -> int:
    ends = [s for n in group for s in (routes[n].stops[0], routes[n].stops[-1])]
    has = {letter for s in ends for letter in word.letters.get(s, ())}
    return sum(amount for a, b, amount in word.pairs if a in has and b in has)


def _connected(meets: Sequence[set[int]], group: Sequence[int]) -> bool:
    met = [group[0]]
    for n in met:
        met.extend(sorted((meets[n] & set(group)).difference(met)))
    return len(met) == len(group)


def _closed(meets: Sequence[set[int]], group: Sequence[int]) -> bool:
    return all(meets[n] <= set(group) for n in group)


@pytest.mark.parametrize("profile", PROFILES)
def test_words_and_referee_agree_on_every_single_route(profile: str) -> None:
    """§11.2 to §11.6: a route is allowed and priced alike, for every train on every walk."""
    rules = make_rules(load_game("18GB"), profile)
    legal = illegal = 0
    for seed in range(60):
        case = small(seed, profile)
        for walk in case.walks:
            for train in case.position.company.trains:
                verdict = rules.judge(case.position, Run((as_route(walk, train.id),)))
                route = numbers(case.problem, walk, train.id)
                allowed = route is not None and fits(case.problem, route)
                assert allowed == verdict.legal, (seed, walk, verdict.faults)
                if route is None or not allowed:
                    illegal += 1
                    continue
                legal += 1
                cls = case.problem.classes[route.cls]
                worth = base(case.problem, cls, route) + compass(case.problem, [route])
                best = rules.judge(case.position, case.problem.to_run([route]))
                assert best.legal
                assert best.revenue == worth >= verdict.revenue, (seed, walk)
    assert legal > 500
    assert illegal > 100


@pytest.mark.parametrize("profile", PROFILES)
def test_words_and_referee_agree_on_whole_runs(profile: str) -> None:
    """§11.7, §11.8: runs of several trains on dense boards pay, in the problem's order, what
    the words promise, the best sets of touching routes included."""
    rules = make_rules(load_game("18GB"), profile)
    together = 0
    for seed in range(45):
        rng = random.Random(seed)
        trains = rng.choice([("6X",) * 6, ("5X", "4X", "4X", "5+2", "5+2", "5+2")])
        drawn = large_position(rng, density=0.8, trains=trains)
        position = load_position(rules, *drawn)
        problem = rules.problem(position)
        for _ in range(10):
            run = [_numbered(problem, route) for route in random_walks(rng, position)]
            run = [route for route in run if fits(problem, route)]
            verdict = rules.judge(position, problem.to_run(run))
            assert verdict.legal, (seed, verdict.faults)
            bonus = compass(problem, run)
            worth = sum(base(problem, problem.classes[route.cls], route) for route in run)
            assert verdict.revenue == worth + bonus, (seed, run)
            together += bonus != sum(compass(problem, [route]) for route in run)
    assert together >= 10


def _numbered(problem: RoutingProblem, route: Route) -> NetRoute:
    """Return a route that the company can reach in numbers of the problem."""
    found = numbers(problem, Walk(route.stops, route.legs, frozenset()), route.train)
    assert found is not None, route
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_routes_conflict_by_items_exactly_if_they_share_a_side(profile: str) -> None:
    """§11.7: two routes may run together exactly if no item of a leg is in both."""
    rules = make_rules(load_game("18GB"), profile)
    judged = {True: 0, False: 0}
    for seed in range(60):
        case = small(seed, profile)
        rng = random.Random(seed)
        for _ in range(12):
            run = _random_run(rng, case)
            items = [i for r in run for leg in r.legs for i in case.problem.legs[leg].items]
            verdict = rules.judge(case.position, case.problem.to_run(run))
            assert verdict.legal == (len(items) == len(set(items))), (seed, verdict.faults)
            judged[verdict.legal] += len(run) > 1
    assert min(judged.values()) > 30


def _random_run(rng: random.Random, case: Case) -> list[NetRoute]:
    """Return at most one allowed route for each train, maybe over the same track."""
    run = []
    for train in case.position.company.trains:
        walks = rng.sample(case.walks, min(8, len(case.walks)))
        routes = [numbers(case.problem, walk, train.id) for walk in walks]
        run.extend([r for r in routes if r is not None and fits(case.problem, r)][:1])
    return run


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "board",
    [
        boards.hub,
        boards.leeds,
        boards.liverpool,
        boards.darlington,
        boards.bristol,
        boards.barred,
    ],
)
def test_the_order_of_the_problem_pays_most_of_all_orders(
    board: Callable[[], Position], profile: str
) -> None:
    """§11.8.4, §11.8.6: over every run of the board, no other order pays more, and none pays
    more than the words promise."""
    rules = make_rules(load_game("18GB"), profile)
    position = board()
    problem = rules.problem(position)
    for run in runs(position, rules):
        routes = [_numbered(problem, route) for route in run]
        best = max(rules.judge(position, Run(order)).revenue for order in permutations(run))
        worth = sum(base(problem, problem.classes[route.cls], route) for route in routes)
        assert rules.judge(position, problem.to_run(routes)).revenue == best
        assert best == worth + compass(problem, routes)


def test_hub_in_words() -> None:
    """Board R2 (§17.5): two classes that pay alike and differ in their budgets."""
    problem = make_rules(load_game("18GB")).problem(boards.hub())
    assert [(c.name, c.trains) for c in problem.classes] == [
        ("3+1", ("3+1-0", "3+1-1")),
        ("4+2", ("4+2-2",)),
    ]
    one, two = problem.classes
    assert one.pay is two.pay
    assert [b.limit for b in one.reach.budgets] == [3, 4]
    assert [b.limit for b in two.reach.budgets] == [4, 6]
    assert one.track == two.track
    word = problem.word(GroupBonus)
    assert word is not None
    assert word.pairs == (("N", "S", 30),), "no W is within reach"
    assert _named(problem, word.letters) == {"J11-0": {"N"}, "G26-0": {"S", "E"}}
    assert {problem.stops[s].kind for s in word.touch} == {"city", "town"}
    assert (problem.ordered, problem.step) == (True, 10)


def _named(
    problem: RoutingProblem, letters: Mapping[int, frozenset[str]]
) -> dict[str, frozenset[str]]:
    return {problem.stops[s].id: has for s, has in letters.items()}


def test_closed_stops_are_no_way_through() -> None:
    """§11.1.2: off-board areas and cities full of foreign tokens end routes, and what lies
    behind them is no part of the network."""
    problem = make_rules(load_game("18GB")).problem(boards.barred())
    names = {stop.id for stop in problem.stops}
    assert names == {"J13-0", "I14-0", "I16-0", "I20-0", "I22-0", "G26-0"}
    reach = problem.classes[0].reach
    assert {problem.stops[s].id for s in reach.through} == names - {"J13-0", "G26-0"}
    assert {problem.stops[s].id for s in reach.own} == {"I14-0"}


def test_the_older_site_divides_by_components() -> None:
    """§11.8.6: the word says which rule holds; under the older one the order does not matter."""
    for profile, best in (("18xx.games", True), ("18xx.games-2024-02-18", False)):
        problem = make_rules(load_game("18GB"), profile).problem(boards.bristol())
        word = problem.word(GroupBonus)
        assert word is not None
        assert (word.best, problem.ordered) == (best, best)


def test_towns_of_the_rulebook_have_a_budget_of_their_own() -> None:
    """§11.3: at most N cities and at most M towns."""
    problem = make_rules(load_game("18GB"), "rulebook").problem(boards.hub())
    cities, towns = problem.classes[0].reach.budgets
    assert (cities.limit, towns.limit) == (3, 1)
    kinds = [stop.kind for stop in problem.stops]
    assert [kind == "town" for kind in kinds] == [bool(cost) for cost in towns.stops]


def test_ring_pays_the_better_of_hull_and_grimsby() -> None:
    """§17.1: the stops of J17 pay once, and the route is turned to start at Hull."""
    position = boards.ring("4+2", "3+1")
    rules = make_rules(load_game("18GB"))
    problem = rules.problem(position)
    (once,) = problem.classes[0].pay.once
    assert {problem.stops[s].id for s in once} == {"J17-0", "J17-2"}
    worse = boards.ride(position.board, "3+1-0", "J17-2 H17-1 I16-0 J17-0")
    assert problem.order is not None
    (turned,) = problem.order([worse])
    assert turned.stops == worse.stops[::-1]
    assert rules.judge(position, Run((turned,))).revenue == 80
    assert not problem.ordered, "there is nothing to divide into sets"


def test_trains_that_may_not_run_are_no_part_of_the_problem() -> None:
    """§11.9: only trains that may run are given."""
    rules = make_rules(load_game("18GB"))
    state, company = random_position(random.Random(1), hexes=4, trains=0)
    problem = rules.problem(load_position(rules, state, company))
    assert problem.classes == ()
    assert rules.judge(problem.position, problem.to_run([])).revenue == 0


def test_large_boards_are_stated_whole() -> None:
    """Dense boards keep at most 60 stops and 130 legs, all within reach of a token."""
    rules = make_rules(load_game("18GB"))
    for seed in range(3):
        position = load_position(rules, *large_position(random.Random(seed), density=0.7))
        problem = rules.problem(position)
        assert 10 < len(problem.stops) <= 60
        assert 10 < len(problem.legs) <= 130
        used = {s for leg in problem.legs for s in (leg.a, leg.b)}
        own = set(problem.classes[0].reach.own)
        assert used | own == set(range(len(problem.stops)))
