"""Boards and companies come out of a replay as referee and optimizer take them."""

from __future__ import annotations

import json

import pytest

from engine.games import load_game
from engine.notation.gamefile import Replay, read_game
from engine.notation.positions import read_positions
from engine.play.actions import RunRoutes
from engine.play.market import Chart
from engine.routing.position import load_position, make_rules
from tests.engine.games.g18gb.play.scene import new_game
from tests.shared import GAMES, POSITIONS, needs_positions

NAMES = ("2p-ew", "3p", "final_train_export", "leased_train")
GAME = load_game("18GB")
CHART = Chart(GAME.data("market.json"))


@needs_positions
@pytest.mark.parametrize("name", NAMES)
def test_every_board_before_a_run_is_the_known_position(name: str) -> None:
    """Tiles, every token and slot, phase, trains, cash, price and privates are equal."""
    path = POSITIONS / "18GB" / f"{name}.jsonl"
    records = {record.raw["action"]: record for record in read_positions(path)}
    file = read_game(json.loads((GAMES / "18GB" / f"{name}.json").read_text("utf-8")))
    replay = Replay(file, audit=False)
    rules = make_rules(GAME)
    for number, action in replay.steps():
        if not isinstance(action, RunRoutes):
            continue
        running, record = replay.play.running(), records.pop(number)
        assert running is not None
        board, company = running
        assert set(board.tiles) == set(record.board.tiles)
        assert set(board.tokens) == set(record.board.tokens)
        assert (board.title, board.phase, board.map) == (
            record.board.title,
            record.board.phase,
            record.board.map,
        )
        assert company == record.company
        state = replay.play.current
        runner = state.companies[company.corporation]
        assert runner.cash == record.raw["cash"]
        assert runner.cell is not None
        assert CHART.price(runner.cell) == record.raw["share_price"]
        where = f"OR {state.turn}.{state.round.number}"
        assert where == record.raw["round"]
        owned = [s for s, p in state.privates.items() if p.owner == runner.director]
        if runner.director is not None:
            assert owned == record.raw["owner_privates"]
        assert load_position(rules, board, company).company == company
    assert records == {}


def test_nobody_runs_in_the_auction() -> None:
    """Outside the run step there is no position."""
    assert new_game(3).running() is None
