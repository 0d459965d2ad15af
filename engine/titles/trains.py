"""Kinds of trains, as loaded from ``trains.json`` (facts §5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

UNLIMITED = 10**6
"""Stands for the word ``unlimited`` of the data files."""

NO_LIMIT = 99
"""From this number on positions mean no limit."""


@dataclass(frozen=True, slots=True)
class Slot:
    """At most `visit` stops of these `kinds`, of which at most `pay` pay, `multiplier`
    times where it has one of its own."""

    kinds: frozenset[str]
    pay: int
    visit: int
    multiplier: int | None = None


@dataclass(frozen=True, slots=True)
class TrainKind:
    """What is printed on a side of a train card, as far as running goes.

    Parameters
    ----------
    name
        Printed name, without warranty stars: ``2/3L``, ``5P``, ``4X``.
    card
        Name of the card, which is the base of the train's id in game records.
    measure
        ``stops``, ``slots``, ``hexes``, ``unlimited`` or ``none`` (facts §5).
    reach
        The number of stops or hexes for the first and third measure.
    slots
        For the measure ``slots``.
    kind
        1862: ``freight``, ``local`` or ``express``; otherwise empty.
    multiplier
        Factor on the revenue of its stops.
    per_hex_bonus
        £ per hex as the crow flies between the ends (18GB).
    carriage
        It does not run but is added to a train (1822 P+).
    order
        Place in the roster; later trains come later in the game.
    rusts_on
        Train whose first purchase removes it; empty for never.
    track
        Gauge that the train is bound to: ``broad`` or ``narrow``.
    local
        It may stand in one city.
    needs_token
        Its route needs an own token.
    touched
        Its hexes are those touched, one more than the sides crossed.
    """

    name: str
    card: str
    measure: str
    reach: int
    slots: tuple[Slot, ...]
    kind: str
    multiplier: int
    per_hex_bonus: int
    carriage: bool
    order: int
    rusts_on: str = ""
    track: str = "broad"
    local: bool = False
    needs_token: bool = True
    touched: bool = False


def _number(value: object) -> int:
    return UNLIMITED if value == "unlimited" else int(str(value))


def _kind(raw: Mapping[str, Any], base: Mapping[str, Any], order: int) -> TrainKind:
    distance: Mapping[str, Any] = raw.get("distance") or base["distance"]
    measure = distance["measure"]
    return TrainKind(
        name=raw["name"].rstrip("*"),
        card=base["name"],
        measure=measure,
        reach=int(distance[measure]) if measure in ("stops", "hexes") else UNLIMITED,
        slots=tuple(_slot(slot) for slot in distance.get("slots", ())),
        kind=raw.get("kind", ""),
        multiplier=raw.get("multiplier", base["multiplier"]),
        per_hex_bonus=raw.get("per_hex_bonus", base.get("per_hex_bonus", 0)),
        carriage="carriage" in raw,
        order=order,
        rusts_on=raw.get("rusts_on", base.get("rusts_on")) or "",
        track=raw.get("track", base.get("track", "broad")),
        local=raw.get("local", base.get("local", False)),
        needs_token=raw.get("requires_token", base.get("requires_token", True)),
        touched=distance.get("counts") == "hexes",
    )


def _slot(raw: Mapping[str, Any]) -> Slot:
    pay, visit = _number(raw["pay"]), _number(raw["visit"])
    return Slot(frozenset(raw["kinds"]), pay, visit, raw.get("multiplier"))


def _faces(card: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if "distance" in card:
        yield card
    yield from card.get("variants", ())


def kind_from(name: str, raw: Mapping[str, Any]) -> TrainKind:
    """Return the kind of a train that a position describes itself.

    Parameters
    ----------
    raw
        Its ``distance``: a number of stops (99 or more for no limit) or of hexes, or
        slots with the kinds under ``nodes``; ``measure``, ``counts``, ``multiplier``,
        ``track``, ``local``, ``requires_token``.
    """
    distance = raw["distance"]
    slots: tuple[Slot, ...] = ()
    measure, reach = "slots", UNLIMITED
    if isinstance(distance, int):
        reach = distance if distance < NO_LIMIT else UNLIMITED
        measure = raw.get("measure", "stops" if reach < UNLIMITED else "unlimited")
    else:
        slots = tuple(
            Slot(
                frozenset(slot["nodes"]),
                _limit(slot["pay"]),
                _limit(slot.get("visit", slot["pay"])),
                slot.get("multiplier"),
            )
            for slot in distance
        )
    return TrainKind(
        name=name,
        card=name,
        measure=measure,
        reach=reach,
        slots=slots,
        kind="",
        multiplier=raw.get("multiplier", 1),
        per_hex_bonus=0,
        carriage=False,
        order=0,
        track=raw.get("track", "broad"),
        local=raw.get("local", False),
        needs_token=raw.get("requires_token", True),
        touched=raw.get("counts") == "hexes",
    )


def kind_object(kind: TrainKind) -> dict[str, Any]:
    """Return what a position says of a train of this kind; :func:`kind_from` reads it back."""
    raw: dict[str, Any] = {"multiplier": kind.multiplier}
    if kind.slots:
        raw["distance"] = [
            {"nodes": sorted(s.kinds), "pay": _said(s.pay), "visit": _said(s.visit)}
            | ({} if s.multiplier is None else {"multiplier": s.multiplier})
            for s in kind.slots
        ]
    else:
        raw["distance"] = _said(kind.reach)
        if kind.measure == "hexes":
            raw |= {"measure": "hexes", "counts": "hexes" if kind.touched else "steps"}
    if kind.track != "broad":
        raw["track"] = kind.track
    if kind.local:
        raw["local"] = True
    return raw if kind.needs_token else {**raw, "requires_token": False}


def _said(number: int) -> int:
    return NO_LIMIT if number >= UNLIMITED else number


def _limit(number: int) -> int:
    return number if number < NO_LIMIT else UNLIMITED


def same_reach(one: TrainKind, other: TrainKind) -> bool:
    """Tell whether two kinds may run the same routes for the same pay."""
    return replace(one, name="", card="", kind="", order=0, rusts_on="") == replace(
        other, name="", card="", kind="", order=0, rusts_on=""
    )


def train_kinds(data: Mapping[str, Any]) -> dict[str, TrainKind]:
    """Return every kind of train by printed name, from a ``trains.json``."""
    kinds: dict[str, TrainKind] = {}
    for order, card in enumerate(data["trains"]):
        for side in _faces(card):
            kind = _kind(side, card, order)
            kinds[kind.name] = kind
    return kinds
