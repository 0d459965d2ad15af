"""Trains from the bank: what is on sale, limits, buying (§2.7, §2.8, §13)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.games.g1822.play.events import leave_depot
from engine.games.g1822.play.roster import Side
from engine.games.g1822.play.state import Company1822
from engine.games.g1822.play.table import Table1822
from engine.play.bank import to_bank


class OnSale(NamedTuple):
    """A train that the bank sells, with the side it is sold as."""

    train: str
    side: Side


def train_limit(at: Table1822, company: Company1822) -> int:
    """Return how many ordinary trains a company may own (§2.1)."""
    limits: dict[str, int] = at.kit.game.phases[at.state.phase]["train_limit"]
    return limits[company.kind]


def has_room(at: Table1822, company: Company1822) -> bool:
    """Tell whether a company may own another ordinary train (§13.6)."""
    return len(at.kit.roster.ordinary(company.trains)) < train_limit(at, company)


def on_sale(at: Table1822, company: Company1822) -> Iterator[OnSale]:
    """Yield what the bank sells a company: the next train of the depot on either side, and
    one discarded train of each kind; no second E (§13.2, §13.5)."""
    state, roster = at.state, at.kit.roster
    owned = {roster.side(state, train).name for train in company.trains}
    first = state.depot[0]
    offers = [OnSale(first, side) for side in roster.sides[roster.card(first).name]]
    seen: set[str] = set()
    for train in state.discarded:
        side = roster.side(state, train)
        if side.name not in seen:
            seen.add(side.name)
            offers.append(OnSale(train, side))
    yield from (o for o in offers if not (o.side.only_one and o.side.name in owned))


def cheapest(at: Table1822, company: Company1822) -> int:
    """Return the lowest price of a train in the bank, £ (§13.8)."""
    return min(offer.side.price for offer in on_sale(at, company))


def must_buy(at: Table1822, company: Company1822) -> bool:
    """Tell whether a company has no ordinary train (§13.7)."""
    return not at.kit.roster.ordinary(company.trains)


def buy_from_bank(at: Table1822, train: str, side: str) -> None:
    """The company in turn pays for a train of the bank and gets it (§13.2)."""
    state, company, roster = at.state, at.company, at.kit.roster
    bought = roster.side_named(train, side)
    if bought is None:
        raise ValueError(f"{train} has no side {side}")
    to_bank(state, company, bought.price)
    company.trains += (train,)
    if train in state.discarded:
        state.discarded = tuple(other for other in state.discarded if other != train)
        return
    show(at, train, side)
    leave_depot(at, train, side)


def show(at: Table1822, train: str, side: str) -> None:
    """Turn the card of a train to a side."""
    if side != at.kit.roster.card(train).name:
        at.state.turned[train] = side
