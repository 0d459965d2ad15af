"""Where rulebook and site differ, and the variants: 1862 §16, §14."""

from __future__ import annotations

import pytest

from engine.board.state import TokenPlacement
from engine.games.g1862.play.state import IPO, State1862
from engine.play.actions import (
    BuyShares,
    BuyTrain,
    CharterBid,
    Choose,
    Convert,
    Dividend,
    Merge,
    Par,
    Pass,
    corporation,
    player,
)
from engine.play.entities import MARKET
from tests.engine.games.g1862.play.scene import (
    cash,
    cell,
    company,
    laid,
    named,
    new_game,
    operating,
    percents,
    phase,
    price,
    state_of,
)
from tests.engine.play.scene import changed, do

PROFILES = ("18xx.games", "rulebook")
EUR, SVR = corporation("EUR"), corporation("SVR")


@pytest.mark.parametrize("profile", PROFILES)
def test_stack_of_a_chartered_company(profile: str) -> None:
    """D1: on the site the marker enters the stack with the par, by the rulebook on flotation."""
    play = changed(new_game(profile=profile), cash(p1=2000, p2=2000, p3=2000))
    syms = [s for s, c in state_of(play).charters.items() if c.group == "A"][:2]
    for number, sym in ((1, syms[0]), (2, syms[1])):
        other = {1: 2, 2: 3}[number]
        do(play, CharterBid(player(number), sym, 0), Pass(player(other)))
        do(play, Pass(player({1: 3, 2: 1}[number])), Par(player(number), sym, named(62)))
        for share in (1, 2) if number == 2 else ():
            do(play, BuyShares(player(number), (f"{sym}_{share}",), 10))
        if number == 1:
            do(play, Pass(player(1)))
    while play.current.round.kind == "parliament":
        actor = play.actor()
        assert actor is not None
        do(play, Pass(actor))
    for share in (1, 2):
        do(play, BuyShares(player(1), (f"{syms[0]}_{share}",), 10))
        do(play, Pass(player(2)), Pass(player(3)))
    expected = tuple(syms) if profile == "18xx.games" else (syms[1], syms[0])
    assert state_of(play).stacks[cell(62)] == expected


@pytest.mark.parametrize("profile", PROFILES)
def test_order_within_a_round(profile: str) -> None:
    """D4, D5: fixed at the start, or by the prices of the moment; stacks without a move."""
    play = changed(
        new_game(profile=profile),
        company("EUR", 100, {1: 100}, trains=(("A-0", "2E", 0),)),
        company("SVR", 100, {2: 100}, trains=(("A-1", "1F", 0),)),
        company("WNR", 95, {2: 100}, trains=(("A-2", "1F", 0),)),
        operating("EUR", "SVR", "WNR", open_from="dividend", revenue=50),
    )
    do(play, Dividend(EUR, "payout"))
    site = profile == "18xx.games"
    assert state_of(play).stacks[cell(100)] == (("EUR", "SVR") if site else ("SVR", "EUR"))
    play = changed(play, company("SVR", 82, {2: 100}, trains=(("A-1", "1F", 0),)))
    while play.actor() == EUR:
        do(play, Pass(EUR))
    assert play.actor() == corporation("SVR" if site else "WNR")


@pytest.mark.parametrize("profile", PROFILES)
def test_home_marker_in_receivership(profile: str) -> None:
    """D8: placed by the rulebook, not on the site."""
    play = changed(
        new_game(profile=profile),
        company("SVR", 100, {2: 100}, trains=(("A-1", "1F", 0),), markers=("D11",)),
        company("EUR", 90, {MARKET: 80, 1: 20}, cash=50, unused=2, trains=(("A-0", "2E", 0),)),
        operating("SVR", "EUR", open_from="acquire"),
    )
    do(play, Pass(SVR))
    there = any(t.corporation == "EUR" for t in state_of(play).layout.tokens)
    assert there == (profile == "rulebook")


@pytest.mark.parametrize(("profile", "leaves"), [("18xx.games", "WNR"), ("rulebook", "SVR")])
def test_which_marker_gives_way(profile: str, leaves: str) -> None:
    """D10: that in the last circle, or the one placed last; E12 is full and cannot be upgraded."""
    play = changed(
        new_game(profile=profile),
        laid(E12=("790", 0)),
        company("WNR", 82, {2: 100}, markers=("E12",)),
        company("SVR", 90, {2: 100}, markers=("E12",)),
        company("ESR", 74, {2: 100}, cash=100, unused=1, trains=(("A-0", "2E", 0),)),
        company("EUR", 100, {1: 100}, cash=500, unused=3),
        operating("ESR", "EUR", open_from="acquire"),
    )

    def swapped(state: State1862) -> None:
        first, second = state.layout.tokens
        moved = TokenPlacement("E12", 0, 1, first.corporation)
        other = TokenPlacement("E12", 0, 0, second.corporation)
        state.layout = state.layout.with_tokens((moved, other))

    do(play := changed(play, swapped), Pass(corporation("ESR")))
    standing = {token.corporation for token in state_of(play).layout.tokens}
    assert standing == {"WNR", "SVR", "EUR"} - {leaves}


def test_option_directors_certificates_are_exchanged_first() -> None:
    """§9.5.5: that of the absorbed company for the survivor's, from the pool or a later holder."""
    play = changed(
        new_game(),
        phase("F"),
        laid(F5=("790", 0)),
        company("ENR", 100, {1: 30, 2: 30, "ENR": 40}, trains=(("E-0", "6F", 0),),
                markers=("F5",)),
        company("WNR", 100, {2: 50, 1: 10, "WNR": 40}, trains=(("F-0", "7F", 0),),
                markers=("F5",)),
        cash(p1=1000, p2=1000),
        operating("WNR", "ENR", index=1, open_from="acquire"),
    )  # fmt: skip
    enr = corporation("ENR")
    do(play, Merge(enr, "WNR"), Choose(enr, "last"))
    assert play.actor() == player(1), "40 % with a director's certificate and an empty pool"
    assert "WNR_0" in state_of(play).holdings[1]
    assert "ENR_0" in state_of(play).holdings[2]
    do(play, Choose(player(1), "sell"))
    assert state_of(play).players[1].cash == 1000 + 2 * 150
    assert state_of(play).companies["WNR"].director == 2
    assert "WNR_0" in state_of(play).holdings[2]


def test_simple_variants() -> None:
    """§14.2: one type, no permits, limits 4, 3 and 2."""
    play = changed(
        new_game(options=("simple_freight",)),
        phase("E"),
        company("EUR", 100, {1: 100}, cash=500, trains=(("C-0", "3F", 0), ("C-1", "3F", 0))),
        operating("EUR", open_from="trains"),
    )
    offers = [a for a in play.legal_actions() if isinstance(a, BuyTrain)]
    assert {a.variant for a in offers} == {"6F"}
    play = changed(play, lambda state: setattr(state, "phase", "G"))
    assert not [a for a in play.legal_actions() if isinstance(a, BuyTrain)]
    assert {
        c.permit for c in state_of(new_game(options=("simple_freight",))).charters.values()
    } == {""}


@pytest.mark.parametrize(("players", "each"), [(3, 8), (8, 9)])
def test_advanced_variants(players: int, each: int) -> None:
    """§14.2: two types, as many permits of each."""
    state = state_of(new_game(players, options=("advanced_express",)))
    permits = [charter.permit for charter in state.charters.values()]
    assert sorted(permits) == ["express"] * each + ["local"] * each


def test_the_shorter_game() -> None:
    """§14.3: short manifest below five players; the first E brings the LNER; D never rusts."""
    play = new_game(options=("shorter_game",))
    assert sum(train[0] == "A" for train in state_of(play).depot) == 6
    big = new_game(5, options=("shorter_game",))
    assert sum(train[0] == "A" for train in state_of(big).depot) == 7
    play = changed(
        play,
        phase("D"),
        company("EUR", 100, {1: 100}, cash=2000, trains=(("D-0", "4E", 0),)),
        lambda state: setattr(state, "depot", ("E-0", "F-0", "G-0", "H-0")),
        operating("EUR", open_from="trains"),
    )
    do(play, BuyTrain(EUR, "E-0", 500, "6F"))
    assert state_of(play).lner == "coming"
    do(play, BuyTrain(EUR, "F-0", 600, "7F"), BuyTrain(EUR, "G-0", 700, "5/6L"))
    assert state_of(play).companies["EUR"].trains[0] == "D-0"


def test_new_players() -> None:
    """§14.4: no bought warranties, no redemption, no Hudson."""
    play = changed(
        new_game(options=("simple_express", "new_players")),
        phase("D"),
        company("EUR", 100, {1: 60, MARKET: 40}, cash=900, trains=(("A-0", "2E", 1),)),
        operating("EUR", open_from="dividend", revenue=50),
    )
    kinds = {a.kind for a in play.legal_actions() if isinstance(a, Dividend)}
    assert kinds == {"payout", "withhold"}
    do(play, Dividend(EUR, "payout"))
    offers = [a for a in play.legal_actions() if isinstance(a, BuyTrain)]
    assert {a.warranties for a in offers} == {0}
    do(play, BuyTrain(EUR, "D-0", 360, "4E*"))
    assert state_of(play).fittings["D-0"].warranties == 1
    while play.actor() == EUR and play.step() == "trains":
        do(play, Pass(EUR))
    assert play.step() != "redeem"


def test_eight_markers() -> None:
    """§14.6: eight after mergers; on flotation still seven at most."""
    for options, left in (((), 7), (("eight_tokens",), 8)):
        play = changed(
            new_game(options=options),
            phase("F"),
            laid(F5=("790", 0)),
            company("ENR", 100, {1: 100}, trains=(("E-0", "6F", 0),), markers=("F5",), unused=6),
            company("SVR", 100, {1: 100}, trains=(("F-0", "7F", 0),), markers=("F5",), unused=6),
            operating("SVR", "ENR", index=1, open_from="acquire"),
        )
        enr = corporation("ENR")
        do(play, Merge(enr, "SVR"), Choose(enr, "first"))
        assert 1 + len(state_of(play).companies["ENR"].tokens) == left
        assert percents(play, "ENR") == {1: 100} or price(play, "ENR") == 150


def test_both_ways_of_raising_money_are_never_used_together() -> None:
    """§8.11.4: after refinancing a train must be bought, nothing else is sold."""
    play = changed(
        new_game(),
        phase("D"),
        company("EUR", 100, {1: 60, "EUR": 40}, cash=100),
        cash(p1=500),
        operating("EUR", open_from="trains"),
    )
    do(play, Convert(EUR))
    while play.step() == "exchange":
        actor = play.actor()
        assert actor is not None
        do(play, Choose(actor, "redeem"))
    assert play.step() == "new train"
    assert {a.TYPE for a in play.legal_actions()} == {"buy_train"}


def test_refinancing_that_is_not_enough_is_bankruptcy() -> None:
    """§8.11.4, §8.12.1: £570 short, 10 x 58 would do; but the company pays £50 for its own
    option share and then has £760 for a train of £800, with no second way to raise money."""
    play = changed(
        new_game(),
        phase("H"),
        company("EUR", 100, {1: 60, 3: 10, "EUR": 10, MARKET: 20}, cash=230, par=58,
                markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=(("E-0", "6F", 0),), markers=("D11",), unused=1),
        cash(p1=0, p3=500),
        operating("EUR", "SVR", open_from="trains"),
    )  # fmt: skip
    do(play, Pass(EUR), Choose(player(3), "redeem"), Choose(EUR, "redeem"))
    state = state_of(play)
    assert percents(play, "EUR") == {IPO: 100}
    assert state.players[1].cash == 3 * 50
    assert play.actor() == corporation("SVR")


def test_the_company_may_sell_its_option_share_and_buy() -> None:
    """§9.5.5: in the same place £50 for the share make £860, enough for a train."""
    play = changed(
        new_game(),
        phase("H"),
        company("EUR", 100, {1: 60, 3: 10, "EUR": 10, MARKET: 20}, cash=230, par=58,
                markers=("E12",)),
        cash(p3=500),
        operating("EUR", open_from="trains"),
    )  # fmt: skip
    do(play, Pass(EUR), Choose(player(3), "redeem"), Choose(EUR, "sell"))
    assert (play.step(), state_of(play).companies["EUR"].cash) == ("new train", 860)


def test_a_used_train_may_be_named_with_its_stars() -> None:
    """§1.4, §8.9: stars stand for warranties and do not belong to the name."""
    play = changed(
        new_game(),
        phase("B"),
        company("EUR", 100, {1: 100}, cash=100, markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=(("A-0", "1F", 1),)),
        operating("EUR", open_from="trains"),
    )
    do(play, BuyTrain(EUR, "A-0", 50, "1F*"))
    assert state_of(play).companies["EUR"].trains == ("A-0",)
