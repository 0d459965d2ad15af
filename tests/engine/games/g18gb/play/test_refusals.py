"""Illegal variants of what was really done are refused: code, field and rule."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.notation.gamefile import Replay, read_game
from engine.play.actions import (
    PLAYER,
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    Convert,
    Dividend,
    Entity,
    LayTile,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    SellShares,
)
from engine.play.depot import owner_of
from engine.play.errors import IllegalActionError
from engine.play.game import Play
from tests.shared import GAMES

OWN = Path(__file__).resolve().parents[4] / "data" / "games" / "18GB-two-players.json"
FILES = [OWN, *(GAMES / "18GB" / f"{name}.json" for name in ("3p", "leased_train"))]

Variant = tuple[Action, str, str, str]
"""An action that is not allowed, with code, section and field of the refusal."""


def turn_variants(play: Play, action: Action) -> Iterator[Variant]:
    """The same by somebody else, and something of another step."""
    if action.entity.kind in (PLAYER, "corporation"):
        other = 77 if action.entity.kind == PLAYER else "NOBODY"
        stranger = replace(action, entity=Entity(action.entity.kind, other))
        yield stranger, "NOT_YOUR_TURN", "FMT §B8", "entity"
        wrong: Action = Dividend(action.entity, "payout")
        if not isinstance(action, Dividend):
            yield wrong, "WRONG_STEP", "FMT §B8", "type"


def bid_variants(play: Play, action: Bid) -> Iterator[Variant]:
    least = min(a.price for a in bids(play) if a.company == action.company)
    yield replace(action, price=least - 5), "BID_TOO_LOW", "18GB §5.2", "price"
    yield replace(action, price=least + 2), "BID_NOT_IN_STEPS", "18GB §5.2", "price"
    yield replace(action, price=least + 5000), "CASH_COMMITTED", "18GB §5.3", "price"
    yield replace(action, company="ZZ"), "PRIVATE_NOT_FOR_SALE", "18GB §5.1", "company"


def bids(play: Play) -> list[Bid]:
    return [action for action in play.legal_actions() if isinstance(action, Bid)]


def par_variants(play: Play, action: Par) -> Iterator[Variant]:
    bad = "85,0,6"
    yield replace(action, share_price=bad), "PAR_NOT_ALLOWED", "18GB §6.2", "share_price"
    yield replace(action, share_price="115,0,9"), "PAR_NOT_ALLOWED", "18GB §6.2", "share_price"
    yield replace(action, corporation="ZZ"), "COMPANY_UNKNOWN", "18GB §6.2", "corporation"
    for sym, company in play.current.companies.items():
        if company.started:
            yield replace(action, corporation=sym), "COMPANY_STARTED", "18GB §6.2", "corporation"


def buy_variants(play: Play, action: BuyShares) -> Iterator[Variant]:
    if play.step() != "trade":
        return
    yield replace(action, shares=("ZZ_1",)), "COMPANY_UNKNOWN", "18GB §1.2", "shares"
    yield replace(action, percent=37), "PERCENT_WRONG", "FMT §B5.1", "percent"
    yield replace(action, share_price=1), "SHARE_PRICE_WRONG", "18GB §3.3", "share_price"
    two = (*action.shares, *action.shares)
    yield replace(action, shares=two), "ONE_CERTIFICATE", "18GB §6.6", "shares"


def sell_variants(play: Play, action: SellShares) -> Iterator[Variant]:
    yield replace(action, percent=7), "PERCENT_WRONG", "18GB §6.13", "percent"
    yield replace(action, shares=("ZZ_1",)), "BLOCK_NOT_OWNED", "18GB §6.12", "shares"
    yield replace(action, share_price=1), "SALE_PRICE_WRONG", "18GB §3.5", "share_price"


def lay_variants(play: Play, action: LayTile) -> Iterator[Variant]:
    yield replace(action, hex="Z99"), "HEX_NOT_ALLOWED", "18GB §9.4", "hex"
    yield replace(action, tile="ZZ-0"), "TILE_UNKNOWN", "18GB §9.3", "tile"
    yield replace(action, rotation=6), "ROTATION_OUT_OF_RANGE", "18GB §0.4", "rotation"
    copy = action.tile.rpartition("-")[0] + "-99"
    yield replace(action, tile=copy), "TILE_NOT_IN_SUPPLY", "18GB §9.3", "tile"
    severn = play.current.supply.get("G33")
    if action.entity.kind == "corporation" and action.hex != "C22" and severn:
        yield replace(action, tile="G33-0"), "TILE_NOT_UPGRADE", "18GB §9.3", "tile"


def token_variants(play: Play, action: PlaceToken) -> Iterator[Variant]:
    yield replace(action, city="ZZ-0-0"), "CITY_UNKNOWN", "FMT §B4.8", "city"
    yield replace(action, city="nothing"), "CITY_UNKNOWN", "FMT §B4.8", "city"
    if action.entity.kind == "corporation":
        after = play.copy().apply(action)
        if after.step() == "build":
            with pytest.raises(IllegalActionError) as error:
                after.apply(action)
            assert error.value.code in ("TOKEN_PLACED", "CASH_SHORT")
    else:
        other = replace(action, entity=Entity("company", "LM"))
        yield other, "ABILITY_UNKNOWN", "18GB §4", "entity"


def run_variants(play: Play, action: RunRoutes) -> Iterator[Variant]:
    if not action.routes:
        return
    first, *rest = action.routes
    wrong = replace(first, train="ZZ-0")
    field = "routes[0].train"
    yield replace(action, routes=(wrong, *rest)), "TRAIN_NOT_RUNNABLE", "18GB §11.9", field
    twice = (first, first)
    yield replace(action, routes=twice), "TRAIN_TWICE", "18GB §11.7", "routes[1].train"
    nowhere = replace(first, connections=(("A18", "A20"),), nodes=())
    field = "routes[0].connections"
    yield replace(action, routes=(nowhere,)), "ROUTE_INVALID", "FMT §B6", field
    rich = replace(first, revenue=(first.revenue or 0) + 1000)
    field = "routes[0].revenue"
    yield replace(action, routes=(rich, *rest)), "REVENUE_WRONG", "18GB §11.4", field


def dividend_variants(play: Play, action: Dividend) -> Iterator[Variant]:
    yield replace(action, kind="half"), "DIVIDEND_KIND_UNKNOWN", "18GB §12.1", "kind"
    yield Pass(action.entity), "WRONG_STEP", "FMT §B8", "type"


def train_variants(play: Play, action: BuyTrain) -> Iterator[Variant]:
    yield replace(action, train="ZZ-0"), "TRAIN_NOT_ON_SALE", "18GB §7.3", "train"
    if owner_of(play.current, action.train) is None:
        yield replace(action, price=action.price - 1), "TRAIN_PRICE_WRONG", "18GB §13.1", "price"
        yield replace(action, variant="9Z"), "TRAIN_VARIANT_WRONG", "18GB §7.1", "variant"
    else:
        yield replace(action, price=0), "TRAIN_PRICE_WRONG", "18GB §13.2", "price"
        yield replace(action, price=9999), "CASH_SHORT", "18GB §13.1", "price"


def choose_variants(play: Play, action: Choose) -> Iterator[Variant]:
    yield replace(action, choice="convert_ZZ"), "NOT_CONVERTIBLE", "18GB §6.11", "choice"
    yield replace(action, choice="double"), "CHOICE_UNKNOWN", "FMT §B5.4", "choice"


def close_variants(play: Play, action: ChooseAbility) -> Iterator[Variant]:
    stranger = replace(action, entity=Entity("company", "ZZ"))
    yield stranger, "PRIVATE_NOT_OPEN", "18GB §4.3", "entity"
    yield replace(action, choice="open"), "CHOICE_UNKNOWN", "FMT §B5.4", "choice"
    closed = [sym for sym, owned in play.current.privates.items() if owned.closed]
    for sym in closed:
        again = replace(action, entity=Entity("company", sym))
        yield again, "PRIVATE_NOT_OPEN", "18GB §4.3", "entity"


def pass_variants(play: Play, action: Pass) -> Iterator[Variant]:
    unknown = Entity("company", "LM")
    yield replace(action, entity=unknown), "NOT_YOUR_TURN", "FMT §B8", "entity"


def convert_variants(play: Play, action: Convert) -> Iterator[Variant]:
    other = play.copy().apply(action)
    if other.step() == "trains":
        with pytest.raises(IllegalActionError) as error:
            other.apply(action)
        assert error.value.code == "NO_EMERGENCY"
    yield RunRoutes(action.entity), "WRONG_STEP", "FMT §B8", "type"
    stranger = replace(action, entity=Entity("company", "LM"))
    yield stranger, "NOT_YOUR_TURN", "FMT §B8", "entity"


MAKERS: dict[type[Action], Any] = {
    Bid: bid_variants,
    Par: par_variants,
    BuyShares: buy_variants,
    SellShares: sell_variants,
    LayTile: lay_variants,
    PlaceToken: token_variants,
    RunRoutes: run_variants,
    Dividend: dividend_variants,
    BuyTrain: train_variants,
    Choose: choose_variants,
    ChooseAbility: close_variants,
    Pass: pass_variants,
    Convert: convert_variants,
}


def variants(play: Play, action: Action) -> Iterator[Variant]:
    yield from turn_variants(play, action)
    yield from MAKERS[type(action)](play, action)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_variants_of_what_was_done_are_refused(path: Path) -> None:
    """At least three illegal variants of every type of action, each with its code and rule."""
    if not path.exists():
        pytest.skip("the recorded games are not here")
    tried: dict[str, set[tuple[str, str, Entity]]] = defaultdict(set)
    replay = Replay(read_game(json.loads(path.read_text("utf-8"))), audit=False)
    for number, action in replay.steps():
        play, before = replay.play, replay.play.current
        for variant, code, section, field in variants(play, action):
            with pytest.raises(IllegalActionError) as error:
                play.apply(variant)
            fault = error.value.fault
            said = (fault.code, fault.section, fault.path)
            assert said == (code, section, field), (number, variant)
            tried[action.TYPE].add((code, field, variant.entity))
        assert play.current is before
    assert {kind: len(found) for kind, found in tried.items() if len(found) < 3} == {}
