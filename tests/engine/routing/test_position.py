"""From states to a checked position: every fault that all games share."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.board.state import BoardState, TileLay
from engine.errors import StateError, UnknownGameError
from engine.games import all_games, load_game
from engine.routing import position
from engine.routing.position import MOST_TRAINS, load_position, make_rules
from engine.routing.run import CompanyState, TokenRef, Train

RULES = make_rules(load_game("18GB"))
BOARD = BoardState("18GB", "3+1")
LNWR = CompanyState("LNWR", (Train("2+1-0", "2+1"),))

CASES: dict[str, tuple[CompanyState, set[tuple[str, str]]]] = {
    "nothing": (LNWR, set()),
    "a company that is not there": (
        replace(LNWR, corporation="XYZ"),
        {("CORPORATION_UNKNOWN", "company.corporation")},
    ),
    "a train that is not there": (
        replace(LNWR, trains=(Train("a", "7X"),)),
        {("TRAIN_UNKNOWN", "company.trains[0].name")},
    ),
    "two trains of one id": (
        replace(LNWR, trains=(Train("a", "2+1"), Train("b", "2+1"), Train("a", "3+1"))),
        {
            ("TRAIN_ID_DUPLICATE", "company.trains[0].id"),
            ("TRAIN_ID_DUPLICATE", "company.trains[2].id"),
        },
    ),
    "a train without id": (
        replace(LNWR, trains=(Train("", "2+1"),)),
        {("TRAIN_ID_DUPLICATE", "company.trains[0].id")},
    ),
    "too many trains": (
        replace(LNWR, trains=tuple(Train(str(n), "2+1") for n in range(MOST_TRAINS + 1))),
        {("TRAINS_TOO_MANY", "company.trains")},
    ),
}


def found(board: BoardState, company: CompanyState) -> set[tuple[str, str]]:
    """Return code and path of every fault."""
    try:
        load_position(RULES, board, company)
    except StateError as error:
        return {(fault.code, fault.path) for fault in error.faults}
    return set()


@pytest.mark.parametrize("case", CASES)
def test_fault_of_a_company(case: str) -> None:
    """Exactly the faults of the case, each at its field."""
    company, expected = CASES[case]
    assert found(BOARD, company) == expected


def test_faults_of_board_and_company_come_together() -> None:
    """A client sees everything that is wrong at once."""
    board = replace(BOARD, tiles=(TileLay("I18", "8", 9),))
    company = replace(LNWR, corporation="XYZ")
    assert found(board, company) == {
        ("ROTATION_OUT_OF_RANGE", "board.tiles[0].rotation"),
        ("CORPORATION_UNKNOWN", "company.corporation"),
    }


def test_the_position_holds_board_and_company() -> None:
    """What was checked is what is run on."""
    loaded = load_position(RULES, BOARD, LNWR)
    assert loaded.title is load_game("18GB")
    assert loaded.board.state == BOARD
    assert loaded.company == LNWR


def test_an_unknown_game() -> None:
    """The message lists the games there are."""
    with pytest.raises(UnknownGameError, match="1862") as caught:
        load_game("18XX")
    assert caught.value.code == "GAME_UNKNOWN"


def test_a_board_of_another_game() -> None:
    """Rules judge boards of their own title only."""
    with pytest.raises(StateError) as caught:
        load_position(RULES, replace(BOARD, title="1822"), LNWR)
    assert [(f.code, f.path) for f in caught.value.faults] == [("TITLE_WRONG", "board.title")]


@pytest.mark.parametrize("title", list(all_games()))
def test_every_game_has_the_profiles_of_the_specification(title: str) -> None:
    """Each game's rules can be made under ``18xx.games``, the default, and ``rulebook``."""
    game = load_game(title)
    assert next(iter(game.profiles)) == "18xx.games"
    for name in ("18xx.games", "rulebook"):
        rules = make_rules(game, name)
        assert rules.profile.name == name
        assert rules.title is game
        assert make_rules(game, rules.profile).profile is rules.profile
    assert make_rules(game).profile.name == "18xx.games"


def test_an_unknown_profile() -> None:
    """The fault names the field, and the message lists the profiles there are."""
    with pytest.raises(StateError, match="rulebook") as caught:
        make_rules(load_game("18GB"), "house rules")
    assert [(f.code, f.path) for f in caught.value.faults] == [("PROFILE_UNKNOWN", "profile")]


def test_every_code_is_tested_here() -> None:
    """Codes are part of the contract."""
    code = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')
    known = set(code.findall(Path(position.__file__).read_text("utf-8")))
    assert known <= set(code.findall(Path(__file__).read_text("utf-8")))


def test_a_wrong_board_does_not_hide_what_is_wrong_with_the_company() -> None:
    """But of places on it nothing is said: the wrong tile or token may be theirs."""
    rules = make_rules(load_game("1822"))
    board = BoardState("1822", "7", (TileLay("Z99", "9", 0),))
    company = CompanyState(
        "SECR", (Train("2-0", "2"),), mail_contracts=9, home=TokenRef("M38", 5)
    )  # without its token
    with pytest.raises(StateError) as caught:
        load_position(rules, board, company)
    assert [(fault.code, fault.path) for fault in caught.value.faults] == [
        ("HEX_UNKNOWN", "board.tiles[0].hex"),
        ("TRAIN_RUSTED", "company.trains[0].name"),
        ("MAIL_CONTRACTS_WRONG", "company.mail_contracts"),
    ]
