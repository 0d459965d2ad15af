"""The network of a company is exactly what trails reach (FMT §D5, §D6)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.board.board import Board, PathRef
from engine.board.build import build_board
from engine.board.faces import EndKind, PathEnd, TrackPath
from engine.board.geometry import opposite
from engine.board.network import Side, trace_network
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import load_game
from tests.boards import g1822
from tests.boards.g18gb import random_position

GAME = load_game("18GB")

Nodes = frozenset[Any]
Refs = frozenset[PathRef]
Sides = frozenset[Any]


class Naive:
    """Every trail, one after the other, by the words of FMT §D5.2 and nothing else."""

    def __init__(self, board: Board, company: str) -> None:
        self.board = board
        self.company = company
        self.paths: set[PathRef] = set()
        self.stops: set[str] = set()
        for stop in board.token_stops(company):
            self.stops.add(stop.id)
            none: frozenset[Any] = frozenset()
            start = frozenset((stop.id,))
            self._from(stop.hex, EndKind.STOP, stop.index, start, none, none, None)

    def _from(
        self,
        hex_id: str,
        kind: EndKind,
        index: int,
        stops: Nodes,
        used: Refs,
        left: Sides,
        came: PathRef | None,
    ) -> None:
        """Go on from a stop or junction of a hex over every path that is there.

        `stops` are the stops and junctions passed.
        """
        for number, path in enumerate(self.board.faces[hex_id].paths):
            for near, far in ((path.a, path.b), (path.b, path.a)):
                here = near.kind is kind and near.index == index
                port = path.terminal and EndKind.JUNCTION in (near.kind, far.kind)
                ignored = kind is EndKind.STOP and path.ignored_from_stop
                if here and not port and not ignored and PathRef(hex_id, number) != came:
                    self._onto(PathRef(hex_id, number), path, far, stops, used, left)

    def _onto(
        self, ref: PathRef, path: TrackPath, far: PathEnd, stops: Nodes, used: Refs, left: Sides
    ) -> None:
        exits = {(ref.hex, end) for end in (path.a, path.b) if end.kind is EndKind.SIDE}
        if ref in used or exits & left:
            return
        used = used | {ref}
        if far.kind is EndKind.SIDE:
            self.paths.add(ref)
            left = left | {(ref.hex, far)}
            for other, entry in self.board.across(ref.hex, far):
                onward = self.board.path(other)
                end = onward.a if entry else onward.b
                if not (onward.terminal and end.kind is EndKind.JUNCTION):
                    self._onto(other, onward, end, stops, used, left)
        elif far.kind is EndKind.JUNCTION:
            junction = (ref.hex, far.index)
            if junction not in stops:
                self.paths.add(ref)
                self._from(*self._at(ref, far), stops | {junction}, used, left, ref)
        else:
            stop = self.board.stop_at[ref.hex, far.index]
            if stop.id in stops:
                return
            self.paths.add(ref)
            self.stops.add(stop.id)
            if stop.passable(self.company) and not stop.has(self.company) and not path.terminal:
                self._from(*self._at(ref, far), stops | {stop.id}, used, left, ref)

    def _at(self, ref: PathRef, far: PathEnd) -> tuple[str, EndKind, int]:
        return ref.hex, far.kind, far.index


@pytest.mark.parametrize("seed", range(60))
def test_network_is_what_trails_reach(seed: int) -> None:
    """On random boards paths and stops equal those of all trails tried one by one."""
    rng = random.Random(seed)
    state, company = random_position(rng, hexes=rng.randint(4, 16), trains=1)
    board = build_board(GAME, state)
    network = trace_network(board, company.corporation)
    naive = Naive(board, company.corporation)
    assert network.paths == naive.paths
    assert network.stops == naive.stops
    assert network.clean <= network.possible


@pytest.mark.parametrize("seed", range(40))
def test_networks_over_junctions_and_lanes(seed: int) -> None:
    """The same in 1822, where tiles have junctions and sides have two lanes."""
    rng = random.Random(seed)
    state, company = g1822.random_position(rng, hexes=rng.randint(6, 18), trains=1)
    board = build_board(load_game(state.title), state)
    network = trace_network(board, company.corporation)
    naive = Naive(board, company.corporation)
    assert network.paths == naive.paths
    assert network.stops == naive.stops


def test_what_trails_from_one_stop_reach() -> None:
    """From one stop trails run on through tokens of the company, which otherwise end them."""
    tiles = (TileLay("J29", "57", 1), TileLay("I32", "8", 1), TileLay("H33", "57", 1))
    tokens = (TokenPlacement("J29", 0, 0, "MR"), TokenPlacement("I30", 0, 1, "MR"))
    board = build_board(load_game("1822"), BoardState("1822", "3", tiles, tokens))
    start = board.city_at("J29", 0)
    assert start is not None
    assert trace_network(board, "MR", start).stops == {"J29-0", "I30-0", "H33-0"}
    foreign = tuple(TokenPlacement(t.hex, t.city, t.slot, "SWR") for t in tokens[1:])
    full = (*tokens[:1], *foreign, TokenPlacement("I30", 0, 0, "10"))
    board = build_board(load_game("1822"), BoardState("1822", "3", tiles, full))
    start = board.city_at("J29", 0)
    assert start is not None
    reached = trace_network(board, "MR", start)
    assert reached.stops == {"J29-0", "I30-0"}
    assert {ref.hex for ref in reached.paths} == {"J29", "I30"}


def test_dense_boards_take_no_longer() -> None:
    """Trails are looked for from their end: hundreds of loops do not matter."""
    for seed in range(4):
        state, company = g1822.large_position(random.Random(seed))
        board = build_board(load_game(state.title), state)
        network = trace_network(board, company.corporation)
        assert network.clean <= network.possible


def sides_by_rule(board: Board, company: str, paths: frozenset[PathRef]) -> dict[str, set[int]]:
    """Where track may be laid: sides of token hexes, and both sides of network track (§D6.3)."""
    hexes = board.atlas.hexes
    found: dict[str, set[int]] = {h: set() for h in hexes}
    for token in board.state.tokens:
        if token.corporation == company:
            found[token.hex] |= set(hexes[token.hex].neighbours)
    for ref in paths:
        for end in (board.path(ref).a, board.path(ref).b):
            if end.kind is EndKind.SIDE and end.index in hexes[ref.hex].neighbours:
                found[ref.hex].add(end.index)
                found[hexes[ref.hex].neighbours[end.index]].add(opposite(end.index))
    return {hex_id: sides for hex_id, sides in found.items() if sides}


def test_sides_where_track_may_be_laid() -> None:
    """All open sides of token hexes, and both sides of every exit of network track."""
    for seed in range(20):
        state, company = random_position(random.Random(seed), hexes=8, trains=1)
        board = build_board(GAME, state)
        network = trace_network(board, company.corporation)
        assert network.sides == sides_by_rule(board, company.corporation, network.paths)
        assert network.hexes == {ref.hex for ref in network.paths}


def derby() -> Board:
    """A token in Derby on a straight tile, with a two-city tile north of it."""
    lays = (TileLay("H19", "G41", 0), TileLay("H17", "G21", 0))
    return build_board(GAME, BoardState("18GB", "5+2", lays, (TokenPlacement("H19", 0, 0, "MR"),)))


def test_a_token_city_is_reached_from_itself() -> None:
    """The token's city and its track belong to the network even if nothing else does."""
    board = derby()
    network = trace_network(board, "MR")
    assert "H19-0" in network.stops
    assert {ref for ref in network.paths if ref.hex == "H19"} == {
        PathRef("H19", 0),
        PathRef("H19", 1),
    }
    assert trace_network(board, "CR").stops == frozenset()


def turned(tile: str, *sides: int) -> int:
    """Return the rotation in which a tile has track exactly to these sides."""
    faces = GAME.atlas().tiles[tile].faces
    return next(r for r in range(6) if faces[r].sides() == frozenset(sides))


def test_no_way_back_through_a_balloon() -> None:
    """FMT §D5.2, §H26: out over a switch, round a loop and back does not reach its branch.

    From Stoke G18 over the switch in F19, whose branch faces the loop, to the
    fork in E20 and round over D19, D21 and E22.
    """
    lays = (
        TileLay("G18", "G41", 1),
        TileLay("F19", "23", 1),
        TileLay("E20", "25", 4),
        TileLay("D19", "7", turned("7", 5, 0)),
        TileLay("D21", "58", turned("58", 3, 5)),
        TileLay("E22", "7", turned("7", 2, 3)),
    )
    token = TokenPlacement("G18", 0, 0, "LYR")
    board = build_board(GAME, BoardState("18GB", "3+1", lays, (token,)))
    network = trace_network(board, "LYR")
    on_switch = [ref for ref in network.paths if ref.hex == "F19"]
    assert [{end.index for end in _ends(board, ref)} for ref in on_switch] == [{1, 4}]
    assert "D21-0" in network.stops
    assert network.paths == Naive(board, "LYR").paths
    branch = Side("G20", 2)
    assert branch in network.possible
    assert branch not in network.clean
    assert 2 not in network.sides.get("G20", frozenset())


def _ends(board: Board, ref: PathRef) -> tuple[PathEnd, PathEnd]:
    path = board.path(ref)
    return path.a, path.b


def test_a_full_foreign_city_is_reached_and_not_passed() -> None:
    """A city full of other tokens ends a trail; a free slot lets it through (FMT §D4.1)."""
    lays = (TileLay("H19", "G41", 0), TileLay("H21", "G18", 0), TileLay("H23", "9", 0))
    mine = TokenPlacement("H19", 0, 0, "MR")
    for other, through in (((), True), ((TokenPlacement("H21", 0, 0, "CR"),), False)):
        board = build_board(GAME, BoardState("18GB", "5+2", lays, (mine, *other)))
        network = trace_network(board, "MR")
        assert "H21-0" in network.stops
        assert any(ref.hex == "H23" for ref in network.paths) == through
