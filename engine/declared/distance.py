"""How far trains run: the referee's side (COMMON §6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.declared import options as o
from engine.declared.ride import Ride
from engine.errors import Fault
from engine.titles.trains import UNLIMITED, Slot, TrainKind
from engine.words import counted

SECTION = "COMMON §6"


def distance_faults(ride: Ride) -> Iterator[Fault]:
    """Yield what is too far for the train of a route."""
    length = ride.reading.one(o.Length, ride.train)
    if length is not None and length.trains_with_measure in ("", ride.train.measure):
        yield from _length_faults(ride, length)
    elif ride.reading.one(o.VisitedOnly, ride.train) is not None:
        return
    elif ride.train.slots:
        yield from _slot_faults(ride)
    elif ride.train.measure == "hexes":
        steps = sum(ride.leg_steps) + ride.train.touched
        yield from _over(ride, steps, ride.train.reach, "hexes")
    else:
        cost = sum(stop.visit_cost for stop in ride.stops)
        yield from _over(ride, cost + _borders(ride), ride.train.reach, "stops")


def _over(ride: Ride, used: int, most: int, what: str) -> Iterator[Fault]:
    if used > most:
        message = f"{ride.train.name} runs {most} {what}, not {used}"
        yield Fault("TRAIN_TOO_SHORT", f"{ride.path}.stops", message, f"{SECTION}.1")


def length_of(ride: Ride, length: o.Length) -> int:
    """Return the length of a route in hexes, with the factors of its legs."""
    steps = 0
    for gauges, crossed in zip(ride.leg_gauges, ride.leg_steps, strict=True):
        factor = 1
        for rule in length.leg_factor:
            named = not rule.trains or ride.train.name in rule.trains
            if not named or ride.train.name in rule.trains_not or rule.track not in gauges:
                continue
            if not rule.unless_track or rule.unless_track not in gauges:
                factor = rule.factor
        steps += crossed * factor
    steps -= sum(1 for hex_id in length.minus_one_if_track_in if hex_id in ride.touched)
    return steps + (length.measure == "hexes_touched")


def _length_faults(ride: Ride, length: o.Length) -> Iterator[Fault]:
    reach = ride.train.reach
    if ride.train.measure == "slots":
        reach = UNLIMITED
    yield from _over(ride, length_of(ride, length), reach, "hexes")
    mixed = frozenset(length.leg_not_mixed)
    for number, gauges in enumerate(ride.leg_gauges):
        if mixed and mixed <= gauges:
            message = f"a leg may not hold {' and '.join(sorted(mixed))} track together"
            section = length.when.section
            yield Fault("GAUGES_MIXED", f"{ride.path}.legs[{number}]", message, section)


def _borders(ride: Ride) -> int:
    """Borders that count as stops (1848 §2.1)."""
    option = ride.reading.one(o.BorderCostsStop, ride.train)
    if option is None:
        return 0
    crossed = 0
    for hex_id, side, *_ in ride.traced.all_sides():
        for border in ride.reading.board.atlas.hexes[hex_id].raw.get("borders", ()):
            crossed += border["edge"] == side and border["type"] in option.border_types
    free = 1 if option.free_name_has and option.free_name_has in ride.train.name else 0
    return max(0, crossed // 2 - free)


def _costs(ride: Ride) -> Counter[str]:
    """The visit costs of a route by kind of stop."""
    used: Counter[str] = Counter()
    for stop in ride.stops:
        used[ride.reading.kind(stop)] += stop.visit_cost
    option = ride.reading.one(o.BorderCostsStop, ride.train)
    if option is not None:
        used[option.cost_as] += _borders(ride)
    return used


def _slot_faults(ride: Ride) -> Iterator[Fault]:
    """Fill the slots: kinds in fewest slots first, slots as listed (COMMON §6.2)."""
    slots = ride.train.slots
    left = [slot.visit for slot in slots]
    used = _costs(ride)
    visited = {ride.reading.kind(stop) for stop in ride.stops}
    for kind in sorted(used, key=lambda k: sum(k in slot.kinds for slot in slots)):
        rest = used[kind]
        for number, slot in enumerate(slots):
            if kind in slot.kinds:
                taken = min(rest, left[number])
                left[number] -= taken
                rest -= taken
        closed = all(slot.visit == 0 for slot in slots if kind in slot.kinds)
        if rest or (closed and kind in visited):
            message = f"{ride.train.name} cannot visit {counted(used[kind], kind)} on this route"
            yield Fault("TRAIN_TOO_SHORT", f"{ride.path}.stops", message, f"{SECTION}.2")
    yield from _town_ends(ride)


def _town_ends(ride: Ride) -> Iterator[Fault]:
    """A town at an end takes the place of a city (18CO §2.1)."""
    option = ride.reading.one(o.TownEndCountsAs, ride.train)
    if option is None:
        return
    used = sum(ride.reading.kind(stop) != "town" for stop in ride.stops)
    used += sum(ride.reading.kind(stop) == "town" for stop in ride.ends)
    most = places(ride.train, option.kind)
    if used > most:
        message = f"with the towns at its ends the route takes {used} of {most} places"
        yield Fault("TOWN_AT_END", f"{ride.path}.stops", message, option.when.section)


def places(train: TrainKind, kind: str) -> int:
    """Return how many stops the first slot that names a kind pays."""
    return next((slot.pay for slot in train.slots if kind in slot.kinds), 0)


def by_fewest_kinds(slots: Sequence[Slot]) -> list[Slot]:
    """Return slots with few kinds first, else as listed (COMMON §8.2)."""
    return sorted(slots, key=lambda slot: len(slot.kinds))


def is_local(train: TrainKind) -> bool:
    """Tell whether a train may stand in its city (COMMON §7)."""
    if train.local:
        return True
    if not train.slots:
        return train.measure == "stops" and train.reach == 1
    first = next((slot for slot in train.slots if "city" in slot.kinds), None)
    return first is not None and first.visit == 1
