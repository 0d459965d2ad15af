"""What lies on the map in a game: tiles with their copies, tokens and paid borders.

A layout never changes; a lay or a token makes a new one. So everything that
follows from it (boards, networks) is computed once and goes with it, also to
copies of the game.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from engine.board.atlas import Atlas
from engine.board.board import Board
from engine.board.faces import Face
from engine.board.legs import Leg, find_legs
from engine.board.network import Network, trace_network
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.play.records import TRANSIENT


class Laid(NamedTuple):
    """A tile on a hex: its name, copy and rotation."""

    tile: str
    copy: int
    rotation: int


class BorderSide(NamedTuple):
    """One side of a border: a hex and the side as that hex sees it."""

    hex: str
    side: int


@dataclass(frozen=True)
class Layout:
    """Tiles, tokens and paid borders.

    Parameters
    ----------
    laid
        Tiles by hex; what is not named is as printed.
    tokens
        All tokens.
    paid
        Sides of borders for which the cost has been paid.
    """

    laid: dict[str, Laid]
    tokens: tuple[TokenPlacement, ...]
    paid: frozenset[BorderSide]
    known: dict[Any, Any] = field(
        default_factory=dict, repr=False, compare=False, metadata=TRANSIENT
    )

    def forget(self) -> None:
        """Drop what follows from the layout; it is worked out again if somebody asks."""
        self.known.clear()

    def with_tile(
        self,
        hex_id: str,
        laid: Laid,
        tokens: tuple[TokenPlacement, ...],
        paid: frozenset[BorderSide],
    ) -> Layout:
        """Return the layout after a lay."""
        return Layout({**self.laid, hex_id: laid}, tokens, paid)

    def with_token(self, token: TokenPlacement) -> Layout:
        """Return the layout with one more token."""
        return self.with_tokens((*self.tokens, token))

    def with_tokens(self, tokens: tuple[TokenPlacement, ...]) -> Layout:
        """Return the layout with other tokens."""
        return replace(self, tokens=tokens, known={})

    def tokens_in(self, hex_id: str) -> tuple[TokenPlacement, ...]:
        """Return the tokens of a hex, in the order in which they came."""
        return tuple(token for token in self.tokens if token.hex == hex_id)

    def face(self, atlas: Atlas, hex_id: str) -> Face:
        """Return what is to be seen on a hex."""
        laid = self.laid.get(hex_id)
        if laid is None:
            return atlas.hexes[hex_id].face
        return atlas.tiles[laid.tile].faces[laid.rotation]

    def state(self, title: str, map_name: str, phase: str) -> BoardState:
        """Return the board state in a phase, as routing and optimizer take it."""
        lays = tuple(TileLay(h, laid.tile, laid.rotation) for h, laid in self.laid.items())
        return BoardState(title, phase, lays, self.tokens, map_name)

    def board(self, title: str, atlas: Atlas, phase: str) -> Board:
        """Return the board in a phase."""
        board: Board | None = self.known.get(phase)
        if board is None:
            board = Board(atlas, self.state(title, atlas.name, phase))
            self.known[phase] = board
        return board

    def legs(self, board: Board) -> tuple[Leg, ...]:
        """Return the legs of the board; `board` is this layout's in any phase."""
        legs: tuple[Leg, ...] | None = self.known.get("legs")
        if legs is None:
            legs = self.known["legs"] = find_legs(board)
        return legs

    def network(self, board: Board, company: str) -> Network:
        """Return the network of a company; `board` is this layout's in any phase."""
        key = ("network", company)
        network: Network | None = self.known.get(key)
        if network is None:
            network = self.known[key] = trace_network(board, company)
        return network


def find_city(atlas: Atlas, layout: Layout, name: str) -> tuple[str, int] | None:
    """Return hex and city that a city id means, or None (FMT §B4.8).

    Notes
    -----
    The name of a tile that lies on the board comes before an equal name of a
    printed face (FMT §B4.9).
    """
    face_name, _, part = name.rpartition("-")
    tile, _, copy = face_name.rpartition("-")
    hex_id = next(
        (h for h, laid in layout.laid.items() if laid.tile == tile and str(laid.copy) == copy),
        None,
    )
    if hex_id is None:
        hex_id = atlas.hex_of_face.get(face_name)
        if hex_id is None or hex_id in layout.laid:
            return None
    for place, city in enumerate(layout.face(atlas, hex_id).cities):
        if str(city.part) == part:
            return hex_id, place
    return None


def city_name(atlas: Atlas, layout: Layout, hex_id: str, city: int) -> str:
    """Return the id of a city as records write it (FMT §B4.8)."""
    laid = layout.laid.get(hex_id)
    part = layout.face(atlas, hex_id).cities[city].part
    face = atlas.hexes[hex_id].raw["tile_id"] if laid is None else f"{laid.tile}-{laid.copy}"
    return f"{face}-{part}"
