"""Carriages: every fleet that may be best is looked at, and compared rightly with the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Attachment, Budget, Pay, Reach, TrainClass, VisitBonus, Word
from optimizer.packing.fleets import fleets_of
from optimizer.packing.solve import _Packing, solve_packing
from optimizer.task import Outcome, Task, Weights, route_key
from tests.optimizer.builders import best_by_price, made_problem, net_leg, net_stop

REVENUE = Weights(1, 0)


def _line(
    values: Sequence[Sequence[int]],
    turns: Sequence[tuple[str, int, dict[int, int]]],
    limits: Sequence[int],
    trains: Sequence[int],
    words: Sequence[Word] = (),
) -> RoutingProblem:
    """Return stops in a line, with a token on the first, and classes of given values, limits
    and numbers of trains."""
    count = len(values[0])
    stops = [net_stop(n) for n in range(count)]
    legs = [net_leg(stops, n, n + 1, n) for n in range(count - 1)]
    everywhere = frozenset(range(count))
    classes = [
        TrainClass(
            f"class {number}",
            tuple(f"{number}-{n}" for n in range(trains[number])),
            Reach(
                everywhere, everywhere, everywhere, frozenset({0}), (Budget(limit, (1,) * count),)
            ),
            Pay(tuple(values[number])),
            f"track {number}" if trains[number] else "carriage",
        )
        for number, limit in enumerate(limits)
    ]
    attachments = [Attachment(*each) for each in turns]
    return made_problem(stops, legs, classes, words, attachments)


def _proven(task: Task) -> Outcome:
    outcome = solve_packing(task)
    best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
    assert (outcome.value, outcome.bound) == (best, best)
    return outcome


def _same_track(problem: RoutingProblem, *classes: int) -> RoutingProblem:
    """Return the problem with classes that share the track of the first."""
    track = problem.classes[classes[0]].track
    changed = [
        replace(cls, track=track) if number in classes else cls
        for number, cls in enumerate(problem.classes)
    ]
    return replace(problem, classes=tuple(changed))


def test_a_fleet_with_a_coarser_grain_is_compared_with_the_best_run_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best run of one fleet is no multiple of what all runs of the next are multiples of.

    With the carriage, which is tried first, the train earns 100; without it 180, which is
    not 100 and 180 more. No first run is built, which would find that by itself.
    """
    monkeypatch.setattr(_Packing, "_first", lambda *_: None)
    problem = _line([[180, 0], [50, 50]], [("P", 1, {0: 1})], [1, 2], [1, 0])
    alone = replace(problem.classes[0].reach, fewest=1)
    plain = replace(problem.classes[0], reach=alone)
    problem = replace(problem, classes=(plain, problem.classes[1]))
    assert fleets_of(Task(problem, REVENUE)) == [{1: 1}, {0: 1}]
    assert _proven(Task(problem, REVENUE)).value == 180


def test_more_carriages_than_trains() -> None:
    """Two carriages and one train: the train takes one."""
    problem = _line([[10] * 4, [10] * 4], [("P", 2, {0: 1})], [2, 3], [1, 0])
    problem = _same_track(problem, 0, 1)
    assert fleets_of(Task(problem, REVENUE)) == [{1: 1}]
    assert _proven(Task(problem, REVENUE)).value == 30


def test_two_kinds_of_carriages_for_one_train() -> None:
    """Either kind makes the train better; it takes the one that makes it best."""
    values = [[10] * 4] * 3
    problem = _line(values, [("P", 1, {0: 1}), ("Q", 1, {0: 2})], [2, 3, 4], [1, 0, 0])
    problem = _same_track(problem, 0, 1, 2)
    assert _proven(Task(problem, REVENUE)).value == 40


def test_a_carriage_that_costs_a_bonus_is_left_behind() -> None:
    """The routes get longer with the carriage, but only without it they earn the bonus."""
    bonus = VisitBonus(frozenset({0, 1}), {0: 50})
    problem = _line([[10] * 4, [10] * 4], [("P", 1, {0: 1})], [2, 3], [1, 0], [bonus])
    problem = _same_track(problem, 0, 1)
    assert _proven(Task(problem, REVENUE)).value == 70


def test_a_carriage_whose_routes_are_banned_is_left_behind() -> None:
    """The train runs without the carriage what it may not run with it."""
    problem = _line([[10] * 2, [10] * 2], [("P", 1, {0: 1})], [2, 3], [1, 0])
    problem = _same_track(problem, 0, 1)
    banned = frozenset([route_key(NetRoute("", 1, (0, 1), (0,)))])
    assert _proven(Task(problem, REVENUE, banned=banned)).value == 20


def test_pinned_trains_use_up_carriages() -> None:
    """Two pinned routes need two carriages: with one there is no run, with two no other takes
    one."""
    problem = _line([[10] * 3, [10] * 3], [("P", 1, {0: 1})], [2, 3], [2, 0])
    pinned = (NetRoute("0-0", 1, (0, 1), (0,)), NetRoute("0-1", 1, (0, 1), (0,)))
    assert fleets_of(Task(problem, REVENUE, pinned=pinned)) == []
    enough = replace(problem, attachments=(Attachment("P", 2, {0: 1}),))
    assert fleets_of(Task(enough, REVENUE, pinned=pinned)) == [{}]
