"""Operating rounds: trains, insolvency, receivership, exports, the end (18GB §7 to §15)."""

from __future__ import annotations

from dataclasses import replace

from engine.board.state import TokenPlacement
from engine.games.g18gb.play.state import OperatingData, State18GB
from engine.play import shares
from engine.play.actions import (
    BuyShares,
    BuyTrain,
    ChooseAbility,
    Convert,
    DiscardTrain,
    Dividend,
    LayTile,
    Pass,
    PlaceToken,
    RouteEntry,
    RunRoutes,
    corporation,
    player,
    private,
)
from engine.play.entities import MARKET, Cell, Company
from engine.play.game import Play, course_of
from engine.play.layout import Laid
from engine.play.market import put
from tests.engine.games.g18gb.play.scene import auction, new_game, pass_all, passes, state_of
from tests.engine.play.scene import changed, do, refused

OWNERS = {"LB": 3, "AF": 1, "GN": 1, "SD": 2, "LM": 2, "LS": 1}
DERBY = {"H19": Laid("G39", 0, 5), "I20": Laid("58", 0, 0)}
"""Derby with track to Lincoln: a run of £20 for MR."""


def operating(
    *companies: str, phase: str = "2+1", sold: str = "", cash: int = 1000, directed: int | None = 1
) -> Play:
    """Three players, seed 2; the companies, at 90, are about to operate in the order given.

    Trains named in `sold` have left the bank; the first player runs all companies, or nobody.
    """
    play = passes_to_operating()

    def prepare(state: State18GB) -> None:
        state.phase = phase
        state.lnwr_priority = False
        gone = sold.split()
        state.depot = tuple(t for t in state.depot if t.rpartition("-")[0] not in gone)
        for sym in companies:
            company = state.companies[sym]
            put(state, sym, Cell(0, 7))
            company.par, company.cash, company.floated = company.cell, cash, True
            company.director = directed
            holder = MARKET if directed is None else directed
            shares.hand_over(state, shares.name(sym, 0), holder)
        state.layout = replace(state.layout, laid=dict(DERBY), known={})
        for laid in DERBY.values():
            copies = state.supply[laid.tile]
            state.supply[laid.tile] = copies[1:] or (1,)
        data = state.round_as(OperatingData)
        data.order, data.index, data.number = companies, 0, 1
        data.bought = False

    return changed(play, prepare)


def passes_to_operating() -> Play:
    """A game in its first operating round, in which LYR waits."""
    play = auction(new_game(3, seed=2), OWNERS)

    def start(state: State18GB) -> None:
        put(state, "NER", Cell(0, 7))
        company = state.companies["NER"]
        company.par, company.floated, company.director = company.cell, True, 3
        shares.hand_over(state, "NER_0", 3)

    return changed(passes(changed(play, start), "trade"), nothing_left)


def nothing_left(state: State18GB) -> None:
    """Take NER away again."""
    company = state.companies["NER"]
    state.stacks = {}
    company.cell = company.par = company.director = None
    company.floated = False
    shares.hand_over(state, "NER_0", "NER")
    state.holdings["NER"] = tuple(sorted(state.holdings["NER"]))


def owning(play: Play, sym: str, *trains: str) -> Play:
    """Give a company trains."""

    def give(state: State18GB) -> None:
        state.companies[sym].trains = trains
        state.depot = tuple(train for train in state.depot if train not in trains)

    return changed(play, give)


def buy(sym: str, train: str, price: int) -> BuyTrain:
    return BuyTrain(corporation(sym), train, price)


def at_trains(play: Play) -> Play:
    """Pass the track step and run nothing."""
    while play.step() in ("build", "run"):
        actor = play.actor()
        assert actor is not None
        play.apply(Pass(actor) if play.step() == "build" else RunRoutes(actor))
    assert play.step() == "trains"
    return play


def lincoln(train: str) -> RunRoutes:
    """MR from Derby to Lincoln."""
    entry = RouteEntry(train, (("H19", "I20"),), ("H19", "I20"))
    return RunRoutes(corporation("MR"), (entry,))


def company(play: Play, sym: str) -> Company:
    return state_of(play).companies[sym]


def test_a_train_brings_its_phase_and_the_rust() -> None:
    """§7.2, §17.35: the first 4+2 rusts all 2+1, the buyer's too, and lowers the limit."""
    play = operating("MR", "LYR", phase="3+1", sold="2+1 3+1", cash=2000)
    play = owning(play, "MR", "2+1-0")
    play = owning(play, "LYR", "3+1-0", "3+1-1", "3+1-2")
    at_trains(play)
    do(play, buy("MR", "4+2-0", 300))
    assert state_of(play).phase == "4+2"
    assert company(play, "MR").trains == ("4+2-0",)
    assert play.actor() == corporation("LYR")
    assert play.step() == "discard"
    refused(play, DiscardTrain(corporation("LYR"), "4+2-0"), "TRAIN_NOT_OWNED", "18GB §13.4")
    refused(play, DiscardTrain(corporation("MR"), "4+2-0"), "NOT_YOUR_TURN", "FMT §B8")
    refused(play, Pass(corporation("LYR")), "WRONG_STEP", "FMT §B8", "type")
    refused(play, buy("MR", "4+2-1", 300), "NOT_YOUR_TURN", "FMT §B8")
    do(play, DiscardTrain(corporation("LYR"), "3+1-1"))
    assert company(play, "LYR").trains == ("3+1-0", "3+1-2")
    assert "3+1-1" not in state_of(play).depot
    assert play.actor() == corporation("MR")


def test_first_5_plus_2_makes_the_unfloated_ten_share() -> None:
    """§7.4: without price change or money; new shares to the initial offering, 60 % to float."""
    play = operating("MR", phase="4+2", sold="2+1 3+1 4+2", cash=2000)
    at_trains(play)
    do(play, buy("MR", "5+2-0", 500))
    assert company(play, "MR").kind == "5-share"
    late = company(play, "CR")
    assert (late.kind, late.unit, late.cash, len(late.tokens)) == ("10-share", 10, 0, 3)
    assert shares.percent_left(state_of(play), "CR") == 100


def test_first_3_plus_1_asks_for_60_percent() -> None:
    """§6.3: companies not yet floated need 60 %."""
    play = operating("MR", sold="2+1")
    at_trains(play)
    do(play, buy("MR", "3+1-0", 200))
    assert company(play, "CR").float_percent == 60
    assert company(play, "MR").float_percent == 40


def test_first_6x_removes_the_unfloated() -> None:
    """§7.5, §17.36: each goes with a 6X from the end of the stack; home tokens remain."""
    play = operating("MR", phase="5X", sold="2+1 3+1 4+2 5+2 4X 5X", cash=2000)
    before = state_of(play).layout.tokens
    at_trains(play)
    do(play, buy("MR", "6X-0", 700))
    assert all(company(play, sym).removed for sym in ("CR", "LYR", "NBR", "NER", "GSWR", "LNWR"))
    assert state_of(play).depot == ()
    assert state_of(play).layout.tokens == before
    assert state_of(play).end_reason == "final_train"


def test_only_6x_trains_go_with_the_unfloated() -> None:
    """§7.5: with fewer 6X left than companies to remove, no other train leaves."""

    def few(state: State18GB) -> None:
        state.depot = ("4X-1", "6X-0", "6X-1")

    play = operating("MR", phase="5X", sold="2+1 3+1 4+2 5+2 5X", cash=2000)
    play = at_trains(changed(play, few))
    do(play, buy("MR", "6X-0", 700))
    assert state_of(play).depot == ("4X-1",)
    assert play.end_reason == ""


def test_trains_on_sale() -> None:
    """§7.3: from phase 4X a 5X beside the first of the stack, from 5X a 6X too."""
    play = operating("MR", phase="5X", sold="2+1 3+1 4+2 5+2", cash=5000)
    at_trains(play)
    offered = {a.train for a in play.legal_actions() if isinstance(a, BuyTrain)}
    assert offered == {"4X-0", "5X-0", "6X-0"}
    early = operating("MR", phase="4+2", sold="2+1 3+1 4+2", cash=5000)
    at_trains(early)
    refused(early, buy("MR", "4X-0", 550), "TRAIN_NOT_ON_SALE", "18GB §7.3", "train")


def test_a_trainless_company_with_the_money_must_buy() -> None:
    """§13.3: with the price of the dearest train on sale; with less it may decline."""
    play = operating("MR", "LYR", phase="4X", sold="2+1 3+1 4+2 5+2", cash=650)
    at_trains(play)
    refused(play, Pass(corporation("MR")), "TRAIN_COMPULSORY", "18GB §13.3", "type")
    poorer = operating("MR", "LYR", phase="4X", sold="2+1 3+1 4+2 5+2", cash=649)
    do(at_trains(poorer), Pass(corporation("MR")))
    assert "MR" in state_of(poorer).insolvent


def test_trains_between_companies() -> None:
    """§13.2: £1 to twice the price; the last train only to a trainless company."""
    play = owning(operating("MR", "LYR", phase="4+2", sold="2+1 3+1"), "LYR", "4+2-0")
    at_trains(play)
    refused(play, buy("MR", "4+2-0", 601), "TRAIN_PRICE_WRONG", "18GB §13.2", "price")
    refused(play, buy("MR", "4+2-0", 0), "TRAIN_PRICE_WRONG", "18GB §13.2", "price")
    trades = [a for a in play.legal_actions() if isinstance(a, BuyTrain)]
    prices = [trade.price for trade in trades if trade.train == "4+2-0"]
    assert prices == list(range(1, 601))
    do(play, buy("MR", "4+2-0", 1))
    assert (company(play, "MR").cash, company(play, "LYR").cash) == (999, 1001)
    rich = owning(operating("MR", "LYR", phase="4+2", sold="2+1 3+1"), "LYR", "4+2-0")
    other = at_trains(owning(rich, "MR", "4+2-1"))
    refused(other, buy("MR", "4+2-0", 100), "LAST_TRAIN", "18GB §13.2", "train")


def test_train_limit() -> None:
    """§7: three for a 5-share company at first; no fourth is sold, and nobody is asked."""
    play = owning(operating("MR"), "MR", "2+1-0", "2+1-1")
    at_trains(play)
    do(play, buy("MR", "2+1-2", 80))
    assert play.step() != "trains" or play.actor() != corporation("MR")


def test_company_without_train_at_the_end_is_insolvent_and_leases() -> None:
    """§8.4, §13.5, §13.6: no track, the cheapest train on sale runs, all is withheld."""
    play = operating("MR", phase="3+1", sold="2+1 3+1", cash=50)
    do(at_trains(play), Pass(corporation("MR")))
    assert state_of(play).insolvent == {"MR"}
    assert play.step() == "run"
    refused(play, LayTile(corporation("MR"), "I18", "9-0", 0), "WRONG_STEP", "FMT §B8", "type")
    leased = state_of(play).depot[0]
    do(play, lincoln(leased))
    mr = company(play, "MR")
    assert (mr.cash, mr.cell) == (70, Cell(0, 5))
    assert mr.trains == ()


def test_insolvent_with_an_empty_depot_runs_nothing() -> None:
    """§17.41, §16.3: an empty run is recorded, the price goes left."""
    play = operating("MR", "LYR", phase="6X", cash=10)

    def empty(state: State18GB) -> None:
        state.insolvent = frozenset({"MR"})
        state.depot = ()
        state.companies["LYR"].trains = ("6X-0",)

    play = changed(play, empty)
    assert play.step() == "run"
    own = [a for a in play.legal_actions() if not isinstance(a, ChooseAbility)]
    assert own == [RunRoutes(corporation("MR"))]
    refused(play, lincoln("6X-0"), "TRAIN_NOT_RUNNABLE", "18GB §11.9", "routes[0].train")
    do(play, RunRoutes(corporation("MR")))
    assert company(play, "MR").cell == Cell(0, 6)


def test_emergency_conversion() -> None:
    """§13.7, §13.8: NBR at 90 with 400: 70, 750 in cash, must buy a new train, then an offer."""
    play = operating("NBR", phase="4+2", sold="2+1 3+1 4+2", cash=400)

    def dear(state: State18GB) -> None:
        put(state, "NBR", Cell(0, 8))

    play = at_trains(changed(play, dear))
    assert company(play, "NBR").cell == Cell(0, 7)
    do(play, Convert(corporation("NBR")))
    nbr = company(play, "NBR")
    assert (nbr.cash, nbr.cell, nbr.kind) == (750, Cell(0, 4), "10-share")
    refused(play, Convert(corporation("NBR")), "NO_EMERGENCY", "18GB §13.7", "type")
    refused(play, Pass(corporation("NBR")), "TRAIN_COMPULSORY", "18GB §13.3", "type")
    do(play, buy("NBR", "5+2-0", 500))
    if play.step() == "trains":
        do(play, Pass(corporation("NBR")))
    assert (play.step(), play.actor()) == ("share offer", player(1))
    refused(play, BuyShares(player(1), ("LYR_1",)), "SHARE_NOT_OFFERED", "18GB §13.8", "shares")
    refused(play, BuyShares(player(2), ("NBR_4",)), "NOT_YOUR_TURN", "FMT §B8")
    refused(play, BuyShares(player(1), ("NBR_9",)), "SHARE_NOT_FOR_SALE", "18GB §6.1", "shares")
    before = state_of(play).players[1].cash
    do(play, BuyShares(player(1), ("NBR_4",)))
    income = 10 + 25 + 10
    assert play.current.round.number == 2
    assert state_of(play).players[1].cash == before - 70 + income


def test_declined_emergency() -> None:
    """§13.7: the site leaves the choice and the company is insolvent; the rulebook forces it."""
    play = at_trains(operating("NBR", phase="4+2", sold="2+1 3+1 4+2", cash=400))
    setting = replace(play.setting, profile="rulebook")
    forced = Play(setting, course_of(setting), play.current)
    refused(forced, Pass(corporation("NBR")), "CONVERSION_COMPULSORY", "18GB §13.7", "type")
    do(play, Pass(corporation("NBR")))
    assert state_of(play).insolvent == {"NBR"}


def test_receivership_buys_by_itself() -> None:
    """§13.9: the run withheld, 65 to 50, + 250 = 602, the dearest train bought, 52 left."""
    play = operating("MR", phase="5+2", sold="2+1 3+1 4+2 5+2", cash=342, directed=None)

    def fall(state: State18GB) -> None:
        put(state, "MR", Cell(0, 3))
        state.insolvent = frozenset({"MR"})

    play = changed(play, fall)
    assert play.step() == "run"
    do(play, lincoln("4X-0"))
    mr = company(play, "MR")
    assert mr.kind == "10-share"
    assert mr.trains == ("4X-0",)
    assert mr.cash == 342 + 10 + 5 * 50 - 550 == 52
    assert state_of(play).phase == "4X"


def test_receivership_pays_a_train_only_below_its_cash() -> None:
    """§13.9: on the site the price must be strictly below the cash."""
    for cash, bought in ((540, ()), (541, ("4X-0",))):
        play = operating("MR", phase="5+2", sold="2+1 3+1 4+2 5+2", cash=cash, directed=None)

        def split(state: State18GB) -> None:
            state.insolvent = frozenset({"MR"})
            state.companies["MR"].kind = "10-share"

        play = do(changed(play, split), lincoln("4X-0"))
        assert company(play, "MR").trains == bought


def test_solvent_receivership_is_bought_for() -> None:
    """§13.9: trainless but able to pay it does not run; whoever acts buys, if he must."""
    play = operating("MR", phase="3+1", sold="2+1", cash=1000, directed=None)
    assert play.step() == "trains"
    refused(play, Pass(corporation("MR")), "TRAIN_COMPULSORY", "18GB §13.3", "type")
    do(play, buy("MR", "3+1-0", 200))


def test_dividends() -> None:
    """§12.2 to §12.4: 20 paid at 90: 8 to two shares, 12 to the company for three unsold ones."""
    play = owning(operating("MR"), "MR", "2+1-0")
    do(play, Pass(corporation("MR")), lincoln("2+1-0"))
    refused(play, Dividend(corporation("MR"), "half"), "DIVIDEND_KIND_UNKNOWN", "18GB §12.1")
    before = state_of(play).players[1].cash
    paid = do(play.copy(), Dividend(corporation("MR"), "payout"))
    assert state_of(paid).players[1].cash == before + 8
    assert (company(paid, "MR").cash, company(paid, "MR").cell) == (1012, Cell(0, 8))
    kept = do(play, Dividend(corporation("MR"), "withhold"))
    assert (company(kept, "MR").cash, company(kept, "MR").cell) == (1020, Cell(0, 6))


def test_price_steps_by_the_dividend() -> None:
    """§12.4: under twice the price one space, then two, three, and never more than four."""
    for revenue, spaces in ((90, 1), (179, 1), (180, 2), (270, 3), (360, 4), (900, 4)):
        play = owning(operating("MR"), "MR", "2+1-0")
        do(play, Pass(corporation("MR")), lincoln("2+1-0"))

        def earn(state: State18GB, amount: int = revenue) -> None:
            state.round_as(OperatingData).revenue = amount

        play = do(changed(play, earn), Dividend(corporation("MR"), "payout"))
        assert company(play, "MR").cell == Cell(0, 7 + spaces)


def test_export() -> None:
    """§14.1, §17.37, §17.38: the first train goes if none was bought from the bank."""
    play = operating("MR", phase="5X", sold="2+1 3+1 4+2 5+2", cash=10)
    pass_all(play, "MR")
    state = state_of(play)
    assert "4X-0" not in state.depot
    assert state.depot[0] == "4X-1"
    assert state.round.number == 2


def test_discards_after_an_export_wait_for_the_first_dividend() -> None:
    """§13.4, §17.35: the first company still runs all its trains; then all concerned discard,
    in the order of the companies, before anything is bought."""
    play = operating("MR", "LYR", phase="3+1", sold="2+1 3+1", cash=310)
    play = owning(play, "MR", "3+1-0", "3+1-1", "3+1-2")
    play = owning(play, "LYR", "3+1-3", "3+1-4", "3+1-5")

    def second(state: State18GB) -> None:
        state.round_as(OperatingData).index = 1

    play = pass_all(changed(play, second), "LYR")
    assert (state_of(play).phase, play.current.round.number) == ("4+2", 2)
    assert company(play, "MR").trains == ("3+1-0", "3+1-1", "3+1-2")
    do(play, Pass(corporation("MR")))
    runs = [a.routes for a in play.legal_actions() if isinstance(a, RunRoutes) and a.routes]
    assert {routes[0].train for routes in runs} == {"3+1-0", "3+1-1", "3+1-2"}
    do(play, lincoln("3+1-2"), Dividend(corporation("MR"), "withhold"))
    assert (play.step(), play.actor()) == ("discard", corporation("LYR"))
    do(play, DiscardTrain(corporation("LYR"), "3+1-3"))
    assert (play.step(), play.actor()) == ("discard", corporation("MR"))
    do(play, DiscardTrain(corporation("MR"), "3+1-2"))
    assert play.actor() == corporation("LYR")
    assert play.step() == "build"


def test_freeze_and_end_by_export() -> None:
    """§14.2, §14.3, §17.39: two left after an export freeze the tokens; the last one ends it."""
    play = operating("MR", phase="6X", cash=10)

    def few(state: State18GB) -> None:
        state.depot = ("6X-1", "6X-2", "6X-3", "6X-4")
        state.companies["MR"].trains = ("6X-0",)
        state.layout = replace(state.layout, laid={}, known={})

    play = changed(play, few)
    assert not state_of(play).frozen
    pass_all(play, "MR")
    assert state_of(play).frozen
    assert state_of(play).depot == ("6X-3", "6X-4")
    assert play.current.round.kind == "stock"
    passes(play, "trade")
    pass_all(play, "MR")
    assert play.finished
    assert play.end_reason == "final_train"
    refused(play, Pass(player(1)), "GAME_OVER", "FMT §E12", "type")


def test_end_after_the_round_in_which_the_last_train_is_sold() -> None:
    """§15.1, §17.40: the others still operate; nothing is exported."""
    play = operating("MR", "LYR", phase="6X", cash=800)

    def last(state: State18GB) -> None:
        state.depot = ("6X-3",)
        state.companies["LYR"].trains = ("6X-0",)

    play = at_trains(changed(play, last))
    do(play, buy("MR", "6X-3", 700))
    assert play.end_reason == "final_train"
    assert not play.finished
    while not play.finished:
        actor = play.actor()
        assert actor is not None
        do(play, Pass(actor) if Pass(actor) in play.legal_actions() else RunRoutes(actor))
    assert state_of(play).round.number == 1


def test_price_350_ends_the_game() -> None:
    """§15.1, §17.40: the end stays armed and comes with the end of the round, without export."""
    play = owning(operating("MR", "LYR"), "MR", "2+1-0")

    def high(state: State18GB) -> None:
        put(state, "MR", Cell(0, 19))

    play = do(changed(play, high), Pass(corporation("MR")), lincoln("2+1-0"))
    do(play, Dividend(corporation("MR"), "payout"))
    assert (play.end_reason, play.finished) == ("stock_market", False)
    depot = state_of(play).depot
    for sym in ("MR", "LYR"):
        pass_all(play, sym)
        if play.step() == "trains" and not play.finished:
            do(play, buy(sym, state_of(play).depot[0], 80))
            depot = state_of(play).depot
            pass_all(play, sym)
    assert play.finished
    assert state_of(play).depot == depot


def test_a_price_of_350_is_the_reason_even_after_the_last_train() -> None:
    """§15.1, FMT §E12.1: the last train is sold, then a price reaches 350 in the same round."""
    play = operating("MR", "LYR", phase="6X", cash=800)

    def last(state: State18GB) -> None:
        state.depot = ("6X-3",)
        state.companies["LYR"].trains = ("6X-0",)
        put(state, "LYR", Cell(0, 19))
        derby = TokenPlacement("H19", 0, 0, "LYR")
        state.layout = replace(state.layout, tokens=(derby,), known={})

    play = do(at_trains(changed(play, last)), buy("MR", "6X-3", 700))
    assert play.end_reason == "final_train"
    do(play, Pass(corporation("MR")), Pass(corporation("LYR")))
    do(play, replace(lincoln("6X-0"), entity=corporation("LYR")))
    do(play, Dividend(corporation("LYR"), "payout"))
    assert play.end_reason == "stock_market"


def test_scores() -> None:
    """§15.2, §17.42: cash, shares (half if trainless), face value of open privates."""
    play = owning(operating("MR", "LYR"), "MR", "2+1-0")
    state = state_of(play)
    cash = {number: entry.cash for number, entry in state.players.items()}
    assert play.scores() == {
        1: cash[1] + 180 + 90 + 30 + 70 + 30,
        2: cash[2] + 35 + 45,
        3: cash[3] + 40,
    }


def test_forced_closing_by_a_lay() -> None:
    """§4.4, §4.5: blocked until phase 4+2; then a lay closes the private, which pays once more."""
    derby = LayTile(corporation("MR"), "H21", "G18-0", 0)
    refused(operating("MR"), derby, "HEX_BLOCKED", "18GB §4.5", "hex")
    play = operating("MR", phase="4+2", sold="2+1 3+1")
    before = state_of(play).players[1].cash
    do(play, derby)
    assert state_of(play).privates["LS"].closed
    assert state_of(play).players[1].cash == before + 10


def test_great_northern_in_trackless_york() -> None:
    """§4.9, §9.8, §17.31: £50, one token of the turn, then green as first tile in phase 2+1."""
    play = do(operating("MR"), ChooseAbility(private("GN"), "close"))
    token = PlaceToken(private("GN"), "I14-4-0", 0, "MR")
    green = LayTile(corporation("MR"), "I14", "G36-0", 0)
    refused(play, green, "TILE_NOT_UPGRADE", "18GB §9.3", "tile")
    assert token in play.legal_actions()
    do(play, token)
    assert company(play, "MR").cash == 950
    assert TokenPlacement("I14", 0, 0, "MR") in state_of(play).layout.tokens
    refused(play, token, "ABILITY_USED", "18GB §4.7", "entity")
    assert green in play.legal_actions()
    do(play, green)


def test_reserved_slot_of_york() -> None:
    """§4.9: nobody else stands in York until phase 4+2."""
    city = PlaceToken(corporation("MR"), "I14-4-0", 0)
    refused(operating("MR"), city, "NO_FREE_SLOT", "18GB §10.1", "city")
    late = operating("MR", phase="4+2", sold="2+1 3+1")
    refused(late, city, "CITY_NOT_REACHED", "18GB §10.1", "city")


def test_abilities_need_a_closed_private_of_the_director() -> None:
    """§4.3, §4.6, §4.7: open, another's, or of another kind: refused."""
    play = operating("MR")
    lay = LayTile(private("LS"), "H21", "G18-0", 0)
    refused(play, lay, "PRIVATE_OPEN", "18GB §4.3", "entity")
    refused(play, replace(lay, entity=private("LM")), "ABILITY_UNKNOWN", "18GB §4", "entity")
    do(play, ChooseAbility(private("LS"), "close"), ChooseAbility(private("AF"), "close"))
    refused(play, replace(lay, hex="H17"), "HEX_NOT_ALLOWED", "18GB §9.4", "hex")

    def give(state: State18GB) -> None:
        state.privates["LS"].owner = 2

    refused(changed(play, give), lay, "PRIVATE_NOT_DIRECTORS", "18GB §4.6", "entity")
    far = LayTile(private("AF"), "I2", "G39-1", 0)
    refused(play, replace(far, tile="G40-0", rotation=5), "NOT_CONNECTED", "18GB §9.4", "hex")
    do(play, lay)
    assert state_of(play).round_as(OperatingData).tiles == 0


def test_two_tiles_one_with_a_city() -> None:
    """§9.1, §9.2: a second city tile is refused, LS's is not counted, a third tile is too many."""
    play = do(operating("MR", phase="3+1", sold="2+1"), ChooseAbility(private("LS"), "close"))
    do(play, LayTile(corporation("MR"), "H21", "G18-0", 0))
    second = LayTile(corporation("MR"), "H19", "G38-0", 0)
    refused(play, second, "CITY_TILE_TWICE", "18GB §9.2", "tile")
    other = do(operating("MR", phase="3+1", sold="2+1"), ChooseAbility(private("LS"), "close"))
    do(other, LayTile(private("LS"), "H21", "G18-0", 0))
    greens = [
        a
        for a in other.legal_actions()
        if isinstance(a, LayTile) and a.hex == "H19" and a.tile.startswith("G3")
    ]
    do(other, greens[0])


def test_first_tile_on_a_two_city_home() -> None:
    """§9.10, §17.33: the own token goes to the connected city, a foreign layer's aside."""
    own = operating("LNWR", phase="4+2", sold="2+1 3+1")
    foreign = operating("MR", phase="4+2", sold="2+1 3+1")

    def line(state: State18GB) -> None:
        laid = {"H19": Laid("G39", 0, 0), "G20": Laid("9", 0, 1)}
        state.layout = replace(state.layout, laid=laid, known={})

    for play, city in ((own, 0), (changed(foreign, line), 1)):
        lays = [a for a in play.legal_actions() if isinstance(a, LayTile) and a.hex == "F21"]
        assert lays
        for lay in lays:
            after = state_of(do(play.copy(), lay)).layout.tokens
            assert TokenPlacement("F21", city, 0, "LNWR") in after


def test_hills_cost_for_each_side_once() -> None:
    """§9.6, §17.32: £50 for the own side; the neighbour's side is paid by whoever builds there."""
    play = operating("NER", phase="3+1", sold="2+1")
    lay = next(
        a
        for a in play.legal_actions()
        if isinstance(a, LayTile) and a.hex == "J13" and a.rotation == 0 and "G41" in a.tile
    )
    before = company(play, "NER").cash
    do(play, lay)
    assert company(play, "NER").cash == before - 50
    nearer = next(
        a
        for a in play.legal_actions()
        if isinstance(a, LayTile)
        and a.hex == "J15"
        and state_of(do(play.copy(), a)).companies["NER"].cash < company(play, "NER").cash
    )
    do(play, nearer)
    assert company(play, "NER").cash == before - 100
