"""Folders of titles that are added: read as they stand if complete, else checked and filled in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.declared.parsing import option_from
from engine.errors import StateError
from engine.titles import add_folder, find_title, library
from engine.titles.memory import MemoryFolder
from tests.engine.titles.ell import FILES

DATA = Path(__file__).resolve().parents[3] / "engine" / "titles" / "data"


@pytest.fixture(autouse=True)
def only_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles added by a test are gone after it."""
    monkeypatch.setattr(library, "_added", {})


def write(folder: Path, **other: Any) -> Path:
    """Write Ell with some other files."""
    folder.mkdir()
    for name, content in {**FILES, **other}.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


def test_what_is_left_out_is_filled_in(tmp_path: Path) -> None:
    """A folder of the least files, faces in the short language, is a title like any other."""
    write(tmp_path / "Ell")
    (title,) = add_folder(tmp_path)
    assert find_title("Ell") is title
    assert isinstance(title.folder, MemoryFolder)
    assert title.part("map")["hexes"][1]["neighbours"] == {"2": "A1"}
    assert title.corporations["LR"]["home"] == {"hex": "A1", "stop": 0}


def test_a_complete_folder_is_read_as_it_stands() -> None:
    """A folder of the project that is added is that folder."""
    (title,) = add_folder(DATA / "1846")
    assert title.folder == DATA / "1846"
    assert find_title("1846") is title


def test_a_folder_with_faults_is_refused_with_all_of_them(tmp_path: Path) -> None:
    """Faults name the folder, the file and the place; nothing is added."""
    rules = {"declared": [{"op": "magic"}]}
    write(tmp_path / "Ell", **{"rules.json": rules, "phases.json": {"phases": []}})
    with pytest.raises(StateError) as caught:
        add_folder(tmp_path, lambda raw, where: option_from(raw, where)[1])
    assert {(fault.code, fault.path) for fault in caught.value.faults} == {
        ("OPTION_UNKNOWN", "Ell/rules.json/declared[0]/op"),
        ("DESCRIPTION_INVALID", "Ell/phases.phases"),
    }
    (tmp_path / "Ell" / "map.json").write_text("[" * 100_000, "utf-8")
    with pytest.raises(StateError) as caught:
        add_folder(tmp_path)
    assert [fault.path for fault in caught.value.faults] == ["Ell/map.json"]
    assert find_title("Ell") is None


def test_titles_of_the_project_load_without_schemas() -> None:
    """A title that comes along costs no import of the library that validates."""
    code = (
        "import sys; from engine.games import load_game; load_game('1846').trains; "
        "assert 'jsonschema' not in sys.modules"
    )
    root = DATA.parents[2]
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, cwd=root, env={"PYTHONPATH": str(root)})
