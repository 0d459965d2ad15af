"""The grown boards of 1862 are legal, varied and what their callers ask for."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.board.build import check_state
from engine.board.state import BoardState, TileLay
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from tests.boards.g1862 import HEAVY, large_position, random_position
from tests.boards.grow import Growth

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_positions_have_no_faults(seed: int) -> None:
    """Board and company pass every check, and the size is the one asked for."""
    board, company = random_position(random.Random(seed), hexes=8, trains=3)
    position = load_position(make_rules(load_game("1862")), board, company)
    assert len(position.board.state.tiles) <= 8
    assert len(company.trains) == 3


def test_random_positions_are_reproducible() -> None:
    """The same seed gives the same position."""
    for seed in SEEDS:
        first = random_position(random.Random(seed), hexes=8, trains=3)
        assert first == random_position(random.Random(seed), hexes=8, trains=3)


def test_random_positions_are_varied() -> None:
    """All phases, all types of trains, London with and without, blocked stations, Freights
    in numbers; and most have something to run."""
    rules = make_rules(load_game("1862"))
    seen: Counter[str] = Counter()
    for seed in range(200):
        board, company = random_position(random.Random(seed), hexes=8, trains=3)
        position = load_position(rules, board, company)
        kinds = [rules.title.trains[train.name].kind for train in company.trains]
        problem = rules.problem(position)
        seen.update({board.phase, *kinds})
        seen["many freights"] += kinds.count("freight") >= 2
        seen["London"] += any(token.hex in ("B15", "D15") for token in board.tokens)
        seen["no permit"] += any(not train.runnable for train in company.trains)
        blocked = [s for s in position.board.stops.values() if s.kind == "city"]
        seen["blocked"] += any(not s.passable(company.corporation) for s in blocked)
        seen["legs"] += len(problem.legs) >= 5
    assert all(seen[phase] >= 10 for phase in "ABCDEFGH")
    assert min(seen[kind] for kind in ("freight", "local", "express")) >= 50
    assert min(seen[what] for what in ("many freights", "London", "blocked", "legs")) >= 50
    assert seen["no permit"] >= 10


@pytest.mark.parametrize("seed", range(12))
def test_large_positions_cover_the_map(seed: int) -> None:
    """Phase H, at least 30 tiles, mostly russet and green, three to five heavy trains."""
    game = load_game("1862")
    board, company = large_position(random.Random(seed))
    position = load_position(make_rules(game), board, company)
    colours = Counter(game.atlas().tiles[lay.tile].colour for lay in position.board.state.tiles)
    assert board.phase == "H"
    assert colours["brown"] >= 15
    assert colours["brown"] + colours["green"] >= 28
    assert 3 <= len(company.trains) <= 5
    assert {train.name for train in company.trains} <= set(HEAVY)
    assert len(make_rules(game).problem(position).legs) >= 60


def test_options_are_all_that_may_lie_on_a_hex() -> None:
    """Growth offers a lay just if a board with that lay alone has no fault."""
    game = load_game("1862")
    for hex_id in ("F13", "F11", "D13", "E14", "B3"):
        offered = set(Growth(game).options(hex_id, ("yellow", "green", "brown")))
        for tile in game.atlas().tiles:
            for rotation in range(6):
                lay = TileLay(hex_id, tile, rotation)
                faults = check_state(game, BoardState("1862", "H", (lay,)))
                assert (lay in offered) == (not faults)


def test_growth_respects_the_supply() -> None:
    """There is one tile 795 and one 797; a second Ipswich or Harwich is not offered."""
    growth = Growth(load_game("1862"))
    first = [lay for lay in growth.options("F11", ("brown",)) if lay.tile == "795"]
    growth.lay(first[0])
    assert growth.options("F11", ("brown",)), "the tile on the hex itself goes back"
    for hex_id in growth.atlas.hexes:
        if hex_id != "F11":
            assert all(lay.tile != "795" for lay in growth.options(hex_id, ("brown",)))
