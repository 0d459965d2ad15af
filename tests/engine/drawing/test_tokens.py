"""Tokens of companies whose title says no colour of letters can be read."""

from __future__ import annotations

import pytest

from engine.drawing.stops import company_colours
from engine.titles import find_title


class OneTitle:
    """What is drawn, as far as colours need it."""

    def __init__(self, title: str) -> None:
        self.title = find_title(title)


@pytest.mark.parametrize(
    ("title", "company", "colours"),
    [
        ("1846", "PRR", ("#FF0000", "#FFFFFF")),
        ("1846", "C&O", ("#ADD8E6", "#000000")),
        ("18Chesapeake", "PLE", ("black", "#FFFFFF")),
    ],
)
def test_letters_can_be_read(title: str, company: str, colours: tuple[str, str]) -> None:
    """Letters are white on dark grounds and black on others."""
    assert company_colours(OneTitle(title), company) == colours  # type: ignore[arg-type]
