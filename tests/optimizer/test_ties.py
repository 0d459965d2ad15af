"""What an answer says to be proven when time ends the solve: money, ties, the list of runs."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from types import SimpleNamespace

import pytest

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Budget, EndsSubsidy, MustRun, Pay, Reach, TrainClass, Word
from optimizer import Objective, Status, Stop, Tie, solve
from optimizer.registry import find_algorithm
from optimizer.task import Algorithm, Outcome, Task
from tests.optimizer.builders import made_problem, net_leg, net_stop

solve_module = import_module("optimizer.solve")


def _stopped_after(monkeypatch: pytest.MonkeyPatch, solves: int) -> Stop:
    """Return a stop that is cancelled as soon as an algorithm has come back so many times."""
    stop, find = Stop(), find_algorithm
    done: list[Outcome] = []

    def algorithm(task: Task) -> Outcome:
        done.append(find("cp-sat").load()(task))
        if len(done) == solves:
            stop.cancel()
        return done[-1]

    _use(monkeypatch, algorithm)
    return stop


def _use(monkeypatch: pytest.MonkeyPatch, algorithm: Algorithm) -> None:
    """Let an algorithm stand for all."""
    entry = SimpleNamespace(load=lambda: algorithm)
    monkeypatch.setattr(solve_module, "find_algorithm", lambda _: entry)


def _line(values: tuple[int, ...], visits: int, *words: Word) -> RoutingProblem:
    """Return the problem of two trains of so many stops on a line."""
    stops = tuple(map(net_stop, range(len(values))))
    legs = tuple(net_leg(stops, n, n + 1, n) for n in range(len(stops) - 1))
    every = frozenset(range(len(stops)))
    budget = Budget(visits, (1,) * len(stops))
    reach = Reach(visits=every, through=every, ends=every, own=every, budgets=(budget,))
    cls = TrainClass("x", ("x-0", "x-1"), reach, Pay(stops=values), track="all")
    return replace(made_problem(stops, legs, [cls], words), step=10)


def test_money_is_proven_when_time_ends_the_search_for_fewer_trains(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The answer is optimal and says that only the number of trains is open."""
    problem = _line((40, 0, 0, 0, 40), 3)
    whole = solve(problem, algorithm="cp-sat")
    assert (whole.status, whole.revenue, whole.open_ties) == (Status.OPTIMAL, 80, ())
    stopped = solve(problem, stop=_stopped_after(monkeypatch, 1))
    assert (stopped.status, stopped.revenue, stopped.bound) == (Status.OPTIMAL, 80, 80)
    assert stopped.open_ties == (Tie.TRAINS,)
    assert stopped.proof


@pytest.mark.parametrize(("objective", "open_tie"), [("revenue", "subsidy"), ("total", "revenue")])
def test_a_run_equal_to_its_bound_is_proven(
    monkeypatch: pytest.MonkeyPatch, objective: str, open_tie: str
) -> None:
    """Time ran out where only the amount that decides second was open: the run is optimal by
    its bound, and says so."""
    find = find_algorithm

    def algorithm(task: Task) -> Outcome:
        outcome = find("cp-sat").load()(task)
        return replace(outcome, bound=outcome.value + 1, proof="")

    _use(monkeypatch, algorithm)
    problem = _line((10, 20, 30), 2, EndsSubsidy(1, (20, 20, 20), 2, frozenset({0})))
    solution = solve(problem, objective=Objective(objective))
    assert solution.status is Status.OPTIMAL
    assert solution.proof == "bounds"
    assert solution.open_ties == (open_tie, "trains")


def test_a_list_that_time_ends_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three runs are asked for: with time for the first alone, and then for all that there are."""
    problem = _line((10, 20, 30, 40), 2)
    whole = solve(problem, algorithm="cp-sat", runs=20)
    assert len(whole.others) > 2
    assert not whole.others_cut_short
    some = solve(problem, algorithm="cp-sat", runs=3)
    assert (len(some.others), some.others_cut_short) == (2, False)
    cut = solve(problem, runs=3, stop=_stopped_after(monkeypatch, 4))
    assert cut.status is Status.OPTIMAL
    assert len(cut.others) < 2
    assert cut.others_cut_short


def test_a_train_that_must_run_leaves_open_whether_fewer_do() -> None:
    """1862 D18: only leaving out routes of the run found is tried, and the answer says so."""
    problem = _line((40, 0, 0, 0, 40), 3, MustRun(frozenset({0})))
    solution = solve(problem, algorithm="cp-sat")
    assert (solution.revenue, solution.open_ties) == (80, (Tie.TRAINS,))
