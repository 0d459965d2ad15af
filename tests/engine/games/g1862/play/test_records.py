"""What a record has and what it has not: turns that close by themselves, fines, forced purchases.

Each game of ``tests/data/games`` named here was played by robots up to the moment in question.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.games.g1862.play.state import IPO, Fitting, OperatingData, State1862, StockData
from engine.notation.gamefile import Replay, read_game
from engine.play.actions import (
    BuyShares,
    BuyTrain,
    Choose,
    Convert,
    Dividend,
    Merge,
    Pass,
    SellShares,
    action_from,
    corporation,
    player,
)
from engine.play.entities import MARKET
from engine.play.game import Play
from engine.play.shares import held
from engine.play.state import Sale
from tests.engine.games.g1862.play.scene import (
    cash,
    company,
    laid,
    new_game,
    operating,
    percents,
    phase,
    price,
    state_of,
    stock_round,
)
from tests.engine.play.scene import changed, do, refused

GAMES = Path(__file__).resolve().parents[4] / "data" / "games"
SITE, RULEBOOK = "18xx.games", "rulebook"
EUR = corporation("EUR")


def replayed(name: str, back: int = 0, profile: str = SITE) -> Play:
    """Return a game without its last actions, so many as told."""
    raw = json.loads((GAMES / f"1862-{name}.json").read_text("utf-8"))
    ids = [entry["id"] for entry in raw["actions"]]
    return Replay(read_game(raw, profile)).run(until=ids[-1 - back])


def last_of(name: str) -> dict[str, object]:
    """Return the last entry of a game."""
    raw = json.loads((GAMES / f"1862-{name}.json").read_text("utf-8"))
    entry: dict[str, object] = raw["actions"][-1]
    return entry


def debts(play: Play) -> list[int]:
    """Return what players still owe for charters, £."""
    data = state_of(play).round
    assert isinstance(data, StockData)
    return [debt.amount for debt in data.debts]


@pytest.mark.parametrize("profile", [SITE, RULEBOOK])
def test_who_won_a_charter_is_fined_though_he_has_sold_it(profile: str) -> None:
    """§5.1: 2 has won SVR, sold it to the pool, and pays 5 x £54 all the same; his cash of £10
    goes, a share of N&B brings £30, the rest is forgiven. 3 pays £39 and hands in L&E."""
    play = replayed("charter-fine-after-sale", profile=profile)
    assert (play.step(), play.actor()) == ("forced sale", player(2))
    state = state_of(play)
    assert {number: each.cash for number, each in state.players.items()} == {1: 19, 2: 0, 3: 0}
    assert percents(play, "SVR") == percents(play, "L&E") == {IPO: 100}
    assert debts(play)[0] == 5 * 54 - 10
    do(play, SellShares(player(2), ("N&B_4",), 10))
    assert state_of(play).players[2].cash == 0
    assert state_of(play).obligations == ()
    assert play.step() != "forced sale"


def test_fines_follow_seats_and_the_order_in_which_charters_were_won() -> None:
    """§5.2: each charter takes cash first, then its own shares; what comes back from one pays
    for the next."""

    def fined(*order: str) -> tuple[int, int]:
        par = {"E&H": 100, "WNR": 54}
        charters = [
            company(s, par[s], {1: 30, IPO: 70}, chartered=True, floated=False) for s in order
        ]
        other = company("SVR", 191, {2: 70, 1: 30}, markers=("D11",))
        play = changed(new_game(), *charters, other, cash(p1=230), stock_round)
        do(play, Pass(player(1)), Pass(player(2)), Pass(player(3)))
        return state_of(play).players[1].cash, debts(play)[0]

    # WNR: £230 of 270 in cash, £40 of its 3 x 27 = 81, £41 back; then E&H: 500 - 41 - 150
    assert fined("WNR", "E&H") == (0, 309)
    # E&H: £230 and 150 of 500; then WNR: 81 of 270
    assert fined("E&H", "WNR") == (0, 120 + 189)


def test_a_charter_that_others_float_costs_its_winner_nothing() -> None:
    """§5.1: once it has floated nobody answers for it."""
    play = changed(
        new_game(),
        company("E&H", 100, {1: 40, IPO: 60}, chartered=True, floated=False),
        cash(p1=0, p2=300),
        stock_round,
        lambda state: setattr(state.round, "index", 1),
    )
    do(play, BuyShares(player(2), held(state_of(play), IPO, "E&H")[:1], 10))
    assert state_of(play).companies["E&H"].floated
    assert state_of(play).obligations == ()


def test_refinancing_is_a_choice_only_where_treasury_shares_would_do() -> None:
    """§8.11.4, §15.2: with one way only `convert` is neither offered nor taken; `pass` goes it."""
    play = replayed("convert-when-refinancing-is-the-only-way", back=1)
    firm = corporation("L&E")
    assert play.step() == "trains"
    kinds = {action.TYPE for action in play.legal_actions()}
    assert kinds == {"buy_train", "pass"}
    refused(play, Convert(firm), "NO_REFINANCING", "1862 §8.11")
    do(play, Pass(firm))
    data = state_of(play).round
    assert isinstance(data, OperatingData)
    assert data.bank_only or data.company != "L&E"


def test_a_used_train_of_a_full_type_does_not_keep_the_step_open() -> None:
    """§15.3: the only train that L&H could pay is of a type of which it has three; its pass is
    one to redeeming, and what follows it is refused."""
    play = replayed("trains-step-used-train-of-full-type", back=2)
    assert play.step() == "redeem"
    do(play, Pass(corporation("L&H")))
    assert play.step() == "acquire"
    late = action_from(last_of("trains-step-used-train-of-full-type"))
    refused(play, late, "WRONG_STEP", "FMT §B8")


@pytest.mark.parametrize(("money", "room", "step"), [(200, 0, "trains"), (199, 0, "redeem")])
def test_the_banks_train_keeps_the_step_open_without_room_for_it(
    money: int, room: int, step: str
) -> None:
    """§15.3: three Expresses and three Freights leave room for a Local; the bank's train is
    enough to wait, affordable or not decides."""
    owned = tuple((f"A-{n}", "2E" if n < 3 else "1F", 0) for n in range(6))
    play = changed(
        new_game(),
        phase("B"),
        company("EUR", 60, {1: 60, MARKET: 40}, cash=money, trains=owned, markers=("E12",)),
        operating("EUR", open_from="trains"),
    )
    assert play.step() == step


def test_trains_of_a_bankrupt_company_stay_for_sale_on_the_site() -> None:
    """§8.12, D26: the step waits, the purchase works, the money goes to who is not started."""
    play = replayed("trains-step-bankrupt-company-trains")
    firm = corporation("ENR")
    assert play.step() == "trains"
    state = state_of(play)
    assert set(state.stranded) == {"A-1", "A-6"}
    gone = state.stranded["A-1"]
    assert not state.companies[gone].started
    do(play, BuyTrain(firm, "A-1", 50))
    state = state_of(play)
    assert (state.companies["ENR"].cash, state.companies[gone].cash) == (100, 50)
    assert "A-1" in state.companies["ENR"].trains
    assert set(state.stranded) == {"A-6"}


def test_trains_of_a_bankrupt_company_leave_the_game_by_the_rulebook() -> None:
    """§8.12, D26."""
    play = replayed("trains-step-bankrupt-company-trains", profile=RULEBOOK)
    assert play.step() == "redeem"
    assert state_of(play).stranded == {}


def test_stranded_trains_rust() -> None:
    """§11.1, D26: with the first C train the A trains of a bankrupt company go as well; one
    under warranty stays."""
    play = changed(
        new_game(),
        phase("C"),
        company("SVR", 14, {1: 60, MARKET: 40}, trains=(("B-0", "2F", 0),), markers=("D11",)),
        company("EUR", 60, {1: 60, MARKET: 40}, cash=280, markers=("E12",)),
        lambda state: setattr(state, "phase", "B"),
        operating("SVR", "EUR", open_from="dividend", revenue=10),
    )
    state = state_of(play)
    state.fittings |= {"A-0": Fitting("1F", 0), "A-1": Fitting("1F", 1)}
    state.companies["SVR"].trains = ("A-0", "B-0", "A-1")
    do(play, Dividend(corporation("SVR"), "withhold"))
    assert set(state_of(play).stranded) == {"A-0", "A-1", "B-0"}
    play = changed(play, operating("EUR", open_from="trains"))
    do(play, BuyTrain(EUR, "C-0", 280, "3E"))
    assert set(state_of(play).stranded) == {"A-1", "B-0"}


@pytest.mark.parametrize(("profile", "waits"), [(SITE, True), (RULEBOOK, False)])
def test_a_directors_certificate_alone_in_the_pool_keeps_the_turn(
    profile: str, waits: bool
) -> None:
    """§15.3, D24: player 3 has £21 after his sale, three times the price of ECR and EUR,
    whose director's certificates lie alone in the pool; they cannot be bought."""
    play = replayed("stock-turn-director-card-in-pool", profile=profile)
    assert (play.actor() == player(3)) is waits
    if waits:
        assert list(play.legal_actions()) == [Pass(player(3))]
        card = BuyShares(player(3), ("ECR_0",), 30)
        refused(play, card, "SHARE_NOT_FOR_SALE", "1862 §6.4")


@pytest.mark.parametrize(
    "change",
    [
        cash(p3=20),
        lambda state: setattr(state, "limit", 1),
        lambda state: setattr(
            state.round, "sales", state.round.sales | {Sale(3, "ECR"), Sale(3, "EUR")}
        ),
    ],
)
def test_what_a_directors_certificate_in_the_pool_asks_for(
    change: Callable[[State1862], None],
) -> None:
    """§15.3, D24: with less money, at the limit, or when he has sold both of them it closes."""
    play = replayed("stock-turn-director-card-in-pool")
    assert changed(play).step() == "trade"
    assert changed(play, change).step() == ""


def test_the_site_gives_back_certificates_as_they_were_named() -> None:
    """§15.4b, D25: 3 of 4 shares are sold with WVR_0 named first: it comes back, whole, and its
    holder stays director. What is offered names it last, and then it stays in the pool."""
    name = "partial-director-sale-order"
    play = replayed(name)
    assert held(state_of(play), 2, "WVR") == ("WVR_0",)
    assert held(state_of(play), MARKET, "WVR") == ("WVR_1",)
    assert state_of(play).companies["WVR"].director == 2
    assert state_of(play).players[2].cash == 416 + 3 * 50

    play = replayed(name, back=1)
    sales = [a for a in play.legal_actions() if isinstance(a, SellShares)]
    listed = [a for a in sales if a.shares[0].startswith("WVR") and a.percent == 30]
    assert [a.shares for a in listed] == [("WVR_1", "WVR_0")]
    do(play, listed[0])
    assert held(state_of(play), 2, "WVR") == ("WVR_1",)
    assert state_of(play).companies["WVR"].receivership


def test_the_rulebook_gives_back_ordinary_certificates() -> None:
    """§6.3.4, D25: in whatever order they are named."""
    play = replayed("partial-director-sale-order", profile=RULEBOOK)
    assert held(state_of(play), 2, "WVR") == ("WVR_1",)
    assert state_of(play).companies["WVR"].receivership


def test_certificates_of_the_pool_come_back_before_those_named() -> None:
    """§15.4b: of 40 % three shares are sold while one lies in the pool: that one comes back."""
    play = changed(
        new_game(),
        company("EUR", 60, {1: 40, MARKET: 10, 2: 20, 3: 20, "EUR": 10}, markers=("E12",)),
        stock_round,
    )
    there = held(state_of(play), MARKET, "EUR")
    do(play, SellShares(player(1), ("EUR_0", "EUR_1"), 30, 30))
    assert held(state_of(play), 1, "EUR") == there
    assert set(held(state_of(play), MARKET, "EUR")) == {"EUR_0", "EUR_1"}


def test_a_company_that_a_merger_leaves_in_receivership_does_not_run() -> None:
    """§9.8, D27: no run is asked for; nothing earned, left one, a warranty off each train, then
    the purchase from the bank."""
    name = "merger-into-receivership-run-skipped"
    before = replayed(name, back=1)
    old, play = state_of(before), replayed(name)
    state = state_of(play)
    assert play.actor() != corporation("ESR")
    esr = state.companies["ESR"]
    assert esr.receivership
    united = {*old.companies["ESR"].trains, *old.companies["ENR"].trains}
    worn = {t: max(0, old.fittings[t].warranties - 1) for t in united if t in old.fittings}
    assert {t: state.fittings[t].warranties for t in worn if t in state.fittings} == worn
    ladder = list(before.kit.chart.cells)
    at = ladder.index(old.companies["ESR"].cell)  # type: ignore[arg-type]
    assert esr.cell == ladder[at - 2]


def test_by_the_rulebook_it_runs() -> None:
    """§7.5, D27: as every company in receivership."""
    play = replayed("merger-into-receivership-run-skipped", profile=RULEBOOK)
    assert (play.step(), play.actor()) == ("run", corporation("ESR"))


def test_the_marker_has_moved_when_the_first_option_is_decided() -> None:
    """§9.3: FDR at 158 with WVR, 90: £166 when its own option share is asked about."""
    play = replayed("price-marker-during-merger")
    assert (play.step(), play.actor()) == ("exchange", corporation("FDR"))
    assert price(play, "FDR") == 166
    before = replayed("price-marker-during-merger", back=1)
    assert price(before, "FDR") == 158


def test_a_merger_to_nothing_is_bankruptcy() -> None:
    """§8.12, §9.3: trainless at 7 with 7 gives 3 + 3, that is 0 on the ladder."""
    play = changed(
        new_game(),
        laid(F5=("790", 0)),
        company("Y&N", 7, {1: 100}, markers=("F5",)),
        company("L&D", 7, {2: 100}, trains=(("A-0", "1F", 0),), markers=("F5",)),
        operating("L&D", "Y&N", index=1, open_from="acquire"),
    )
    firm = corporation("Y&N")
    do(play, Merge(firm, "L&D"), Choose(firm, "first"))
    assert percents(play, "Y&N") == percents(play, "L&D") == {IPO: 100}
    assert play.step() != "exchange"


def test_money_raised_by_force_buys_no_used_train() -> None:
    """§8.11.5, §15.3: after the forced purchase the step goes on, with the bank's trains only."""
    play = changed(
        new_game(),
        phase("B"),
        company("EUR", 100, {1: 60, "EUR": 20, MARKET: 20}, cash=0, par=100, markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=(("A-0", "1F", 0),)),
        cash(p1=500),
        operating("EUR", open_from="trains"),
    )
    do(play, Convert(EUR))
    while play.step() == "exchange":
        actor = play.actor()
        assert actor is not None
        do(play, Choose(actor, "sell"))
    do(play, BuyTrain(EUR, "B-0", 200, "2/3E"))
    assert play.step() == "trains"
    bought = {a.train for a in play.legal_actions() if isinstance(a, BuyTrain)}
    assert bought == {"B-1"}
    refused(play, BuyTrain(EUR, "A-0", 50), "SELLER_NOT_ALLOWED", "1862 §8.10")


def test_the_subsidy_comes_with_the_dividend() -> None:
    """§8.8.1: not before; the Hudson manoeuvre may use it."""
    play = changed(
        new_game(),
        company("EUR", 74, {1: 100}, cash=0, trains=(("A-0", "2L", 0),), markers=("E12",)),
        operating("EUR", open_from="dividend", revenue=60),
        lambda state: setattr(state.round, "subsidy", 20),
    )
    assert state_of(play).companies["EUR"].cash == 0
    kinds = [a.kind for a in play.legal_actions() if isinstance(a, Dividend)]
    assert kinds == ["payout", "withhold", "hudson"]
    other = do(play.copy(), Dividend(EUR, "hudson"))
    assert (state_of(other).companies["EUR"].cash, price(other, "EUR")) == (0, 82)
    do(play, Dividend(EUR, "withhold"))
    assert state_of(play).companies["EUR"].cash == 80
