"""Markers of 1822 (§10) and the acquisition of minors and privates (§14, §16): cases of §20."""

from __future__ import annotations

import pytest

from engine.board.state import TokenPlacement
from engine.games.g1822.play.places import put_token, slots
from engine.games.g1822.play.state import City
from engine.games.g1822.play.table import Table1822
from engine.play import shares
from engine.play.actions import (
    AcquireCompany,
    Action,
    BuyShares,
    Choose,
    ChooseAbility,
    DiscardTrain,
    HexToken,
    LayTile,
    Merge,
    Pass,
    PlaceToken,
    corporation,
    player,
    private,
)
from engine.play.entities import Cell
from engine.play.game import Play
from tests.engine.games.g1822.handmade import board
from tests.engine.games.g1822.play.scene import (
    Stage,
    company,
    later_steps,
    pass_on,
    round_london,
    state_of,
    table,
)
from tests.engine.play.scene import do, refused

TO_TRACK = ("home", "first train", "acquire privates", "choose P8")
TO_MARKER = (*TO_TRACK, "track")
TO_MINOR = (*TO_MARKER, "destination", "marker", "run", "dividend", "trains")


def tokens(play: Play, hex_id: str) -> list[TokenPlacement]:
    return list(state_of(play).layout.tokens_in(hex_id))


def test_the_home_marker_of_lnwr_brings_its_destination() -> None:
    """§10.2: on its first turn, connected or not."""
    stage = Stage().company("LNWR", 100, 1, turns=0, home=False)
    play = stage.operating("LNWR")
    assert [(t.hex, t.city, t.kind) for t in state_of(play).layout.tokens] == [
        ("M38", 3, "normal"),
        ("I22", 0, "destination"),
    ]


def linked(stage: Stage) -> Play:
    """CR in Glasgow, linked with Carlisle."""
    stage.company("CR", 100, 1, trains=("3-0",))
    stage.board(board("1822", "3", "E6 E8 E10 F11 G12"))
    return later_steps(stage.operating("CR"), *TO_MARKER)


def test_a_linked_destination_takes_its_marker() -> None:
    """§10.4: it must be placed, in an extra slot where the printed one is reserved."""
    play = linked(Stage(options=("plus_expansion", "plus_expansion_no_removals")))
    assert play.step() == "destination"
    assert list(play.legal_actions()) == [HexToken(corporation("CR"), "G12")]
    refused(play, Pass(corporation("CR")), "MARKER_COMPULSORY", "1822 §10.4")
    refused(play, HexToken(corporation("CR"), "I22"), "DESTINATION_ELSEWHERE", "1822 §1.7")
    do(play, HexToken(corporation("CR"), "G12"))
    assert [(t.slot, t.kind) for t in tokens(play, "G12")] == [(1, "destination")]


def test_an_ordinary_marker_there_comes_back() -> None:
    """§10.4: it returns to the available ones; the destination marker takes its slot."""
    stage = Stage()
    put_token(stage.at, City("G12", 0), "CR", 0)
    stage.at.company_of("CR").tokens = ()
    play = do(linked(stage), HexToken(corporation("CR"), "G12"))
    assert [(t.slot, t.kind) for t in tokens(play, "G12")] == [(0, "destination")]
    assert company(play, "CR").tokens == (100,)


def test_without_a_link_the_step_is_passed() -> None:
    """§8.3: it waits for a pass."""
    play = later_steps(Stage().company("CR", 100, 1, trains=("3-0",)).operating("CR"), *TO_MARKER)
    assert list(play.legal_actions()) == [Pass(corporation("CR"))]
    refused(play, HexToken(corporation("CR"), "G12"), "NOT_CONNECTED", "1822 §10.4")


def secr(*, tokens: tuple[int, ...], lines: str = "M38 N39 O40 P41 P43") -> Play:
    stage = Stage("3").company("SECR", 100, 1, trains=("3-0",))
    stage.board(board("1822", "3", lines, tiles={"M38": "X20"}))
    secr = stage.at.company_of("SECR")
    secr.tokens, secr.destined = tokens, True
    return later_steps(stage.operating("SECR"), *TO_MARKER)


def test_without_a_marker_the_step_does_not_wait() -> None:
    """§20.43: SECR's right to the Channel needs an available marker."""
    assert secr(tokens=()).step() != "marker"


def test_secr_comes_to_the_channel_for_nothing() -> None:
    """§20.47: its available marker goes there for £0 and is the marker of the turn."""
    play = secr(tokens=(100, 100))
    assert play.step() == "marker"
    city = next(
        action.city
        for action in play.legal_actions()
        if isinstance(action, PlaceToken) and action.city.startswith("X4")
    )
    do(play, PlaceToken(corporation("SECR"), city))
    secr_now = company(play, "SECR")
    assert (secr_now.cash, secr_now.tokens, secr_now.free_channel) == (500, (100,), False)
    assert play.step() != "marker"


def test_markers_refused() -> None:
    """§10.1, §10.5: reach, slots, one in a hex, money."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).company("SWR", 90, 2)
    stage.at.company_of("MR").destined = True
    stage.board(board("1822", "3", "J29 K30 L33", "J29 I30"))
    put_token(stage.at, City("K30", 0), "SWR", 0)
    play = later_steps(stage.operating("MR"), *TO_MARKER)
    who = corporation("MR")
    name = {h: f"{t.tile}-{t.copy}-0" for h, t in state_of(play).layout.laid.items()}
    refused(play, PlaceToken(who, name["K30"]), "NO_FREE_SLOT", "1822 §10.1")
    refused(play, PlaceToken(who, name["J29"]), "MARKER_TWICE", "1822 §10.1")
    refused(play, PlaceToken(who, "H1-0-0"), "CITY_NOT_REACHED", "1822 §10.1")
    refused(play, PlaceToken(who, "G22-0-7"), "CITY_UNKNOWN", "FMT §B4.8")
    poor = stage.at.company_of("MR")
    poor.cash = 99
    free = later_steps(stage.operating("MR"), *TO_MARKER)
    assert free.step() != "marker"


def test_station_swaps() -> None:
    """§16.18: P18 moves a marker to the available ones or back, not above the first number."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",)).private("P18", of="MR")
    play = later_steps(stage.operating("MR"), *TO_TRACK)
    back = ChooseAbility(private("P18"), "available")
    refused(play, back, "NO_MARKER_TO_MOVE", "1822 §16.18")
    refused(play, ChooseAbility(private("P18"), "sell"), "CHOICE_UNKNOWN", "FMT §B5.4")
    do(play, ChooseAbility(private("P18"), "exchange"))
    assert (company(play, "MR").exchange, company(play, "MR").tokens) == (2, (100, 100))
    assert state_of(play).privates["P18"].closed
    stage.at.company_of("MR").exchange = 2
    play = do(later_steps(stage.operating("MR"), *TO_TRACK), back)
    assert (company(play, "MR").exchange, company(play, "MR").tokens) == (3, ())


def test_the_channel_private() -> None:
    """§16.5 a, b: an exchange marker into the Channel from anywhere, beside the marker of the
    turn; or one to the available ones."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).private("P5", of="MR")
    stage.at.company_of("MR").destined = True
    play = later_steps(stage.operating("MR"), *TO_MARKER)
    assert play.step() == "marker"
    refused(play, PlaceToken(private("P5"), "I22-0-0"), "CITY_NOT_ALLOWED", "1822 §16.5")
    other = do(play.copy(), ChooseAbility(private("P5"), "exchange"))
    assert company(other, "MR").tokens == (100, 100)
    do(play, PlaceToken(private("P5"), "P43-0-0"))
    assert [t.corporation for t in tokens(play, "P43")] == ["MR"]
    assert (company(play, "MR").exchange, company(play, "MR").cash) == (2, 500)
    assert state_of(play).privates["P5"].closed


def test_moving_a_card() -> None:
    """§16.17: P17 puts a card that is in no box after the boxes or at the bottom."""
    stage = Stage("3").company("MR", 100, 1, trains=("3-0",)).private("P17", of="MR")
    play = later_steps(stage.operating("MR"), *TO_TRACK)
    minors = state_of(play).minors
    boxed = ChooseAbility(private("P17"), f"{state_of(play).boxes[0]}_top")
    refused(play, boxed, "CHOICE_UNKNOWN", "1822 §16.17")
    top = do(play.copy(), ChooseAbility(private("P17"), f"{minors[3]}_top"))
    assert state_of(top).minors[0] == minors[3]
    do(play, ChooseAbility(private("P17"), f"{minors[0]}_bottom"))
    assert state_of(play).minors == (*minors[1:], minors[0])
    concessions = state_of(top).concessions
    stage.state.privates["P17"].closed = False
    again = later_steps(stage.operating("MR"), *TO_TRACK)
    do(again, ChooseAbility(private("P17"), f"{concessions[-1]}_top"))
    assert state_of(again).concessions[:4] == (*concessions[:3], concessions[-1])


@pytest.mark.parametrize(
    ("sym", "phase", "company_sym", "code"),
    [
        ("P1", "4", "MR", "PHASE_TOO_EARLY"),
        ("P1", "5", "10", "PRIVATE_NOT_FOR_KIND"),
        ("P16", "5", "MR", "PRIVATE_NOT_FOR_KIND"),
        ("P6", "3", "10", "PRIVATE_NOT_FOR_KIND"),
        ("P9", "2", "MR", "PHASE_TOO_EARLY"),
        ("P2", "3", "MR", "PRIVATE_NOT_HELD"),
    ],
)
def test_privates_that_cannot_be_acquired(
    sym: str, phase: str, company_sym: str, code: str
) -> None:
    """§16.0: by kind of company and phase, from players only."""
    stage = Stage(phase).company(company_sym, 100, 1, trains=("L-0",)).private("P17", 1)
    if code != "PRIVATE_NOT_HELD":
        stage.private(sym, 2)
    stage.private("P15", 1)
    play = stage.operating(company_sym)
    assert play.step() == "acquire privates"
    refused(play, AcquireCompany(corporation(company_sym), sym), code, "1822 §16.0")


def test_what_privates_bring() -> None:
    """§16.1, §16.3, §16.15: trains, stored money, and what stays with the company."""
    stage = (
        Stage("5").company("MR", 100, 1, trains=("5-0", "5-1"), cash=0).private("P15", 1, store=270)
    )
    for sym in ("P1", "P3", "P13", "P6"):
        stage.private(sym, 1)
    play = stage.operating("MR")
    for sym in ("P15", "P3", "P13", "P6"):
        do(play, AcquireCompany(corporation("MR"), sym))
    assert company(play, "MR").cash == 270
    assert company(play, "MR").trains == ("5-0", "5-1", "2P-0", "P+-0")
    assert table(play).card("P6").company == "MR"
    do(play, AcquireCompany(corporation("MR"), "P1"))
    assert (play.step(), play.actor()) == ("discard", corporation("MR"))
    refused(play, DiscardTrain(corporation("MR"), "2P-0"), "TRAIN_NOT_SURPLUS", "1822 §2.8")
    do(play, DiscardTrain(corporation("MR"), "5P-0"))
    assert state_of(play).phase == "5"


def test_income() -> None:
    """§8.1, §16: holders, companies, stores; P9 by phase; nothing for P6 once acquired."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",), cash=0).company("SWR", 90, 2, cash=0)
    stage.private("P15", 1).private("P3", 2).private("P10", 3)
    stage.private("P9", of="MR").private("P6", of="MR").private("P2", of="SWR")
    play = stage.stock()
    for _ in range(3):
        pass_on(play)
    state = state_of(play)
    assert [state.players[n].cash for n in (1, 2, 3)] == [750, 700, 710]
    assert table(play).card("P15").store == 50
    assert (company(play, "MR").cash, company(play, "SWR").cash) == (40, 10)


def merging(stage: Stage, sym: str) -> Play:
    """Return the game at the step in which a major acquires."""
    return later_steps(stage.operating(sym), *TO_MINOR)


def near(stage: Stage, phase_board: str = "J29 I30") -> Stage:
    return stage.board(board("1822", "3", phase_board))


def test_ways_to_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """§14.5: two shares and £40, two shares and £50 back, £220 in cash."""
    for minor, price, way, owner, treasury in (
        (90, 70, "two_shares", +40, -40),
        (50, 75, "two_shares", -50, +50),
        (110, 100, "money", +220, -220),
        (60, 100, "one_share", +20, -20),
    ):
        monkeypatch.undo()
        stage = near(Stage()).company("MR", 100, 1, trains=("3-0",))
        stage.company("10", 100, 2, trains=("3-1",), cash=7)
        play = merging(stage, "MR")
        pretended = {"MR": price, "10": minor}
        monkeypatch.setattr(Table1822, "price", lambda at, sym, p=pretended: p[sym])
        do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), way))
        do(play, Choose(corporation("MR"), "exchange"))
        assert state_of(play).players[2].cash == 700 + owner
        assert company(play, "MR").cash == 500 + treasury + 7
        assert company(play, "MR").trains == ("3-0", "3-1")
        count = {"two_shares": 2, "one_share": 1, "money": 0}[way]
        given = shares.held(state_of(play), 2, "MR")
        assert given == ("MR_1", "MR_2")[:count]
        assert company(play, "10").removed
        assert "10_0" not in state_of(play).holdings[2]


def test_acquisitions_refused() -> None:
    """§14.1 to §14.5: turns, connection, boxes from phase 5, money, the owner's limit."""
    stage = near(Stage()).company("MR", 100, 1, trains=("3-0",), cash=0, held={1: 8})
    stage.company("10", 100, 2, trains=("3-1",)).company("8", 50, 2, turns=1)
    stage.company("1", 50, 2, cash=0)
    play = merging(stage, "MR")
    assert play.step() != "acquire minor"
    stage.at.company_of("MR").cash = 150
    play = merging(stage, "MR")
    who = corporation("MR")
    refused(play, Merge(who, "10"), "MINOR_NOT_PAYABLE", "1822 §14.5")
    refused(play, Merge(who, "8"), "MINOR_TOO_YOUNG", "1822 §14.2")
    refused(play, Merge(who, "1"), "NOT_CONNECTED", "1822 §14.3")
    refused(play, Merge(who, "GWR"), "MINOR_UNKNOWN", "1822 §14.2")
    boxed = state_of(play).boxes[0][1:]
    refused(play, Merge(who, boxed), "PHASE_TOO_EARLY", "1822 §14.2")


def test_a_minor_of_two_turns() -> None:
    """§20.20: floated in the last stock round, acquirable in the second round of the set."""
    for turns, waits in ((1, False), (2, True)):
        stage = near(Stage()).company("MR", 100, 1, trains=("3-0",))
        stage.company("10", 100, 2, trains=("3-1",), turns=turns)
        assert (merging(stage, "MR").step() == "acquire minor") == waits


def test_shares_for_a_minor_may_exceed_the_cap() -> None:
    """§20.21: two shares bring the owner to 70 %; the next purchase is refused (§5.8)."""
    stage = near(Stage()).company("MR", 100, 1, held={1: 3}, trains=("3-0",))
    stage.company("10", 100, 1, trains=("3-1",))
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), "two_shares"))
    do(play, Choose(corporation("MR"), "exchange"))
    assert shares.units(state_of(play), 1, "MR") == 7
    refused(
        Stage.of(play).stock(), BuyShares(player(1), ("MR_6",), 10), "OWNERSHIP_LIMIT", "1822 §5.6"
    )


@pytest.mark.parametrize(("profile", "director"), [("18xx.games", 1), ("rulebook", 2)])
def test_directorship_after_shares_for_a_minor(profile: str, director: int) -> None:
    """D9: on the site the next transfer looks again, by the rulebook at once (§14.5)."""
    stage = near(Stage(profile=profile)).company("MR", 100, 1, held={2: 2}, trains=("3-0",))
    stage.company("10", 100, 2, trains=("3-1",))
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), "two_shares"))
    do(play, Choose(corporation("MR"), "exchange"))
    assert company(play, "MR").director == director


def test_replacing_where_the_major_has_a_marker() -> None:
    """§20.22: one exchange marker becomes available and the slot opens."""
    stage = near(Stage()).company("MR", 100, 1, trains=("3-0",))
    stage.company("10", 100, 2, trains=("3-1",))
    put_token(stage.at, City("I30", 0), "MR", 1)
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), "money"))
    refused(play, Choose(corporation("MR"), "remove"), "CHOICE_UNKNOWN", "1822 §14.5")
    do(play, Choose(corporation("MR"), "replace"))
    assert company(play, "MR").tokens == (100, 100)
    assert [(t.corporation, t.slot) for t in tokens(play, "I30")] == [("MR", 1)]


def test_replacing_takes_the_place() -> None:
    """§14.6: an exchange marker stands where the minor's stood."""
    stage = near(Stage()).company("MR", 100, 1, trains=("3-0",))
    stage.company("10", 100, 2, trains=("3-1",))
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), "money"))
    do(play, Choose(corporation("MR"), "replace"))
    assert [(t.corporation, t.slot) for t in tokens(play, "I30")] == [("MR", 0)]
    assert (company(play, "MR").exchange, company(play, "MR").tokens) == (2, (100,))


def test_the_slot_of_minor_14_stays_open() -> None:
    """§20.23: acquired with exchange, its London slot stays open after an upgrade."""
    stage = Stage().company("GWR", 100, 1, trains=("3-0",)).company("14", 60, 2, home=False)
    city = City("M38", 1)
    stage.state.wider = frozenset({city})
    put_token(stage.at, city, "14", 1)
    stage.at.company_of("14").home = city
    play = merging(stage, "GWR")
    do(play, Merge(corporation("GWR"), "14"), Choose(corporation("GWR"), "money"))
    do(play, Choose(corporation("GWR"), "exchange"))
    assert [t.corporation for t in tokens(play, "M38")] == ["GWR"]
    track = later_steps(Stage.of(play).operating("GWR"), *TO_TRACK)
    do(track, LayTile(corporation("GWR"), "M38", "X20-0", 0))
    assert slots(table(track), city) == 2


def test_a_minor_out_of_a_box() -> None:
    """§14.5, §14.6: £200 to the bank; the marker comes into the reserved slot; the box is
    filled again."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0",))
    stage.board(board("1822", "5", "J29 I30"))
    stage.state.minors = tuple(m for m in stage.state.minors if m != "M10")
    stage.state.boxes = ("M10", *(b for b in stage.state.boxes if b != "M10"))[:4]
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"))
    refused(play, Choose(corporation("MR"), "one_share"), "CHOICE_UNKNOWN", "1822 §14.5")
    do(play, Choose(corporation("MR"), "money"), Choose(corporation("MR"), "replace"))
    assert company(play, "MR").cash == 300
    assert [(t.corporation, t.slot) for t in tokens(play, "I30")] == [("MR", 0)]
    assert len(state_of(play).boxes) == 4
    assert "M10" not in state_of(play).boxes
    assert company(play, "10").removed


def test_minor_14_out_of_a_box() -> None:
    """§14.6: with replace the major names a London city that it reaches, and pays £20 more; where
    it reaches no further city there is nothing to replace."""
    stage = Stage("5").company("GWR", 100, 1, trains=("5-0",), cash=220)
    stage.state.minors = tuple(m for m in stage.state.minors if m != "M14")
    stage.state.boxes = ("M14", *(b for b in stage.state.boxes if b != "M14"))[:4]
    who = corporation("GWR")
    apart = do(merging(stage, "GWR"), Merge(who, "14"), Choose(who, "money"))
    refused(apart, Choose(who, "replace"), "NOT_CONNECTED", "1822 §14.6")
    play = merging(round_london(stage), "GWR")
    do(play, Merge(who, "14"), Choose(who, "money"), Choose(who, "replace"))
    refused(play, PlaceToken(who, "I22-0-0"), "CITY_NOT_ALLOWED", "1822 §14.6")
    refused(play, PlaceToken(who, "M38-0-1"), "MARKER_TWICE", "1822 §10.1")
    refused(play, PlaceToken(who, "M38-0-4"), "NOT_CONNECTED", "1822 §14.6")
    do(play, PlaceToken(who, "M38-0-3"))
    assert company(play, "GWR").cash == 0
    assert [(t.city, t.slot) for t in tokens(play, "M38")] == [(1, 0), (3, 1)]
    stage.at.company_of("GWR").cash = 219
    poor = do(merging(stage, "GWR"), Merge(who, "14"), Choose(who, "money"))
    refused(poor, Choose(who, "replace"), "CHOICE_UNKNOWN", "1822 §14.5")


def test_two_permanent_trains_come_together() -> None:
    """§20.40: a major with LP acquires a minor with 2P: one is discarded and leaves the game."""
    stage = near(Stage(options=("plus_expansion", "plus_expansion_no_removals")))
    stage.company("MR", 100, 1, trains=("3-0", "LP-0")).company("10", 100, 2, trains=("2P-0",))
    play = merging(stage, "MR")
    do(play, Merge(corporation("MR"), "10"), Choose(corporation("MR"), "money"))
    do(play, Choose(corporation("MR"), "exchange"))
    assert play.step() == "discard"
    offers: list[Action] = list(play.legal_actions())
    assert offers == [DiscardTrain(corporation("MR"), train) for train in ("LP-0", "2P-0")]
    do(play, offers[0])
    assert state_of(play).discarded == ()
    assert company(play, "MR").trains == ("3-0", "2P-0")


def test_yellow_shares_pass_the_owners_limit() -> None:
    """§14.5 c: two shares need room for a certificate, unless the major is in the yellow zone."""
    for cell, ways in (
        (Cell(4, 4), {"money", "one_share"}),
        (Cell(6, 0), {"money", "one_share", "two_shares"}),
    ):
        stage = near(Stage(players=7)).company("MR", 100, 1, trains=("3-0",), cell=cell)
        stage.company("10", 100, 2, trains=("3-1",))
        for number, sym in enumerate(("1", "2", "3", "4", "5", "6", "7", "8", "9", "11")):
            stage.company(sym, 50, 2, cash=number, home=False)
        play = do(merging(stage, "MR"), Merge(corporation("MR"), "10"))
        assert {a.choice for a in play.legal_actions() if isinstance(a, Choose)} == ways
