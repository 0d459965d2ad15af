"""Set-up and deal (§1, §21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.games.g1822.play.boxes import refill
from engine.games.g1822.play.kit import EXPANSION, NO_REMOVALS, SINGLE_STACK, Kit1822
from engine.games.g1822.play.state import (
    HAVEN,
    STOCK,
    Card,
    Company1822,
    Player1822,
    State1822,
    StockData,
)
from engine.games.g1822.play.table import MAJOR
from engine.play import shares
from engine.play.draws import Draws
from engine.play.entities import MARKET, Holder
from engine.play.game import Setting
from engine.play.layout import Layout
from engine.play.supply import full_supply

ADVANCED = "advanced"
MINOR_UNIT = 50
"""A minor's certificate counts as two shares (§1.8)."""


def dealt(kit: Kit1822, seed: int) -> Mapping[str, Sequence[str]]:
    """Return the certificates in play by kind, each kind in its shuffled order (§1.4)."""
    listed = [sym for sym in kit.game.certificates if kit.in_play(sym)]
    found: dict[str, list[str]] = {"private": [], "concession": [], "minor": []}
    for sym in Draws(seed).shuffle(listed):
        found[kit.game.certificates[sym]["kind"]].append(sym)
    bidding = kit.setup["bidding"]
    first = bidding["first_in_box_1"]
    if ADVANCED in kit.options:
        first = bidding["first_in_box_1_with_option_advanced"]
    for kind, sym in first.items():
        if sym is not None:
            found[kind].remove(sym)
            found[kind].insert(0, sym)
    return found


def piles(kit: Kit1822, privates: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the privates as they lie: with 1822+ by bid box, some of them removed (§1.5)."""
    if EXPANSION not in kit.options:
        return (tuple(privates),)
    expansion = kit.setup["expansion"]
    boxes: Mapping[str, Sequence[str]] = expansion["bid_boxes"]
    grouped = {box: [sym for sym in privates if sym in members] for box, members in boxes.items()}
    removing = NO_REMOVALS not in kit.options
    if removing:
        for box, count in expansion["removed"].items():
            movable = [sym for sym in grouped[box] if sym not in expansion["never_removed"]]
            for sym in movable[:count]:
                grouped[box].remove(sym)
    if SINGLE_STACK not in kit.options:
        return tuple(tuple(group) for group in grouped.values())
    if removing:
        return (tuple(sym for group in grouped.values() for sym in group),)
    return (tuple(privates),)


def deal(kit: Kit1822, setting: Setting) -> State1822:
    """Return the state after the deal, in the first stock round."""
    cards = dealt(kit, setting.seed)
    private_piles = piles(kit, cards["private"])
    order = tuple(number for number, _ in setting.players)
    cash = kit.by_players(kit.setup["starting_cash"])
    minors = [kit.abilities(sym, "floats")[0]["corporation"] for sym in cards["minor"]]
    playing = {
        *minors,
        *(kit.abilities(sym, "converts_to")[0]["corporation"] for sym in cards["concession"]),
    }
    companies = {sym: _company(kit, sym) for sym in kit.game.corporations if sym in playing}
    holdings: dict[Holder, tuple[str, ...]] = dict.fromkeys(order, ())
    holdings[MARKET] = ()
    holdings[HAVEN] = ()
    for sym, company in companies.items():
        holdings[sym] = shares.all_cards(company)
    listed = [sym for pile in private_piles for sym in pile] + list(cards["concession"])
    state = State1822(
        players={number: Player1822(number, name, cash) for number, name in setting.players},
        order=order,
        companies=dict(companies),
        privates={sym: Card(sym) for sym in kit.game.certificates if sym in listed},
        bank=kit.setup["bank"] - cash * len(order),
        broken=False,
        holdings=holdings,
        stacks={},
        depot=kit.roster.depot,
        phase=next(iter(kit.game.phases)),
        layout=Layout({}, (), frozenset()),
        supply=full_supply(kit.guide.atlas, frozenset(kit.guide.atlas.tiles)),
        turn=1,
        round=first_turn(),
        end_reason="",
        finished=False,
        boxes=(),
        minors=tuple(cards["minor"]),
        concessions=tuple(cards["concession"]),
        piles=private_piles,
        turned={},
        discarded=(),
        wider=frozenset(),
        timing="",
    )
    refill(kit, state)
    return state


def first_turn() -> StockData:
    """Return a stock round at its beginning."""
    return StockData(
        kind=STOCK,
        number=1,
        done=frozenset(),
        index=0,
        passed=frozenset(),
        leads={},
        interests=frozenset(),
        sales=frozenset(),
        haven=False,
        bids=0,
        sold=False,
        bought=False,
    )


def _company(kit: Kit1822, sym: str) -> Company1822:
    raw: Mapping[str, Any] = kit.game.corporations[sym]
    major = raw["type"] == MAJOR
    tokens = tuple(token["price"] for token in raw["tokens"] if token["kind"] == "ordinary")
    return Company1822(
        sym=sym,
        kind=raw["type"],
        cash=0,
        unit=raw["share_percent"] if major else MINOR_UNIT,
        percents=tuple(raw["certificates"]),
        trains=(),
        tokens=tokens,
        float_percent=raw["float_percent"],
        exchange=raw.get("exchange_tokens", 0),
        free_channel=any(ability["type"] == "token" for ability in raw["abilities"]),
    )
