"""Descriptions of titles: what may be left out, and what is told of what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine.errors import Fault
from engine.titles.describe import (
    KINDS,
    complete_companies,
    complete_map,
    complete_phases,
    complete_tiles,
    complete_trains,
    schema_faults,
)
from tests.shared import TITLES, needs_titles

PHASES = [{"name": "2", "tiles": ["yellow"]}, {"name": "5", "tiles": ["yellow", "brown"]}]
COMPANIES = [{"sym": "AB", "name": "Ashby", "home": {"hex": "A1", "stop": 0}}]


def small_map(**fields: Any) -> dict[str, Any]:
    """Return a map of two hexes, one of them with a city, with other fields for the first."""
    first = {"id": "A1", "colour": "white", "face": "city=revenue:20;path=a:0,b:_0"}
    second = {"id": "A3", "colour": "gray", "face": "offboard=revenue:yellow_30|brown_60"}
    return {
        "layout": "flat",
        "axes": {"x": "letter", "y": "number"},
        "hexes": [first | fields, second],
    }


def faults_of(**fields: Any) -> list[Fault]:
    return complete_map(small_map(**fields), PHASES, COMPANIES)[1]


def test_all_that_follows_is_filled_in() -> None:
    """Places, neighbours, homes, figures by phase and numbers of stops need not be written."""
    whole, faults = complete_map(small_map(), PHASES, COMPANIES)
    first, second = whole["hexes"]
    assert faults == []
    assert (first["x"], first["y"], second["y"]) == (0, 0, 2)
    assert first["neighbours"] == {}
    because = {"hex": "A3", "because": ["no_track_towards"]}
    assert first["closed_neighbours"] == {"0": because}
    assert second["neighbours"] == {"3": "A1"}
    assert first["homes"] == [{"corporation": "AB", "stop": 0}]
    assert second["stops"][0]["revenue"]["by_phase"] == {"2": 30, "5": 60}
    assert first["stops"][0] == {
        **{"part": 0, "stop": 0, "kind": "city", "slots": 1},
        "revenue": {"fixed": 20},
    }


@pytest.mark.parametrize(
    ("fields", "code", "path"),
    [
        ({"x": 3}, "DERIVED_DIFFERS", "map.hexes[0].x"),
        ({"neighbours": {"0": "A3"}}, "DERIVED_DIFFERS", "map.hexes[0].neighbours"),
        ({"face": "town=revenue:10;path=a:9,b:_0"}, "FACE_TEXT_WRONG", "map.hexes[0].face.part[1]"),
        ({"label": "Y", "face": "label=Z"}, "FACE_TWICE", "map.hexes[0].label"),
        ({"id": "A3"}, "NAME_TWICE", "map.hexes"),
        (
            {"face": "", "paths": [{"a": {"edge": 0}, "b": {"stop": 1}}]},
            "PATH_END_UNKNOWN",
            "map.hexes[0].paths[0].b",
        ),
    ],
)
def test_what_is_wrong_with_a_map_is_told_with_its_path(
    fields: dict[str, Any], code: str, path: str
) -> None:
    """Contradictions, unknown ends and names given twice are faults with a stable code."""
    assert (code, path) in {(fault.code, fault.path) for fault in faults_of(**fields)}


def test_figures_that_go_by_named_phases_must_name_all() -> None:
    """A stop that pays by phase without colours has a figure for each phase."""
    stop = {"kind": "city", "revenue": {"by_phase": {"2": 10}}}
    (fault,) = [f for f in faults_of(face="", stops=[stop], paths=[]) if "FIGURE" in f.code]
    assert (fault.code, fault.path) == (
        "FIGURE_MISSING",
        "map.hexes[0].stops[0].revenue.by_phase",
    )


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        ("map", {}, "map"),
        ("map", small_map(colour=3), "map.hexes[0].colour"),
        ("map", small_map(colors="white"), "map.hexes[0]"),
        ("trains", {"trains": [{"name": "2"}]}, "trains.trains[0]"),
        (
            "trains",
            {"trains": [{"name": "2", "distance": {"measure": "slots"}}]},
            "trains.trains[0].distance",
        ),
        ("phases", {"phases": []}, "phases.phases"),
        ("tiles", [], "tiles"),
    ],
)
def test_a_wrong_form_is_told_with_its_path(kind: str, data: Any, path: str) -> None:
    """The schema names the field that has not the form it must have."""
    assert path in {fault.path for fault in schema_faults(kind, data)}


def _completed(kind: str, data: Mapping[str, Any], rest: Mapping[str, Any]) -> list[Fault]:
    if kind == "map":
        corporations = rest["corporations"]["corporations"]
        return complete_map(data, rest["phases"]["phases"], corporations)[1]
    if kind == "tiles":
        return complete_tiles(data, rest["phases"]["phases"])[1]
    if kind == "trains":
        return complete_trains(data)[1]
    if kind == "phases":
        return complete_phases(data)[1]
    return [] if kind == "setup" else complete_companies(kind, data)[1]


def _facts() -> Iterator[tuple[str, dict[str, Any]]]:
    for folder in sorted(TITLES.glob("*/facts")):
        read = {kind: (folder / f"{kind}.json").read_text("utf-8") for kind in KINDS}
        yield folder.parent.name, {kind: json.loads(text) for kind, text in read.items()}


@needs_titles
@pytest.mark.slow
def test_the_facts_of_all_recorded_titles_have_the_form_and_agree_with_what_follows() -> None:
    """Sixty titles pass the schema; only figures by named phases differ from those by colour."""
    by_named_phase = {"1841", "1849", "1849KingdomoftheTwoSicilies"}
    for title, facts in _facts():
        for kind, data in facts.items():
            assert list(schema_faults(kind, data)) == [], (title, kind)
            faults = _completed(kind, data, facts)
            if kind == "map" and title in by_named_phase:
                faults = [fault for fault in faults if not fault.path.endswith("by_phase")]
            assert faults == [], (title, kind)
