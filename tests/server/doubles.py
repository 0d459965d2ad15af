"""Solvers that stand in for the optimizer, and requests to send them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Run, Verdict
from optimizer.solution import Improvement, Objective, Solution, Status, Wishes
from optimizer.stop import Stop
from optimizer.task import Stage


def solution(run: Run, verdict: Verdict, status: Status = Status.OPTIMAL) -> Solution:
    """Return an answer that claims what the referee pays."""
    return Solution(
        status=status,
        run=run,
        verdict=verdict,
        revenue=verdict.revenue,
        subsidy=verdict.subsidy,
        bound=verdict.revenue,
        proof="double" if status is Status.OPTIMAL else "",
        algorithm="double",
        seed=0,
        stages=(Stage("double", 1.5, {"routes": 1}),),
    )


@dataclass
class IdleSolver:
    """Runs nothing and says that this is the best.

    Parameters
    ----------
    change
        Applied to the answer before it is returned.
    """

    change: Callable[[Solution], Solution] = lambda answer: answer
    asked: list[dict[str, object]] = field(default_factory=list)

    def __call__(
        self,
        problem: RoutingProblem,
        *,
        stop: Stop,
        seed: int,
        algorithm: str,
        objective: Objective,
        wishes: Wishes,
        runs: int,
        progress: Callable[[Improvement], None] | None,
    ) -> Solution:
        self.asked.append(
            {"seed": seed, "left": stop.left(), "algorithm": algorithm, "objective": objective}
        )
        run = Run()
        return self.change(solution(run, problem.judge(run)))


class OneLegSolver(IdleSolver):
    """Tells of the first legal route over one leg, then of a better one, and so on."""

    def __call__(self, problem: RoutingProblem, **options: object) -> Solution:  # type: ignore[override]
        progress = options["progress"]
        best = Run()
        verdict = problem.judge(best)
        for number, cls in enumerate(problem.classes):
            for leg, joined in enumerate(problem.legs):
                if not cls.trains:
                    continue
                route = NetRoute(cls.trains[0], number, (joined.a, joined.b), (leg,))
                run = Run((problem.to_route(route),))
                paid = problem.judge(run)
                if paid.legal and paid.revenue > verdict.revenue:
                    best, verdict = run, paid
                    if progress is not None:
                        progress(Improvement(run, paid, 10_000))  # type: ignore[operator]
        answer = solution(best, verdict, Status.FEASIBLE)
        return self.change(replace(answer, bound=10_000))


class StubbornSolver(IdleSolver):
    """Never ends by itself: waits for its stop, and counts what it did.

    Attributes
    ----------
    running, ended
        Solves that run now, and that have ended.
    cancelled
        Solves that ended because their stop was cancelled.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()
        self.running = 0
        self.ended = 0
        self.cancelled = 0

    def __call__(self, problem: RoutingProblem, **options: object) -> Solution:  # type: ignore[override]
        stop = options["stop"]
        assert isinstance(stop, Stop)
        with self.lock:
            self.running += 1
        while not stop.over():
            time.sleep(0.001)
        with self.lock:
            self.running -= 1
            self.ended += 1
            self.cancelled += stop.cancelled
        run = Run()
        return replace(solution(run, problem.judge(run), Status.FEASIBLE), bound=10_000)
