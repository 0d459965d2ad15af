"""What can go wrong in the optimizer, with codes that never change."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import BradshawError, Fault
from engine.routing.problem import RoutingProblem
from engine.routing.run import Run, Verdict


class DisagreementError(BradshawError):
    """The referee does not confirm what an algorithm promises; see its report.

    It means an error in the program: in the words, in an algorithm or in the
    referee. No answer is given in that case.

    Attributes
    ----------
    problem, run, verdict
        What was solved, the run in question, and what the referee says of it.
    promised
        Revenue and subsidy that the words promise, in £; None if the words do
        not know the run.
    """

    code = "DISAGREEMENT"

    def __init__(
        self,
        message: str,
        problem: RoutingProblem,
        run: Run,
        verdict: Verdict,
        promised: tuple[int, int] | None,
    ) -> None:
        super().__init__(message, verdict.faults)
        self.problem = problem
        self.run = run
        self.verdict = verdict
        self.promised = promised


class WishesError(BradshawError):
    """The wishes cannot be met; see ``faults``."""

    code = "WISHES_INVALID"

    def __init__(self, faults: Iterable[Fault]) -> None:
        listed = tuple(faults)
        super().__init__("; ".join(f"{f.path}: {f.message}" for f in listed), listed)


class UnknownAlgorithmError(BradshawError):
    """No algorithm of the registry has this name."""

    code = "ALGORITHM_UNKNOWN"


class TooLargeError(BradshawError):
    """The problem is too large for an algorithm that is made for small ones."""

    code = "PROBLEM_TOO_LARGE"


class WordsError(BradshawError):
    """The words of a problem are unknown to the algorithm or unclear; see ``faults``."""

    code = "WORDS_REFUSED"

    def __init__(self, faults: Iterable[Fault]) -> None:
        listed = tuple(faults)
        super().__init__("; ".join(f"{f.path}: {f.message}" for f in listed), listed)


class OutOfTimeError(BradshawError):
    """Time ran out before any run was found that holds the pinned routes."""

    code = "TIME_TOO_SHORT"
