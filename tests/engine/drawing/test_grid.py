"""Hexes with a side at the top, and hexes with a corner there."""

from __future__ import annotations

import math

import pytest

from engine.board.faces import EndKind, PathEnd
from engine.drawing import draw_svg
from engine.drawing.grid import FLAT, GRIDS, POINTY, Grid
from engine.drawing.shapes import APOTHEM, RADIUS
from tests.engine.drawing.made_up import HEXES, atlas, of_class, position

BOTH = pytest.mark.parametrize("grid", [FLAT, POINTY])


@BOTH
def test_neighbours_share_the_middle_and_the_corners_of_their_side(grid: Grid) -> None:
    """Over each side lies the hex that the grid step tells, side to side with this one."""
    for side, step in enumerate(grid.steps):
        away = grid.centre(step)
        assert math.dist(away, (0, 0)) == pytest.approx(2 * APOTHEM)
        far = grid.middle((side + 3) % 6)
        assert math.dist(grid.middle(side), (away[0] + far[0], away[1] + far[1])) < 1e-6
        mine = [grid.corner(side), grid.corner(side + 1)]
        theirs = [grid.corner((side + 3) % 6 + 1), grid.corner((side + 3) % 6)]
        for (x, y), (u, v) in zip(mine, theirs, strict=True):
            assert (x, y) == (pytest.approx(away[0] + u), pytest.approx(away[1] + v))


@BOTH
def test_lanes_meet_across_a_side(grid: Grid) -> None:
    """FMT §D3.2: lane 0 of 2 on one side of a line is lane 1 of 2 on the other."""
    for side, step in enumerate(grid.steps):
        here = grid.side_point(PathEnd(EndKind.SIDE, side, 2, 0))
        there = grid.side_point(PathEnd(EndKind.SIDE, (side + 3) % 6, 2, 1))
        x, y = grid.centre(step)
        assert math.dist(here, (x + there[0], y + there[1])) < 1e-6


def test_the_two_layouts_stand_as_their_names_say() -> None:
    """Side 0 is south of flat hexes, south-west of those with a corner at the top."""
    assert FLAT.outward(0) == (pytest.approx(0), pytest.approx(1))
    x, y = POINTY.outward(0)
    assert x < 0 < y
    assert max(POINTY.corner(n)[1] for n in range(6)) == pytest.approx(RADIUS)
    assert max(FLAT.corner(n)[0] for n in range(6)) == pytest.approx(RADIUS)
    assert set(GRIDS) == {"flat", "pointy"}


def test_a_track_to_its_own_side_is_a_stub() -> None:
    """It ends inside the hex, before the centre."""
    end = PathEnd(EndKind.SIDE, 3)
    stub = POINTY.side_to_side(end, end)
    assert stub.a == POINTY.side_point(end)
    assert 0 < math.dist(stub.b, stub.a) < APOTHEM / 2
    assert math.dist(stub.b, (0, 0)) < math.dist(stub.a, (0, 0))


def test_a_map_with_corners_at_the_top_is_drawn_so() -> None:
    """Each hex has a corner right above its centre, and each path is drawn."""
    svg = draw_svg(position())
    drawn = {e.get("data-hex"): str(e.get("points")) for e in of_class(svg, "hex")}
    assert set(drawn) == set(HEXES)
    for name, points in drawn.items():
        corners = [tuple(map(float, point.split(","))) for point in points.split()]
        x, y = POINTY.centre(atlas().hexes[str(name)].point)
        assert any(abs(u - x) < 0.01 and abs(v - (y - RADIUS)) < 0.01 for u, v in corners)
    paths = sum(len(raw.get("paths", ())) for raw in HEXES.values())
    assert len(of_class(svg, "track")) == paths
