"""The short language of faces: what is read, what is refused, and both ways."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.titles.language import MOST_PARTS, read_face
from engine.titles.writing import write_face
from tests.shared import TITLES, needs_titles

FIELDS = (
    *("stops", "paths", "label", "junctions", "later_label", "terrain"),
    *("borders", "icons", "stubs", "partitions", "frame", "stripes"),
)


def face_of(text: str) -> dict[str, Any]:
    face, faults = read_face(text)
    assert faults == ()
    return face


def test_a_city_with_track_a_label_and_a_price() -> None:
    """The example of the page on the language is read whole."""
    text = (
        "city=revenue:30,slots:2;path=a:0,b:_0;path=a:3,b:_0;label=Y;upgrade=cost:40,terrain:water"
    )
    assert face_of(text) == {
        "label": "Y",
        "stops": [
            {"stop": 0, "kind": "city", "slots": 2, "revenue": {"fixed": 30}, "part": 0},
        ],
        "paths": [
            {"a": {"edge": 0}, "b": {"stop": 0}},
            {"a": {"edge": 3}, "b": {"stop": 0}},
        ],
        "terrain": [{"types": ["water"], "cost": 40}],
    }


def test_an_empty_text_is_an_empty_face() -> None:
    """Nothing written means nothing printed."""
    assert face_of("") == {"label": None, "stops": [], "paths": []}


def test_stops_and_junctions_are_numbered_together() -> None:
    """`_1` is the second of the stops and junctions, whichever it is."""
    face = face_of("town=revenue:10;junction;path=a:0,b:_0;path=a:2,b:_1")
    assert [path["b"] for path in face["paths"]] == [{"stop": 0}, {"junction": 0}]


def test_part_numbers_count_all_parts_and_lanes() -> None:
    """A stop behind two parallel paths bears the number 3 in records (FMT §B4.8)."""
    face = face_of("city=revenue:10;path=a:0,b:1,lanes:2;city=revenue:20")
    assert [stop["part"] for stop in face["stops"]] == [0, 3]


def test_parallel_paths_cross_over_between_edges() -> None:
    """Lane k at `a` is lane n - 1 - k at `b` between edges, and k at a stop (FMT §D3.1)."""
    face = face_of("city=revenue:10;path=a:0,b:3,lanes:2;path=a:1,b:_0,lanes:2")
    lanes = [(p["lanes"]["a"]["lane"], p["lanes"]["b"]["lane"]) for p in face["paths"]]
    assert lanes == [(0, 1), (1, 0), (0, 0), (1, 1)]


def test_figures_by_colour_with_one_for_a_kind_of_train() -> None:
    """The extra word names a kind of train, the others are colours."""
    face = face_of("offboard=revenue:yellow_30|brown_60|diesel_100;path=a:0,b:_0")
    assert face["stops"][0]["revenue"] == {
        "by_colour": {"yellow": 30, "brown": 60},
        "by_train": {"D": 100},
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("village=revenue:10", "no such part"),
        ("city=slots:2", "revenue is missing"),
        ("city=revenue:ten", "revenue is a number"),
        ("city=revenue:10,price:3", "no key 'price'"),
        ("path=a:0,b:6", "edge from 0 to 5"),
        ("path=a:0,b:_0", "names no stop"),
        ("path=a:0,b:3,track:wide", "track is one of"),
        ("path=a:0,b:3,a_lane:2.2", "number of lanes"),
        ("city=revenue:10,loc:7", "loc is center"),
        ("city=revenue:10,slots:99", "slots are 0 to 20"),
        ("border=type:water", "edge is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, said: str) -> None:
    """Each fault names the part of the text in which it stands."""
    _, faults = read_face("label=A;" + text, "hexes[3].face")
    assert [(fault.path, said in fault.message) for fault in faults] == [
        ("hexes[3].face.part[1]", True)
    ]


def test_a_text_without_end_is_refused_at_once() -> None:
    """The number of parts is limited, so that a hostile text costs nothing."""
    _, faults = read_face("junction;" * (MOST_PARTS + 1))
    assert [fault.code for fault in faults] == ["FACE_TEXT_TOO_LONG"]


@given(st.text(alphabet="citypathown=:,;_|0123456789.-abr", max_size=80))
def test_no_text_raises(text: str) -> None:
    """Any text is read or refused with faults."""
    face, faults = read_face(text)
    assert isinstance(face, dict)
    assert all(fault.code.startswith("FACE_TEXT") for fault in faults)


@needs_titles
@pytest.mark.slow
def test_every_known_face_is_the_same_after_writing_and_reading() -> None:
    """All faces of the recorded titles survive the way to a text and back."""
    faces = 0
    for file in [*TITLES.glob("*/facts/map*.json"), *TITLES.glob("*/facts/tiles*.json")]:
        data = json.loads(file.read_text("utf-8"))
        for raw in data.get("hexes") or data["tiles"]:
            again = face_of(write_face(raw))
            assert _told(again) == _told(raw), (file, raw["id"])
            faces += 1
    assert faces > 9000


def _told(face: dict[str, Any]) -> dict[str, Any]:
    """Return what the language can say of a face."""
    told = json.loads(json.dumps({key: face[key] for key in FIELDS if face.get(key)}))
    for stop in told.get("stops", ()):
        stop.pop("part", None)
        stop["revenue"].pop("by_phase", None)
    return dict(told)
