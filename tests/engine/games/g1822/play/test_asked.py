"""What is asked and what is passed over without an action: 1822 §8.3, row by row.

A replay rests on it: one question too many or too few and the record does not fit.
"""

from __future__ import annotations

import pytest

from engine.games.g1822.play.places import put_token
from engine.games.g1822.play.state import City, OperatingData, State1822
from engine.play.actions import AcquireCompany, Choose, Pass, RunRoutes, corporation
from tests.engine.games.g1822.handmade import board
from tests.engine.games.g1822.play.scene import Stage, later_steps, steps_before, table
from tests.engine.play.scene import changed, do

MR, SECR = corporation("MR"), corporation("SECR")
PLUS = ("plus_expansion", "plus_expansion_no_removals")


def asks(stage: Stage, sym: str, step: str, *lays: str) -> bool:
    """Tell whether a company is asked at a step when it comes there."""

    def laid(state: State1822) -> None:
        state.round_as(OperatingData).lays = lays

    play = changed(stage.operating(sym), laid)
    play = later_steps(play, *steps_before(step))
    return (play.step(), play.actor()) == (step, corporation(sym))


def major(phase: str = "3", *lines: str, sym: str = "MR", **fields: object) -> Stage:
    """A major with a 3, and track along lines; what can be said of a company may be said."""
    settings = {"trains": ("3-0",)} | fields
    stage = Stage(phase, options=PLUS).company(sym, 100, 1, **settings)  # type: ignore[arg-type]
    stage.at.company_of(sym).destined = True
    return stage.board(board("1822", phase, *lines)) if lines else stage


def test_minor_14_alone_is_asked_for_its_home() -> None:
    """Row 1: the choice of its London city, on its first turn only."""
    assert asks(Stage("1").company("14", 50, 1, turns=0, home=False), "14", "home")
    assert not asks(Stage("1").company("15", 50, 1, turns=0, home=False), "15", "home")
    assert not asks(Stage("1").company("LNWR", 100, 1, turns=0, home=False), "LNWR", "home")


@pytest.mark.parametrize(
    ("phase", "sym", "turns", "cash", "asked"),
    [
        ("1", "10", 0, 60, True),
        ("2", "10", 0, 60, True),
        ("1", "10", 0, 59, False),
        ("1", "10", 1, 60, False),
        ("3", "10", 0, 600, False),
        ("2", "MR", 0, 600, False),
    ],
)
def test_a_first_l(phase: str, sym: str, turns: int, cash: int, asked: bool) -> None:
    """Row 2: a minor's first turn, an L next in the depot, and the money for it."""
    stage = Stage(phase).company(sym, 50 if sym == "10" else 100, 1, turns=turns, cash=cash)
    assert asks(stage, sym, "first train") == asked


@pytest.mark.parametrize(
    ("private", "phase", "sym", "asked"),
    [
        ("P2", "2", "10", True),
        ("P2", "1", "10", False),
        ("P3", "2", "10", False),
        ("P3", "2", "MR", True),
        ("P12", "2", "MR", False),
        ("P12", "3", "10", True),
        ("P13", "4", "MR", False),
        ("P13", "5", "MR", True),
        ("P19", "1", "10", True),
        ("P16", "7", "MR", False),
        ("C2", "4", "MR", False),
    ],
)
def test_privates_of_any_player(private: str, phase: str, sym: str, asked: bool) -> None:
    """Row 3: any private of any player that this kind of company may have in this phase."""
    stage = Stage(phase, options=PLUS).company(sym, 100, 1).private(private, 2)
    assert asks(stage, sym, "acquire privates") == asked


def test_acquisitions_end_by_themselves_and_then_p8_asks() -> None:
    """Rows 3 and 4: the step is over when nothing is left; the choice of P8 comes after it."""
    play = major().private("P8", 1).private("P9", 2).operating("MR")
    do(play, AcquireCompany(MR, "P8"))
    assert play.step() == "acquire privates"
    assert not any(isinstance(action, Choose) for action in play.legal_actions())
    passed = do(play.copy(), Pass(MR))
    assert passed.step() == "choose P8"
    assert do(passed, Choose(MR, "token")).step() == "track"
    assert do(play, AcquireCompany(MR, "P9")).step() == "choose P8"


@pytest.mark.parametrize(
    ("phase", "sym", "lays", "asked"),
    [
        ("3", "MR", ("yellow",), True),
        ("3", "MR", ("yellow", "yellow"), False),
        ("3", "MR", ("upgrade",), False),
        ("2", "MR", ("yellow",), False),
        ("7", "10", ("yellow",), False),
    ],
)
def test_another_lay(phase: str, sym: str, lays: tuple[str, ...], asked: bool) -> None:
    """Row 5: while a normal lay remains, whatever the map and the treasury allow (§9.1)."""
    stage = Stage(phase).company(sym, 100, 1, cash=0)
    assert asks(stage, sym, "track")
    assert asks(stage, sym, "track", *lays) == asked


@pytest.mark.parametrize(
    ("private", "side", "asked"),
    [
        ("P2", "", True),
        ("P8", "token", True),
        ("P8", "discount", False),
        ("P10", "", True),
        ("P11", "", True),
        ("P12", "", True),
        ("P5", "", False),
        ("P17", "", False),
        ("P18", "", False),
        ("P21", "", False),
    ],
)
def test_privates_that_keep_the_track_open(private: str, side: str, asked: bool) -> None:
    """Row 5: P2, P8 with its free lay, P10, P11 and P12, also when the normal lays are over;
    P12 even on the first turn of minor 14, which lays nothing else (§9.1)."""
    stage = major().private(private, of="MR", choice=side)
    assert asks(stage, "MR", "track", "upgrade") == asked
    first = Stage(options=PLUS).company("14", 50, 1, turns=0, home=False)
    put_token(first.at, City("M38", 0), "14", 1)
    first.at.company_of("14").home = City("M38", 0)
    assert not asks(first, "14", "track")
    assert asks(first.private(private, of="14", choice=side), "14", "track") == asked


def test_every_major_without_its_destination() -> None:
    """Row 6: linked or not; not once it is placed, and no minor."""
    stage = major()
    assert not asks(stage, "MR", "destination")
    stage.at.company_of("MR").destined = False
    assert asks(stage, "MR", "destination")
    assert not asks(Stage().company("10", 100, 1), "10", "destination")


def test_a_marker_that_can_be_placed_and_paid() -> None:
    """Row 7: a reached city with an open slot that nobody has reserved, and £100."""
    assert asks(major("3", "J29 K30", cash=100), "MR", "marker")
    assert not asks(major("3", "J29 K30", cash=99), "MR", "marker")
    assert not asks(major("3"), "MR", "marker")
    full = major("3", "J29 K30")
    put_token(full.at, City("K30", 0), "GWR", 0)
    assert not asks(full, "MR", "marker")
    without = major("3", "J29 K30")
    without.at.company_of("MR").tokens = ()
    assert not asks(without, "MR", "marker")
    reserved = major("3", "L19 K20", sym="NER")
    assert asks(reserved, "NER", "marker")
    assert not asks(major("3", "J29 K24"), "MR", "marker")
    assert not asks(
        Stage().company("10", 100, 1).board(board("1822", "3", "I30 J29")), "10", "marker"
    )


def test_london_is_one_hex_for_the_question() -> None:
    """Row 7: of two companies that reach an open city there, the one that stands in another
    city of London is not asked."""
    lies = board("1822", "3", "M38 L37 K38 L39 M38", tiles={"M38": "X20", "K38": "green"})
    for sym, asked in (("MR", True), ("GWR", False)):
        stage = Stage().board(lies)
        for slot, other in enumerate(("MR", "GWR")):
            stage.company(other, 100, 1)
            stage.at.company_of(other).destined = True
            put_token(stage.at, City("K38", 0), other, slot)
        stage.at.company_of("16").removed = True
        reached = table(stage.operating(sym)).network(sym).stops
        open_city = table(stage.operating(sym)).board().city_at("M38", 2)
        assert open_city is not None
        assert open_city.id in reached
        assert asks(stage, sym, "marker") == asked


@pytest.mark.parametrize(
    ("private", "available", "exchange", "asked"),
    [
        ("", 1, 3, False),
        ("P5", 1, 0, True),
        ("P5", 0, 1, True),
        ("P5", 0, 0, False),
        ("P18", 1, 0, False),
        ("P18", 0, 1, True),
    ],
)
def test_rights_to_a_marker(private: str, available: int, exchange: int, asked: bool) -> None:
    """Row 7: an available marker and P5, or an exchange marker and P5 or P18, reachable or
    not, whatever the treasury holds."""
    stage = major(cash=0)
    stage.at.company_of("MR").tokens = (100,) * available
    stage.at.company_of("MR").exchange = exchange
    if private:
        stage.private(private, of="MR")
    assert asks(stage, "MR", "marker") == asked


def test_the_right_of_secr() -> None:
    """Row 7: it asks from afar and without money, until it is used, if there is a marker."""
    stage = major(sym="SECR", cash=0)
    assert asks(stage, "SECR", "marker")
    stage.at.company_of("SECR").free_channel = False
    assert not asks(stage, "SECR", "marker")
    stage.at.company_of("SECR").free_channel = True
    stage.at.company_of("SECR").tokens = ()
    assert not asks(stage, "SECR", "marker")


def test_the_right_of_secr_is_used_up_by_a_marker_in_the_channel() -> None:
    """Row 7: after P5 put a marker into P43 the free one is not asked for."""
    stage = major(sym="SECR", cash=0)
    assert asks(stage, "SECR", "marker")
    put_token(stage.at, City("P43", 0), "SECR", 0)
    assert stage.at.company_of("SECR").free_channel
    assert not asks(stage, "SECR", "marker")


def test_trains_that_can_run() -> None:
    """Row 8: an L or LP in its own city, any other train over a connection of two stations."""
    assert not asks(major(), "MR", "run")
    assert asks(major("3", "J29 K30"), "MR", "run")
    assert asks(major(trains=("LP-0",)), "MR", "run")
    assert not asks(major("3", "J29 K30", trains=("P+-0",)), "MR", "run")
    assert not asks(major("3", "J29 K30", trains=()), "MR", "run")
    lines = board("1822", "7", "I30 J29")
    for side, asked in (("E", False), ("7", True)):
        minor = Stage("7").company("10", 100, 1, trains=("7-5",)).board(lines)
        minor.state.turned["7-5"] = side
        assert asks(minor, "10", "run") == asked


def test_two_own_markers_are_a_connection() -> None:
    """Row 8: the trails of one marker end at the other, and that are two stations."""
    stage = major("3", "J29 K30")
    put_token(stage.at, City("K30", 0), "MR", 0)
    assert asks(stage, "MR", "run")


def test_a_run_without_routes_pays_nothing() -> None:
    """Row 9: nothing earned, no question; the price falls (§12.4)."""
    play = later_steps(major("3", "J29 K30").operating("MR"), *steps_before("run"))
    before = table(play).price("MR")
    do(play, RunRoutes(MR))
    assert play.step() not in ("run", "dividend")
    assert table(play).price("MR") < before


@pytest.mark.parametrize(
    ("trains", "cash", "others", "asked"),
    [
        (("3-0",), 299, (), False),
        (("3-0",), 300, (), True),
        (("3-0",), 1, ("4-5",), True),
        (("3-0",), 0, ("4-5",), False),
        (("3-0",), 299, ("2P-0",), False),
        (("3-0", "3-1", "3-2"), 900, ("4-5",), False),
        ((), 0, (), True),
        (("2P-1",), 0, (), True),
    ],
)
def test_trains_to_be_had(
    trains: tuple[str, ...], cash: int, others: tuple[str, ...], asked: bool
) -> None:
    """Row 10: the duty to own an ordinary train; or room, and the lowest price on offer, for
    which an ordinary train of another company counts as £1."""
    stage = major("4", trains=trains, cash=cash).company("10", 100, 2, trains=others)
    assert asks(stage, "MR", "trains") == asked


def test_an_upgrade_needs_no_room() -> None:
    """Row 10: £80 and an L, in phases 1 and 2."""
    for cash, asked in ((79, False), (80, True)):
        stage = Stage("2").company("10", 100, 1, trains=("L-0", "L-1"), cash=cash)
        assert asks(stage, "10", "trains") == asked


@pytest.mark.parametrize(
    ("turns", "minor_turns", "cash", "asked"),
    [(0, 3, 500, False), (1, 1, 500, False), (1, 2, 100, True), (1, 2, 99, False)],
)
def test_minors_that_can_be_paid(turns: int, minor_turns: int, cash: int, asked: bool) -> None:
    """Row 11: a second turn, a minor of two turns, and a way to pay, connected or not."""
    stage = major(turns=turns, cash=cash, held={1: 8}).company("1", 50, 2, turns=minor_turns)
    assert asks(stage, "MR", "acquire minor") == asked


def test_minors_in_boxes() -> None:
    """Row 11: from phase 5, with £200."""
    for phase, cash, asked in (("4", 200, False), ("5", 199, False), ("5", 200, True)):
        stage = major(phase, cash=cash, held={1: 8})
        assert asks(stage, "MR", "acquire minor") == asked


def test_minors_neither_acquire_nor_issue() -> None:
    """Rows 11 and 12: majors only."""
    stage = Stage("5").company("10", 100, 1, trains=("5-0",)).company("1", 50, 2)
    assert not asks(stage, "10", "acquire minor")
    assert not asks(stage, "10", "shares")


@pytest.mark.parametrize(
    ("turns", "held", "market", "cash", "private", "asked"),
    [
        (1, 7, 0, 0, "", True),
        (0, 7, 0, 0, "", False),
        (0, 7, 1, 100, "", True),
        (0, 7, 1, 99, "", False),
        (1, 3, 5, 99, "", False),
        (1, 3, 5, 100, "", True),
        (1, 8, 0, 500, "", False),
        (1, 8, 0, 500, "P17", True),
    ],
)
def test_shares_to_issue_or_redeem(
    turns: int, held: int, market: int, cash: int, private: str, asked: bool
) -> None:
    """Row 12: from the second turn treasury shares for which the market has room; market shares
    that can be paid, on any turn; or P17."""
    stage = major(turns=turns, cash=cash, held={1: held}, market=market)
    if private:
        stage.private(private, of="MR")
    assert asks(stage, "MR", "shares") == asked
