"""The auction of the privates (18GB §5, §17.29, §17.30)."""

from __future__ import annotations

from engine.games.g18gb.play.state import AuctionData
from engine.play.actions import Bid, Pass, player
from engine.play.game import Play
from tests.engine.games.g18gb.play.scene import auction, new_game, state_of
from tests.engine.play.scene import do, refused


def bid(number: int, sym: str, price: int) -> Bid:
    return Bid(player(number), sym, price)


def data_of(play: Play) -> AuctionData:
    return play.current.round_as(AuctionData)


def all_pass(play: Play) -> Play:
    for _ in play.current.players:
        actor = play.actor()
        assert actor is not None
        play.apply(Pass(actor))
    return play


def test_bids_go_up_in_fives_from_the_minimum() -> None:
    """§5.2, §17.30: 37 on SD is refused, 35 and 40 are bids; then 5 above the lead."""
    play = new_game(3)
    refused(play, bid(1, "SD", 37), "BID_NOT_IN_STEPS", "18GB §5.2", "price")
    refused(play, bid(1, "SD", 30), "BID_TOO_LOW", "18GB §5.2", "price")
    do(play, bid(1, "SD", 35))
    refused(play, bid(2, "SD", 39), "BID_TOO_LOW", "18GB §5.2", "price")
    do(play, bid(2, "SD", 40), bid(3, "AF", 30))
    do(play, bid(1, "AF", 35), bid(2, "SD", 45))
    assert data_of(play).leads["SD"] == (2, 45)


def test_leading_bids_are_committed() -> None:
    """§5.3: other leads count against cash; an outbid bid is free, also for the same private."""
    play = do(new_game(6), bid(1, "GN", 70), bid(2, "GN", 300))
    do(play, *(bid(number, sym, 30) for number, sym in ((3, "AF"), (4, "LS"), (5, "CH"))))
    do(play, bid(6, "SD", 35))
    refused(play, bid(1, "GN", 310), "CASH_COMMITTED", "18GB §5.3", "price")
    do(play, bid(1, "GN", 305), bid(2, "LB", 40))
    assert max(a.price for a in play.legal_actions() if isinstance(a, Bid)) == 305


def test_a_pass_needs_leading_bids() -> None:
    """§5.4: one leading bid, two with two players, unless every private has a bid."""
    three = new_game(3)
    refused(three, Pass(player(1)), "PASS_NOT_ALLOWED", "18GB §5.4")
    assert Pass(player(1)) not in three.legal_actions()
    do(three, bid(1, "AF", 30), bid(2, "LS", 30), bid(3, "SD", 35), Pass(player(1)))
    two = do(new_game(2), bid(1, "AF", 30), bid(2, "LS", 30))
    refused(two, Pass(player(1)), "PASS_NOT_ALLOWED", "18GB §5.4")
    do(two, bid(1, "SD", 35), bid(2, "LM", 45), Pass(player(1)))


def test_who_can_neither_bid_nor_claim_a_pass_has_no_move() -> None:
    """§5.4: two players, all cash on one bid: no second lead is possible, and no pass."""
    play = do(new_game(2), bid(1, "LB", 375), bid(2, "LS", 30))
    assert not play.legal_actions()
    refused(play, Pass(player(1)), "PASS_NOT_ALLOWED", "18GB §5.4")


def test_prices_fall_until_somebody_must_take_what_is_left() -> None:
    """§17.29: three privates unsold; AF 30, 20, 10, 0 and SD 35, 25, 15, 5 with forced £0 bids."""
    play = do(new_game(3), bid(1, "LB", 40), bid(2, "LM", 45), bid(3, "GN", 70))
    all_pass(play)
    assert state_of(play).privates["GN"].owner == 3
    assert data_of(play).asking == {"AF": 20, "SD": 25, "LS": 20}
    all_pass(play)
    assert data_of(play).asking == {"AF": 10, "SD": 15, "LS": 10}
    assert play.actor() == player(1)
    all_pass(play)
    assert data_of(play).leads == {"AF": (1, 0), "LS": (2, 0)}
    assert data_of(play).asking["SD"] == 5
    assert play.actor() == player(3)
    refused(play, bid(3, "AF", 4), "BID_TOO_LOW", "18GB §5.2", "price")
    all_pass(play)
    assert data_of(play).leads == {"SD": (3, 0)}
    assert play.actor() == player(1)
    do(play, bid(1, "SD", 5))
    all_pass(play)
    owners = {sym: owned.owner for sym, owned in state_of(play).privates.items()}
    assert owners == {"LB": 1, "LM": 2, "GN": 3, "AF": 1, "LS": 2, "SD": 1}
    assert play.step() == "trade"


def test_least_cash_opens_the_first_stock_round() -> None:
    """§5.7: by cash, then more privates, then the earlier seat."""
    owners = {"LB": 1, "AF": 2, "LS": 2, "GN": 3, "SD": 1, "LM": 2}
    play = auction(new_game(3), owners)
    cash = {number: entry.cash for number, entry in state_of(play).players.items()}
    assert cash == {1: 255, 2: 225, 3: 260}
    assert state_of(play).order == (2, 1, 3)
