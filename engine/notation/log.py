"""Undo and redo in the logs of 18xx.games (FMT §B2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


def effective(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that count, in order: what was undone and not redone is left out.

    Notes
    -----
    An undo without number takes back the latest entry that still counts; with
    a number, all after that one. A redo restores what the latest undo not yet
    redone took back. Messages are never taken back (FMT §B2.2 to §B2.5).
    """
    alive: list[Entry] = []
    undone: list[list[Entry]] = []
    for entry in entries:
        if entry["type"] == "undo":
            cut = _cut(entries, alive, entry.get("action_id"))
            undone.append([e for e in alive[cut:] if e["type"] != "message"])
            alive[cut:] = [e for e in alive[cut:] if e["type"] == "message"]
        elif entry["type"] == "redo":
            if undone:
                alive.extend(undone.pop())
        else:
            alive.append(entry)
            if entry["type"] != "message":
                undone.clear()
    return alive


def _cut(entries: Sequence[Entry], alive: Sequence[Entry], number: int | None) -> int:
    """The place in `alive` from which on an undo takes back."""
    if number is None:
        counted = [place for place, e in enumerate(alive) if e["type"] != "message"]
        return counted[-1] if counted else len(alive)
    return sum(1 for e in alive if e["id"] <= number)
