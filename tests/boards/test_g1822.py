"""The boards of 1822 that other tests and benchmarks stand on."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.board.board import Board
from engine.board.build import check_state
from engine.board.legs import find_legs
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from tests.boards.g1822 import LARGE_TRAINS, large_position, random_position


def test_random_positions_are_legal_and_varied() -> None:
    """Boards and companies without faults; every kind of train, area and word occurs."""
    seen: Counter[str] = Counter()
    for seed in range(150):
        state, company = random_position(random.Random(seed), hexes=7, trains=2)
        game = load_game(state.title)
        assert check_state(game, state) == ()
        assert len(state.tiles) <= 7
        assert sum(train.name != "P+" for train in company.trains) <= 2
        rules = make_rules(game)
        problem = rules.problem(load_position(rules, state, company))
        seen.update(cls.name for cls in problem.classes)
        seen.update(type(word).__name__ for word in problem.words)
        seen.update(stop.hex for stop in problem.stops)
        seen.update(attachment.name for attachment in problem.attachments)
        seen[state.title] += 1
    wanted = {"local", "2", "3", "4", "5", "6", "7", "E", "5+", "P+"}
    wanted |= {"VisitBonus", "EndsSubsidy", "OneOf", "M38", "E34", "Q44", "D35", "N29"}
    wanted |= {"1822", "1822MRS", "1822NRS"}
    assert not {name for name in wanted if seen[name] < 2}


def test_equal_seeds_give_equal_boards() -> None:
    """Tests and benchmarks can name a board by its seed."""
    for make in (lambda rng: random_position(rng, hexes=6, trains=2), large_position):
        assert make(random.Random(7)) == make(random.Random(7))


@pytest.mark.parametrize("seed", range(3))
def test_large_positions_look_like_the_end_of_a_game(seed: int) -> None:
    """Phase 7, 60 to 90 tiles, 44 to 56 stops, at most 175 legs, several own tokens."""
    state, company = large_position(random.Random(seed), trains=LARGE_TRAINS[seed])
    game = load_game(state.title)
    assert check_state(game, state) == ()
    assert state.phase == "7"
    assert 60 <= len(state.tiles) <= 90
    board = Board(game.atlas(), state)
    legs = find_legs(board)
    assert 44 <= len({stop for leg in legs for stop in (leg.a, leg.b)}) <= 56
    assert len(legs) <= 175
    assert 4 <= len(board.token_stops(company.corporation)) <= 7
    assert tuple(train.name for train in company.trains) == LARGE_TRAINS[seed]
    rules = make_rules(game)
    problem = rules.problem(load_position(rules, state, company))
    assert problem.step == 10
