"""Deal, parliament, stock rounds and obligations: the edge cases of 1862 §17.1 to §17.13."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.errors import StateError
from engine.games.g1862.play.state import IPO
from engine.play.actions import (
    BuyShares,
    CharterBid,
    Choose,
    Par,
    Pass,
    SellShares,
    player,
)
from engine.play.entities import MARKET, Holder
from engine.play.game import Play
from engine.play.shares import held
from tests.engine.games.g1862.play.scene import (
    cash,
    company,
    named,
    new_game,
    percents,
    phase,
    price,
    state_of,
    stock_round,
)
from tests.engine.play.scene import changed, do, refused

VECTORS = {
    (46925, 3): (
        "WVR-E Y&N-F ECR-F ENR-F EUR-E N&E-F L&E-F WNR-L",
        "WStI-F L&H-L NGC-E W&F-L",
        "SVR-E N&B-E L&D-L FDR-L",
    ),
    (1667116081, 3): (
        "E&H-E ENR-E SVR-F N&E-L NGC-L ESR-L WNR-L L&E-F",
        "FDR-F ECR-E WStI-F N&S-F",
        "L&D-L N&B-F L&H-E EUR-E",
    ),
    (195901436, 4): (
        "N&S-E ESR-E N&E-F Y&N-L SVR-F ECR-E L&D-F FDR-E",
        "I&B-E L&E-L L&H-L WNR-L",
        "W&F-L WStI-F WVR-F ENR-F",
    ),
    (12345, 7): (
        "N&S-F ECR-L L&D-E L&H-E W&F-L FDR-E EUR-L WVR-E I&B-F",
        "WStI-E Y&N-L E&H-F ENR-L",
        "NGC-F WNR-F N&B-L SVR-E",
    ),
    (12345, 8): (
        "L&E-E N&S-L ECR-L L&D-E L&H-L W&F-E FDR-E EUR-L WVR-E I&B-F",
        "WStI-F Y&N-F E&H-F ENR-L",
        "NGC-E WNR-L N&B-F SVR-F",
    ),
}
"""Test vectors of §2.5: companies with permits, by group."""


@pytest.mark.parametrize(("seed", "players"), VECTORS)
def test_deals_by_seed(seed: int, players: int) -> None:
    """§2.5, §17.1: groups and permits of the vectors; the rest is out of the game."""
    state = state_of(new_game(players, seed))
    dealt = {sym: f"{sym}-{c.permit[0].upper()}" for sym, c in state.charters.items()}
    for group, expected in zip("ABC", VECTORS[seed, players], strict=True):
        found = {dealt[sym] for sym, c in state.charters.items() if c.group == group}
        assert found == set(expected.split())


@pytest.mark.parametrize(
    ("players", "money", "limit"),
    [
        (2, 1200, 25),
        (3, 800, 18),
        (4, 600, 13),
        (5, 480, 11),
        (6, 400, 10),
        (7, 345, 9),
        (8, 300, 8),
    ],
)
def test_set_up(players: int, money: int, limit: int) -> None:
    """§2.1: cash and limits; the bank has what is left of £15,000."""
    state = state_of(new_game(players))
    assert {holder.cash for holder in state.players.values()} == {money}
    assert state.limit == limit
    assert state.bank == 15000 - money * players


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ((), "7643321"),
        (("short_length",), "6543321"),
        (("long_length",), "7654321"),
        (("short_length", "long_length"), "6554321"),
    ],
)
def test_manifests(options: tuple[str, ...], counts: str) -> None:
    """§1.5, FMT §A3: trains by length; H trains never run out."""
    depot = state_of(new_game(options=options)).depot
    found = "".join(str(sum(train[0] == band for train in depot)) for band in "ABCDEFG")
    assert found == counts
    assert depot[-1] == "H-0"


def test_options_that_do_not_fit() -> None:
    """§14: unknown options, two variants of types, new players without a simple variant."""
    for options, code in (
        (("tiny",), "OPTION_UNKNOWN"),
        (("simple_express", "advanced_freight"), "OPTIONS_EXCLUDE"),
        (("new_players",), "OPTION_NEEDS_OTHER"),
    ):
        with pytest.raises(StateError) as error:
            new_game(options=options)
        assert error.value.faults[0].code == code
    with pytest.raises(StateError):
        new_game(9)


def opened(play: Play) -> str:
    """Return a company that may be opened."""
    return next(a.corporation for a in play.legal_actions() if isinstance(a, CharterBid))


def test_162_pounds_are_needed_in_parliament() -> None:
    """§4.2, §17.2: £161 must pass, £162 may open at £0 but not raise to £5."""
    play = changed(new_game(), cash(p1=162, p2=162, p3=166))
    sym = opened(play)
    refused(play, CharterBid(player(1), sym, 5), "CASH_SHORT", "1862 §4.2")
    do(play, CharterBid(player(1), sym, 0))
    assert play.actor() == player(1), "nobody else can raise: the opener has won"
    assert {a.share_price for a in play.legal_actions() if isinstance(a, Par)} == {named(54)}
    poor = changed(new_game(), cash(p2=161, p3=161))
    do(poor, Pass(player(1)))
    assert poor.current.round.kind != "parliament" or poor.current.round.number == 2


@pytest.mark.parametrize(("money", "highest"), [(800, 100), (195, 54), (199, 58)])
def test_pars_that_the_winner_can_pay(money: int, highest: int) -> None:
    """§4.4, §17.3: after a bid of £25, £175 do for 58, £170 only for 54, £775 for all."""
    play = changed(new_game(), cash(p1=money, p2=162, p3=162))
    sym = opened(play)
    do(play, CharterBid(player(1), sym, 25))
    pars = [a.share_price for a in play.legal_actions() if isinstance(a, Par)]
    assert pars[-1] == named(highest)
    refused(play, Pass(player(1)), "PAR_COMPULSORY", "1862 §4.4")


def test_a_charter_with_two_shares_floats() -> None:
    """§4.4, §6.6, §17.4: par 62: 10 x 62 - 180 = £440 and three markers."""
    play = new_game()
    sym = opened(play)
    do(play, CharterBid(player(1), sym, 0), Pass(player(2)), CharterBid(player(3), sym, 5))
    do(play, Pass(player(1)), Par(player(3), sym, named(62)))
    refused(play, CharterBid(player(3), sym, 10), "AUCTION_OVER", "1862 §4.4")
    do(play, BuyShares(player(3), (f"{sym}_1",), 10), BuyShares(player(3), (f"{sym}_2",), 10))
    state = state_of(play)
    assert (state.companies[sym].cash, len(state.companies[sym].tokens)) == (440, 3)
    assert state.players[3].cash == 800 - 5 - 5 * 62
    assert play.actor() == player(1), "left of the winner"
    do(play, Pass(player(1)), Pass(player(2)))
    assert play.current.round.number == 2, "the winner opens no auction in this round"


def fined(money: int, more: Mapping[Holder, int] | None = None) -> Play:
    """A stock round in which an unfloated charter at 62 of player 1 falls due."""
    play = changed(
        new_game(),
        company("E&H", 62, {1: 30, IPO: 70}, chartered=True, floated=False),
        company("SVR", 100, more or {2: 100}, trains=(("A-0", "1F", 0),)),
        cash(p1=money),
        stock_round,
    )
    return do(play, Pass(player(1)), Pass(player(2)), Pass(player(3)))


def test_fine_for_a_charter() -> None:
    """§5, §17.5: £310: 100 in cash, 93 for the certificate; 117 are forgiven without shares."""
    play = fined(100)
    state = state_of(play)
    assert state.players[1].cash == 0
    assert percents(play, "E&H") == {IPO: 100}
    assert held(state, IPO, "E&H") == tuple(f"E&H_{n}" for n in range(8))
    assert state.round.kind == "operating"


def test_fine_paid_by_other_shares() -> None:
    """§5.3: the rest of £117 comes from shares of the debtor's choice; the surplus is his."""
    play = fined(100, {2: 70, 1: 30})
    assert (play.step(), play.actor()) == ("forced sale", player(1))
    cards = held(state_of(play), 1, "SVR")
    refused(play, SellShares(player(1), ("SVR_9",), 10), "BLOCK_NOT_OWNED", "1862 §6.3")
    do(play, SellShares(player(1), cards[:1], 10))
    assert play.step() == "forced sale"
    do(play, SellShares(player(1), cards[1:], 20))
    assert state_of(play).players[1].cash == 100 + 2 * 95 - 117
    assert play.step() != "forced sale"


def test_excess_of_a_fine_is_refunded() -> None:
    """§5.2: with £280 the certificate covers the rest of £30: £63 come back."""
    assert state_of(fined(280)).players[1].cash == 63


def test_a_debt_ends_with_the_last_share() -> None:
    """§5.3: what player 2 owes is forgiven once the sale of player 1 has taken his only share's
    company, at 14, to 0."""
    play = changed(
        new_game(),
        company("E&H", 100, {1: 30, IPO: 70}, chartered=True, floated=False),
        company("ECR", 54, {2: 30, IPO: 70}, chartered=True, floated=False),
        company("SVR", 14, {3: 50, 1: 30, 2: 10, MARKET: 10}, trains=(("A-0", "1F", 0),)),
        cash(p1=0, p2=0),
        stock_round,
    )
    do(play, Pass(player(1)), Pass(player(2)), Pass(player(3)))
    assert play.actor() == player(1)
    do(play, SellShares(player(1), held(state_of(play), 1, "SVR"), 30))
    state = state_of(play)
    assert percents(play, "SVR") == {IPO: 100}
    assert (state.players[1].cash, state.players[2].cash) == (0, 0)
    assert play.step() == "charter"


@pytest.mark.parametrize(
    ("at", "seller", "sold", "after"),
    [
        (310, 2, 1, 310),
        (275, 2, 3, 245),
        (310, 1, 8, 200),
        (350, 1, 3, 292),
        (430, 2, 2, 430),
        (56, 1, 8, 31),
        (36, 2, 1, 36),
        (40, 2, 1, 36),
    ],
)
def test_prices_after_sales(at: int, seller: int, sold: int, after: int) -> None:
    """§6.3.5, §17.6, §17.7: zones protect sellers who are not director."""
    parts: dict[Holder, int] = {1: 80, 2: 20} if seller == 1 else {1: 70, 2: 30}
    play = changed(
        new_game(),
        company("EUR", at, parts, trains=(("A-0", "2E", 0),), markers=("E12",)),
        cash(p1=0, p2=0),
        stock_round,
    )
    if seller == 2:
        play = changed(play, lambda state: setattr(state.round, "index", 1))
    sale = next(
        a for a in play.legal_actions() if isinstance(a, SellShares) and a.percent == 10 * sold
    )
    do(play, sale)
    assert price(play, "EUR") == after
    assert state_of(play).players[seller].cash == at * sold
    if sold == 8:
        assert state_of(play).companies["EUR"].receivership


def test_top_zone_for_directors_by_the_rulebook() -> None:
    """D3: at 430 a director's first two shares are free by the rulebook only."""
    for profile, after in (("18xx.games", 375), ("rulebook", 430)):
        play = changed(
            new_game(profile=profile),
            company("EUR", 430, {1: 80, 2: 20}, trains=(("A-0", "2E", 0),)),
            stock_round,
        )
        do(play, SellShares(player(1), held(state_of(play), 1, "EUR")[1:3], 20))
        assert price(play, "EUR") == after


def test_trainless_shares_bring_half() -> None:
    """§17.8: at 71 they sell for 35 and cost 71; what was sold is not bought again."""
    play = changed(new_game(), company("EUR", 71, {1: 80, 2: 20}), cash(p1=200), stock_round)
    card = held(state_of(play), 1, "EUR")[1]
    refused(play, SellShares(player(1), (card,), 10, 71), "SALE_PRICE_WRONG", "1862 §6.3")
    do(play, SellShares(player(1), (card,), 10, 35))
    assert state_of(play).players[1].cash == 235
    refused(play, BuyShares(player(1), (card,), 10), "SOLD_THIS_ROUND", "1862 §6.4")
    do(play, Pass(player(1)))
    cost = price(play, "EUR")
    do(play, BuyShares(player(2), (card,), 10))
    assert state_of(play).players[2].cash == 800 - cost


def test_shares_of_this_round_are_not_sold() -> None:
    """§6.3.3, §17.9: what was bought in this round stays."""
    play = changed(
        new_game(),
        company("EUR", 71, {1: 60, MARKET: 30, 2: 10}, trains=(("A-0", "2E", 0),)),
        stock_round,
        lambda state: setattr(state.round, "index", 1),
    )
    do(play, BuyShares(player(2), held(state_of(play), MARKET, "EUR")[:1], 10))
    do(play, Pass(player(3)), Pass(player(1)))
    cards = held(state_of(play), 2, "EUR")
    refused(play, SellShares(player(2), cards, 20), "BOUGHT_THIS_ROUND", "1862 §6.3")
    do(play, SellShares(player(2), cards[:1], 10))


@pytest.mark.parametrize(
    ("profile", "mine", "possible"),
    [
        ("18xx.games", 30, {2, 3}),
        ("rulebook", 30, {2, 3}),
        ("18xx.games", 40, {1, 3, 4}),
        ("rulebook", 40, {1, 2, 3, 4}),
    ],
)
def test_parts_of_a_directors_certificate(profile: str, mine: int, possible: set[int]) -> None:
    """§6.3.4, §17.10, D2: with one share in the pool and nobody else with three."""
    rest: dict[Holder, int] = {2: 20, 3: 20, "EUR": 50 - mine}
    play = changed(
        new_game(profile=profile),
        company("EUR", 100, {1: mine, MARKET: 10, **rest}, trains=(("A-0", "2E", 0),)),
        stock_round,
    )
    sales = [a for a in play.legal_actions() if isinstance(a, SellShares)]
    assert {(a.percent or 0) // 10 for a in sales} == possible
    for units in {1, 2, 3} - possible:
        cards = held(state_of(play), 1, "EUR")
        sale = SellShares(player(1), (*cards[1:], cards[0]), 10 * units)
        refused(play, sale, "NO_CHANGE_FOR_DIRECTOR", "1862 §6.3")
    for sale in sales:
        other = do(play.copy(), sale)
        assert percents(other, "EUR").get(1, 0) == mine - (sale.percent or 0)
        assert state_of(other).companies["EUR"].receivership == (mine - (sale.percent or 0) < 30)


def test_the_third_share_ends_receivership() -> None:
    """§6.9, §17.11: the buyer exchanges three ordinary shares for the director's certificate."""
    play = changed(
        new_game(),
        company("EUR", 100, {MARKET: 80, 1: 20}, trains=(("A-0", "2E", 0),)),
        stock_round,
    )
    do(play, BuyShares(player(1), held(state_of(play), MARKET, "EUR")[1:2], 10))
    assert held(state_of(play), 1, "EUR") == ("EUR_0",)
    assert state_of(play).companies["EUR"].director == 1


def test_equal_shares_change_no_director() -> None:
    """§6.8, §17.12: only more shares do; the new director gives his first three for it."""
    play = changed(
        new_game(),
        company("EUR", 100, {1: 40, 2: 30, MARKET: 30}, trains=(("A-0", "2E", 0),)),
        stock_round,
        lambda state: setattr(state.round, "index", 1),
    )
    do(play, BuyShares(player(2), held(state_of(play), MARKET, "EUR")[:1], 10))
    assert state_of(play).companies["EUR"].director == 1
    do(play, Pass(player(3)), Pass(player(1)))
    do(play, BuyShares(player(2), held(state_of(play), MARKET, "EUR")[:1], 10))
    assert state_of(play).companies["EUR"].director == 2
    assert held(state_of(play), 1, "EUR") == ("EUR_1", "EUR_2", "EUR_3", "EUR_4")


@pytest.mark.parametrize(("start", "par"), [(95, 90), (105, 100), (54, 54), (200, 100)])
def test_start_without_charter(start: int, par: int) -> None:
    """§6.5, §17.13: the money goes to the company; its par is the chartered one below."""
    play = changed(new_game(), phase("C"), stock_round)
    sym = next(a.corporation for a in play.legal_actions() if isinstance(a, Par))
    do(play, Par(player(1), sym, named(start)))
    state = state_of(play)
    assert (state.companies[sym].cash, state.charters[sym].par) == (3 * start, par)
    assert percents(play, sym) == {1: 30, sym: 70}


def test_flotation_without_charter() -> None:
    """§6.6, §17.13: 50 % at 58 leave £290: two to seven markers at £40."""
    play = changed(
        new_game(),
        company("EUR", 58, {1: 40, "EUR": 60}, cash=232, floated=False, markers=()),
        stock_round,
    )
    do(play, BuyShares(player(1), held(state_of(play), "EUR", "EUR")[:1], 10))
    assert (play.step(), play.actor()) == ("markers", player(1))
    assert [a.choice for a in play.legal_actions() if isinstance(a, Choose)] == [2, 3, 4, 5, 6, 7]
    for unknown in (8, "8", "07", "many"):
        refused(play, Choose(player(1), unknown), "CHOICE_UNKNOWN", "1862 §6.6")
    said = play.copy().apply(Choose(player(1), "7")).actions()[-1]
    assert said == Choose(player(1), 7)
    do(play, Choose(player(1), 7))
    state = state_of(play)
    assert (state.companies["EUR"].cash, len(state.companies["EUR"].tokens)) == (10, 7)
    assert play.actor() == player(2)


def test_priority_goes_left_of_the_last_to_act() -> None:
    """§6.1: the round ends when all have passed in succession."""
    play = changed(
        new_game(),
        company("EUR", 100, {1: 40, 2: 30, MARKET: 30}, trains=(("A-0", "2E", 0),)),
        stock_round,
    )
    do(play, Pass(player(1)), BuyShares(player(2), held(state_of(play), MARKET, "EUR")[:1], 10))
    do(play, Pass(player(3)), Pass(player(1)), Pass(player(2)))
    assert state_of(play).order == (3, 1, 2)
    assert state_of(play).round.kind == "operating"
