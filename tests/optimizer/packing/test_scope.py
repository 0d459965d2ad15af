"""The packing engine takes the problems that it solves rightly, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import (
    AtMostOne,
    Attachment,
    Budget,
    Choice,
    Factor,
    GroupBonus,
    Pay,
    Reach,
    Span,
    TrainClass,
)
from optimizer.packing import enumerate as enumerate_module
from optimizer.packing.scope import handles, leg_by_leg
from optimizer.packing.solve import solve_packing
from optimizer.task import Task, Weights
from tests.optimizer.builders import best_by_price, made_problem, net_leg, net_stop

STOPS = [net_stop(n, (0, 2 * n)) for n in range(4)]
LEGS = [net_leg(STOPS, n, n + 1, n) for n in range(3)]
ALL = frozenset(range(4))
LIMITED = TrainClass(
    "2",
    ("2-0", "2-1"),
    Reach(ALL, ALL, ALL, frozenset({0}), (Budget(2, (1,) * 4),)),
    Pay((10, 20, 30, 40)),
    "track",
)
UNLIMITED = TrainClass("E", ("E",), Reach(ALL, ALL, ALL, ALL), Pay((10, 20, 30, 40)), "alone")


def _problem(*classes: TrainClass, turns: dict[int, int] | None = None) -> RoutingProblem:
    carriages = [Attachment("P", 1, turns)] if turns else []
    return made_problem(STOPS, LEGS, classes, attachments=carriages)


def test_limited_classes_and_trains_without_limit_are_taken() -> None:
    """What 1822 and 18GB have is taken, also where a class has no train left."""
    assert handles(_problem(LIMITED, UNLIMITED))
    left = replace(UNLIMITED, trains=())
    assert handles(_problem(LIMITED, left, UNLIMITED))


@pytest.mark.parametrize(
    "changed",
    [
        replace(UNLIMITED, trains=("E", "F", "G")),
        replace(UNLIMITED, track="track"),
        replace(UNLIMITED, pay=replace(UNLIMITED.pay, legs=(10, 10, 10))),
        replace(UNLIMITED, pay=replace(UNLIMITED.pay, once=(frozenset({0, 3}),))),
        replace(UNLIMITED, reach=replace(UNLIMITED.reach, budgets=(Budget(1, (), (0, 1, 0)),))),
    ],
    ids=["three trains", "shared track", "legs pay", "paid once", "a river to cross once"],
)
def test_trains_without_limit_may_be_many_and_share_track(changed: TrainClass) -> None:
    """Whatever their stops and legs pay, the engine proves the best run."""
    problem = _problem(LIMITED, changed)
    assert handles(problem)
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0))


EVERY_STOP = {stop: f"city {stop}" for stop in range(4)}


@pytest.mark.parametrize(
    "changed",
    [
        replace(UNLIMITED, pay=replace(UNLIMITED.pay, span=Span(10, ALL))),
        replace(UNLIMITED, pay=replace(UNLIMITED.pay, choice=Choice(((ALL, 2),)))),
        replace(UNLIMITED, pay=replace(UNLIMITED.pay, factor=Factor(3, 2, 10))),
        replace(UNLIMITED, reach=replace(UNLIMITED.reach, fewest=1), claims=EVERY_STOP),
        replace(UNLIMITED, claims={0: "city"}),
        replace(UNLIMITED, track=None),
    ],
    ids=["span", "choice", "factor", "one stop", "claims", "no track of its own"],
)
def test_what_is_not_decided_leg_by_leg_is_listed(changed: TrainClass) -> None:
    """Routes of a class without limits are listed where they cannot be followed leg by leg."""
    problem = _problem(LIMITED, changed)
    assert handles(problem)
    assert not leg_by_leg(problem, changed)
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0))


def test_too_long_a_list_is_left_to_cp_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many routes to list CP-SAT alone proves the best run."""
    monkeypatch.setattr(enumerate_module, "MOST_STATES", -1)
    problem = _problem(replace(UNLIMITED, pay=replace(UNLIMITED.pay, span=Span(10, ALL))))
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0))
    assert outcome.proof == "cp-sat"


def test_letters_beside_a_train_without_limit() -> None:
    """Its routes are listed, as it matters where they touch others."""
    word = GroupBonus({0: frozenset("N"), 3: frozenset("S")}, (("N", "S", 20),), ALL)
    problem = replace(_problem(LIMITED, UNLIMITED), words=(word,))
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0))


def test_a_carriage_may_free_a_train_from_its_limit() -> None:
    """How many trains run without limit then depends on the carriages."""
    problem = _problem(LIMITED, replace(UNLIMITED, trains=()), turns={0: 1})
    assert handles(problem)
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0))


def test_routes_that_two_trains_may_both_run_are_refused() -> None:
    """Two trains in one city are two runs of one route: where nothing forbids it, both pay."""
    standing = replace(LIMITED, reach=replace(LIMITED.reach, fewest=1))
    assert not handles(_problem(standing))
    assert handles(_problem(replace(standing, claims={0: "city"})))
    assert handles(_problem(replace(standing, trains=("2-0",))))
    assert not handles(_problem(replace(LIMITED, track=None)))


def test_a_stop_that_pays_nothing_may_excuse_two_others() -> None:
    """A route that prolongs another to a stop of no value is kept where that allows the rest."""
    group = AtMostOne(frozenset({0, 1}), unless=frozenset({2}))
    reach = replace(LIMITED.reach, budgets=(Budget(3, (1,) * 4),), groups=(group,))
    problem = _problem(replace(LIMITED, reach=reach, pay=Pay((10, 20, 0, 0))))
    outcome = solve_packing(Task(problem, Weights(1, 0)))
    assert outcome.value == outcome.bound == best_by_price(problem, Weights(1, 0)) == 30
