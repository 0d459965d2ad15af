"""``replay`` of several games."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from server.cli import main
from server.exit_codes import BAD_INPUT, INTERRUPTED, NOT_AS_HOPED, OK
from server.game_client import LocalGameClient

GAME = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
CONTENT = json.loads(GAME.read_text("utf-8"))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Files of every kind: right, with another result, with an entry that does not fit, broken."""
    unfit = json.loads(json.dumps(CONTENT))
    unfit["actions"][3]["entity"] = 3 - unfit["actions"][3]["entity"]
    texts = {
        "right": GAME.read_text("utf-8"),
        "other": json.dumps({**CONTENT, "result": {"1": 1, "2": 2}}),
        "unfit": json.dumps(unfit),
        "broken": "{",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    return {name: str(tmp_path / name) for name in texts}


def test_each_game_has_a_line_and_a_broken_file_stops_no_other(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """In the order given, that one and one that is missing before the others; nothing else."""
    missing = files["right"] + "-missing"
    names = [files["broken"], missing, files["unfit"], files["other"], files["right"]]
    assert main(["replay", *names]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert [line.split()[0] for line in lines] == names
    assert "is not a game file" in lines[0]
    assert "No such file or directory" in lines[1]
    assert "FAILED_PRECONDITION: entry 4: NOT_YOUR_TURN  game.file.actions[3].entity: " in lines[2]
    assert "; scores NOT as recorded" in lines[3]
    end = CONTENT["game_end_reason"]
    assert re.search(rf"  18GB, \d+ actions; the game is over: {end}; scores as recorded", lines[4])


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["right", "right"], OK),
        (["right", "other"], NOT_AS_HOPED),
        (["unfit", "right"], NOT_AS_HOPED),
        (["broken", "other", "right"], BAD_INPUT),
    ],
)
def test_the_exit_code_is_that_of_the_worst(
    names: list[str], code: int, files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each file has the code that it has alone, which JSON tells too."""
    paths = [files[name] for name in names]
    assert main(["replay", *paths, "--json"]) == code
    listed = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in listed] == paths
    alone = [main(["replay", path]) for path in paths]
    assert [one["exit_code"] for one in listed] == alone
    assert max(alone) == code
    assert [("answer" in one) for one in listed] == [name in ("right", "other") for name in names]


def test_a_moment_goes_with_one_game(
    files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Entries of several games have nothing to do with each other."""
    assert main(["replay", files["right"], files["other"], "--at", "3"]) == BAD_INPUT
    assert capsys.readouterr().err == "bradshaw: --at goes with one game file\n"


def test_an_interrupt_shows_what_has_been_replayed(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 130, the lines of the games before it."""
    asked: list[str] = []
    replayed = LocalGameClient.replay

    def interrupted(self: LocalGameClient, request: object) -> object:
        asked.append("replay")
        if len(asked) > 1:
            raise KeyboardInterrupt
        return replayed(self, request)  # type: ignore[arg-type]

    monkeypatch.setattr(LocalGameClient, "replay", interrupted)
    assert main(["replay", files["right"], files["other"]]) == INTERRUPTED
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == [files["right"]]
    assert err == "bradshaw: interrupted after 1 game\n"
