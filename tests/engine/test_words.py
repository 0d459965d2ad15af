"""Sentences have their articles and plurals right."""

from __future__ import annotations

import pytest

from engine.words import article, counted


@pytest.mark.parametrize(
    ("name", "said"),
    [("5X", "a 5X"), ("8F", "an 8F"), ("L", "an L"), ("E", "an E"), ("2P", "a 2P"), ("P+", "a P+")],
)
def test_the_article_is_the_one_that_is_spoken(name: str, said: str) -> None:
    """'an' before a vowel, which 8, E and L begin with."""
    assert article(name) == said


def test_one_is_one() -> None:
    """And everything else is several."""
    assert [counted(n, "city", "cities") for n in range(3)] == ["0 cities", "1 city", "2 cities"]
    assert counted(2, "slot") == "2 slots"
