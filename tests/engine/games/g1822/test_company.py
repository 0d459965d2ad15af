"""What can be wrong with the state of a company (1822 §1.7, §2, §10, §11.15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.state import BoardState
from engine.errors import StateError
from engine.games import load_game
from engine.games.g1822.rules import PROFILES, Rules1822
from engine.routing.position import load_position, make_rules
from engine.routing.rules import RulesProfile
from engine.routing.run import CompanyState, HexBonus, TokenRef, Train
from tests.engine.games.g1822.handmade import board, token

TOKENS = (
    token("M38/3", "LNWR"),
    token("I22", "LNWR", 0, "destination"),
    token("J29", "LNWR"),
    token("E34", "21"),
)
MAJOR = CompanyState(
    "LNWR",
    (Train("5-0", "5"), Train("2P-0", "2P"), Train("P+-0", "P+", False)),
    kind="major",
    home=TokenRef("M38", 3),
    destination=TokenRef("I22", 0),
    mail_contracts=2,
)
MINOR = CompanyState("21", (Train("3-0", "3"),), kind="minor", home=TokenRef("E34", 0))


def faults(company: CompanyState, phase: str = "5", title: str = "1822") -> list[tuple[str, str]]:
    """Return code and path of every fault."""
    state = board("1822", phase, "J29 I30")
    state = BoardState(title, phase, state.tiles, TOKENS)
    try:
        load_position(make_rules(load_game(title)), state, company)
    except StateError as error:
        return [(fault.code, fault.path) for fault in error.faults]
    return []


@pytest.mark.parametrize("company", [MAJOR, MINOR, replace(MAJOR, kind="")], ids=["a", "b", "c"])
def test_a_sound_company_has_no_faults(company: CompanyState) -> None:
    """The companies from which the others are made."""
    assert faults(company) == []


@pytest.mark.parametrize(
    ("company", "code", "path"),
    [
        (replace(MAJOR, kind="minor"), "COMPANY_KIND_WRONG", "company.kind"),
        (replace(MAJOR, kind="5-share"), "COMPANY_KIND_WRONG", "company.kind"),
        (
            replace(MAJOR, trains=(Train("5-0", "5*"),)),
            "TRAIN_UNKNOWN",
            "company.trains[0].name",
        ),
        (
            replace(MAJOR, trains=(Train("5-0", "5"), Train("2-0", "2"))),
            "TRAIN_RUSTED",
            "company.trains[1].name",
        ),
        (
            replace(MAJOR, trains=(Train("L-0", "L"),)),
            "TRAIN_RUSTED",
            "company.trains[0].name",
        ),
        (
            replace(MAJOR, trains=(Train("7-0", "E"),)),
            "TRAIN_NOT_YET_SOLD",
            "company.trains[0].name",
        ),
        (
            replace(MAJOR, trains=(Train("P+-0", "P+"), Train("P+-1", "P+"))),
            "TRAIN_TOO_MANY",
            "company.trains",
        ),
        (
            replace(MAJOR, trains=(Train("2P-0", "2P"), Train("LP-0", "LP"))),
            "TRAINS_EXCLUDE",
            "company.trains",
        ),
        (replace(MAJOR, home=None), "HOME_NOT_STATED", "company.home"),
        (replace(MAJOR, home=TokenRef("J29", 0)), "HOME_ELSEWHERE", "company.home"),
        (replace(MAJOR, home=TokenRef("M38", 2)), "HOME_ELSEWHERE", "company.home"),
        (replace(MAJOR, home=TokenRef("M38", -1)), "HOME_ELSEWHERE", "company.home"),
        (replace(MAJOR, home=TokenRef("M38", -99)), "HOME_ELSEWHERE", "company.home"),
        (replace(MAJOR, home=TokenRef("M38", 99)), "HOME_ELSEWHERE", "company.home"),
        (replace(MAJOR, destination=None), "DESTINATION_NOT_STATED", "company.destination"),
        (
            replace(MAJOR, destination=TokenRef("J29", 0)),
            "DESTINATION_ELSEWHERE",
            "company.destination",
        ),
        (
            replace(MINOR, destination=TokenRef("F33", 0)),
            "DESTINATION_OF_MINOR",
            "company.destination",
        ),
        (replace(MAJOR, mail_contracts=3), "MAIL_CONTRACTS_WRONG", "company.mail_contracts"),
        (replace(MAJOR, mail_contracts=-1), "MAIL_CONTRACTS_WRONG", "company.mail_contracts"),
        (replace(MINOR, mail_contracts=1), "MAIL_CONTRACTS_WRONG", "company.mail_contracts"),
        (replace(MAJOR, permits=("local",)), "FIELD_NOT_IN_GAME", "company.permits"),
        (
            replace(MAJOR, hex_bonuses=(HexBonus("I30", 10),)),
            "FIELD_NOT_IN_GAME",
            "company.hex_bonuses",
        ),
        (replace(MAJOR, receivership=True), "FIELD_NOT_IN_GAME", "company.receivership"),
        (replace(MAJOR, insolvent=True), "FIELD_NOT_IN_GAME", "company.insolvent"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_fault_has_code_and_path(company: CompanyState, code: str, path: str) -> None:
    """One thing wrong, one fault."""
    assert faults(company) == [(code, path)]


def test_home_and_destination_need_their_tokens() -> None:
    """10.2, 10.4: what the state names must stand on the board."""
    minor = CompanyState("20", (Train("3-0", "3"),), home=TokenRef("F33", 0))
    assert faults(minor) == [("HOME_WITHOUT_TOKEN", "company.home")]
    city = replace(MAJOR, destination=TokenRef("I22", 1))
    assert faults(city) == [("DESTINATION_WITHOUT_TOKEN", "company.destination")]


def test_trains_by_phase() -> None:
    """2.1, 2.4, §16: from which phase a train is to be had and in which it is gone."""
    spans = {
        "L": (1, 2), "2": (2, 3), "3": (3, 5), "4": (4, 6), "5": (5, 7), "6": (6, 7), "7": (7, 7),
        "E": (7, 7), "2P": (2, 7), "LP": (1, 7), "5P": (5, 7), "P+": (5, 7),
    }  # fmt: skip
    for name, (first, last) in spans.items():
        for phase in range(1, 8):
            company = replace(MAJOR, trains=(Train("x-0", name),))
            assert (faults(company, str(phase)) == []) == (first <= phase <= last), (name, phase)


def test_other_profiles_are_refused() -> None:
    """A profile of another game, or none of that name."""
    game = load_game("1822")
    with pytest.raises(TypeError):
        Rules1822(game, RulesProfile("other"))
    with pytest.raises(StateError):
        make_rules(game, "house rules")
    assert next(iter(PROFILES)) == "18xx.games"
    assert {name: profile.name for name, profile in PROFILES.items()} == {n: n for n in PROFILES}
