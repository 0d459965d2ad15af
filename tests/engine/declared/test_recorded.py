"""Recorded runs of the titles that declare their rules: the referee pays what their records say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.measure import Judged, checked_revenue, judge_recorded, measure
from engine.games import load_game
from engine.notation.positions import (
    PositionRecord,
    position_from,
    position_object,
    read_positions,
)
from engine.titles import all_titles
from tests.shared import TITLES, needs_titles

FOLDERS = sorted(Path(str(title.folder)).name for title in all_titles().values())
FEW = 2
"""How many positions of a title the quick tests look at."""


def records(folder: str, most: int | None = None) -> Iterator[PositionRecord]:
    """Yield positions of a title; `most` of them, spread over the games."""
    files = sorted((TITLES / folder / "positions").glob("*.jsonl"))
    found = [record for path in files for record in read_positions(path)]
    step = 1 if most is None else max(1, len(found) // most)
    yield from found[:: step if most else 1]


@needs_titles
@pytest.mark.parametrize("folder", FOLDERS)
def test_some_recorded_runs_are_priced_right(folder: str) -> None:
    """Every route and the run pay what the record says, and what it calls invalid is refused."""
    for record in records(folder, FEW):
        assert judge_recorded(record) == Judged(True), record.id


@needs_titles
@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_recorded_runs_are_priced_right(folder: str) -> None:
    """As above, for all of them; and each position is written so that it reads back the same."""
    for record in records(folder):
        assert judge_recorded(record) == Judged(True), record.id
        again = position_from(position_object(record.id, record.board, record.company))
        assert (again.board, again.company) == (record.board, record.company)


@needs_titles
@pytest.mark.slow
@pytest.mark.parametrize("folder", FOLDERS)
def test_best_runs_are_no_less_than_the_recorded(folder: str) -> None:
    """For some positions of each title the best run is found and pays at least as much."""
    for record in records(folder, FEW):
        solved = measure(record, "default", 60, Judged(None))
        known = checked_revenue(record)
        assert solved.revenue is not None, f"{record.id}: {solved.proof}"
        assert known is None or solved.revenue >= known, record.id


def test_a_declared_title_is_loaded_as_a_game() -> None:
    """The registry gives a title that is only data the rules that read it."""
    game = load_game("18 Los Angeles")
    assert (game.package, list(game.profiles)) == ("engine.declared", ["18xx.games"])
