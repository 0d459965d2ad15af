"""The statement of the problem says what the referee says (1822 §11.17)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import load_game
from engine.games.g1822.profile import PROFILES
from engine.routing.position import load_position, make_rules
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.rules import Rules, RulesProfile
from engine.routing.run import Position, Route
from tests.boards.g1822 import large_position, random_position
from tests.engine.games.g1822.naive import legal_routes
from tests.engine.games.g1822.words import compatible, price, routes_of

STRICT = replace(PROFILES["rulebook"], name="strict", junction_twice=False)
SEEDS = st.integers(min_value=0, max_value=10**9)


def _small(seed: int, profile: RulesProfile | str) -> tuple[Rules, Position]:
    state, company = random_position(random.Random(seed), hexes=7, trains=2)
    rules = make_rules(load_game(state.title), profile)
    return rules, load_position(rules, state, company)


def _classes(problem: RoutingProblem) -> Iterator[tuple[str, int]]:
    """Every train with every class as which it can run."""
    for number, cls in enumerate(problem.classes):
        for train in cls.trains:
            yield train, number
            for attachment in problem.attachments:
                if number in attachment.turns:
                    yield train, attachment.turns[number]


def _key(route: Route) -> tuple[object, ...]:
    """A route irrespective of direction and of the track between the Channel and France."""
    legs = [
        ("France",) if {a[:3], b[:3]} == {"P43", "Q44"} else paths
        for a, b, paths in zip(route.stops, route.stops[1:], route.legs, strict=False)
    ]
    back = [leg if leg == ("France",) else leg[::-1] for leg in reversed(legs)]
    ahead = (route.stops, tuple(legs))
    return (route.train, route.attachment, *min(ahead, (route.stops[::-1], tuple(back))))


@pytest.mark.parametrize("profile", ["18xx.games", "rulebook", STRICT], ids=str)
@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_routes_of_every_class_are_the_routes_that_the_referee_accepts(
    profile: RulesProfile | str, seed: int
) -> None:
    """11.3 to 11.13: none too many, none missing, for every train with and without P+."""
    rules, position = _small(seed, profile)
    problem = rules.problem(position)
    stated = [
        problem.to_route(route)
        for train, cls in _classes(problem)
        for route in routes_of(problem, cls, train)
    ]
    accepted = [route for routes in legal_routes(rules, position).values() for route in routes]
    keys = [_key(route) for route in stated]
    assert sorted(map(str, keys)) == sorted(set(map(str, keys))), "a route is stated twice"
    assert set(keys) == {_key(route) for route in accepted}


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS)
def test_words_and_referee_agree_on_every_run(seed: int) -> None:
    """11.6, 11.9, 11.11, 11.12: the same runs are legal; 11.14, 11.15: they pay the same."""
    rules, position = _small(seed, "18xx.games")
    problem = rules.problem(position)
    rng = random.Random(seed)
    by_train: dict[str, list[NetRoute]] = {}
    for train, cls in _classes(problem):
        by_train.setdefault(train, []).extend(routes_of(problem, cls, train))
    for _ in range(60):
        chosen = [rng.choice(routes) for routes in by_train.values() if routes]
        _agree(problem, rng.sample(chosen, len(chosen)))


def _agree(problem: RoutingProblem, routes: list[NetRoute]) -> None:
    verdict = problem.judge(problem.to_run(routes))
    assert verdict.legal == compatible(problem, routes), verdict.faults
    if verdict.legal:
        assert (verdict.revenue, verdict.subsidy) == price(problem, routes)
        assert verdict.revenue == sum(route.revenue for route in verdict.routes)
        assert verdict.revenue % problem.step == 0


@pytest.mark.parametrize("seed", range(2))
def test_large_boards_are_stated_as_the_referee_sees_them(seed: int) -> None:
    """Routes grown at random on dense boards: legal and paid as the words say (§11.17)."""
    state, company = large_position(random.Random(seed))
    rules = make_rules(load_game(state.title))
    problem = rules.problem(load_position(rules, state, company))
    rng = random.Random(seed)
    for train, cls in _classes(problem):
        stream = routes_of(problem, cls, train)
        for _ in range(100):
            route = next(stream, None)
            if route is not None and rng.random() < 0.5:
                _agree(problem, [route])
