"""Limits of 1822's stock rounds, reached exactly and passed by one (§5, §7.6, §16.16)."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.state import HAVEN
from engine.games.g1822.play.trading import certificates
from engine.play import shares
from engine.play.actions import (
    Bid,
    BuyShares,
    ChooseAbility,
    Par,
    Pass,
    SellShares,
    player,
    private,
)
from engine.play.entities import MARKET, Cell
from tests.engine.games.g1822.play.scene import Stage, company, state_of, table
from tests.engine.play.scene import do, refused

GWR_TREASURY = ChooseAbility(private(HAVEN), "GWR_ipo")
GWR_MARKET = ChooseAbility(private(HAVEN), "GWR_market")


def test_a_purchase_takes_the_last_pound_and_leads_to_60_percent() -> None:
    """§5.6, §5.11: the price may be all the cash that no leading bid needs, and 60 % is allowed."""
    stage = Stage().company("GWR", 100, 1, held={1: 3}).cash(p1=100)
    share = BuyShares(player(1), ("GWR_4",), 10)
    do(stage.stock(), share)
    refused(stage.cash(p1=99).stock(), share, "CASH_SHORT", "1822 §5.11")
    play = do(stage.cash(p1=200).stock(), share)
    assert shares.units(state_of(play), 1, "GWR") == 6
    do(play, Pass(player(2)), Pass(player(3)))
    refused(play, BuyShares(player(1), ("GWR_5",), 10), "OWNERSHIP_LIMIT", "1822 §5.6")


def test_a_start_takes_the_last_pound() -> None:
    """§5.11, §7.2: with £100 at par 100, not with £99, nor with a bid that leads."""
    stage = Stage("2").private("C2", 1).cash(p1=100)
    start = Par(player(1), "GWR", "100,4,4")
    assert company(do(stage.stock(), start), "GWR").floated
    refused(stage.cash(p1=99).stock(), start, "CASH_SHORT", "1822 §5.11")
    play = do(stage.cash(p1=105).stock(), Bid(player(1), "P1", 0), Pass(player(1)))
    do(play, Bid(player(2), "P1", 5), Pass(player(2)), Pass(player(3)))
    do(play, Bid(player(1), "P1", 10), *(Pass(player(n)) for n in (1, 2, 3)))
    refused(play, start, "CASH_SHORT", "1822 §5.11")


def test_sales_fill_the_market_to_half() -> None:
    """§5.4: to exactly 50 %."""
    stage = Stage().company("GWR", 100, 1, held={1: 3}, market=3)
    sold = ("GWR_1", "GWR_2")
    play = do(stage.stock(), SellShares(player(1), sold, 20))
    assert shares.units(state_of(play), MARKET, "GWR") == 5
    refused(play, SellShares(player(1), ("GWR_3",), 10), "MARKET_FULL", "1822 §5.4")


def test_the_tax_haven_counts_for_no_limit() -> None:
    """§5.7: every other private and every concession is a certificate."""
    stage = Stage().private("P6", 1).private("C4", 1)
    assert certificates(stage.at, 1) == 2
    stage.private(HAVEN, 1)
    assert certificates(stage.at, 1) == 2


def test_who_is_over_the_limit_with_nothing_to_sell_goes_on() -> None:
    """§5.3: he may only sell *if* anything can be sold; bids and purchases stay forbidden."""
    stage = Stage(players=7).cash(p1=2000)
    for sym in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"):
        stage.company(sym, 50, 1, home=False)
    stage.company("SWR", 45, 2, cell=Cell(6, 0))
    play = stage.stock()
    refused(play, Bid(player(1), "P1", 0), "CERTIFICATE_LIMIT", "1822 §5.7")
    do(play, BuyShares(player(1), ("SWR_1",), 10))
    assert play.actor() == player(2)
    assert do(stage.stock(), Pass(player(1))).actor() == player(2)


def test_what_the_tax_haven_pays_and_whom() -> None:
    """§16.16: the market price from the holder's cash, to the treasury for a treasury share, to
    the bank for one out of the market."""
    for choice, received in ((GWR_TREASURY, 100), (GWR_MARKET, 0)):
        stage = Stage().private(HAVEN, 1).cash(p1=100)
        stage.company("GWR", 100, 2, market=1, cash=0)
        play = do(stage.stock(), choice)
        assert state_of(play).players[1].cash == 0
        assert company(play, "GWR").cash == received
        assert state_of(play).bank == 20_000 + 100 - received
        refused(stage.cash(p1=99).stock(), choice, "CASH_SHORT", "1822 §16.16")


@pytest.mark.parametrize(("profile", "waiting"), [("rulebook", 0), ("18xx.games", 100)])
def test_whom_the_tax_haven_pays_while_full_capital_is_awaited(profile: str, waiting: int) -> None:
    """§5.6, §7.6: from the first 6 on for a major that has not floated the bank, on the site the
    company (D15); the share counts for floating, and with full capital the rest is the bank's."""
    for held, treasury in ((1, waiting), (2, 1000)):
        stage = Stage("6", profile=profile).private(HAVEN, 1)
        stage.company("GWR", 100, 2, held={2: held}, cash=0)
        gwr = stage.at.company_of("GWR")
        gwr.floated, gwr.float_percent = False, 50
        play = do(stage.stock(), GWR_TREASURY)
        assert company(play, "GWR").floated == (held == 2)
        assert company(play, "GWR").cash == treasury


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        ("SWR_ipo", "CHOICE_UNKNOWN"),
        ("12_ipo", "CHOICE_UNKNOWN"),
        ("XYZ_ipo", "CHOICE_UNKNOWN"),
        ("GWR_bank", "CHOICE_UNKNOWN"),
        ("GWR_market", "SHARE_NOT_FOR_SALE"),
    ],
)
def test_shares_that_the_tax_haven_cannot_have(choice: str, code: str) -> None:
    """§16.16: a share of a started major, out of treasury or market, if there is one."""
    stage = Stage().private(HAVEN, 1).company("GWR", 100, 2).company("12", 50, 2)
    action = ChooseAbility(private(HAVEN), choice)
    section = "FMT §B5.4" if code == "CHOICE_UNKNOWN" else "1822 §16.16"
    refused(stage.stock(), action, code, section)
    assert action not in stage.stock().legal_actions()


def test_the_tax_haven_acts_in_its_holders_turn() -> None:
    """§16.16: in his turn; nobody else's, and not while a company or the bank has it."""
    stage = Stage().company("GWR", 100, 2)
    for owner in (2, None):
        stage.private(HAVEN, owner)
        play = stage.stock()
        refused(play, GWR_TREASURY, "PRIVATE_NOT_OWNED", "1822 §16.16")
        assert GWR_TREASURY not in play.legal_actions()
    stage.private(HAVEN, 1)
    assert GWR_TREASURY in stage.stock().legal_actions()
    do(play := stage.stock(), GWR_TREASURY)
    assert table(play).card(HAVEN).uses == 1
