"""Counts of what has happened in games of 1822: the rare things that a sample must hold."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.state import Card, OperatingData, Player1822, State1822, StockData
from engine.play import shares
from engine.play.actions import (
    COMPANY,
    CORPORATION,
    PLAYER,
    AcquireCompany,
    Action,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    ChooseAbility,
    DiscardTrain,
    HexToken,
    LayTile,
    Merge,
    Par,
    PlaceToken,
    SellShares,
)
from engine.play.game import Play

TRAIN_PRIVATES = ("P1", "P3", "P4", "P13", "P14", "P19")
"""Privates whose ability is the train that they bring."""
STORES = ("P15", "P20")
"""Privates whose ability is the money that they bring."""


def state_of(play: Play) -> State1822:
    """Return the state, as that of 1822."""
    state = play.current
    assert isinstance(state, State1822)
    return state


def seen(before: Play, action: Action, after: Play) -> Iterator[str]:
    """Yield the names of what an action has been or has led to."""
    old, new = state_of(before), state_of(after)
    yield action.TYPE
    yield from _about_privates(old, action, new)
    yield from _about_trains(old, action, new)
    yield from _about_companies(old, action)
    yield from _about_capital(old, action, new)
    if isinstance(old.round, StockData) and new.round.kind != old.round.kind:
        if len(new.depot) < len(old.depot) or new.depot[0] != old.depot[0]:
            yield "export"
        if new.phase != old.phase:
            yield "phase by export"
    if new.phase != old.phase:
        yield f"phase {new.phase}"
    if new.finished:
        yield f"end {new.end_reason}"


def _about_privates(old: State1822, action: Action, new: State1822) -> Iterator[str]:
    if isinstance(action, LayTile) and action.entity.kind == COMPANY:
        yield f"{action.entity.id} lay"
        for other in action.combo_entities or ():
            yield f"{other} lay"
            yield "combination"
    if isinstance(action, PlaceToken | ChooseAbility) and action.entity.kind == COMPANY:
        yield f"{action.entity.id} {action.TYPE}"
    if isinstance(action, AcquireCompany):
        used = action.company in (*TRAIN_PRIVATES, *STORES)
        yield f"{action.company} {'brings' if used else 'acquired'}"
    if isinstance(action, Choose):
        yield f"choose {action.choice if not str(action.choice).isdigit() else 'carriage'}"
    data = old.round
    if isinstance(data, OperatingData) and data.mail:
        yield "mail"
    for sym, card in new.privates.items():
        before = old.privates[sym]
        assert isinstance(card, Card)
        if isinstance(before, Card) and sym == "P16" and card.store > before.store:
            yield "haven income"


def _about_trains(old: State1822, action: Action, new: State1822) -> Iterator[str]:
    if isinstance(action, BuyTrain):
        if action.exchange:
            yield "upgrade of a train"
        elif action.train in old.discarded:
            yield "discarded train bought"
        elif any(action.train in company.trains for company in old.companies.values()):
            yield "train between companies"
        if new.turned.get(action.train) == "E":
            yield "E bought"
        for number, player in new.players.items():
            before = old.players[number]
            assert isinstance(player, Player1822)
            assert isinstance(before, Player1822)
            if player.debt > before.debt:
                yield "loan"
            elif player.cash < before.cash and action.entity.kind == CORPORATION:
                yield "director helps"
    if isinstance(action, DiscardTrain):
        yield "extra train discarded" if action.train not in new.discarded else "train discarded"


def _about_companies(old: State1822, action: Action) -> Iterator[str]:
    if isinstance(action, Par):
        yield "par without concession" if int(old.phase) >= 5 else "conversion"
    elif isinstance(action, SellShares):
        emergency = isinstance(old.round, OperatingData) and action.entity.kind == PLAYER
        kind = "issue" if action.entity.kind == CORPORATION else "sale"
        yield "emergency sale" if emergency else kind
        if any(share.endswith("_0") for share in action.shares):
            yield "director's certificate sold"
    elif isinstance(action, BuyShares):
        yield "redemption" if action.entity.kind == CORPORATION else "purchase"
    elif isinstance(action, Merge):
        minor = old.companies[action.corporation]
        yield "acquisition" if minor.started else "acquisition from a box"
        if action.corporation == "14":
            yield "minor 14 acquired"
    elif isinstance(action, HexToken):
        yield "destination"
    elif isinstance(action, Bid):
        assert isinstance(old.round, StockData)
        if action.company in old.round.leads:
            yield "outbid"


def _about_capital(old: State1822, action: Action, new: State1822) -> Iterator[str]:
    """Full capitalisation, shares for the Tax Haven before it, minor 14 out of a box."""
    for sym, company in new.companies.items():
        floats = company.floated and not old.companies[sym].floated
        if floats and company.kind == "major" and not shares.held(new, sym, sym):
            yield "full capitalisation"
    haven = action.choice if isinstance(action, ChooseAbility) and action.entity.id == "P16" else ""
    if haven and not old.companies[haven.rpartition("_")[0]].floated:
        yield "haven share of a company not floated"
    data = old.round
    if isinstance(action, PlaceToken) and isinstance(data, OperatingData) and data.placing:
        yield "minor 14 out of a box replaced"
