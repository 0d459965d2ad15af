"""Growing a board tile by tile on the map of a game.

Every board that comes out has no faults under
:func:`engine.board.build.check_state`: tiles that may lie on their hexes, in
rotations that the hexes allow, no more of them than the box holds, no track
into closed sides. What a game wants beyond that (colours of a phase, labels,
tokens) its own module beside this one decides.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence

from engine.board.faces import Face
from engine.board.geometry import opposite
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games.game import Game


class Growth:
    """A board under construction.

    Parameters
    ----------
    game
        The game whose map and tiles are used.
    map_name
        Name of the map; empty for the first.
    allow
        Says which lays are wanted, beyond what the board allows; all if None.

    Attributes
    ----------
    faces
        What lies on each hex now.
    lays
        The tiles laid so far, by hex.
    """

    def __init__(
        self, game: Game, map_name: str = "", allow: Callable[[TileLay], bool] | None = None
    ) -> None:
        self.game = game
        self.map_name = map_name
        self.atlas = game.atlas(map_name)
        self.faces: dict[str, Face] = {h.id: h.face for h in self.atlas.hexes.values()}
        self.lays: dict[str, TileLay] = {}
        self._allow = allow
        self._used: Counter[str] = Counter()

    def options(self, hex_id: str, colours: Collection[str]) -> list[TileLay]:
        """Return every legal (tile, rotation) of these colours for a hex, supply included."""
        printed = self.atlas.hexes[hex_id]
        given = printed.raw.get("allowed_rotations", {})
        found = []
        for tile in sorted(self.atlas.may_carry(hex_id)):
            kind = self.atlas.tiles[tile]
            if kind.colour not in colours or not self._in_supply(hex_id, kind.pool):
                continue
            for rotation in given.get(tile, kind.rotations):
                lay = TileLay(hex_id, tile, rotation)
                sides = kind.faces[rotation].sides()
                if sides <= printed.neighbours.keys() and (not self._allow or self._allow(lay)):
                    found.append(lay)
        return found

    def _in_supply(self, hex_id: str, pool: str) -> bool:
        here = self.lays.get(hex_id)
        back = here is not None and self.atlas.tiles[here.tile].pool == pool
        return self._used[pool] - back < self.atlas.tiles[pool].count

    def face(self, lay: TileLay) -> Face:
        """Return the face that a lay would bring."""
        return self.atlas.tiles[lay.tile].faces[lay.rotation]

    def lay(self, lay: TileLay) -> None:
        """Put a tile on its hex; what lay there goes back to the supply."""
        before = self.lays.get(lay.hex)
        if before is not None:
            self._used[self.atlas.tiles[before.tile].pool] -= 1
        self.lays[lay.hex] = lay
        self.faces[lay.hex] = self.face(lay)
        self._used[self.atlas.tiles[lay.tile].pool] += 1

    def met_sides(self, hex_id: str) -> frozenset[int]:
        """Return the sides of a hex at which track of a neighbour arrives."""
        neighbours = self.atlas.hexes[hex_id].neighbours
        return frozenset(
            side
            for side, other in neighbours.items()
            if opposite(side) in self.faces[other].sides()
        )

    def open_ends(self) -> Iterator[str]:
        """Yield, once for each side, the hexes to which laid track leads and that do not answer."""
        for hex_id in self.lays:
            for side in sorted(self.faces[hex_id].sides()):
                other = self.atlas.hexes[hex_id].neighbours[side]
                if opposite(side) not in self.faces[other].sides():
                    yield other

    def joined(self, options: Sequence[TileLay]) -> list[TileLay]:
        """Return those of the lays for one hex that meet the most track of the neighbours."""
        if not options:
            return []
        met = self.met_sides(options[0].hex)
        best = max(len(self.face(lay).sides() & met) for lay in options)
        return [lay for lay in options if len(self.face(lay).sides() & met) == best]

    def keeps_track(self, lay: TileLay) -> bool:
        """Tell whether a lay keeps the sides to which track of the hex leads now."""
        return self.faces[lay.hex].sides() <= self.face(lay).sides()

    def grow(
        self, rng: random.Random, hexes: int, colours: Collection[str], loose: float = 0.3
    ) -> None:
        """Lay tiles at open ends until `hexes` hexes carry one or nothing fits.

        Parameters
        ----------
        loose
            How often any tile that meets some track is taken instead of one
            that meets the most.
        """
        while len(self.lays) < hexes:
            waiting = sorted({h for h in self.open_ends() if h not in self.lays})
            rng.shuffle(waiting)
            if not any(self._extend(rng, hex_id, colours, loose) for hex_id in waiting):
                return

    def _extend(
        self, rng: random.Random, hex_id: str, colours: Collection[str], loose: float
    ) -> bool:
        met = self.met_sides(hex_id)
        options = [o for o in self.options(hex_id, colours) if self.face(o).sides() & met]
        if not options:
            return False
        self.lay(rng.choice(options if rng.random() < loose else self.joined(options)))
        return True

    def state(self, phase: str, tokens: Sequence[TokenPlacement] = ()) -> BoardState:
        """Return the board as a state."""
        lays = tuple(sorted(self.lays.values(), key=lambda lay: lay.hex))
        return BoardState(self.game.title, phase, lays, tuple(tokens), self.map_name)


def free_slots(
    growth: Growth, tokens: Sequence[TokenPlacement], hex_id: str
) -> list[TokenPlacement]:
    """Return the free printed slots of a hex as placements of a company still to be named."""
    taken = {(token.city, token.slot) for token in tokens if token.hex == hex_id}
    return [
        TokenPlacement(hex_id, city, slot, "")
        for city, stop in enumerate(growth.faces[hex_id].cities)
        for slot in range(stop.slots)
        if (city, slot) not in taken
    ]
