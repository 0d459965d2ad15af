"""Title folders are made from descriptions, and every fault of a description is listed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.declared.parsing import option_from, option_types, options_of
from engine.errors import StateError
from engine.games import known_titles, load_game
from engine.titles import add_folder, all_titles, find_title
from engine.titles.importing import import_title, write_title
from tests.engine.declared.wye import write_source

ROOT = Path(__file__).resolve().parents[3]


def test_a_description_becomes_a_title(tmp_path: Path) -> None:
    """What is written is read back as the title, with its facts and options."""
    write_source(tmp_path / "source")
    description = import_title(tmp_path / "source")
    assert description.faults == ()
    write_title(description, tmp_path / "titles" / "Wye")
    (title,) = add_folder(tmp_path / "titles")
    assert find_title("Wye") is title
    assert (list(title.trains)[:2], list(title.phases), title.map_files) == (
        ["2", "3"], ["I"], {"Wye": "map.json"},
    )  # fmt: skip
    assert len(options_of(title)) == 8


def test_every_fault_is_listed(tmp_path: Path) -> None:
    """Missing and broken files, unknown names and options that mean nothing, all at once."""
    write_source(tmp_path, [{"op": "longest", "count": "noses"}, {"marker": "x"}])
    (tmp_path / "facts" / "phases.json").unlink()
    (tmp_path / "facts" / "trains.json").write_text("{", "utf-8")
    (tmp_path / "facts" / "tiles.json").write_text("{}", "utf-8")
    (tmp_path / "facts" / "extra.json").write_text("{}", "utf-8")
    found = {(fault.code, fault.path) for fault in import_title(tmp_path).faults}
    assert found == {
        ("FILE_UNKNOWN", "facts/extra.json"),
        ("FILE_BROKEN", "facts/trains.json"),
        ("FILE_MISSING", "facts/trains.json"),
        ("FILE_MISSING", "facts/phases.json"),
        ("SHAPE_WRONG", "facts/tiles.json/tiles"),
        ("OPTION_BROKEN", "options.json/declared[0]"),
        ("OPTION_BROKEN", "options.json/declared[1]"),
    }
    (tmp_path / "options.json").write_text(json.dumps({"declared": [{"op": "magic"}]}), "utf-8")
    checked = import_title(tmp_path, check=lambda raw, where: option_from(raw, where)[1])
    assert ("OPTION_UNKNOWN", "rules.json/declared[0]/op") in {
        (fault.code, fault.path) for fault in checked.faults
    }
    with pytest.raises(StateError):
        write_title(import_title(tmp_path), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_supplement_adds_and_leaves_out(tmp_path: Path) -> None:
    """Options are added, left out and given their rule; other keys go to title.json."""
    write_source(tmp_path)
    supplement = {
        "without": [{"op": "longest"}, {"op": "marker", "marker": "other"}],
        "declared": [{"op": "local_off"}],
        "sections": {"set": "Wye §3"},
        "not_modelled": ["ferries"],
    }
    files = import_title(tmp_path, supplement).files
    declared = json.loads(files["rules.json"])["declared"]
    assert "longest" not in [option["op"] for option in declared]
    assert declared[-1] == {"op": "local_off"}
    assert next(o for o in declared if o["op"] == "set")["section"] == "Wye §3"
    assert json.loads(files["title.json"])["not_modelled"] == ["ferries"]


def test_variants_are_found_by_the_names_of_files(tmp_path: Path) -> None:
    """A file whose suffix holds that of a map belongs to the variant of that map."""
    write_source(tmp_path)
    facts = tmp_path / "facts"
    for name in ("map_France", "map_Poland", "trains_France_Poland", "phases_old_era"):
        kind = name.partition("_")[0]
        (facts / f"{name}.json").write_text((facts / f"{kind}.json").read_text("utf-8"), "utf-8")
    maps = json.loads(import_title(tmp_path).files["title.json"])["maps"]
    assert maps == {
        "Wye": {},
        "France": {"map": "map_France.json", "trains": "trains_France_Poland.json"},
        "Poland": {"map": "map_Poland.json", "trains": "trains_France_Poland.json"},
        "old_era": {"phases": "phases_old_era.json"},
    }


def test_every_title_of_the_project_is_whole() -> None:
    """Each title can be loaded with every map, and its options are in the known form."""
    assert len(all_titles()) >= 60
    for name, title in known_titles().items():
        assert title.title == name
        game = load_game(name)
        for board in title.variants:
            assert game.atlas(board).hexes
            variant = title.variant(board)
            assert variant.trains
            assert variant.phases
            assert variant.corporations
        if title.declared:
            options_of(title)


def test_malformed_options_are_listed(tmp_path: Path) -> None:
    """Unknown options and keys, missing keys and values of the wrong kind."""
    write_source(tmp_path / "source", [])
    write_title(import_title(tmp_path / "source"), tmp_path / "Wye")
    declared = [
        {"op": "magic"},
        {"op": "marker", "marker": "x", "amount": "ten", "colour": "red"},
        {"op": "set", "amount": 3},
        {"op": "count", "of": {"hex": "A1"}, "table": [0, 1]},
    ]
    text = json.dumps({"title": "Wye", "declared": declared})
    (tmp_path / "Wye" / "rules.json").write_text(text, "utf-8")
    (title,) = add_folder(tmp_path / "Wye")
    with pytest.raises(StateError) as caught:
        options_of(title)
    where = "rules.json/declared"
    assert {(fault.code, fault.path) for fault in caught.value.faults} == {
        ("OPTION_UNKNOWN", f"{where}[0]/op"),
        ("SHAPE_WRONG", f"{where}[1]/amount"),
        ("KEY_UNKNOWN", f"{where}[1]/colour"),
        ("KEY_MISSING", f"{where}[2]/all"),
        ("KEY_UNKNOWN", f"{where}[3]/of/hex"),
    }


def test_the_page_names_every_option() -> None:
    """docs/declared-options.md has a line for each option that there is, and for no other."""
    page = (ROOT / "docs" / "declared-options.md").read_text("utf-8")
    rows = [line.split("|")[1].strip(" `") for line in page.splitlines() if line[:3] == "| `"]
    assert sorted(row for row in rows if row != "op") == sorted(option_types())
