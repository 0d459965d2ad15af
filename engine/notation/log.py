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
            taken = _taken_back(alive, entry.get("action_id"))
            undone.append(taken)
            alive = [e for e in alive if all(e is not other for other in taken)]
        elif entry["type"] == "redo":
            if undone:
                alive.extend(undone.pop())
        else:
            alive.append(entry)
            if entry["type"] != "message":
                undone.clear()
    return alive


def _taken_back(alive: Sequence[Entry], number: int | None) -> list[Entry]:
    """The entries that an undo takes back: the last one, or all above an id. Where a redo
    came after a message the list is not in the order of the ids."""
    counted = [entry for entry in alive if entry["type"] != "message"]
    if number is None:
        return counted[-1:]
    return [entry for entry in counted if entry["id"] > number]
