"""The share price chart: one line, a zigzag or two dimensions (FMT §E1).

The data file says for each cell where the four directions lead, so that the
three kinds of chart need no code of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.play.entities import Cell
from engine.play.state import GameState


@dataclass(frozen=True)
class ChartCell:
    """A cell: its price in £, what is special about it, and where moves lead."""

    price: int
    types: frozenset[str]
    moves: Mapping[str, Cell]


class Chart:
    """A share price chart, as loaded from a ``market.json``."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.cells: Mapping[Cell, ChartCell] = {
            Cell(raw["row"], raw["col"]): ChartCell(
                raw["price"],
                frozenset(raw["types"]),
                {way: Cell(*raw[way]) for way in ("left", "right", "up", "down")},
            )
            for raw in data["cells"]
        }

    def price(self, cell: Cell) -> int:
        """Return the price of a cell, in £."""
        return self.cells[cell].price

    @property
    def highest(self) -> int:
        """The highest price, in £."""
        return max(cell.price for cell in self.cells.values())

    def of_type(self, kind: str) -> tuple[Cell, ...]:
        """Return the cells of a type, in the order of the chart."""
        return tuple(cell for cell, data in self.cells.items() if kind in data.types)

    def moved(self, cell: Cell, way: str, times: int = 1) -> Cell:
        """Return the cell that so many moves lead to."""
        for _ in range(times):
            cell = self.cells[cell].moves[way]
        return cell

    def name(self, cell: Cell) -> str:
        """Return a cell as records write it: ``price,row,column`` (FMT §B4.5)."""
        return f"{self.price(cell)},{cell.row},{cell.column}"

    def named(self, text: str) -> Cell | None:
        """Return the cell that records write so, or None."""
        return next((cell for cell in self.cells if self.name(cell) == text), None)


def price_of(state: GameState, chart: Chart, sym: str) -> int:
    """Return the current price of a started company, in £.

    Raises
    ------
    ValueError
        The company has no price yet.
    """
    cell = state.companies[sym].cell
    if cell is None:
        raise ValueError(f"{sym} has no price yet")
    return chart.price(cell)


def put(state: GameState, sym: str, cell: Cell) -> None:
    """Put a marker at the end of a cell's list; it keeps its place there (FMT §E1.2)."""
    company = state.companies[sym]
    if company.cell == cell:
        return
    take_off(state, sym)
    state.stacks[cell] = (*state.stacks.get(cell, ()), sym)
    company.cell = cell


def take_off(state: GameState, sym: str) -> None:
    """Take a marker off the chart."""
    company = state.companies[sym]
    if company.cell is not None:
        left = tuple(other for other in state.stacks[company.cell] if other != sym)
        state.stacks[company.cell] = left
        company.cell = None


def move(state: GameState, chart: Chart, sym: str, way: str, times: int = 1) -> None:
    """Move a marker as many times as told (FMT §E1.1)."""
    cell = state.companies[sym].cell
    if cell is not None:
        put(state, sym, chart.moved(cell, way, times))


def by_price(state: GameState, chart: Chart) -> list[str]:
    """Return the started companies as they operate (FMT §E6).

    Higher price first; then further right; then the upper row; then the
    earlier arrival in the cell.
    """
    cells = [cell for cell, stack in state.stacks.items() if stack]
    cells.sort(key=lambda cell: (-chart.price(cell), -cell.column, cell.row))
    return [sym for cell in cells for sym in state.stacks[cell]]
