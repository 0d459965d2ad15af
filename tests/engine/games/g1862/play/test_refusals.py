"""What 1862 does not allow: one refusal per rule, with code and section."""

from __future__ import annotations

import pytest

from engine.games.g1862.play.state import IPO
from engine.play.actions import (
    Action,
    BuyShares,
    BuyTrain,
    CharterBid,
    Choose,
    Dividend,
    LayTile,
    Merge,
    Par,
    Pass,
    PlaceToken,
    RouteEntry,
    RunRoutes,
    SellShares,
    corporation,
    player,
)
from engine.play.entities import MARKET
from engine.play.game import Play
from engine.play.shares import held
from tests.engine.games.g1862.play.scene import (
    cash,
    company,
    laid,
    named,
    new_game,
    operating,
    phase,
    state_of,
    stock_round,
)
from tests.engine.play.scene import changed, do, refused

ONE, TWO = player(1), player(2)
EUR = corporation("EUR")


def group(play: Play, name: str) -> str:
    """Return a company of an offer group that has not been started."""
    state = state_of(play)
    free = (s for s, c in state.charters.items() if c.group == name)
    return next(s for s in free if not state.companies[s].started)


PARLIAMENT = (
    (lambda p: CharterBid(ONE, "XYZ", 0), "COMPANY_UNKNOWN", "1862 §2.2"),
    (lambda p: CharterBid(ONE, group(p, "B"), 0), "GROUP_CLOSED", "1862 §3.3"),
    (lambda p: CharterBid(ONE, group(p, "A"), 3), "BID_NOT_IN_STEPS", "1862 §4.1"),
    (lambda p: CharterBid(ONE, group(p, "A"), -5), "BID_TOO_LOW", "1862 §4.3"),
    (lambda p: CharterBid(ONE, group(p, "A"), 640), "CASH_SHORT", "1862 §4.2"),
    (lambda p: CharterBid(TWO, group(p, "A"), 0), "NOT_YOUR_TURN", "FMT §B8"),
    (lambda p: Par(ONE, group(p, "A"), named(62)), "NOTHING_TO_PAR", "1862 §4.4"),
    (lambda p: BuyShares(ONE, ("EUR_1",), 10), "NOTHING_TO_BUY", "1862 §4.4"),
)


@pytest.mark.parametrize("number", range(len(PARLIAMENT)))
def test_parliament(number: int) -> None:
    """Bids and what only a winner does (§4)."""
    make, code, section = PARLIAMENT[number]
    play = new_game()
    refused(play, make(play), code, section)


def test_parliament_after_an_auction() -> None:
    """Par prices, shares of the charter only, two at most, and no second auction (§4.2, §4.4)."""
    play = changed(new_game(), cash(p2=100, p3=100))
    sym = group(play, "A")
    do(play, CharterBid(ONE, sym, 0))
    refused(play, Par(ONE, sym, named(60)), "PAR_NOT_ALLOWED", "1862 §4.4")
    do(play, Par(ONE, sym, named(54)))
    refused(play, BuyShares(ONE, ("EUR_0",), 30), "SHARE_NOT_FOR_SALE", "1862 §4.4")
    refused(play, BuyShares(ONE, (f"{sym}_1",), 20), "TERMS_WRONG", "1862 §4.4")
    do(play, BuyShares(ONE, (f"{sym}_1",), 10))
    other = changed(play, lambda state: setattr(state, "limit", 2))
    refused(other, BuyShares(ONE, (f"{sym}_2",), 10), "CERTIFICATE_LIMIT", "1862 §6.7")
    poor = changed(play, cash(p1=53))
    refused(poor, BuyShares(ONE, (f"{sym}_2",), 10), "CASH_SHORT", "1862 §4.4")
    do(play, Pass(ONE))
    assert play.current.round.number == 2, "the others cannot open and the winner may not"


def test_bids_of_another_company_or_above_the_limit() -> None:
    """One auction at a time; who is at the limit is out (§4.2, §4.3)."""
    play = new_game()
    first, second = [s for s, c in state_of(play).charters.items() if c.group == "A"][:2]
    do(play, CharterBid(ONE, first, 0))
    refused(play, CharterBid(TWO, second, 5), "OTHER_AUCTION", "1862 §4.3")
    full = changed(new_game(), lambda state: setattr(state, "limit", 0))
    assert full.step() == ""


def market(cards: int = 0) -> Play:
    """A stock round: EUR with 30 % in the pool, SVR chartered with 50 % in the IPO."""
    return changed(
        new_game(),
        company("EUR", 100, {1: 60, MARKET: 30, 2: 10}, trains=(("A-0", "2E", 0),)),
        company("SVR", 62, {2: 50, IPO: 50}, chartered=True, trains=(("A-1", "1F", 0),)),
        lambda state: setattr(state, "limit", cards or 18),
        stock_round,
    )


STOCK = (
    (lambda p: BuyShares(ONE, ("SVR_7", "SVR_6"), 20), "ONE_CERTIFICATE", "1862 §6.2"),
    (lambda p: BuyShares(ONE, ("SVR_0",), 30), "SHARE_NOT_FOR_SALE", "1862 §6.4"),
    (lambda p: BuyShares(ONE, ("SVR_7",), 20), "PERCENT_WRONG", "FMT §B5.1"),
    (lambda p: BuyShares(ONE, ("SVR_7",), 10, 61), "SHARE_PRICE_WRONG", "1862 §6.4"),
    (
        lambda p: BuyShares(ONE, (f"{group(p, 'A')}_1",), 10),
        "COMPANY_NOT_STARTED",
        "1862 §6.4",
    ),
    (lambda p: Par(ONE, "SVR", named(62)), "COMPANY_STARTED", "1862 §3.3"),
    (lambda p: Par(ONE, group(p, "C"), named(62)), "GROUP_CLOSED", "1862 §3.3"),
    (lambda p: Par(ONE, group(p, "A"), "52,0,11"), "PAR_NOT_ALLOWED", "1862 §6.5"),
    (lambda p: SellShares(ONE, ("SVR_1",), 10), "BLOCK_NOT_OWNED", "1862 §6.3"),
    (lambda p: SellShares(ONE, ("EUR_1",), 20), "PERCENT_WRONG", "1862 §6.3"),
    (lambda p: SellShares(ONE, ("EUR_0",), 30), "BLOCK_SHAPE", "1862 §6.3"),
    (lambda p: Choose(ONE, 3), "WRONG_STEP", "FMT §B8"),
)


@pytest.mark.parametrize("number", range(len(STOCK)))
def test_stock_round(number: int) -> None:
    """Purchases, starts and sales (§6)."""
    make, code, section = STOCK[number]
    play = market()
    refused(play, make(play), code, section)


def test_stock_round_with_little_money_or_room() -> None:
    """Cash, the certificate limit, and the duty to sell above it (§6.4, §6.7)."""
    play = changed(market(), cash(p1=61))
    refused(play, BuyShares(ONE, ("SVR_7",), 10), "CASH_SHORT", "1862 §6.4")
    refused(play, Par(ONE, group(play, "A"), named(54)), "CASH_SHORT", "1862 §6.5")
    full = market(cards=4)
    refused(full, BuyShares(ONE, ("SVR_7",), 10), "CERTIFICATE_LIMIT", "1862 §6.7")
    refused(full, Par(ONE, group(full, "A"), named(54)), "CERTIFICATE_LIMIT", "1862 §6.7")
    over = market(cards=3)
    refused(over, Pass(ONE), "MUST_SELL", "1862 §6.7")
    rich = do(market(), SellShares(ONE, ("EUR_1",), 10))
    refused(rich, SellShares(ONE, ("EUR_2",), 10), "SOLD_IN_ONE_BLOCK", "1862 §6.3")


def test_no_starts_after_the_lner_or_for_new_players() -> None:
    """§12.2, §14.4."""
    play = changed(market(), lambda state: setattr(state, "lner", "formed"))
    refused(play, Par(ONE, group(play, "A"), named(54)), "LNER_FORMED", "1862 §12.2")
    options = ("simple_express", "new_players")
    young = changed(
        new_game(options=options), company("EUR", 100, {1: 60, MARKET: 40}), stock_round
    )
    refused(young, Par(ONE, group(young, "A"), named(54)), "PARLIAMENT_ONLY", "1862 §14.4")


def building(step: str, **fields: object) -> Play:
    """EUR at E12 with a train and a partner at F11 that it reaches."""
    play = changed(
        new_game(),
        phase("B"),
        laid(E12=("790", 0), E10=("8852", 0)),
        company("EUR", 100, {1: 100}, cash=500, trains=(("A-0", "2E", 0),), markers=("E12",),
                unused=1),
        company("SVR", 90, {2: 100}, markers=("D11",), trains=(("A-1", "1F", 0),)),
        operating("EUR", open_from=step),
    )  # fmt: skip

    def change(state: object) -> None:
        for name, value in fields.items():
            setattr(getattr(state, "round"), name, value)  # noqa: B009

    return changed(play, change)


TURN: tuple[tuple[str, Action, str, str], ...] = (
    ("merge", Merge(EUR, "EUR"), "PARTNER_NOT_FLOATED", "1862 §9.1"),
    ("merge", Merge(EUR, "SVR"), "NOT_CONNECTED", "1862 §9.1"),
    ("track", LayTile(EUR, "Z9", "57-0", 0), "HEX_UNKNOWN", "1862 §1.7"),
    ("track", LayTile(EUR, "D13", "99-0", 0), "TILE_UNKNOWN", "1862 §1.6"),
    ("track", LayTile(EUR, "D13", "57-12", 0), "TILE_NOT_IN_SUPPLY", "1862 §8.3"),
    ("track", LayTile(EUR, "D13", "57-0", 6), "ROTATION_OUT_OF_RANGE", "1862 §1.7"),
    ("track", LayTile(EUR, "D13", "790-1", 0), "TILE_NOT_UPGRADE", "1862 §8.3"),
    ("track", LayTile(EUR, "F13", "621-0", 0), "SIDE_CLOSED", "1862 §8.3"),
    ("track", LayTile(EUR, "C4", "621-0", 0), "NOT_CONNECTED", "1862 §8.3"),
    ("track", LayTile(EUR, "E12", "791-0", 4), "TRACK_NOT_KEPT", "1862 §8.3"),
    ("token", PlaceToken(EUR, "99-0-0"), "CITY_UNKNOWN", "FMT §B4.8"),
    ("token", PlaceToken(EUR, "790-0-0"), "TOKEN_TWICE_IN_HEX", "1862 §8.6"),
    ("token", PlaceToken(EUR, "B15-0-3"), "LONDON_NOT_REACHED", "1862 §8.5"),
    ("run", RunRoutes(EUR, (RouteEntry("A-1", ()),)), "TRAIN_NOT_RUNNABLE", "1862 §8.7"),
    ("run", RunRoutes(EUR, (RouteEntry("A-0", (("E12", "D9"),)),)), "ROUTE_INVALID", "FMT §B6"),
    ("dividend", Dividend(EUR, "payout"), "DIVIDEND_FORCED", "1862 §8.8"),
    ("trains", BuyTrain(EUR, "C-0", 280, "3E"), "TRAIN_NOT_ON_SALE", "1862 §8.10"),
    ("trains", BuyTrain(EUR, "B-0", 100, "2F"), "TRAIN_PRICE_WRONG", "1862 §8.10"),
    ("trains", BuyTrain(EUR, "B-0", 200, "3E"), "TRAIN_VARIANT_WRONG", "1862 §1.4"),
    ("trains", BuyTrain(EUR, "B-0", 200, "2F", 4), "WARRANTIES_WRONG", "1862 §8.10"),
    ("trains", BuyTrain(EUR, "A-0", 100), "SELLER_NOT_ALLOWED", "1862 §8.10"),
    ("trains", BuyTrain(EUR, "A-1", 50, "2E"), "TRAIN_VARIANT_WRONG", "1862 §1.4"),
    ("trains", BuyTrain(EUR, "A-1", 50, None, 1), "WARRANTIES_WRONG", "1862 §8.10"),
    ("redeem", BuyShares(EUR, ("EUR_1",), 10), "NOTHING_TO_REDEEM", "1862 §8.13"),
)


@pytest.mark.parametrize(("step", "action", "code", "section"), TURN)
def test_operating_turn(step: str, action: Action, code: str, section: str) -> None:
    """Each step of a turn in the order of play (§8)."""
    refused(building(step), action, code, section)


def test_what_only_some_dividends_may_be() -> None:
    """§8.8: the kind is known; the price of a train is at hand."""
    play = building("dividend", revenue=100)
    refused(play, Dividend(EUR, "half"), "DIVIDEND_KIND_UNKNOWN", "1862 §8.8")
    poor = changed(building("trains"), lambda state: setattr(state.companies["EUR"], "cash", 49))
    refused(poor, BuyTrain(EUR, "A-1", 50), "CASH_SHORT", "1862 §8.10")
    refused(poor, BuyTrain(EUR, "B-0", 200, "2F"), "CASH_SHORT", "1862 §8.10")


def test_a_green_tile_in_phase_a_is_too_early() -> None:
    """§8.3.2: colours follow the phase."""
    play = changed(building("track"), lambda state: setattr(state, "phase", "A"))
    refused(play, LayTile(EUR, "E12", "791-0", 0), "TILE_COLOUR_TOO_EARLY", "1862 §8.3")


def test_receivership_merges_with_nobody() -> None:
    """§7.5, §9.1."""
    play = changed(building("merge"), company("SVR", 90, {MARKET: 80, 2: 20}, markers=("D11",)))
    refused(play, Merge(EUR, "SVR"), "PARTNER_IN_RECEIVERSHIP", "1862 §9.1")
    assert held(state_of(play), 2, "SVR") == ("SVR_6", "SVR_7")
