"""Whole games on the command line: replay, run, audit, and optimize with a game file."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bradshaw.v1 import route_service_pb2
from google.protobuf.json_format import MessageToJson

from engine.notation.gamefile import Replay, read_game
from engine.play.actions import RunRoutes
from optimizer import solve
from optimizer.stop import Stop
from server.asking import undisturbed
from server.audit import AuditedRun, audit
from server.cli import main
from server.exit_codes import BAD_INPUT, FAILED, INTERRUPTED, NOT_AS_HOPED, OK
from server.gamebook import Gamebook, Source, snapshot_text
from tests.engine.play.made_up import TITLE, add_game
from tests.server.doubles import OneLegSolver, StubbornSolver
from tests.server.harness import Service, serving
from tests.server.records import WITH_POSITIONS, WITHOUT_POSITIONS, game_path, positions_of
from tests.shared import needs_records

OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
CONTENT = json.loads(OWN.read_text("utf-8"))
EXAMPLE = str(Path(__file__).resolve().parents[2] / "examples" / "games" / "1862.json")
RUNS = 30
"""Runs of trains in the shipped game; the first is entry 29, which paid £30 of £50."""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service with the optimizer."""
    with serving(solve) as running:
        yield running


def game(tmp_path: Path, **changes: Any) -> str:
    """Write the shipped game with other top-level values; return its path."""
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**CONTENT, **changes}), "utf-8")
    return str(path)


@pytest.mark.parametrize("remote", [False, True])
def test_replay_tells_the_scores(
    remote: bool, service: Service, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of every player, that they are the recorded ones, and the reason; the same in JSON and
    from a service."""
    arguments = ["replay", str(OWN), *(["--server", service.address] if remote else [])]
    assert main(arguments) == OK
    out = capsys.readouterr().out
    assert f"The game is over: {CONTENT['game_end_reason']}." in out
    assert "The scores are the recorded ones." in out
    for score in CONTENT["result"].values():
        assert f"worth £{score}" in out
    assert main([*arguments, "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert answer["scores_equal"] is True
    assert {str(p["id"]): p["worth"] for p in answer["state"]["players"]} == CONTENT["result"]


def test_replay_tells_other_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1 if a score or the reason is another one."""
    assert main(["replay", game(tmp_path, result={"1": 1, "2": 2})]) == NOT_AS_HOPED
    assert "The scores are NOT the recorded ones." in capsys.readouterr().out
    assert main(["replay", game(tmp_path, game_end_reason="bank")]) == NOT_AS_HOPED
    assert f"ends by {CONTENT['game_end_reason']}; recorded is bank." in capsys.readouterr().out


def test_replay_lists_what_the_rules_see_differently(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run that was paid £10 too much; the amounts of the record still count."""
    actions = json.loads(json.dumps(CONTENT["actions"]))
    run = next(entry for entry in actions if entry["id"] == 29)
    run["routes"][0]["revenue"] += 10
    path = game(tmp_path, actions=actions)
    assert main(["replay", path, "--at", "30"]) == OK
    out = capsys.readouterr().out
    assert "What the rules see differently:\n  entry 29  REVENUE_DIFFERS  routes: " in out
    assert "(18GB §" in out


def test_replay_stops_at_an_entry_that_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, with the entry, the code and the place in the file."""
    actions = json.loads(json.dumps(CONTENT["actions"]))
    actions[3]["entity"] = 3 - actions[3]["entity"]
    assert main(["replay", game(tmp_path, actions=actions)]) == NOT_AS_HOPED
    err = capsys.readouterr().err
    assert err.startswith("bradshaw: FAILED_PRECONDITION: entry 4\n")
    assert "NOT_YOUR_TURN  game.file.actions[3].entity: " in err


def test_replay_shows_the_moment_before_an_entry(capsys: pytest.CaptureFixture[str]) -> None:
    """Whose turn it is, in which step; companies with director, treasury and trains."""
    assert main(["replay", str(OWN), "--at", "29"]) == OK
    out = capsys.readouterr().out
    assert out.startswith("18GB, rules 18xx.games: 28 actions\n")
    assert "operating round 1.2: corporation SWR at the step run." in out
    assert "SWR       £80  Bob              £160    2+1-0, 2+1-1, 2+1-2" in out
    assert "recorded" not in out
    assert main(["replay", str(OWN), "--at", "30"]) == OK
    assert "at the step dividend." in capsys.readouterr().out


def test_the_moment_counts_what_undo_has_left(tmp_path: Path) -> None:
    """An entry before N that a later one takes back has not been done at N."""
    first, second, third = CONTENT["actions"][:3]
    undo = {"type": "undo", "entity": 2, "entity_type": "player", "id": 4}
    actions = [first, second, {**third, "price": 50}, undo, {**third, "id": 5}]
    text = json.dumps({**CONTENT, "actions": actions})
    done = {}
    for before in (3, 4, 5, None):
        opened = Gamebook().open(Source(text, before=before), Stop())
        done[before] = [entry["id"] for entry in opened.entries]
        assert opened.count == len(done[before])
    assert done == {3: [1, 2], 4: [1, 2], 5: [1, 2], None: [1, 2, 5]}


@pytest.mark.parametrize("remote", [False, True])
def test_run_shows_the_run_and_its_actions(
    remote: bool, service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The account, the proof, then each action on a line of its own; a picture."""
    out = tmp_path / "run.svg"
    server = ["--server", service.address] if remote else []
    arguments = ["run", str(OWN), "--at", "29", *server]
    assert main([*arguments, "--svg", str(out)]) == OK
    said = capsys.readouterr().out
    assert "Proven: nothing better exists" in said
    action = json.loads(said.splitlines()[-1])
    assert (action["type"], action["entity"]) == ("run_routes", "SWR")
    assert [route["revenue"] for route in action["routes"]] == [20, 30]
    assert 'data-train="2+1-0"' in out.read_text("utf-8")
    assert main([*arguments, "--json"]) == OK
    text = capsys.readouterr().out
    assert json.loads(text)["actions"] == [action]
    assert "30.0" not in text


@pytest.mark.parametrize("remote", [False, True])
def test_run_plays_the_run(
    remote: bool, service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The game file with the action added goes to standard output alone, or to a file; it
    replays, and the run is the last thing done."""
    server = ["--server", service.address] if remote else []
    arguments = ["run", str(OWN), "--at", "29", "--apply", *server]
    assert main(arguments) == OK
    text = capsys.readouterr().out
    out = tmp_path / "after.json"
    assert main([*arguments, "--out", str(out)]) == OK
    assert "Proven" in capsys.readouterr().out
    assert json.loads(out.read_text("utf-8")) == json.loads(text)
    play = Replay(read_game(json.loads(text))).run()
    done = play.actions()[-1]
    assert isinstance(done, RunRoutes)
    assert sum(entry.revenue or 0 for entry in done.routes) == 50
    assert main(["replay", str(out)]) == OK
    assert "corporation SWR at the step dividend" in capsys.readouterr().out


def test_run_takes_a_snapshot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As the service gives it; played on, it is written as one."""
    play = Gamebook().open(Source(OWN.read_text("utf-8"), before=29), Stop()).play
    path = tmp_path / "snapshot.json"
    path.write_text(snapshot_text(play), "utf-8")
    assert main(["run", str(path), "--apply", "--out", str(path)]) == OK
    capsys.readouterr()
    assert main(["run", str(path)]) == BAD_INPUT
    assert "the step 'dividend' waits for corporation SWR" in capsys.readouterr().err
    assert main(["optimize", str(path), "--at", "3"]) == BAD_INPUT
    assert "ONLY_WITH_FILE" in capsys.readouterr().err


def test_run_says_what_it_cannot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """No company about to run, --out without --apply, a file that is no game, exit code 2;
    a run that is not proven, exit code 1."""
    assert main(["run", str(OWN)]) == BAD_INPUT
    assert "NOTHING_TO_RUN  game: " in capsys.readouterr().err
    assert main(["run", str(OWN), "--at", "29", "--out", str(tmp_path / "x")]) == BAD_INPUT
    assert "--out goes with --apply" in capsys.readouterr().err
    for text in ("", "[]", "{}"):
        path = tmp_path / "no.json"
        path.write_text(text, "utf-8")
        assert main(["run", str(path)]) == BAD_INPUT
        assert f"{path} is not a game file" in capsys.readouterr().err
    with serving(OneLegSolver()) as service:
        arguments = ["run", str(OWN), "--at", "29", "--server", service.address]
        assert main(arguments) == NOT_AS_HOPED
    assert "Not proven" in capsys.readouterr().out


def test_a_title_that_cannot_be_played_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By every command, with the code; exit code 2."""
    add_game(tmp_path, monkeypatch, "")
    path = game(tmp_path, title=TITLE)
    for command in (["replay"], ["run"], ["audit"], ["optimize", "--at", "29"]):
        assert main([command[0], path, *command[1:]]) == BAD_INPUT
        said = capsys.readouterr().err
        assert f"UNIMPLEMENTED: whole games of {TITLE} cannot be played" in said


def test_optimize_takes_a_game_file(
    service: Service, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Known by its content; here, by a service, from standard input. Its options count."""
    for extra in ([], ["--server", service.address]):
        assert main(["optimize", str(OWN), "--at", "29", *extra]) == OK
        out = capsys.readouterr().out
        assert out.startswith("18GB 2EW, phase 2+1: SWR with 2+1, 2+1, 2+1, rules 18xx.games")
        assert "Revenue of the run                                                   £50" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO(OWN.read_text("utf-8")))
    options = ["--profile", "rulebook", "--runs", "2", "--json"]
    assert main(["optimize", "-", "--at", "29", *options]) == OK
    assert len(json.loads(capsys.readouterr().out)["solution"]["others"]) == 1


def test_the_options_of_a_game_do_not_go_with_a_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2."""
    path = tmp_path / "request.json"
    path.write_text(MessageToJson(route_service_pb2.OptimizeRoutesRequest()), "utf-8")
    for extra in (["--at", "3"], ["--profile", "rulebook"]):
        assert main(["optimize", str(path), *extra]) == BAD_INPUT
        assert "go with a game file" in capsys.readouterr().err


@pytest.mark.parametrize("remote", [False, True])
def test_audit_compares_every_run(
    remote: bool, service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was paid, what was possible, the difference; sums by company and director that add
    up; pictures of the runs played beside the better ones; nothing on standard error, which
    is no terminal."""
    server = ["--server", service.address] if remote else []
    folder = tmp_path / "better"
    assert main(["audit", str(OWN), "--json", "--svg", str(folder), *server]) == OK
    told = capsys.readouterr()
    answer = json.loads(told.out)
    runs = answer["runs"]
    assert len(runs) == RUNS
    assert told.err == ""
    recorded = {e["id"]: e for e in CONTENT["actions"] if e["type"] == "run_routes"}
    for run in runs:
        routes = recorded[run["entry"]]["routes"]
        assert run["paid"] == sum(route["revenue"] for route in routes)
        assert run["possible"] == run["best"]["revenue"] == run["bound"]
        assert run["missed"] == run["possible"] - run["paid"] >= 0
        assert run["proven"]
    first = runs[0]
    assert (first["entry"], first["corporation"], first["director"]) == (29, "SWR", "Bob")
    assert (first["paid"], first["possible"], first["missed"]) == (30, 50, 20)
    for kind, key in (("companies", "corporation"), ("directors", "director")):
        for entry in answer[kind]:
            group = [run for run in runs if run[key] == entry["name"]]
            assert entry["runs"] == len(group)
            assert entry["improvable"] == sum(run["missed"] > 0 for run in group)
            for amount in ("paid", "possible", "missed"):
                assert entry[amount] == sum(run[amount] for run in group)
        missed = [entry["missed"] for entry in answer[kind]]
        assert missed == sorted(missed, reverse=True)
    (total,) = answer["all"]
    assert total["missed"] == sum(run["missed"] for run in runs)
    better = sorted(path.name for path in folder.iterdir())
    assert better == [f"{r['entry']:05}-{r['corporation']}.svg" for r in runs if r["missed"] > 0]
    drawn = (folder / "00029-SWR.svg").read_text("utf-8")
    trains = re.findall('class="route" data-train="([^"]*)"', drawn)
    assert trains == ["2+1-1", "2+1-0", "2+1-1"], "the one that ran, then both of the best run"
    assert ">Played: £30<" in drawn
    assert ">Best: £50<" in drawn
    assert "Proven: nothing better exists" in drawn


def test_audit_is_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each run, for each company and director, and for all."""
    assert main(["audit", str(OWN)]) == OK
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["entry", "round", "company", "director", "paid", "best", "missed"]
    assert lines[1].split() == [
        *("29", "operating", "round", "1.2", "SWR", "Bob", "£30", "£50", "£20"),
    ]
    assert sum(line.startswith("By ") for line in lines) == 2
    assert lines[-1].split()[:2] == ["All", str(RUNS)]


def test_audit_lists_only_better_runs_if_asked(capsys: pytest.CaptureFixture[str]) -> None:
    """The others are left out of the list, not of the sums."""
    assert main(["audit", EXAMPLE, "--better", "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    (total,) = answer["all"]
    assert all(run["missed"] > 0 for run in answer["runs"])
    assert 0 < len(answer["runs"]) == total["improvable"] < total["runs"]
    assert main(["audit", EXAMPLE, "--better"]) == OK
    lines = capsys.readouterr().out.splitlines()
    listed = [int(line[:6]) for line in lines[1 : lines.index("")]]
    assert listed == [run["entry"] for run in answer["runs"]]
    assert lines[-1].split()[:3] == ["All", str(total["runs"]), str(total["improvable"])]


def test_an_interrupted_audit_shows_what_it_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 130; the runs until then with their sums; other commands stop with a word."""
    seen: list[AuditedRun] = []

    def interrupted(*arguments: Any) -> Iterator[AuditedRun]:
        for run in audit(*arguments):
            if len(seen) == 7:
                raise KeyboardInterrupt
            seen.append(run)
            yield run

    monkeypatch.setattr("server.cli_audit.audit", interrupted)
    assert main(["audit", str(OWN), "--json"]) == INTERRUPTED
    told = capsys.readouterr()
    assert [run["entry"] for run in json.loads(told.out)["runs"]] == [run.entry for run in seen]
    assert "interrupted after 7 runs" in told.err

    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("server.gamebook.Gamebook.open", stopped)
    assert main(["replay", str(OWN)]) == INTERRUPTED
    assert capsys.readouterr().err == "bradshaw: interrupted\n"


def test_an_interrupted_run_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 130: the best run so far may be a poor one. While the game is replayed an
    interrupt ends the command at once."""
    entry = next(action["id"] for action in CONTENT["actions"] if action["type"] == "run_routes")

    def interrupted(problem: Any, **options: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return StubbornSolver()(problem, **options)

    monkeypatch.setattr("server.game_client.load_solver", lambda: interrupted)
    out = tmp_path / "out.json"
    arguments = ["run", str(OWN), "--at", str(entry), "--apply", "--out", str(out)]
    assert main(arguments) == INTERRUPTED
    assert "the game is not written" in capsys.readouterr().err
    assert not out.exists()
    opened = Gamebook.open

    def late(book: Gamebook, source: Source, stop: Stop) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return opened(book, source, stop)

    monkeypatch.setattr("server.gamebook.Gamebook.open", late)
    assert main(arguments) == INTERRUPTED
    assert capsys.readouterr().err == "bradshaw: interrupted\n"
    assert not out.exists()


def test_an_interrupt_waits_for_imports() -> None:
    """Extensions would turn it into an ImportError."""
    ended = []

    def imports() -> None:
        with undisturbed():
            os.kill(os.getpid(), signal.SIGINT)
            ended.append(True)

    with pytest.raises(KeyboardInterrupt):
        imports()
    assert ended == [True]


def test_audits_take_game_files_and_say_so_at_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A request and a snapshot are none, exit code 2; a folder that cannot be made is told
    before the first run is solved."""
    request = tmp_path / "request.json"
    request.write_text("{}", "utf-8")
    assert main(["audit", str(request)]) == BAD_INPUT
    assert "is not a game file: it has no actions" in capsys.readouterr().err
    play = Gamebook().open(Source(OWN.read_text("utf-8"), before=29), Stop()).play
    snapshot = tmp_path / "snapshot.json"
    snapshot.write_text(snapshot_text(play), "utf-8")
    assert main(["audit", str(snapshot)]) == BAD_INPUT
    assert "which has no past to audit" in capsys.readouterr().err
    assert main(["audit", str(OWN), "--svg", str(request)]) == BAD_INPUT
    assert capsys.readouterr().err.startswith(f"bradshaw: cannot write to {request}")


def test_a_reader_who_has_seen_enough_is_no_fault() -> None:
    """A closed pipe ends the command without a traceback."""
    command = [sys.executable, "-m", "server.cli", "audit", str(OWN), "--json"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    reader = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stderr is not None
    reader.stdout.close()
    said = reader.stderr.read()
    assert reader.wait(60) == FAILED
    assert "Traceback" not in said
    assert "BrokenPipe" not in said


def test_audit_says_what_is_not_proven(capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, with the bound; a run that beats the best one found misses nothing."""
    with serving(OneLegSolver()) as service:
        assert main(["audit", str(OWN), "--server", service.address]) == NOT_AS_HOPED
    out = capsys.readouterr().out
    assert out.count("not proven, bound £10000") == RUNS


def test_audit_stops_at_an_entry_that_does_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2; a file that is no game, too; a folder that cannot be made."""
    actions = json.loads(json.dumps(CONTENT["actions"]))
    actions[3]["entity"] = 3 - actions[3]["entity"]
    assert main(["audit", game(tmp_path, actions=actions)]) == BAD_INPUT
    assert "game.file.actions[3].entity" in capsys.readouterr().err
    assert main(["audit", game(tmp_path, title="1899"), "--json"]) == BAD_INPUT
    assert json.loads(capsys.readouterr().out)["details"][0]["reason"] == "GAME_UNKNOWN"
    taken = tmp_path / "taken"
    taken.touch()
    assert main(["audit", str(OWN), "--svg", str(taken)]) == BAD_INPUT
    assert f"cannot write to {taken}" in capsys.readouterr().err


@needs_records
@pytest.mark.parametrize("name", WITH_POSITIONS)
def test_audits_of_records_give_the_known_optima(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every run of a record: the optimum of its position, proven, and what was paid."""
    assert main(["audit", str(game_path(name)), "--json"]) == OK
    runs = json.loads(capsys.readouterr().out)["runs"]
    records = positions_of(name)
    assert {run["entry"]: run["possible"] for run in runs} == {
        record.raw["action"]: record.optimum for record in records
    }
    assert {run["entry"]: run["paid"] for run in runs} == {
        record.raw["action"]: sum(r["revenue"] for r in record.raw["recorded"]["routes"])
        for record in records
    }


@needs_records
@pytest.mark.parametrize("name", WITHOUT_POSITIONS)
def test_audits_of_other_records_miss_nothing_below_zero(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every best run is proven and pays at least what was paid."""
    assert main(["audit", str(game_path(name)), "--json"]) == OK
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert runs
    assert all(run["missed"] >= 0 and run["proven"] for run in runs)
