"""Stock rounds of 1822 (§5, §7, §13.12, §16.16): the edge cases of §20."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.boxes import committed, tokens_left
from engine.games.g1822.play.money import with_interest
from engine.games.g1822.play.state import HAVEN, Player1822
from engine.play import shares
from engine.play.actions import (
    Bid,
    BuyShares,
    ChooseAbility,
    Par,
    Pass,
    PayoffPlayerDebt,
    PayoffPlayerDebtPartial,
    SellShares,
    player,
    private,
)
from engine.play.entities import Cell
from engine.play.game import Play
from tests.engine.games.g1822.play.scene import Stage, company, new_game, passes, state_of, table
from tests.engine.play.scene import do, refused


def cash(play: Play, number: int) -> int:
    return state_of(play).players[number].cash


def debt(play: Play, number: int) -> int:
    found = state_of(play).players[number]
    assert isinstance(found, Player1822)
    return found.debt


def test_bids_go_up_by_five() -> None:
    """§20.2: a private's first bid of £0 stands, £3 is refused, then £5 (§5.10)."""
    play = new_game()
    refused(play, Bid(player(1), "P1", 3), "BID_NOT_IN_STEPS", "1822 §5.10")
    do(play, Bid(player(1), "P1", 0), Pass(player(1)))
    refused(play, Bid(player(2), "P1", 3), "BID_NOT_IN_STEPS", "1822 §5.10")
    refused(play, Bid(player(2), "P1", 0), "BID_TOO_LOW", "1822 §5.10")
    do(play, Bid(player(2), "P1", 5))
    refused(play, Bid(player(2), "P1", 10), "OWN_BID_LEADS", "1822 §5.11")
    refused(play, Bid(player(2), "M24", 95), "BID_TOO_LOW", "1822 §5.10")
    refused(play, Bid(player(2), "M1", 100), "CARD_NOT_ON_OFFER", "1822 §5.9")


def test_an_outbid_player_has_his_cash_but_not_his_token() -> None:
    """§20.3 (§5.11, §5.12)."""
    play = new_game()
    do(play, Bid(player(1), "M24", 600))
    assert committed(table(play), 1) == 600
    refused(play, Bid(player(1), "C1", 105), "CASH_COMMITTED", "1822 §5.11")
    do(play, Pass(player(1)), Bid(player(2), "M24", 605))
    assert committed(table(play), 1) == 0
    assert tokens_left(table(play), 1) == 5


def test_without_a_token_no_other_card() -> None:
    """§5.12: with seven players three tokens; raising needs none."""
    play = new_game(7)
    first = [Bid(player(1), card, price) for card, price in (("P1", 0), ("C1", 100), ("M24", 100))]
    do(play, *first)
    assert play.actor() == player(2)
    do(play, Bid(player(2), "P1", 5), Pass(player(2)))
    for number in range(3, 8):
        do(play, Pass(player(number)))
    other = next(card for card in state_of(play).boxes if card != "M24")
    refused(play, Bid(player(1), other, 100), "NO_BIDDING_TOKEN", "1822 §5.12")
    do(play, Bid(player(1), "P1", 10))


def test_the_turn_of_bids() -> None:
    """§20.4: the third bid ends the turn; a sale between bids is legal, a purchase is not."""
    stage = Stage().company("GWR", 100, 1, held={1: 2, 2: 1}).cash(p1=700, p2=0, p3=0)
    play = stage.stock()
    do(play, Bid(player(1), "P1", 0), SellShares(player(1), ("GWR_1",), 10))
    assert cash(play, 1) == 800
    refused(play, BuyShares(player(1), ("GWR_4",), 10), "ALREADY_ACTED", "1822 §5.2")
    do(play, Bid(player(1), "M24", 100), Bid(player(1), "C1", 100))
    assert play.actor() == player(2)


def test_a_turn_with_bids_does_not_count_as_passing() -> None:
    """§5.2: the round goes on until all have passed in succession."""
    play = new_game()
    do(play, Bid(player(1), "P1", 0), Pass(player(1)), Pass(player(2)), Pass(player(3)))
    assert (play.actor(), play.current.turn) == (player(1), 1)
    do(play, Pass(player(1)))
    assert play.current.turn == 2


@pytest.mark.parametrize(
    ("sym", "concession", "cell", "paid", "treasury"),
    [
        ("LNWR", "C1", "60,8,4", 0, 60),
        ("LNWR", "C1", "100,4,4", 0, 100),
        ("GWR", "C2", "60,8,4", 20, 120),
        ("GWR", "C2", "100,4,4", 100, 200),
    ],
)
def test_conversions(sym: str, concession: str, cell: str, paid: int, treasury: int) -> None:
    """§20.7: what the player pays and the treasury receives; the concession closes (§7.2, §7.3)."""
    stage = Stage("2").private(concession, 1).cash(p1=500)
    play = do(stage.stock(), Par(player(1), sym, cell))
    assert cash(play, 1) == 500 - paid
    started = company(play, sym)
    assert (started.cash, started.floated, started.director) == (treasury, True, 1)
    assert state_of(play).privates[concession].closed
    assert play.actor() == player(2)


def test_conversions_refused() -> None:
    """§20.8: not in phase 1, not without the concession, at a par cell, with the money."""
    early = Stage("1").private("C2", 1).stock()
    refused(early, Par(player(1), "GWR", "100,4,4"), "PHASE_TOO_EARLY", "1822 §7.2")
    play = Stage("3").private("C2", 1).cash(p1=20).stock()
    refused(play, Par(player(1), "LNWR", "100,4,4"), "CONCESSION_NEEDED", "1822 §7.2")
    refused(play, Par(player(1), "GWR", "50,9,4"), "PAR_NOT_ALLOWED", "1822 §7.2")
    refused(play, Par(player(1), "GWR", "70,7,4"), "CASH_SHORT", "1822 §5.11")
    refused(play, Par(player(1), "12", "100,4,4"), "COMPANY_UNKNOWN", "1822 §7.2")
    do(play, Par(player(1), "GWR", "60,8,4"))
    refused(play, Par(player(2), "GWR", "60,8,4"), "COMPANY_STARTED", "1822 §7.2")


def test_a_major_without_concession_floats_at_half() -> None:
    """§7.4, §7.5: from phase 5 anyone starts it; money of sold shares goes to the treasury."""
    stage = Stage("5").cash(p1=2000, p2=2000, p3=2000)
    play = do(stage.stock(), Par(player(1), "GWR", "100,4,4"))
    assert not company(play, "GWR").floated
    for share, number in (("GWR_1", 2), ("GWR_2", 3), ("GWR_3", 1)):
        do(play, BuyShares(player(number), (share,), 10))
    started = company(play, "GWR")
    assert (started.floated, started.cash) == (True, 500)


def test_full_capitalisation() -> None:
    """§7.6: from the first 6 the bank is paid; on floating ten times the price, the rest of the
    shares in the market."""
    stage = Stage("6").cash(p1=2000, p2=2000, p3=2000)
    play = do(stage.stock(), Par(player(1), "GWR", "100,4,4"))
    assert company(play, "GWR").cash == 0
    for share, number in (("GWR_1", 2), ("GWR_2", 3)):
        do(play, BuyShares(player(number), (share,), 10))
        assert company(play, "GWR").cash == 0
    do(play, BuyShares(player(1), ("GWR_3",), 10))
    assert company(play, "GWR").cash == 1000
    assert len(shares.held(state_of(play), "market", "GWR")) == 5


def test_sales_refused() -> None:
    """§5.4, §5.5: operated, market at half at most, the director's certificate needs an heir."""
    stage = Stage().company("GWR", 100, 1, held={1: 4, 2: 1}, market=3)
    stage.company("SWR", 100, 1, held={1: 2}, turns=0).company("12", 50, 1)
    play = stage.stock()
    four = ("GWR_1", "GWR_2", "GWR_3")
    refused(play, SellShares(player(1), four, 30), "MARKET_FULL", "1822 §5.4")
    refused(play, SellShares(player(1), ("SWR_1",), 10), "NOT_OPERATED", "1822 §5.4")
    refused(play, SellShares(player(1), ("12_0",), 100), "MINOR_NOT_SALEABLE", "1822 §5.4")
    refused(play, SellShares(player(1), ("GWR_0",), 10), "BLOCK_SHAPE", "FMT §E3.5")
    refused(play, SellShares(player(1), ("GWR_8",), 10), "BLOCK_NOT_OWNED", "1822 §5.4")
    two = Stage().company("GWR", 100, 1, held={2: 1}).stock()
    refused(two, SellShares(player(1), ("GWR_0",), 20), "NO_NEW_DIRECTOR", "1822 §5.5")


def test_the_director_sells_half_of_his_certificate() -> None:
    """§5.5, FMT §E4: another holds 20 %; he becomes director, an ordinary share comes back."""
    stage = Stage().company("GWR", 100, 1, held={2: 2}).cash(p1=0)
    play = do(stage.stock(), SellShares(player(1), ("GWR_0",), 10))
    assert cash(play, 1) == 100
    assert company(play, "GWR").director == 2
    assert shares.units(state_of(play), 1, "GWR") == 1
    assert shares.units(state_of(play), "market", "GWR") == 1
    assert company(play, "GWR").cell == Cell(5, 4)
    refused(play, BuyShares(player(1), ("GWR_3",), 10), "SOLD_THIS_ROUND", "1822 §5.6")


def test_purchases_refused() -> None:
    """§5.6, §5.11: cap of 60 %, cash behind bids, limit of certificates outside the yellow zone."""
    stage = Stage().company("GWR", 100, 1, held={1: 4}).cash(p1=700, p2=90)
    play = stage.stock()
    refused(play, BuyShares(player(1), ("GWR_5",), 10), "OWNERSHIP_LIMIT", "1822 §5.6")
    refused(play, BuyShares(player(1), ("GWR_0",), 10), "SHARE_NOT_FOR_SALE", "1822 §5.6")
    refused(play, BuyShares(player(1), ("SWR_1",), 10), "COMPANY_NOT_STARTED", "1822 §7.2")
    refused(play, BuyShares(player(1), ("ZZ_1",), 10), "COMPANY_UNKNOWN", "1822 §1.7")
    do(play, Pass(player(1)))
    refused(play, BuyShares(player(2), ("GWR_5",), 10), "CASH_SHORT", "1822 §5.11")


def test_the_certificate_limit() -> None:
    """§5.3, §5.7, §5.13: bids and purchases stop at the limit, yellow shares go on, and who is
    above it only sells."""
    full = Stage(players=7).cash(p1=2000)
    for sym in ("1", "2", "3", "4", "5", "6", "7", "8", "9"):
        full.company(sym, 50, 1, home=False)
    full.company("GWR", 100, 1, held={1: 1, 2: 1}).company("SWR", 45, 2, cell=Cell(6, 0))
    play = full.stock()
    refused(play, Bid(player(1), "P1", 0), "CERTIFICATE_LIMIT", "1822 §5.7")
    refused(play, BuyShares(player(1), ("GWR_5",), 10), "CERTIFICATE_LIMIT", "1822 §5.7")
    do(play, BuyShares(player(1), ("SWR_1",), 10))
    full.private("C3", 1)
    over = full.stock()
    refused(over, Pass(player(1)), "MUST_SELL", "1822 §5.3")
    do(over, SellShares(player(1), ("GWR_1",), 10), Pass(player(1)))


def test_loans_grow_by_half() -> None:
    """§20.16: loans of 15, 55 and 26 are debts of 23, 83 and 39; 23 unpaid become 35."""
    at = table(new_game())
    assert [with_interest(at, amount) for amount in (15, 55, 26, 23)] == [23, 83, 39, 35]
    stage = Stage()
    stage.at.player_of(2).debt = 23
    play = passes(stage.stock())
    assert debt(play, 2) == 35


def test_a_loan_is_repaid_and_the_turn_goes_on() -> None:
    """§20.17: a bid of £0 in the same turn; in debt nothing else is allowed; a part of at least
    £1, cut to the debt (§13.12)."""
    stage = Stage().cash(p1=60).company("GWR", 50, 2)
    stage.at.player_of(1).debt = 23
    play = stage.stock()
    refused(play, Bid(player(1), "P1", 0), "IN_DEBT", "1822 §13.12")
    refused(play, BuyShares(player(1), ("GWR_1",), 10), "IN_DEBT", "1822 §13.12")
    do(play, PayoffPlayerDebtPartial(player(1), 3))
    assert (cash(play, 1), debt(play, 1)) == (57, 20)
    for amount in (0, -1):
        wrong = PayoffPlayerDebtPartial(player(1), amount)
        refused(play, wrong, "AMOUNT_WRONG", "1822 §13.12", "amount")
    for rest in (PayoffPlayerDebt(player(1)), PayoffPlayerDebtPartial(player(1), 21)):
        paid = do(play.copy(), rest, Bid(player(1), "P1", 0))
        assert (cash(paid, 1), debt(paid, 1)) == (37, 0)
        refused(paid, PayoffPlayerDebt(player(1)), "NO_DEBT", "1822 §13.12")


def test_a_debtor_without_means_is_passed_over() -> None:
    """FMT §B8.4, H46: nothing to pay with, nothing to sell: no entry, counts as passed."""
    stage = Stage().cash(p2=0)
    stage.at.player_of(2).debt = 23
    play = do(stage.stock(), Pass(player(1)))
    assert play.actor() == player(3)
    turn = play.current.turn
    do(play, Pass(player(3)))
    assert play.current.turn == turn + 1


def test_the_tax_haven() -> None:
    """§16.16: one share instead of a purchase; it counts for floating, not for its owner."""
    stage = Stage("5", options=("tax_haven_multiple",)).cash(p1=300)
    stage.private(HAVEN, 1).company("GWR", 100, 2, held={2: 2, 3: 5}).company("SWR", 80, 2)
    stage.at.company_of("GWR").floated = False
    stage.at.company_of("GWR").float_percent = 100
    play = do(stage.stock(), ChooseAbility(private(HAVEN), "GWR_ipo"))
    assert play.actor() == player(2)
    assert cash(play, 1) == 200
    assert company(play, "GWR").floated
    assert shares.held(state_of(play), HAVEN, "GWR") == ("GWR_8",)
    do(play, Pass(player(2)), Pass(player(3)))
    again = ChooseAbility(private(HAVEN), "SWR_ipo")
    refused(play, again, "ABILITY_USED", "1822 §16.16")
    refused(play, ChooseAbility(private("P1"), "SWR_ipo"), "PRIVATE_NOT_OWNED", "1822 §16.16")


def test_the_tax_haven_buys_again_with_its_own_money() -> None:
    """§16.16: with the option one share a round, at most one of each major."""
    for options, code in (((), "ABILITY_USED"), (("tax_haven_multiple",), "")):
        stage = Stage(options=options).private(HAVEN, 1, uses=1, store=170)
        stage.company("GWR", 100, 2).company("SWR", 80, 2)
        shares.hand_over(stage.state, "GWR_1", HAVEN)
        play, before = stage.stock(), 700
        action = ChooseAbility(private(HAVEN), "SWR_ipo")
        if code:
            refused(play, action, code, "1822 §16.16")
            continue
        twice = ChooseAbility(private(HAVEN), "GWR_ipo")
        refused(play, twice, "SHARE_IN_HAVEN", "1822 §16.16")
        do(play, action)
        assert cash(play, 1) == before
        assert table(play).card(HAVEN).store == 90
        assert company(play, "SWR").cash == 580


def test_the_tax_haven_takes_the_place_of_bids() -> None:
    """§5.2, §16.16: not after a bid, not in debt, not of a company sold in the round."""
    stage = Stage().private(HAVEN, 1).company("GWR", 100, 1, held={1: 2})
    play = do(stage.stock(), Bid(player(1), "P1", 0))
    action = ChooseAbility(private(HAVEN), "GWR_ipo")
    refused(play, action, "ALREADY_ACTED", "1822 §5.2")
    sold = do(stage.stock(), SellShares(player(1), ("GWR_1",), 10))
    refused(sold, action, "SOLD_THIS_ROUND", "1822 §16.16")
    stage.at.player_of(1).debt = 5
    refused(stage.stock(), action, "IN_DEBT", "1822 §13.12")
