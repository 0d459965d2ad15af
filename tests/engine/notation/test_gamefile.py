"""Game files: read, replayed, written, and read again (FMT §A, §B)."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from engine.errors import UnknownGameError
from engine.notation.gamefile import (
    GameFileError,
    Replay,
    ReplayError,
    read_game,
    with_true_seed,
    write_game,
)
from engine.play.actions import RunRoutes
from engine.play.errors import NotPlayableError
from engine.play.game import Setting, restore, start
from tests.engine.play.made_up import TITLE, add_game
from tests.engine.play.robot import moves
from tests.shared import GAMES, needs_records

OWN = Path(__file__).resolve().parents[2] / "data" / "games" / "18GB-two-players.json"
RECORDS = {
    "2p-ew": (313, []),
    "3p": (425, []),
    "final_train_export": (588, []),
    "leased_train": (647, [(43, "TIER_TOO_EARLY"), (555, "REVENUE_DIFFERS")]),
}
"""Actions done, nested ones included, and what the rules see differently (18GB §16.5)."""


def own_game() -> dict[str, Any]:
    raw: dict[str, Any] = json.loads(OWN.read_text("utf-8"))
    return raw


@needs_records
@pytest.mark.parametrize("name", RECORDS)
def test_records_replay_to_their_exact_scores(name: str) -> None:
    """Every entry fits turn, step and actor; scores and end reason are the recorded ones."""
    file = read_game(json.loads((GAMES / "18GB" / f"{name}.json").read_text("utf-8")))
    replay = Replay(file)
    count = sum(1 for _ in replay.steps())
    expected, reports = RECORDS[name]
    assert count == expected
    assert replay.play.finished
    assert replay.play.end_reason == file.end_reason
    assert replay.play.scores() == file.result
    assert [(report.entry, report.fault.code) for report in replay.reports] == reports


@needs_records
def test_a_replay_stops_where_it_is_told() -> None:
    """Up to an entry, then on to the end: the same as in one go."""
    file = read_game(json.loads((GAMES / "18GB" / "3p.json").read_text("utf-8")))
    replay = Replay(file, audit=False)
    play = replay.run(until=58)
    assert isinstance(play.actions()[-1], RunRoutes)
    middle = play.copy()
    assert replay.run().scores() == file.result
    assert len(middle.actions()) == 58


@needs_records
@pytest.mark.parametrize("name", RECORDS)
def test_records_export_and_import_as_the_same_game(name: str) -> None:
    """A replayed record, written and read again, is the same game state by state."""
    file = read_game(json.loads((GAMES / "18GB" / f"{name}.json").read_text("utf-8")))
    first = Replay(file, audit=False).run()
    again = read_game(json.loads(json.dumps(write_game(first, file.id))))
    second = Replay(again, audit=False).run()
    assert second.current == first.current
    assert second.actions() == first.actions()
    assert again.result == file.result


def test_own_game_replays_to_its_result() -> None:
    """The shipped game, made by ourselves, reaches its result under live rules too."""
    file = read_game(own_game())
    replay = Replay(file)
    assert replay.run().scores() == file.result
    assert replay.play.end_reason == file.end_reason
    assert replay.reports == []
    live = start(file.setting)
    for action in replay.play.actions():
        live.apply(action)
    assert live.current == replay.play.current


def test_own_game_exports_as_it_stands() -> None:
    """Writing the replayed game gives the file again, word by word."""
    raw = own_game()
    assert write_game(Replay(read_game(raw)).run(), raw["id"]) == raw


@pytest.mark.parametrize("seed", [1, 2])
def test_games_played_here_export_and_import(seed: int) -> None:
    """A random game comes back from its file with the same states and the same past."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy"), (4, "Di")), seed))
    for _ in moves(play, seed):
        pass
    file = read_game(json.loads(json.dumps(write_game(play, "own"))))
    again = Replay(file).run()
    assert again.current == play.current
    assert again.actions() == play.actions()
    assert restore(again.state()).current == play.current


def test_a_replayed_game_keeps_little_of_its_past() -> None:
    """Of one state in the next what has not changed, and no boards of earlier maps; it can
    be taken back all the same."""
    file = read_game(own_game())
    replay = Replay(file)
    states = []
    for _ in replay.steps():
        replay.play.legal_actions()
        states.append(replay.play.current)
    maps = {id(state.layout): state.layout for state in states}
    assert len(maps) > 20
    last = replay.play.current.layout
    assert [layout for layout in maps.values() if layout.known and layout is not last] == []
    companies = [company for state in states for company in state.companies.values()]
    assert len({id(company) for company in companies}) < len(companies) / 5
    while replay.play.current is not states[30]:
        replay.play.undo()
    assert replay.play.current == Replay(file).run(file.entries[30]["id"] - 1).current
    assert len(replay.play.legal_actions()) > 0


def test_undo_redo_and_automatic_actions_in_a_file() -> None:
    """Undone entries do not count, redone ones do, nested ones follow their entry; programs
    of any kind do nothing by themselves."""
    raw = own_game()
    first, second, *rest = raw["actions"]
    wrong = {**first, "id": 900}
    talk = {"type": "message", "entity": 1, "entity_type": "player", "id": 902, "message": "hm"}
    bidding = {**talk, "type": "program_auction_bid", "id": 905}
    program = {
        "type": "program_share_pass",
        "entity": 1,
        "entity_type": "player",
        "id": 903,
        "auto_actions": [second],
    }
    undo = {"type": "undo", "entity": 1, "entity_type": "player", "id": 901}
    redo = {"type": "redo", "entity": 1, "entity_type": "player", "id": 904}
    raw["actions"] = [wrong, undo, first, undo, redo, talk, bidding, program, *rest]
    assert Replay(read_game(raw)).run().scores() == read_game(raw).result


def test_end_by_hand() -> None:
    """``end_game`` ends the game at once, whoever's turn it is (FMT §E12.2)."""
    raw = own_game()
    end = {"type": "end_game", "entity": 2, "entity_type": "player", "id": 6}
    raw["actions"] = [*raw["actions"][:5], end]
    play = Replay(read_game(raw)).run()
    assert play.finished
    assert play.end_reason == "manually_ended"
    assert write_game(play, raw["id"])["actions"][-1]["type"] == "end_game"


@pytest.mark.parametrize(("kind", "who"), [("player", 9), ("corporation", "XY"), ("company", "LB")])
def test_the_end_by_hand_is_somebodys(kind: str, who: int | str) -> None:
    """A player or a company of the game ends it (FMT §B5), nobody else."""
    raw = own_game()
    end = {"type": "end_game", "entity": who, "entity_type": kind, "id": 6}
    raw["actions"] = [*raw["actions"][:5], end]
    with pytest.raises(ReplayError) as error:
        Replay(read_game(raw)).run()
    assert error.value.faults[0].code == "ENTITY_UNKNOWN"
    end.update(entity="MR", entity_type="corporation")
    assert Replay(read_game(raw)).run().finished


def test_seed_of_the_id() -> None:
    """Without a stored seed the first digits of the id are the seed (FMT §A2.1)."""
    raw = own_game()
    for stored, game_id, seed in (
        (5, "hs_a1b_77", 5),
        ("", "hs_lxemeslq_30797", 30797),
        (None, "hs_a1b_77", 1),
    ):
        raw["settings"]["seed"], raw["id"] = stored, game_id
        assert read_game(raw).setting.seed == seed


def test_old_files() -> None:
    """Players without ids, as a map, and results by name are understood (FMT §A1)."""
    raw = own_game()
    names = [player["name"] for player in raw["players"]]
    raw["result"] = {name: raw["result"][str(n)] for n, name in enumerate(names, start=1)}
    raw["players"] = [{"name": name} for name in names]
    assert Replay(read_game(raw)).run().scores() == read_game(raw).result
    raw["players"] = {str(n): name for n, name in enumerate(names, start=1)}
    assert Replay(read_game(raw)).run().scores() == read_game(raw).result


def _by_name(value: Any, names: dict[int, str]) -> Any:
    """Return a log in which players are named in place of their numbers."""
    if isinstance(value, list):
        return [_by_name(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    named = {key: _by_name(item, names) for key, item in value.items()}
    if value.get("entity_type") == "player":
        named["entity"] = names[value["entity"]]
    return named


@pytest.mark.parametrize("form", ["no ids", "ids of null", "names alone", "a map"])
def test_very_old_files_name_players_in_place_of_ids(form: str) -> None:
    """Entries, nested ones too, and the result then name them (FMT §A1)."""
    raw = own_game()
    first, second, *rest = raw["actions"]
    raw["actions"] = [{**first, "auto_actions": [second]}, *rest]
    names = {player["id"]: player["name"] for player in raw["players"]}
    raw["actions"] = _by_name(raw["actions"], names)
    raw["result"] = {names[int(who)]: score for who, score in raw["result"].items()}
    forms: dict[str, Any] = {
        "no ids": [{"name": name} for name in names.values()],
        "ids of null": [{"id": None, "name": name} for name in names.values()],
        "names alone": list(names.values()),
        "a map": {name: name for name in names.values()},
    }
    raw["players"] = forms[form]
    file = read_game(raw)
    assert file.setting.players == ((1, "Ann"), (2, "Bob"))
    assert Replay(file).run().scores() == file.result == {1: 129, 2: 311}


@pytest.mark.parametrize(
    ("players", "code"),
    [
        ([{"name": "Ann"}, {"id": 1, "name": "Bob"}], "PLAYER_WITHOUT_ID"),
        ([{"name": "Ann"}, {"name": "Ann"}], "PLAYER_TWICE"),
    ],
)
def test_players_that_cannot_be_told_apart(players: Any, code: str) -> None:
    """Some with an id and some without; two of one name where names are ids."""
    with pytest.raises(GameFileError) as error:
        read_game({**own_game(), "players": players})
    assert (error.value.faults[0].code, error.value.faults[0].path) == (code, "players")


def test_a_name_of_digits_is_a_name() -> None:
    """A player called 2 who sits first: the result means ids, unless the players have none."""
    raw = own_game()
    raw["players"] = [{"id": 1, "name": "2"}, {"id": 2, "name": "Bob"}]
    assert read_game(raw).result == {1: 129, 2: 311}
    raw["players"] = [{"name": "2"}, {"name": "Bob"}]
    raw["result"] = {"2": 129, "Bob": 311}
    assert read_game(raw).result == {1: 129, 2: 311}


def test_programs_and_talk_change_nothing() -> None:
    """Every kind of program (FMT §B3, §B7), as an entry or nested; nobody asks who set it."""
    raw = own_game()
    kinds = ("share_pass", "buy_shares", "auction_bid", "disable", "merger_pass")
    silent = [{"type": f"program_{kind}"} for kind in kinds]
    silent += [{"type": "message", "entity": None}, {"type": "log", "entity": 9}]
    first, *rest = raw["actions"]
    raw["actions"] = [{**first, "auto_actions": silent}]
    raw["actions"] += [{**entry, "id": 2 + place} for place, entry in enumerate(silent)]
    raw["actions"] += [{**entry, "id": entry["id"] + 20} for entry in rest]
    assert Replay(read_game(raw)).run().scores() == read_game(raw).result


def test_a_field_of_null_is_a_missing_field() -> None:
    """Bids whose ``corporation`` is null are for a private (FMT §B1)."""
    raw = own_game()
    raw["id"] = None
    for entry in raw["actions"]:
        entry |= {"corporation": entry.get("corporation"), "auto_actions": None, "percent": None}
        entry |= {"user": None, "created_at": None, "skip": None, "original_id": None}
    shares = next(e for e in own_game()["actions"] if e["type"] == "buy_shares")["percent"]
    assert shares
    assert Replay(read_game(raw)).run().scores() == read_game(raw).result


@pytest.mark.parametrize("key", ["title", "players", "actions"])
def test_missing_keys_are_named(key: str) -> None:
    """A file without a key that a replay needs is refused with that key."""
    raw = own_game()
    del raw[key]
    with pytest.raises(GameFileError) as error:
        read_game(raw)
    assert error.value.faults[0].path == key


def test_pinned_and_unknown_games() -> None:
    """Old programs and other titles are refused by name."""
    raw = own_game()
    raw["settings"]["pin"] = "abc"
    with pytest.raises(GameFileError):
        read_game(raw)
    with pytest.raises(UnknownGameError):
        start(Setting("1898", ((1, "Ann"), (2, "Bob"))))


@pytest.mark.parametrize("play", [None, "", "course = None\n"])
def test_games_that_cannot_be_played(
    play: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game without play, or whose play does not say how it goes, is refused by name."""
    add_game(tmp_path, monkeypatch, play)
    with pytest.raises(NotPlayableError, match=TITLE):
        start(Setting(TITLE, ((1, "Ann"), (2, "Bob"))))


def test_faults_of_play_are_not_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A play that cannot be imported, or fails, is no game that cannot be played."""
    add_game(tmp_path, monkeypatch, "def course(game, setting):\n    return game.nothing\n")
    with pytest.raises(AttributeError, match="nothing"):
        start(Setting(TITLE, ((1, "Ann"), (2, "Bob"))))


def test_a_wrong_entry_is_named() -> None:
    """The entry that does not fit is reported with its id and the rule."""
    raw = own_game()
    raw["actions"][3]["entity"] = 3 - raw["actions"][3]["entity"]
    with pytest.raises(ReplayError) as error:
        Replay(read_game(raw)).run()
    assert error.value.entry == raw["actions"][3]["id"]
    assert error.value.faults[0].code == "NOT_YOUR_TURN"


def test_a_wrong_automatic_action_is_named() -> None:
    """With the entry that carries it and its place there."""
    raw = own_game()
    first, second, third, *rest = raw["actions"]
    raw["actions"] = [{**first, "auto_actions": [second, second, third]}, *rest]
    with pytest.raises(ReplayError) as error:
        Replay(read_game(raw)).run()
    assert (error.value.entry, error.value.nested) == (first["id"], 1)


def _dealt_by_two(stored: int, game_id: str) -> dict[str, Any]:
    """A game for three, dealt by seed 2, in which the company that was drawn acts."""
    play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), seed=2))
    for _ in islice(moves(play, 1), 100):
        pass
    raw = write_game(play, game_id)
    raw["settings"]["seed"] = stored
    return raw


def test_a_seed_that_only_shuffled_the_seats_gives_way_to_the_id() -> None:
    """The log fits the digits of the id and not the stored seed: the id dealt (FMT §A2.2)."""
    stale = read_game(_dealt_by_two(3, "hs_abc_2"))
    assert (stale.setting.seed, stale.spare_seed) == (3, 2)
    with pytest.raises(ReplayError):
        Replay(stale).run()
    true = with_true_seed(stale)
    assert (true.setting.seed, true.stale_seed, true.spare_seed) == (2, 3, None)
    replay = Replay(true)
    replay.run()
    assert [(r.entry, r.fault.code, r.fault.path) for r in replay.reports] == [
        (0, "SEED_STALE", "settings.seed")
    ]


def test_the_seed_that_fits_the_log_longer_is_the_true_one() -> None:
    """A log that breaks off late with the id and early with the stored seed: the id dealt."""
    raw = _dealt_by_two(3, "hs_abc_2")
    raw["actions"].append({**raw["actions"][0], "id": 1000})
    true = with_true_seed(read_game(raw))
    assert true.setting.seed == 2
    with pytest.raises(ReplayError) as error:
        Replay(true).run()
    assert error.value.entry == 1000


def test_a_seed_that_fits_or_that_nothing_replaces_stays() -> None:
    """The stored seed stays if the log fits it, or if it fits the id no better."""
    assert with_true_seed(read_game(_dealt_by_two(2, "hs_abc_3"))).setting.seed == 2
    assert with_true_seed(read_game(_dealt_by_two(3, "hs_abc_5"))).setting.seed == 3
