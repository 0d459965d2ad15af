"""Write ``benchmarks/README.md`` and its plot from measurements.

``python -m benchmarks.report [--real OUT...] [--tail OUT...] [--peers FILE] [--into FOLDER]``

The measurements are what ``python -m benchmarks.positions --json`` wrote: of
real positions and of made-up hard ones. PEERS is a file of what another
program found, one JSON object a line with at least ``id`` and ``revenue``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import Measured
from benchmarks.summary import bad, summarise

HERE = Path(__file__).resolve().parent
PLOT = "times.svg"
APART = "## Measured apart"
SLOWEST = 5
"""How many of the slowest positions of each set are listed."""

Sets = Mapping[str, Sequence[Measured]]
"""Measurements by the name of their set: real and made-up positions."""

_FIGURE = re.compile(r"£?-?[\d.]+( %)?")

HEAD = """# Benchmarks

Written by `python -m benchmarks.report`, down to *Measured apart*, which it leaves as it is. To
measure anew:

```
python -m benchmarks.tail out/tail [--recorded FOLDER]      # made-up hard positions, from seeds
python -m benchmarks.positions PATH... --json out/real.json # real ones, any file of positions
python -m benchmarks.positions out/tail --json out/tail.json
python -m benchmarks.recorded out/titles.json           # of titles: the table of ListGames
python -m benchmarks.report --real out/real.json --tail out/tail.json [--peers FILE]
```

Every time is a whole answer, from the state of the board to a run that the referee has checked
once more: building the board, finding its legs, stating the problem, solving it to a proof.
Nothing is kept from one position to the next but map, tiles and cards. Imports are warm.
Milliseconds are those of the clock, on a machine that may do other work; CPU milliseconds are
processor time.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.report", description="Write the table and the plot."
    )
    parser.add_argument("--real", type=Path, nargs="+", default=[], metavar="OUT")
    parser.add_argument("--tail", type=Path, nargs="+", default=[], metavar="OUT")
    parser.add_argument("--peers", type=Path, metavar="FILE")
    parser.add_argument("--into", type=Path, default=HERE, metavar="FOLDER")
    options = parser.parse_args(arguments)
    given = {"real positions": options.real, "made-up positions": options.tail}
    data = {
        name: [json.loads(path.read_text("utf-8")) for path in paths]
        for name, paths in given.items()
        if paths
    }
    if not data:
        parser.error("give --real or --tail")
    sets = {
        name: [measured_from(raw) for one in files for raw in one["positions"]]
        for name, files in data.items()
    }
    peers = read_peers(options.peers) if options.peers else {}
    draw(sets, options.into / PLOT)
    environments = [
        {**one["environment"], "algorithms": ", ".join(one["summary"])}
        for files in data.values()
        for one in files
    ]
    text = report(sets, environments, peers)
    page = options.into / "README.md"
    page.write_text(text + kept_of(page), encoding="utf-8")
    print(f"wrote {options.into / 'README.md'} and {options.into / PLOT}")
    return 0


def kept_of(page: Path) -> str:
    """Return what is left as it is of a page: from the heading *Measured apart* on."""
    old = page.read_text("utf-8") if page.exists() else ""
    begin = old.find(APART)
    return "" if begin < 0 else "\n" + old[begin:]


def measured_from(raw: Mapping[str, Any]) -> Measured:
    """Return a measurement from its JSON object."""
    return Measured(**{**raw, "trains": tuple(raw["trains"])})


def read_peers(path: Path) -> dict[str, int]:
    """Return by position the revenue that another program found, in £."""
    lines = path.read_text("utf-8").splitlines()
    return {one["id"]: one["revenue"] for one in map(json.loads, filter(None, lines))}


def title_of(one: Measured) -> str:
    """Return the title of a position's game."""
    return one.id.split("/")[0]


def report(sets: Sets, environments: Sequence[Mapping[str, Any]], peers: Mapping[str, int]) -> str:
    """Return the page as Markdown."""
    parts = [HEAD]
    for environment in {json.dumps(one): one for one in environments}.values():
        parts.append(
            "Measured with Python {python}, OR-Tools {ortools}, numpy {numpy} on {cores} cores "
            "({machine}); {algorithms}: at most {limit} s a solve.\n".format(**environment)
        )
    parts.append(f"![Share of positions answered within a time]({PLOT})\n")
    for name, measured in sets.items():
        parts.append(f"## {name.capitalize()}\n")
        parts.append(_times(measured))
        parts.append(_revenues(measured))
        parts.append(_slowest(measured))
    if peers and "real positions" in sets:
        parts.append(_peers(sets["real positions"], peers))
    return "\n".join(parts)


def _by_title(measured: Iterable[Measured]) -> dict[str, list[Measured]]:
    found: dict[str, list[Measured]] = {}
    for one in measured:
        found.setdefault(title_of(one), []).append(one)
    return found


def _times(measured: Sequence[Measured]) -> str:
    rows = []
    for title, some in [*_by_title(measured).items(), ("all", list(measured))]:
        for algorithm, summary in summarise(some).items():
            keys = ("p50", "p90", "p95", "p99", "max", "cpu_p50", "cpu_p95", "cpu_max")
            times = [f"{summary[key]:.0f}" for key in keys]
            proven = f"{100 * summary['proven']:.1f} %"
            rows.append([title, algorithm, str(summary["positions"]), proven, *times])
    head = ["game", "algorithm", "positions", "proven", "p50 ms", "p90", "p95", "p99", "max",
            "p50 CPU ms", "p95", "max"]  # fmt: skip
    return markdown_table(head, rows)


def _revenues(measured: Sequence[Measured]) -> str:
    rows = []
    for title, some in _by_title(measured).items():
        for algorithm, summary in summarise(some).items():
            if any(summary[key] for key in ("above", "equal", "below", "optimum_known")):
                keys = ("above", "equal", "below", "optimum_known", "optimum_missed",
                        "referee_disagrees", "errors")  # fmt: skip
                rows.append([title, algorithm, *(str(summary[key]) for key in keys)])
    if not rows:
        return ""
    head = ["game", "algorithm", "above the players' run", "equal", "below", "optimum known",
            "of these missed", "referee disagrees with the record", "errors"]  # fmt: skip
    wrong = [f"- {one.id} ({one.algorithm}): {one.proof}" for one in measured if bad(one)]
    return markdown_table(head, rows) + "".join(f"\n{line}" for line in wrong)


def _slowest(measured: Sequence[Measured]) -> str:
    rows = []
    first = [one for one in measured if one.algorithm == measured[0].algorithm]
    for some in _by_title(first).values():
        for one in sorted(some, key=lambda one: -one.cpu_ms)[:SLOWEST]:
            rows.append(
                [one.id, " ".join(one.trains), one.algorithm, f"{one.revenue}", one.proof or
                 one.status, f"{one.ms:.0f}", f"{one.cpu_ms:.0f}"]
            )  # fmt: skip
    return "The slowest of each game:\n\n" + markdown_table(
        ["position", "trains", "algorithm", "revenue £", "proof", "ms", "CPU ms"], rows
    )


def _peers(measured: Sequence[Measured], peers: Mapping[str, int]) -> str:
    rows = []
    apart: list[str] = []
    for algorithm in dict.fromkeys(one.algorithm for one in measured):
        known = [
            one
            for one in measured
            if one.algorithm == algorithm and one.id in peers and one.revenue is not None
        ]
        gains = [(one, int(one.revenue or 0) - peers[one.id]) for one in known]
        counts = (sum(g == 0 for _, g in gains), sum(g > 0 for _, g in gains))
        lower = [(one, gain) for one, gain in gains if gain < 0]
        most = max((gain for _, gain in gains), default=0)
        rows.append([algorithm, str(len(known)), *map(str, counts), str(len(lower)), f"£{most}"])
        apart.extend(
            f"- {one.id}: £{one.revenue} ({one.status}), the other program £{peers[one.id]}"
            for one, _ in lower
            if one.status == "OPTIMAL"
        )
    head = ["algorithm", "positions", "equal", "ours higher", "theirs higher", "most that we gain"]
    table = markdown_table(head, rows)
    return (
        "## Beside the autorouter of 18xx.games\n\n"
        "Revenues on the sample of real positions that it was run on, with its default limits.\n\n"
        + table
        + "".join(f"\n{line}" for line in apart)
    )


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table as Markdown; columns of figures stand to the right.

    >>> print(markdown_table(["a", "b"], [["x", "1"]]), end="")
    | a | b |
    | --- | ---: |
    | x | 1 |
    """
    listed = list(rows)
    lines = [f"| {' | '.join(head)} |"]
    right = [
        bool(listed) and n > 0 and all(_FIGURE.fullmatch(row[n]) for row in listed)
        for n in range(len(head))
    ]
    lines.append(f"| {' | '.join('---:' if one else '---' for one in right)} |")
    lines.extend(f"| {' | '.join(row)} |" for row in listed)
    return "\n".join(lines) + "\n"


def draw(sets: Sets, path: Path) -> None:
    """Draw for each set and game the share of positions answered within a time."""
    import matplotlib as mpl  # noqa: PLC0415  (a development dependency)

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "bradshaw"
    import matplotlib.pyplot as plt  # noqa: PLC0415

    figure, axes = plt.subplots(1, len(sets), figsize=(6 * len(sets), 4), squeeze=False)
    for axis, (name, measured) in zip(axes[0], sets.items(), strict=True):
        several = len({one.algorithm for one in measured}) > 1
        for title, some in _by_title(measured).items():
            for algorithm in dict.fromkeys(one.algorithm for one in some):
                times = sorted(one.ms for one in some if one.algorithm == algorithm)
                shares = [(n + 1) / len(times) for n in range(len(times))]
                label = f"{title} {algorithm}" if several else title
                axis.step(times, shares, where="post", label=f"{label} ({len(times)})")
        axis.set_xscale("log")
        axis.set_xlabel("ms, from the board to a checked proof")
        axis.set_ylabel("share of positions")
        axis.set_ylim(0, 1.02)
        axis.set_title(name)
        axis.grid(visible=True, which="both", alpha=0.25)
        axis.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main())
