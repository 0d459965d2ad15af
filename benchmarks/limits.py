"""Solve positions within short time limits and show what is missing.

``python -m benchmarks.limits PATH... [--algorithm NAME]... [--limit MS]...``

PATH is a file of positions, one JSON object a line, or a folder of such files.
For each algorithm and limit: how many answers are proven, how many are £0 although
something pays, how many bounds are too low, and by how much the solve took longer than
its limit. The limit and the overrun are processor time, so that other work on the
machine does not count; board, legs and problem are given. The exit code is 1
if an answer is £0 without need, or a bound is too low.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import warm_up
from benchmarks.positions import find_files, print_table
from engine.games import load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from optimizer import ALGORITHMS, Stop, solve
from optimizer.errors import OutOfTimeError, TooLargeError

LIMITS = (10.0, 30.0, 100.0, 300.0)
"""Milliseconds."""
WORST = 5
"""How many of the latest answers are listed."""


class ProcessorStop(Stop):
    """A time limit in seconds of processor time."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.until = time.process_time() + seconds

    def over(self) -> bool:
        """Tell whether the solve must end now."""
        return self.cancelled or time.process_time() >= self.until

    def left(self) -> float | None:
        """Return the seconds left."""
        return max(0.0, self.until - time.process_time())

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Add what the block takes to the limit."""
        start = time.process_time()
        try:
            yield
        finally:
            self.until += time.process_time() - start


@dataclass(frozen=True)
class Answer:
    """What came of a position within a limit.

    Parameters
    ----------
    revenue, bound
        In £; None if there is no run at all.
    proven
        Nothing better exists.
    over
        Milliseconds of processor time beyond the limit; negative if it ended before.
    """

    id: str
    best: int
    revenue: int | None
    bound: int | None
    proven: bool
    over: float

    @property
    def empty(self) -> bool:
        """Tell whether it is £0, or nothing, although something pays."""
        return not self.revenue and self.best > 0

    @property
    def wrong(self) -> bool:
        """Tell whether the bound is too low."""
        return self.bound is not None and self.bound < self.best


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.limits", description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--algorithm", action="append", metavar="NAME")
    parser.add_argument("--limit", action="append", type=float, metavar="MS")
    options = parser.parse_args(arguments)
    names = options.algorithm or [next(iter(ALGORITHMS))]
    limits = options.limit or LIMITS
    records = [r for path in find_files(options.paths) for r in read_positions(path)]
    answers: dict[tuple[str, float], list[Answer]] = {(n, x): [] for n in names for x in limits}
    for answer_of, found in _answers(records, names, limits):
        answers[answer_of].append(found)
    print_table(
        ("algorithm", "limit ms", "answers", "proven", "£0", "bound too low", "value",
         "over p95 ms", "over max"),
        [_row(name, limit, found) for (name, limit), found in answers.items() if found],
    )  # fmt: skip
    print(f"\nFurthest beyond their limit, {WORST}:")
    late = [(key, a) for key, found in answers.items() for a in found]
    print_table(
        ("position", "algorithm", "limit ms", "over ms"),
        [
            (a.id, name, f"{limit:.0f}", f"{a.over:.1f}")
            for (name, limit), a in sorted(late, key=lambda entry: -entry[1].over)[:WORST]
        ],
    )
    wrong = [a for found in answers.values() for a in found if a.empty or a.wrong]
    for answer in wrong:
        print(f"{answer.id}: £{answer.revenue} of £{answer.best}, bound £{answer.bound}")
    return int(bool(wrong))


def _answers(
    records: Sequence[PositionRecord], names: Sequence[str], limits: Sequence[float]
) -> Iterator[tuple[tuple[str, float], Answer]]:
    for record in records:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        warm_up(record.board.title, record.board.map)
        rules = make_rules(load_game(record.board.title))
        problem = rules.problem(load_position(rules, record.board, record.company))
        best = record.optimum if record.optimum is not None else solve(problem).revenue
        for name in names:
            for limit in limits:
                found = answer(record.id, problem, best, name, limit)
                if found is not None:
                    yield (name, limit), found


def answer(
    name: str, problem: RoutingProblem, best: int, algorithm: str, limit: float
) -> Answer | None:
    """Solve a problem within a limit.

    Parameters
    ----------
    best
        The largest revenue that exists, in £.
    limit
        Milliseconds of processor time.

    Returns
    -------
    Answer or None
        None if the algorithm refuses problems of this size.
    """
    start = time.process_time()
    try:
        solution = solve(problem, stop=ProcessorStop(limit / 1000), algorithm=algorithm)
    except TooLargeError:
        return None
    except OutOfTimeError:
        over = (time.process_time() - start) * 1000 - limit
        return Answer(name, best, None, None, False, over)
    over = (time.process_time() - start) * 1000 - limit
    return Answer(name, best, solution.revenue, solution.bound, bool(solution.proof), over)


def _row(name: str, limit: float, answers: Sequence[Answer]) -> tuple[str, ...]:
    over = sorted(max(0.0, answer.over) for answer in answers)
    paid = sum(answer.revenue or 0 for answer in answers)
    most = sum(answer.best for answer in answers)
    return (
        name,
        f"{limit:.0f}",
        str(len(answers)),
        f"{100 * sum(answer.proven for answer in answers) / len(answers):.1f} %",
        str(sum(answer.empty for answer in answers)),
        str(sum(answer.wrong for answer in answers)),
        f"{100 * paid / most if most else 100:.1f} %",
        f"{over[int(0.95 * (len(over) - 1))]:.1f}",
        f"{over[-1]:.1f}",
    )


if __name__ == "__main__":
    sys.exit(main())
