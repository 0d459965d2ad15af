"""The best run of the company in turn is an action that the game takes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.notation.gamefile import Replay, read_game
from engine.notation.positions import read_positions
from engine.play.actions import RunRoutes
from engine.play.game import Setting, start
from server.autorun import best_run
from tests.engine.play.robot import moves

SHARED = Path(__file__).resolve().parents[3] / "shared"


def test_nothing_to_run_outside_the_run_step() -> None:
    """In the auction no company is about to run."""
    assert best_run(start(Setting("18GB", ((1, "Ann"), (2, "Bob")), 1))) is None


def test_best_runs_of_a_random_game_apply_and_pay_what_they_say() -> None:
    """At every run of a random game the best run is legal and pays as much as is proven."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), 4))
    runs = 0
    for _ in moves(play, 4):
        found = best_run(play)
        if found is None:
            continue
        action, solution = found
        other = play.copy().apply(action)
        done = other.actions()[-1]
        assert isinstance(done, RunRoutes)
        assert sum(entry.revenue or 0 for entry in done.routes) == solution.revenue
        assert solution.bound == solution.revenue
        runs += 1
    assert runs > 10


@pytest.mark.skipif(not (SHARED / "games").is_dir(), reason="the recorded games are not here")
@pytest.mark.parametrize("name", ["3p", "leased_train"])
def test_best_runs_of_records_are_the_known_optima(name: str) -> None:
    """At every tenth run of a record the best run pays the optimum of the position."""
    records = read_positions(SHARED / "positions" / "18GB" / f"{name}.jsonl")
    optima = {record.raw["action"]: record.optimum for record in records}
    text = (SHARED / "games" / "18GB" / f"{name}.json").read_text("utf-8")
    replay = Replay(read_game(json.loads(text)), audit=False)
    wanted = set(sorted(optima)[::10])
    for number, action in replay.steps():
        if isinstance(action, RunRoutes) and number in wanted:
            found = best_run(replay.play)
            assert found is not None
            assert found[1].revenue == optima[number]
            replay.play.copy().apply(found[0])
