"""Rulers name the columns and rows of every map."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.drawing import draw_svg
from engine.drawing.grid import GRIDS
from engine.drawing.rulers import names_of_lines
from tests.engine.drawing.made_up import of_class, position
from tests.engine.drawing.test_picture import MAPS, bare


@pytest.mark.parametrize(("title", "name"), [*MAPS, ("made up", "")])
def test_each_column_and_row_is_named_at_both_ends_in_line_with_its_hexes(
    title: str, name: str
) -> None:
    """A hex has the letter or number of its column above and below it, that of its row at its
    left and right; hexes with a corner at the top have letters for rows."""
    board = (position() if title == "made up" else bare(title, name)).board
    svg = draw_svg(position() if title == "made up" else bare(title, name))
    marks = of_class(svg, "ruler")
    by_x = {(mark.text, mark.get("x")) for mark in marks}
    by_y = {(mark.text, float(str(mark.get("y")))) for mark in marks}
    grid = GRIDS[board.atlas.layout]
    letters_tell_columns = board.atlas.layout == "flat"
    for printed in board.atlas.hexes.values():
        letter, digits = printed.id[0], printed.id[1:]
        column, row = (letter, digits) if letters_tell_columns else (digits, letter)
        x, y = grid.centre(printed.point)
        assert (column, f"{x:.2f}".rstrip("0").rstrip(".")) in by_x
        assert any(text == row and abs(place - y) < 6 for text, place in by_y)
    columns = {h.point[0] for h in board.atlas.hexes.values()}
    rows = {h.point[1] for h in board.atlas.hexes.values()}
    assert len(marks) == 2 * (len(columns) + len(rows))
    assert set(Counter(mark.text for mark in marks).values()) == {2}


def test_a_map_whose_names_tell_no_lines_has_no_rulers() -> None:
    """Names that are no letter and number, or contradict each other, give no rulers."""
    assert names_of_lines([("London", (0, 0))]) == ({}, {})
    assert names_of_lines([("A1", (0, 0)), ("B2", (0, 2)), ("A1", (1, 1))]) == ({}, {})
