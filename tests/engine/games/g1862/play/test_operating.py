"""Operating turns and the end of the game: the edge cases of 1862 §17.14 to §17.43."""

from __future__ import annotations

import pytest

from engine.games.g1862.play.state import IPO
from engine.play.actions import (
    BuyShares,
    BuyTrain,
    Convert,
    Dividend,
    LayTile,
    Pass,
    PlaceToken,
    RouteEntry,
    RunRoutes,
    corporation,
)
from engine.play.entities import MARKET
from engine.play.game import Play
from engine.play.shares import held
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

ECR, EUR = corporation("ECR"), corporation("EUR")


def tokens(play: Play, hex_id: str) -> dict[int, str]:
    """Return who stands in which circle of a hex."""
    return {t.slot: t.corporation for t in state_of(play).layout.tokens if t.hex == hex_id}


def full_home(name: str, profile: str = "18xx.games", green: bool = False) -> Play:
    """ECR's first turn, with SVR in the last circle of its home D13."""
    home = ("619", 0) if green else ("57", 0)
    return changed(
        new_game(profile=profile),
        phase(name),
        laid(D13=home, D11=("6", 4)),
        company("SVR", 90, {2: 100}, markers=("D11", "D13"), unused=0),
        company("ECR", 100, {1: 100}, cash=500, unused=3),
        operating("ECR", "SVR"),
    )


def test_a_marker_gives_way_to_the_home_marker() -> None:
    """§8.1.3, §17.15: in phase A nothing makes room on yellow D13; SVR gets its marker back."""
    play = full_home("A")
    do(play, Pass(ECR))
    assert tokens(play, "D13") == {0: "ECR"}
    assert state_of(play).companies["SVR"].tokens == (0,)
    assert len(state_of(play).companies["ECR"].tokens) == 2


def test_a_full_home_is_upgraded_before_the_merge_step() -> None:
    """§8.1.2, §17.15: in phase D the upgrade is forced; no track step, but a marker step."""
    play = full_home("D")
    assert play.step() == "home"
    refused(play, LayTile(ECR, "D11", "14-0", 0), "HOME_UPGRADE_COMPULSORY", "1862 §8.1")
    refused(play, LayTile(ECR, "D13", "14-0", 9), "ROTATION_OUT_OF_RANGE", "1862 §1.7")
    do(play, next(a for a in play.legal_actions() if isinstance(a, LayTile)))
    assert tokens(play, "D13") == {0: "SVR", 1: "ECR"}
    assert play.step() == "merge"
    do(play, Pass(ECR))
    assert play.step() != "track"


def test_by_the_rulebook_the_upgrade_comes_at_the_track_step() -> None:
    """D9: first the merge step, then the forced upgrade."""
    play = full_home("D", "rulebook")
    assert play.step() == "merge"
    do(play, Pass(ECR))
    assert play.step() == "home"


def first_turn(sym: str, name: str = "A") -> Play:
    """The first turn of a company alone on the map, at the track step."""
    return changed(
        new_game(),
        phase(name),
        company(sym, 100, {1: 100}, cash=500, unused=3),
        company("WNR", 90, {2: 100}, cash=500, unused=3),
        operating(sym, "WNR"),
    )


def test_the_home_tile_is_compulsory() -> None:
    """§8.1.4, §17.16: no pass on a bare home; then a second yellow tile without N may follow."""
    play = first_turn("ECR")
    do(play, Pass(ECR))
    assert play.step() == "track"
    refused(play, Pass(ECR), "HOME_TILE_COMPULSORY", "1862 §8.1")
    refused(play, LayTile(ECR, "E12", "790-0", 0), "HOME_TILE_FIRST", "1862 §8.1")
    do(play, LayTile(ECR, "D13", "57-0", 0))
    assert play.step() == "track"
    lays = [a for a in play.legal_actions() if isinstance(a, LayTile)]
    assert lays
    assert all(lay.tile.rpartition("-")[0] != "790" for lay in lays)
    refused(play, LayTile(ECR, "E12", "790-0", 1), "SECOND_TILE_NOT_YELLOW", "1862 §8.3")


def test_nothing_follows_a_wide_tile() -> None:
    """§8.3.1, §17.16: after an N home the track step is over."""
    play = first_turn("ESR")
    do(play, Pass(corporation("ESR")))
    do(play, next(a for a in play.legal_actions() if isinstance(a, LayTile)))
    assert play.step() != "track"


def london(linked: int, mine: bool = False, tiles: int = 0) -> Play:
    """ECR at D13, whose track leads to London, at the token step."""
    others = ("WNR", "W&F", "L&H", "ENR")[:linked]
    return changed(
        new_game(),
        laid(D13=("57", 0)),
        *(
            company(
                sym, (58, 62, 68, 74)[n], {2: 100}, markers=("B15" if n < 2 else "D15",), unused=1
            )
            for n, sym in enumerate(others)
        ),
        company("ECR", 100, {1: 100}, markers=("D13", *(("D15",) if mine else ())), unused=2),
        operating("ECR", open_from="token", tiles=tiles),
    )


def test_links_with_london() -> None:
    """§8.5, §17.17: four circles; not after a tile; not twice; full London still asks."""
    play = london(2)
    assert play.step() == "token"
    assert PlaceToken(ECR, "D15-0-4", 0) in play.legal_actions()
    refused(play, PlaceToken(ECR, "B15-0-3"), "NO_FREE_SLOT", "1862 §8.6")
    do(play, PlaceToken(ECR, "D15-0-4"))
    assert play.step() != "token"
    play = london(4)
    assert play.step() == "token"
    assert [a.TYPE for a in play.legal_actions()] == ["pass"]
    play = changed(london(2), lambda state: setattr(state.companies["ECR"], "tokens", ()))
    assert play.step() == "token"
    assert [a.TYPE for a in play.legal_actions()] == ["pass"]
    refused(play, PlaceToken(ECR, "D15-0-4"), "NO_TOKEN_LEFT", "1862 §8.6")
    assert london(2, tiles=1).step() != "token"
    assert london(2, mine=True).step() != "token"


@pytest.mark.parametrize(
    ("hex_id", "under", "name", "expected"),
    [
        ("F13", ("621", 2), "B", {"793"}),
        ("F13", ("793", 5), "D", {"797"}),
        ("F11", ("791", 1), "D", {"795"}),
    ],
)
def test_tiles_of_harwich_and_ipswich(
    hex_id: str, under: tuple[str, int], name: str, expected: set[str]
) -> None:
    """§8.3.3, §17.18: Harwich 793 then 797; Ipswich 795."""
    play = changed(
        new_game(),
        phase(name),
        laid(**{hex_id: under}),
        company("EUR", 100, {1: 100}, markers=(hex_id,), unused=1),
        operating("EUR", open_from="track"),
    )
    lays = [a for a in play.legal_actions() if isinstance(a, LayTile) and a.hex == hex_id]
    assert {lay.tile.rpartition("-")[0] for lay in lays} == expected


def test_small_stations() -> None:
    """§8.4, §17.19: on any green tile, even unconnected; no third on green; not after a tile."""
    play = changed(
        new_game(),
        phase("B"),
        laid(F9=("18_1b", 3), G4=("17_2", 0), D13=("57", 0)),
        company("ECR", 100, {1: 100}, markers=("D13",), unused=0),
        operating("ECR", open_from="track"),
    )
    lays = [a for a in play.legal_actions() if isinstance(a, LayTile)]
    added = [lay for lay in lays if lay.hex in ("F9", "G4")]
    assert [(lay.hex, lay.tile, lay.rotation) for lay in added] == [("F9", "18_2-0", 3)]
    refused(play, LayTile(ECR, "F9", "18_2-0", 2), "TRACK_NOT_KEPT", "1862 §8.3")
    other = play.copy()
    do(other, added[0])
    assert other.step() != "track"
    do(play, next(lay for lay in lays if lay.hex == "D11"))
    refused(play, added[0], "SECOND_TILE_NOT_YELLOW", "1862 §8.3")


@pytest.mark.parametrize("profile", ["18xx.games", "rulebook"])
def test_lines_of_two_small_stations(profile: str) -> None:
    """§8.3.5, D23: on the site 20_2 may become tiles that join its ends by other lines."""
    play = changed(
        new_game(profile=profile),
        phase("D"),
        laid(E10=("20_2", 0), F11=("791", 1)),
        company("EUR", 100, {1: 100}, markers=("F11",), unused=0),
        operating("EUR", open_from="track"),
    )
    lays = [a for a in play.legal_actions() if isinstance(a, LayTile) and a.hex == "E10"]
    found = {lay.tile.rpartition("-")[0] for lay in lays}
    assert "798_2" in found
    assert (found == {"798_2"}) == (profile == "rulebook")


def running(
    revenue: int, at: int, trains: tuple[tuple[str, str, int], ...] = (), treasury: int = 0
) -> Play:
    """EUR about to decide about its revenue."""
    return changed(
        new_game(),
        phase("E"),
        company("EUR", at, {1: 60, "EUR": 10, MARKET: 30}, cash=treasury, trains=trains,
                markers=("E12",)),
        cash(p1=0),
        operating("EUR", open_from="dividend", revenue=revenue),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("revenue", "at", "kind", "after", "mine", "treasury"),
    [
        (60, 74, "hudson", 82, 48, 100 - 20 + 8),
        (240, 292, "hudson", 330, 180, 100 - 60 + 30),
        (840, 220, "payout", 310, 504, 100 + 84),
        (100, 100, "payout", 110, 60, 110),
        (200, 100, "payout", 122, 120, 120),
        (400, 100, "payout", 150, 240, 140),
        (990, 100, "payout", 150, 594, 199),
        (90, 100, "payout", 100, 54, 109),
        (90, 100, "withhold", 90, 0, 190),
        (20, 20, "withhold", 7, 0, 120),
    ],
)
def test_dividends(revenue: int, at: int, kind: str, after: int, mine: int, treasury: int) -> None:
    """§8.8, §17.26, §17.27: the examples; 60 % with the player, 10 % in the treasury."""
    play = do(running(revenue, at, (("E-0", "6F", 0),), 100), Dividend(EUR, kind))
    assert price(play, "EUR") == after
    assert state_of(play).players[1].cash == mine
    assert state_of(play).companies["EUR"].cash == treasury


def test_withholding_at_14_is_bankruptcy() -> None:
    """§8.12, §17.26: price 0; nobody gets anything, markers are gone; trains too, but for D26."""
    play = do(running(10, 14, (("E-0", "6F", 0),), 100), Dividend(EUR, "withhold"))
    state = state_of(play)
    assert percents(play, "EUR") == {IPO: 100}
    assert (state.players[1].cash, state.companies["EUR"].cash) == (0, 0)
    assert (state.companies["EUR"].trains, state.stranded) == ((), {"E-0": "EUR"})
    assert tokens(play, "E12") == {}
    assert play.current.round.kind == "parliament"


def test_hudson_needs_money_and_a_low_revenue() -> None:
    """§8.8.3: the smallest multiple of £10 from the treasury, only below the price."""
    refused(
        running(60, 74, treasury=19), Dividend(EUR, "hudson"), "HUDSON_NOT_ALLOWED", "1862 §8.8"
    )
    refused(
        running(80, 74, treasury=99), Dividend(EUR, "hudson"), "HUDSON_NOT_ALLOWED", "1862 §8.8"
    )


def test_warranties_keep_trains() -> None:
    """§8.9, §17.28: with k warranties a train runs k times more; a C train rusts in phase F."""
    trains = (("A-0", "2E", 2), ("A-1", "2E", 1), ("E-0", "6F", 1))
    play = do(running(100, 100, trains), Dividend(EUR, "payout"))
    state = state_of(play)
    assert state.companies["EUR"].trains == ("A-0", "E-0")
    assert [state.fittings[train].warranties for train in ("A-0", "E-0")] == [1, 0]


def buying(
    name: str,
    trains: tuple[tuple[str, str, int], ...] = (),
    money: int = 1000,
    options: tuple[str, ...] = (),
    others: tuple[tuple[str, str, int], ...] = (("B-0", "2F", 1),),
) -> Play:
    """EUR at the train step; SVR has a used train."""
    return changed(
        new_game(options=options),
        phase(name),
        company("EUR", 100, {1: 100}, cash=money, trains=trains, markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=others, permits=("freight",)),
        operating("EUR", open_from="trains"),
    )


def purchases(play: Play) -> set[tuple[str, int, str | None, int | None]]:
    """Return what may be bought: train, price, variant, warranties."""
    offers = [a for a in play.legal_actions() if isinstance(a, BuyTrain)]
    return {(a.train, a.price, a.variant, a.warranties) for a in offers}


@pytest.mark.parametrize(("name", "cost"), [("B", 200), ("C", 100)])
def test_prices_of_used_trains(name: str, cost: int) -> None:
    """§8.10.2, §17.29: a B train costs 200 in phase B, 100 later; the warranty goes with it."""
    play = buying(name)
    assert ("B-0", cost, None, None) in purchases(play)
    refused(play, BuyTrain(EUR, "B-0", cost + 10), "TRAIN_PRICE_WRONG", "1862 §8.10")
    do(play, BuyTrain(EUR, "B-0", cost))
    state = state_of(play)
    assert state.companies["SVR"].cash == cost
    assert state.fittings["B-0"].warranties == 1


def test_new_trains_and_warranties() -> None:
    """§8.10.4: one to three warranties at £50, two with an A or D train that has one free."""
    found = purchases(buying("D", money=460))
    assert {(v, w) for t, _, v, w in found if t == "D-0"} == {
        (variant, count) for variant in ("5F*", "4L*", "4E*") for count in (0, 1, 2)
    }
    play = do(buying("C", money=430), BuyTrain(EUR, "C-0", 280, "3E", 3))
    assert state_of(play).fittings["C-0"].warranties == 3
    assert state_of(play).companies["EUR"].cash == 0


THREE = (("C-0", "3E", 0), ("C-1", "3E", 0), ("C-2", "3E", 0))


@pytest.mark.parametrize(
    ("name", "trains", "kinds"),
    [
        ("D", THREE, {"5F*", "4L*"}),
        ("E", THREE[:2], {"6F", "4/5L"}),
        ("E", THREE, {"6F", "4/5L"}),
        ("G", THREE[:2], {"8F", "5/6L", "5/6E"}),
        ("G", THREE, set()),
    ],
)
def test_train_limits(name: str, trains: tuple[tuple[str, str, int], ...], kinds: set[str]) -> None:
    """§8.10.3, §17.30: three of each type, two of each, three in all; no discarding."""
    play = buying(name, trains)
    assert {variant for _, _, variant, _ in purchases(play) if variant} == kinds
    if not kinds:
        assert play.step() != "trains"


def test_the_first_train_of_a_band_changes_the_phase() -> None:
    """§11: the first C train rusts A trains at once, but for those under warranty."""
    play = buying("B", (("A-0", "2E", 0), ("A-1", "2E", 1)))
    play = changed(play, lambda state: setattr(state, "depot", ("C-0", "C-1")))
    do(play, BuyTrain(EUR, "C-0", 280, "3E"))
    state = state_of(play)
    assert state.phase == "C"
    assert state.companies["EUR"].trains == ("A-1", "C-0")


def test_a_trainless_company_buys_what_the_bank_sells() -> None:
    """§8.10.6: no exemption; a used train will do as well."""
    play = buying("C", money=280)
    refused(play, Pass(EUR), "TRAIN_COMPULSORY", "1862 §8.10")
    do(play, BuyTrain(EUR, "B-0", 100), Pass(EUR))
    assert play.step() != "trains"


def short_of_money(profile: str, treasury: int, par: int, money: int, at: int = 128) -> Play:
    """EUR, trainless, in phase D, with used B trains at £100 on the map."""
    mine = 100 - treasury
    held_by = {1: mine, "EUR": treasury} if treasury else {1: mine}
    return changed(
        new_game(profile=profile),
        phase("D"),
        company("EUR", at, held_by, cash=money, par=par, markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=(("B-0", "2F", 0),), permits=("freight",)),
        cash(p1=0),
        operating("EUR", open_from="trains"),
    )


def test_forced_sale_of_treasury_shares() -> None:
    """§8.11.2, G-market #607: price 128, £68 short: one share, price 122; then a new train."""
    play = short_of_money("18xx.games", 20, 100, 292)
    do(play, Pass(EUR))
    state = state_of(play)
    assert (price(play, "EUR"), state.companies["EUR"].cash) == (122, 420)
    assert held(state, MARKET, "EUR") == ("EUR_6",)
    assert play.step() == "new train"
    assert {train for train, _, _, _ in purchases(play)} == {"D-0"}
    do(play, BuyTrain(EUR, "D-0", 360, "4E*"))
    assert play.step() != "new train"


def test_refinancing_by_choice() -> None:
    """§8.11.4, §17.25: with both ways open the director may refinance instead."""
    play = short_of_money("18xx.games", 20, 100, 292)
    do(play, Convert(EUR))
    assert state_of(play).companies["EUR"].cash == 1292


def test_used_trains_come_first_by_the_rulebook() -> None:
    """D13: who can pay a used train raises no money by force."""
    play = short_of_money("rulebook", 20, 100, 292)
    refused(play, Pass(EUR), "TRAIN_COMPULSORY", "1862 §8.10")
    refused(play, Convert(EUR), "TRAIN_COMPULSORY", "1862 §8.10")


def test_bankruptcy_when_nothing_is_enough() -> None:
    """§8.12, §17.25: 68 goes left to 62; 10 x 54 is not enough; shares bring £31 each."""
    play = changed(
        new_game(),
        phase("G"),
        laid(E12=("790", 0)),
        company("EUR", 68, {1: 50, 3: 10, MARKET: 40}, cash=100, par=54, markers=("E12",)),
        company("SVR", 90, {2: 100}, trains=(("E-0", "6F", 0),), markers=("D11",), unused=1),
        cash(p1=0, p3=0),
        operating("EUR", "SVR", open_from="merge"),
    )
    refused(play, Convert(EUR), "WRONG_STEP", "FMT §B8")
    do(play, Pass(EUR), Pass(EUR))
    state = state_of(play)
    assert (state.players[1].cash, state.players[3].cash) == (5 * 31, 31)
    assert percents(play, "EUR") == {IPO: 100}
    assert tokens(play, "E12") == {}
    assert play.actor() == corporation("SVR")


@pytest.mark.parametrize(
    ("money", "trains", "bought"),
    [
        (900, (("C-0", "3E", 0),), {"D-0": ("4E", 1)}),
        (359, (("C-0", "3E", 0),), {}),
        (360, (), {"D-0": ("4E", 1)}),
    ],
)
def test_receivership_buys_by_rule(
    money: int, trains: tuple[tuple[str, str, int], ...], bought: dict[str, tuple[str, int]]
) -> None:
    """§7.5, §17.43: an Express before a Freight; one train, no warranty but the free one."""
    play = changed(
        new_game(),
        phase("D"),
        company("EUR", 100, {MARKET: 80, 1: 20}, cash=money, trains=trains,
                permits=("freight", "express")),
        company("SVR", 90, {2: 100}, unused=2, markers=("D11",)),
        operating("SVR", "EUR", open_from="acquire"),
    )  # fmt: skip
    do(play, Pass(corporation("SVR")))
    state = state_of(play)
    new = {t: state.fittings[t] for t in state.companies["EUR"].trains if t[0] == "D"}
    assert new == bought
    assert price(play, "EUR") == 90


def test_a_trainless_company_in_receivership_that_cannot_pay_is_bankrupt() -> None:
    """§7.5, §8.12.3, §17.25: 71 goes left to 65; players get 32 for each share."""
    play = changed(
        new_game(),
        phase("D"),
        company("EUR", 71, {MARKET: 80, 1: 20}, cash=359),
        company("SVR", 90, {2: 100}, unused=2, markers=("D11",)),
        cash(p1=0),
        operating("SVR", "EUR", open_from="acquire"),
    )
    do(play, Pass(corporation("SVR")))
    assert state_of(play).players[1].cash == 64
    assert percents(play, "EUR") == {IPO: 100}


def test_trains_that_ran_do_not_run_again() -> None:
    """§8.7, §17.31: with a company whose run is settled; a fresh one sold on may run."""
    trains = (("B-0", "2F", 0), ("B-1", "2F", 0))
    play = changed(
        new_game(),
        phase("C"),
        laid(D13=("57", 0), D11=("6", 0)),
        company("SVR", 90, {1: 100}, trains=trains, markers=("D11",), permits=("freight",)),
        operating("EUR", "SVR", index=1, open_from="run"),
        lambda state: setattr(state.round, "ran", frozenset({"B-0"})),
    )
    running_now = play.running()
    assert running_now is not None
    assert [train.id for train in running_now[1].trains] == ["B-1"]
    svr = corporation("SVR")
    leg = (("D11", "D13"),)
    refused(play, RunRoutes(svr, (RouteEntry("B-0", leg),)), "TRAIN_NOT_RUNNABLE", "1862 §8.7")
    do(play, RunRoutes(svr, (RouteEntry("B-1", leg),)))
    assert play.step() == "dividend"


def test_redeeming_a_share() -> None:
    """§8.13: one own share from the pool at the current price, once a turn."""
    play = changed(
        new_game(),
        company(
            "EUR", 100, {1: 60, MARKET: 40}, cash=250, trains=(("A-0", "2E", 0),), markers=("E12",)
        ),
        operating("EUR", open_from="redeem"),
    )
    (share, *_) = held(state_of(play), MARKET, "EUR")
    refused(play, BuyShares(EUR, ("EUR_0",), 10), "SHARE_NOT_FOR_SALE", "1862 §8.13")
    do(play, BuyShares(EUR, (share,), 10))
    assert percents(play, "EUR") == {1: 60, "EUR": 10, MARKET: 30}
    assert state_of(play).companies["EUR"].cash == 150
    assert play.step() == "acquire"


def ending(**fields: object) -> Play:
    """EUR alone, at the end of its turn in the last operating round of a set."""
    play = changed(
        new_game(),
        phase("H"),
        company("EUR", 900, {1: 100}, trains=(("E-0", "6F", 0),), markers=("E12",)),
        operating("EUR", open_from="dividend", revenue=900),
    )

    def change(state: object) -> None:
        for name, value in fields.items():
            setattr(state, name, value)

    return changed(play, change)


def test_a_price_of_1000_ends_the_round() -> None:
    """§13.1, §17.42: the operating round is finished, the set is not."""
    play = ending(set_rounds=3)
    do(play, Dividend(EUR, "payout"))
    assert price(play, "EUR") == 1000
    assert play.end_reason == "stock_market"
    assert not play.finished
    do(play, Pass(EUR))
    assert play.finished


def test_a_broken_bank_ends_the_set_without_lner() -> None:
    """§13.2, §13.4, §17.41: also in the set of the first H train; not once the LNER is there."""
    play = ending(bank=899, lner="coming", set_rounds=1)
    do(play, Dividend(EUR, "withhold"))
    assert play.end_reason == "bank"
    do(play, Pass(EUR), Pass(EUR))
    assert play.finished
    play = ending(bank=899, lner="formed", set_rounds=3, end_reason="lner", end_after="set")
    do(play, Dividend(EUR, "withhold"))
    assert play.end_reason == "lner"
    assert not play.finished


def test_the_bank_may_pay_its_last_pound() -> None:
    """§13.2: paying out exactly what is left does not break it."""
    play = do(ending(bank=900), Dividend(EUR, "withhold"))
    assert (state_of(play).bank, play.end_reason) == (0, "")


def test_formation_of_the_lner() -> None:
    """§12.2, §17.40: IPO shares go to the pool, the limit is the largest holding; no drops."""
    play = changed(
        ending(lner="coming", set_rounds=1),
        company("SVR", 90, {2: 50, IPO: 50}, chartered=True, markers=("D11",)),
    )
    do(play, Dividend(EUR, "withhold"), Pass(EUR), Pass(EUR))
    state = state_of(play)
    assert (state.lner, state.limit, state.round.kind) == ("formed", 10, "stock")
    assert percents(play, "SVR") == {2: 50, MARKET: 50}
    assert all(c.started or c.removed for c in state.companies.values())
    assert play.end_reason == "lner"
    card = held(state, 2, "SVR")[1]
    play = changed(play, stock_round, lambda state: setattr(state.round, "index", 1))
    sale = next(a for a in play.legal_actions() if a.TYPE == "sell_shares")
    before = price(play, "SVR")
    do(play, sale)
    assert price(play, "SVR") == before
    assert card in held(state_of(play), MARKET, "SVR")


@pytest.mark.parametrize(("profile", "worth"), [("18xx.games", 54 + 5 * 18), ("rulebook", 8 * 36)])
def test_scores(profile: str, worth: int) -> None:
    """§13.5, D22: cash and shares; certificates of trainless companies count half on the site."""
    play = changed(new_game(profile=profile), company("EUR", 36, {1: 80, 2: 20}))
    assert play.scores()[1] == 800 + worth
