"""What is on each hex, laid out and ready to be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.board.atlas import Hex
from engine.board.board import Board, Stop
from engine.board.faces import Face
from engine.drawing.colours import colours_of
from engine.drawing.grid import GRIDS, Grid
from engine.drawing.layout import WITH_SLOTS, FaceLayout, Place, lay_out
from engine.drawing.shapes import XY, plus
from engine.drawing.spots import Spots
from engine.titles.title import Title


@dataclass(frozen=True)
class Cell:
    """A hex of the picture.

    Parameters
    ----------
    printed
        The hex as printed.
    face, raw
        What lies there now, and its object of the data files.
    laid
        A tile covers the printed face.
    origin
        Centre of the hex on the picture, in pixels.
    layout
        Places of stops and curves of paths, relative to the centre.
    spots
        Room that is left.
    stops
        Stops of the board, in order of the face.
    grid
        How the hex stands.
    """

    printed: Hex
    face: Face
    raw: Mapping[str, Any]
    laid: bool
    origin: XY
    layout: FaceLayout
    spots: Spots
    stops: tuple[Stop, ...]
    grid: Grid

    def at(self, place: XY) -> XY:
        """Return a place of the hex on the picture."""
        return plus(self.origin, place)

    def places(self) -> list[tuple[Stop, Place]]:
        """Return each stop with its place."""
        return list(zip(self.stops, self.layout.places, strict=True))


@dataclass(frozen=True)
class Scene:
    """All hexes of a board.

    Parameters
    ----------
    cells
        By hex id, in the order of the map.
    colours
        Hex codes of the data files (facts §3), and usual ones for what they leave out.
    grid
        How its hexes stand.
    """

    title: Title
    board: Board
    cells: Mapping[str, Cell]
    colours: Mapping[str, Any]
    grid: Grid

    def hex_colour(self, colour: str) -> str:
        """Return the hex code of a hex or tile colour."""
        code: str = self.colours["hex"][colour]
        return code


def build_scene(title: Title, board: Board) -> Scene:
    """Lay out every hex of a board."""
    tiles = {lay.hex: lay.tile for lay in board.state.tiles}
    grid = GRIDS[board.atlas.layout]
    cells = {}
    for printed in board.atlas.hexes.values():
        face = board.faces[printed.id]
        stops = tuple(board.stop_at[printed.id, stop.index] for stop in face.stops)
        extra = {stop.index: _extra_slots(stop) for stop in stops}
        layout = lay_out(face, grid, extra)
        tile = tiles.get(printed.id)
        cells[printed.id] = Cell(
            printed=printed,
            face=face,
            raw=printed.raw if tile is None else board.atlas.tiles[tile].raw,
            laid=tile is not None,
            origin=grid.centre(printed.point),
            layout=layout,
            spots=Spots(layout, grid),
            stops=stops,
            grid=grid,
        )
    return Scene(title, board, cells, colours_of(board.atlas.colours), grid)


def _extra_slots(stop: Stop) -> int:
    highest = max((token.slot for token in stop.tokens), default=-1)
    return max(0, highest + 1 - stop.slots) if stop.kind in WITH_SLOTS else 0
