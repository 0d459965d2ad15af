"""Undo and redo as the log of 18xx.games means them (FMT §B2, §H 6 to 11)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.notation.log import effective

GAMES = Path(__file__).resolve().parents[4] / "shared" / "games"


def ids(*types: str | tuple[str, int]) -> list[int]:
    """Number entries from 1 and return the ids of those that count."""
    entries = []
    for number, kind in enumerate(types, start=1):
        name, target = kind if isinstance(kind, tuple) else (kind, None)
        extra = {} if target is None else {"action_id": target}
        entries.append({"type": name, "id": number, **extra})
    return [entry["id"] for entry in effective(entries)]


@pytest.mark.parametrize(
    ("log", "expected"),
    [
        (("pass", "pass", "message", "undo", "redo"), [1, 3, 2]),
        (("a", "b", "c", ("undo", 1), "d", "redo"), [1, 5]),
        (("a", "b", "undo", "undo", "redo"), [1]),
        (("a", "message", "b", ("undo", 0)), [2]),
        (("a", "b", "c", ("undo", 1), "redo"), [1, 2, 3]),
        (("undo", "a"), [2]),
        (("a", "redo"), [1]),
        (("a", "undo", "message", "redo"), [3, 1]),
        (("a", "b", "undo", "message", "redo", ("undo", 2)), [1, 2, 4]),
        (("a", "b", "undo", "message", "redo", ("undo", 1)), [1, 4]),
    ],
)
def test_what_counts(log: tuple[str | tuple[str, int], ...], expected: list[int]) -> None:
    """The cases of FMT §H, a redo or undo with nothing to act on, an undo after talk and redo."""
    assert sorted(ids(*log)) == sorted(expected)


@pytest.mark.skipif(not GAMES.is_dir(), reason="the recorded games are not here")
def test_entries_marked_as_skipped_are_those_left_out() -> None:
    """Where records mark what has no effect, they mark exactly what is left out here."""
    marked = 0
    for path in sorted(GAMES.glob("*/*.json")):
        entries = json.loads(path.read_text("utf-8"))["actions"]
        skipped = {entry["id"] for entry in entries if entry.get("skip")}
        if skipped:
            counted = {entry["id"] for entry in effective(entries)}
            assert counted == {entry["id"] for entry in entries} - skipped, path.name
            marked += len(skipped)
    assert marked > 100
