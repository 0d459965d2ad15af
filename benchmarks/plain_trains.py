"""Solve problems of plain trains on the networks of positions and show times.

``python -m benchmarks.plain_trains PATH ID... [--limit SECONDS] [--repeat N] [--trains LIST]...``

PATH is a file of positions or a folder of such files, ID names positions in it
(``1822/33845@1665``), or companies (``CR``): then the last position of the company.
*Plain* trains are the problem of games without special rules: every stop costs 1
and pays its value, no track twice over the run, an own token on each route, and
nothing else couples the trains. Network, conflicts and values are those of the position.
LIST names the trains: ``5+6``, or ``D+D`` for two without a limit.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import warm_up
from benchmarks.positions import find_files, print_table
from engine.games import load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import Budget, Pay, TrainClass
from optimizer.packing.solve import solve_packing
from optimizer.stop import Stop
from optimizer.task import Outcome, Task, Weights

UNLIMITED = "D"
TRAINS = ("4+5", "5+6", "6+8", "5+5+6", "D", "D+D", "D+D+D", "D+D+5")
"""Trains that are tried unless others are asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code: 1 if something was not proven."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.plain_trains",
        description="Solve problems of plain trains and show milliseconds of processor time.",
    )
    parser.add_argument("path", type=Path, metavar="PATH")
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--trains", action="append", metavar="LIST")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="the best of N")
    options = parser.parse_args(arguments)
    kinds = options.trains or TRAINS
    rows, proven = [], True
    for record in _records(options.path, options.ids):
        problem = network_of(record)
        cells = [record.id, record.company.corporation, f"{len(problem.stops)}/{len(problem.legs)}"]
        for kind in kinds:
            ms, outcome = measured(plain(problem, kind), options.limit, options.repeat)
            proven &= outcome.proven
            mark = "" if outcome.proven else f" (bound £{outcome.bound})"
            cells.append(f"£{outcome.value} {ms:.0f}{mark}")
        rows.append(cells)
    print_table(("position", "company", "stops/legs", *kinds), rows)
    return int(not proven)


def _records(path: Path, ids: Sequence[str]) -> Iterator[PositionRecord]:
    """Yield positions by id, and the last one of each company that is named, file by file."""
    for file in find_files([path]):
        last: dict[str, PositionRecord] = {}
        for record in read_positions(file):
            if record.id in ids:
                yield record
            elif record.company.corporation in ids:
                last[record.company.corporation] = record
        yield from last.values()


def network_of(record: PositionRecord) -> RoutingProblem:
    """Return the problem of a position."""
    warm_up(record.board.title, record.board.map)
    rules = make_rules(load_game(record.board.title))
    return rules.problem(load_position(rules, record.board, record.company))


def plain(problem: RoutingProblem, trains: str) -> RoutingProblem:
    """Return a problem of plain trains on the network of another.

    Parameters
    ----------
    problem
        Network, exclusions among stops and values of stops are those of its first class
        with a limit.
    trains
        Names of trains joined by ``+``: the number of stops, or ``D`` for no limit.
    """
    model = next(cls for cls in problem.classes if cls.reach.budgets)
    names = trains.split("+")
    classes = []
    for name in dict.fromkeys(names):
        ones = (1,) * len(problem.stops)
        budgets = () if name == UNLIMITED else (Budget(int(name), ones),)
        ids = tuple(f"{name}-{n}" for n in range(names.count(name)))
        reach = replace(model.reach, budgets=budgets)
        classes.append(TrainClass(name, ids, reach, Pay(model.pay.stops), "all"))
    return replace(problem, classes=tuple(classes), words=(), attachments=())


def measured(problem: RoutingProblem, limit: float, repeat: int) -> tuple[float, Outcome]:
    """Return milliseconds of processor time, the best of `repeat`, and what was found."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        outcome = solve_packing(Task(problem, Weights(1, 0), stop=Stop(limit)))
        times.append((time.process_time() - start) * 1000)
    return min(times), outcome


if __name__ == "__main__":
    sys.exit(main())
