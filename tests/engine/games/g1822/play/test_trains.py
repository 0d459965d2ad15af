"""Trains of 1822 (§2, §13): the edge cases of §20."""

from __future__ import annotations

import pytest

from engine.games.g1822.play.running import trains_to_run
from engine.games.g1822.play.state import Player1822
from engine.play import shares
from engine.play.actions import (
    AcquireCompany,
    BuyTrain,
    Choose,
    DiscardTrain,
    Pass,
    PlaceToken,
    RunRoutes,
    SellShares,
    corporation,
    player,
)
from engine.play.entities import Cell
from engine.play.game import Play
from tests.engine.games.g1822.handmade import board
from tests.engine.games.g1822.play.scene import (
    Stage,
    company,
    later_steps,
    pass_on,
    state_of,
    steps_before,
    table,
)
from tests.engine.play.scene import do, refused


def buying(stage: Stage, sym: str) -> Play:
    """Return the game at the step in which a company buys trains."""
    return later_steps(stage.operating(sym), *steps_before("trains"))


def debt(play: Play, number: int) -> int:
    found = state_of(play).players[number]
    assert isinstance(found, Player1822)
    return found.debt


def test_a_first_train_before_the_track() -> None:
    """§13.1: one L, which the record names by a placeholder (FMT §B5.3, H12)."""
    stage = Stage("1").company("10", 50, 1, cash=100, turns=0)
    stage.state.depot = stage.state.depot[3:]
    play = stage.operating("10")
    assert play.step() == "first train"
    two = BuyTrain(corporation("10"), "L-0", 120, "2")
    refused(play, two, "TRAIN_VARIANT_WRONG", "1822 §13.1")
    cheap = BuyTrain(corporation("10"), "L-0", 50, "L")
    refused(play, cheap, "TRAIN_PRICE_WRONG", "1822 §13.1")
    do(play, BuyTrain(corporation("10"), "L-0", 60, "L"))
    assert company(play, "10").trains == ("L-3",)
    assert play.step() == "track"


def test_an_upgrade_starts_phase_2() -> None:
    """§20.11: first 2 by upgrade in the single round of phase 1: the set still has one round."""
    stage = Stage("1").company("10", 50, 1, cash=100, trains=("L-0",))
    play = later_steps(stage.operating("10", rounds=1), *steps_before("trains"))
    dear = BuyTrain(corporation("10"), "L-0", 120, "2", exchange="L-0")
    refused(play, dear, "TRAIN_PRICE_WRONG", "1822 §13.4")
    other = BuyTrain(corporation("10"), "L-1", 80, "2", exchange="L-1")
    refused(play, other, "TRAIN_NOT_UPGRADABLE", "1822 §13.4")
    do(play, BuyTrain(corporation("10"), "L-0", 80, "2", exchange="L-0"))
    assert (state_of(play).phase, company(play, "10").cash) == ("2", 20)
    assert table(play).kit.roster.side(state_of(play), "L-0").name == "2"
    while play.current.round.kind == "operating":
        pass_on(play)
    assert play.current.round.kind == "stock"


@pytest.mark.parametrize(("phase", "price"), [("1", 80), ("2", 70)])
def test_upgrades_in_the_scenarios(phase: str, price: int) -> None:
    """§21.1: 80 in phase 1, 70 in phase 2."""
    stage = Stage(phase, title="1822MRS").company("10", 50, 1, trains=("L-0",))
    play = buying(stage, "10")
    do(play, BuyTrain(corporation("10"), "L-0", price, "2", exchange="L-0"))


def test_trains_rust() -> None:
    """§2.4, §2.6: a 3 rusts L, upgraded ones stay; a 4 rusts the 2s, in the discard pile too."""
    stage = Stage("2").company("10", 50, 1, trains=("L-0",), cash=900)
    stage.company("11", 50, 2, trains=("L-1",))
    stage.state.turned["L-1"] = "2"
    stage.state.depot = ("3-0", "4-0", "4-1")
    play = do(buying(stage, "10"), BuyTrain(corporation("10"), "3-0", 200, "3"))
    assert company(play, "10").trains == ("3-0",)
    assert company(play, "11").trains == ("L-1",)
    later = Stage("3").company("10", 50, 1, cash=900).company("11", 50, 2, trains=("L-1",))
    later.state.turned |= {"L-1": "2", "L-2": "2"}
    later.state.discarded = ("L-2",)
    later.state.depot = ("4-0", "4-1")
    play = do(buying(later, "10"), BuyTrain(corporation("10"), "4-0", 300, "4"))
    assert (company(play, "11").trains, state_of(play).discarded) == ((), ())


def test_events_of_7_and_e() -> None:
    """§2.5: P15 and P20 close and their money goes back; the next copy follows (FMT §B4.3)."""
    stage = Stage("6").company("MR", 100, 1, cash=2000).private("P15", 1, store=270)
    stage.state.depot = ("7-0",)
    play = buying(stage, "MR")
    bank = state_of(play).bank
    assert bank is not None
    do(play, BuyTrain(corporation("MR"), "7-0", 1000, "E"))
    state = state_of(play)
    assert (state.phase, state.depot, state.turned["7-0"]) == ("7", ("7-1",), "E")
    assert state.privates["P15"].closed
    assert state.bank == bank + 1000 + 270
    again = BuyTrain(corporation("MR"), "7-1", 1000, "E")
    refused(play, again, "TRAIN_VARIANT_WRONG", "1822 §13.2")
    do(play, BuyTrain(corporation("MR"), "7-1", 750, "7"))


def test_trains_of_other_companies() -> None:
    """§13.2, §13.3: from phase 3, at least £1, from the treasury, no extra trains."""
    stage = Stage("3").company("MR", 100, 1, cash=50, trains=("3-4",))
    stage.company("10", 60, 2, trains=("3-0", "LP-0"))
    play = buying(stage, "MR")
    who = corporation("MR")
    refused(play, BuyTrain(who, "3-0", 0), "TRAIN_PRICE_WRONG", "1822 §13.2")
    refused(play, BuyTrain(who, "3-0", 51), "CASH_SHORT", "1822 §13.2")
    refused(play, BuyTrain(who, "LP-0", 1), "TRAIN_NOT_FOR_SALE", "1822 §13.3")
    refused(play, BuyTrain(who, "3-0", 1, "2"), "TRAIN_VARIANT_WRONG", "1822 §13.2")
    refused(play, BuyTrain(who, "9-9", 1), "TRAIN_NOT_ON_SALE", "1822 §13.2")
    do(play, BuyTrain(who, "3-0", 50))
    assert company(play, "10").cash == 550
    early = Stage("2").company("MR", 100, 1, trains=("L-4",)).company("10", 60, 2, trains=("L-0",))
    play = buying(early, "MR")
    refused(play, BuyTrain(who, "L-0", 1), "PHASE_TOO_EARLY", "1822 §13.2")


def test_a_train_runs_once_a_round() -> None:
    """§20.37: bought from a minor that has run it, it cannot run again; from one that had it
    only after its dividend it can (§11.16)."""
    stage = Stage("3").company("10", 60, 1, trains=("3-0",)).company("MR", 100, 1, trains=("3-4",))
    stage.board(board("1822", "3", "J29 I30"))
    play = stage.operating("10", "MR")
    do(play, Pass(corporation("10")), RunRoutes(corporation("10")))
    do(play, BuyTrain(corporation("10"), "3-1", 200, "3"))
    while play.actor() == corporation("10"):
        pass_on(play)
    play = later_steps(play, *steps_before("run"))
    do(play, RunRoutes(corporation("MR")))
    do(play, BuyTrain(corporation("MR"), "3-0", 1), BuyTrain(corporation("MR"), "3-1", 1))
    assert trains_to_run(table(play)) == ("3-1",)


def test_discarded_trains_are_sold_at_face_price() -> None:
    """§2.8, §13.2: an L not as a 2, one of each kind."""
    stage = Stage("2").company("10", 60, 1, trains=("L-4",))
    stage.state.discarded, stage.state.depot = ("L-0", "L-1"), ("L-5", "L-6")
    play = buying(stage, "10")
    as_two = BuyTrain(corporation("10"), "L-0", 120, "2")
    refused(play, as_two, "TRAIN_VARIANT_WRONG", "1822 §13.2")
    refused(play, BuyTrain(corporation("10"), "L-1", 60), "TRAIN_NOT_ON_SALE", "1822 §13.2")
    do(play, BuyTrain(corporation("10"), "L-0", 60))
    assert (state_of(play).discarded, state_of(play).phase) == (("L-1",), "2")
    full = BuyTrain(corporation("10"), "L-1", 60)
    refused(play, full, "TRAIN_LIMIT", "1822 §13.6")


def test_one_e_for_a_company() -> None:
    """§13.5: who owns an E buys no other, neither from the stack nor from the discard pile."""
    for owned in ("E", "7"):
        stage = Stage("7").company("MR", 100, 1, trains=("7-0",), cash=1000)
        stage.state.depot, stage.state.discarded = ("7-5",), ("7-1", "7-2")
        stage.state.turned |= {"7-0": owned, "7-1": "E", "7-2": "E"}
        offers = list(buying(stage, "MR").legal_actions())
        bought = [a for a in offers if isinstance(a, BuyTrain) and a.price >= 750]
        found = {(a.train, a.variant) for a in bought}
        more = {("7-5", "E"), ("7-1", "E")} if owned == "7" else set()
        assert found == {("7-5", "7"), *more}


def poor(cash: int, mine: int, profile: str = "18xx.games") -> Stage:
    """A minor without a train, £`cash` in its treasury, £`mine` with its owner; a 5 costs 500."""
    return Stage("5", profile=profile).company("10", 60, 1, cash=cash).cash(p1=mine)


def test_the_duty_to_own_a_train() -> None:
    """§13.7, §13.8: it must buy; with the director's help only the cheapest train."""
    stage = poor(100, 500)
    stage.state.discarded = ("4-0",)
    play = buying(stage, "10")
    who = corporation("10")
    refused(play, Pass(who), "TRAIN_COMPULSORY", "1822 §13.7")
    refused(play, BuyTrain(who, "5-0", 500, "5"), "CHEAPEST_TRAIN_ONLY", "1822 §13.8")
    do(play, BuyTrain(who, "4-0", 300, "4"))
    assert (company(play, "10").cash, state_of(play).players[1].cash) == (0, 300)
    rich = buying(poor(800, 0), "10")
    do(rich, BuyTrain(who, "5-0", 500, "5"))
    assert state_of(rich).players[1].cash == 0


@pytest.mark.parametrize(("cash", "mine", "owed"), [(485, 0, 23), (400, 45, 83), (0, 474, 39)])
def test_loans(cash: int, mine: int, owed: int) -> None:
    """§20.16, §13.10: 15 are 23, 55 are 83, 26 are 39."""
    play = buying(poor(cash, mine), "10")
    do(play, BuyTrain(corporation("10"), "5-0", 500, "5"))
    assert (debt(play, 1), state_of(play).players[1].cash) == (owed, 0)
    assert company(play, "10").cash == 0


def test_help_to_the_pound() -> None:
    """§13.8 to §13.10: who has exactly enough neither helps, sells nor borrows."""
    who = corporation("10")
    own = do(buying(poor(500, 7), "10"), BuyTrain(who, "5-0", 500, "5"))
    assert (state_of(own).players[1].cash, debt(own, 1)) == (7, 0)
    both = do(buying(poor(400, 100), "10"), BuyTrain(who, "5-0", 500, "5"))
    assert (state_of(both).players[1].cash, debt(both, 1)) == (0, 0)
    share = SellShares(player(1), ("GWR_1",), 10)
    for cash, mine, code in ((500, 0, "NOT_YOUR_TURN"), (400, 100, "SALE_NOT_NEEDED")):
        stage = poor(cash, mine).company("GWR", 100, 1, held={1: 4}, trains=("5-2",))
        section = "FMT §B8" if code == "NOT_YOUR_TURN" else "1822 §13.9"
        refused(buying(stage, "10"), share, code, section)
    two = SellShares(player(1), ("GWR_1", "GWR_2"), 20)
    stage = poor(400, 0).company("GWR", 100, 1, held={1: 4}, trains=("5-2",))
    refused(buying(stage, "10"), two, "SALE_TOO_LARGE", "1822 §13.9")
    stage.cash(p1=0).at.company_of("10").cash = 399
    assert state_of(do(buying(stage, "10"), two)).players[1].cash == 200


def test_who_owns_a_train_gets_no_help() -> None:
    """§13.8, §13.9: without the duty to buy the director neither pays nor sells."""
    stage = Stage("5").company("10", 60, 1, trains=(), cash=100).cash(p1=900)
    stage.company("MR", 100, 2, trains=("5-0",), cash=100)
    stage.company("GWR", 100, 2, held={2: 4}, trains=("5-2",)).cash(p2=900)
    stage.state.depot = ("5-1",)
    play = buying(stage, "MR")
    assert not any(isinstance(action, SellShares) for action in play.legal_actions())
    refused(play, BuyTrain(corporation("MR"), "5-1", 500, "5"), "CASH_SHORT", "1822 §13.2")


def test_two_carriages() -> None:
    """§2.7, §2.8: of two P+ one is discarded; it leaves the game."""
    stage = Stage("5").company("MR", 100, 1, trains=("5-0", "P+-0")).private("P14", 1)
    play = do(stage.operating("MR"), AcquireCompany(corporation("MR"), "P14"))
    wanted = [DiscardTrain(corporation("MR"), train) for train in ("P+-0", "P+-1")]
    assert list(play.legal_actions()) == wanted
    wrong = DiscardTrain(corporation("MR"), "5-0")
    refused(play, wrong, "TRAIN_NOT_SURPLUS", "1822 §2.8")
    do(play, wanted[0])
    assert (company(play, "MR").trains, state_of(play).discarded) == (("5-0", "P+-1"), ())


def test_shares_are_sold_first() -> None:
    """§13.9: only as many as needed, at the present price; then no train of others; the order
    of those that still operate is made again."""
    stage = poor(200, 140).company("GWR", 100, 1, held={1: 4, 2: 1}, trains=("5-2",))
    stage.company("SWR", 100, 2, trains=("5-1",), cell=Cell(4, 4))
    play = later_steps(stage.operating("10", "GWR", "SWR"), *steps_before("trains"))
    who = corporation("10")
    refused(play, BuyTrain(who, "5-0", 500, "5"), "SHARES_FIRST", "1822 §13.9")
    three = SellShares(player(1), ("GWR_1", "GWR_2", "GWR_3"), 30)
    refused(play, three, "SALE_TOO_LARGE", "1822 §13.9")
    do(play, SellShares(player(1), ("GWR_1", "GWR_2"), 20))
    assert state_of(play).players[1].cash == 340
    assert table(play).operating.order == ("10", "SWR", "GWR")
    refused(play, BuyTrain(who, "5-1", 1), "BANK_TRAIN_NEEDED", "1822 §13.8")
    refused(play, three, "BLOCK_NOT_OWNED", "1822 §5.4")
    again = SellShares(player(1), ("GWR_3",), 10)
    refused(play, again, "SALE_NOT_NEEDED", "1822 §13.9")
    do(play, BuyTrain(who, "5-0", 500, "5"))
    assert (state_of(play).players[1].cash, debt(play, 1)) == (40, 0)


def test_the_company_in_need_keeps_its_director() -> None:
    """§13.9: its shares go only while he stays ahead; the rulebook forbids them (D8)."""
    for profile, allowed in (("18xx.games", {1, 2}), ("rulebook", set())):
        stage = Stage("5", profile=profile).cash(p1=0)
        stage.company("MR", 100, 1, held={1: 2, 2: 2}, cash=0)
        play = buying(stage, "MR")
        sales = [a for a in play.legal_actions() if isinstance(a, SellShares)]
        assert {len(sale.shares) for sale in sales} == allowed
    stage = Stage("5").cash(p1=0).company("MR", 100, 1, held={1: 1, 2: 3}, cash=0)
    play = buying(stage, "MR")
    sale = SellShares(player(1), ("MR_1",), 10)
    refused(play, sale, "DIRECTOR_WOULD_CHANGE", "1822 §13.9")


def test_prices_in_an_emergency() -> None:
    """D8: the rulebook sells at the prices of the beginning, the site at the present ones."""
    for profile, cash in (("18xx.games", 190), ("rulebook", 200)):
        stage = poor(0, 0, profile=profile)
        stage.company("GWR", 100, 1, held={1: 5, 2: 1}, trains=("5-2",))
        play = buying(stage, "10")
        do(play, SellShares(player(1), ("GWR_1",), 10))
        named = None if profile == "18xx.games" else 100
        do(play, SellShares(player(1), ("GWR_2",), 10, named))
        assert state_of(play).players[1].cash == cash
        assert shares.units(state_of(play), "market", "GWR") == 2


def test_when_the_step_waits() -> None:
    """§8.3: any train elsewhere counts as £1 in all phases; without room only an upgrade."""
    stage = Stage("1").company("10", 50, 1, cash=1, trains=("L-0",))
    assert buying(stage, "10").step() != "trains"
    stage.company("11", 50, 2, trains=("L-1",))
    assert buying(stage, "10").step() == "trains"
    full = Stage("1").company("10", 50, 1, cash=79, trains=("L-0", "L-1"))
    assert buying(full, "10").step() != "trains"
    full.at.company_of("10").cash = 80
    assert buying(full, "10").step() == "trains"


def test_the_pullman_is_attached_by_its_place() -> None:
    """§18.4: an index among the trains without L, LP, E and P+, in the order of holding."""
    stage = Stage("7").company("MR", 100, 1, trains=("LP-0", "P+-0", "7-5", "6-0"))
    stage.state.turned["7-5"] = "E"
    stage.board(board("1822", "7", "J29 I30"))
    play = later_steps(stage.operating("MR"), *steps_before("run"))
    choices = [a for a in play.legal_actions() if isinstance(a, Choose)]
    assert choices == [Choose(corporation("MR"), "0")]
    for unknown in ("1", "²", "00"):
        refused(play, Choose(corporation("MR"), unknown), "CHOICE_UNKNOWN", "1822 §18.4")
    do(play, Choose(corporation("MR"), "0"))
    assert table(play).operating.attached == "6-0"
    refused(play, Choose(corporation("MR"), "0"), "CHOICE_UNKNOWN", "1822 §18.4")


def test_a_minor_cannot_use_an_e() -> None:
    """§8.3, §11.13: a minor whose only train is an E submits nothing."""
    stage = Stage("7").company("10", 100, 1, trains=("7-5",))
    stage.state.turned["7-5"] = "E"
    stage.board(board("1822", "7", "J29 I30"))
    play = later_steps(stage.operating("10"), *steps_before("run"))
    assert play.step() != "run"
    assert PlaceToken not in {type(action) for action in play.legal_actions()}
