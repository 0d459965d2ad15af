"""The problem of 1862 states what the referee judges (1862 §10.8)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import load_game
from engine.games.g1862.rules import PROFILES, FreightChaining, Profile1862, Rules1862
from engine.routing.position import load_position
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.rules import RulesProfile
from engine.routing.run import Position, Route, Run
from engine.routing.vocabulary import (
    Chains,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    PaidOnce,
)
from tests.boards.g1862 import random_position
from tests.engine.games.g1862.handmade import EAST, STAR, Table, table
from tests.engine.games.g1862.naive import routes_of, turn
from tests.engine.games.g1862.words import net_routes, worth


def reading(name: str) -> Profile1862:
    """Return a reading of the rules by name."""
    known = PROFILES[name]
    assert isinstance(known, Profile1862)
    return known


SITE, BOOK = reading("18xx.games"), reading("rulebook")
READINGS: dict[str, Profile1862] = {
    "18xx.games": replace(SITE, choice_by_node=False),
    "rulebook, idle trains allowed": replace(BOOK, idle_trains=True),
    "one chain, circles allowed": replace(
        SITE, choice_by_node=False, freight_chaining=FreightChaining.ALL
    ),
}
"""Readings with the exact choice, which is what a problem asks for (1862 D19)."""


def grown(seed: int, reading: Profile1862) -> tuple[Rules1862, Position]:
    """Return a random position under a reading."""
    rules = Rules1862(load_game("1862"), reading)
    board, company = random_position(random.Random(seed), hexes=7, trains=3)
    return rules, load_position(rules, board, company)


def class_of(problem: RoutingProblem, train: str) -> int:
    """Return the class of a train."""
    return next(n for n, cls in enumerate(problem.classes) if train in cls.trains)


# --- single routes -----------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_a_class_reaches_exactly_the_valid_routes(seed: int) -> None:
    """Routes by :class:`Reach` are the routes that the referee finds valid by themselves
    (1862 R1 to R9), found by walking the paths of the board."""
    rules, position = grown(seed, READINGS["18xx.games"])
    problem = rules.problem(position)
    for number, cls in enumerate(problem.classes):
        stated = {ways(problem.to_route(route)) for route in net_routes(problem, number)}
        walked = {ways(route) for route in routes_of(rules, position, cls.trains[0])}
        assert stated == walked


def ways(route: Route) -> object:
    """Return what makes a route, irrespective of direction."""
    there = route.stops, route.legs
    turned = turn(route)
    return min(there, (turned.stops, turned.legs))


# --- runs --------------------------------------------------------------------------


def best_listing(rules: Rules1862, position: Position, run: Sequence[Route]) -> tuple[int, int]:
    """Return the best verdict over all orders and directions of listing; (-1, 0) if illegal."""
    best = (-1, 0)
    for listed in listings(list(run)):
        verdict = rules.judge(position, Run(listed))
        if verdict.legal:
            best = max(best, (verdict.revenue, verdict.subsidy))
    return best


def listings(run: list[Route]) -> list[tuple[Route, ...]]:
    """Return every order and direction of listing."""
    if not run:
        return [()]
    return [
        (first, *rest)
        for number, route in enumerate(run)
        for rest in listings(run[:number] + run[number + 1 :])
        for first in (route, turn(route))
    ]


@pytest.mark.parametrize("name", READINGS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_words_price_a_run_as_the_referee_does(name: str, seed: int) -> None:
    """For random runs on random boards: legal by the words just if some listing is legal,
    and worth the best that any listing pays; and ``to_run`` gives such a listing."""
    rules, position = grown(seed, READINGS[name])
    problem = rules.problem(position)
    rng = random.Random(seed)
    routes = [list(net_routes(problem, number)) for number in range(len(problem.classes))]
    for _ in range(6):
        run: list[NetRoute] = [
            replace(rng.choice(routes[number]), train=train)
            for number, cls in enumerate(problem.classes)
            for train in cls.trains
            if routes[number] and rng.random() < 0.8
        ]
        promised = worth(problem, run)
        found = best_listing(rules, position, [problem.to_route(route) for route in run])
        assert found == ((-1, 0) if promised is None else (promised.revenue, promised.subsidy))
        verdict = rules.judge(position, problem.to_run(run))
        assert verdict.legal == (promised is not None)
        if promised is not None:
            assert (verdict.revenue, verdict.subsidy) == found


def test_four_freights_in_a_tangle() -> None:
    """From four Freights on the way on at a branch matters: words and referee agree on
    every set of four routes between D11, D13, E12 and London."""
    t = table("ECR", "H", EAST, "D13 D11 E12 London", ["7F"] * 4)
    problem = t.rules.problem(t.position)
    ends = ("D15 D13", "D13 D11", "D11 E12", "E12 D13", "D13 E12 F11")
    base = [t.route("7F", way) for way in ends]
    for skip in range(5):
        listed = [r for n, r in enumerate(base) if n != skip]
        names = problem.classes[0].trains
        run = [replace(route, train=name) for route, name in zip(listed, names, strict=True)]
        net = [as_net(problem, route) for route in run]
        promised = worth(problem, net)
        revenue, _ = best_listing(t.rules, t.position, run)
        assert revenue == (-1 if promised is None else promised.revenue)


def as_net(problem: RoutingProblem, route: Route) -> NetRoute:
    """Return a route in numbers of the problem."""
    number = {stop.id: n for n, stop in enumerate(problem.stops)}
    stops = tuple(number[stop] for stop in route.stops)
    by_paths = {leg.parts[0].paths: n for n, leg in enumerate(problem.legs)}
    legs = tuple(by_paths[p] if p in by_paths else by_paths[p[::-1]] for p in route.legs)
    return NetRoute(route.train, class_of(problem, route.train), stops, legs)


# --- idle trains -------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_by_the_book_a_train_is_idle_in_fault_just_if_a_route_can_be_added(seed: int) -> None:
    """D18: the referee's own search agrees with trying every route of the idle trains."""
    rules, position = grown(seed, BOOK)
    lenient = Rules1862(position.title, replace(BOOK, idle_trains=True))
    trains = [train.id for train in position.company.trains if train.runnable]
    routes = {train: routes_of(lenient, position, train) for train in trains}
    rng = random.Random(seed)
    for _ in range(4):
        run = [rng.choice(routes[t]) for t in trains if routes[t] and rng.random() < 0.4]
        if not lenient.judge(position, Run(tuple(run))).legal:
            continue
        idle = [train for train in trains if train not in {route.train for route in run}]
        addable = {
            f"company.trains[{number}]"
            for number, train in enumerate(position.company.trains)
            if train.id in idle
            and any(lenient.judge(position, Run((*run, r))).legal for r in routes[train.id])
        }
        faults = rules.judge(position, Run(tuple(run))).faults
        assert {fault.path for fault in faults if fault.code == "TRAIN_IDLE"} == addable


# --- what is stated ----------------------------------------------------------------


def east(*trains: str, profile: str = "18xx.games") -> Table:
    """The board from the Midlands to Denmark in phase H, with home D13."""
    return table("ECR", "H", EAST, "D13 D11 E12 London", trains, profile=profile)


def test_identical_trains_are_one_class() -> None:
    """Warranty stars make no difference; trains of other names do."""
    t = east("5F**", "5F", "6E", "5L")
    problem = t.rules.problem(t.position)
    assert [(cls.name, cls.trains) for cls in problem.classes] == [
        ("5F", ("5F**", "5F")),
        ("6E", ("6E",)),
        ("5L", ("5L",)),
    ]
    assert {cls.track for cls in problem.classes} == {None}


def test_a_train_without_permit_is_in_no_class() -> None:
    """1862 §10.3: only trains with a permit run."""
    t = table("ECR", "H", EAST, "D13", ["6E", "7F"], permits=["freight"])
    assert [cls.name for cls in t.rules.problem(t.position).classes] == ["7F"]


def test_without_a_home_marker_there_is_no_class() -> None:
    """1862 S1: then no run is possible at all."""
    t = table("Y&N", "H", STAR, "D9", ["9F"])
    problem = t.rules.problem(t.position)
    assert problem.classes == ()
    assert problem.word(MustVisit) == MustVisit(frozenset())


def test_london_is_in_the_network_only_with_a_link() -> None:
    """1862 R8."""
    linked, alone = east("6E"), table("ECR", "H", EAST, "D13", ["6E"])
    assert "D15-0" in {stop.id for stop in linked.rules.problem(linked.position).stops}
    assert "D15-0" not in {stop.id for stop in alone.rules.problem(alone.position).stops}


def test_the_words_of_the_site() -> None:
    """Paid once, home, meeting anywhere, chains of bands A to D, £10 a hex; no duty to run."""
    t = east("5F", "7F", "4/5E", "5L")
    problem = t.rules.problem(t.position)
    ids = [stop.id for stop in problem.stops]
    paid, chains = problem.word(PaidOnce), problem.word(Chains)
    assert paid is not None
    assert chains is not None
    assert paid.payee[ids.index("F15-0")] == paid.payee[ids.index("G14-2")] == "Holland"
    assert paid.amount["Holland"] == 130
    assert paid.choose[2][1] == 4
    assert paid.choose[3][0] == {ids.index("E14-0")}
    assert set(paid.choose) == {2, 3}
    assert problem.word(MustVisit) == MustVisit(frozenset({ids.index("D13-0")}))
    assert problem.word(MustMeet) == MustMeet(frozenset(range(len(ids))))
    assert sorted(chains.classes) == [0, 1]
    assert sorted(chains.binding) == [0]
    assert (chains.single, chains.closed) == (False, True)
    areas = {"D15-0": 20, "F15-0": 30, "G14-2": 30, "H13-0": 30, "A4-0": 20}
    earned = {stop: chains.closed_bonus.get(ids.index(stop), 0) for stop in (*areas, "D13-0")}
    assert earned == {**areas, "D13-0": 0}
    assert problem.word(HexSubsidy) == HexSubsidy(frozenset({3}), 10)
    assert problem.word(MustRun) is None
    assert (problem.step, problem.ordered) == (10, True)


def test_the_words_of_the_rulebook() -> None:
    """D17, D18, D21: meeting in large stations, every train runs if it can, one chain."""
    t = east("5F", "7F", "6E", profile="rulebook")
    problem = t.rules.problem(t.position)
    meet, chains = problem.word(MustMeet), problem.word(Chains)
    assert meet is not None
    assert chains is not None
    assert {problem.stops[stop].kind for stop in meet.stops} == {"city"}
    assert (chains.single, chains.closed, chains.closed_bonus) == (True, False, {})
    assert problem.word(MustRun) == MustRun(frozenset({0, 1, 2}))


def test_one_freight_needs_no_order() -> None:
    """The order of listing matters from two Freights on."""
    t = east("7F", "6E")
    problem = t.rules.problem(t.position)
    assert (problem.ordered, problem.order) == (False, None)


def test_a_profile_of_another_game_is_refused() -> None:
    """A rules object takes only its own game's profiles."""
    with pytest.raises(TypeError, match="no profile of 1862"):
        Rules1862(load_game("1862"), RulesProfile("18xx.games"))
