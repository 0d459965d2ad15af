"""Share offers after emergency conversions, and receivership without a train (18GB §13)."""

from __future__ import annotations

from engine.games.g18gb.play.state import State18GB
from engine.play import shares
from engine.play.actions import BuyShares, BuyTrain, Convert, Pass, RunRoutes, corporation, player
from engine.play.entities import Cell
from engine.play.game import Play
from engine.play.market import put
from tests.engine.games.g18gb.play.scene import state_of
from tests.engine.games.g18gb.play.test_operating import at_trains, company, operating
from tests.engine.play.scene import changed, do, refused

NBR, MR = corporation("NBR"), corporation("MR")


def converted(cell: int) -> Play:
    """NBR has converted in an emergency and bought a train; before, it stood in a cell."""
    play = operating("NBR", phase="4+2", sold="2+1 3+1 4+2", cash=400)

    def stand(state: State18GB) -> None:
        put(state, "NBR", Cell(0, cell))

    play = do(at_trains(changed(play, stand)), Convert(NBR), BuyTrain(NBR, "5+2-0", 500))
    return do(play, Pass(NBR)) if play.step() == "trains" else play


def offer(share: str) -> BuyShares:
    return BuyShares(player(1), (share,))


def test_two_shares_are_offered_where_the_price_is_low() -> None:
    """§13.8: at 50 to 65 the director may buy a second share, and no third."""
    play = converted(7)
    assert company(play, "NBR").cell == Cell(0, 3)
    do(play, offer("NBR_4"))
    assert (play.step(), play.actor()) == ("share offer", player(1))
    once = do(play.copy(), Pass(player(1)))
    assert once.step() != "share offer"
    do(play, offer("NBR_5"))
    assert play.step() != "share offer"
    assert shares.units(state_of(play), 1, "NBR") == 4


def test_one_share_is_offered_where_the_price_is_higher() -> None:
    """§13.8: from 70 on it is one."""
    play = converted(8)
    assert company(play, "NBR").cell == Cell(0, 4)
    assert do(play, offer("NBR_4")).step() != "share offer"


def test_nothing_is_offered_that_the_director_cannot_have() -> None:
    """§13.8, §16.3: without money for any share, or at the certificate limit, nobody is asked."""
    play = converted(8)

    def spend(state: State18GB) -> None:
        state.players[1].cash = 64

    def fill(state: State18GB) -> None:
        for sym in ("LYR", "NER", "CR", "GSWR", "MR"):
            for share in shares.ordinary(state, sym, sym):
                if shares.certificates(state, 1) < 14:
                    shares.hand_over(state, share, 1)

    for change in (spend, fill):
        before = operating("NBR", phase="4+2", sold="2+1 3+1 4+2", cash=400)
        after = do(at_trains(changed(before, change)), Convert(NBR), BuyTrain(NBR, "5+2-0", 500))
        assert after.step() != "share offer"
    refused(play, offer("NBR_0"), "SHARE_NOT_FOR_SALE", "18GB §6.1", "shares")


def test_receivership_that_earned_nothing_is_left_to_the_players() -> None:
    """§13.9: insolvent, and nothing can be leased: an act or a pass is asked for, be it the
    conversion; there is no director to offer shares to."""
    play = operating("MR", "LYR", phase="6X", cash=10, directed=None)

    def empty(state: State18GB) -> None:
        state.insolvent = frozenset({"MR"})
        state.depot = ()
        state.companies["LYR"].trains = ("6X-0",)

    waiting = do(changed(play, empty), RunRoutes(MR))
    assert (waiting.step(), waiting.actor()) == ("trains", MR)
    refused(waiting, BuyTrain(MR, "6X-0", 1), "SELLER_NOT_ALLOWED", "18GB §13.2", "train")
    do(waiting, Pass(MR))

    def lease(state: State18GB) -> None:
        state.insolvent = frozenset({"MR"})

    poor = operating("MR", phase="4+2", sold="2+1 3+1", cash=10, directed=None)
    poor = do(changed(poor, lease), RunRoutes(MR))
    assert (poor.step(), company(poor, "MR").cell) == ("trains", Cell(0, 6))
    do(poor, Convert(MR))
    assert (company(poor, "MR").cash, company(poor, "MR").cell) == (10 + 5 * 65, Cell(0, 3))
    do(poor, BuyTrain(MR, "4+2-0", 300))
    assert poor.step() != "share offer"
    assert "MR" not in state_of(poor).insolvent


def test_receivership_that_cannot_afford_a_train_after_its_run_is_not_asked() -> None:
    """§13.9: what it does after a run that earned something it does by itself, or not at all."""
    play = operating("MR", "LYR", phase="4X", sold="2+1 3+1 4+2 5+2", cash=100, directed=None)

    def large(state: State18GB) -> None:
        state.insolvent = frozenset({"MR"})
        state.companies["MR"].kind = "10-share"
        state.companies["LYR"].trains = ("5+2-0",)

    play = changed(play, large)
    run = next(a for a in play.legal_actions() if isinstance(a, RunRoutes) and a.routes)
    do(play, run)
    assert company(play, "MR").trains == ()
    assert company(play, "MR").cash > 100
    assert (play.step(), play.current.round.number) == ("run", 2)
