"""The made-up boards of 18GB are legal and of the kind that they promise."""

from __future__ import annotations

import random
from collections import Counter

from engine.board.build import check_state
from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.vocabulary import GroupBonus
from tests.boards.g18gb import FOREIGN, LARGE_TRAINS, large_position, random_position

GAME = load_game("18GB")
RULES = make_rules(GAME)


def test_small_boards_are_legal_and_varied() -> None:
    """No faults of board or company; all maps, phases, families of trains and the compass occur."""
    seen: Counter[str] = Counter()
    for seed in range(150):
        state, company = random_position(random.Random(seed), hexes=8, trains=3)
        assert check_state(GAME, state) == ()
        position = load_position(RULES, state, company)
        assert len(state.tiles) <= 8 + 2, "both estuaries come on top"
        assert len(company.trains) <= 3
        problem = RULES.problem(position)
        seen.update([state.map, state.phase, *(train.name[-1] for train in company.trains)])
        seen["compass"] += problem.word(GroupBonus) is not None
        seen["foreign"] += any(t.corporation != company.corporation for t in state.tokens)
        seen["bonus"] += bool(company.hex_bonuses)
        seen["receivership"] += company.receivership
        seen["insolvent"] += company.insolvent
        seen["runs"] += len(problem.legs) > 0
    assert seen["compass"] > 30
    assert seen["runs"] > 130
    wanted = [*GAME.map_files, *GAME.phases, "X", "1", "2"]
    wanted += ["foreign", "bonus", "receivership", "insolvent"]
    assert [what for what in wanted if not seen[what]] == []


def test_small_boards_depend_on_the_seed_alone() -> None:
    """The same seed gives the same board."""
    one, two = (random_position(random.Random(7), hexes=9, trains=2) for _ in range(2))
    assert one == two
    assert one != random_position(random.Random(8), hexes=9, trains=2)


def test_large_boards_are_legal_and_dense() -> None:
    """Phase 6X, four own tokens, others on top, the wanted trains and share of hexes."""
    tiles = []
    for seed, density in enumerate([0.5, 0.6, 0.7, 0.8]):
        state, company = large_position(random.Random(seed), density=density)
        position = load_position(RULES, state, company)
        assert state.phase == "6X"
        assert tuple(train.name for train in company.trains) in LARGE_TRAINS
        own = [t for t in state.tokens if t.corporation == company.corporation]
        assert len(own) == 4
        assert len({t.hex for t in own}) == 4
        assert len(state.tokens) - len(own) == FOREIGN
        tiles.append(len(state.tiles))
        colours = {position.board.faces[lay.hex].colour for lay in state.tiles}
        assert {"yellow", "green", "brown", "gray"} <= colours
    assert tiles == sorted(tiles)
    assert tiles[-1] > 60


def test_large_boards_with_trains_of_choice() -> None:
    """The caller names the trains."""
    _, company = large_position(random.Random(3), trains=["6X", "5+2"])
    assert [train.name for train in company.trains] == ["6X", "5+2"]
