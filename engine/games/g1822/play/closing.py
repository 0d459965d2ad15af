"""The end of a stock round (§6)."""

from __future__ import annotations

from engine.games.g1822.play.boxes import (
    concessions_on_offer,
    corporation_of,
    float_order,
    privates_on_offer,
    refill,
    take_card,
    take_minor,
    unsold_boxes,
)
from engine.games.g1822.play.events import leave_depot
from engine.games.g1822.play.floating import float_minor
from engine.games.g1822.play.money import with_interest
from engine.games.g1822.play.state import CHOICES
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.play import shares
from engine.play.bank import to_bank
from engine.play.entities import MARKET
from engine.play.market import move

NOTHING_SOLD = "dnf"
"""Reason of a game that ends because nobody has bid in the first stock round (FMT §E12)."""
LOCAL = "L"


def resolve(at: Table1822) -> str:
    """Carry out what the bids have decided; return the kind of the next round."""
    state, data = at.state, at.stock
    if state.turn == 1 and not data.leads:
        state.end_reason = NOTHING_SOLD
        state.finished = True
        return ""
    for card in (*concessions_on_offer(at), *privates_on_offer(at)):
        lead = data.leads.get(card)
        if lead is not None:
            to_bank(state, state.players[lead.player], lead.price)
            take_card(at, card)
            at.card(card).owner = lead.player
    unsold, first_unsold = unsold_boxes(at), _first_unsold(at)
    for card in float_order(at):
        float_minor(at, card, data.leads[card])
        take_minor(at, card)
    _export(at, len(unsold), first_unsold)
    refill(at.kit, state)
    _interest(at)
    _sold_out(at)
    return CHOICES


def _first_unsold(at: Table1822) -> str | None:
    """Return the card in the first box if nobody has bid for it."""
    boxes = at.state.boxes
    return boxes[0] if boxes and boxes[0] not in at.stock.leads else None


def _next_is_local(at: Table1822) -> bool:
    return at.kit.roster.card(at.state.depot[0]).name == LOCAL


def _export(at: Table1822, unsold: int, first: str | None) -> None:
    """L trains leave for boxes without bids, and one train more for the first box (§6.4, §6.5)."""
    for _ in range(unsold):
        if _next_is_local(at):
            leave_depot(at, at.state.depot[0], LOCAL)
    if first is None:
        return
    train = at.state.depot[0]
    leave_depot(at, train, at.kit.roster.card(train).name)
    take_minor(at, first)
    at.state.companies[corporation_of(at, first)].removed = True


def _interest(at: Table1822) -> None:
    """Open debts grow (§6.7, §13.12)."""
    for number in at.state.order:
        owing = at.player_of(number)
        owing.debt = with_interest(at, owing.debt)


def _sold_out(at: Table1822) -> None:
    """Majors wholly held by players and the Tax Haven move up (§6.7)."""
    for sym in at.in_order():
        unsold = shares.units(at.state, sym, sym) + shares.units(at.state, MARKET, sym)
        if at.state.companies[sym].kind == MAJOR and not unsold:
            move(at.state, at.kit.chart, sym, "up")
