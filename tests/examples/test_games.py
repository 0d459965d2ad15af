"""The example games: they are what the page of their robot says, and replay to their results."""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from bradshaw.v1 import board_pb2, route_service_pb2

from engine.notation.gamefile import GameFile, Replay, read_game, write_game
from engine.play.actions import RunRoutes
from engine.play.game import start
from examples import play_games
from server.audit import audit, count_runs
from server.client import LocalClient
from server.gamebook import Opened, file_text

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "games"
TITLES = ("18GB", "1862", "1822")
MOST_BYTES = 300_000
ENDS = {"18GB": "final_train", "1862": "lner", "1822": "bank"}
LAST_PHASES = {"18GB": "6X", "1862": "H", "1822": "7"}
AUDITED = int(os.environ.get("BRADSHAW_AUDITED_RUNS", "60"))
"""Runs of each game that are audited here; the demonstration audits all."""

each_title = pytest.mark.parametrize("title", TITLES)


def text_of(title: str) -> str:
    return (FOLDER / f"{title}.json").read_text("utf-8")


def file_of(title: str) -> GameFile:
    return read_game(json.loads(text_of(title)))


@cache
def replayed(title: str) -> Replay:
    """Return a game replayed to its end."""
    replay = Replay(file_of(title))
    replay.run()
    return replay


def test_there_is_a_game_for_each_title() -> None:
    """Neither more nor less, and none is large."""
    assert {path.stem for path in FOLDER.iterdir()} == set(TITLES)
    assert all(path.stat().st_size < MOST_BYTES for path in FOLDER.iterdir())


@each_title
def test_games_replay_to_their_results(title: str) -> None:
    """Scores and end are the recorded ones, and the rules see nothing differently."""
    replay, file = replayed(title), file_of(title)
    assert replay.reports == []
    assert replay.play.finished
    assert replay.play.scores() == file.result
    assert replay.play.end_reason == file.end_reason == ENDS[title]
    assert replay.play.current.phase == LAST_PHASES[title]
    assert [name for _, name in file.setting.players] == [
        f"Player {number}" for number in range(1, len(file.setting.players) + 1)
    ]


@each_title
def test_games_play_under_live_rules(title: str) -> None:
    """Nothing is let pass that play refuses: the same actions lead to the same state."""
    done = replayed(title).play
    live = start(done.setting)
    for action in done.actions():
        live.apply(action)
    assert live.current == done.current


@each_title
def test_games_export_and_import_as_the_same_game(title: str) -> None:
    """Written again the file is the same, letter by letter, and it is read as the same game."""
    done, file = replayed(title).play, file_of(title)
    content = write_game(done, file.id)
    assert content == json.loads(text_of(title))
    entries = tuple(content["actions"])
    assert file_text(Opened(done, content=content, entries=entries)) == text_of(title)
    again = Replay(read_game(json.loads(json.dumps(content))), audit=False).run()
    assert again.current == done.current
    assert again.actions() == done.actions()


@each_title
def test_games_are_as_lively_as_is_said(title: str) -> None:
    """The table of the robot's page has the figures of the file."""
    play = replayed(title).play
    lines = [line.split() for line in (play_games.__doc__ or "").splitlines()]
    (row,) = (line for line in lines if line[:1] == [title])
    _, players, seed, companies, trains, runs, highest, end = row
    counted = Counter(action.TYPE for action in play.actions())
    ran = [action for action in play.actions() if isinstance(action, RunRoutes)]
    assert len(play.setting.players) == int(players)
    assert play.setting.seed == int(seed)
    assert len({run.entity for run in ran}) == int(companies)
    assert (counted["buy_train"], counted["run_routes"]) == (int(trains), int(runs))
    best = max(sum(route.revenue or 0 for route in run.routes) for run in ran)
    assert (f"£{best}", play.end_reason) == (highest, end)
    example = next(one for one in play_games.EXAMPLES if one.title == title)
    assert (example.players, example.seed) == (int(players), int(seed))
    assert play_games.story(play).startswith(f"{title}: {len(play.actions())} actions, ")


def ask(position: board_pb2.Position) -> route_service_pb2.Solution:
    """Return the best run."""
    request = route_service_pb2.OptimizeRoutesRequest(position=position)
    return LocalClient().optimize(request, lambda _: None).solution


@each_title
def test_audits_agree_with_the_games(title: str) -> None:
    """What was paid is what the file says; best runs are proven, never worse, and now and then
    better: directors overlook stops."""
    recorded = {
        entry["id"]: sum(route["revenue"] for route in entry["routes"])
        for entry in json.loads(text_of(title))["actions"]
        if entry["type"] == "run_routes"
    }
    replay = Replay(file_of(title))
    assert count_runs(replay) == len(recorded)
    runs = list(islice(audit(replay, ask), AUDITED))
    assert len(runs) == min(AUDITED, len(recorded))
    for run in runs:
        assert run.paid == recorded[run.entry]
        assert run.proven
        assert run.missed >= 0
    assert any(run.missed > 0 for run in runs)


@pytest.mark.slow
def test_the_robot_plays_its_games_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes files that replay to their results; a title that has no game is told."""
    assert play_games.main(["18GB", "--out", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    file = read_game(json.loads(path.read_text("utf-8")))
    play = Replay(file).run()
    assert play.finished
    assert play.scores() == file.result
    assert play_games.story(play) in capsys.readouterr().out
    with pytest.raises(SystemExit):
        play_games.main(["1830"])
    assert "no example of 1830" in capsys.readouterr().err
