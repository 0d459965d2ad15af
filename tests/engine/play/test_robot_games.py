"""The command that plays many games: settings, checks, counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games import all_games
from engine.play.game import Play
from tests.engine.games.g18gb.play import trials
from tests.engine.play.robot_games import main, play_title, settings_of


@pytest.mark.parametrize("title", ["18GB", "1822", "1822MRS", "1822NRS"])
def test_all_settings_come_in_turn_and_both_profiles_with_each(title: str) -> None:
    """Every number of players with every option, by the site and by the rulebook; new seeds."""
    settings = list(settings_of(title, 400, 5))
    seats = {(len(one.players), one.options, one.profile) for one in settings}
    wanted = trials.TRIAL.seats.get(title)
    if wanted is not None:
        assert {(players, options) for players, options, _ in seats} == set(wanted)
    assert {players for players, _, _ in seats} >= set(range(2, 7))
    both = {seat[:2] for seat in seats if seat[2] == "rulebook"}
    assert both == {seat[:2] for seat in seats if seat[2] == "18xx.games"}
    assert [one.seed for one in settings] == list(range(5, 405))
    assert title in all_games()


def test_a_game_is_played_counted_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    """One game of 18GB: no fault, all its rare events in the table, zero or not."""
    assert main(["18GB", "--games", "1", "--seed", "3"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("18GB: 1 games, ")
    assert ", 0 broken, " in text
    assert all(name in text for name in trials.TRIAL.rare)


def test_a_broken_game_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A state that breaks an invariant is reported with the setting of its game."""

    def broken(play: Play) -> None:
        assert len(play.current.players) != 2, "two players"

    watch = replace(trials.WATCH, invariants=broken)
    monkeypatch.setattr(trials, "TRIAL", replace(trials.TRIAL, watch=watch))
    tally, found = play_title("18GB", 3, 0, every=100)
    assert (tally.games, tally.broken) == (3, 2)
    assert found["end final_train"] == 1
    assert "seed=0" in capsys.readouterr().err
