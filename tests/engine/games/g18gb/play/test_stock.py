"""Stock rounds: buying, selling, starting, converting, presidency (18GB §3, §6, §17.18 to 28)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.g18gb.play.state import State18GB, StockData
from engine.play import shares
from engine.play.actions import (
    BuyShares,
    Choose,
    ChooseAbility,
    Par,
    Pass,
    SellShares,
    player,
    private,
)
from engine.play.entities import MARKET, Cell
from engine.play.game import Play
from engine.play.market import put
from tests.engine.games.g18gb.play.scene import auction, new_game, par, passes, state_of
from tests.engine.play.scene import changed, do, refused

OWNERS = {"LB": 3, "AF": 1, "GN": 1, "SD": 2, "LM": 2, "LS": 3}


def stock_round(cash: int = 2000, turn: int = 3) -> Play:
    """Three players in seating order with cash to spare, seed 2: CR GSWR NBR are tier 2."""

    def enrich(state: State18GB) -> None:
        state.order = (1, 2, 3)
        state.turn = turn
        for entry in state.players.values():
            entry.cash = cash

    return changed(auction(new_game(3, seed=2), OWNERS), enrich)


def with_company(play: Play, sym: str, price_column: int, **holdings: int) -> Play:
    """Give a company a price and players (p1=2 ...) or the market (m=1) certificates.

    The first player named gets the director's certificate as his first two shares.
    """

    def give(state: State18GB) -> None:
        company = state.companies[sym]
        cell = Cell(0, price_column)
        put(state, sym, cell)
        company.par = cell
        company.floated = company.operated = True
        company.trains = ("2+1-0",)
        state.depot = tuple(train for train in state.depot if train != "2+1-0")
        if sym == "LNWR":
            state.lnwr_priority = False
        for holder, count in holdings.items():
            to = MARKET if holder == "m" else int(holder[1:])
            if company.director is None and to != MARKET:
                company.director = int(to)
                shares.hand_over(state, shares.name(sym, 0), to)
                count -= 2
            for share in shares.ordinary(state, sym, sym)[:count]:
                shares.hand_over(state, share, to)

    def renew(state: State18GB) -> None:
        give(state)
        who = state.order[state.round_as(StockData).index]
        state.round_as(StockData).directed = frozenset(
            c.sym for c in state.companies.values() if c.director == who
        )

    return changed(play, renew)


def ten_share(play: Play, sym: str) -> Play:
    """Make a company one of ten shares; the new ones lie in the market."""

    def split(state: State18GB) -> None:
        company = state.companies[sym]
        company.kind, company.unit = "10-share", 10
        company.percents = (20,) + (10,) * 8
        added = tuple(f"{sym}_{number}" for number in range(4, 9))
        state.holdings[MARKET] = (*state.holdings[MARKET], *added)

    return changed(play, split)


def sell(number: int, cards: tuple[str, ...], percent: int) -> SellShares:
    return SellShares(player(number), cards, percent)


def buy(number: int, card: str) -> BuyShares:
    return BuyShares(player(number), (card,))


def price(play: Play, sym: str) -> int:
    row = (50, 55, 60, 65, 70, 75, 80, 90, 100, 115, 130, 145)
    cell = state_of(play).companies[sym].cell
    assert cell is not None
    return row[cell.column]


def cash(play: Play, number: int) -> int:
    return state_of(play).players[number].cash


def units(play: Play, holder: int | str, sym: str) -> int:
    return shares.units(state_of(play), holder, sym)


def test_float_pays_five_times_the_price() -> None:
    """§6.2, §6.3: 40 % sold, five times the price to the treasury, money for shares to the bank."""
    play = do(stock_round(), par(1, "LYR", 80))
    assert cash(play, 1) == 2000 - 160
    company = state_of(play).companies["LYR"]
    assert (company.cash, company.floated, company.director) == (400, True, 1)
    refused(play, par(2, "LYR", 70), "COMPANY_STARTED", "18GB §6.2", "corporation")


def test_floating_at_60_percent_after_a_price_drop() -> None:
    """§17.18: with 60 % needed the price at floating counts, not the par price."""

    def late(state: State18GB) -> None:
        state.companies["LYR"].float_percent = 60

    play = do(changed(stock_round(), late), par(1, "LYR", 80))
    assert state_of(play).companies["LYR"].cash == 0

    def drop(state: State18GB) -> None:
        put(state, "LYR", Cell(0, 4))

    play = changed(play, drop)
    do(play, buy(2, "LYR_1"))
    assert (state_of(play).companies["LYR"].cash, cash(play, 2)) == (350, 2000 - 70)


def test_a_ten_share_start() -> None:
    """§17.19: at 90 the director's certificate costs 180; at 60 % 900 come, 40 % go to market."""

    def event(state: State18GB) -> None:
        company = state.companies["LYR"]
        company.kind, company.unit, company.float_percent = "10-share", 10, 60
        company.percents = (20,) + (10,) * 8
        added = tuple(f"LYR_{number}" for number in range(4, 9))
        state.holdings["LYR"] = (*state.holdings["LYR"], *added)

    play = do(changed(stock_round(), event), par(1, "LYR", 90))
    assert cash(play, 1) == 2000 - 180
    for card in ("LYR_1", "LYR_2", "LYR_3", "LYR_4"):
        passes(play, "trade", until=1)
        assert not state_of(play).companies["LYR"].floated
        do(play, buy(1, card))
    assert state_of(play).companies["LYR"].cash == 900
    assert units(play, MARKET, "LYR") == 4
    assert units(play, "LYR", "LYR") == 0


def test_tiers_and_the_priority_of_lb() -> None:
    """§2.6, §6.5: tier 2 not in stock round 1; LNWR for LB's owner first, and nothing else."""
    play = stock_round(turn=1)
    refused(play, par(1, "CR", 80), "TIER_TOO_EARLY", "18GB §2.6", "corporation")
    refused(play, par(1, "LNWR", 80), "LNWR_PRIORITY", "18GB §6.5", "corporation")
    do(play, par(1, "LYR", 80), Pass(player(2)))
    refused(play, buy(3, "LYR_1"), "LNWR_PRIORITY", "18GB §6.5", "shares")
    refused(play, par(3, "MR", 80), "LNWR_PRIORITY", "18GB §6.5", "corporation")
    starts = {a.corporation for a in play.legal_actions() if isinstance(a, Par)}
    assert starts == {"LNWR"}
    do(play, par(3, "LNWR", 100), buy(1, "LNWR_1"), Pass(player(2)), buy(3, "LYR_1"))


def test_priority_stays_when_lb_is_closed() -> None:
    """§17.24: closing LB does not lift the restriction."""
    play = do(stock_round(), ChooseAbility(private("LB"), "close"))
    refused(play, par(1, "LNWR", 80), "LNWR_PRIORITY", "18GB §6.5", "corporation")


def test_closing_in_stock_rounds() -> None:
    """§4.3: not in stock round 1; later it pays once more, out of turn, and is no act."""
    early = stock_round(turn=1)
    close = ChooseAbility(private("SD"), "close")
    refused(early, close, "CLOSING_TOO_EARLY", "18GB §4.3")
    assert close not in early.legal_actions()
    play = do(stock_round(), close)
    assert cash(play, 2) == 2012
    assert play.actor() == player(1)
    refused(play, close, "PRIVATE_NOT_OPEN", "18GB §4.3", "entity")
    do(play, Pass(player(1)))
    assert state_of(play).round_as(StockData).passing == (1,)


def test_ipo_cap_and_none_in_the_market() -> None:
    """§3.6: not above 60 % from the initial offering; from the market up to 100 %."""
    play = with_company(stock_round(), "LYR", 6, p1=3, m=1)
    refused(play, buy(1, "LYR_3"), "IPO_CAP", "18GB §3.6", "shares")
    do(play, buy(1, "LYR_2"))
    assert units(play, 1, "LYR") == 4


def test_trainless_shares_sell_for_half() -> None:
    """§3.5, §17.20: a trainless company at 75, one share: £37, price 70."""
    play = with_company(stock_round(), "LYR", 5, p1=3)

    def lose(state: State18GB) -> None:
        state.companies["LYR"].trains = ()

    play = do(changed(play, lose), sell(1, ("LYR_1",), 20))
    assert (cash(play, 1), price(play, "LYR")) == (2037, 70)
    done = play.actions()[-1]
    assert isinstance(done, SellShares)
    assert done.share_price == 37


def test_a_sale_may_name_the_price_it_brings() -> None:
    """§3.5: the printed price of a share may stand in the action, and only that."""
    play = with_company(stock_round(), "LYR", 5, p1=3)
    one = SellShares(player(1), ("LYR_1",), 20)
    refused(play, replace(one, share_price=70), "SALE_PRICE_WRONG", "18GB §3.5", "share_price")
    do(play, replace(one, share_price=75))
    assert cash(play, 1) == 2075


def test_sale_of_everything_leads_to_receivership() -> None:
    """§17.21: five shares at 70 pay 350, price 50, nobody can run it."""
    play = with_company(stock_round(), "LYR", 4, p1=5)
    do(play, sell(1, ("LYR_1", "LYR_2", "LYR_3", "LYR_0"), 100))
    assert (cash(play, 1), price(play, "LYR")) == (2350, 50)
    assert state_of(play).companies["LYR"].receivership
    assert units(play, MARKET, "LYR") == 5


def test_price_drops_in_the_last_phase() -> None:
    """§17.22: in phase 6X only sales by the director lower the price."""
    play = ten_share(with_company(stock_round(), "LYR", 9, p2=2, p1=0), "LYR")

    def last(state: State18GB) -> None:
        state.phase = "6X"
        for card in ("LYR_4", "LYR_5", "LYR_6"):
            shares.hand_over(state, card, 1)
        for card in ("LYR_7", "LYR_8"):
            shares.hand_over(state, card, 2)
        state.companies["LYR"].trains = ()

    play = changed(play, last)
    do(play, sell(1, ("LYR_4", "LYR_5", "LYR_6"), 30), Pass(player(1)))
    assert (cash(play, 1), price(play, "LYR")) == (2000 + 171, 115)
    do(play, sell(2, ("LYR_7", "LYR_8", "LYR_0"), 40))
    assert (cash(play, 2), price(play, "LYR")) == (2000 + 4 * 57, 75)


def test_half_of_a_lone_directors_certificate() -> None:
    """§6.13, §17.23: refused if nobody takes over and the market has nothing to give in change."""
    play = with_company(stock_round(), "LYR", 8, p1=2, p2=1)
    half = sell(1, ("LYR_0",), 20)
    refused(play, half, "NO_CHANGE_FOR_DIRECTOR", "18GB §6.13", "percent")
    assert half not in play.legal_actions()
    change = do(with_company(stock_round(), "LYR", 8, p1=2, p2=1, m=1), half)
    assert state_of(change).companies["LYR"].receivership
    assert units(change, 1, "LYR") == 1
    heir = do(with_company(stock_round(), "LYR", 8, p1=2, p2=2), half)
    assert state_of(heir).companies["LYR"].director == 2
    assert (units(heir, 1, "LYR"), units(heir, 2, "LYR")) == (1, 2)
    assert units(heir, MARKET, "LYR") == 1


def test_two_of_three_units_leave_one_share() -> None:
    """§17.23: with one ordinary certificate beside it, two units may be sold; 20 % stay."""
    play = with_company(stock_round(), "LYR", 8, p1=3)
    do(play, sell(1, ("LYR_1", "LYR_0"), 40))
    assert state_of(play).companies["LYR"].receivership
    assert shares.held(state_of(play), 1, "LYR") == ("LYR_1",)
    assert cash(play, 1) == 2200


def test_new_director_gives_the_certificates_he_got_first() -> None:
    """§6.13: of LNWR_7, _8, _3, bought in this order, he gives 7 and 8."""
    play = ten_share(with_company(stock_round(), "LNWR", 8, p1=2), "LNWR")

    def give(state: State18GB) -> None:
        for card in ("LNWR_7", "LNWR_8", "LNWR_3"):
            shares.hand_over(state, card, 2)
        shares.hand_over(state, "LNWR_4", 1)
        state.round_as(StockData).index = 0

    play = do(changed(play, give), sell(1, ("LNWR_4",), 10))
    assert state_of(play).companies["LNWR"].director == 2
    assert shares.held(state_of(play), 2, "LNWR") == ("LNWR_3", "LNWR_0")
    assert shares.held(state_of(play), 1, "LNWR") == ("LNWR_7", "LNWR_8")


def test_ties_go_to_the_nearest_after_the_old_director() -> None:
    """§6.13: among equals the nearest clockwise in turn order; a tie with him keeps him."""
    play = with_company(stock_round(), "LYR", 8, p2=2, p1=1, p3=2)
    assert state_of(play).companies["LYR"].director == 2
    play = do(play, Pass(player(1)), sell(2, ("LYR_0",), 20))
    assert state_of(play).companies["LYR"].director == 3


def test_directors_certificate_out_of_the_market() -> None:
    """§6.10: with exactly one share, for the price of one; cash for two is asked by the site."""
    play = with_company(stock_round(), "LYR", 3, p2=2, p1=1)
    do(play, Pass(player(1)), sell(2, ("LYR_0",), 40), Pass(player(2)))
    refused(play, buy(3, "LYR_0"), "EXCHANGE_NEEDS_ONE_SHARE", "18GB §6.10", "shares")
    do(play, Pass(player(3)))
    before = cash(play, 1)
    do(play, BuyShares(player(1), ("LYR_0",), 40))
    assert cash(play, 1) == before - price(play, "LYR")
    assert state_of(play).companies["LYR"].director == 1
    assert shares.held(state_of(play), 1, "LYR") == ("LYR_0",)
    assert "LYR_1" in state_of(play).holdings[MARKET]


def test_what_was_sold_is_not_bought_again() -> None:
    """§6.6, §17.25: may sell more of it in another turn, may not buy it in the round."""
    play = with_company(stock_round(), "LYR", 8, p2=2, p1=2, m=1)
    refused(do(play.copy(), buy(1, "LYR_3")), buy(1, "LYR_3"), "NOT_YOUR_TURN", "FMT §B8")
    do(play, sell(1, ("LYR_1",), 20))
    refused(play, buy(1, "LYR_3"), "SOLD_THIS_ROUND", "18GB §6.6", "shares")
    again = sell(1, ("LYR_2",), 20)
    refused(play, again, "SOLD_IN_ONE_BLOCK", "18GB §6.12", "shares")
    do(play, Pass(player(1)), Pass(player(2)), Pass(player(3)), again)


def test_nothing_is_sold_after_a_purchase() -> None:
    """§6.1: a cheap second share keeps the turn open, but not for sales."""
    play = with_company(stock_round(), "LYR", 1, p1=2, m=3)
    do(play, buy(1, "LYR_1"))
    refused(play, sell(1, ("LYR_1",), 20), "SALE_AFTER_PURCHASE", "18GB §6.1", "type")
    do(play, buy(1, "LYR_2"))
    assert play.actor() == player(2)


def test_second_share_only_for_who_was_director_before() -> None:
    """§6.9, §17.27: who became director in this very turn buys one only."""
    play = with_company(stock_round(), "LYR", 1, p2=2, p1=2, m=1)
    do(play, buy(1, "LYR_3"))
    assert state_of(play).companies["LYR"].director == 1
    assert play.actor() == player(2)


def test_certificate_limit() -> None:
    """§6.7: at the limit nothing is bought; above it a player must sell before anything else,
    even before he takes over a director's certificate (§6.10)."""

    def crowd(count: int) -> Play:
        def fill(state: State18GB) -> None:
            for sym in ("MR", "NER", "CR", "NBR", "GSWR"):
                put(state, sym, Cell(0, 8))
                state.companies[sym].director = 1
                for number in range(4):
                    if len(state.holdings[1]) < count:
                        shares.hand_over(state, f"{sym}_{number}", 1)

        return changed(with_company(stock_round(), "LYR", 8, p2=2, m=1), fill)

    full = crowd(14)
    refused(full, buy(1, "LYR_1"), "CERTIFICATE_LIMIT", "18GB §6.7", "shares")
    refused(full, par(1, "LNWR", 70), "CERTIFICATE_LIMIT", "18GB §6.7", "corporation")
    over = crowd(15)
    refused(over, Pass(player(1)), "MUST_SELL", "18GB §6.7", "type")
    assert {type(action) for action in over.legal_actions()} == {SellShares, ChooseAbility}

    def abandon(state: State18GB) -> None:
        shares.hand_over(state, "LYR_0", MARKET)
        shares.hand_over(state, "LYR_1", 1)
        state.companies["LYR"].director = None

    exchange = buy(1, "LYR_0")
    offers = changed(crowd(13), abandon).legal_actions()
    assert any(isinstance(a, BuyShares) and a.shares == exchange.shares for a in offers)
    orphan = changed(crowd(14), abandon)
    refused(orphan, exchange, "MUST_SELL", "18GB §6.7", "type")
    assert {type(action) for action in orphan.legal_actions()} == {SellShares, ChooseAbility}


def test_conversion() -> None:
    """§6.11: MR 90 to 75, +375; first act of a turn; then one share of that company only."""
    play = with_company(with_company(stock_round(), "LYR", 8, p2=2, m=1), "MR", 7, p1=3)
    choice = Choose(player(1), "convert_MR")
    refused(play, Choose(player(1), "convert_LYR"), "NOT_CONVERTIBLE", "18GB §6.11", "choice")
    do(play, choice)
    company = state_of(play).companies["MR"]
    assert (price(play, "MR"), company.cash, company.kind) == (75, 375, "10-share")
    assert units(play, MARKET, "MR") == 5
    assert len(company.tokens) == 3
    refused(play, buy(1, "LYR_1"), "CONVERTED_COMPANY_ONLY", "18GB §6.1", "shares")
    refused(play, par(1, "NER", 70), "CONVERTED_COMPANY_ONLY", "18GB §6.1", "corporation")
    refused(play, sell(1, ("MR_1",), 10), "SALE_AFTER_CONVERSION", "18GB §6.1", "type")
    do(play, buy(1, "MR_4"))
    assert play.actor() == player(2)


def test_no_conversion_too_early_or_after_a_sale() -> None:
    """§17.28: not before the first operation, not after selling in the same turn."""
    play = with_company(with_company(stock_round(), "LYR", 8, p1=3), "MR", 7, p1=3)
    sold = do(play.copy(), sell(1, ("LYR_1",), 20))
    choice = Choose(player(1), "convert_MR")
    refused(sold, choice, "CONVERSION_NOT_FIRST", "18GB §6.11", "choice")

    def fresh(state: State18GB) -> None:
        state.companies["MR"].operated = False

    refused(changed(play, fresh), choice, "NOT_OPERATED", "18GB §6.11", "choice")


def test_order_of_the_next_round() -> None:
    """§6.14, §17.26: order of the final unbroken passing; who acts loses his place."""
    play = with_company(stock_round(), "LYR", 8, p2=2, m=2)
    do(play, Pass(player(1)), Pass(player(2)), par(3, "LNWR", 80))
    do(play, buy(1, "LYR_1"), Pass(player(2)), Pass(player(3)), Pass(player(1)))
    assert state_of(play).order == (2, 3, 1)
    assert play.current.round.kind == "operating"


@pytest.mark.parametrize(("money", "asked"), [(139, False), (140, True)])
def test_a_player_without_any_act_passes_by_himself(money: int, asked: bool) -> None:
    """§6.14, §16.3: no entry; with £140 he could start a company and is asked.

    If the others pass so, the round is over, and with no company floated the
    operating rounds are too: the first player opens the next stock round.
    """

    def impoverish(state: State18GB) -> None:
        state.players[2].cash = state.players[3].cash = money

    play = do(changed(stock_round(), impoverish), Pass(player(1)))
    assert play.current.turn == (3 if asked else 4)
    assert play.actor() == player(2 if asked else 1)
