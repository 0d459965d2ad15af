"""Dividends, issue and redemption, scores and ends (1822 §12, §15, §17): cases of §20."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.dividends import kept
from engine.games.g1822.play.ending import check_end
from engine.games.g1822.play.state import HAVEN, Earned, OperatingData, State1822
from engine.play import shares
from engine.play.actions import (
    BuyShares,
    Choose,
    Dividend,
    Pass,
    RunRoutes,
    SellShares,
    corporation,
)
from engine.play.entities import Cell
from engine.play.game import Play
from tests.engine.games.g1822.play.scene import (
    Stage,
    at_step,
    company,
    state_of,
    steps_before,
    table,
)
from tests.engine.play.scene import changed, do, refused


def earning(stage: Stage, sym: str, *earned: tuple[str, int], mail: int = 0) -> Play:
    """Return the game at the dividend of a company that has earned something."""
    play = stage.operating(sym)

    def change(state: State1822) -> None:
        data = state.round_as(OperatingData)
        data.done |= frozenset(steps_before("dividend"))
        data.earned = tuple(Earned(train, amount) for train, amount in earned)
        data.mail = mail

    play = changed(play, change)
    play._go_on(table(play))
    return play


def test_half_of_a_major_and_of_a_minor() -> None:
    """§20.14: 110 at half pays 60; a minor with 30 keeps 15 and pays 15, one right."""
    assert (kept("half", 110), kept("half", 130), kept("half", 80)) == (50, 60, 40)
    play = earning(Stage().company("12", 50, 1, cash=0, trains=("3-0",)), "12", ("3-0", 30))
    assert company(play, "12").cash == 15
    assert state_of(play).players[1].cash == 715
    assert company(play, "12").cell == Cell(9, 5)


@pytest.mark.parametrize(
    ("revenue", "kind", "column"),
    [(180, "payout", 6), (170, "payout", 5), (160, "half", 4), (80, "withhold", 3)],
)
def test_moves_of_a_major(revenue: int, kind: str, column: int) -> None:
    """§20.15: at 90, paid 180 two right, 170 one, 80 none, nothing one left (§12.4)."""
    stage = Stage().company("GWR", 90, 1, held={1: 2, 2: 1}, market=1, cash=0, trains=("3-0",))
    play = do(earning(stage, "GWR", ("3-0", revenue)), Dividend(corporation("GWR"), kind))
    assert company(play, "GWR").cell == Cell(5, column)


def test_who_is_paid() -> None:
    """§12.3: players, treasury and Tax Haven a tenth a share, the market nothing; mail on top."""
    stage = Stage().private(HAVEN, 3)
    stage.company("GWR", 90, 1, held={1: 2, 2: 1}, market=1, cash=0, trains=("3-0",))
    shares.hand_over(stage.state, "GWR_8", HAVEN)
    play = earning(stage, "GWR", ("3-0", 100), mail=65)
    do(play, Dividend(corporation("GWR"), "payout"))
    players = state_of(play).players
    assert [players[number].cash for number in (1, 2, 3)] == [740, 710, 700]
    assert table(play).card(HAVEN).store == 10
    assert company(play, "GWR").cash == 30 + 65


def test_the_separate_dividend_of_a_permanent_train() -> None:
    """§12.5: 2P 110 at half, 280 withheld: kept 330, paid 60, no move below the price."""
    stage = Stage().company("LNWR", 100, 1, held={1: 9}, cash=0, trains=("2P-0", "3-0"))
    play = earning(stage, "LNWR", ("2P-0", 110), ("3-0", 280))
    do(play, Choose(corporation("LNWR"), "half"))
    refused(play, Choose(corporation("LNWR"), "half"), "CHOICE_UNKNOWN", "1822 §12.5")
    do(play, Dividend(corporation("LNWR"), "withhold"))
    assert company(play, "LNWR").cash == 330
    assert state_of(play).players[1].cash == 760
    assert company(play, "LNWR").cell == Cell(4, 4)


def test_no_separate_dividend_if_it_earned_all() -> None:
    """§12.5: something, but not everything."""
    stage = Stage().company("LNWR", 100, 1, trains=("2P-0", "3-0"))
    play = earning(stage, "LNWR", ("2P-0", 110))
    refused(play, Choose(corporation("LNWR"), "half"), "CHOICE_UNKNOWN", "1822 §12.5")
    refused(play, Dividend(corporation("LNWR"), "double"), "DIVIDEND_KIND_UNKNOWN", "1822 §12.2")


def test_a_lone_express_without_a_second_city() -> None:
    """§20.44: the step waits if there is a connection; no route, price left."""
    stage = Stage("7").company("GWR", 90, 1, held={1: 7}, trains=("7-5",), cash=0)
    stage.state.turned["7-5"] = "E"
    stage.tile("M38", "X20").tile("L39", "8", 2).tile("K38", "5", 5)
    play = at_step(stage.operating("GWR"), "run")
    runs = [action for action in play.legal_actions() if isinstance(action, RunRoutes)]
    assert runs == [RunRoutes(corporation("GWR"))]
    do(play, runs[0])
    assert company(play, "GWR").cell == Cell(5, 3)


def before_shares(stage: Stage, sym: str) -> Play:
    """Return the game at the step in which a company issues or redeems."""

    def change(state: State1822) -> None:
        state.round.done |= {*steps_before("shares")}

    return changed(stage.operating(sym), change)


def test_issue_at_the_price_after_the_falls() -> None:
    """§15.2: at 80 two shares bring 60 each; the price stands there; the market holds half."""
    stage = Stage().company("LYR", 80, 1, held={1: 3}, trains=("3-0",), cash=0)
    play = before_shares(stage, "LYR")
    refused(
        play, SellShares(corporation("LYR"), ("LYR_8",), 10, 50), "SHARE_PRICE_WRONG", "1822 §15.2"
    )
    refused(play, SellShares(corporation("LYR"), ("LYR_1",), 10), "SHARE_NOT_OFFERED", "1822 §15.1")
    refused(play, SellShares(corporation("LYR"), ("LYR_8",), 20), "PERCENT_WRONG", "FMT §B5.1")
    do(play, SellShares(corporation("LYR"), ("LYR_4", "LYR_5"), 20, 60))
    assert company(play, "LYR").cash == 120
    assert company(play, "LYR").cell == Cell(8, 4)


def test_issue_of_four_at_the_foot_of_a_column() -> None:
    """§20.18: there is no fall: four shares at 135 bring 540 (§15.2)."""
    stage = Stage().company("MR", 135, 1, held={1: 3}, trains=("3-0",), cell=Cell(8, 11), cash=0)
    play = before_shares(stage, "MR")
    do(play, SellShares(corporation("MR"), ("MR_4", "MR_5", "MR_6", "MR_7"), 40))
    assert company(play, "MR").cash == 540
    assert company(play, "MR").cell == Cell(8, 11)


def test_a_first_turn_allows_only_redeeming() -> None:
    """§20.19: no acquisition and no issue; the present price is paid, the price stays (§15.3)."""
    stage = Stage().company(
        "GWR", 100, 1, held={1: 2}, market=3, turns=0, trains=("3-0",), cash=250
    )
    stage.company("12", 50, 2, trains=("3-1",))
    play = stage.operating("GWR")

    def change(state: State1822) -> None:
        state.round.done |= {*steps_before("acquire minor")}

    play = changed(play, change)
    play._go_on(table(play))
    assert play.step() == "shares"
    issue = SellShares(corporation("GWR"), ("GWR_8",), 10)
    refused(play, issue, "TOO_MANY_SHARES", "1822 §15.1")
    three = BuyShares(corporation("GWR"), ("GWR_3", "GWR_4", "GWR_5"), 30)
    refused(play, three, "TOO_MANY_SHARES", "1822 §15.1")
    do(play, BuyShares(corporation("GWR"), ("GWR_3", "GWR_4"), 20))
    assert company(play, "GWR").cash == 50
    assert company(play, "GWR").cell == Cell(4, 4)


def ended(*, broken: bool, end_cell: bool, kind: str, profile: str = "18xx.games") -> State1822:
    """Return a state after a look for triggers."""
    stage = Stage(profile=profile).company("GWR", 700 if end_cell else 650, 1)
    stage.state.broken = broken
    play = stage.stock() if kind == "stock" else stage.operating("GWR")
    check_end(table(play))
    return state_of(play)


@pytest.mark.parametrize(
    ("broken", "end_cell", "kind", "reason", "timing"),
    [
        (True, False, "operating", "bank", "set"),
        (True, False, "stock", "bank", "round"),
        (False, True, "operating", "stock_market", "round"),
        (False, True, "stock", "stock_market", "round"),
        (True, True, "operating", "bank", "set"),
        (False, False, "operating", "", ""),
    ],
)
def test_triggers(broken: bool, end_cell: bool, kind: str, reason: str, timing: str) -> None:
    """§17.1 to §17.3: when the game ends, and why."""
    state = ended(broken=broken, end_cell=end_cell, kind=kind)
    assert (state.end_reason, state.timing) == (reason, timing)


def test_the_first_trigger_settles_the_end() -> None:
    """§20.41: the bank breaks in OR 1 and 700 is reached later: OR 2 is played; in the other
    order the game ends after this round; the rulebook takes the earlier end (D11)."""
    for profile, timing in (("18xx.games", "set"), ("rulebook", "round")):
        stage = Stage(profile=profile).company("GWR", 700, 1)
        play = stage.operating("GWR")
        state = state_of(play)
        state.end_reason, state.timing = "bank", "set"
        check_end(table(play))
        assert state.timing == timing
    stage = Stage().company("GWR", 700, 1)
    play = stage.operating("GWR")
    state_of(play).end_reason, state_of(play).timing = "stock_market", "round"
    state_of(play).broken = True
    check_end(table(play))
    assert (state_of(play).end_reason, state_of(play).timing) == ("stock_market", "round")


def finish_round(timing: str, number: int) -> Play:
    stage = Stage().company("12", 50, 1, trains=("3-0",))
    stage.state.end_reason, stage.state.timing = "bank", timing
    play = stage.operating("12", number=number)
    while not play.finished and play.current.round.number == number:
        kinds = [a for a in play.legal_actions() if isinstance(a, Pass | RunRoutes)]
        do(play, kinds[0])
    return play


def test_when_the_game_ends() -> None:
    """§17.1, §17.2: after the round, or after the last round of the set."""
    assert finish_round("round", 1).finished
    assert not finish_round("set", 1).finished
    assert finish_round("set", 2).finished


def test_scores() -> None:
    """§17.4: cash, shares, a minor twice its price, £100 a concession, the haven, less debt."""
    stage = Stage().cash(p1=100, p2=30, p3=0).private("C5", 1).private("P6", 1)
    stage.company("GWR", 110, 1, held={1: 2, 2: 1}).company("12", 60, 2)
    stage.private(HAVEN, 3, store=25)
    shares.hand_over(stage.state, "GWR_8", HAVEN)
    stage.at.player_of(2).debt = 39
    assert stage.stock().scores() == {
        1: 100 + 4 * 110 + 100,
        2: 30 + 110 + 120 - 39,
        3: 110 + 25,
    }
