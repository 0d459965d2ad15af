"""Privates of 1822 used together and one after the other (§16.10 to §16.21), and what a major
takes over with a minor (§14.6)."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.games.g1822.play.costs import lay_cost
from engine.games.g1822.play.places import put_token
from engine.games.g1822.play.powers import LAYERS, ORDINARY, fit_together
from engine.games.g1822.play.state import City
from engine.play.actions import (
    Choose,
    LayTile,
    Merge,
    Pass,
    PlaceToken,
    corporation,
    private,
)
from engine.play.game import Play
from tests.engine.games.g1822.handmade import board
from tests.engine.games.g1822.play.scene import (
    Stage,
    company,
    later_steps,
    round_london,
    state_of,
    table,
)
from tests.engine.play.scene import do, refused

PLUS = ("plus_expansion", "plus_expansion_no_removals")
MR, GWR = corporation("MR"), corporation("GWR")
TO_MINOR = (
    *("home", "first train", "acquire privates", "choose P8", "track"),
    *("destination", "marker", "run", "dividend", "trains"),
)
PAIRS = {
    frozenset(pair.split())
    for pair in ("P2 P8", "P2 P10", "P2 P11", "P2 P12", "P8 P12", "P10 P11", "P10 P12", "P11 P12")
}
"""What §16.14 lets work together."""


def test_the_pairs_that_work_together() -> None:
    """§16.14: these and no others; more than two if every two of them may."""
    at = Stage(options=PLUS).at
    found = {frozenset(pair) for pair in combinations(LAYERS, 2) if fit_together(at, pair)}
    assert found == PAIRS
    assert fit_together(at, ("P12", "P2", "P8"))
    assert fit_together(at, ("P2", "P10", "P11"))
    assert not fit_together(at, ("P2", "P8", "P10"))


def around_hull(*privates: str) -> Play:
    """MR with a marker in N23 and the privates, about to lay."""
    stage = Stage("3", options=PLUS).company("MR", 100, 1, trains=("3-0",))
    put_token(stage.at, City("N23", 0), "MR", 0)
    for sym in privates:
        stage.private(sym, of="MR")
    return stage.operating("MR")


BRIDGE_23 = LayTile(private("P21"), "N23", "57-0", 0)
BRIDGE_21 = LayTile(private("P21"), "N21", "57-1", 0)


def test_the_bridge_comes_first_and_is_all() -> None:
    """§16.21: no tile has been laid in the turn, by P12 neither; it takes the place of the
    normal lays, but P12 may follow, as a lay beyond them."""
    for earlier in (LayTile(MR, "J29", "57-0", 0), LayTile(private("P12"), "J29", "57-0", 0)):
        play = do(around_hull("P21", "P12"), earlier)
        if earlier.entity == private("P12"):
            refused(play, BRIDGE_23, "LAYS_INTERRUPTED", "1822 §16.12")
            do(play, Pass(private("P12")))
        refused(play, BRIDGE_23, "TILE_LAYS_USED", "1822 §16.21")
    play = do(around_hull("P21", "P12"), BRIDGE_23, BRIDGE_21)
    assert table(play).card("P21").closed
    refused(play, LayTile(MR, "J29", "57-2", 0), "TILE_LAYS_USED", "1822 §9.1")
    do(play, LayTile(private("P12"), "J29", "57-2", 0), Pass(private("P12")))
    assert play.step() != "track"


def test_the_bridge_upgrades_once() -> None:
    """§16.21: at most one of its two lays is an upgrade, whichever comes first."""
    stage = Stage("3", options=PLUS).company("MR", 100, 1, trains=("3-0",)).private("P21", of="MR")
    put_token(stage.at, City("N23", 0), "MR", 0)
    stage.tile("N23", "57", 0)
    upgrade = LayTile(private("P21"), "N23", "15-0", 0)
    yellow = LayTile(private("P21"), "N21", "57-1", 0)
    for first, second in ((upgrade, yellow), (yellow, upgrade)):
        assert table(do(stage.operating("MR"), first, second)).card("P21").closed
    stage.tile("N21", "57", 0)
    play = do(stage.operating("MR"), upgrade)
    other = LayTile(private("P21"), "N21", "15-1", 0)
    refused(play, other, "TILE_LAYS_USED", "1822 §16.21")
    refused(play, LayTile(private("P21"), "N23", "X19-0", 0), "HEX_TWICE", "1822 §16.21")
    do(play, Pass(private("P21")))
    assert play.step() != "track"


def test_the_channel_lay_needs_a_full_city_and_an_exchange_marker() -> None:
    """§16.5 c: not while a slot is open, not without an exchange marker, not a second marker."""
    lay = LayTile(private("P5"), "P43", "X9-0", 0)
    for inside, exchange, code in (
        ("", 3, "SLOT_OPEN"),
        ("GWR", 0, "NO_EXCHANGE_MARKER"),
        ("MR", 3, "NO_EXCHANGE_MARKER"),
    ):
        stage = Stage("5").company("MR", 100, 1, trains=("5-0",)).tile("P43", "X4")
        stage.private("P5", of="MR").at.company_of("MR").exchange = exchange
        if inside:
            put_token(stage.at, City("P43", 0), inside, 0)
        play = stage.operating("MR")
        refused(play, lay, code, "1822 §16.5")
        assert lay not in play.legal_actions()


def test_a_minor_looks_ahead_to_green_only() -> None:
    """§16.11: from the newest colour, for a minor from yellow; so never from phase 3 on."""
    for phase, tile, ahead in (("2", "9", True), ("3", "9", False), ("3", "80", False)):
        stage = Stage(phase).company("10", 60, 1, trains=("LP-0",)).private("P11", of="10")
        stage.tile("H29", tile, 2)
        lays = [a for a in stage.operating("10").legal_actions() if isinstance(a, LayTile)]
        assert any(a.entity == private("P11") for a in lays) == ahead


def test_several_markers_in_london() -> None:
    """§10.6: one in each of its cities; in one of them no second one."""
    lies = board("1822", "3", "M38 L37 K38 L39 M38", tiles={"M38": "X20", "K38": "green"})
    stage = Stage().board(lies).company("GWR", 100, 1).private("P18", of="GWR")
    put_token(stage.at, City("K38", 0), "GWR", 0)
    stage.at.company_of("GWR").destined = True
    stage.at.company_of("16").removed = True
    play = later_steps(stage.operating("GWR"), *TO_MINOR[:6])
    assert play.step() == "marker"
    refused(play, PlaceToken(GWR, "X20-0-1"), "MARKER_TWICE", "1822 §10.1")
    do(play, PlaceToken(GWR, "X20-0-2"))
    there = {(t.corporation, t.city) for t in state_of(play).layout.tokens_in("M38")}
    assert there == {("GWR", 1), ("GWR", 2)}


def test_a_crossing_is_paid_once_from_either_side() -> None:
    """§9.8: after both hexes have paid, later tiles cross for nothing; also where P21 laid."""
    for lays in ((LayTile(MR, "N23", "57-0", 0), LayTile(MR, "N21", "57-1", 0)), (BRIDGE_23,)):
        play = do(around_hull("P21"), *lays)
        if len(lays) == 1:
            do(play, BRIDGE_21)
        for hex_id in ("N21", "N23"):
            assert lay_cost(table(play), hex_id, frozenset({0, 1, 3}), ORDINARY) == 0


def test_a_crossing_at_a_discount_beside_the_extra_lays() -> None:
    """§16.10, §16.12, §16.14: P12 with P10 lays beyond the normal lays, £40 and £10 cheaper."""
    play = do(around_hull("P10", "P12"), LayTile(MR, "J29", "57-0", 0))
    do(play, LayTile(private("P12"), "N23", "57-1", 0, ("P10",)))
    assert (company(play, "MR").cash, table(play).card("P10").uses) == (490, 1)
    do(play, LayTile(private("P10"), "N21", "57-2", 0, ("P12",)))
    assert company(play, "MR").cash == 480
    assert table(play).card("P10").closed
    assert table(play).card("P12").closed
    assert play.step() != "track"


def test_a_town_goes_one_colour_ahead() -> None:
    """§16.2, §16.11, §16.14: P2 with P11 lays green plain track over a yellow town in phase 2;
    neither does it alone. Both are used up."""
    stage = Stage("2").company("MR", 100, 1, trains=("L-0",)).tile("J29", "57", 0)
    stage.tile("J31", "58", 3)
    for sym in ("P2", "P11"):
        stage.private(sym, of="MR")
    play = stage.operating("MR")
    there = [a for a in play.legal_actions() if isinstance(a, LayTile) and a.hex == "J31"]
    both = [action for action in there if action.combo_entities]
    assert {action.tile.partition("-")[0] for action in both} <= {"80", "81", "82", "83"}
    assert {action.entity.id for action in there if not action.combo_entities} <= {"P11"}
    do(play, both[0])
    assert table(play).card("P2").closed
    assert table(play).card("P11").closed


def merging(stage: Stage, sym: str) -> Play:
    return later_steps(stage.operating(sym), *TO_MINOR)


@pytest.mark.parametrize(
    ("choice", "exchange", "available", "marker"),
    [("replace", 2, 1, "MR"), ("exchange", 2, 2, None)],
)
def test_what_a_major_takes_over(
    choice: str, exchange: int, available: int, marker: str | None
) -> None:
    """§14.6, §10.7: cash, trains and privates of that minor, and one exchange marker moves."""
    stage = Stage().board(board("1822", "3", "J29 I30"))
    stage.company("MR", 100, 1, trains=("3-0",), cash=300).company("10", 100, 2, cash=70)
    stage.company("12", 50, 3).private("P2", of="10").private("P12", of="12").private("P9", 2)
    play = do(merging(stage, "MR"), Merge(MR, "10"), Choose(MR, "money"), Choose(MR, choice))
    at, major = table(play), company(play, "MR")
    assert (at.card("P2").company, at.card("P12").company, at.card("P9").owner) == ("MR", "12", 2)
    assert (major.cash, state_of(play).players[2].cash) == (300 - 200 + 70, 900)
    assert (major.exchange, len(major.tokens)) == (exchange, available)
    there = [token.corporation for token in state_of(play).layout.tokens_in("I30")]
    assert there == ([marker] if marker else [])


@pytest.mark.parametrize(
    ("choice", "exchange", "available"), [("replace", 2, 1), ("exchange", 2, 2), ("remove", 0, 1)]
)
def test_the_marker_for_a_minor_out_of_a_box(choice: str, exchange: int, available: int) -> None:
    """§14.6: one exchange marker comes into the reserved slot or to the available ones; without
    any the minor only goes."""
    stage = Stage("5").board(board("1822", "5", "J29 I30"))
    stage.company("MR", 100, 1, trains=("5-0",))
    stage.at.company_of("MR").exchange = 0 if choice == "remove" else 3
    stage.state.minors = tuple(m for m in stage.state.minors if m != "M10")
    stage.state.boxes = ("M10", *(b for b in stage.state.boxes if b != "M10"))[:4]
    play = do(merging(stage, "MR"), Merge(MR, "10"), Choose(MR, "money"), Choose(MR, choice))
    major = company(play, "MR")
    assert (major.cash, major.exchange, len(major.tokens)) == (300, exchange, available)


def test_minor_14_out_of_a_box_takes_an_open_slot() -> None:
    """§14.6: an extra slot is made only where none is open."""
    stage = Stage("5").company("GWR", 100, 1, trains=("5-0",))
    stage.at.company_of("16").removed = True
    stage.state.minors = tuple(m for m in stage.state.minors if m not in ("M14", "M16"))
    stage.state.boxes = ("M14", *(b for b in stage.state.boxes if b not in ("M14", "M16")))[:4]
    play = merging(round_london(stage), "GWR")
    do(play, Merge(GWR, "14"), Choose(GWR, "money"), Choose(GWR, "replace"))
    for city, wider in ((2, set()), (3, {City("M38", 3)})):
        done = do(play.copy(), PlaceToken(GWR, f"M38-0-{city}"))
        assert state_of(done).wider == wider
        assert (company(done, "GWR").cash, company(done, "GWR").exchange) == (280, 2)
