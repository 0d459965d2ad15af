"""Wishes as options of the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import MessageToJson

from server.cli import main
from server.exit_codes import BAD_INPUT, OK
from tests.server.requests import FOLDER, optimize_request

NAME = "18GB-small"
FILE = str(FOLDER / f"{NAME}.json")


def solved(capsys: pytest.CaptureFixture[str], *options: str, file: str = FILE) -> dict[str, Any]:
    """Return the solution of a request."""
    assert main(["optimize", file, "--json", *options]) == OK
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["solution"]
    return found


def trains(solution: dict[str, Any]) -> list[str]:
    """Return the trains that run."""
    return [account["route"]["train_id"] for account in solution["run"]["routes"]]


def test_an_idle_train_stands_still(capsys: pytest.CaptureFixture[str]) -> None:
    """The other one runs; what is best without the wish is told, for people too."""
    assert trains(solved(capsys)) == ["4X-0", "5+2-1"]
    solution = solved(capsys, "--idle", "4X-0")
    assert trains(solution) == ["5+2-1"]
    assert solution["run"]["revenue"] == 100
    assert solution["free_optimum"]["revenue"] == 180
    assert trains(solved(capsys, "--idle", "4X-0", "--idle", "5+2-1")) == []
    assert main(["optimize", FILE, "--idle", "4X-0"]) == OK
    assert "Without the wishes: £180." in capsys.readouterr().out


def test_a_place_is_avoided(capsys: pytest.CaptureFixture[str]) -> None:
    """A hex by its name, a stop by hex and number: another stop of the hex may still be met."""
    hexes = stops_of(solved(capsys, "--avoid", "I6"))
    assert hexes
    assert not any(stop.startswith("I6-") for stop in hexes)
    stops = stops_of(solved(capsys, "--avoid", "I6-1"))
    assert "I6-1" not in stops
    assert "I6-0" in stops
    both = stops_of(solved(capsys, "--avoid", "I6-1", "--avoid", "J3"))
    assert not any(stop == "I6-1" or stop.startswith("J3-") for stop in both)


def stops_of(solution: dict[str, Any]) -> set[str]:
    """Return the stops of all routes."""
    return {stop for account in solution["run"]["routes"] for stop in account["route"]["stops"]}


def test_a_pinned_route_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """In the short form and as the answer has it; the rest is the best beside it."""
    second = solved(capsys, "--runs", "2")["others"][0]["routes"][1]["route"]
    legs = ",".join(" ".join(leg["hexes"]) for leg in second["legs"])
    for text in (f"{second['train_id']}={legs}", json.dumps(second)):
        solution = solved(capsys, "--pin", text)
        pinned = next(
            account["route"]
            for account in solution["run"]["routes"]
            if account["route"]["train_id"] == second["train_id"]
        )
        assert set(pinned["stops"]) == set(second["stops"])
        assert solution["free_optimum"]["revenue"] >= solution["run"]["revenue"]


@pytest.mark.parametrize("text", ["4X-0", "=H9 H7", "4X-0=", "4X-0=H9 H7,", "{", '{"train": 1}'])
def test_a_route_that_cannot_be_read_is_bad_input(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line that names the option and what was given; nothing is solved."""
    assert main(["optimize", FILE, "--pin", text]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"bradshaw: --pin {text}: ")


@pytest.mark.parametrize(
    "options", [["--idle", "9X-7"], ["--avoid", "Z99"], ["--pin", "9X-7=H9 H7"]]
)
def test_wishes_for_what_is_not_there_are_bad_input(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """They are no silent nothing."""
    assert main(["optimize", FILE, *options]) == BAD_INPUT
    assert options[1].partition("=")[0] in capsys.readouterr().err


def test_options_go_before_the_wishes_of_the_file_kind_by_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An idle train of the command replaces that of the file; a place to avoid stays."""
    request = optimize_request(NAME)
    request.options.wishes.idle_trains.append("4X-0")
    request.options.wishes.avoid_hexes.append("J3")
    path = tmp_path / "request.json"
    path.write_text(MessageToJson(request), "utf-8")
    solution = solved(capsys, "--idle", "5+2-1", file=str(path))
    assert trains(solution) == ["4X-0"]
    assert not any(stop.startswith("J3-") for stop in stops_of(solution))
