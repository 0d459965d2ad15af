"""Illegal variants of what is done in random games are refused: code, field and rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from engine.play.actions import (
    PLAYER,
    AcquireCompany,
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    DiscardTrain,
    Dividend,
    Entity,
    HexToken,
    LayTile,
    Merge,
    Par,
    Pass,
    PayoffPlayerDebt,
    PayoffPlayerDebtPartial,
    PlaceToken,
    RunRoutes,
    SellShares,
)
from engine.play.errors import IllegalActionError
from engine.play.game import Play
from tests.engine.games.g1822.play.lively import moves
from tests.engine.games.g1822.play.scene import new_game

GAMES: tuple[tuple[str, int, tuple[str, ...], int], ...] = (
    ("1822", 3, ("plus_expansion", "plus_expansion_no_removals"), 3),
    ("1822MRS", 3, (), 5),
    ("1822NRS", 4, (), 5),
)

Variant = tuple[Action, str]
"""An action that is not allowed, with the code of its refusal."""


def strangers(action: Action) -> Iterator[Variant]:
    """The same by somebody else."""
    if action.entity.kind == "company":
        return
    other = 77 if action.entity.kind == PLAYER else "NOBODY"
    yield replace(action, entity=Entity(action.entity.kind, other)), "NOT_YOUR_TURN"
    yield replace(action, entity=Entity("company", "P99")), ""


def of_bid(action: Bid) -> Iterator[Variant]:
    yield replace(action, price=action.price + 2), "BID_NOT_IN_STEPS"
    yield replace(action, price=action.price + 50_000), "CASH_COMMITTED"
    yield replace(action, price=-5), "BID_TOO_LOW"
    yield replace(action, company="ZZ"), "CARD_NOT_ON_OFFER"


def of_par(action: Par) -> Iterator[Variant]:
    yield replace(action, share_price="50,9,4"), "PAR_NOT_ALLOWED"
    yield replace(action, share_price="nowhere"), "PAR_NOT_ALLOWED"
    yield replace(action, corporation="12"), "COMPANY_UNKNOWN"


def of_purchase(action: BuyShares) -> Iterator[Variant]:
    player = action.entity.kind == PLAYER
    yield replace(action, percent=7), "PERCENT_WRONG"
    yield replace(action, shares=("ZZ_1",)), "COMPANY_UNKNOWN" if player else "SHARE_NOT_OFFERED"
    yield replace(action, share_price=1), "SHARE_PRICE_WRONG"


def of_sale(action: SellShares) -> Iterator[Variant]:
    player = action.entity.kind == PLAYER
    yield replace(action, percent=7), "PERCENT_WRONG"
    yield replace(action, shares=("ZZ_1",)), "BLOCK_NOT_OWNED" if player else "SHARE_NOT_OFFERED"
    yield replace(action, share_price=1), "SHARE_PRICE_WRONG"


def of_lay(action: LayTile) -> Iterator[Variant]:
    yield replace(action, hex="Z99"), "HEX_NOT_ALLOWED"
    yield replace(action, rotation=6), "ROTATION_OUT_OF_RANGE"
    yield replace(action, tile="nothing"), "TILE_UNKNOWN"
    yield replace(action, tile=action.tile.rpartition("-")[0] + "-99"), "TILE_NOT_IN_SUPPLY"


def of_token(action: PlaceToken) -> Iterator[Variant]:
    yield replace(action, city="nothing"), "CITY_UNKNOWN"
    yield replace(action, city="57-0-9"), "CITY_UNKNOWN"
    yield replace(action, city="ZZ-0-0"), "CITY_UNKNOWN"


def of_run(action: RunRoutes) -> Iterator[Variant]:
    if not action.routes:
        return
    first, *rest = action.routes
    yield replace(action, routes=(replace(first, train="ZZ-0"), *rest)), "TRAIN_NOT_RUNNABLE"
    yield replace(action, routes=(first, first)), "TRAIN_TWICE"
    rich = replace(first, revenue=(first.revenue or 0) + 1000)
    yield replace(action, routes=(rich, *rest)), "REVENUE_WRONG"
    picked = replace(first, paid=first.hexes)
    yield replace(action, routes=(picked, *rest)), "PAID_NOT_CHOSEN"
    lost = replace(first, connections=(("A1", "A3"),), nodes=(), hexes=("A1", "A3"))
    yield replace(action, routes=(lost,)), "ROUTE_INVALID"


def of_dividend(action: Dividend) -> Iterator[Variant]:
    yield replace(action, kind="double"), "DIVIDEND_KIND_UNKNOWN"
    yield Pass(action.entity), "WRONG_STEP"


def of_train(action: BuyTrain) -> Iterator[Variant]:
    yield replace(action, price=0), "TRAIN_PRICE_WRONG"
    yield replace(action, variant="9Z"), ""
    if action.exchange is not None:
        yield replace(action, exchange="ZZ-0"), "TRAIN_NOT_UPGRADABLE"


def of_discard(action: DiscardTrain) -> Iterator[Variant]:
    yield replace(action, train="ZZ-0"), "TRAIN_NOT_SURPLUS"
    yield Pass(action.entity), "WRONG_STEP"


def of_acquisition(action: AcquireCompany) -> Iterator[Variant]:
    yield replace(action, company="P99"), "PRIVATE_NOT_HELD"
    yield replace(action, company="C1"), ""


def of_merger(action: Merge) -> Iterator[Variant]:
    yield replace(action, corporation="LNWR"), "MINOR_UNKNOWN"
    yield replace(action, corporation="ZZ"), "MINOR_UNKNOWN"


def of_choice(action: Choose) -> Iterator[Variant]:
    yield replace(action, choice="nothing"), "CHOICE_UNKNOWN"
    yield replace(action, choice=99), "CHOICE_UNKNOWN"


def of_ability(action: ChooseAbility) -> Iterator[Variant]:
    yield replace(action, choice="nothing"), "CHOICE_UNKNOWN"
    yield replace(action, choice="ZZ_top"), "CHOICE_UNKNOWN"
    yield replace(action, entity=Entity("company", "P7")), ""


def of_marker(action: HexToken) -> Iterator[Variant]:
    yield replace(action, hex="Z99"), "DESTINATION_ELSEWHERE"
    yield Dividend(action.entity, "payout"), "WRONG_STEP"


def of_partial(action: PayoffPlayerDebtPartial) -> Iterator[Variant]:
    yield replace(action, amount=0), "AMOUNT_WRONG"
    yield replace(action, amount=-5), "AMOUNT_WRONG"


def of_pass(action: Pass) -> Iterator[Variant]:
    if action.entity.kind == PLAYER:
        yield RunRoutes(action.entity), "WRONG_STEP"
    elif action.entity.kind == "corporation":
        yield DiscardTrain(action.entity, "ZZ-0"), "WRONG_STEP"


def of_payoff(action: PayoffPlayerDebt) -> Iterator[Variant]:
    yield Bid(action.entity, "P1", 0), "IN_DEBT"
    yield BuyShares(action.entity, ("GWR_1",), 10), "IN_DEBT"


MAKERS: dict[type[Action], Callable[[Any], Iterator[Variant]]] = {
    Bid: of_bid,
    Par: of_par,
    BuyShares: of_purchase,
    SellShares: of_sale,
    LayTile: of_lay,
    PlaceToken: of_token,
    RunRoutes: of_run,
    Dividend: of_dividend,
    BuyTrain: of_train,
    DiscardTrain: of_discard,
    AcquireCompany: of_acquisition,
    Merge: of_merger,
    Choose: of_choice,
    ChooseAbility: of_ability,
    HexToken: of_marker,
    PayoffPlayerDebt: of_payoff,
    PayoffPlayerDebtPartial: of_partial,
    Pass: of_pass,
}


def variants(action: Action) -> Iterator[Variant]:
    yield from strangers(action)
    yield from MAKERS[type(action)](action)


def check(play: Play, action: Action, code: str) -> str:
    """Check that an action is refused; return the code."""
    before = play.current
    with pytest.raises(IllegalActionError) as error:
        play.copy().apply(action)
    fault = error.value.fault
    assert code in ("", fault.code), (action, fault)
    assert fault.path
    assert fault.section.startswith(("1822 §", "FMT §")), fault
    assert play.current is before
    return fault.code


def test_variants_of_what_is_done_are_refused() -> None:
    """At least two illegal variants of every type of action, each with code, field and rule."""
    tried: dict[str, set[str]] = defaultdict(set)
    for title, players, options, seed in GAMES:
        play = new_game(players, options, seed, title)
        for number, (_, action) in enumerate(moves(play, seed)):
            if number % 3 and action.TYPE in ("pass", "bid", "lay_tile", "run_routes"):
                continue
            for variant, code in variants(action):
                tried[action.TYPE].add(check(play, variant, code))
    assert {kind: codes for kind, codes in tried.items() if len(codes) < 2} == {}
    assert tried.keys() == {cls.TYPE for cls in MAKERS}
