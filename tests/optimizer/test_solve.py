"""What `solve` promises beside the best revenue: ties, objectives, reports and honesty."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.routing.problem import RoutingProblem
from engine.routing.run import Run, Verdict
from engine.routing.vocabulary import Budget, EndsSubsidy, Pay, Reach, TrainClass
from optimizer import ALGORITHMS, Improvement, Objective, Status, Stop, solve
from optimizer.errors import DisagreementError, TooLargeError, UnknownAlgorithmError
from optimizer.objective import bound_in_pounds, most_revenue, most_subsidy, weights_for
from optimizer.pricing import price
from optimizer.registry import engine_for
from tests.optimizer.builders import all_runs, count_runs, made_problem, net_leg, net_stop
from tests.optimizer.positions import TITLES, board_problem, boards, large_problem


@pytest.mark.parametrize("title", TITLES)
def test_each_objective_is_met_in_its_order(title: str) -> None:
    """Revenue, total or subsidy first, the other amount next: as pricing every run says."""
    orders = {
        Objective.REVENUE: lambda revenue, subsidy: (revenue, subsidy),
        Objective.TOTAL: lambda revenue, subsidy: (revenue + subsidy, revenue),
        Objective.SUBSIDY: lambda revenue, subsidy: (subsidy, revenue),
    }
    for seed in range(boards(10)):
        problem = board_problem(title, 8000 + seed, hexes=6, trains=2)
        if count_runs(problem) > 1500:
            continue
        priced = [price(problem, run) for run in all_runs(problem)]
        amounts = [(known.revenue, known.subsidy) for known in priced if known.legal]
        for objective, order in orders.items():
            solution = solve(problem, objective=objective)
            best = max(order(*pair) for pair in amounts)
            assert order(solution.revenue, solution.subsidy) == best, (seed, objective)
            assert solution.bound == best[0]


@pytest.mark.parametrize("title", TITLES)
def test_no_run_exceeds_what_is_seen_at_a_glance(title: str) -> None:
    """The amounts from which weights are made bound every run, so the weights keep order."""
    for seed in range(boards(8)):
        problem = board_problem(title, 8500 + seed, hexes=6, trains=2)
        solution = solve(problem)
        assert solution.revenue <= most_revenue(problem)
        assert solution.subsidy <= most_subsidy(problem)


def test_a_bound_on_the_revenue_is_rounded_to_the_step() -> None:
    """Revenues are multiples of £10, so 1,059 in weights of 10 means no more than £100."""
    problem = replace(_mail(), step=10)
    weights = weights_for(problem, Objective.REVENUE)
    assert bound_in_pounds(problem, Objective.REVENUE, weights.value(100, 5)) == 100
    assert bound_in_pounds(problem, Objective.REVENUE, weights.value(109, 0)) == 100
    assert bound_in_pounds(problem, Objective.REVENUE, weights.value(110, 0)) == 110


def _mail() -> RoutingProblem:
    """Along 10 - 30 - 30 a train of two stops; half of both ends is mail."""
    stops = [net_stop(n) for n in range(4)]
    legs = [net_leg(stops, 0, 1, 0), net_leg(stops, 1, 2, 1), net_leg(stops, 2, 3, 2)]
    everywhere = frozenset(range(4))
    reach = Reach(everywhere, everywhere, everywhere, everywhere, (Budget(2, (1,) * 4),))
    cls = TrainClass("2", ("2-0",), reach, Pay((10, 30, 30, 30)), "all")
    return made_problem(stops, legs, [cls], [EndsSubsidy(1, (10, 10, 20, 40), 2, frozenset({0}))])


@pytest.mark.parametrize("name", ["default", "search", "cp-sat", "circuit"])
def test_of_equal_revenues_the_one_with_more_mail_is_taken(name: str) -> None:
    """30 + 30 twice; the ends 20 and 40 give 30 of mail, 10 and 20 only 15."""
    solution = solve(_mail(), algorithm=name)
    assert (solution.revenue, solution.subsidy) == (60, 30)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_same_seed_gives_the_same_answer(name: str) -> None:
    """Twice the same question: the same routes, in the same order, the same way round."""
    for title in TITLES:
        problem = board_problem(title, 8101, hexes=6, trains=2)
        first, second = (solve(problem, algorithm=name, seed=7, runs=3) for _ in range(2))
        assert first.run == second.run
        assert [run.run for run in first.others] == [run.run for run in second.others]
        assert (first.proof, first.bound) == (second.proof, second.bound)


@pytest.mark.parametrize("title", TITLES)
def test_equal_trains_get_their_routes_in_a_fixed_order(title: str) -> None:
    """Which of several equal trains runs what does not depend on the algorithm's whims: their
    routes are in order."""
    for seed in range(boards(10)):
        problem = board_problem(title, 8200 + seed, hexes=8, trains=3)
        solution = solve(problem)
        runs = {route.train: route for route in solution.run.routes}
        for cls in problem.classes:
            idle = [train not in runs for train in cls.trains]
            if not any(train in runs and runs[train].attachment for train in cls.trains):
                assert idle == sorted(idle)


@pytest.mark.parametrize("title", TITLES)
def test_progress_tells_of_ever_better_runs(title: str) -> None:
    """Each report is a legal run, better than the one before, below its bound; the last is
    as good as the answer."""
    problem = large_problem(title, 1)
    told: list[Improvement] = []
    solution = solve(problem, progress=told.append)
    worth = [(step.verdict.revenue, step.verdict.subsidy) for step in told]
    assert worth == sorted(set(worth))
    assert worth[-1] == (solution.revenue, solution.subsidy)
    assert all(step.bound >= solution.revenue for step in told)
    assert all(problem.judge(step.run) == step.verdict for step in told)


def test_a_referee_who_says_otherwise_is_reported() -> None:
    """If the referee pays less than promised there is no answer but an error with the run."""
    problem = board_problem("18GB", 2, hexes=6, trains=1)

    def stingy(run: Run) -> Verdict:
        verdict = problem.judge(run)
        return replace(verdict, revenue=max(0, verdict.revenue - 10))

    wrong = replace(problem, judge=stingy)
    with pytest.raises(DisagreementError) as caught:
        solve(wrong)
    error = caught.value
    assert error.code == "DISAGREEMENT"
    assert error.promised is not None
    assert error.promised[0] == error.verdict.revenue + 10
    assert error.run.routes
    assert error.problem is wrong


def test_the_oracle_reports_a_run_that_the_network_lacks() -> None:
    """A problem that lost a leg is found out, since the oracle looks at the board."""
    for seed in range(50):
        problem = board_problem("18GB", seed, hexes=6, trains=1)
        best = solve(problem)
        if best.revenue:
            break
    lamed = tuple(
        replace(cls, reach=replace(cls.reach, legs=frozenset())) for cls in problem.classes
    )
    gutted = replace(problem, legs=(), classes=lamed)
    with pytest.raises(DisagreementError) as caught:
        solve(gutted, algorithm="exhaustive")
    assert caught.value.verdict.revenue == best.revenue


def test_the_oracle_refuses_what_is_too_large() -> None:
    """It says so, and how large is too large."""
    with pytest.raises(TooLargeError, match=r"routes|runs"):
        solve(large_problem("18GB", 0), algorithm="exhaustive")


def test_unknown_algorithms_are_refused_with_the_list_of_names() -> None:
    """The message helps."""
    with pytest.raises(UnknownAlgorithmError, match="default, search, cp-sat, circuit"):
        solve(_mail(), algorithm="best")


def test_at_least_one_run_is_wanted() -> None:
    """Asking for no run is an error."""
    with pytest.raises(ValueError, match="at least one"):
        solve(_mail(), runs=0)


def test_engines_are_chosen_by_words() -> None:
    """Track that trains exclude each other from goes to packing, payments counted once to
    coverage, anything else to CP-SAT alone."""
    assert engine_for(board_problem("1822", 1)) == "packing"
    assert engine_for(board_problem("18GB", 1)) == "packing"
    assert engine_for(board_problem("1862", 1)) == "coverage"
    once = board_problem("1862", 1).words[0]
    assert engine_for(replace(_mail(), words=(*_mail().words, once))) == ""


def test_a_company_without_trains_runs_nothing() -> None:
    """Nothing, proven."""
    for title in TITLES:
        problem = board_problem(title, 3)
        idle = tuple(replace(cls, trains=()) for cls in problem.classes)
        for name in ALGORITHMS:
            solution = solve(replace(problem, classes=idle), algorithm=name, stop=Stop(10))
            assert solution.status is Status.OPTIMAL
            assert solution.run == Run()
            assert solution.bound == 0
