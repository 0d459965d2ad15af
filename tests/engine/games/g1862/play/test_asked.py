"""What is asked and what is passed over without an action: 1862 §15.3, sentence by sentence.

A replay rests on it: one question too many or too few and the record does not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from engine.games.g1862.play.state import FORMED, IPO, State1862
from engine.play.actions import (
    BuyShares,
    BuyTrain,
    CharterBid,
    Choose,
    LayTile,
    Merge,
    Par,
    Pass,
    SellShares,
    corporation,
    player,
)
from engine.play.entities import MARKET, Holder
from engine.play.game import Play
from engine.play.shares import certificates, held
from tests.engine.games.g1862.play.scene import (
    cash,
    company,
    laid,
    named,
    new_game,
    operating,
    percents,
    phase,
    price,
    state_of,
    stock_round,
)
from tests.engine.play.scene import changed, do

Change = Callable[[State1862], None]
SVR, ECR, NGC = corporation("SVR"), corporation("ECR"), corporation("NGC")
INLAND, TO_LONDON = {"D11": ("57", 0), "D13": ("6", 3)}, {"D11": ("57", 0), "D13": ("57", 0)}
"""D9 - D11 - D13 and on to E14, or to London."""


def first_open(play: Play) -> str:
    """Return a company that may be started now."""
    charters = state_of(play).charters
    return next(sym for sym, charter in charters.items() if charter.group == "A")


def at_turn(
    *changes: Change,
    rails: Mapping[str, tuple[str, int]] = INLAND,
    held_by: Mapping[Holder, int] | None = None,
    **more: object,
) -> Play:
    """Begin the turn of SVR, home D11, after the last steps of NGC's turn."""
    settings: dict[str, object] = {"markers": ("D11",), "unused": 1, "permits": ("freight",)}
    play = changed(
        new_game(),
        phase("D"),
        laid(**rails),
        company("NGC", 110, {3: 90, MARKET: 10}, cash=500, trains=(("C-3", "3F", 0),)),
        company("SVR", 100, held_by or {1: 100}, **(settings | more)),  # type: ignore[arg-type]
        *changes,
        operating("NGC", "SVR", open_from="redeem"),
    )
    while play.actor() == NGC:
        do(play, Pass(NGC))
    return play


def asked(play: Play) -> list[str]:
    """Pass wherever SVR is asked and a pass is possible; return the steps that asked."""
    found: list[str] = []
    while play.actor() == SVR:
        found.append(play.step())
        if not any(isinstance(offer, Pass) for offer in play.legal_actions().offers):
            break
        do(play, Pass(SVR))
    return found


# --- parliament ----------------------------------------------------------------


@pytest.mark.parametrize("money", [161, 162])
def test_parliament_asks_who_has_162_pounds(money: int) -> None:
    """A player with less than £162 is passed over."""
    play = changed(new_game(), cash(p2=money))
    do(play, Pass(player(1)))
    assert play.actor() == player(2 if money == 162 else 3)


def test_parliament_passes_over_who_is_at_the_limit() -> None:
    """With 19 certificates of 18 nobody is asked to open; nor to bid, with any money."""
    full = [company(sym, 100, {2: 100}) for sym in ("SVR", "ECR")]
    play = changed(new_game(), *full, company("NGC", 100, {2: 50, 1: 50}))
    assert certificates(state_of(play), 2) == 19
    opened = play.copy()
    assert do(play, Pass(player(1))).actor() == player(3)
    do(opened, CharterBid(player(1), first_open(opened), 0))
    assert opened.actor() == player(3)


def test_parliament_ends_where_no_company_may_be_started() -> None:
    """Nobody is asked: the stock round begins after the pass that was due."""
    play = new_game()
    started = [company(sym, 54, {3: 100}) for sym, c in state_of(play).charters.items()]
    do(play, Pass(player(1)), Pass(player(2)), Pass(player(3)), Pass(player(1)), Pass(player(2)))
    play = changed(play, *started, cash(p3=200))
    do(play, Pass(player(3)))
    assert play.current.round.kind == "stock"


def won(money: int) -> Play:
    """Player 1 has won a charter for nothing, with this money, and set its par to £54."""
    play = changed(new_game(), cash(p1=money))
    sym = first_open(play)
    do(play, CharterBid(player(1), sym, 0), Pass(player(2)), Pass(player(3)))
    return do(play, Par(player(1), sym, named(54)))


def test_after_the_par_shares_are_offered_while_they_can_be_paid() -> None:
    """With £215 left after the bid none can, with £216 one, after which nobody is asked."""
    assert won(3 * 54 + 53).actor() == player(2)
    play = won(4 * 54)
    sym = next(sym for sym, c in state_of(play).companies.items() if c.started)
    assert play.actor() == player(1)
    assert do(play.copy(), Pass(player(1))).actor() == player(2)
    assert do(play, BuyShares(player(1), (f"{sym}_1",), 10)).actor() == player(2)


# --- stock round ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("money", "group", "asks"), [(162, "C", True), (161, "A", False), (162, None, False)]
)
def test_stock_round_asks_who_might_start_a_company(
    money: int, group: str | None, asks: bool
) -> None:
    """£162 and any company not started are enough, even one that is not yet open."""

    def close(state: State1862) -> None:
        for sym, charter in state.charters.items():
            charter.group = group or charter.group
            if group is None:
                company(sym, 200, {3: 100})(state)

    play = do(changed(new_game(), close, cash(p2=money), stock_round), Pass(player(1)))
    assert play.actor() == player(2 if asks else 3)
    if asks:
        assert [offer.TYPE for offer in play.legal_actions()] == ["pass"]


def test_stock_round_asks_who_can_pay_a_share_of_pool_treasury_or_offering() -> None:
    """At £60: pool and treasury at the price, the initial offering at par."""
    for holder in (MARKET, "SVR", IPO):
        for money in (59, 60):
            play = changed(
                new_game(),
                company("SVR", 60, {1: 60, holder: 40}, par=58, chartered=holder == IPO),
                cash(p2=money - 2 * (holder == IPO)),
                stock_round,
            )
            do(play, Pass(player(1)))
            assert play.actor() == player(2 if money == 60 else 3)


def test_stock_round_asks_who_can_sell() -> None:
    """Without money, but with a share; not with part of a director's certificate that nobody
    can change (D2) and the rest bought in this round."""
    play = changed(new_game(), company("SVR", 60, {1: 90, 2: 10}), cash(p2=0), stock_round)
    do(play, Pass(player(1)))
    assert [offer.TYPE for offer in play.legal_actions()] == ["sell_shares", "pass"]
    do(play, SellShares(player(2), ("SVR_7",), 10))
    assert play.actor() == player(3), "with £30 nothing more can be done"


def test_who_has_started_a_company_sells_nothing_of_it() -> None:
    """§6.3.3: on the next turn, with no money left, he is passed over."""
    play = changed(new_game(), cash(p1=162, p2=0, p3=0), stock_round)
    do(play, Par(player(1), first_open(play), named(54)))
    assert (play.step(), play.actor()) == ("trade", player(1))
    assert state_of(play).turn == 2, "in the next stock round he may"


# --- operating round -----------------------------------------------------------

FULL = company("ECR", 90, {2: 100}, markers=("D13",))
"""Takes the only circle of D13."""


def lner(state: State1862) -> None:
    """The LNER has been formed."""
    state.lner = FORMED


def test_a_turn_in_which_nothing_can_be_done() -> None:
    """Merging, track and acquiring are always asked, a marker without a place for it is not.

    Nor is a train: £100 are too little for any, and a train is there.
    """
    idle = {"trains": (("C-0", "3E", 0),), "cash": 100}
    assert asked(at_turn(FULL, **idle)) == ["merge", "track", "acquire"]


def test_a_turn_in_receivership_or_after_the_lner() -> None:
    """No merging, building or acquiring; in receivership only the run is entered by hand."""
    runs = {"trains": (("C-0", "3F", 0),), "cash": 100}
    mine = at_turn(FULL, **runs)
    assert asked(mine) == ["merge", "track", "run"]
    assert asked(at_turn(FULL, lner, held_by={1: 80, MARKET: 20}, **runs)) == ["run"]
    nobody = at_turn(FULL, held_by={MARKET: 80, 1: 20}, **runs)
    assert (nobody.step(), nobody.actor()) == ("run", SVR)
    do(nobody, next(iter(nobody.legal_actions())))
    assert nobody.actor() != SVR


def test_after_the_lner_a_share_may_be_redeemed() -> None:
    """§12.3: £90 buy one of the two shares in the pool; then the turn is over."""
    idle = (("C-0", "3E", 0),)
    play = at_turn(lner, held_by={1: 80, MARKET: 20}, cash=100, trains=idle)
    assert play.step() == "redeem"
    do(play, BuyShares(SVR, ("SVR_6",), 10))
    assert play.actor() != SVR


def test_track_is_asked_again_after_a_plain_yellow_tile_only() -> None:
    """After a first yellow tile without N yes; after the second, or an upgrade, no."""
    play = do(at_turn(), Pass(SVR))
    upgrade = do(play.copy(), LayTile(SVR, "D11", "14-0", 0))
    assert upgrade.step() != "track"
    yellow = [a for a in play.legal_actions() if isinstance(a, LayTile) and a.tile[:2] != "14"]
    first = next(a for a in yellow if a.hex == "E14")
    do(play, first)
    assert play.step() == "track"
    second = next(a for a in play.legal_actions() if isinstance(a, LayTile))
    assert do(play, second).step() != "track"


def test_a_marker_is_asked_for_where_a_free_circle_is_reached() -> None:
    """D13 has one circle: free it is asked about, full it is not; nor without a marker left."""
    assert "token" in asked(at_turn())
    assert "token" not in asked(at_turn(unused=0))
    assert "token" not in asked(at_turn(FULL))


def test_london_is_asked_about_as_long_as_it_is_reached() -> None:
    """With a free way through D13: even if London is full, or no marker is left; not after a
    tile, nor with a link; then only a free circle counts."""
    both = ("D11", "D13")
    assert "token" in asked(at_turn(rails=TO_LONDON, markers=both))
    assert "token" in asked(at_turn(rails=TO_LONDON, markers=both, unused=0))
    assert "token" not in asked(at_turn(rails=INLAND, markers=both))
    assert "token" not in asked(at_turn(rails=TO_LONDON, markers=(*both, "B15")))
    others = [
        company(sym, 90, {2: 100}, markers=(hex_id,))
        for sym, hex_id in (("ECR", "B15"), ("E&H", "B15"), ("N&B", "D15"), ("ENR", "D15"))
    ]
    full = do(at_turn(*others, rails=TO_LONDON, markers=both), Pass(SVR), Pass(SVR))
    assert full.step() == "token"
    assert list(full.legal_actions()) == [Pass(SVR)]
    laying = do(at_turn(rails=TO_LONDON, markers=both), Pass(SVR))
    tile = next(a for a in laying.legal_actions() if isinstance(a, LayTile) and a.hex == "D11")
    assert "token" not in asked(do(laying, tile))


def test_a_run_is_asked_for_with_a_permit_and_a_second_station() -> None:
    """A train without permit, or a marker whose track leads nowhere, asks nothing."""
    train = {"trains": (("C-0", "3F", 0),)}
    assert "run" in asked(at_turn(**train))
    assert "run" not in asked(at_turn(trains=(("C-0", "3E", 0),)))
    assert "run" not in asked(at_turn(rails={"D11": ("57", 1)}, **train))
    village = {"D11": ("57", 1), "E10": ("8852", 1)}
    assert "run" in asked(at_turn(rails=village, **train))


@pytest.mark.parametrize(("money", "asks"), [(139, False), (140, True), (2000, True)])
def test_trains_are_asked_for_with_money(money: int, asks: bool) -> None:
    """A train of another company at its fixed price is enough: NGC's 3F costs £140 in phase D."""
    play = at_turn(FULL, cash=money, trains=(("C-0", "3E", 0),))
    assert ("trains" in asked(play)) is asks


def test_trains_are_not_asked_for_without_room() -> None:
    """In phase G three trains are the limit, whatever the money."""
    three = tuple((f"{c}-0", n, 0) for c, n in (("D", "5F"), ("E", "6F"), ("F", "7F")))
    play = at_turn(phase("G"), cash=3000, trains=three, unused=0)
    assert "trains" not in asked(play)


@pytest.mark.parametrize(
    ("money", "treasury", "par", "steps"),
    [
        (100, 0, 54, ["merge", "track", "new train"]),
        (100, 40, 54, ["merge", "track", "trains", "new train"]),
        (139, 0, 54, ["merge", "track", "new train"]),
        (140, 0, 54, ["merge", "track", "trains"]),
        (360, 0, 54, ["merge", "track", "trains"]),
    ],
)
def test_a_trainless_company_is_asked_where_it_has_a_choice(
    money: int, treasury: int, par: int, steps: list[str]
) -> None:
    """With a used train that it can pay, or both ways to raise money; else it is taken
    straight through §8.11: here to its refinancing and to the new train (£360)."""
    held_by: dict[Holder, int] = {1: 100 - treasury}
    if treasury:
        held_by["SVR"] = treasury
    play = at_turn(held_by=held_by, cash=money, par=par, unused=0)
    found = asked(play)
    if play.step() == "exchange":
        do(play, Choose(player(1), "redeem"))
        found = [step for step in found if step != "exchange"] + [play.step()]
    assert found[: len(steps)] == steps


def test_a_share_is_redeemed_if_there_is_one_and_money() -> None:
    """£100 are needed at a price of £95: it has gone left from 105 as nothing was paid."""
    for money, there, asks in ((89, 20, False), (90, 20, True), (500, 0, False)):
        held_by: dict[Holder, int] = {1: 100 - there}
        if there:
            held_by[MARKET] = there
        train = (("C-0", "3E", 0),)
        play = at_turn(held_by=held_by, cash=money, trains=train, unused=0)
        steps = asked(play)
        assert ("redeem" in steps) is asks
        assert price(play, "SVR") == 90


# --- after a merger -------------------------------------------------------------


def test_a_company_that_acquires_one_that_has_run_ends_its_turn() -> None:
    """§9.8, §8.14: the other survives and has no second turn; the next one in the order follows."""
    two = company("ECR", 90, {2: 100}, trains=(("C-1", "3F", 0),), markers=("D13",))
    last = company("E&H", 54, {3: 100}, markers=("C8",), unused=1)
    play = changed(
        new_game(),
        phase("D"),
        laid(**INLAND, C8=("621", 0)),
        company("SVR", 100, {1: 100}, trains=(("C-0", "3F", 0),), markers=("D11",)),
        two,
        last,
        operating("SVR", "ECR", "E&H", index=1, open_from="acquire"),
    )
    do(play, Merge(ECR, "SVR"), Choose(ECR, "last"))
    assert not state_of(play).companies["ECR"].started
    assert percents(play, "SVR")[1] == 50
    assert play.actor() == corporation("E&H")
    assert held(state_of(play), IPO, "ECR") == tuple(f"ECR_{n}" for n in range(8))
    assert BuyTrain not in {type(a) for a in play.legal_actions()}


# --- which companies may be started ----------------------------------------------


def dealt(sym: str) -> Play:
    """Begin a game in which a company is of the first group, and those of these tests in play."""
    wanted = {"ECR", "EUR", "NGC", "SVR"}
    games = (new_game(seed=seed) for seed in range(1000))
    return next(
        play
        for play in games
        if wanted <= state_of(play).companies.keys() and state_of(play).charters[sym].group == "A"
    )


def may_start(play: Play, sym: str) -> bool:
    """Tell whether the player in turn may start a company."""
    heads = [getattr(offer, "action", offer) for offer in play.legal_actions().offers]
    return sym in {head.corporation for head in heads if isinstance(head, CharterBid | Par)}


@pytest.mark.parametrize(
    ("tile", "markers", "in_phase", "free"),
    [
        (None, (), "A", True),
        ("57", (), "A", True),
        ("57", ("SVR",), "A", False),
        ("57", ("SVR",), "B", True),
        ("14", ("SVR",), "D", True),
        ("14", ("SVR", "NGC"), "D", False),
    ],
)
def test_a_company_starts_only_where_its_home_marker_will_have_room(
    tile: str | None, markers: tuple[str, ...], in_phase: str, free: bool
) -> None:
    """§3.3c for ECR, home D13: bare, with a free circle, or with an upgrade of an allowed colour
    that adds one; green to russet adds none but on N hexes."""

    there = [company(sym, 100, {3: 100}, markers=("D13",)) for sym in markers]
    lays = {} if tile is None else {"D13": (tile, 0)}
    before = changed(dealt("ECR"), phase(in_phase), laid(**lays), *there)
    assert may_start(before, "ECR") is free
    assert may_start(changed(before, stock_round), "ECR") is free


def test_no_free_circle_is_needed_where_an_n_tile_turns_russet() -> None:
    """§3.3c: on Colchester's N hex russet has four circles for the three of green."""

    others = ("SVR", "NGC", "ECR")
    there = [company(sym, 100, {3: 100}, markers=("E12",)) for sym in others]
    for in_phase, free in (("C", False), ("D", True)):
        lays = laid(E12=("791", 0))
        play = changed(dealt("EUR"), phase(in_phase), lays, *there, stock_round)
        assert may_start(play, "EUR") is free
