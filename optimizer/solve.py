"""The one call: from a problem and wishes to a checked solution."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Run, Verdict
from engine.routing.vocabulary import MustRun
from optimizer.errors import DisagreementError, OutOfTimeError, WishesError
from optimizer.first_run import first_run
from optimizer.fleet import in_order, staff
from optimizer.objective import bound_in_pounds, weights_for
from optimizer.pricing import price
from optimizer.ranking import fewest_trains, next_best
from optimizer.registry import Entry, find_algorithm
from optimizer.solution import (
    Improvement,
    Objective,
    RankedRun,
    Solution,
    Status,
    Tie,
    Wishes,
)
from optimizer.stop import Stop
from optimizer.task import IMPOSSIBLE, Algorithm, Outcome, Stages, Task
from optimizer.wishes import Asked, apply_wishes, impossible
from optimizer.words import check_words

OnProgress = Callable[[Improvement], None]
"""Called with each better run found on the way, in the thread that solves."""

NO_WISHES = Wishes()
NO_OTHERS: tuple[RankedRun, ...] = ()
BOUNDS = "bounds"
"""What proves a run that reaches the bound known when time runs out."""


def solve(
    problem: RoutingProblem,
    *,
    stop: Stop | None = None,
    seed: int = 0,
    algorithm: str = "default",
    objective: Objective = Objective.REVENUE,
    wishes: Wishes = NO_WISHES,
    runs: int = 1,
    progress: OnProgress | None = None,
) -> Solution:
    """Find the best run of a company and prove it.

    Parameters
    ----------
    problem
        What is to be decided (``Rules.problem``).
    stop
        Time limit or cancellation; None: until it is proven.
    seed
        For every random choice: same problem, same seed, same answer, unless
        time runs out.
    algorithm
        A name of :data:`optimizer.registry.ALGORITHMS`.
    objective
        What is maximised first.
    wishes
        What the caller wants to be so, whatever it costs. The solution then
        says in `free` what is best without.
    runs
        How many runs are wanted: the best, and the next best different ones.
    progress
        Told of each better run.

    Returns
    -------
    Solution
        The referee has confirmed that its run is legal and pays what it says.

    Raises
    ------
    UnknownAlgorithmError
        No algorithm has this name.
    WishesError
        The wishes are impossible, contradict each other or break the rules.
    TooLargeError
        The algorithm is not made for problems of this size.
    WordsError
        The words of the problem have no clear meaning, or the algorithm does not know one.
    OutOfTimeError
        Time ran out before any run with the pinned routes was found, or, where
        trains must run if they can, before any legal run was found.
    DisagreementError
        The referee does not confirm the algorithm: an error in the program.
    ValueError
        `runs` is less than 1.

    Notes
    -----
    *Ties.* Of runs equal in revenue and subsidy one with the fewest trains is
    returned (exactly so unless time runs out, or a train must run if it can).
    Beyond that the choice is deterministic, and equal trains get the routes in
    a fixed order, but it need not be the lexicographically smallest list of
    routes that the rules propose.

    *Time.* When time runs out the best run found is returned with ``FEASIBLE``
    and a bound that holds; with no time at all that is a run found in some
    milliseconds. Importing the algorithm does not count. If the run reaches
    the bound it is ``OPTIMAL`` all the same, and `open_ties` says which
    tie-breaks are not proven. `others` and `free` are left out as far as they
    are not proven; `others_cut_short` says so.
    """
    if runs < 1:
        raise ValueError(f"at least one run is wanted, not {runs}")
    check_words(problem)
    stop = stop or Stop()
    method = _loaded(find_algorithm(algorithm), stop)
    asked = apply_wishes(problem, wishes)
    desk = _Desk(asked, objective, bool(wishes))
    task = Task(
        problem=asked.problem,
        weights=weights_for(asked.problem, objective),
        pinned=asked.pinned,
        allowed=asked.allowed,
        stop=stop,
        seed=seed,
        progress=desk.watching(progress),
    )
    outcome = desk.answered(_not_empty(task, method(task)))
    others, cut_short = NO_OTHERS, runs > 1
    open_ties: tuple[Tie, ...] = (objective.second, Tie.TRAINS)
    if outcome.proven:
        with task.stages("fewer trains"):
            fewest = fewest_trains(task, method, outcome.routes, outcome.value, outcome.fleet_bound)
            outcome = replace(outcome, routes=fewest.routes)
            open_ties = () if fewest.proven else (Tie.TRAINS,)
        if runs > 1:
            with task.stages("others"):
                others, cut_short = desk.others(task, method, outcome, runs - 1)
    run, verdict = desk.checked(outcome.routes, outcome.value)
    free = None
    if wishes:
        with task.stages("without wishes"):
            free = _without_wishes(problem, method, objective, stop, seed)
    bound = bound_in_pounds(asked.problem, objective, outcome.bound)
    proven = objective.measure(verdict.revenue, verdict.subsidy) >= bound
    return Solution(
        status=Status.OPTIMAL if proven else Status.FEASIBLE,
        run=run,
        verdict=verdict,
        revenue=verdict.revenue,
        subsidy=verdict.subsidy,
        bound=bound,
        proof=(outcome.proof or BOUNDS) if proven else "",
        algorithm=algorithm,
        seed=seed,
        stages=tuple(task.stages.by_name.values()),
        others=others,
        free=free,
        open_ties=open_ties,
        others_cut_short=cut_short,
    )


def _loaded(entry: Entry, stop: Stop) -> Algorithm:
    """Return an algorithm with all that it imports; importing is no part of the time limit."""
    with stop.standing_still():
        return entry.load()


def _not_empty(task: Task, outcome: Outcome) -> Outcome:
    """Return an outcome that holds a run that pays where time ran out before one was found.

    What needs a list of routes has nothing before the list is complete; a quick run takes
    some milliseconds even then.
    """
    if outcome.proven or outcome.value > 0:
        return outcome
    routes, value = first_run(task)
    if value <= outcome.value:
        return outcome
    if task.progress is not None:
        task.progress(routes, value, max(value, outcome.bound))
    return replace(outcome, routes=routes, value=value)


def _without_wishes(
    problem: RoutingProblem, method: Algorithm, objective: Objective, stop: Stop, seed: int
) -> RankedRun | None:
    """Return the best run without wishes, or None if time ran out before it was proven."""
    desk = _Desk(Asked(problem), objective, wished=False)
    weights = weights_for(problem, objective)
    task = Task(problem, weights, stop=stop, seed=seed, stages=Stages())
    outcome = method(task)
    if not outcome.proven:
        return None
    outcome = desk.answered(outcome)
    fewest = fewest_trains(task, method, outcome.routes, outcome.value, outcome.fleet_bound)
    return desk.ranked(fewest.routes, outcome.value)


class _Desk:
    """Turns what algorithms find into runs and has the referee check them."""

    def __init__(self, asked: Asked, objective: Objective, wished: bool) -> None:
        self.problem = asked.problem
        self.pinned = asked.pinned
        self.objective = objective
        self.wished = wished
        self.weights = weights_for(asked.problem, objective)

    def watching(
        self, progress: OnProgress | None
    ) -> Callable[[tuple[NetRoute, ...], int, int], None] | None:
        """Return what tells `progress` of the runs that an algorithm finds."""
        if progress is None:
            return None

        def tell(routes: tuple[NetRoute, ...], value: int, bound: int) -> None:
            run, verdict = self.checked(routes, value)
            pounds = bound_in_pounds(self.problem, self.objective, bound)
            progress(Improvement(run, verdict, pounds))

        return tell

    def answered(self, outcome: Outcome) -> Outcome:
        """Return an outcome that holds a run; raise if there is none."""
        if outcome.value != IMPOSSIBLE:
            if {route.train for route in self.pinned} <= {route.train for route in outcome.routes}:
                return outcome
            run = self.problem.to_run(outcome.routes)
            message = "the algorithm leaves out a pinned route"
            raise DisagreementError(message, self.problem, run, self.problem.judge(run), None)
        if outcome.bound > IMPOSSIBLE:
            raise OutOfTimeError("time ran out before any run was found that may be run")
        if self.pinned:
            raise WishesError([impossible()])
        verdict = self.problem.judge(Run())
        if self._told_to_stand(verdict):
            raise WishesError(verdict.faults)
        raise DisagreementError(
            "the words allow no run, not even of nothing", self.problem, Run(), verdict, None
        )

    def checked(self, routes: Sequence[NetRoute], value: int) -> tuple[Run, Verdict]:
        """Return a run and the verdict on it; raise if the referee does not confirm it."""
        run = self.problem.to_run(self._written(routes))
        verdict = self.problem.judge(run)
        if verdict.legal and self.weights.value(verdict.revenue, verdict.subsidy) == value:
            return run, verdict
        if self._told_to_stand(verdict):
            raise WishesError(verdict.faults)
        known = price(self.problem, routes)
        promised = (known.revenue, known.subsidy) if known.legal else None
        said = f"£{verdict.revenue} and £{verdict.subsidy}" if verdict.legal else "it is illegal"
        message = f"of a run worth {value} (in £: {promised}) the referee says: {said}"
        raise DisagreementError(message, self.problem, run, verdict, promised)

    def _told_to_stand(self, verdict: Verdict) -> bool:
        """Tell whether a run is illegal because wishes keep trains idle that must run if they can.

        The words know the trains and stops that the wishes leave, the referee knows all.
        """
        return not verdict.legal and self.wished and bool(self.problem.words_of(MustRun))

    def _written(self, routes: Sequence[NetRoute]) -> tuple[NetRoute, ...]:
        """Return the run as it is written whatever way it was found."""
        held = {route.train for route in self.pinned}
        free = [route for route in routes if route.train not in held]
        pinned = [route for route in routes if route.train in held]
        return staff(self.problem, free, pinned) or in_order(self.problem, routes)

    def ranked(self, routes: Sequence[NetRoute], value: int) -> RankedRun:
        """Return a checked run as an entry of a list."""
        run, verdict = self.checked(routes, value)
        return RankedRun(run, verdict.revenue, verdict.subsidy)

    def others(
        self, task: Task, method: Algorithm, outcome: Outcome, number: int
    ) -> tuple[tuple[RankedRun, ...], bool]:
        """Return the next best different runs after an outcome, and whether time ended the list."""
        found = next_best(task, method, outcome.routes, outcome.value, number)
        runs = tuple(self.ranked(entry.routes, entry.value) for entry in found.runs)
        return runs, found.cut_short
