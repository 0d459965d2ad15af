"""Running CP-SAT so that it can be stopped, repeats itself, and is not believed blindly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ortools.sat.python import cp_model

from optimizer.stop import Stop

NO_MERGING = 0.0
"""Work that CP-SAT may spend on merging sets of literals of which at most one is true: none.
On tens of thousands of routes it takes seconds in which no stop is heeded (CP-SAT 9.15)."""

RETRY_SECONDS = 0.005
"""How often a stop is repeated: one that comes before the search has begun is lost."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What CP-SAT says about a model.

    Parameters
    ----------
    found
        A solution was found; the solver holds it.
    value
        Its objective, 0 if none was found.
    bound
        No solution has a larger objective; None if nothing is known.
    infeasible
        Proven: there is no solution.
    """

    found: bool
    value: int
    bound: int | None
    infeasible: bool


def new_solver(seed: int) -> cp_model.CpSolver:
    """Return a solver of one thread that gives the same answer to the same seed.

    It leaves interrupts from the keyboard to the program: a service that solves has to end,
    and two solvers that both wait for the same signal bring the process down.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    solver.parameters.catch_sigint_signal = False
    solver.parameters.merge_at_most_one_work_limit = NO_MERGING
    return solver


def run_solver(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    stop: Stop,
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> Answer:
    """Maximise a model until it is proven or the stop says so.

    Notes
    -----
    The status OPTIMAL of a search that was stopped is not taken for a proof:
    only a bound that equals the objective is (CP-SAT 9.15).
    """
    left = stop.left()
    if stop.over():
        return Answer(False, 0, None, False)
    if left is not None:
        solver.parameters.max_time_in_seconds = max(left, 1e-3)
    with interrupting(solver, stop):
        status = solver.solve(model, callback)
    if status == cp_model.INFEASIBLE:
        return Answer(False, 0, None, not stop.over())
    if status == cp_model.MODEL_INVALID:
        raise ValueError(f"CP-SAT refuses the model: {model.validate()}")
    bound = round(solver.best_objective_bound)
    if status == cp_model.UNKNOWN:
        return Answer(False, 0, None, False)
    return Answer(True, round(solver.objective_value), bound, False)


@contextmanager
def interrupting(solver: cp_model.CpSolver, stop: Stop) -> Iterator[None]:
    """Stop the search when the caller cancels, even if it has not begun yet."""
    done = threading.Event()

    def insist() -> None:
        while not done.wait(RETRY_SECONDS):
            solver.stop_search()

    def interrupt() -> None:
        solver.stop_search()
        threading.Thread(target=insist, daemon=True).start()

    with stop.during(interrupt):
        try:
            yield
        finally:
            done.set()


class OnBetter(cp_model.CpSolverSolutionCallback):
    """Calls a function with each better solution; errors in it end the search and come out.

    Parameters
    ----------
    tell
        Called with the callback itself, which knows the values.
    """

    def __init__(self, tell: Callable[[cp_model.CpSolverSolutionCallback], None]) -> None:
        super().__init__()
        self._tell = tell
        self.error: Exception | None = None

    def on_solution_callback(self) -> None:
        """Called by CP-SAT with each better solution."""
        try:
            self._tell(self)
        except Exception as error:  # raised again by whoever started the search
            self.error = error
            self.stop_search()
