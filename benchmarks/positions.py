"""Solve positions and show times and revenues.

``python -m benchmarks.positions PATH... [--titles DIR]... [--algorithm NAME]...
[--limit SECONDS] [--json OUT]``

DIR holds titles beside those of the project. PATH is a file of positions, one JSON
object a line, or a folder of such files.
Several algorithms run side by side: on each position one after the other; the
default is the first of the optimizer's registry. The exit code is 1 if a
position ended in an error, if the referee does not give a recorded run the
figures of its record, or if a known optimum was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.measure import Judged, Measured, judge_recorded, measure, warm_up
from benchmarks.summary import TITLE_HEAD, bad, by_title, summarise
from engine.notation.positions import PositionRecord, read_positions
from engine.titles import add_folder
from optimizer.registry import ALGORITHMS

_FIGURE = re.compile(r"-?[\d.]+( %)?")

WORST = 10
"""How many of the slowest positions are listed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    options = _parser().parse_args(arguments)
    for folder in options.titles:
        add_folder(folder)
    files = list(find_files(options.paths))
    if not files:
        print("There are no positions in these places.", file=sys.stderr)
        return 2
    records = [record for path in files for record in read_positions(path)]
    measured, notes = run(records, options.algorithm or [next(iter(ALGORITHMS))], options.limit)
    summary = summarise(measured)
    _show(measured, summary, notes)
    if options.json:
        written = {
            "positions": [asdict(one) for one in measured],
            "summary": summary,
            "disagreements": notes,
            "environment": {**environment(), "limit": options.limit},
        }
        options.json.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return int(any(bad(one) for one in measured))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.positions",
        description="Solve positions and show times and revenues.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument(
        "--titles",
        action="append",
        default=[],
        type=Path,
        metavar="DIR",
        help="a title folder, or a folder of title folders",
    )
    parser.add_argument("--algorithm", action="append", metavar="NAME")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="for each solve")
    parser.add_argument("--json", type=Path, metavar="OUT")
    return parser


def find_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield files as they are and, of folders, the ``.jsonl`` files below them by name.

    Raises
    ------
    FileNotFoundError
        A path does not exist.
    """
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.jsonl"))
        elif path.exists():
            yield path
        else:
            raise FileNotFoundError(path)


def run(
    records: Sequence[PositionRecord], algorithms: Sequence[str], limit: float | None
) -> tuple[list[Measured], dict[str, str]]:
    """Measure all positions; return the measurements and where the referee disagrees."""
    for title, name in sorted({(record.board.title, record.board.map) for record in records}):
        warm_up(title, name)
        first = next(r for r in records if (r.board.title, r.board.map) == (title, name))
        for algorithm in algorithms:
            # The first solve of a process loads code that later ones share.
            measure(first, algorithm, limit, Judged(None))
    measured: list[Measured] = []
    notes: dict[str, str] = {}
    for number, record in enumerate(records):
        judged = judge_recorded(record)
        if judged.said:
            notes[record.id] = judged.said
        for algorithm in algorithms:
            measured.append(measure(record, algorithm, limit, judged))
        _progress(number + 1, len(records))
    return measured, notes


def _progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        end = "\n" if done == total else ""
        print(f"\r{done} of {total} positions", end=end, file=sys.stderr, flush=True)


def environment() -> dict[str, Any]:
    """Return what the figures depend on."""
    return {
        "python": platform.python_version(),
        "ortools": version("ortools"),
        "numpy": version("numpy"),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def _show(
    measured: Sequence[Measured], summary: dict[str, dict[str, Any]], notes: dict[str, str]
) -> None:
    print_table(
        ("algorithm", "positions", "proven", "p50 ms", "p90", "p95", "p99", "max",
         "above", "equal", "below", "errors"),
        [
            (name, str(s["positions"]), f"{100 * s['proven']:.1f} %",
             *(f"{s[key]:.1f}" for key in ("p50", "p90", "p95", "p99", "max")),
             *(str(s[key]) for key in ("above", "equal", "below", "errors")))
            for name, s in summary.items()
        ],
    )  # fmt: skip
    titles = by_title(measured)
    if len(titles) > 1:
        print()
        print_table(TITLE_HEAD, titles)
    print(f"\nThe slowest {WORST}:")
    slowest = sorted(measured, key=lambda one: -one.ms)[:WORST]
    print_table(
        ("position", "algorithm", "trains", "revenue", "bound", "status", "proof", "ms", "cpu ms"),
        [
            (one.id, one.algorithm, " ".join(one.trains), str(one.revenue), str(one.bound),
             one.status, one.proof[:60], f"{one.ms:.1f}", f"{one.cpu_ms:.1f}")
            for one in slowest
        ],
    )  # fmt: skip
    wrong = [one for one in measured if bad(one)]
    if wrong:
        print("\nWrong:")
    for one in wrong:
        known = "unknown" if one.optimum is None else f"£{one.optimum}"
        print(
            f"{one.id} {one.algorithm}: £{one.revenue} {one.status} {one.proof}; "
            f"optimum {known}; {notes.get(one.id, 'the referee agrees with the record')}"
        )


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns; figures stand to the right."""
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    for row in [head, *rows]:
        cells = [
            cell.rjust(width) if place and _FIGURE.fullmatch(cell) else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


if __name__ == "__main__":
    sys.exit(main())
