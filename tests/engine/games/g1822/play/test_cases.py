"""Games of 1822 whose last action is in question, and what is right."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.state import Card, Player1822, State1822, StockData
from engine.notation.gamefile import Replay, read_game, write_game
from engine.play.actions import (
    LayTile,
    Pass,
    PayoffPlayerDebt,
    PayoffPlayerDebtPartial,
    PlaceToken,
    RunRoutes,
    player,
    private,
)
from engine.play.game import Play
from tests.cases import asked, raw_case, replayed
from tests.engine.play.scene import changed, refused

LAST_REFUSED = (
    ("1822-P12-with-P10-minor", "ABILITY_NOT_AT_HAND", "1822 §16"),
    ("1822-box-minor14-city-not-connected", "NOT_CONNECTED", "1822 §14.6"),
    ("1822-local-in-city-without-track", "TOKEN_MISSING", "1822 §11.11"),
    ("1822-london-approach-right", "STUB_NOT_JOINED", "1822 §9.9"),
    ("1822-site-accepts-private-not-for-kind", "PRIVATE_NOT_FOR_KIND", "1822 §16.0"),
)


def state_of(play: Play) -> State1822:
    """Return the state, as that of 1822."""
    state = play.current
    assert isinstance(state, State1822)
    return state


@pytest.mark.parametrize(("name", "code", "section"), LAST_REFUSED)
def test_the_last_action_of_a_case_is_refused(name: str, code: str, section: str) -> None:
    """Refused in play with its rule, and not offered."""
    play, action = asked(name)
    assert action not in play.legal_actions()
    refused(play, action, code, section)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("1822-box-minor14-city-not-connected", "NOT_CONNECTED"),
        ("1822-london-approach-right", "STUB_NOT_JOINED"),
    ],
)
def test_what_is_asked_in_play_only_loads_and_is_told(name: str, code: str) -> None:
    """FMT §B9: a record with such an action is replayed, and the report says so."""
    replay = replayed(name)
    replay.run()
    assert [report.fault.code for report in replay.reports] == [code]


def combined(profile: str) -> tuple[Play, Play]:
    """Return the case of P12 with P10 before and after the lay that uses both."""
    raw = raw_case("1822-P12-with-P10-minor")
    *before, _, _ = raw["actions"]
    play = Replay(read_game({**raw, "actions": before}, profile)).run()
    lay = LayTile(private("P12"), "G34", "141-0", 4, ("P10",))
    return play, play.copy().apply(lay)


def test_a_minor_spends_both_crossings_in_a_lay_with_p12() -> None:
    """§16.10, §16.14: one estuary crossed at £40 less; both privates close; the ordinary lay
    remains."""
    before, after = combined("18xx.games")
    assert before.current.companies["24"].cash == 20
    cards = state_of(after).privates
    assert cards["P10"].closed
    assert cards["P12"].closed
    assert after.current.companies["24"].cash == 20
    refused(before, LayTile(private("P12"), "G34", "141-0", 4), "CASH_SHORT", "1822 §9.7")
    lays = [a for a in after.legal_actions() if isinstance(a, LayTile)]
    assert lays
    assert {lay.entity.id for lay in lays} == {"24"}


def test_by_the_rulebook_a_minor_spends_one_crossing() -> None:
    """§16.10: the second one is left."""
    _, after = combined("rulebook")
    card = state_of(after).privates["P10"]
    assert isinstance(card, Card)
    assert (card.closed, card.uses) == (False, 1)


def test_a_major_spends_one_crossing() -> None:
    """§16.14: the fault of the site is one of minors."""
    before, _ = combined("18xx.games")

    def make_major(state: State1822) -> None:
        state.companies["24"].kind = "major"

    after = changed(before, make_major)
    after.apply(LayTile(private("P12"), "G34", "141-0", 4, ("P10",)))
    assert not state_of(after).privates["P10"].closed


def test_nobody_passes_for_good_while_a_debt_is_paid_back() -> None:
    """§5.2: the passed mark is cleared, so the other one has to pass again."""
    play, action = asked("1822-payoff-counts-as-act")
    round_before = play.current.round_as(StockData)
    assert round_before.passed
    play.apply(action)
    assert play.current.round.kind == "stock"
    assert play.actor() == player(1)
    assert play.current.round_as(StockData).passed == {1}


def indebted(cash: int, debt: int) -> Play:
    """Return the case of a debt with other amounts."""
    play, _ = asked("1822-payoff-counts-as-act")

    def owe(state: State1822) -> None:
        owing = state.players[2]
        assert isinstance(owing, Player1822)
        owing.cash, owing.debt = cash, debt

    return changed(play, owe)


def debt_of(play: Play) -> tuple[int, int]:
    """Return cash and debt of player 2."""
    owing = play.current.players[2]
    assert isinstance(owing, Player1822)
    return owing.cash, owing.debt


def test_a_part_of_a_debt_is_cut_to_debt_and_cash_and_may_be_repeated() -> None:
    """§13.12: £1 at least; more than is owed or at hand is cut; the turn goes on."""
    play = indebted(300, 100)
    refused(play, PayoffPlayerDebtPartial(player(2), 0), "AMOUNT_WRONG", "1822 §13.12", "amount")
    play.apply(PayoffPlayerDebtPartial(player(2), 30))
    assert debt_of(play) == (270, 70)
    assert play.actor() == player(2)
    play.apply(PayoffPlayerDebtPartial(player(2), 500))
    assert debt_of(play) == (200, 0)
    assert play.actor() == player(2)
    assert any(a.TYPE == "bid" for a in play.legal_actions())
    refused(play, PayoffPlayerDebt(player(2)), "NO_DEBT", "1822 §13.12", "type")
    play.apply(Pass(player(2)))
    assert play.actor() == player(1)
    assert play.current.round.kind == "stock"


def test_a_debtor_without_cash_who_can_sell_nothing_has_no_turn() -> None:
    """§13.12: the turn closes by itself, and the payment clears his mark."""
    play = indebted(50, 100)

    def nothing_to_sell(state: State1822) -> None:
        state.holdings[2] = ()

    play = changed(play, nothing_to_sell)
    play.apply(PayoffPlayerDebt(player(2)))
    assert debt_of(play) == (0, 50)
    assert play.actor() == player(1)
    assert play.current.round_as(StockData).passed == {1}


@pytest.mark.parametrize(("profile", "paid"), [("18xx.games", True), ("rulebook", False)])
def test_a_waiting_company_is_paid_for_the_share_of_the_tax_haven(profile: str, paid: bool) -> None:
    """§7.6, §16.16: on the site it gets the price though it waits for full capitalisation."""
    play, action = asked("1822-tax-haven-full-capitalisation", profile)
    company, price = play.current.companies["SECR"], price_of(play, "SECR")
    assert not company.floated
    after = play.copy().apply(action).current.companies["SECR"]
    assert not after.floated
    assert after.cash - company.cash == (price if paid else 0)


def price_of(play: Play, sym: str) -> int:
    """Return the price of a company, £."""
    cell = play.current.companies[sym].cell
    assert cell is not None
    return play.kit.chart.price(cell)


def test_no_city_for_minor_14_is_offered_that_the_major_does_not_reach() -> None:
    """§14.6: whatever is offered is connected; the marker is then placed."""
    play, action = asked("1822-box-minor14-city-not-connected")
    offered = [a for a in play.legal_actions() if isinstance(a, PlaceToken)]
    assert offered
    assert action not in offered
    for offer in offered:
        tokens = play.copy().apply(offer).current.layout.tokens_in("M38")
        assert any(token.corporation == "LBSCR" for token in tokens)


def test_by_the_rulebook_the_holder_of_a_right_lays_as_he_likes() -> None:
    """§9.9: LBSCR lays beside London without joining it."""
    play, action = asked("1822-london-approach-right", "rulebook")
    owner = play.current.privates["C2"].owner
    held = owner is not None or play.current.companies["GWR"].director is not None
    assert held
    assert action in play.legal_actions()


def test_a_local_stands_still_where_no_track_leads_to_its_city() -> None:
    """FMT §B6.6: the empty run is all that is offered."""
    play, _ = asked("1822-local-in-city-without-track")
    runs = [a for a in play.legal_actions() if isinstance(a, RunRoutes)]
    assert [run.routes for run in runs] == [()]


def test_a_combination_is_written_as_it_was_read() -> None:
    """FMT §B5: the file of the case, with its combination of privates, reads back."""
    play, _ = asked("1822-P12-with-P10-minor")
    again = Replay(read_game(write_game(play))).run()
    assert again.current == play.current
