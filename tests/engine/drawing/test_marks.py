"""What other titles print on hexes, tiles and track, on a made-up map."""

from __future__ import annotations

import math
from collections import Counter

from engine.board.state import TileLay
from engine.drawing import draw_svg
from engine.drawing.colours import USUAL, colours_of
from engine.drawing.grid import FLAT, POINTY
from engine.drawing.marks import chord
from engine.drawing.shapes import APOTHEM
from tests.engine.drawing.made_up import SVG, of_class, position


def test_icons_of_hexes_and_tiles_are_named_and_counted() -> None:
    """Icons of a tile come with it; those of a hex stay below a tile."""
    assert _words("icon") == Counter(["port ×2", "20"])
    assert _words("icon", TileLay("A2", "x1", 0)) == Counter(["port ×2", "20", "mine"])


def _words(kind: str, *lays: TileLay) -> Counter[str]:
    return Counter("".join(e.itertext()).strip() for e in of_class(draw_svg(position(*lays)), kind))


def test_frames_and_stripes_are_drawn_in_their_colours_and_go_with_the_face() -> None:
    """A frame is an outline for each colour, a word or a code; a tile hides both."""
    svg = draw_svg(position())
    (frame,) = of_class(svg, "frame")
    assert [e.get("stroke") for e in frame] == [USUAL["hex"]["green"], "#800080"]
    (stripes,) = of_class(svg, "stripes")
    assert {e.get("stroke") for e in stripes} == {USUAL["hex"]["yellow"]}
    assert len(list(stripes)) > 3
    covered = draw_svg(position(TileLay("B5", "x1", 0)))
    assert not of_class(covered, "frame")
    assert not of_class(covered, "stripes")


def test_a_chord_ends_at_the_sides() -> None:
    """Both ends lie on the line and just inside the hex; a line beyond the hex has none."""
    for grid in (FLAT, POINTY):
        for distance in (-30.0, 0.0, 17.0):
            ends = chord(grid, (1.0, -1.0), distance)
            assert ends is not None
            for x, y in ends:
                reach = max(x * u + y * v for u, v in map(grid.outward, range(6)))
                assert math.isclose(reach, APOTHEM - 3)
                assert math.isclose((-x - y) / math.sqrt(2), distance, abs_tol=1e-9)
        assert chord(grid, (1.0, -1.0), 3 * APOTHEM) is None


def test_gauges_differ() -> None:
    """Narrow gauge is dashed, dual gauge is not but has light dashes in its middle."""
    svg = draw_svg(position())
    dashes = Counter(
        e.get("stroke-dasharray") for e in of_class(svg, "track") if e.tag == f"{SVG}path"
    )
    assert dashes["7 4"] == 1
    (dual,) = (e for e in of_class(svg, "track") if e.get("stroke") == USUAL["track_dual"])
    assert dual.get("stroke-dasharray") is None
    light = [e for e in of_class(svg, "tracks")[0].iter() if e.get("stroke-dasharray") == "9 4"]
    everywhere = svg.count('stroke-dasharray="9 4"')
    assert everywhere == 1
    assert all(e.get("d") == dual.get("d") for e in light)


def test_halts_and_passes_differ_from_towns_and_cities() -> None:
    """A halt is an open circle; a pass has a diamond behind its token space."""
    svg = draw_svg(position())
    kinds = {e.get("data-stop"): e.get("data-kind") for e in of_class(svg, "stop")}
    assert kinds == {"B1-0": "pass", "B3-0": "halt", "C6-0": "city"}
    assert len(of_class(svg, "pass")) == 1
    (halt,) = (e for e in of_class(svg, "stop") if e.get("data-kind") == "halt")
    (circle,) = list(halt)
    assert circle.get("fill") == "#FFFFFF"


def test_borders_have_their_kinds_and_a_province_is_dashed() -> None:
    """Water and mountain cost something; a border that is only the board's edge is no mark."""
    svg = draw_svg(position())
    kinds = Counter(e.get("data-border") for e in of_class(svg, "border"))
    assert kinds == Counter(["water", "impassable", "province", "mountain", "divider"])
    (province,) = (e for e in of_class(svg, "border") if e.get("data-border") == "province")
    assert province.get("stroke-dasharray")
    costs = {e.text for e in of_class(svg, "side-costs")[0].iter(f"{SVG}text")}
    assert costs == {"30"}, "track crosses the mountain, whose cost has been paid"


def test_a_map_keeps_its_own_colours() -> None:
    """Usual colours stand only for those that a map leaves out."""
    own = colours_of({"hex": {"red": "#FF0000"}, "track": "#222222"})
    assert (own["hex"]["red"], own["track"]) == ("#FF0000", "#222222")
    assert own["hex"]["blue"] == USUAL["hex"]["blue"]
    assert own["terrain"] == USUAL["terrain"]
