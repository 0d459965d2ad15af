"""Trains of 1822: cards with two sides, trains from privates, the discard pile (§1.6, §2, §13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.games.g1822.play.state import State1822
from engine.play.depot import Roster, train_ids
from engine.play.state import GameState


@dataclass(frozen=True)
class Side:
    """A side of a train card.

    Parameters
    ----------
    name, price
        As printed, £.
    rusts_on
        Train whose first sale removes it, or None.
    upgrade_costs
        £ to turn the card to this side, by phase.
    only_one
        A company may own one.
    """

    name: str
    price: int
    rusts_on: str | None
    upgrade_costs: Mapping[str, int]
    only_one: bool


@dataclass(frozen=True)
class Grant:
    """What is special about a train that a private brings (§2.7).

    Parameters
    ----------
    train
        Its id.
    ordinary
        It counts towards the limit and the duty, and may be sold.
    carriage
        It is a P+.
    """

    train: str
    ordinary: bool
    carriage: bool


class Roster1822(Roster):
    """The trains of the game and the phases that they bring."""

    def __init__(
        self, trains: Sequence[Mapping[str, Any]], phases: Mapping[str, Mapping[str, Any]]
    ) -> None:
        super().__init__(trains, phases)
        self.sides: Mapping[str, tuple[Side, ...]] = {
            raw["name"]: (_side(raw), *map(_side, raw["variants"])) for raw in trains
        }
        self.grants: dict[str, Grant] = {}
        counts: dict[str, int | None] = {}
        for raw in trains:
            granted, name = raw.get("granted_by"), raw["name"]
            if granted is None:
                counts[name] = None if raw["count"] == "unlimited" else raw["count"]
                continue
            for number, sym in enumerate(granted["certificates"]):
                ordinary = bool(granted["counts_toward_limit"])
                self.grants[sym] = Grant(f"{name}-{number}", ordinary, "carriage" in raw)
        self.depot = train_ids(counts)
        self._extra = {g.train: g for g in self.grants.values() if not g.ordinary}

    def side(self, state: State1822, train: str) -> Side:
        """Return the side that a train shows."""
        sides = self.sides[train.rpartition("-")[0]]
        shown = state.turned.get(train)
        return sides[0] if shown is None else next(s for s in sides if s.name == shown)

    def side_named(self, train: str, name: str) -> Side | None:
        """Return a side of a train's card by its name."""
        sides = self.sides.get(train.rpartition("-")[0], ())
        return next((side for side in sides if side.name == name), None)

    def sold_as(self, train: str, name: str) -> str:
        """Return the name under which phases know a train that is sold (§2.2)."""
        named = {each for phase in self.phases.values() for each in phase["starts_with_first"]}
        return name if name in named else self.card(train).name

    def rusting(self, state: GameState, train: str) -> str | None:
        """Return the train whose first sale removes this one; it depends on the side (§2.4)."""
        if not isinstance(state, State1822):
            raise TypeError(f"{type(state).__name__} is no state of 1822")
        return self.side(state, train).rusts_on

    def rust(self, state: GameState, name: str, spared: frozenset[str]) -> None:
        """Remove what rusts, also from the discard pile (§2.6)."""
        super().rust(state, name, spared)
        if isinstance(state, State1822):
            state.discarded = tuple(t for t in state.discarded if self.rusting(state, t) != name)

    def is_extra(self, train: str) -> bool:
        """Tell whether a train is a 2P, LP or P+ (§2.7)."""
        return train in self._extra

    def is_carriage(self, train: str) -> bool:
        """Tell whether it is a P+ (§11.12)."""
        return train in self._extra and self._extra[train].carriage

    def ordinary(self, trains: Sequence[str]) -> tuple[str, ...]:
        """Return those that count towards the limit and the duty to own one (§2.7)."""
        return tuple(train for train in trains if not self.is_extra(train))


def _side(raw: Mapping[str, Any]) -> Side:
    costs = raw.get("upgrade_from", {}).get("costs", ())
    return Side(
        name=raw["name"],
        price=raw["price"],
        rusts_on=raw["rusts_on"],
        upgrade_costs={phase: each["cost"] for each in costs for phase in each["phases"]},
        only_one=raw.get("max_per_company") == 1,
    )
