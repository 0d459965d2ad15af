"""The example of the rules summary, played through, every amount as printed (18GB §12.4)."""

from __future__ import annotations

from engine.play.actions import (
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    Dividend,
    LayTile,
    Pass,
    RouteEntry,
    RunRoutes,
    corporation,
    player,
    private,
)
from engine.play.game import Play
from tests.engine.games.g18gb.play.scene import auction, new_game, par, pass_all, passes, state_of
from tests.engine.play.scene import do, refused

OWNERS = {"LM": 1, "LB": 2, "AF": 2, "GN": 3, "SD": 3, "LS": 4, "TV": 4, "CH": 4}
MR = corporation("MR")


def figures(play: Play) -> tuple[int, int, int | None, tuple[str, ...]]:
    """Cash of the first player; treasury, price and trains of MR: the box of the example."""
    state = state_of(play)
    company = state.companies["MR"]
    prices = (50, 55, 60, 65, 70, 75, 80, 90, 100)
    price = None if company.cell is None else prices[company.cell.column]
    return state.players[1].cash, company.cash, price, company.trains


def test_a_round_step_by_step() -> None:
    """Auction, stock round 1, operating rounds 1.1 and 1.2, and what comes next."""
    play = new_game(4, seed=2)
    assert state_of(play).tiers["MR"] == 1
    assert state_of(play).tiers["LNWR"] == 1
    assert sum(tier == 2 for tier in state_of(play).tiers.values()) == 4
    assert figures(play) == (330, 0, None, ())
    auction(play, OWNERS)
    assert figures(play) == (285, 0, None, ())
    passes(play, "trade", until=1)
    do(play, par(1, "MR", 90))
    assert figures(play) == (105, 450, 90, ())
    passes(play, "trade", until=1)
    refused(play, par(1, "NBR", 90), "CASH_SHORT", "18GB §6.2", "share_price")
    do(play, BuyShares(player(1), ("MR_1",), 20))
    assert figures(play) == (15, 450, 90, ())
    passes(play, "trade")
    assert figures(play) == (30, 450, 90, ())
    derby = LayTile(MR, "H19", "G39-0", 5)
    lincoln = LayTile(MR, "I20", "58-0", 0)
    assert derby in play.legal_actions()
    do(play, derby, lincoln)
    assert figures(play) == (30, 450, 80, ())
    do(play, BuyTrain(MR, "2+1-0", 80))
    assert figures(play) == (30, 370, 80, ("2+1-0",))
    do(play, Pass(MR))
    assert (play.current.round.kind, play.current.round.number) == ("operating", 2)
    assert figures(play) == (45, 370, 80, ("2+1-0",))
    leicester = LayTile(MR, "H21", "G18-0", 0)
    refused(play, leicester, "HEX_BLOCKED", "18GB §4.5", "hex")
    do(play, ChooseAbility(private("LS"), "close"), leicester)
    pass_all(play, "MR")
    route = RouteEntry("2+1-0", (("H21", "H19"), ("H19", "I20")), ("H21", "H19", "I20"))
    do(play, RunRoutes(MR, (route,)))
    run = play.actions()[-1]
    assert isinstance(run, RunRoutes)
    assert [entry.revenue for entry in run.routes] == [40]
    do(play, Dividend(MR, "payout"))
    assert figures(play) == (69, 386, 90, ("2+1-0",))
    do(play, BuyTrain(MR, "2+1-1", 80))
    assert figures(play) == (69, 306, 90, ("2+1-0", "2+1-1"))
    do(play, Pass(MR))
    assert (play.current.round.kind, play.current.turn) == ("stock", 2)
    assert len(state_of(play).companies["MR"].tokens) == 1
    passes(play, "trade", until=1)
    do(play, Choose(player(1), "convert_MR"))
    assert figures(play) == (69, 306 + 375, 75, ("2+1-0", "2+1-1"))
    assert state_of(play).companies["MR"].tokens == (50, 50, 50)
