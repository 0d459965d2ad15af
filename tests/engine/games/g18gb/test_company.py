"""What can be wrong with the state of a company in 18GB."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import StateError
from engine.games import load_game
from engine.games.g18gb import company as checked
from engine.games.g18gb.profile import PROFILES, CompassSets, Profile18GB
from engine.games.g18gb.rules import Rules18GB
from engine.routing.position import load_position, make_rules
from engine.routing.rules import RulesProfile
from engine.routing.run import CompanyState, HexBonus, TokenRef, Train
from tests.boards import g18gb_examples as boards

SITE = make_rules(load_game("18GB"))
STATE = boards.docks().board.state
LNWR = CompanyState("LNWR", (Train("2+1-0", "2+1"), Train("3+1-0", "3+1")), "5-share")


def found(company: CompanyState, phase: str = "3+1", map_name: str = "") -> set[tuple[str, str]]:
    """Return code and path of every fault of a company on the board of the docks."""
    tiles = STATE.tiles if not map_name else ()
    tokens = STATE.tokens if not map_name else ()
    state = replace(STATE, phase=phase, map=map_name, tiles=tiles, tokens=tokens)
    try:
        load_position(SITE, state, company)
    except StateError as error:
        return {(fault.code, fault.path) for fault in error.faults}
    return set()


CASES: dict[str, tuple[CompanyState, set[tuple[str, str]]]] = {
    "nothing": (LNWR, set()),
    "its kind": (replace(LNWR, kind="major"), {("COMPANY_KIND_WRONG", "company.kind")}),
    "permits": (replace(LNWR, permits=("local",)), {("FIELD_NOT_IN_GAME", "company.permits")}),
    "home": (replace(LNWR, home=TokenRef("F21", 0)), {("FIELD_NOT_IN_GAME", "company.home")}),
    "destination": (
        replace(LNWR, destination=TokenRef("F21", 0)),
        {("FIELD_NOT_IN_GAME", "company.destination")},
    ),
    "mail": (replace(LNWR, mail_contracts=1), {("FIELD_NOT_IN_GAME", "company.mail_contracts")}),
    "a warranty": (
        replace(LNWR, trains=(Train("a", "3+1*"),)),
        {("TRAIN_UNKNOWN", "company.trains[0].name")},
    ),
    "a later train": (
        replace(LNWR, trains=(Train("a", "4+2"),)),
        {("TRAIN_NOT_YET_SOLD", "company.trains[0].name")},
    ),
    "a leased later train": (replace(LNWR, trains=(Train("a", "4+2"),), insolvent=True), set()),
    "a train leased in receivership": (
        replace(LNWR, trains=(Train("a", "4+2"),), receivership=True),
        set(),
    ),
    "a train that nobody can lease yet": (
        replace(LNWR, trains=(Train("a", "5+2"),), insolvent=True),
        {("TRAIN_NOT_YET_SOLD", "company.trains[0].name")},
    ),
    "two leased trains": (
        replace(LNWR, insolvent=True),
        {("LEASE_OF_SEVERAL", "company.trains")},
    ),
    "bonuses of closed privates": (
        replace(LNWR, hex_bonuses=(HexBonus("E14", 30), HexBonus("J13", 10))),
        set(),
    ),
    "a bonus nowhere": (
        replace(LNWR, hex_bonuses=(HexBonus("Z9", 30),)),
        {("HEX_UNKNOWN", "company.hex_bonuses[0].hex")},
    ),
    "a bonus of no private": (
        replace(LNWR, hex_bonuses=(HexBonus("G26", 30),)),
        {("HEX_BONUS_UNKNOWN", "company.hex_bonuses[0].hex")},
    ),
    "the bonus of an older edition": (
        replace(LNWR, hex_bonuses=(HexBonus("E14", 10),)),
        {("HEX_BONUS_WRONG", "company.hex_bonuses[0].amount")},
    ),
    "the same bonus twice": (
        replace(LNWR, hex_bonuses=(HexBonus("E14", 30),) * 2),
        {("HEX_BONUS_TWICE", "company.hex_bonuses[1].hex")},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_fault_of_a_company(case: str) -> None:
    """Exactly the faults of the case, each at its field."""
    company, expected = CASES[case]
    assert found(company) == expected


def test_trains_that_have_rusted() -> None:
    """§7: 2+1 trains are gone in phase 4+2, 3+1 in 4X, 4+2 in 6X; the others never rust."""
    alive = {"2+1": "3+1", "3+1": "5+2", "4+2": "5X", "5+2": "6X", "4X": "6X", "6X": "6X"}
    dead = {"2+1": "4+2", "3+1": "4X", "4+2": "6X"}
    for name, phase in alive.items():
        assert found(replace(LNWR, trains=(Train("a", name),)), phase) == set()
    for name, phase in dead.items():
        rusted = {("TRAIN_RUSTED", "company.trains[0].name")}
        assert found(replace(LNWR, trains=(Train("a", name),)), phase) == rusted


def test_companies_of_another_map() -> None:
    """§1.2: on the small maps six companies play."""
    assert found(replace(LNWR, trains=()), map_name="2NS") == set()
    other = replace(LNWR, corporation="GWR", trains=())
    assert found(other, map_name="2NS") == {("CORPORATION_NOT_ON_MAP", "company.corporation")}
    assert found(other, map_name="2EW") == set()


def test_privates_of_another_map() -> None:
    """§1.3: Stockton & Darlington is not in play east-west, though Middlesbrough is there."""
    company = replace(LNWR, trains=(), hex_bonuses=(HexBonus("J13", 10),))
    assert found(company, map_name="2EW") == {("HEX_BONUS_UNKNOWN", "company.hex_bonuses[0].hex")}
    assert found(company, map_name="2NS") == set()


def test_all_faults_at_once() -> None:
    """Nothing is hidden by an earlier fault."""
    company = CompanyState(
        "LNWR",
        (Train("a", "6X"), Train("b", "2+1")),
        "minor",
        permits=("freight",),
        hex_bonuses=(HexBonus("Z9", 1),),
    )
    assert found(company, "4+2") == {
        ("COMPANY_KIND_WRONG", "company.kind"),
        ("FIELD_NOT_IN_GAME", "company.permits"),
        ("TRAIN_NOT_YET_SOLD", "company.trains[0].name"),
        ("TRAIN_RUSTED", "company.trains[1].name"),
        ("HEX_UNKNOWN", "company.hex_bonuses[0].hex"),
    }


def test_every_code_of_the_company_is_tested_here() -> None:
    """Codes are part of the contract."""
    code = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')
    known = set(code.findall(Path(checked.__file__).read_text("utf-8"))) | {"FIELD_NOT_IN_GAME"}
    assert known <= set(code.findall(Path(__file__).read_text("utf-8")))


def test_profiles() -> None:
    """§0.1, §0.2: the site first, the rulebook, and the site as it was before a change."""
    assert list(PROFILES) == ["18xx.games", "rulebook", "18xx.games-2024-02-18"]
    site, rulebook, older = PROFILES.values()
    assert site == Profile18GB("18xx.games", True, CompassSets.BEST_PARTITION)
    assert rulebook == Profile18GB("rulebook", False, CompassSets.BEST_PARTITION)
    assert older == Profile18GB("18xx.games-2024-02-18", True, CompassSets.COMPONENTS)
    assert SITE.profile is site


def test_a_profile_of_another_game_is_refused() -> None:
    """The rules object says so at once."""
    with pytest.raises(TypeError, match="no profile of 18GB"):
        Rules18GB(load_game("18GB"), RulesProfile("rulebook"))
