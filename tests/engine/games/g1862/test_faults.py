"""What is illegal in 1862: one case for every code that company check and referee can give."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import engine.games.g1862 as package
from engine.board.build import build_board
from engine.board.state import BoardState, TokenPlacement
from engine.errors import Fault, StateError
from engine.games import load_game
from engine.games.g1862.rules import PROFILES, Rules1862
from engine.routing import checks
from engine.routing.position import load_position
from engine.routing.run import CompanyState, HexBonus, Route, TokenRef, Train
from tests.engine.games.g1862.handmade import EAST, LINE, STAR, Table, table

OWN = "D13 D11 E12 G12 F13"
TRAINS = ("5F", "7F", "7F", "6E", "4/5E", "2L")


def east(tokens: str = f"{OWN} London", permits: tuple[str, ...] | None = None) -> Table:
    """The board from the Midlands to Denmark in phase H, with home D13."""
    if permits is None:
        return table("ECR", "H", EAST, tokens, TRAINS)
    return table("ECR", "H", EAST, tokens, TRAINS, permits)


def run(train: str, *ways: str) -> Callable[[], tuple[Fault, ...]]:
    """Return a case: these routes of one train each on the eastern board."""

    def case() -> tuple[Fault, ...]:
        t = east()
        names = [train, f"{train}'"]
        routes = [t.route(name, way) for name, way in zip(names, ways, strict=False)]
        return t.judge(*routes).faults

    return case


def on(t: Table, *routes: Route) -> tuple[Fault, ...]:
    """Return the faults of a run on a board."""
    return t.judge(*routes).faults


def blocked() -> tuple[Fault, ...]:
    """E12, four circles, is full of others' markers."""
    t = east("D13 D11 E12:EUR E12:ESR E12:N&S E12:Y&N")
    return on(t, t.route("6E", "D13 E12 F11"))


def idle_put_aside() -> tuple[Fault, ...]:
    """A train that the client puts aside."""
    t = east()
    aside = tuple(replace(train, runnable=False) for train in t.position.company.trains)
    company = replace(t.position.company, trains=aside)
    position = replace(t.position, company=company)
    return on(Table(t.rules, position), t.route("6E", "D13 D11"))


def with_paid(*paid: str) -> Callable[[], tuple[Fault, ...]]:
    """A 4/5E over five stations that says what is to pay."""

    def case() -> tuple[Fault, ...]:
        t = east()
        return on(t, t.route("4/5E", "D13 D11 E12 F11 G12", paid))

    return case


def three_circles() -> tuple[Fault, ...]:
    """A circle with a tail, listed from the tail."""
    t = table("ECR", "H", EAST, f"{OWN} London", ["7F"] * 4)
    names = ["7F", "7F'", "7F''", "7F'''"]
    ways = ["D15 D13", "D13 D11", "D11 E12", "E12 D13"]
    return on(t, *(t.route(name, way) for name, way in zip(names, ways, strict=True)))


def hooked_by_the_book() -> tuple[Fault, ...]:
    """The same in the rulebook's reading."""
    t = table("ECR", "H", EAST, f"{OWN} London", ["7F"] * 4).under("rulebook")
    names = ["7F", "7F'", "7F''", "7F'''"]
    ways = ["D15 D13", "D13 D11", "D11 E12", "E12 D13"]
    return on(t, *(t.route(name, way) for name, way in zip(names, ways, strict=True)))


def closed_by_the_book() -> tuple[Fault, ...]:
    """Two runs to and fro in the rulebook's reading."""
    t = table("SVR", "B", LINE, "D11 D13", ["1F", "1F"]).under("rulebook")
    return on(t, t.route("1F", "D11 D13"), t.route("1F'", "D11 D13"))


def idle_by_the_book() -> tuple[Fault, ...]:
    """A second Local that could run the same way."""
    t = table("SVR", "B", LINE, "D11 D13", ["2L", "2L"]).under("rulebook")
    return on(t, t.route("2L", "D11 D13"))


def away_from_home() -> tuple[Fault, ...]:
    """The home marker H5 is there but no route visits it."""
    t = table("Y&N", "H", STAR, "H5 D9", ["9F"])
    return on(t, t.route("9F", "D9 E10 E12"))


def without_home() -> tuple[Fault, ...]:
    """Y&N has lost its home marker."""
    t = table("Y&N", "H", STAR, "D9", ["9F"])
    return on(t, t.route("9F", "D9 E10 E12"))


def attached() -> tuple[Fault, ...]:
    """A carriage of another game."""
    t = east()
    return on(t, replace(t.route("6E", "D13 D11"), attachment="P+"))


def unlinked() -> tuple[Fault, ...]:
    """To London without a marker there."""
    t = east(OWN)
    return on(t, t.route("6E", "D13 D15"))


def unpermitted() -> tuple[Fault, ...]:
    """An Express without its permit."""
    t = east(permits=("freight", "local"))
    return on(t, t.route("6E", "D13 D11"))


def company(**fields: object) -> Callable[[], tuple[Fault, ...]]:
    """Return a case: a company state with these fields."""

    def case() -> tuple[Fault, ...]:
        t = east()
        return t.rules.check_company(t.position.board, replace(t.position.company, **fields))  # type: ignore[arg-type]

    return case


def marked(*tokens: tuple[str, int]) -> Callable[[], tuple[Fault, ...]]:
    """Return a case: markers of ECR on these hexes and slots."""

    def case() -> tuple[Fault, ...]:
        t = east()
        placed = tuple(TokenPlacement(hex_id, 0, slot, "ECR") for hex_id, slot in tokens)
        state = replace(t.position.board.state, tokens=placed)
        board = build_board(load_game("1862"), state)
        return t.rules.check_company(board, t.position.company)

    return case


NINE = [(h, 0) for h in ("B5", "B7", "B9", "C10", "D11", "D13", "E12", "F11", "F13")]


def many_freights() -> tuple[Fault, ...]:
    """More Freights than can be put in order."""
    t = table("ECR", "H", EAST, "D13", ["7F"] * 7)
    with pytest.raises(StateError) as caught:
        t.rules.problem(t.position)
    return caught.value.faults


def mixed() -> tuple[Fault, ...]:
    """A 5F without a 7F in its chain."""
    t = east()
    coast = t.route("5F", "D11 D13 E12 F11 G12 H13")
    return on(t, coast, t.route("7F", "D13 D15"))


CASES: dict[str, tuple[str, str, Callable[[], tuple[Fault, ...]]]] = {
    # code: (section, path, case)
    "TRAIN_NOT_OWNED": (
        "1862 §10.3",
        "routes[0].train",
        lambda: on(east(), Route("8F", ("D13-0",))),
    ),
    "TRAIN_NOT_RUNNABLE": ("1862 §10.3", "routes[0].train", unpermitted),
    "TRAIN_TWICE": (
        "1862 §10.3",
        "routes[1].train",
        lambda: on(t := east(), t.route("6E", "D13 D11"), t.route("6E", "D13 E12")),
    ),
    "ATTACHMENT_UNKNOWN": ("1862 §1.4", "routes[0].attachment", attached),
    "ROUTE_TOO_SHORT": (
        "1862 §10.2",
        "routes[0].stops",
        lambda: on(east(), Route("6E", ("D13-0",))),
    ),
    "END_IN_TOWN": ("1862 R1", "routes[0].stops[2]", run("6E", "D13 E12 E14")),
    "OFFBOARD_PASSED": ("1862 R2", "routes[0].stops[1]", run("6E", "D13 D15 E14 E12")),
    "STOP_TWICE": ("1862 R3", "routes[0].stops", run("6E", "D13 D11 E12 D13")),
    "AREA_TWICE": ("1862 R3", "routes[0].stops", run("6E", "F15 F13 G14-2")),
    "SIDE_TWICE": ("1862 R4", "routes[0].legs", run("6E", "D13 E12 D13")),
    "PATH_TWICE": ("1862 R4", "routes[0].legs", run("6E", "D13 E12 D13")),
    "CITY_BLOCKED": ("1862 R5", "routes[0].stops[1]", blocked),
    "TOKEN_MISSING": ("1862 R6", "routes[0].stops", run("6E", "C10 B9")),
    "RED_AREAS_TOO_MANY": (
        "1862 R7",
        "routes[0].stops",
        run("6E", "A4 B5 B7 B9 C10 D11 D13 D15"),
    ),
    "PORTS_TOO_MANY": ("1862 R7", "routes[0].stops", run("6E", "H13 G12 F11 E12 F13 F15")),
    "LONDON_NOT_LINKED": ("1862 R8", "routes[0].stops[1]", unlinked),
    "LOCAL_OFF_LAND": ("1862 R9", "routes[0].stops[1]", run("2L", "D13 D15")),
    "TOO_MANY_STOPS": ("1862 R9", "routes[0].stops", run("2L", "D13 D11 E12")),
    "TOO_MANY_HEXES": ("1862 R9", "routes[0].legs", run("7F", "F11 E12 D13 D11 C10 B9 B7 B5 A4")),
    "PAID_NOT_A_CHOICE": ("1862 §10.4", "routes[0].paid[0]", with_paid("B5-0")),
    "PAID_TWICE": ("1862 §10.4", "routes[0].paid[1]", with_paid("D13-0", "D13-0")),
    "PAID_TOO_MANY": (
        "1862 §10.4",
        "routes[0].paid",
        with_paid("D13-0", "D11-0", "E12-0", "F11-0", "G12-0"),
    ),
    "HOME_NOT_ON_BOARD": ("1862 S1", "routes", without_home),
    "HOME_NOT_VISITED": ("1862 S1", "routes", away_from_home),
    "ROUTES_DO_NOT_MEET": ("1862 S2", "routes[1]", run("7F", "D13 D11", "F13 F15")),
    "FREIGHTS_NOT_CHAINED": ("1862 §10.5.5", "routes[0]", mixed),
    "CHAIN_END_SINGLE": ("1862 §10.5.7", "routes[0]", three_circles),
    "CHAIN_CLOSED": ("1862 §10.5.7", "routes[0]", closed_by_the_book),
    "CHAIN_BRANCHES": ("1862 §10.5.1", "routes[0]", hooked_by_the_book),
    "TRAIN_IDLE": ("1862 S5", "company.trains[1]", idle_by_the_book),
    "COMPANY_KIND_WRONG": ("1862 §1.2", "company.kind", company(kind="minor")),
    "PERMIT_UNKNOWN": ("1862 §2.3", "company.permits[0]", company(permits=("goods",))),
    "PERMIT_TWICE": ("1862 §2.3", "company.permits[1]", company(permits=("local", "local"))),
    "HOME_ELSEWHERE": ("1862 §1.2", "company.home", company(home=TokenRef("D11", 0))),
    "FIELD_NOT_IN_GAME": ("", "company.mail_contracts", company(mail_contracts=1)),
    "LONDON_TWICE": (
        "1862 §8.5",
        "board.tokens[2]",
        marked(("D13", 0), ("D15", 0), ("B15", 0)),
    ),
    "MARKERS_TOO_MANY": ("1862 §1.3", "board.tokens[8]", marked(*NINE)),
    "FREIGHTS_TOO_MANY": ("1862 §10.5.6", "company.trains", many_freights),
}


@pytest.mark.parametrize("code", CASES)
def test_a_fault_has_its_code_section_and_path(code: str) -> None:
    """Each code arises where it should, with the rule's address and the field path."""
    section, path, case = CASES[code]
    found = [fault for fault in case() if fault.code == code]
    assert [fault.section for fault in found[:1]] == [section]
    assert path in [fault.path for fault in found]
    assert all(fault.message for fault in found)


def test_every_code_has_a_case() -> None:
    """No code of the package, or of the shared checks that it uses, is untested."""
    folder = Path(package.__file__).parent
    files = [*folder.glob("*.py"), Path(checks.__file__)]
    sources = [path.read_text("utf-8") for path in files]
    named = {code for text in sources for code in re.findall(r'\("([A-Z]+_[A-Z_]+)"', text)}
    named |= {code for text in sources for code in re.findall(r'"([A-Z]+_[A-Z_]+)",', text)}
    named |= {"STOP_TWICE", "SIDE_TWICE", "PATH_TWICE", "OFFBOARD_PASSED", "CITY_BLOCKED"}
    assert named == CASES.keys()


def test_all_faults_are_listed() -> None:
    """Not only the first fault: two wrong routes of trains of which one does not exist."""
    t = east()
    wrong = t.route("6E", "A4 B5 B7 B9 C10 D11 D13 D15")
    other = t.route("8F", "F11 G12")
    codes = {fault.code for fault in t.judge(wrong, other).faults}
    assert codes == {"RED_AREAS_TOO_MANY", "TOO_MANY_STOPS", "TRAIN_NOT_OWNED"}


def test_track_that_does_not_exist_is_a_fault_beside_the_others() -> None:
    """A leg that leads nowhere is reported together with what is wrong with other routes."""
    t = east()
    good = t.route("6E", "D13 E12 E14")
    broken = Route("7F", ("D13-0", "B5-0"), (good.legs[0],))
    codes = [fault.code for fault in t.judge(broken, good).faults]
    assert codes == ["LEG_BROKEN", "END_IN_TOWN"]


def test_an_illegal_run_pays_nothing() -> None:
    """The verdict on an illegal run has no figures."""
    t = east()
    verdict = t.judge(t.route("6E", "D13 E12 E14"))
    assert not verdict.legal
    assert (verdict.revenue, verdict.subsidy, verdict.routes) == (0, 0, ())


def test_nothing_run_is_legal_and_pays_nothing() -> None:
    """1862 §10.8: R = 0 and nothing runs."""
    verdict = east().judge()
    assert verdict.legal
    assert verdict.revenue == 0


def test_a_train_put_aside_does_not_run() -> None:
    """``runnable`` false means that the train may not run, permit or not."""
    assert [fault.code for fault in idle_put_aside()] == ["TRAIN_NOT_RUNNABLE"]


def test_variants_with_one_type_of_train_need_no_permit() -> None:
    """1862 §14.2: Simple Express and Simple Freight have no permits."""
    t = east(permits=())
    route = t.route("6E", "D13 D11")
    assert t.codes(route) == ["TRAIN_NOT_RUNNABLE"]
    assert t.but(permits_needed=False).codes(route) == []


def test_a_blocked_station_may_end_a_route_and_lets_runs_meet() -> None:
    """1862 §17.32: ending at the full E12 is allowed, and two runs that end there meet."""
    t = table(
        "ECR",
        "H",
        EAST,
        "D13 F11 E12:EUR E12:ESR E12:N&S E12:Y&N",
        ["7F", "7F", "6E"],
    )
    verdict = t.judge(t.route("6E", "D13 E12"), t.route("7F", "E12 F11"))
    assert verdict.legal
    assert verdict.revenue == 30 + 80 + 60


def test_london_markers_do_not_count_as_markers_on_a_route() -> None:
    """1862 R6: a marker in London is none of the route's own stations."""
    t = table("ECR", "H", EAST, "D13 London E12:EUR", ["6E"])
    assert "TOKEN_MISSING" in t.codes(t.route("6E", "E12 E14 D15"))
    assert "TOKEN_MISSING" in t.codes(Route("6E", ("D15-4",)))


def test_every_field_of_other_games_is_refused() -> None:
    """Destination, hex bonuses, mail and insolvency do not exist in 1862."""
    t = east()
    foreign = CompanyState(
        "ECR",
        (Train("6E", "6E"),),
        destination=TokenRef("D11", 0),
        mail_contracts=2,
        hex_bonuses=(HexBonus("D11", 10),),
        insolvent=True,
    )
    paths = [fault.path for fault in t.rules.check_company(t.position.board, foreign)]
    assert paths == [
        "company.destination",
        "company.mail_contracts",
        "company.hex_bonuses",
        "company.insolvent",
    ]


def test_a_sound_company_has_no_faults() -> None:
    """Naming the printed home, warranty stars and receivership are no faults."""
    rules = Rules1862(load_game("1862"), PROFILES["18xx.games"])
    state = CompanyState(
        "ECR",
        (Train("A-0", "1F***"),),
        permits=("freight",),
        home=TokenRef("D13", 0),
        receivership=True,
    )
    tokens = (TokenPlacement("D13", 0, 0, "ECR"),)
    position = load_position(rules, BoardState("1862", "A", (), tokens), state)
    assert position.company is state


def test_a_merged_company_keeps_the_trains_of_both() -> None:
    """1862 §9.7: two companies at the limit of phases A to D, three of each type, make eighteen."""
    nine = (*["2F"] * 2, "3F", *["2/3L"] * 2, "3L", *["2/3E"] * 2, "3E")
    both = table("ECR", "D", EAST, OWN, (*nine, *nine))
    assert len(both.position.company.trains) == 18
    assert both.judge(both.route("3E", "D13 D11")).legal
