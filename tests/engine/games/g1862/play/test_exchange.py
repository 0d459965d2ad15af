"""The 2:1 exchange: the worked cases of 1862 §9.11 and the edge cases §17.20 to §17.24."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from engine.games.g1862.play.state import IPO
from engine.play.actions import Choose, Merge, Pass, RemoveToken, corporation, player
from engine.play.entities import MARKET, Holder
from engine.play.game import Play
from tests.engine.games.g1862.play import invariants
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
)
from tests.engine.play.scene import changed, do, refused

E_TRAIN = (("E-0", "6F", 0),)
F_TRAIN = (("F-0", "7F", 0),)


@dataclass(frozen=True)
class Firm:
    """A company before a merger."""

    sym: str
    price: int
    held: Mapping[Holder, int]
    cash: int = 0
    chartered: bool = False
    trains: Sequence[tuple[str, str, int]] = ()


@dataclass(frozen=True)
class Case:
    """A merger, who answers what, and its outcome."""

    active: Firm
    other: Firm
    first: bool
    answers: Sequence[tuple[Holder, str]]
    price: int
    held: Mapping[Holder, int]
    paid: Mapping[int, int]
    cash: int
    par: int = 100
    players: int = 3
    profile: str = field(default="18xx.games")


def merged(case: Case) -> Play:
    """Carry a merger out in the acquire step of the active company."""
    one, two = case.active, case.other
    purses = cash(**{f"p{number}": 1000 for number in range(1, case.players + 1)})
    play = changed(
        new_game(case.players, profile=case.profile),
        phase("F"),
        laid(F5=("790", 0)),
        company(one.sym, one.price, one.held, cash=one.cash, chartered=one.chartered,
                trains=one.trains or E_TRAIN, markers=("F5",)),
        company(two.sym, two.price, two.held, cash=two.cash, chartered=two.chartered,
                trains=two.trains or F_TRAIN, markers=("F5",)),
        purses,
        operating(two.sym, one.sym, index=1, open_from="acquire"),
    )  # fmt: skip
    who = corporation(one.sym)
    do(play, Merge(who, two.sym), Choose(who, "first" if case.first else "last"))
    for holder, answer in case.answers:
        actor = corporation(holder) if isinstance(holder, str) else player(holder)
        assert play.actor() == actor
        do(play, Choose(actor, answer))
    return play


CASES = {
    "G-bank #136": Case(
        Firm("E&H", 62, {3: 60, "E&H": 40}, 72),
        Firm("N&E", 62, {3: 50, 2: 30, "N&E": 20}, 66),
        True, ((3, "redeem"), (2, "redeem")),
        90, {3: 60, 2: 20, "E&H": 20}, {3: -45, 2: -45}, 228, par=90,
    ),
    "G-46925 #266": Case(
        Firm("EUR", 100, {1: 60, 2: 40}, 220),
        Firm("N&E", 100, {1: 70, "N&E": 30}, 76),
        True, ((1, "redeem"),),
        150, {1: 70, 2: 20, "EUR": 10}, {1: -75}, 371,
    ),
    "G-market #454": Case(
        Firm("L&E", 90, {4: 70, IPO: 30}, 6, chartered=True),
        Firm("I&B", 174, {4: 60, 1: 10, 2: 10, 3: 10, "I&B": 10}, 360),
        False, ((4, "redeem"), (1, "redeem"), (2, "redeem"), (3, "redeem")),
        174, {4: 70, 1: 10, 2: 10, 3: 10}, {4: -87, 1: -87, 2: -87, 3: -87}, 453, players=4,
    ),
    "G-bank #611": Case(
        Firm("L&E", 182, {3: 90, "L&E": 10}, 0),
        Firm("E&H", 400, {3: 80, 2: 20}, 0),
        False, ((3, "redeem"),),
        375, {3: 90, 2: 10}, {3: -187}, 187,
    ),
    "G-market #693": Case(
        Firm("Y&N", 292, {2: 50, 4: 20, MARKET: 30}, 0),
        Firm("L&D", 260, {2: 90, 4: 10}, 0),
        True, ((4, "redeem"),),
        400, {2: 70, 4: 20, MARKET: 10}, {4: -200}, 0, players=4,
    ),
}  # fmt: skip
"""The worked cases; prices, holdings, payments and treasuries as printed there."""


@pytest.mark.parametrize("name", CASES)
def test_worked_cases_of_mergers(name: str) -> None:
    """Price, par, holdings, money and director come out as worked (1862 §9.11)."""
    case = CASES[name]
    play = merged(case)
    state = state_of(play)
    survivor = case.active.sym if case.first else case.other.sym
    absorbed = case.other.sym if case.first else case.active.sym
    assert play.step() != "exchange"
    assert price(play, survivor) == case.price
    held = percents(play, survivor)
    assert {who: part for who, part in held.items() if who != MARKET} == {
        who: part for who, part in case.held.items() if who != MARKET
    }
    assert sum(held.values()) == 100
    if MARKET in case.held:
        assert held[MARKET] == 100 - sum(p for w, p in case.held.items() if w != MARKET)
    for number, holder in state.players.items():
        assert holder.cash == 1000 + case.paid.get(number, 0)
    assert state.companies[survivor].cash == case.cash
    assert state.charters[survivor].par == case.par
    assert state.companies[survivor].director == max(
        (n for n in state.players), key=lambda n: held.get(n, 0)
    )
    assert not state.companies[absorbed].started
    assert percents(play, absorbed) == {IPO: 100}
    assert state.companies[survivor].trains[0] == (E_TRAIN if case.first else F_TRAIN)[0][0]


@pytest.mark.parametrize(
    ("low", "high", "new"),
    [(62, 62, 90), (100, 100, 150), (182, 400, 375), (260, 292, 400), (700, 700, 1000)],
)
def test_prices_of_mergers(low: int, high: int, new: int) -> None:
    """§9.3, §17.21: lower price plus half the higher, down to the ladder."""
    firms = Firm("Y&N", low, {1: 100}), Firm("L&D", high, {2: 100})
    play = merged(Case(*firms, True, (), new, {}, {}, 0))
    assert price(play, "Y&N") == new


@pytest.mark.parametrize(("profile", "reason"), [("18xx.games", ""), ("rulebook", "stock_market")])
def test_a_merger_that_reaches_1000(profile: str, reason: str) -> None:
    """§9.3 D14: by the rulebook it ends the game, on the site it does not."""
    firms = Firm("Y&N", 700, {1: 100}), Firm("L&D", 700, {2: 100})
    play = merged(Case(*firms, True, (), 1000, {}, {}, 0, profile=profile))
    assert play.end_reason == reason


def test_a_trainless_company_brings_half_its_price() -> None:
    """§17.21: trainless 71 with 100 gives 35 + 50 = 85, that is 82."""
    play = changed(
        new_game(),
        phase("F"),
        laid(F5=("790", 0)),
        company("Y&N", 71, {1: 100}, markers=("F5",)),
        company("L&D", 100, {2: 100}, trains=E_TRAIN, markers=("F5",)),
        operating("L&D", "Y&N", index=1, open_from="acquire"),
    )
    do(play, Merge(corporation("Y&N"), "L&D"), Choose(corporation("Y&N"), "first"))
    assert price(play, "Y&N") == 82
    assert percents(play, "Y&N") == {1: 50, 2: 50}
    assert state_of(play).companies["Y&N"].director == 1


@pytest.mark.parametrize(("profile", "half"), [("18xx.games", 187), ("rulebook", 188)])
def test_an_odd_share_with_nobody_to_swap(profile: str, half: int) -> None:
    """§17.22, D15: at 375 it brings 187 on the site, 188 by the rulebook."""
    firms = Firm("L&E", 182, {3: 90, "L&E": 10}), Firm("E&H", 400, {3: 80, 2: 20})
    play = merged(Case(*firms, False, ((3, "redeem"),), 375, {}, {}, 0, profile=profile))
    assert state_of(play).companies["E&H"].cash == half


@pytest.mark.parametrize(
    ("percent", "redeem", "sell"), [(50, 45, 225), (40, 90, 180), (30, 135, 135)]
)
def test_option_directors_certificates(percent: int, redeem: int, sell: int) -> None:
    """§17.23: the values of the director's option at price 90, with an empty pool."""
    rest: dict[Holder, int] = {2: 20, 3: 20, "NGC": max(60 - percent, 10)}
    for answer, paid in (("redeem", -redeem), ("sell", sell)):
        play = changed(
            new_game(),
            phase("F"),
            company("NGC", 90, {1: percent, **rest}, markers=("C10",)),
            cash(p1=500, p2=500, p3=500),
            operating("NGC", open_from="trains"),
        )
        do(play, Pass(corporation("NGC")), Choose(player(1), answer))
        assert state_of(play).players[1].cash == 500 + paid
        assert percents(play, "NGC").get(1, 0) == (30 if answer == "redeem" else 0)


def test_refinancing_of_a_chartered_company() -> None:
    """§9.11, G-bank #259: three ordinary shares for the director's, two returned, option for 31."""
    play = changed(
        new_game(),
        phase("C"),
        company("NGC", 62, {1: 50, IPO: 50}, cash=220, chartered=True, markers=("C10",)),
        company("SVR", 100, {2: 100}, trains=(("B-0", "2F", 0),)),
        operating("NGC", open_from="trains"),
        cash(p1=100),
    )
    do(play, Pass(corporation("NGC")), Choose(player(1), "redeem"))
    state = state_of(play)
    assert percents(play, "NGC") == {1: 30, MARKET: 70}
    assert (state.companies["NGC"].cash, state.players[1].cash) == (840, 69)
    assert state.companies["NGC"].director == 1
    assert play.step() == "new train"
    refused(play, Pass(corporation("NGC")), "WRONG_STEP", "FMT §B8")


def test_refinancing_into_receivership() -> None:
    """§9.11, §17.24, G-market #623: nobody keeps three shares; a 6E is bought in the same step."""
    play = changed(
        new_game(4),
        phase("H"),
        company(
            "N&S", 36, {4: 30, 3: 10, "N&S": 10, MARKET: 50}, cash=373, par=58, markers=("H7",)
        ),
        company("SVR", 100, {2: 100}, trains=(("E-0", "6F", 0),)),
        cash(p3=100, p4=100),
        operating("N&S", open_from="trains"),
    )
    do(play, Pass(corporation("N&S")))
    for holder in (4, 3, "N&S"):
        who = player(holder) if isinstance(holder, int) else corporation(holder)
        do(play, Choose(who, "redeem"))
    state = state_of(play)
    assert state.companies["N&S"].director is None
    assert state.companies["N&S"].cash == 135
    assert state.companies["N&S"].trains == ("H-0",)
    assert state.fittings["H-0"].name == "6E"
    assert percents(play, "N&S") == {3: 10, 4: 20, "N&S": 10, MARKET: 60}
    assert (state.players[3].cash, state.players[4].cash) == (82, 82)


def marker_case(profile: str) -> Play:
    """Seven markers and three: co-located ones are lost, the rest is above seven."""
    many = ("F5", "H5", "H7", "F3", "E2", "E4", "D5")
    return changed(
        new_game(profile=profile),
        phase("F"),
        laid(F5=("791", 0)),
        company("ENR", 100, {1: 100}, trains=E_TRAIN, markers=many, unused=0),
        company("SVR", 100, {1: 100}, trains=F_TRAIN, markers=("F5", "D11", "D13"), unused=1),
        operating("SVR", "ENR", index=1, open_from="acquire"),
    )


def test_markers_above_seven_are_removed() -> None:
    """§9.9, §17.44: nine are left, two are removed; unused ones are lost; home stays (D16)."""
    play = marker_case("18xx.games")
    do(play, Merge(corporation("ENR"), "SVR"), Choose(corporation("ENR"), "first"))
    assert play.step() == "remove markers"
    refused(play, RemoveToken(corporation("ENR"), "F3-0-0"), "TOKEN_NOT_REMOVABLE", "1862 §9.9")
    offers = [a for a in play.legal_actions() if isinstance(a, RemoveToken)]
    assert len(offers) == 8
    do(play, offers[0], offers[1])
    state = state_of(play)
    assert sum(token.corporation == "ENR" for token in state.layout.tokens) == 7
    assert state.companies["ENR"].tokens == ()
    assert play.step() != "remove markers"
    play = marker_case("rulebook")
    do(play, Merge(corporation("ENR"), "SVR"), Choose(corporation("ENR"), "first"))
    assert len(play.legal_actions()) == 9


def test_a_merger_leaves_one_link_with_london() -> None:
    """§17.17: of two markers in London the absorbed company's is lost."""
    play = changed(
        new_game(),
        phase("F"),
        laid(F5=("790", 0)),
        company("ENR", 100, {1: 100}, trains=E_TRAIN, markers=("F5", "B15"), unused=1),
        company("SVR", 100, {1: 100}, trains=F_TRAIN, markers=("F5", "D15"), unused=2),
        operating("SVR", "ENR", index=1, open_from="acquire"),
    )
    do(play, Merge(corporation("ENR"), "SVR"), Choose(corporation("ENR"), "last"))
    tokens = {(token.hex, token.corporation) for token in state_of(play).layout.tokens}
    assert tokens == {("F5", "SVR"), ("D15", "SVR")}
    assert len(state_of(play).companies["SVR"].tokens) == 3
    invariants.check(play)


@pytest.mark.parametrize(("first_in_order", "goes_on"), [("SVR", False), ("ENR", True)])
def test_turn_after_a_merger(first_in_order: str, goes_on: bool) -> None:
    """§9.8, §17.20: with a partner that has run the turn is over and the price unmoved; with
    one that has not, one turn with all trains follows at the track step."""
    other = "SVR" if first_in_order == "ENR" else "ENR"
    order = (first_in_order, other)
    play = changed(
        new_game(),
        phase("F"),
        laid(F5=("790", 0), E4=("57", 0)),
        company("ENR", 100, {1: 100}, trains=E_TRAIN, markers=("F5",), unused=1),
        company("SVR", 100, {1: 100}, trains=F_TRAIN, markers=("F5",), unused=2),
        operating(*order, index=order.index("ENR"), open_from="merge"),
    )
    do(play, Merge(corporation("ENR"), "SVR"), Choose(corporation("ENR"), "last"))
    assert price(play, "SVR") == 150
    assert state_of(play).companies["SVR"].trains == ("F-0", "E-0")
    if goes_on:
        assert (play.step(), play.actor()) == ("track", corporation("SVR"))
    else:
        assert play.current.round.kind == "parliament"


def test_absorbed_companies_keep_only_their_own_permit() -> None:
    """§17.45: the survivor gains the permits, the other has its original one when it restarts."""
    firms = Firm("Y&N", 100, {1: 100}), Firm("L&D", 100, {2: 100})
    play = merged(Case(*firms, True, (), 150, {}, {}, 0))
    state = state_of(play)
    assert state.charters["Y&N"].permits == ("express",)
    assert state.charters["L&D"].permits == (state.charters["L&D"].permit,)
    assert not state.charters["Y&N"].chartered
