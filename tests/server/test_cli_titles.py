"""The commands about titles, and titles given to every command; the page on it is true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from engine.titles import library
from server.cli import main
from server.exit_codes import BAD_INPUT, OK
from server.process import service_process
from tests.engine.declared.wye import write_source

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "titles"
SKERRY = EXAMPLES / "Skerry"
REQUEST = EXAMPLES / "skerry-request.json"
PAGE = (ROOT / "docs" / "describe-a-title.md").read_text("utf-8")


@pytest.fixture(autouse=True)
def only_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles added by a test are gone after it."""
    monkeypatch.setattr(library, "_added", {})


def written(folder: Path) -> None:
    """Write the files that the page shows."""
    (folder / "Skerry").mkdir()
    shown = re.findall(r"`((?:Skerry/)?\w+\.json)`:.*?\n```json\n(.*?)^```$", PAGE, re.M | re.S)
    assert len(shown) == 7
    for name, text in shown:
        (folder / name).write_text(text, "utf-8")


def without_time(text: str) -> str:
    return re.sub(r", [\d.]+ s\)", ")", text).strip()


def test_the_page_leads_to_a_proven_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The files of the page, by its commands, give what the page shows, and a picture."""
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    steps = re.findall(r"^```sh\nbradshaw (.*?)\n```\n(?:\n```\n(.*?)^```$)?", PAGE, re.M | re.S)
    assert [command.split()[0] for command, _ in steps] == ["titles", "optimize"]
    for command, shown in steps:
        assert main(command.split()) == OK
        assert without_time(capsys.readouterr().out) == without_time(shown)
    assert (tmp_path / "run.svg").read_text("utf-8").startswith("<svg")


def test_the_page_shows_the_example(tmp_path: Path) -> None:
    """The folder that comes along has the files of the page."""
    written(tmp_path)
    pairs = {path.name: SKERRY / path.name for path in (tmp_path / "Skerry").iterdir()}
    assert pairs.keys() == {path.name for path in SKERRY.iterdir()}
    for name, path in pairs.items():
        assert (tmp_path / "Skerry" / name).read_text("utf-8") == path.read_text("utf-8")
    assert (tmp_path / "request.json").read_text("utf-8") == REQUEST.read_text("utf-8")


def test_check_lists_every_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each fault is a line with code and path; the exit code is that of bad input."""
    written(tmp_path)
    board = json.loads((tmp_path / "Skerry" / "map.json").read_text("utf-8"))
    board["hexes"][0]["neighbours"] = {"4": "B2"}
    board["hexes"][1]["face"] += ";path=a:9,b:_7"
    (tmp_path / "Skerry" / "map.json").write_text(json.dumps(board), "utf-8")
    rules = {"declared": [{"op": "magic"}]}
    (tmp_path / "Skerry" / "rules.json").write_text(json.dumps(rules), "utf-8")
    assert main(["titles", "check", str(tmp_path / "Skerry")]) == BAD_INPUT
    told = capsys.readouterr()
    found = {line.split(": ")[0] for line in told.out.splitlines()}
    assert found == {
        "DERIVED_DIFFERS  map.hexes[0].neighbours",
        "FACE_TEXT_WRONG  map.hexes[1].face.part[4]",
        "OPTION_UNKNOWN  rules.json/declared[0]/op",
    }
    assert "4 faults" in told.err
    assert main(["games", "--titles", str(tmp_path)]) == BAD_INPUT
    assert "Skerry/map.hexes[0].neighbours" in capsys.readouterr().err
    (tmp_path / "Skerry" / "map.json").write_text("{", "utf-8")
    assert main(["titles", "check", str(tmp_path / "Skerry")]) == BAD_INPUT
    assert "FILE_BROKEN  Skerry/map.json" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["titles check", "games --titles", "titles import"])
def test_a_folder_that_is_none(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder that is not there is bad input, in a sentence."""
    missing = str(tmp_path / "missing")
    more = [str(tmp_path / "out")] if "import" in command else []
    assert main([*command.split(), missing, *more]) == BAD_INPUT
    assert f"there is no folder {missing}" in capsys.readouterr().err


def test_a_folder_without_titles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in which no title is found is bad input too, not an empty list."""
    assert main(["titles", "list", "--titles", str(tmp_path)]) == BAD_INPUT
    assert "no title folder" in capsys.readouterr().err


def test_what_is_imported_is_at_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in the other form is imported, checked, added and listed."""
    write_source(tmp_path / "source")
    out = tmp_path / "titles" / "Wye"
    assert main(["titles", "import", str(tmp_path / "source"), str(out)]) == OK
    assert "7 hexes" in capsys.readouterr().out
    assert main(["titles", "list", "--titles", str(tmp_path / "titles")]) == OK
    assert "\nWye " in capsys.readouterr().out
    (tmp_path / "source" / "facts" / "map.json").unlink()
    assert main(["titles", "import", str(tmp_path / "source"), str(tmp_path / "no")]) == BAD_INPUT
    assert "FILE_MISSING  facts/map.json" in capsys.readouterr().out
    assert not (tmp_path / "no").exists()


def test_a_service_has_the_titles_that_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    """``serve --titles`` answers for a title that no other service knows."""
    with service_process(["--titles", str(EXAMPLES)]) as service:
        assert main(["optimize", str(REQUEST), "--server", service.address, "--json"]) == OK
    answer = json.loads(capsys.readouterr().out)
    assert answer["solution"]["run"]["revenue"] == 190
    assert answer["solution"]["status"] == "SOLUTION_STATUS_OPTIMAL"
