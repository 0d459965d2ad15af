"""Boards of 1822 drawn by hand: lines between places, tiles where it matters which."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.board.board import Board
from engine.board.geometry import opposite
from engine.board.legs import Leg, find_legs
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game
from engine.games.game import Game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import turned
from engine.routing.rules import Rules, RulesProfile
from engine.routing.run import CompanyState, Position, Route, Run, TokenRef, Train, Verdict
from engine.titles.trains import TrainKind
from tests.boards.grow import Growth


def board(
    title: str, phase: str, *lines: str, tiles: Mapping[str, str] | None = None
) -> BoardState:
    """Return a board with track along `lines` and no tokens.

    Parameters
    ----------
    lines
        Hexes in order; between two that are not neighbours the shortest way
        over plain hexes without track is taken.
    tiles
        Tiles, or colours of tiles, that are wanted on certain hexes. Of the
        tiles that fit, the one with the fewest sides that no line needs is
        taken, the plainest colour first; only colours of the phase.
    """
    game = load_game(title)
    sketch = _Sketch(game, tiles or {}, game.phases[phase]["tiles"])
    for line in lines:
        for start, goal in pairwise(line.split()):
            sketch.join(start, goal)
    return sketch.state(phase)


class _Sketch:
    def __init__(self, game: Game, tiles: Mapping[str, str], colours: Sequence[str]) -> None:
        self.growth = Growth(game)
        self.tiles = tiles
        self.sides: dict[str, set[int]] = {hex_id: set() for hex_id in tiles}
        self.colours = list(colours)

    def join(self, start: str, goal: str) -> None:
        way = self._way(start, goal)
        for one, other in pairwise(way):
            side = next(s for s, n in self._around(one) if n == other)
            self.sides.setdefault(one, set()).add(side)
            self.sides.setdefault(other, set()).add(opposite(side))

    def _around(self, hex_id: str) -> Iterator[tuple[int, str]]:
        for side, other in self.growth.atlas.hexes[hex_id].neighbours.items():
            if self._open(hex_id, side) and self._open(other, opposite(side)):
                yield side, other

    def _open(self, hex_id: str, side: int) -> bool:
        if self.growth.options(hex_id, self.colours):
            return side in self.growth.atlas.hexes[hex_id].neighbours
        return side in self.growth.faces[hex_id].sides()

    def _way(self, start: str, goal: str) -> list[str]:
        waiting = deque([[start]])
        seen = {start}
        while waiting:
            way = waiting.popleft()
            for _, other in self._around(way[-1]):
                if other == goal:
                    return [*way, other]
                if other not in seen and other not in self.sides and self._plain(other):
                    seen.add(other)
                    waiting.append([*way, other])
        raise ValueError(f"no way from {start} to {goal}")

    def _plain(self, hex_id: str) -> bool:
        face = self.growth.faces[hex_id]
        return not face.stops and not face.paths

    def state(self, phase: str) -> BoardState:
        for hex_id, sides in self.sides.items():
            options = self.growth.options(hex_id, self.colours)
            named = self.tiles.get(hex_id)
            fits = [
                lay
                for lay in options
                if sides <= self.growth.face(lay).sides()
                and named in (None, lay.tile, self.growth.face(lay).colour)
            ]
            if options and fits:
                self.growth.lay(min(fits, key=self._rank))
            elif options:
                raise ValueError(f"no tile fits {hex_id} with sides {sorted(sides)}")
        return self.growth.state(phase)

    def _rank(self, lay: TileLay) -> tuple[int, int, str, int]:
        face = self.growth.face(lay)
        return len(face.sides()), self.colours.index(face.colour), lay.tile, lay.rotation


def token(where: str, corporation: str, slot: int = 0, kind: str = "normal") -> TokenPlacement:
    """Return a token; `where` is a hex, or hex and number of the city: ``M38/3``."""
    hex_id, _, city = where.partition("/")
    return TokenPlacement(hex_id, int(city or 0), slot, corporation, kind)


class Table:
    """A position to try runs on.

    Parameters
    ----------
    state
        The board without tokens.
    own
        Where the company has ordinary tokens: ``"M38/3 I30"``.
    trains
        Names of the trains, each with its own number as id: ``2P-0``.
    others
        Tokens of other companies.
    home, destination
        Cities of the home and the destination token, if placed. The latter
        goes into an extra slot unless `destination_slot` says otherwise.
    profile
        The reading of the rules.
    """

    def __init__(
        self,
        state: BoardState,
        corporation: str,
        own: str,
        trains: str,
        *,
        others: Sequence[TokenPlacement] = (),
        home: str = "",
        destination: str = "",
        destination_slot: int = 0,
        mail: int = 0,
        profile: str | RulesProfile = "18xx.games",
    ) -> None:
        game = load_game(state.title)
        tokens = [token(where, corporation) for where in own.split()]
        if destination:
            tokens.append(token(destination, corporation, destination_slot, "destination"))
        state = BoardState(state.title, state.phase, state.tiles, (*tokens, *others), state.map)
        company = CompanyState(
            corporation,
            tuple(Train(f"{n}-{i}", n, n != "P+") for i, n in enumerate(trains.split())),
            kind=game.corporations[corporation]["type"],
            home=_ref(home),
            destination=_ref(destination),
            mail_contracts=mail,
        )
        self.rules: Rules = make_rules(game, profile)
        self.position: Position = load_position(self.rules, state, company)
        self._legs = find_legs(self.board)

    @property
    def board(self) -> Board:
        return self.position.board

    def kind(self, train: str) -> TrainKind:
        names = {train.id: train.name for train in self.position.company.trains}
        return self.position.title.trains[names[train]]

    def route(self, train: str, travel: str, *, plus: bool = False) -> Route:
        """Return a route along stops, named by hex or stop id, by the shortest track.

        ``F33 (E32) E34`` takes the leg from F33 to E34 that touches E32; several
        hexes are joined by commas, and ``(-E32)`` keeps off E32.
        """
        words = travel.split()
        stops = [self._stop(word) for word in words if not word.startswith("(")]
        vias = [[""] for _ in stops]
        place = -1
        for word in words:
            if word.startswith("("):
                vias[place] = word.strip("()").split(",")
            else:
                place += 1
        legs = tuple(
            self._leg(one, other, [via for via in wanted if via]).paths
            for (one, other), wanted in zip(pairwise(stops), vias, strict=False)
        )
        return Route(train, tuple(stops), legs, None, "P+" if plus else "")

    def legs(self, stop: str) -> list[Leg]:
        """Return the legs from or to a stop, each turned to start there."""
        both = [way for leg in self._legs for way in (leg, turned(leg))]
        return [leg for leg in both if leg.a == stop]

    def _stop(self, word: str) -> str:
        if word in self.board.stops:
            return word
        found = [stop.id for stop in self.board.stops.values() if stop.hex == word]
        if len(found) != 1:
            raise ValueError(f"{word} has {len(found)} stops")
        return found[0]

    def _leg(self, one: str, other: str, wanted: Sequence[str]) -> Leg:
        fits = [
            leg
            for leg in self.legs(one)
            if leg.b == other
            and all(
                via[1:] not in leg.hexes if via.startswith("-") else via in leg.hexes
                for via in wanted
            )
        ]
        if not fits:
            raise ValueError(f"no leg from {one} to {other}")
        return min(fits, key=lambda leg: len(leg.paths))

    def judge(self, *routes: Route) -> Verdict:
        """Return the verdict on a run."""
        return self.rules.judge(self.position, Run(routes))

    def codes(self, *routes: Route) -> list[str]:
        """Return the codes of all faults of a run."""
        return [fault.code for fault in self.judge(*routes).faults]


def _ref(where: str) -> TokenRef | None:
    hex_id, _, city = where.partition("/")
    return TokenRef(hex_id, int(city or 0)) if where else None
