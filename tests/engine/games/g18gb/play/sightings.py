"""Counts of what has happened in games of 18GB: the rare things that many games must hold."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g18gb.play.state import OperatingData, State18GB, StockData
from engine.play import shares
from engine.play.actions import (
    COMPANY,
    PLAYER,
    Action,
    BuyShares,
    BuyTrain,
    Choose,
    LayTile,
    PlaceToken,
    SellShares,
)
from engine.play.game import Play
from tests.engine.games.g18gb.play.scene import state_of

RARE = frozenset(
    {
        *(f"{sym} lay" for sym in ("AF", "LS", "TV")),
        *(f"{sym} token" for sym in ("GN", "MC")),
        *("conversion", "emergency conversion", "share offer", "receivership", "insolvency"),
        *("director's certificate exchanged", "director's certificate sold in part"),
        *("company removed", "started company removed", "LNWR removed", "floated"),
        *("train between companies", "discard_train", "train run in receivership"),
        *("two shares in a turn", "stock turn closed by itself", "private for nothing"),
        *("private closed", "token freeze", "end final_train", "end stock_market"),
    }
)
"""What is printed even if it has not been seen."""


def seen(before: Play, action: Action, after: Play) -> Iterator[str]:
    """Yield the names of what an action has been or has led to."""
    old, new = state_of(before), state_of(after)
    yield action.TYPE
    yield from _about_privates(old, action, new)
    yield from _about_shares(old, action, new)
    yield from _about_companies(old, action, new)
    if new.phase != old.phase:
        yield f"phase {new.phase}"
    if new.frozen and not old.frozen:
        yield "token freeze"
    if new.finished:
        yield f"end {new.end_reason}"


def _about_privates(old: State18GB, action: Action, new: State18GB) -> Iterator[str]:
    if action.entity.kind == COMPANY:
        if isinstance(action, LayTile):
            yield f"{action.entity.id} lay"
        elif isinstance(action, PlaceToken):
            yield f"{action.entity.id} token"
    for sym, private in new.privates.items():
        if private.closed and not old.privates[sym].closed:
            yield "private closed"
    cash = sum(player.cash for player in old.players.values())
    sold = [s for s, p in new.privates.items() if p.owner and not old.privates[s].owner]
    if sold and cash == sum(player.cash for player in new.players.values()):
        yield "private for nothing"


def _about_shares(old: State18GB, action: Action, new: State18GB) -> Iterator[str]:
    data, here = old.round, new.round
    if isinstance(action, BuyShares) and isinstance(data, StockData):
        if shares.split(action.shares[0])[1] == 0:
            yield "director's certificate exchanged"
        if data.bought:
            yield "two shares in a turn"
        if not isinstance(here, StockData) or here.index != data.index:
            yield "stock turn closed by itself"
    elif isinstance(action, BuyShares):
        yield "share offer"
    elif isinstance(action, SellShares):
        mine = set(shares.held(new, int(action.entity.id), shares.split(action.shares[0])[0]))
        directors = any(shares.split(share)[1] == 0 for share in action.shares)
        if action.entity.kind == PLAYER and directors and mine:
            yield "director's certificate sold in part"
    elif isinstance(action, Choose):
        yield "conversion"


def _about_companies(old: State18GB, action: Action, new: State18GB) -> Iterator[str]:
    for sym, company in new.companies.items():
        before = old.companies[sym]
        if company.removed and not before.removed:
            yield "company removed"
            if before.started:
                yield "started company removed"
            if sym == "LNWR":
                yield "LNWR removed"
        if company.floated and not before.floated:
            yield "floated"
        if company.receivership and not before.receivership:
            yield "receivership"
    yield from ("insolvency" for _ in new.insolvent - old.insolvent)
    if not isinstance(old.round, OperatingData):
        return
    if action.TYPE == "convert":
        yield "emergency conversion"
    elif action.TYPE == "run_routes" and old.companies[str(action.entity.id)].receivership:
        yield "train run in receivership"
    elif isinstance(action, BuyTrain) and any(
        action.train in company.trains for company in old.companies.values()
    ):
        yield "train between companies"
