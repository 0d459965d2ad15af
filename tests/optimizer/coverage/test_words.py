"""On made-up problems both provers find what pricing every run finds."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import Attachment, GroupBonus, HexSubsidy, PaidOnce, Pay
from optimizer.coverage import solve, solve_coverage, solve_coverage_cp_sat, trails
from optimizer.errors import WordsError
from optimizer.pricing import price
from optimizer.task import IMPOSSIBLE, Outcome, Task, Weights, route_key
from tests.optimizer.builders import best_by_price, count_runs
from tests.optimizer.coverage.problems import coverage_problem, random_task
from tests.optimizer.positions import boards

PROVERS: tuple[Callable[[Task], Outcome], ...] = (solve_coverage, solve_coverage_cp_sat)
MOST_RUNS = 5000


def _drawn(seed: int) -> Task | None:
    """Return a task whose runs can all be priced, or None."""
    rng = random.Random(seed)
    problem = coverage_problem(rng)
    return random_task(problem, rng) if count_runs(problem) <= MOST_RUNS else None


def _check(task: Task, outcome: Outcome, value: int) -> None:
    assert (outcome.value, outcome.bound) == (value, value)
    assert outcome.proof in ("bounds", "search", "cp-sat")
    if value == IMPOSSIBLE:
        assert outcome.routes == ()
        return
    known = price(task.problem, outcome.routes)
    assert known.legal
    assert known.value(task.weights) == value
    held = {route_key(route) for route in task.pinned}
    assert held <= {route_key(route) for route in outcome.routes}
    free = [route for route in outcome.routes if route_key(route) not in held]
    assert task.banned.isdisjoint(map(route_key, free))


@settings(max_examples=boards(120), deadline=None)
@given(st.integers(0, 10**7))
@example(105)
@example(163)
@example(317)
@example(937)
@example(959)
@example(1019)
@example(1069)
@example(1335)
@example(2430)
@example(4122)
@example(6335)
@example(6347)
@example(17308)
def test_both_provers_find_what_pricing_every_run_finds(seed: int) -> None:
    """Any words that the engine knows together, any objective, with pinned and banned
    routes: the best value, proven, with a run that is worth it and keeps to them."""
    task = _drawn(seed)
    if task is None:
        return
    best = best_by_price(task.problem, task.weights, task.pinned, task.banned)
    for prover in PROVERS:
        _check(task, prover(task), IMPOSSIBLE if best is None else best)


@settings(max_examples=boards(40), deadline=None)
@given(st.integers(0, 10**7))
def test_a_floor_is_kept(seed: int) -> None:
    """A floor not above the best value changes nothing; above it the bound stays below it."""
    task = _drawn(seed)
    if task is None:
        return
    best = solve_coverage(task)
    same = solve_coverage(replace(task, floor=max(best.value, 0)))
    assert (same.value, same.bound) == (best.value, best.bound)
    above = solve_coverage(replace(task, floor=best.value + 1))
    assert above.value <= best.value <= above.bound
    assert above.bound < best.value + 1 or not best.routes


@settings(max_examples=boards(30), deadline=None)
@given(st.integers(0, 10**7))
def test_equal_tasks_have_equal_answers(seed: int) -> None:
    """The answer does not depend on what was solved before, nor on the seed."""
    task = _drawn(seed)
    if task is None:
        return
    rng = random.Random(seed)
    again = random_task(coverage_problem(rng), rng)
    first, second = solve_coverage(task), solve_coverage(replace(again, seed=7))
    assert first == second


@settings(max_examples=boards(80), deadline=None)
@given(st.integers(0, 10**7))
@example(5112)
@example(6721)
@example(7672)
def test_every_run_told_on_the_way_is_worth_what_is_said(seed: int) -> None:
    """So that it passes the referee: of a closed chain the best stop pays, whichever of its
    stops the search had in mind; and no bound told is below the best run."""
    task = _drawn(seed)
    if task is None:
        return
    told: list[tuple[tuple[NetRoute, ...], int, int]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solve, "build_runs", lambda *_: None)
        best = solve_coverage(replace(task, progress=lambda *better: told.append(better)))
    for routes, value, bound in told:
        known = price(task.problem, routes)
        assert (known.legal, known.value(task.weights)) == (True, value)
        assert value <= best.value <= bound


@settings(max_examples=boards(40), deadline=None)
@given(st.integers(0, 10**7))
def test_trails_joined_a_few_at_a_time_are_the_same(seed: int) -> None:
    """Whether what other trails stand for is dropped early or late, the answer is equal."""
    task = _drawn(seed)
    if task is None:
        return
    at_once = solve_coverage(task)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trails, "AT_ONCE", 1)
        assert solve_coverage(task) == at_once


@pytest.mark.parametrize("seed", [74, 157, 320])
def test_where_no_stop_pays_bonuses_still_do(seed: int) -> None:
    """Bounds over no elements at all are bounds as well."""
    problem = coverage_problem(random.Random(seed))
    words = tuple(
        replace(word, payee=(None,) * len(word.payee)) if isinstance(word, PaidOnce) else word
        for word in problem.words
        if not isinstance(word, HexSubsidy)
    )
    task = Task(replace(problem, words=words), Weights(1, 0))
    best = best_by_price(task.problem, task.weights)
    assert best
    _check(task, solve_coverage(task), best)


def test_what_the_engine_does_not_know_is_refused() -> None:
    """Words, carriages, shared track and payments beside PaidOnce raise, never pass."""
    problem = next(p for p in map(coverage_problem, map(random.Random, range(20))) if p.legs)
    cls = problem.classes[0]
    bonus = GroupBonus({}, (), frozenset())
    busy = replace(cls, track="a", trains=("x", "y"))
    paying = replace(cls, pay=Pay(cls.pay.stops, (10,) * len(problem.legs)))
    wrong = (
        (replace(problem, words=(*problem.words, bonus)), "GroupBonus"),
        (replace(problem, attachments=(Attachment("P", 1, {}),)), "Attachment"),
        (replace(problem, classes=(busy,)), "share track freely"),
        (replace(problem, classes=(paying,)), "Pay.legs"),
        (replace(problem, words=()), "PaidOnce"),
        (replace(problem, words=(*problem.words[1:],)), "PaidOnce"),
    )
    for bad, message in wrong:
        with pytest.raises((ValueError, WordsError), match=message):
            solve_coverage(Task(bad, Weights(1, 0)))
    with pytest.raises(ValueError, match="below zero"):
        solve_coverage(Task(problem, Weights(-1, 0)))


def test_subsidies_of_chained_routes_are_refused() -> None:
    """Hexes that chained routes would pay are not for this engine."""
    for seed in range(200):
        problem = coverage_problem(random.Random(seed))
        chained = [word.classes for word in problem.words if hasattr(word, "divide")]
        if chained and not problem.words_of(HexSubsidy):
            bad = replace(problem, words=(*problem.words, HexSubsidy(chained[0], 10)))
            with pytest.raises(ValueError, match="chained"):
                solve_coverage(Task(bad, Weights(1, 1)))
            return
    raise AssertionError("no problem with chains was drawn")
