"""The words, priced plainly, say of any run what the referee says: legal or not, and its worth."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import PaidOnce, Pay, Reach, TrainClass
from optimizer.pricing import coverage, price, with_choice
from optimizer.routes import PlainRoute, routes_of
from tests.optimizer.builders import made_problem, net_leg, net_stop
from tests.optimizer.positions import PROFILES, TITLES, board_problem, boards


def _random_run(
    problem: RoutingProblem, routes: list[list[PlainRoute]], rng: random.Random
) -> list[NetRoute]:
    """Give most trains a route, of a class as which they may run."""
    run = []
    left = [attachment.count for attachment in problem.attachments]
    for number, cls in enumerate(problem.classes):
        for train in cls.trains:
            kinds = [number]
            for place, attachment in enumerate(problem.attachments):
                if number in attachment.turns and left[place] and rng.random() < 0.5:
                    kinds = [attachment.turns[number]]
                    left[place] -= 1
            if routes[kinds[0]] and rng.random() < 0.85:
                run.append(rng.choice(routes[kinds[0]]).run_by(train, kinds[0]))
    return run


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("title", TITLES)
def test_words_and_referee_agree_on_random_runs(title: str, profile: str) -> None:
    """Of random runs, good or bad, the words allow those that the referee allows, and promise
    what it pays once the problem has put the routes in order."""
    legal = several = 0
    for seed in range(boards(30)):
        problem = board_problem(title, seed, hexes=7, trains=3, profile=profile)
        rng = random.Random(seed)
        routes = [list(routes_of(problem, cls)) for cls in range(len(problem.classes))]
        for _ in range(8):
            run = _random_run(problem, routes, rng)
            known = price(problem, run)
            settled = with_choice(problem, run) if known.legal else tuple(run)
            verdict = problem.judge(problem.to_run(settled))
            assert verdict.legal == known.legal, (seed, run, known.faults, verdict.faults)
            if known.legal:
                paid = (verdict.revenue, verdict.subsidy)
                assert paid == (known.revenue, known.subsidy), (seed, run)
                assert known.revenue % problem.step == 0
            legal += known.legal
            several += known.legal and len(run) > 1
    assert legal > boards(30)
    assert several >= boards(30) // 10


def _once_class(limit: int, trains: tuple[str, ...]) -> tuple[TrainClass, PaidOnce]:
    everywhere = frozenset(range(4))
    reach = Reach(everywhere, everywhere, everywhere, everywhere)
    word = PaidOnce(("a", "b", "c", "c"), {"a": 50, "b": 40, "c": 30}, {})
    cls = TrainClass("n/m", trains, reach, Pay((0, 0, 0, 0)), None)
    return cls, replace(word, choose={0: (frozenset(), limit, everywhere)})


def test_the_choice_of_what_pays_is_made_over_the_whole_run() -> None:
    """Two trains that count one stop each and both visit 50 and 40, one of them 30 as well,
    pay 90: the choice best for one alone would leave the other with nothing new."""
    cls, word = _once_class(1, ("x", "y"))
    stops = [net_stop(n) for n in range(4)]
    legs = [net_leg(stops, 0, 1, 0), net_leg(stops, 1, 2, 1)]
    problem = made_problem(stops, legs, [cls], [word])
    run = (NetRoute("x", 0, (0, 1), (0,)), NetRoute("y", 0, (0, 1, 2), (0, 1)))
    assert price(problem, run).revenue == 90
    chosen = with_choice(problem, run)
    assert sorted(route.paid or () for route in chosen) == [(0,), (1,)]
    assert price(problem, chosen).revenue == 90


def test_stops_under_one_name_pay_once() -> None:
    """Two entries of one area, and an end of a chain there, pay once between them."""
    _, word = _once_class(2, ("x",))
    run = [NetRoute("x", 0, (0, 2), (0,))]
    assert coverage(word, run, ())[0] == 80
    assert coverage(word, run, (3,))[0] == 80
    assert coverage(word, run, (1,))[0] == 120


def test_a_route_that_says_what_pays_is_taken_at_its_word() -> None:
    """Naming the poorer stop pays the poorer stop."""
    _, word = _once_class(1, ("x",))
    run = [NetRoute("x", 0, (0, 1), (0,), paid=(1,))]
    assert coverage(word, run, ()) == (40, [None])


def test_a_train_runs_once_and_only_as_what_it_is() -> None:
    """Two routes of a train, or a route of a class that it is not, are faults."""
    cls, word = _once_class(1, ("x", "y"))
    stops = [net_stop(n) for n in range(4)]
    legs = [net_leg(stops, 0, 1, 0), net_leg(stops, 1, 2, 1)]
    problem = made_problem(stops, legs, [cls], [word])
    twice = (NetRoute("x", 0, (0, 1), (0,)), NetRoute("x", 0, (1, 2), (1,)))
    assert {fault.code for fault in price(problem, twice).faults} == {"TRAIN_TWICE"}
    stranger = (NetRoute("z", 0, (0, 1), (0,)),)
    assert {fault.code for fault in price(problem, stranger).faults} == {"TRAIN_WRONG"}
