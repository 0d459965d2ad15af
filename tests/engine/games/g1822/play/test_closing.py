"""The end of a stock round (1822 §6, §7.1): the edge cases of §20."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.floating import minor_par, minor_treasury
from engine.games.g1822.play.state import DOUBLE_CASH, State1822
from engine.play.actions import Choose, DiscardTrain, Pass, corporation, player
from engine.play.entities import Cell
from engine.play.game import Play
from tests.engine.games.g1822.play.scene import (
    Stage,
    bids,
    company,
    new_game,
    pass_on,
    passes,
    state_of,
    table,
)
from tests.engine.play.scene import changed, do, refused


@pytest.mark.parametrize(
    ("phase", "bid", "par", "treasury"),
    [
        ("1", 150, 50, 100),
        ("2", 115, 50, 100),
        ("2", 120, 60, 120),
        ("2", 195, 90, 180),
        ("2", 350, 100, 200),
        ("3", 115, 50, 115),
        ("3", 120, 60, 120),
        ("3", 350, 100, 350),
        ("5", 500, 100, 500),
    ],
)
def test_par_and_treasury_of_minors(phase: str, bid: int, par: int, treasury: int) -> None:
    """§20.5 (§7.1): by phase and bid."""
    at = Stage(phase).at
    assert (minor_par(at, bid), minor_treasury(at, bid)) == (par, treasury)


def test_the_rulebook_lets_the_bid_go_to_the_treasury() -> None:
    """D4: in phase 2 the bid, capped at £200."""
    at = Stage("2", profile="rulebook").at
    assert [minor_treasury(at, bid) for bid in (115, 195, 350)] == [115, 195, 200]


def test_what_the_bank_keeps() -> None:
    """§20.5: a bid of 195 in phase 2 leaves 15 with the bank."""
    stage = Stage("2")
    card = stage.state.boxes[0]
    play = passes(bids(stage.stock(), (1, card, 195)))
    assert play.current.bank == 20_000 + 15
    assert company(play, card[1:]).cash == 180
    assert company(play, card[1:]).cell == Cell(5, 4)


def test_equal_bids_float_by_box() -> None:
    """§20.6: two minors for 120 each: the lower box floats and operates first (§6.3)."""
    stage = Stage("2")
    second, third = stage.state.boxes[1:3]
    play = passes(bids(stage.stock(), (1, third, 120), (2, second, 120), (3, "P1", 0)))
    assert table(play).operating.order[:2] == (second[1:], third[1:])


def test_no_bid_for_the_first_box_brings_the_next_train() -> None:
    """§20.9: in phase 2 with a 3 next: phase 3, all L rust, two operating rounds; the minor
    leaves and its reservation ends (§6.5)."""
    stage = Stage("2").company("12", 50, 1, trains=("L-0",))
    stage.state.depot = tuple(f"3-{number}" for number in range(9))
    first, *others = stage.state.boxes
    play = passes(bids(stage.stock(), *((1, card, 100) for card in others)))
    state = state_of(play)
    assert (state.phase, state.depot[0]) == ("3", "3-1")
    assert company(play, "12").trains == ()
    assert table(play).operating.rounds == 2
    assert state.companies[first[1:]].removed
    assert first not in (*state.boxes, *state.minors)
    assert len(state.boxes) == 4


def test_boxes_without_bids_cost_l_trains() -> None:
    """§6.4: four boxes without bids and two L left: both go, then a 3 for the first box."""
    stage = Stage("2")
    stage.state.depot = ("L-20", "L-21", "3-0", "3-1")
    play = passes(bids(stage.stock(), (1, "P1", 0)))
    assert (play.current.depot, play.current.phase) == (("3-1",), "3")
    few = Stage("2")
    few.state.depot = ("L-0", "L-1", "L-2", "L-3", "L-4", "3-0")
    few.state.boxes, few.state.minors = few.state.boxes[:2], ()
    play = passes(bids(few.stock(), (1, "P1", 0)))
    assert (play.current.depot, play.current.phase) == (("L-3", "L-4", "3-0"), "2")
    none = Stage("2")
    none.state.boxes = none.state.minors = ()
    assert passes(none.stock()).current.depot[0] == "L-0"


def export_of_a_five() -> Play:
    """Nobody bids for minors in phase 4, with a 5 next; two majors have three trains."""
    stage = Stage("4").private("C1", 3)
    for sym, director in (("GWR", 1), ("LBSCR", 2)):
        stage.company(sym, 100, director, trains=[f"{sym}"])
    for sym, trains in (("GWR", ("3-0", "4-0", "4-1")), ("LBSCR", ("3-1", "4-2", "4-3"))):
        stage.at.company_of(sym).trains = trains
    stage.company("12", 50, 3, trains=("4-4",), turns=0, home=False)
    stage.state.depot = ("5-0", "5-1", "5-2")
    card = stage.state.concessions[0]
    return passes(bids(stage.stock(), (2, card, 100)))


def test_an_exported_five_closes_concessions_and_crowds_majors() -> None:
    """§20.10, §20.45: concessions close, a new one unpaid back; GWR and LBSCR discard after the
    first home marker, before the first company acts (§2.8)."""
    play = export_of_a_five()
    state = state_of(play)
    assert state.phase == "5"
    assert all(card.closed for sym, card in state.privates.items() if sym[0] == "C")
    assert state.players[2].cash == 600
    assert company(play, "12").home is not None
    assert (play.step(), play.actor()) == ("discard", corporation("GWR"))
    refused(play, DiscardTrain(corporation("GWR"), "4-2"), "TRAIN_NOT_SURPLUS", "1822 §2.8")
    do(play, DiscardTrain(corporation("GWR"), "3-0"))
    assert play.actor() == corporation("LBSCR")
    do(play, DiscardTrain(corporation("LBSCR"), "3-1"))
    assert state_of(play).discarded == ("3-0", "3-1")
    assert play.actor() == corporation("12")


def test_minors_of_that_round_keep_the_phase_before() -> None:
    """§20.45: a minor won in the round whose end exports the first 2 or 3 has the par and
    treasury of the phase before."""
    stage = Stage("2")
    stage.state.depot = ("3-0", "3-1")
    card = stage.state.boxes[1]
    play = passes(bids(stage.stock(), (1, card, 195)))
    assert play.current.phase == "3"
    assert company(play, card[1:]).cash == 180


def cash_of(play: Play, one: int, two: int) -> Play:
    def change(state: State1822) -> None:
        state.players[1].cash, state.players[2].cash = one, two

    return changed(play, change)


def test_double_cash_and_ties() -> None:
    """§20.12: 160 doubled comes before 200; equal cash keeps the earlier order (§4.2, §6.8)."""
    stage = Stage("2").private(DOUBLE_CASH, 2).cash(p1=200, p2=160, p3=200)
    play = passes(stage.stock())
    assert (play.step(), play.actor()) == ("double cash", player(2))
    refused(play, Choose(player(2), "triple"), "CHOICE_UNKNOWN", "FMT §B5.4")
    plain = play.copy()
    do(play, Choose(player(2), "double"))
    assert play.current.order == (2, 1, 3)
    do(plain, Pass(player(2)))
    assert plain.current.order == (1, 3, 2)


def test_sold_out_at_the_top_of_its_column() -> None:
    """§20.13: at row 3, column 5 the price stays 120 in row 4, column 6; a Tax Haven share
    counts as a player's (§6.7)."""
    stage = Stage().company("GWR", 120, 1, held={1: 4, 2: 3}, cell=Cell(3, 5))
    stage.company("SWR", 100, 2, held={2: 3, 3: 4}).company("CR", 90, 3, held={3: 7})
    for share in ("GWR_8", "SWR_8"):
        stage.state.holdings[share.split("_")[0]] = ()
        stage.state.holdings["P16"] += (share,)
    play = passes(stage.stock())
    assert company(play, "GWR").cell == Cell(4, 6)
    assert company(play, "SWR").cell == Cell(3, 4)
    assert company(play, "CR").cell == Cell(5, 4)


def test_the_first_round_without_bids_ends_the_game() -> None:
    """§6.1: at once, with the cash of the start."""
    play = passes(new_game())
    assert (play.finished, play.end_reason) == (True, "dnf")


@pytest.mark.parametrize("cell", [Cell(4, 4), Cell(1, 20)])
def test_what_the_start_of_a_round_brings_is_seen_after_the_next_action(cell: Cell) -> None:
    """FMT §B8.8, H37: private income breaks the bank, in the second case after the end of the
    stock round has brought a price to 700. Both are seen when the first company has acted,
    and the bank counts as first (§17.3)."""
    stage = Stage().company("GWR", 650, 1, held={1: 4, 2: 4}, cell=cell, trains=("3-0",))
    stage.private("C4", 3).state.bank = 5
    play = passes(stage.stock())
    assert (play.step(), play.current.broken, play.end_reason) == ("track", True, "")
    pass_on(play)
    assert (play.end_reason, state_of(play).timing) == ("bank", "set")
    assert (table(play).price("GWR") == 700) == (cell == Cell(1, 20))
