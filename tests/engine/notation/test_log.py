"""Undo and redo as the log of 18xx.games means them (FMT §B2, §H 6 to 11)."""

from __future__ import annotations

import json
import random
import time

import pytest

from engine.notation.log import effective
from tests.shared import GAMES, needs_records


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
        (("pass", "pass", "message", "undo", "redo"), [1, 2, 3]),
        (("a", "b", "c", ("undo", 1), "d", "redo"), [1, 5]),
        (("a", "b", "undo", "undo", "redo"), [1]),
        (("a", "message", "b", ("undo", 0)), [2]),
        (("a", "b", "c", ("undo", 1), "redo"), [1, 2, 3]),
        (("undo", "a"), [2]),
        (("a", "redo"), [1]),
        (("a", "undo", "message", "redo"), [1, 3]),
        (("a", "b", "undo", "message", "redo", ("undo", 3)), [1, 2, 4]),
        (("a", "b", "undo", "message", "redo", ("undo", 1)), [1, 4]),
        (("a", "b", "c", "undo", "undo", "message", "redo", "redo", ("undo", 2)), [1, 2, 6]),
        (("a", "b", "undo", "undo", "undo", "redo", "redo"), [1]),
        (("a", "undo", "program_share_pass", "redo"), [3]),
        (("a", "undo", "log", "redo"), [3]),
        (("message", "undo", "redo"), [1]),
    ],
)
def test_what_counts(log: tuple[str | tuple[str, int], ...], expected: list[int]) -> None:
    """The cases of FMT §H, and a redo or undo with nothing to act on; always in the order of
    the log."""
    assert ids(*log) == expected


@pytest.mark.parametrize("seed", range(10))
def test_any_log_counts_as_the_site_counts(seed: int) -> None:
    """Messages, undos with and without number, redos at random: as a slow reading of FMT §B2,
    one flag for each entry, finds."""
    rng = random.Random(seed)
    for _ in range(30):
        log: list[str | tuple[str, int]] = []
        for place in range(rng.randrange(1, 25)):
            kind = rng.choice(["pass", "pass", "bid", "message", "undo", "undo", "redo"])
            numbered = kind == "undo" and rng.random() < 0.4
            log.append((kind, rng.randrange(0, place + 1)) if numbered else kind)
        assert ids(*log) == _slowly(log), log


def _slowly(log: list[str | tuple[str, int]]) -> list[int]:
    """Return the ids of the entries that count, as the site finds them: places are emptied by
    an undo and filled again by its redo."""
    places: list[str | None] = []
    undone: list[list[tuple[int, str]]] = []
    for entry in log:
        kind, number = entry if isinstance(entry, tuple) else (entry, None)
        places.append(None if kind in ("undo", "redo") else kind)
        here = [(at, k) for at, k in enumerate(places) if k not in (None, "message")]
        if kind == "undo":
            gone = here[-1:] if number is None else [entry for entry in here if entry[0] >= number]
            undone.append([(at, k) for at, k in gone if k is not None])
            for at, _ in gone:
                places[at] = None
        elif kind == "redo" and undone:
            for at, k in undone.pop():
                places[at] = k
        elif kind not in ("message", "redo"):
            undone.clear()
    return [at for at, k in enumerate(places, start=1) if k is not None]


def test_an_undo_to_nought_takes_everything_back() -> None:
    """FMT §B2.3, also the entry with the id 0; ids need not start at 1, nor be without gaps."""
    kinds = {0: "pass", 4: "message", 7: "bid"}
    log = [{"type": kind, "id": number} for number, kind in kinds.items()]
    undo = {"type": "undo", "id": 9, "action_id": 0}
    assert [entry["id"] for entry in effective([*log, undo])] == [4]
    assert [entry["id"] for entry in effective([*log, {**undo, "action_id": 5}])] == [0, 4]
    assert [entry["id"] for entry in effective([*log, undo, {"type": "redo", "id": 10}])] == [
        0,
        4,
        7,
    ]


def test_a_long_log_of_undos_takes_no_time() -> None:
    """20,000 entries, half of them undos: a fraction of a second."""
    passes = ["pass"] * 10_000
    undos = [("undo", 10_000 - n) if n % 2 else "undo" for n in range(10_000)]
    started = time.process_time()
    assert len(ids(*passes, *undos)) == 1
    assert time.process_time() - started < 1


@needs_records
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
