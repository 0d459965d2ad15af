"""Counts of what has happened in games of 1862: the rare things that many games must hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import OperatingData, State1862, StockData
from engine.games.g1862.stations import london_hexes
from engine.play import shares
from engine.play.actions import (
    Action,
    BuyShares,
    BuyTrain,
    Choose,
    Convert,
    Dividend,
    LayTile,
    Merge,
    Par,
    Pass,
    PlaceToken,
    RemoveToken,
    RunRoutes,
    SellShares,
)
from engine.play.game import Play
from tests.engine.games.g1862.play.scene import state_of


class Moment(NamedTuple):
    """An action between two states."""

    before: State1862
    action: Action
    after: State1862
    kit: Kit1862


RARE = frozenset(
    {
        "end bank",
        "end lner",
        "end stock_market",
        "merge",
        "acquire",
        "merger, active survives",
        "merger, other survives",
        "merger with one that had operated",
        "merger into receivership",
        "merger of two chartered",
        "merger, permit gained",
        "excess marker removed",
        "refinancing",
        "refinancing by choice",
        "refinancing into receivership",
        "treasury shares sold by force",
        "option redeemed",
        "option sold",
        "receivership",
        "receivership ends",
        "purchase in receivership",
        "run in receivership",
        "bankruptcy",
        "bankruptcy by a sale",
        "company started again",
        "charter fine",
        "charter fine, certificate sold before",
        "forced sale",
        "part of a director's certificate sold",
        "director's certificate sold",
        "director changed",
        "used train",
        "train of a bankrupt company",
        "warranty bought",
        "rusted",
        "kept by a warranty",
        "worn out",
        "redeemed",
        "hudson",
        "home marker displaced",
        "forced home upgrade",
        "London link",
        "small station",
        "second yellow tile",
        "over the certificate limit",
        "run with subsidy",
    }
)
"""What is printed even if it has not been seen."""


def seen(before: Play, action: Action, after: Play) -> Iterator[str]:
    """Yield the names of what an action has been or has led to."""
    kit = before.kit
    assert isinstance(kit, Kit1862)
    moment = Moment(state_of(before), action, state_of(after), kit)
    for looker in (_mergers, _forced, _companies, _runs, _charters, _sales, _trains, _track):
        yield from looker(moment)
    if isinstance(action, Par):
        earlier = [old for old in before.actions() if isinstance(old, Par)]
        if action.corporation in [old.corporation for old in earlier]:
            yield "company started again"
    if after.finished:
        yield f"end {after.end_reason}"


def _operating(state: State1862) -> OperatingData | None:
    return state.round if isinstance(state.round, OperatingData) else None


def _mergers(moment: Moment) -> Iterator[str]:
    before, action, after, _ = moment
    old = _operating(before)
    if isinstance(action, Merge) and old is not None:
        done = "merge" if "merge" not in old.done else "acquire"
        yield done
        if done == "merge" and action.corporation in old.order[: old.index]:
            yield "merger with one that had operated"
        if all(before.charters[s].chartered for s in (old.company, action.corporation)):
            yield "merger of two chartered"
    if isinstance(action, RemoveToken):
        yield "excess marker removed"
    now = old.exchange if old is not None else None
    if now is None or not isinstance(action, Choose):
        return
    if not now.survivor:
        yield f"merger, {'active' if action.choice == 'first' else 'other'} survives"
    else:
        yield "option redeemed" if action.choice == "redeem" else "option sold"
    survivor = now.survivor or (now.active if action.choice == "first" else now.other)
    ended = _operating(after) is None or after.round.exchange is None  # type: ignore[attr-defined]
    if ended and now.other and after.companies[survivor].started:
        if after.companies[survivor].receivership:
            yield "merger into receivership"
        if set(after.charters[survivor].permits) - set(before.charters[survivor].permits):
            yield "merger, permit gained"


def _forced(moment: Moment) -> Iterator[str]:
    before, action, after, _ = moment
    old, new = _operating(before), _operating(after)
    if old is None:
        return
    company = old.company if not old.over else ""
    fresh = old.exchange is None and new is not None and new.exchange is not None
    if fresh and new is not None and new.exchange is not None and new.exchange.kind == "refinance":
        yield "refinancing"
        if isinstance(action, Convert):
            yield "refinancing by choice"
    elif company and not old.raised and new is not None and new.raised and not fresh:
        yield "treasury shares sold by force"
    refinanced = old.exchange is not None and old.exchange.kind == "refinance"
    if refinanced and after.companies[old.company].receivership:
        yield "refinancing into receivership"


def _companies(moment: Moment) -> Iterator[str]:
    before, _, after, _ = moment
    old = _operating(before)
    merging = old is not None and old.exchange is not None and bool(old.exchange.other)
    for sym, was in before.companies.items():
        now = after.companies[sym]
        if now.receivership and not was.receivership:
            yield "receivership"
        if was.receivership and now.director is not None:
            yield "receivership ends"
        both = was.director is not None and now.director is not None
        if both and was.director != now.director:
            yield "director changed"
        if was.receivership and set(now.trains) - set(was.trains):
            yield "purchase in receivership"
        if was.floated and not now.started and not merging:
            yield "bankruptcy"
            if isinstance(before.round, StockData):
                yield "bankruptcy by a sale"


def _runs(moment: Moment) -> Iterator[str]:
    before, action, after, _ = moment
    new = _operating(after)
    if isinstance(action, RunRoutes) and before.companies[str(action.entity.id)].receivership:
        yield "run in receivership"
    if isinstance(action, RunRoutes) and new is not None and new.subsidy:
        yield "run with subsidy"
    if isinstance(action, Dividend) and action.kind == "hudson":
        yield "hudson"


def _charters(moment: Moment) -> Iterator[str]:
    before, action, after, _ = moment
    data = before.round
    if isinstance(data, StockData) and isinstance(action, Pass | SellShares | BuyShares):
        for player, sym in before.obligations:
            if not after.companies[sym].started:
                yield "charter fine"
                if player != before.companies[sym].director:
                    yield "charter fine, certificate sold before"
    if isinstance(data, StockData) and data.closing and isinstance(action, SellShares):
        yield "forced sale"


def _sales(moment: Moment) -> Iterator[str]:
    before, action, _, _ = moment
    if isinstance(action, SellShares):
        named = shares.units_on(before, action.shares) * 10
        if any(shares.split(card)[1] == 0 for card in action.shares):
            yield "director's certificate sold"
        if action.percent is not None and action.percent < named:
            yield "part of a director's certificate sold"
        seller = action.entity.id
        if isinstance(seller, int) and shares.certificates(before, seller) > before.limit:
            yield "over the certificate limit"
    if isinstance(action, BuyShares) and isinstance(action.entity.id, str):
        yield "redeemed"


def _trains(moment: Moment) -> Iterator[str]:
    before, action, after, kit = moment
    if isinstance(action, BuyTrain):
        if action.train in before.stranded:
            yield "train of a bankrupt company"
        elif action.train not in before.depot:
            yield "used train"
        if action.warranties:
            yield "warranty bought"
    if before.phase != after.phase:
        for train, fitting in before.fittings.items():
            rusts = kit.roster.card(train).rusts_on
            if rusts is not None and kit.roster.reached(after.phase, rusts):
                yield "kept by a warranty" if fitting.warranties else "rusted"
    for train in before.fittings.keys() - after.fittings.keys():
        if before.phase == after.phase and before.fittings[train].warranties:
            yield "worn out"


def _track(moment: Moment) -> Iterator[str]:
    before, action, after, kit = moment
    old = _operating(before)
    if isinstance(action, PlaceToken) and len(after.layout.tokens) > len(before.layout.tokens):
        (new,) = [token for token in after.layout.tokens if token not in before.layout.tokens][:1]
        if new.hex in london_hexes(kit.game):
            yield "London link"
    if isinstance(action, LayTile) and old is not None:
        if old.tiles == 1:
            yield "second yellow tile"
        laid = before.layout.laid.get(action.hex)
        tile = action.tile.rpartition("-")[0]
        atlas = kit.guide.atlas
        if laid is not None and atlas.tiles[laid.tile].colour == atlas.tiles[tile].colour:
            yield "small station"
        if "home" not in old.done:
            yield "forced home upgrade"
    lost = {
        sym: len(now.tokens) - len(before.companies[sym].tokens)
        for sym, now in after.companies.items()
        if now.floated and before.companies[sym].floated
    }
    merging = old is not None and old.exchange is not None
    if not merging and any(count > 0 for count in lost.values()):
        yield "home marker displaced"
