"""What changes hands when a major acquires a minor (§14.5 to §14.7)."""

from __future__ import annotations

from dataclasses import replace

from engine.games.g1822.play.boxes import refill, take_minor
from engine.games.g1822.play.places import (
    add_available,
    extra_slot,
    has_in_city,
    home_city,
    open_slot,
    put_token,
    take_token,
)
from engine.games.g1822.play.state import City, Company1822
from engine.games.g1822.play.table import Table1822
from engine.play import shares
from engine.play.bank import to_bank, transfer
from engine.play.market import take_off

MONEY = "money"
UNITS = {MONEY: 0, "one_share": 1, "two_shares": 2}
"""Shares given, by way of payment (§14.5)."""
REPLACE, EXCHANGE, REMOVE = "replace", "exchange", "remove"
MARKERS = (REPLACE, EXCHANGE, REMOVE)


def pay(at: Table1822, minor: Company1822, way: str) -> None:
    """Pay the owner of a minor in shares and money (§14.5).

    Raises
    ------
    ValueError
        The minor has no owner.
    """
    state, company, units = at.state, at.company, UNITS[way]
    if minor.director is None:
        raise ValueError(f"{minor.sym} has no owner")
    owner = state.players[minor.director]
    difference = 2 * at.price(minor.sym) - units * at.price(company.sym)
    if difference >= 0:
        transfer(company, owner, difference)
    else:
        transfer(owner, company, -difference)
    for share in shares.held(state, company.sym, company.sym)[:units]:
        shares.hand_over(state, share, owner.id)
    if at.kit.profile.majority_at_once:
        shares.settle_director(state, company.sym)


def hand_over_goods(at: Table1822, minor: Company1822) -> None:
    """The major takes cash, trains and privates (§14.6)."""
    company = at.company
    transfer(minor, company, minor.cash)
    company.trains += minor.trains
    minor.trains = ()
    for card in at.cards():
        if card.company == minor.sym:
            card.company = company.sym


def replace_marker(at: Table1822, minor: Company1822, choice: str) -> None:
    """An exchange marker takes the place of the minor's, or becomes available (§14.6)."""
    sym = at.company.sym
    token = next(t for t in at.state.layout.tokens if t.corporation == minor.sym)
    if choice == REPLACE and not has_in_city(at, City(token.hex, token.city), sym):
        at.company.exchange -= 1
        own = replace(token, corporation=sym)
        tokens = tuple(own if t == token else t for t in at.state.layout.tokens)
        at.state.layout = at.state.layout.with_tokens(tokens)
        return
    take_token(at, token)
    free_marker(at, choice)


def free_marker(at: Table1822, choice: str) -> None:
    """An exchange marker becomes available; without one there is nothing to gain (§14.6)."""
    if choice != REMOVE:
        at.company.exchange -= 1
        add_available(at, at.company)


def close_minor(at: Table1822, minor: Company1822) -> None:
    """The minor closes (§14.7)."""
    state = at.state
    take_off(state, minor.sym)
    for holder, held in state.holdings.items():
        state.holdings[holder] = tuple(s for s in held if shares.split(s)[0] != minor.sym)
    minor.director = None
    minor.removed = True


def pay_for_box(at: Table1822, card: str) -> None:
    """A minor out of a bid box costs £200; its card leaves (§14.5, §14.7).

    Its box is filled again at once: a record has the next card on offer in the
    stock round that follows.
    """
    price: int = at.kit.setup["minor_from_bid_box_price"]
    to_bank(at.state, at.company, price)
    take_minor(at, card)
    refill(at.kit, at.state)


def replace_home(at: Table1822, minor: Company1822) -> None:
    """An exchange marker comes into the slot reserved for a minor (§14.6).

    Raises
    ------
    ValueError
        The minor has no home of its own.
    """
    city, sym = home_city(at, minor.sym), at.company.sym
    if city is None:
        raise ValueError(f"{minor.sym} chooses its home")
    if has_in_city(at, city, sym):
        free_marker(at, REPLACE)
        return
    slot = open_slot(at, city, minor.sym)
    put_token(at, city, sym, extra_slot(at, city) if slot is None else slot)
    at.company.exchange -= 1


def settle_box_14(at: Table1822, city: City) -> None:
    """The exchange marker for minor 14 comes into London, if need be into a new slot (§14.6)."""
    price: int = at.kit.setup["tokens"]["minor_14_home_price"]
    to_bank(at.state, at.company, price)
    if open_slot(at, city, at.company.sym) is None:
        at.state.wider |= {city}
    slot = open_slot(at, city, at.company.sym)
    put_token(at, city, at.company.sym, extra_slot(at, city) if slot is None else slot)
    at.company.exchange -= 1
