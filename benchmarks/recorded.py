"""Write how recorded positions came out into the project's own table.

``python -m benchmarks.recorded JSON [--out FILE]``, where JSON is what
``python -m benchmarks.positions PATH --json JSON`` wrote. The table is what ListGames says
of each title.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.games import known_titles

TABLE = Path(__file__).resolve().parents[1] / "engine" / "titles" / "data" / "recorded.json"


def figures(positions: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return the figures of each title, in order of the titles.

    Parameters
    ----------
    positions
        Measurements of one algorithm, whose ids begin with the title or its folder.
    """
    titles = known_titles()
    by_folder = {title.folder.name: name for name, title in titles.items()}
    found: dict[str, dict[str, int]] = {}
    for one in positions:
        named = one["id"].rpartition("/")[0]
        title = by_folder[named] if named not in titles else named
        counts = found.setdefault(title, {"positions": 0, "priced_right": 0, "proven": 0})
        counts["positions"] += 1
        counts["priced_right"] += one["referee_agrees"] is True
        counts["proven"] += one["status"] == "OPTIMAL"
    return {title: found[title] for title in titles if title in found}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.recorded", description=__doc__)
    parser.add_argument("json", type=Path, metavar="JSON")
    parser.add_argument("--out", type=Path, default=TABLE, metavar="FILE")
    options = parser.parse_args(arguments)
    positions = json.loads(options.json.read_text("utf-8"))["positions"]
    if len({one["algorithm"] for one in positions}) != 1:
        print("The measurements are not those of one algorithm.", file=sys.stderr)
        return 2
    lines = (f"{json.dumps(name)}:{json.dumps(one)}" for name, one in figures(positions).items())
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
