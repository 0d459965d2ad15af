"""Trains in the bank: what is on sale, and what follows when one leaves (FMT §E8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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
    """

    name: str
    price: int
    available_on: str | None
    rusts_on: str | None
    events: tuple[str, ...]


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

    def leave(self, state: GameState, train: str) -> tuple[str, ...]:
        """Take a train out of the bank: new phase, then rusting (FMT §E8.2).

        Returns
        -------
        tuple of str
            The events of the train, to be carried out by the game after that.
        """
        state.depot = tuple(other for other in state.depot if other != train)
        card = self.card(train)
        first = False
        place = self.phase_order.index(state.phase)
        for phase in self.phase_order[place + 1 :]:
            if card.name in self.phases[phase]["starts_with_first"]:
                state.phase = phase
                first = True
        if not first:
            return ()
        self._rust(state, card.name)
        return card.events

    def _rust(self, state: GameState, name: str) -> None:
        owned = [train for company in state.companies.values() for train in company.trains]
        gone = frozenset(
            train for train in (*state.depot, *owned) if self.card(train).rusts_on == name
        )
        if gone:
            state.depot = tuple(train for train in state.depot if train not in gone)
            for company in state.companies.values():
                company.trains = tuple(train for train in company.trains if train not in gone)


def owner_of(state: GameState, train: str) -> str | None:
    """Return the company that owns a train, or None."""
    return next((c.sym for c in state.companies.values() if train in c.trains), None)
