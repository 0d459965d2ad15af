"""Moments of game files, recorded runs, and what ``validate`` and ``optimize`` show of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToJson

from server.cli import main
from server.exit_codes import BAD_INPUT, NOT_AS_HOPED, OK
from tests.server.requests import FOLDER, validate_request

GAME = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
CONTENT = json.loads(GAME.read_text("utf-8"))
LAST = max(entry["id"] for entry in CONTENT["actions"])
FIRST_RUN = 29
"""The first run of trains, which paid £30 where £50 was possible."""


@pytest.mark.parametrize("command", ["replay", "optimize", "run", "validate"])
def test_a_moment_beyond_the_log_is_an_error_that_names_the_last_entry(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line; not the end of the game instead."""
    assert main([command, str(GAME), "--at", str(LAST + 1)]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"bradshaw: --at {LAST + 1}: the last entry of {GAME} is {LAST}\n"


def test_the_last_entry_is_a_moment(capsys: pytest.CaptureFixture[str]) -> None:
    """The greatest one that there is."""
    assert main(["replay", str(GAME), "--at", str(LAST)]) == OK
    assert "18GB, rules 18xx.games: " in capsys.readouterr().out


def test_validate_judges_the_run_that_a_game_records(capsys: pytest.CaptureFixture[str]) -> None:
    """Its routes and what they pay, by the rules, on the board of that moment; in JSON too."""
    assert main(["validate", str(GAME), "--at", str(FIRST_RUN)]) == OK
    out = capsys.readouterr().out
    assert out.startswith("18GB 2EW, phase 2+1: SWR with 2+1, 2+1, 2+1, rules 18xx.games")
    assert "Revenue of the run                                                   £30" in out
    assert out.endswith("The run is legal.\n")
    options = ["--at", str(FIRST_RUN), "--profile", "rulebook", "--json"]
    assert main(["validate", str(GAME), *options]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert (answer["legal"], answer["run"]["revenue"]) == (True, 30)


def test_every_run_of_the_record_is_legal_and_pays_what_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first ten of them."""
    runs = [entry for entry in CONTENT["actions"] if entry["type"] == "run_routes"][:10]
    assert len(runs) == 10
    for entry in runs:
        assert main(["validate", str(GAME), "--at", str(entry["id"]), "--json"]) == OK
        answer = json.loads(capsys.readouterr().out)
        assert answer["run"]["revenue"] == sum(route["revenue"] for route in entry["routes"])


def test_a_recorded_run_that_is_illegal_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 1, with the fault: here two trains over the same track (FMT §B6.8)."""
    actions = json.loads(json.dumps(CONTENT["actions"]))
    entry = next(entry for entry in actions if entry["id"] == FIRST_RUN)
    first = entry["routes"][0]
    other = "2+1-0" if first["train"] == "2+1-1" else "2+1-1"
    entry["routes"] = [first, {**first, "train": other}]
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**CONTENT, "actions": actions}), "utf-8")
    assert main(["validate", str(path), "--at", str(FIRST_RUN)]) == NOT_AS_HOPED
    out = capsys.readouterr().out
    assert "ROUTE_VOID  routes[0].legs: " in out
    assert out.endswith("The run is illegal.\n")


def test_an_entry_that_is_no_run_cannot_be_judged(capsys: pytest.CaptureFixture[str]) -> None:
    """Nor a game of which no entry is named: exit code 2, with what to do."""
    other = CONTENT["actions"][2]
    assert main(["validate", str(GAME), "--at", str(other["id"])]) == BAD_INPUT
    said = f"--at {other['id']}: the entry is {other['type']!r}, not a run of trains"
    assert said in capsys.readouterr().err
    assert main(["validate", str(GAME)]) == BAD_INPUT
    assert "--at N says which run of trains is meant" in capsys.readouterr().err


def test_a_request_without_routes_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict is on a run of nothing, and says it; one with routes does not."""
    request = validate_request("18GB-small")
    path = tmp_path / "request.json"
    said = "No routes were given: this is the verdict on a run of nothing."
    for given in (True, False):
        if not given:
            del request.routes[:]
        path.write_text(MessageToJson(request), "utf-8")
        main(["validate", str(path)])
        assert (said in capsys.readouterr().out) != given


def test_each_of_several_runs_has_its_table(capsys: pytest.CaptureFixture[str]) -> None:
    """With its routes, amounts and sums, the best first."""
    assert main(["optimize", str(FOLDER / "18GB-small.json"), "--runs", "3"]) == OK
    first, second, third = capsys.readouterr().out.split("\nRun ")
    assert "Run " not in first.partition("Proven")[2]
    assert second.startswith("2: £180\n")
    assert third.startswith("3: £170\n")
    for table, amount in ((first, 180), (second, 180), (third, 170)):
        assert "4X (4X-0)  " in table
        lines = [line for line in table.splitlines() if line.startswith("  revenue")]
        assert sum(int(line.rpartition("£")[2]) for line in lines) == amount
