"""Undo and redo in the logs of 18xx.games (FMT §B2)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

Entry = Mapping[str, Any]


def effective(entries: Sequence[Entry]) -> list[Entry]:
    """Return the entries that count, in the order of the log: what was undone and not redone
    is left out.

    Parameters
    ----------
    entries
        The log; its ids increase.

    Notes
    -----
    An undo without number takes back the latest entry that still counts; with
    a number, all after that one. A redo restores what the latest undo not yet
    redone took back, at its place. Messages are never taken back (FMT §B2.2 to §B2.5).
    """
    counted: list[int] = []  # places in the log; they increase
    ids: list[int] = []  # of the entries there
    undone: list[list[int]] = []
    messages: list[int] = []
    for place, entry in enumerate(entries):
        kind = entry["type"]
        if kind == "message":
            messages.append(place)
        elif kind == "undo":
            cut = _cut(ids, entry.get("action_id"))
            undone.append(counted[cut:])
            del counted[cut:], ids[cut:]
        else:
            # Nothing that counts comes between an undo and its redo: order is kept.
            redone = [place] if kind != "redo" else undone.pop() if undone else []
            counted.extend(redone)
            ids.extend(entries[number]["id"] for number in redone)
            if kind != "redo":
                undone.clear()
    return [entries[place] for place in sorted([*counted, *messages])]


def _cut(ids: Sequence[int], number: int | None) -> int:
    """Return how many of the entries that count an undo leaves; 0 as number means none,
    also where a log has an entry of that number."""
    if number is None:
        return max(0, len(ids) - 1)
    return bisect_right(ids, number) if number else 0
