"""Trains in the bank: what is on sale, and what follows when one leaves (FMT §E8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.play.entities import Company
from engine.play.state import GameState


@dataclass(frozen=True)
class TrainCard:
    """A line of the train roster.

    Parameters
    ----------
    name, price
        As printed, £.
    available_on
        Phase from which it may be bought before its turn, or None.
    rusts_on
        Train whose first sale removes it, or None.
    events
        What happens when the first one leaves the bank.
    unlimited
        There are as many as are wanted; the bank shows the next one.
    """

    name: str
    price: int
    available_on: str | None
    rusts_on: str | None
    events: tuple[str, ...]
    unlimited: bool


def train_ids(counts: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the trains of a bank in the order of their sale.

    Parameters
    ----------
    counts
        How many there are of each; None for an unlimited one, of which the first
        lies in the bank (FMT §B4.3).
    """
    return tuple(
        f"{name}-{number}"
        for name, count in counts.items()
        for number in range(1 if count is None else count)
    )


class Roster:
    """The trains of a game and the phases that they bring."""

    def __init__(
        self, trains: Sequence[Mapping[str, Any]], phases: Mapping[str, Mapping[str, Any]]
    ) -> None:
        self.cards: Mapping[str, TrainCard] = {
            raw["name"]: TrainCard(
                raw["name"],
                raw["price"],
                raw["available_on"],
                raw["rusts_on"],
                tuple(raw["events"]),
                _endless(raw.get("count")),
            )
            for raw in trains
        }
        self.phases = phases
        self.phase_order = tuple(phases)

    def card(self, train: str) -> TrainCard:
        """Return the card of a train, by its id."""
        return self.cards[train.rpartition("-")[0]]

    def reached(self, phase: str, wanted: str) -> bool:
        """Tell whether the game, in `phase`, has come as far as the phase `wanted`."""
        return self.phase_order.index(phase) >= self.phase_order.index(wanted)

    def on_sale(self, state: GameState) -> tuple[str, ...]:
        """Return the trains that the bank sells now, cheapest first (FMT §E8.1)."""
        found: dict[str, str] = {}
        for train in state.depot:
            card = self.card(train)
            if card.name in found:
                continue
            early = card.available_on
            if not found or (early is not None and self.reached(state.phase, early)):
                found[card.name] = train
        return tuple(found.values())

    def leave(
        self,
        state: GameState,
        train: str,
        spared: frozenset[str] = frozenset(),
        sold_as: str | None = None,
    ) -> tuple[str, ...]:
        """Take a train out of the bank: new phase, then rusting (FMT §E8.2).

        The next one of an unlimited kind takes its place (FMT §B4.3).

        Parameters
        ----------
        spared
            Trains that do not rust now (1862 §8.9).
        sold_as
            Name of the side of the card that is sold, where sides start
            different phases (1822 §2.2); None for the name of the card.

        Returns
        -------
        tuple of str
            The events of the train, to be carried out by the game after that.
        """
        card = self.card(train)
        name = card.name if sold_as is None else sold_as
        at = state.depot.index(train)
        following = (_next_copy(train),) if card.unlimited else ()
        state.depot = (*state.depot[:at], *following, *state.depot[at + 1 :])
        return card.events if self.begin(state, name, spared) else ()

    def begin(self, state: GameState, name: str, spared: frozenset[str] = frozenset()) -> bool:
        """Begin the phases that start with a train of this name, and rust for it.

        Returns
        -------
        bool
            A phase has begun, so that the events of the train happen.
        """
        first = False
        place = self.phase_order.index(state.phase)
        for phase in self.phase_order[place + 1 :]:
            if name in self.phases[phase]["starts_with_first"]:
                state.phase = phase
                first = True
        if first:
            self.rust(state, name, spared)
        return first

    def rusting(self, state: GameState, train: str) -> str | None:
        """Return the train whose first sale removes this one, or None."""
        return self.card(train).rusts_on

    def rust(self, state: GameState, name: str, spared: frozenset[str]) -> None:
        """Remove the trains that rust on the first sale of one of this name (FMT §E8.2)."""
        owned = [train for company in state.companies.values() for train in company.trains]
        gone = frozenset(
            train
            for train in (*state.depot, *owned)
            if self.rusting(state, train) == name and train not in spared
        )
        if gone:
            state.depot = tuple(train for train in state.depot if train not in gone)
            for company in state.companies.values():
                company.trains = tuple(train for train in company.trains if train not in gone)


def _endless(count: Any) -> bool:
    counts = count.values() if isinstance(count, Mapping) else (count,)
    return all(each == "unlimited" for each in counts)


def _next_copy(train: str) -> str:
    name, _, number = train.rpartition("-")
    return f"{name}-{int(number) + 1}"


def owner_of(state: GameState, train: str) -> str | None:
    """Return the company that owns a train, or None."""
    return next((c.sym for c in state.companies.values() if train in c.trains), None)


def change_hands(train: str, seller: Company, buyer: Company) -> None:
    """Give a train of a company to another one."""
    seller.trains = tuple(other for other in seller.trains if other != train)
    buyer.trains += (train,)
