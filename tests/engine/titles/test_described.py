"""Titles made of a description in memory: complete, with every fault, and refused cheaply."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.declared.parsing import option_from, options_of
from engine.errors import Fault, StateError
from engine.titles import Title
from engine.titles.described import completed, content_name, described_title
from tests.engine.titles.ell import FILES

ROOT = Path(__file__).resolve().parents[3]
QUICK = 1.0
"""Seconds of CPU time in which a hostile description is refused."""


def check(raw: Any, where: str) -> tuple[Fault, ...]:
    return option_from(raw, where)[1]


def made(**files: Any) -> tuple[Title | None, tuple[Fault, ...]]:
    """Return the title of the description with some other files."""
    changed = {f"{kind}.json": content for kind, content in files.items()}
    return described_title({**FILES, **changed}, check=check)


def found(**files: Any) -> set[tuple[str, str]]:
    """Return codes and paths of what is wrong."""
    title, faults = made(**files)
    assert (title is None) == bool(faults)
    return {(fault.code, fault.path) for fault in faults}


def edited(kind: str, edit: Callable[[Any], Any]) -> set[tuple[str, str]]:
    """Return what is wrong after an edit of one file."""
    content = deepcopy(FILES[f"{kind}.json"])
    edit(content)
    return found(**{kind: content})


def test_a_description_becomes_a_title() -> None:
    """Faces in the short language and what follows need not be written, nor ``title.json``."""
    title, faults = made()
    assert faults == ()
    assert title is not None
    assert (title.title, title.name, title.map_files) == ("Ell", "Ell", {"Ell": "map.json"})
    assert (list(title.trains), list(title.phases)) == (["2", "3"], ["2", "3"])
    first = title.part("map")["hexes"][0]
    assert first["neighbours"] == {"4": "A3", "5": "B2"}
    assert first["stops"][0]["revenue"] == {"fixed": 20}
    assert title.part("companies") == {"certificates": []}
    assert len(options_of(title)) == 1


def test_positions_may_call_it_by_its_content() -> None:
    """The name is made of the content: the order of keys does not matter, any figure does."""
    name = content_name(FILES)
    turned = {key: FILES[key] for key in reversed(FILES)}
    assert name == content_name(json.loads(json.dumps(turned)))
    assert (name[:7], len(name)) == ("sha256:", 39)
    other = deepcopy(FILES)
    other["map.json"]["hexes"][0]["face"] = "city=revenue:30"
    assert content_name(other) != name
    title, _ = described_title(FILES, name=name)
    assert title is not None
    assert (title.title, title.name, title.folder.name) == (name, "Ell", "Ell")


def test_every_fault_is_listed_with_its_path() -> None:
    """Faults of form, of references, of derived fields and of options come at once."""
    assert edited("map", lambda m: m["hexes"][0].update(x=7)) == {
        ("DERIVED_DIFFERS", "map.hexes[0].x")
    }
    assert edited("map", lambda m: m["hexes"][1].update(face="city=revenue:x;path=a:7,b:_0")) == {
        ("FACE_TEXT_WRONG", "map.hexes[1].face.part[0]"),
        ("FACE_TEXT_WRONG", "map.hexes[1].face.part[1]"),
    }
    assert edited("trains", lambda t: t.update(purchase_order=["9"])) == {
        ("TRAIN_UNKNOWN", "trains.purchase_order[0]")
    }
    wrong = {"op": "marker", "marker": 3}
    assert found(
        rules={"declared": [wrong, {"op": "magic"}]},
        trains={"trains": [{"name": "2"}]},
        more={},
        title={"maps": {"Ell": {"map": "map_x.json"}, "2": {"trains": "map.json"}}},
    ) == {
        ("SHAPE_WRONG", "rules.json/declared[0]/marker"),
        ("KEY_MISSING", "rules.json/declared[0]/amount"),
        ("OPTION_UNKNOWN", "rules.json/declared[1]/op"),
        ("DESCRIPTION_INVALID", "trains.trains[0]"),
        ("FILE_UNKNOWN", "more.json"),
        ("FILE_MISSING", "title.maps.Ell.map"),
        ("FILE_UNKNOWN", "title.maps.2.trains"),
    }
    title, faults = described_title({})
    assert title is None
    missing = {fault.path for fault in faults if fault.code == "FILE_MISSING"}
    assert missing == {"map.json", "trains.json", "phases.json", "corporations.json"}


def test_variants_are_completed_too() -> None:
    """A map of a variant is completed with the phases of the variant, and named in faults."""
    board = deepcopy(FILES["map.json"])
    board["hexes"][2]["face"] = "offboard=revenue:yellow_10|green_90;path=a:1,b:_0,terminal:1"
    phases = {"phases": [{"name": "X", "tiles": ["yellow"]}]}
    files = {**FILES, "map_small.json": board, "phases_small.json": phases}
    title, faults = described_title(files)
    assert faults == ()
    assert title is not None
    revenue = title.variant("small").part("map")["hexes"][2]["stops"][0]["revenue"]
    assert revenue["by_phase"] == {"X": 10}
    board["hexes"][0]["neighbours"] = {}
    _, faults = described_title(files)
    assert [fault.path for fault in faults] == ["map_small.hexes[0].neighbours"]


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


HOSTILE: dict[str, Callable[[], dict[str, Any]]] = {
    "hexes": lambda: {"map": {**FILES["map.json"], "hexes": [{"id": "A1"}] * 100_000}},
    "depth": lambda: {"setup": {"layout": deep(100_000)}},
    "number": lambda: {"trains": {"trains": [{"name": "2", "price": 10**5000}]}},
    "infinity": lambda: {"trains": {"trains": [{"name": "2", "price": float("inf")}]}},
    "no number": lambda: {"trains": {"trains": [{"name": "2", "price": float("nan")}]}},
    "text": lambda: {"phases": {"game": "x" * 10_000_000}},
    "keys": lambda: {"phases": {str(number): 0 for number in range(300_000)}},
    "key": lambda: {"phases": {"x" * 1_000_000: 0}},
    "files": lambda: {f"map_{number}": {} for number in range(10_000)},
    "texts": lambda: {
        "map": {
            **FILES["map.json"],
            "hexes": [
                {"id": f"A{number}", "colour": "white", "face": "path=a:1,b:2;" * 99}
                for number in range(1, 1000)
            ],
        }
    },
    "variants": lambda: {
        "map": {
            **FILES["map.json"],
            "hexes": [
                {"id": f"{letter}{number}", "colour": "white"}
                for letter in "ABCDEFGHIJ"
                for number in range(1, 101)
            ],
        },
        "title": {"maps": {str(n): {"phases": f"phases_{n}.json"} for n in range(60)}},
        **{f"phases_{number}": FILES["phases.json"] for number in range(60)},
    },
    "options": lambda: {"rules": {"declared": [{"op": "marker"}] * 10_000}},
    "stops": lambda: {
        "map": {
            **FILES["map.json"],
            "hexes": [
                {"id": f"A{number}", "colour": "white", "face": ";".join(["city=revenue:1"] * 20)}
                for number in range(1, 100, 2)
            ],
        }
    },
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_descriptions_are_refused_quickly(kind: str) -> None:
    """What is larger than any title is refused as such, before it costs anything."""
    changed = HOSTILE[kind]()
    began = time.process_time()
    _, faults = made(**changed)
    assert time.process_time() - began < QUICK
    assert "TITLE_TOO_LARGE" in {fault.code for fault in faults}
    assert all(len(fault.message) <= 200 and len(fault.path) <= 300 for fault in faults)


@pytest.mark.parametrize("kind", ["hexes", "depth", "number", "text", "keys"])
def test_what_is_too_large_has_no_name(kind: str) -> None:
    """The name of a hostile description is not worked out either."""
    changed = {f"{key}.json": content for key, content in HOSTILE[kind]().items()}
    began = time.process_time()
    with pytest.raises(StateError):
        content_name({**FILES, **changed})
    assert time.process_time() - began < QUICK


def test_no_more_faults_than_can_be_read() -> None:
    """A thousand hexes that are all wrong: a hundred faults, and how many there are besides."""
    hexes = [{"id": f"A{number}", "colour": "white", "x": -1} for number in range(1, 401)]
    began = time.process_time()
    _, faults = made(map={**FILES["map.json"], "hexes": hexes})
    assert time.process_time() - began < QUICK
    assert (len(faults), faults[-1].code) == (101, "FAULTS_MORE")


@pytest.mark.parametrize("folder", ["1846", "1889", "1849", "18RoyalGorge"])
def test_titles_of_the_project_are_complete_already(folder: str) -> None:
    """Nothing is added to a title that comes with the project, and nothing is wrong with it."""
    paths = (ROOT / "engine" / "titles" / "data" / folder).glob("*.json")
    files = {path.name: json.loads(path.read_text("utf-8")) for path in paths}
    whole = completed(files, check)
    assert whole.faults == []
    hexes = {raw["id"]: raw for raw in whole.files["map.json"]["hexes"]}
    for raw in files["map.json"]["hexes"]:
        assert {key: hexes[raw["id"]][key] for key in raw} == raw


ODD: tuple[Any, ...] = (None, -1, 10**9, 0.5, "", "x", "A1", [], {}, [None], {"x": 1}, True)
"""Values that are mostly wrong wherever they stand."""


def spoiled(content: Any, dice: Random) -> Any:
    """Return a copy of a file with one value left out, or replaced by an odd one."""
    whole = [deepcopy(content)]
    holder: Any = whole
    key: Any = 0
    while isinstance(holder[key], dict | list) and holder[key] and dice.random() < 0.85:
        holder = holder[key]
        key = dice.choice(list(holder)) if isinstance(holder, dict) else dice.randrange(len(holder))
    if holder is not whole and dice.random() < 0.3:
        del holder[key]
    else:
        holder[key] = dice.choice(ODD)
    return whole[0]


def test_no_description_raises() -> None:
    """Whatever stands anywhere in a description, it is a title or has faults."""
    dice = Random(9)
    refused = 0
    for _ in range(400):
        files = dict(FILES)
        for _ in range(dice.randint(1, 3)):
            name = dice.choice(list(files))
            files[name] = spoiled(files[name], dice)
        title, faults = described_title(files, check=check)
        assert (title is None) == bool(faults)
        refused += title is None
    assert 200 < refused < 400
