"""Recorded games of 1862: exact results, and every board before a run as it is known."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from engine.games import load_game
from engine.games.g1862.play.state import State1862
from engine.games.g1862.stations import london_hexes
from engine.notation.gamefile import Replay, read_game, write_game
from engine.notation.positions import PositionRecord, read_positions
from engine.play.actions import RunRoutes
from engine.play.game import restore
from engine.play.market import Chart
from engine.routing.position import load_position, make_rules
from engine.routing.run import CompanyState
from tests.shared import GAMES, POSITIONS, needs_positions

GAME = load_game("1862")
CHART = Chart(GAME.data("market.json"))
RULES = make_rules(GAME)
OLDER = (120, 151, 161, 242, 282, 395, 464, 480, 558, 613, 619)
"""Runs of 2021 for which the rules of today pay more (1862 §15.6)."""
RECORDS: dict[str, tuple[int, Sequence[int]]] = {"46925": (649, OLDER), "game_end_bank": (580, ())}
"""Actions done, nested ones included, and the runs that today's rules see differently."""

pytestmark = needs_positions


def replay(name: str, audit: bool = False) -> Replay:
    path = GAMES / "1862" / f"{name}.json"
    return Replay(read_game(json.loads(path.read_text("utf-8"))), audit)


@pytest.mark.parametrize("name", RECORDS)
def test_records_replay_to_their_exact_scores(name: str) -> None:
    """Every entry fits turn, step and actor; scores and reason are the recorded ones.

    Only the known runs differ from the referee, and nothing else is found fault with.
    """
    game = replay(name, audit=True)
    count = sum(1 for _ in game.steps())
    expected, older = RECORDS[name]
    assert count == expected
    assert game.play.finished
    assert game.play.end_reason == game.file.end_reason
    assert game.play.scores() == game.file.result
    assert [report.entry for report in game.reports] == list(older)
    assert {report.fault.code for report in game.reports} <= {"REVENUE_DIFFERS"}


def same_company(company: CompanyState, record: PositionRecord, state: State1862) -> None:
    """Trains with their stars, permits, link, charter, money and price are equal."""
    sym, extras = company.corporation, record.raw["extras"]
    assert company == record.company
    runner, charter = state.companies[sym], state.charters[sym]
    assert runner.cash == record.raw["cash"]
    assert runner.cell is not None
    assert CHART.price(runner.cell) == record.raw["share_price"]
    assert charter.chartered == extras["chartered"]
    home = GAME.corporations[sym]["home"]["hex"]
    assert home == extras["home"]
    london = london_hexes(GAME)
    linked = any(t.hex in london and t.corporation == sym for t in state.layout.tokens)
    assert linked == extras["london_link"]


@pytest.mark.parametrize("name", RECORDS)
def test_every_board_before_a_run_is_the_known_position(name: str) -> None:
    """Tiles, every marker and circle, phase, trains, cash and price are equal."""
    path = POSITIONS / "1862" / f"{name}.jsonl"
    records = {record.raw["action"]: record for record in read_positions(path)}
    game = replay(name)
    for number, action in game.steps():
        if not isinstance(action, RunRoutes):
            continue
        running, record, state = game.play.running(), records.pop(number), game.play.current
        assert running is not None
        assert isinstance(state, State1862)
        board, company = running
        assert set(board.tiles) == set(record.board.tiles)
        assert set(board.tokens) == set(record.board.tokens)
        assert (board.title, board.phase) == (record.board.title, record.board.phase)
        assert f"OR {state.turn}.{state.round.number}" == record.raw["round"]
        same_company(company, record, state)
        assert load_position(RULES, board, company).company == company
    assert records == {}


@pytest.mark.parametrize("name", RECORDS)
def test_records_export_and_import_as_the_same_game(name: str) -> None:
    """A replayed record, written and read again, is the same game; so is its snapshot."""
    first = replay(name)
    first.run()
    again = read_game(json.loads(json.dumps(write_game(first.play, name))))
    second = Replay(again, audit=False).run()
    assert second.current == first.play.current
    assert second.actions() == first.play.actions()
    snapshot = json.loads(json.dumps(first.play.state()))
    assert restore(snapshot).current == first.play.current
