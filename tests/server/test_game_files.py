"""Game files in the shapes in which they come: what is understood, and what is named as wrong."""

from __future__ import annotations

import copy
import io
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.notation.gamefile import write_game
from engine.play.game import Setting, start
from optimizer.stop import Stop
from server.cli import main
from server.convert.games import look_message, replay_message
from server.errors import CancelledError, GameRefusedError, RequestError
from server.gamebook import Gamebook, Opened, Source, begin, file_text, replay
from tests.engine.play.robot import moves

OWN = Path(__file__).resolve().parents[1] / "data" / "games" / "18GB-two-players.json"
CONTENT: dict[str, Any] = json.loads(OWN.read_text("utf-8"))


def changed(**changes: Any) -> dict[str, Any]:
    """Return the shipped game with other top-level values."""
    return {**copy.deepcopy(CONTENT), **changes}


def opened(content: dict[str, Any], before: int | None = None) -> Opened:
    """Return a game replayed, after it was shown."""
    game = replay(Source(json.dumps(content), before=before), Stop())
    replay_message(game)
    look_message(game)
    return game


def stale() -> dict[str, Any]:
    """Return a game for three that the digits of its id dealt, not its seed (FMT §A2.2)."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), seed=2))
    for _ in islice(moves(play, 1), 100):
        pass
    raw = write_game(play, "hs_abc_2")
    raw["settings"]["seed"] = 3
    return raw


def test_a_stale_seed_is_replaced_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whole, up to an entry, and for an audit; the file that is written has the true seed."""
    content = stale()
    whole, early = opened(content), opened(content, before=4)
    assert whole.whole
    for game in (whole, early):
        assert game.play.setting.seed == 2
        assert [(r.entry, r.fault.code) for r in game.reports] == [(0, "SEED_STALE")]
        assert json.loads(file_text(game))["settings"]["seed"] == 2
    assert begin(content, "18xx.games").file.setting.seed == 2
    path = tmp_path / "stale.json"
    path.write_text(json.dumps(content), "utf-8")
    assert main(["replay", str(path)]) == 0
    assert "SEED_STALE" in capsys.readouterr().out
    assert main(["replay", str(path), "--at", "4", "--json"]) == 0
    (fault,) = json.loads(capsys.readouterr().out)["faults"]
    assert (fault["entry"], fault["code"], fault["section"]) == ("0", "SEED_STALE", "FMT §A2.2")


def test_a_byte_order_mark_is_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a file and from standard input."""
    text = "\ufeff" + OWN.read_text("utf-8")
    path = tmp_path / "marked.json"
    path.write_text(text, "utf-8")
    assert main(["replay", str(path)]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["replay", "-"]) == 0
    assert "are the recorded ones" in capsys.readouterr().out


def test_privates_have_the_owners_that_they_have() -> None:
    """1822 §14: a player, the company that has acquired it, or nobody; closed ones are not
    listed."""
    path = OWN.parents[3] / "examples" / "games" / "1822.json"
    content = json.loads(path.read_text("utf-8"))
    bought = next(e for e in content["actions"] if e["type"] == "acquire_company")
    owners = []
    for before in (bought["id"], bought["id"] + 1):
        state = look_message(opened(content, before)).state
        owners.append({private.id: private.owner for private in state.privates})
    players = {str(player["id"]) for player in content["players"]}
    assert owners[0][bought["company"]] in players
    assert owners[1][bought["company"]] == bought["entity"]
    assert set(owners[0].values()) <= {"", *players}
    assert "" in owners[0].values()


def test_the_search_for_the_true_seed_ends_with_its_call() -> None:
    """Before an entry and after a replay that failed: a cancelled call is over."""
    for before in (None, 4):
        stop = Stop()
        stop.cancel()
        with pytest.raises(CancelledError):
            replay(Source(json.dumps(stale()), before=before), stop)


def test_a_fault_of_the_log_is_no_matter_of_the_seed() -> None:
    """The entry that does not fit is the one of the stored seed if no other fits longer."""
    content = changed(id="x7")
    content["actions"][50]["entity"] = 77
    for before in (None, 60):
        with pytest.raises(GameRefusedError) as error:
            opened(content, before)
        assert error.value.faults[0].path == "game.file.actions[50].entity"
    assert opened(content, before=51).count == 50


def test_the_moment_before_an_entry_that_cannot_be_read() -> None:
    """Can be looked at, whatever is wrong with the entry."""
    content = changed()
    content["actions"][10]["type"] = "dance"
    assert opened(content, before=11).count == 10
    with pytest.raises(GameRefusedError) as error:
        opened(content, before=12)
    assert error.value.faults[0].code == "ACTION_TYPE_UNKNOWN"


def test_a_fault_of_an_automatic_action_has_its_place() -> None:
    """As the field of the file that it is."""
    content = changed()
    first, second, third, *rest = content["actions"]
    content["actions"] = [{**first, "auto_actions": [second, second, third]}, *rest]
    with pytest.raises(GameRefusedError) as error:
        opened(content)
    assert error.value.faults[0].path == "game.file.actions[0].auto_actions[1].entity"


def test_entries_that_do_nothing_need_nobody() -> None:
    """Talk, programs, undo and redo without entity."""
    content = changed()
    silent = ("message", "log", "program_auction_bid", "undo", "redo")
    entries = [{"type": kind, "id": 1000 + n} for n, kind in enumerate(silent)]
    content["actions"] += entries
    assert replay_message(opened(content)).scores_equal
    content["actions"][-2]["action_id"] = "x"
    with pytest.raises(RequestError) as error:
        opened(content)
    assert [fault.path for fault in error.value.faults] == [
        f"game.file.actions[{len(content['actions']) - 2}].action_id"
    ]


def test_a_file_with_undo_talk_and_redo_is_written_as_one_that_can_be_read() -> None:
    """What was redone stands where it was, before the talk in between."""
    content = changed()
    one = {"entity": 1, "entity_type": "player"}
    content["actions"] = content["actions"][:5]
    for number, kind in enumerate(("undo", "message", "redo"), start=6):
        content["actions"].append({"type": kind, "id": number, **one})
    game = opened(content)
    written = json.loads(file_text(game))
    assert [entry["id"] for entry in written["actions"]] == [1, 2, 3, 4, 5, 7]
    assert opened(written).play.current == game.play.current


def test_what_told_of_the_moment_is_not_written_on() -> None:
    """Round, turn and who acts, as exported, are those of another moment after an action."""
    told = {"turn": 1, "round": "Initial Auction", "acting": [1]}
    content = changed(**told, description="ours", actions=[])
    book = Gamebook()
    game = book.open(Source(json.dumps(content)), Stop())
    after, _ = book.apply(game, CONTENT["actions"][:1], Stop())
    written = json.loads(file_text(after))
    assert not told.keys() & written.keys()
    assert written["description"] == "ours"


def test_automatic_actions_are_played_with_the_action_that_carries_them() -> None:
    """As entries of their own in the file that is written; programs among them do nothing, and
    the place of one that is refused is named."""
    book = Gamebook()
    game = book.open(Source(json.dumps(changed(actions=[]))), Stop())
    first, second, third = CONTENT["actions"][:3]
    entry = {**first, "auto_actions": [{"type": "program_disable"}, second]}
    after, done = book.apply(game, [entry, third], Stop())
    assert [action.to_json()["company"] for action in done] == ["LB", "CH", "LM"]
    assert after.count == 3
    assert after.play.current == opened(CONTENT, before=4).play.current
    assert opened(json.loads(file_text(after))).play.current == after.play.current
    with pytest.raises(GameRefusedError) as refused:
        book.apply(game, [{**first, "auto_actions": [second, second]}], Stop())
    assert refused.value.faults[0].path == "actions[0].auto_actions[1].entity"
    for wrong, path in ((5, "actions[0].auto_actions"), ([5], "actions[0].auto_actions[0]")):
        with pytest.raises(RequestError) as malformed:
            book.apply(game, [{**first, "auto_actions": wrong}], Stop())
        assert [fault.path for fault in malformed.value.faults] == [path]


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"settings": {"seed": "9" * 5000}}, "settings.seed"),
        ({"settings": {}, "id": "9" * 5000}, "id"),
        ({"id": ["x"]}, "id"),
        ({"result": {"9" * 5000: 5}}, "result"),
        ({"result": {"1": 2**31}}, "result"),
        ({"result": [5]}, "result"),
        ({"result": 5}, "result"),
        ({"players": [{"id": 2**31, "name": "Ann"}, {"id": 2, "name": "Bob"}]}, "players[0].id"),
        ({"players": {str(2**31): "Ann", "2": "Bob"}}, f"players.{2**31}"),
        ({"players": {"1": None}}, "players.1"),
        ({"players": [5, "Bob"]}, "players[0]"),
    ],
)
def test_values_for_which_there_is_no_room(changes: dict[str, Any], path: str) -> None:
    """Named by their field, whatever they would do later."""
    with pytest.raises(RequestError) as error:
        opened(changed(**changes))
    assert {(f.code, f.path) for f in error.value.faults} == {
        ("FIELD_MALFORMED", f"game.file.{path}")
    }


@pytest.mark.parametrize(
    "changes",
    [
        {"id": None},
        {"settings": None},
        {"settings": {"seed": "", "optional_rules": None}, "id": 2},
        {"players": {"1": "Ann", "2": "Bob"}, "result": {"Ann": 1, "2": 2}},
        {"players": [{"id": 1, "name": "²"}, {"id": 2, "name": "Bob"}], "result": {"²": 1}},
        {"result": None, "game_end_reason": None, "status": "new"},
        {"players": [{"id": -1, "name": "Ann"}, {"id": 0, "name": "Bob"}], "result": {"-1": 5}},
    ],
)
def test_values_that_may_be_missing_or_written_otherwise(changes: dict[str, Any]) -> None:
    """A file just begun is the deal (FMT §A1, §A2)."""
    game = opened(changed(**{"actions": [], **changes}))
    assert (game.count, game.play.step(), game.whole) == (0, "auction", True)
