"""Facts that follow from other facts."""

from __future__ import annotations

import json

import pytest

from engine.titles.derive import by_phase, edge_steps, face_edges, grid_place, homes, neighbours
from tests.shared import TITLES, needs_titles


@pytest.mark.parametrize(
    ("hex_id", "axes", "place"),
    [
        ("F11", {"x": "letter", "y": "number"}, (5, 10)),
        ("I1", {"x": "number", "y": "letter"}, (0, 8)),
        ("AA3", {"x": "letter", "y": "number"}, (26, 2)),
        ("a5", {"x": "letter", "y": "number"}, (-1, 4)),
    ],
)
def test_a_hex_stands_where_its_name_says(
    hex_id: str, axes: dict[str, str], place: tuple[int, int]
) -> None:
    """Letter A is 0, AA 26, small a -1, number 1 is 0, on either axis."""
    assert grid_place(hex_id, axes) == place


@pytest.mark.parametrize("hex_id", ["", "11", "F", "F1G", "ab3", "F123456"])
def test_a_name_that_is_none_is_refused(hex_id: str) -> None:
    """Names that give no place raise."""
    with pytest.raises(ValueError, match=r"stand alone|hex is named"):
        grid_place(hex_id, {"x": "letter", "y": "number"})


def test_the_figure_of_a_phase_is_that_of_its_latest_colour() -> None:
    """Brown has no figure of its own here, so green's holds on; before yellow there is none."""
    phases = [
        {"name": "1", "tiles": ["white"]},
        {"name": "2", "tiles": ["yellow"]},
        {"name": "5", "tiles": ["yellow", "green", "brown"]},
    ]
    assert by_phase({"yellow": 30, "green": 40}, phases) == {"1": 0, "2": 30, "5": 40}


def test_walls_and_closed_colours_close_from_one_side() -> None:
    """A printed wall and a gray hex without track there close the way in, not the way out."""
    hexes = [
        {"id": "A1", "x": 0, "y": 0, "colour": "white", "borders": [], "paths": []},
        {"id": "A3", "x": 0, "y": 2, "colour": "gray", "borders": [], "paths": []},
        {
            **{"id": "A5", "x": 0, "y": 4, "colour": "white", "paths": []},
            "borders": [{"edge": 3, "type": "impassable"}],
        },
    ]
    first, second, third = neighbours(hexes, "flat")
    assert first == ({}, {"0": {"hex": "A3", "because": ["no_track_towards"]}})
    assert second == ({"0": "A5", "3": "A1"}, {})
    closed = {"hex": "A3", "because": ["impassable_border", "no_track_towards"]}
    assert third == ({}, {"3": closed})


@needs_titles
@pytest.mark.slow
def test_what_is_derived_is_what_the_recorded_titles_say() -> None:
    """Places, steps, neighbours, homes and edges of all maps and tiles come out as recorded."""
    maps = 0
    for file in TITLES.glob("*/facts/map*.json"):
        data = json.loads(file.read_text("utf-8"))
        companies = file.with_name(file.name.replace("map", "corporations"))
        if not companies.exists():
            companies = file.with_name("corporations.json")
        owners = homes(data["hexes"], json.loads(companies.read_text("utf-8"))["corporations"])
        closed = data["closed_unless_track_towards"]
        derived = neighbours(data["hexes"], data["layout"], closed)
        assert data["edges"] == edge_steps(data["layout"])
        for raw, (beside, shut) in zip(data["hexes"], derived, strict=True):
            where = (file, raw["id"])
            assert grid_place(raw["id"], data["axes"]) == (raw["x"], raw["y"]), where
            assert beside == raw["neighbours"], where
            assert shut == raw.get("closed_neighbours", {}), where
            mine = sorted(owners.get(raw["id"], []), key=str)
            assert mine == sorted(raw.get("homes", []), key=str), where
        maps += 1
    for file in TITLES.glob("*/facts/tiles*.json"):
        for raw in json.loads(file.read_text("utf-8"))["tiles"]:
            assert face_edges(raw) == raw["edges"], (file, raw["id"])
    assert maps > 60
