"""What a run is worth does not depend on how the problem is written down."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.routing.problem import RoutingProblem
from engine.routing.run import CompanyState
from optimizer import Stop, solve
from optimizer.registry import engine_for, find_algorithm
from optimizer.task import Task, Weights
from tests.optimizer.builders import random_problem
from tests.optimizer.positions import TITLES, board_problem, boards
from tests.optimizer.rewriting import mirrored, renamed, shuffled, with_useless_track

REWRITINGS: dict[str, Callable[[RoutingProblem, random.Random], RoutingProblem]] = {
    "shuffled": shuffled,
    "mirrored": lambda problem, _: mirrored(problem),
    "renamed": renamed,
    "useless track": lambda problem, _: with_useless_track(problem),
}


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("way", REWRITINGS)
def test_another_writing_has_the_same_optimum(title: str, way: str) -> None:
    """Numbers of stops and legs, directions of legs, the order of equal trains and track that
    is of no use change nothing in the best revenue and subsidy; the referee confirms each."""
    for seed in range(boards(5)):
        problem = board_problem(title, 500 + seed, hexes=9, trains=3)
        other = REWRITINGS[way](problem, random.Random(seed))
        for name in ("default", "cp-sat"):
            before = solve(problem, algorithm=name, stop=Stop(60))
            after = solve(other, algorithm=name, stop=Stop(60))
            assert (before.revenue, before.subsidy) == (after.revenue, after.subsidy), (seed, name)
            assert len(before.run.routes) == len(after.run.routes), (seed, name)


@settings(max_examples=boards(30), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(REWRITINGS)))
def test_another_writing_of_made_up_words(seed: int, way: str) -> None:
    """The same for problems with any words together."""
    problem = random_problem(random.Random(seed))
    other = REWRITINGS[way](problem, random.Random(seed))
    for name in ("cp-sat", "circuit", *(["default"] if engine_for(problem) else [])):
        algorithm = find_algorithm(name).load()
        values = {algorithm(Task(one, Weights(1000, 1))).value for one in (problem, other)}
        assert len(values) == 1, name


@pytest.mark.parametrize("title", TITLES)
def test_the_order_of_the_company_s_trains_is_of_no_consequence(title: str) -> None:
    """Listing the trains backwards, under other ids, leaves the best run as good as it was."""

    def backwards(company: CompanyState) -> CompanyState:
        trains = [
            replace(train, id=f"T{number}") for number, train in enumerate(company.trains[::-1])
        ]
        return replace(company, trains=tuple(trains))

    for seed in range(boards(6)):
        problem = board_problem(title, 700 + seed, hexes=9, trains=4)
        other = board_problem(title, 700 + seed, hexes=9, trains=4, change=backwards)
        before, after = (solve(one, stop=Stop(60)) for one in (problem, other))
        assert (before.revenue, before.subsidy) == (after.revenue, after.subsidy), seed
