"""Recorded games of 1822: results, boards, differences, and writing them again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.games import load_game
from engine.games.g1822.play.state import State1822
from engine.games.g1822.play.table import Table1822
from engine.notation.gamefile import Replay, read_game, write_game
from engine.notation.positions import position_from, position_object
from engine.play.actions import Action, BuyTrain, EndGame, PlaceToken, RunRoutes
from engine.routing.position import load_position, make_rules
from tests.engine.games.g1822.play.lively import moves
from tests.engine.games.g1822.play.scene import new_game, state_of, table
from tests.shared import POSITIONS, needs_records, replay_of

RECORDS = ("1822/33845", "1822/36685", "1822/30797", "1822MRS/33867", "1822MRS/2227")

EXPECTED = {
    "1822/36685": [(823, "EXPRESS_END_FOREIGN")],
    "1822MRS/33867": [(995, "EXPRESS_END_FOREIGN"), (1052, "EXPRESS_END_FOREIGN")],
    "1822MRS/2227": [(25, "TOKEN_MISSING")],
}
"""What the rules of today see differently: E trains beyond their last own city (§11.13, D6), and
a local train whose legs the record has lost (FMT §B6.12)."""


@needs_records
@pytest.mark.parametrize("name", RECORDS)
def test_a_record_ends_as_it_did(name: str) -> None:
    """Exact scores and reason; the differences are the known ones, nothing is refused."""
    replay = replay_of(name)
    play = replay.run()
    assert play.finished
    assert play.scores() == dict(replay.file.result)
    assert play.end_reason == replay.file.end_reason
    assert [(r.entry, r.fault.code) for r in replay.reports] == EXPECTED.get(name, [])


def company_facts(at: Table1822) -> dict[str, Any]:
    """Return what a position says of the company in turn."""
    company, roster = at.company, at.kit.roster
    attached = at.operating.attached
    return {
        "corporation": company.sym,
        "corporation_type": company.kind,
        "cash": company.cash,
        "share_price": at.price(company.sym),
        "phase": at.state.phase,
        "round": f"OR {at.state.turn}.{at.operating.number}",
        "privates": sorted(card.sym for card in at.cards() if card.company == company.sym),
        "owner_privates": sorted(card.sym for card in at.cards() if card.owner == company.director),
        "trains": sorted(
            (train, roster.side(at.state, train).name + ("+" if train == attached else ""))
            for train in company.trains
            if not roster.is_carriage(train) and train not in at.operating.used
        ),
    }


def recorded_facts(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same out of the file."""
    found = {key: raw[key] for key in ("corporation", "corporation_type", "cash", "share_price")}
    found |= {key: raw[key] for key in ("phase", "round")}
    found |= {key: sorted(raw[key]) for key in ("privates", "owner_privates")}
    trains = [(train["id"], train["name"]) for train in raw["trains"]]
    found["trains"] = sorted(train for train in trains if train[1] != "P+")
    return found


@needs_records
@pytest.mark.parametrize("name", ["33845", "36685"])
def test_the_board_before_every_run(name: str) -> None:
    """Tiles, every token with its slot, company, trains, prices and privates."""
    lines = (POSITIONS / "1822" / f"{name}.jsonl").read_text("utf-8").splitlines()
    positions = {raw["action"]: raw for raw in map(json.loads, lines)}
    rules = make_rules(load_game("1822"))
    replay = replay_of(f"1822/{name}", audit=False)
    for entry, action in replay.steps():
        if not isinstance(action, RunRoutes):
            continue
        raw = positions.pop(entry)
        wanted, running = position_from(raw), replay.play.running()
        assert running is not None
        board, company = running
        assert set(board.tiles) == set(wanted.board.tiles)
        assert set(board.tokens) == set(wanted.board.tokens)
        assert company_facts(table(replay.play)) == recorded_facts(raw)
        for part in ("home", "destination", "mail_contracts"):
            assert getattr(company, part) == getattr(wanted.company, part)
        load_position(rules, board, company)
        again = position_from(position_object("again", board, company))
        assert (again.board, again.company) == (board, company)
    assert positions == {}


@needs_records
@pytest.mark.parametrize("name", ["1822/36685", "1822MRS/33867"])
def test_a_record_written_again_plays_again(name: str) -> None:
    """Export and import: the file that is written replays to the same state."""
    play = replay_of(name, audit=False).run()
    written = json.loads(json.dumps(write_game(play, "again")))
    again = Replay(read_game(written), audit=False)
    assert again.run().current == play.current
    assert dict(again.file.result) == play.scores()


@needs_records
@pytest.mark.parametrize(("name", "every"), [("1822MRS/2227", 1), ("1822/36685", 3)])
def test_actions_of_a_record_are_listed(name: str, every: int) -> None:
    """What was done was on the list, to the letter: privates used together (§16.14), partial
    sales, bids. But for slots (FMT §B5.2), the placeholder of a first train (FMT §B5.3) and
    runs, of which the list has only some."""
    replay, missing = replay_of(name, audit=False), []
    for number, (entry, action) in enumerate(replay.steps()):
        if number % every or isinstance(action, RunRoutes | EndGame):
            continue
        offers: Sequence[Action] = replay.play.legal_actions()
        if isinstance(action, PlaceToken):
            action, offers = without_slot(action), [without_slot(offer) for offer in offers]
        elif replay.play.step() == "first train" and isinstance(action, BuyTrain):
            action = replace(action, train=state_of(replay.play).depot[0])
        if action not in offers:
            missing.append((entry, action))
    assert missing == []


def without_slot(action: Action) -> Action:
    """Return the placing of a token without its slot, anything else as it is."""
    return replace(action, slot=None) if isinstance(action, PlaceToken) else action


def test_a_game_of_our_own_is_written_and_read() -> None:
    """A random game, through a file, ends in the same state without a difference."""
    play = new_game(3, seed=9, title="1822MRS")
    for number, _ in enumerate(moves(play, 9)):
        if number == 400:
            break
    replay = Replay(read_game(json.loads(json.dumps(write_game(play, "own")))))
    assert replay.run().current == play.current
    assert replay.reports == []
    assert isinstance(replay.play.current, State1822)
