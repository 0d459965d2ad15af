"""The algorithms by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from typing import Any

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Chains, HexSubsidy, PaidOnce
from optimizer.errors import UnknownAlgorithmError
from optimizer.packing.scope import handles
from optimizer.task import Algorithm, Outcome, Task
from optimizer.words import unknown_words


@dataclass(frozen=True)
class Entry:
    """An algorithm of the registry.

    Parameters
    ----------
    name
        As callers name it.
    description
        A sentence for people.
    module, function, options
        Where it is. It is imported when first used: CP-SAT takes seconds.
    """

    name: str
    description: str
    module: str
    function: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def load(self) -> Algorithm:
        """Import the algorithm."""
        found: Algorithm = getattr(import_module(self.module), self.function)
        return partial(found, **self.options) if self.options else found


ALGORITHMS: dict[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "default",
            "Lists routes, prices what trains compete for, fixes, and takes the first proof of "
            "search and CP-SAT.",
            __name__,
            "solve_by_words",
        ),
        Entry(
            "search",
            "As default, but only the search proves.",
            __name__,
            "solve_by_words",
            {"prover": "search"},
        ),
        Entry(
            "cp-sat",
            "CP-SAT alone over the plain list of all routes. Slow on large boards.",
            "optimizer.assignment",
            "solve_assignment",
        ),
        Entry(
            "circuit",
            "CP-SAT alone, each train a circuit of legs; nothing is listed. For small boards.",
            "optimizer.circuit",
            "solve_circuit",
        ),
        Entry(
            "exhaustive",
            "Every combination of all routes of the board, priced by the referee. For tiny "
            "boards; refuses others.",
            "optimizer.exhaustive",
            "solve_exhaustively",
        ),
    )
}
"""By name, the default first."""

ENGINES: dict[tuple[str, str], Entry] = {
    ("packing", ""): Entry(
        "packing", "Trains that exclude each other.", "optimizer.packing.solve", "solve_packing"
    ),
    ("packing", "search"): Entry(
        "packing",
        "The same, proven by search.",
        "optimizer.packing.solve",
        "solve_packing",
        {"prover": "search"},
    ),
    ("coverage", ""): Entry(
        "coverage",
        "Payments counted once over the run.",
        "optimizer.coverage.solve",
        "solve_coverage",
    ),
    ("coverage", "search"): Entry(
        "coverage",
        "The same, proven by search.",
        "optimizer.coverage.solve",
        "solve_coverage_search",
    ),
}
"""The fast engines, by name and by what alone may prove (empty: all they have)."""


def find_algorithm(name: str) -> Entry:
    """Return the algorithm of a name.

    Raises
    ------
    UnknownAlgorithmError
        There is none; the message lists the names.
    """
    if name not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise UnknownAlgorithmError(f"there is no algorithm {name!r}; known are {known}")
    return ALGORITHMS[name]


def engine_for(problem: RoutingProblem) -> str:
    """Return the engine that knows all words of a problem: ``packing``, ``coverage`` or neither.

    An empty name means that the problem has words, or words together, that no
    engine knows; CP-SAT alone knows them all.
    """
    if handles(problem):
        return "packing"
    return "coverage" if _covered(problem) else ""


def _covered(problem: RoutingProblem) -> bool:
    """Tell whether all is paid once over the run by trains that share track freely."""
    once = problem.word(PaidOnce)
    chained = {cls for word in problem.words_of(Chains) for cls in word.classes}
    return (
        once is not None
        and not unknown_words(problem, "coverage")
        and all(chained.isdisjoint(word.classes) for word in problem.words_of(HexSubsidy))
        and all(
            cls.track is None
            and not any(cls.pay.legs)
            and cls.pay.span is None
            and (number in once.choose) != (number in chained)
            for number, cls in enumerate(problem.classes)
        )
    )


def solve_by_words(task: Task, prover: str = "") -> Outcome:
    """Solve a task by the engine that knows its words, or by CP-SAT alone if none does.

    Parameters
    ----------
    prover
        ``search`` to prove by that alone.
    """
    engine = engine_for(task.problem)
    entry = ENGINES[engine, prover] if engine else find_algorithm("cp-sat")
    with task.stop.standing_still():
        method = entry.load()
    return method(task)


LATE = (
    "optimizer.coverage.model",
    "optimizer.packing.model",
    "ortools.linear_solver.pywraplp",
)
"""What the fast engines import when they need it: models for CP-SAT, linear programs."""


def warm_up() -> None:
    """Import every algorithm with the solvers behind it, so that no solve pays for that."""
    for name in LATE:
        import_module(name)
    for entry in (*ALGORITHMS.values(), *ENGINES.values()):
        entry.load()
