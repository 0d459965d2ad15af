"""Share price charts of all three kinds (FMT §E1)."""

from __future__ import annotations

import pytest

from engine.games import load_game
from engine.play.entities import Cell
from engine.play.game import Play, Setting, start
from engine.play.market import Chart, by_price, move, put, take_off
from engine.play.records import clone


def chart(title: str) -> Chart:
    return Chart(load_game(title).data("market.json"))


@pytest.mark.parametrize(
    ("title", "cell", "way", "expected"),
    [
        ("18GB", (0, 0), "left", (0, 0)),
        ("18GB", (0, 20), "right", (0, 21)),
        ("18GB", (0, 21), "right", (0, 21)),
        ("1822", (3, 8), "up", (4, 9)),
        ("1822", (3, 9), "up", (2, 9)),
        ("1822", (5, 17), "right", (4, 17)),
        ("1822", (0, 17), "left", (1, 17)),
    ],
)
def test_moves_of_cells(
    title: str, cell: tuple[int, int], way: str, expected: tuple[int, int]
) -> None:
    """The examples of FMT §E1.3 and §E1.1."""
    assert chart(title).moved(Cell(*cell), way) == expected


@pytest.mark.parametrize(
    ("start", "way", "expected"),
    [(100, "right", 110), (100, "left", 90), (100, "down", 95), (950, "right", 1000)],
)
def test_moves_on_the_zigzag(start: int, way: str, expected: int) -> None:
    """1862: two along for dividends, one for a sale (FMT §E1.3)."""
    prices = chart("1862")
    cell = next(cell for cell in prices.cells if prices.price(cell) == start)
    assert prices.price(prices.moved(cell, way)) == expected


def test_cells_by_name() -> None:
    """``75,0,5`` of 18GB; a price that does not stand there is no cell (FMT §B4.5)."""
    prices = chart("18GB")
    assert prices.named("75,0,5") == Cell(0, 5)
    assert prices.name(Cell(0, 5)) == "75,0,5"
    assert prices.named("80,0,5") is None
    assert [prices.price(cell) for cell in prices.of_type("par")] == [70, 75, 80, 90, 100]
    assert chart("1822").named("100,4,4") == Cell(4, 4)


def new_play() -> Play:
    return start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), 2))


def test_ranks_in_a_cell() -> None:
    """FMT §E1.2, §E6: who moves goes to the end, who cannot move keeps its place."""
    prices, state = chart("18GB"), clone(new_play().current)
    for sym, column in (("MR", 0), ("LYR", 0), ("NER", 1), ("CR", 20)):
        put(state, sym, Cell(0, column))
    assert by_price(state, prices) == ["CR", "NER", "MR", "LYR"]
    move(state, prices, "MR", "left")
    assert by_price(state, prices) == ["CR", "NER", "MR", "LYR"]
    move(state, prices, "MR", "right")
    move(state, prices, "NER", "left", 3)
    assert by_price(state, prices) == ["CR", "MR", "LYR", "NER"]
    take_off(state, "LYR")
    take_off(state, "LYR")
    assert by_price(state, prices) == ["CR", "MR", "NER"]
    assert not state.companies["LYR"].started
