"""Every fault that the referee of 18GB can find in a run, with its code and place."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.board.board import PathRef
from engine.board.legs import find_legs
from engine.errors import Fault
from engine.games import load_game
from engine.games.g18gb import referee
from engine.routing import checks, track
from engine.routing.position import make_rules
from engine.routing.run import Position, Route, Run
from tests.boards import g18gb_examples as boards
from tests.boards.g18gb_examples import ride

SITE = make_rules(load_game("18GB"))
HUB = boards.hub()
SOUTH = "I14-0 I16-0 I20-0 I22-0 G26-0"


def hub_ride(train: str, stops: str) -> Route:
    """Return a route on board R2."""
    return ride(HUB.board, train, stops)


def found(position: Position, *routes: Route) -> set[tuple[str, str]]:
    """Return code and path of every fault."""
    verdict = SITE.judge(position, Run(routes))
    assert (verdict.revenue, verdict.routes, verdict.legal) == (0, (), False)
    return {(fault.code, fault.path) for fault in verdict.faults}


GOOD = hub_ride("4+2-2", SOUTH)
NORTH = hub_ride("3+1-0", "J13-0 J11-0")

CASES: dict[str, tuple[Route, set[tuple[str, str]]]] = {
    "a stop that is not there": (
        replace(GOOD, stops=(*GOOD.stops[:-1], "Z9-0")),
        {("STOP_UNKNOWN", "routes[0].stops[4]")},
    ),
    "too few legs": (
        replace(GOOD, legs=GOOD.legs[:-1]),
        {("LEG_COUNT_WRONG", "routes[0].legs")},
    ),
    "no stop at all": (Route("3+1-0", ()), {("LEG_COUNT_WRONG", "routes[0].legs")}),
    "a path that is not there": (
        replace(NORTH, legs=((PathRef("J13", 7),),)),
        {("PATH_UNKNOWN", "routes[0].legs[0]")},
    ),
    "a leg without a path": (replace(NORTH, legs=((),)), {("LEG_EMPTY", "routes[0].legs[0]")}),
    "a leg that does not start at its stop": (
        replace(NORTH, legs=(NORTH.legs[0][::-1],)),
        {("LEG_BROKEN", "routes[0].legs[0]")},
    ),
    "a leg that ends too early": (
        replace(NORTH, legs=(NORTH.legs[0][:1],)),
        {("LEG_BROKEN", "routes[0].legs[0]")},
    ),
    "a leg through a stop": (
        Route("3+1-0", ("I14-0", "I20-0"), ((*GOOD.legs[0], *GOOD.legs[1]),)),
        {("LEG_PASSES_STOP", "routes[0].legs[0]")},
    ),
    "one stop": (Route("3+1-0", ("I14-0",)), {("ROUTE_TOO_SHORT", "routes[0].stops")}),
    "no own token": (
        hub_ride("3+1-0", "I16-0 I20-0"),
        {("TOKEN_MISSING", "routes[0].stops")},
    ),
    "there and back": (
        Route("3+1-0", ("I14-0", "I16-0", "I14-0"), (GOOD.legs[0], GOOD.legs[0][::-1])),
        {
            ("STOP_TWICE", "routes[0].stops"),
            ("SIDE_TWICE", "routes[0].legs"),
            ("PATH_TWICE", "routes[0].legs"),
        },
    ),
    "too many cities": (
        hub_ride("2+1-0", "J11-0 J13-0 I14-0"),
        {("TRAIN_NOT_OWNED", "routes[0].train")},
    ),
    "too many towns": (
        hub_ride("3+1-0", f"J13-0 {SOUTH}"),
        {("TOWNS_TOO_MANY", "routes[0].stops")},
    ),
    "a choice of paying stops": (
        replace(NORTH, paid=("J13-0",)),
        {("PAID_NOT_CHOSEN", "routes[0].paid")},
    ),
    "a carriage": (
        replace(NORTH, attachment="P+"),
        {("ATTACHMENT_UNKNOWN", "routes[0].attachment")},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_fault_of_one_route(case: str) -> None:
    """§11.2, §11.3: exactly the faults of the case, each at its place."""
    route, expected = CASES[case]
    assert found(HUB, route) == expected


def test_too_many_cities() -> None:
    """§11.3: c is at most N."""
    position = boards.hub("3+1", "2+1")
    route = ride(position.board, "2+1-0", "J11-0 J13-0 I14-0")
    assert found(position, route) == {("CITIES_TOO_MANY", "routes[0].stops")}


def test_an_off_board_area_is_not_passed() -> None:
    """§11.1.2: it can only be an end."""
    route = ride(boards.london().board, "3+1-0", "D25-0 E26-0 G26-0 F25-0")
    assert found(boards.london(), route) == {("OFFBOARD_PASSED", "routes[0].stops[2]")}


def test_a_city_full_of_foreign_tokens_is_not_passed() -> None:
    """§11.1.2: closed nodes can only be ends."""
    position = boards.barred()
    route = ride(position.board, "3+1-0", "J11-0 J13-0 I14-0")
    assert found(position, route) == {("CITY_BLOCKED", "routes[0].stops[1]")}


def test_an_empty_slot_lets_a_route_pass() -> None:
    """§11.1.2: a city with a free slot is open, also for a company without a token there."""
    who = boards.company("LSWR", "3+1")
    laid = (*boards.HUB, *boards.lays("J13 G34 0"))
    position = boards.position("5+2", laid, "GER J13 0, LSWR I14 0", who, "2EW")
    route = ride(position.board, "3+1-0", "J11-0 J13-0 I14-0")
    assert SITE.judge(position, Run((route,))).legal


def test_trains_of_others_idle_trains_and_trains_used_twice() -> None:
    """§11.7: each train of the company runs at most one route."""
    third = replace(HUB.company.trains[2], runnable=False)
    company = replace(HUB.company, trains=(*HUB.company.trains[:2], third))
    position = replace(HUB, company=company)
    routes = (
        NORTH,
        hub_ride("3+1-0", "J13-0 I14-0"),
        hub_ride("6X-9", "I14-0 I16-0"),
        hub_ride("4+2-2", "I16-0 I20-0"),
    )
    assert found(position, *routes) == {
        ("TRAIN_TWICE", "routes[1].train"),
        ("TRAIN_NOT_OWNED", "routes[2].train"),
        ("TRAIN_NOT_RUNNABLE", "routes[3].train"),
        ("TOKEN_MISSING", "routes[3].stops"),
    }


def test_track_shared_by_two_routes() -> None:
    """§11.7: every hex side that a later route uses again is named."""
    verdict = SITE.judge(HUB, Run((GOOD, hub_ride("3+1-0", "I14-0 I16-0 I20-0"))))
    assert {(f.code, f.path, f.hex) for f in verdict.faults} == {
        ("SIDE_SHARED", f"routes[1].legs[{leg}]", hex_id)
        for leg, hexes in enumerate([("I14", "I16"), ("I16", "I18", "I20")])
        for hex_id in hexes
    }


def test_all_faults_of_all_routes_are_listed_at_once() -> None:
    """One broken route does not hide the faults of the others."""
    broken = replace(NORTH, legs=((),))
    assert found(HUB, broken, replace(GOOD, paid=()), hub_ride("3+1-0", "I16-0 I20-0")) == {
        ("LEG_EMPTY", "routes[0].legs[0]"),
        ("PAID_NOT_CHOSEN", "routes[1].paid"),
        ("TRAIN_TWICE", "routes[2].train"),
        ("TOKEN_MISSING", "routes[2].stops"),
        ("SIDE_SHARED", "routes[2].legs[0]"),
    }


def test_faults_of_the_run_carry_section_and_sentence() -> None:
    """Each fault names the rule, and its message is a text for people."""
    faults: list[Fault] = []
    for route, _ in CASES.values():
        faults.extend(SITE.judge(HUB, Run((route,))).faults)
    for fault in faults:
        assert len(fault.message.split()) > 3
        if fault.code not in ("STOP_UNKNOWN", "LEG_COUNT_WRONG"):
            assert re.fullmatch(r"(18GB §11\.\d+|FMT §D5)", fault.section), fault


def test_no_run_is_legal_and_pays_nothing() -> None:
    """§11.9.1: nothing obliges the director to run."""
    verdict = SITE.judge(HUB, Run())
    assert verdict.legal
    assert (verdict.revenue, verdict.routes, verdict.items) == (0, (), ())


def test_every_code_of_the_referee_is_tested_here() -> None:
    """Codes are part of the contract: each that 18GB can meet has its case in this file.

    Left out are junctions and terminal track, which 18GB has only at a dead end
    where no leg runs, and what is said of a company.
    """
    sources = [Path(source.__file__) for source in (referee, track, checks)]
    code = re.compile(r'"([A-Z]+(?:_[A-Z]+)+)"')
    known = {c for source in sources for c in code.findall(source.read_text("utf-8"))}
    tested = set(code.findall(Path(__file__).read_text("utf-8")))
    assert {c.lower() for c in known - tested} == {
        "junction_twice",
        "terminal_passed",
        "field_not_in_game",
    }


def test_the_dead_end_of_the_east_west_map_carries_no_leg() -> None:
    """§1.7: track may point at I10 of the map for two, but nothing runs into it."""
    laid = boards.line("I14 I12 J11", "2EW") + boards.lays("I12 88 0")
    position = boards.position("4+2", laid, "MR I14 0", boards.company("MR", "3+1"), "2EW")
    side = next(s for s, n in position.board.atlas.hexes["I12"].neighbours.items() if n == "I10")
    assert side in position.board.faces["I12"].sides()
    assert all(ref.hex != "I10" for leg in find_legs(position.board) for ref in leg.paths)
