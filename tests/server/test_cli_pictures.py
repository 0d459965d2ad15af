"""Pictures that commands write: found out before the work, SVG or PNG, with the proof."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from bradshaw.v1 import route_service_pb2

from optimizer import solve
from server.cli import main
from server.convert.pictures import picture, proof_of
from server.exit_codes import BAD_INPUT, OK
from tests.server.requests import FOLDER, optimize_request

NAME = "18GB-small"
FILE = str(FOLDER / f"{NAME}.json")
RUN = str(FOLDER / f"{NAME}.run.json")
GAME = str(Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json")
OPTIMAL = route_service_pb2.SOLUTION_STATUS_OPTIMAL
FEASIBLE = route_service_pb2.SOLUTION_STATUS_FEASIBLE


@pytest.mark.parametrize("command", [["optimize", FILE], ["validate", RUN]])
def test_a_picture_is_written_as_png(command: list[str], tmp_path: Path) -> None:
    """Where its name ends so, whatever the case."""
    pytest.importorskip("resvg_py", reason="the extra for PNG is not installed")
    for name in ("run.png", "run.PNG"):
        out = tmp_path / name
        assert main([*command, "--svg", str(out)]) == OK
        content = out.read_bytes()
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        width, height = (int.from_bytes(content[at : at + 4]) for at in (16, 20))
        assert min(width, height) > 300


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list of the solves done, which ought to stay empty."""
    done: list[str] = []

    def noted(problem: Any, **options: Any) -> Any:
        done.append("solved")
        return solve(problem, **options)

    for module in ("server.client", "server.game_client"):
        monkeypatch.setattr(f"{module}.load_solver", lambda: noted)
    return done


COMMANDS = [["optimize", FILE], ["run", GAME, "--at", "29"], ["validate", RUN]]


@pytest.mark.parametrize("command", COMMANDS)
def test_png_without_the_extra_is_refused(
    command: list[str],
    tmp_path: Path,
    unasked: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Before anything is solved, with the name of the extra; no other kind is written instead."""
    monkeypatch.setattr("server.cli_pictures.find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    out = tmp_path / "run.png"
    assert main([*command, "--svg", str(out)]) == BAD_INPUT
    said = capsys.readouterr()
    assert said.out == ""
    assert "PNG needs the extra bradshaw[png]" in said.err
    assert said.err.count("\n") == 1
    assert not unasked
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "reason"),
    [("none/run.svg", "there is no folder"), (".", "it is a folder"), ("run.gif", "not .gif")],
)
def test_a_picture_that_cannot_be_written_is_found_out_before_the_work(
    command: list[str],
    name: str,
    reason: str,
    tmp_path: Path,
    unasked: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit code 2 and one line that names the file."""
    out = tmp_path / name
    assert main([*command, "--svg", str(out)]) == BAD_INPUT
    err = capsys.readouterr().err
    assert err.startswith(f"bradshaw: cannot write {out}: ")
    assert reason in err
    assert err.count("\n") == 1
    assert not unasked


def test_an_audit_finds_out_that_its_folder_is_none(
    tmp_path: Path, unasked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Before it solves anything."""
    taken = tmp_path / "file"
    taken.write_text("", "utf-8")
    assert main(["audit", GAME, "--svg", str(taken)]) == BAD_INPUT
    assert capsys.readouterr().err.startswith(f"bradshaw: cannot write to {taken}: ")
    assert not unasked


@pytest.mark.parametrize(
    ("status", "open_ties", "proven", "money", "said"),
    [
        (OPTIMAL, [], True, False, "Proven: nothing better exists (bounds)."),
        (OPTIMAL, ["trains"], False, True, "Proven: nothing pays more (bounds)."),
        (FEASIBLE, ["subsidy", "trains"], False, False, "Not proven: a better run may exist."),
    ],
)
def test_a_picture_says_which_proof_there_is(
    status: route_service_pb2.SolutionStatus.ValueType,
    open_ties: list[str],
    proven: bool,
    money: bool,
    said: str,
) -> None:
    """That nothing is better, that nothing pays more while a tie-break is open, or neither."""
    solution = route_service_pb2.Solution(
        status=status, bound=180, proof="bounds", open_ties=open_ties
    )
    proof = proof_of(solution)
    assert (proof.proven, proof.money, proof.bound) == (proven, money, 180)
    drawn = picture(optimize_request(NAME).position, solution.run, solution)
    assert said in re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", drawn))
