"""The part of a network that a family of classes can reach, as arrays and bits.

A *family* is a set of classes that differ only in the limits of their
budgets: their routes are enumerated together. Every family of one track class
uses the same bits for track, so that routes of different families can be
compared. Bits of a state are laid out in 64-bit words: first the track, then
the stops, then the groups of stops that exclude each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import AtMostOne, NetLeg, Reach, TrainClass

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Small = npt.NDArray[np.int16]
"""Stops, legs, arcs and budget costs: states are many, so they are kept small."""
Amounts = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


def reachable(legs: Sequence[NetLeg], reach: Reach) -> list[int]:
    """Return the legs that some route within `reach` may use, ascending."""
    allowed = range(len(legs)) if reach.legs is None else sorted(reach.legs)
    at: dict[int, list[int]] = {}
    for number in allowed:
        leg = legs[number]
        if leg.a in reach.visits and leg.b in reach.visits:
            at.setdefault(leg.a, []).append(number)
            at.setdefault(leg.b, []).append(number)
    seen = set(reach.own & reach.visits)
    waiting = list(seen)
    found: set[int] = set()
    while waiting:
        stop = waiting.pop()
        if stop not in reach.own and stop not in reach.through:
            continue
        for number in at.get(stop, ()):
            found.add(number)
            leg = legs[number]
            other = leg.b if leg.a == stop else leg.a
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return sorted(found)


@dataclass(frozen=True)
class TrackBits:
    """Which bits the legs and claims of one track class take.

    Legs that share an item share a bit. Items used by the same legs, or by
    some of the legs of another item, need no bit of their own.
    """

    legs: Mapping[int, int]
    claims: Mapping[Hashable, int]
    count: int


def track_bits(
    legs: Sequence[NetLeg], used: Iterable[int], claims: Iterable[Hashable]
) -> TrackBits:
    """Give bits to the track of `used` legs and to claims."""
    users: dict[Hashable, int] = {}
    order = sorted(used)
    for place, number in enumerate(order):
        for item in legs[number].items:
            users[item] = users.get(item, 0) | 1 << place
    cliques: list[int] = []
    for users_of in sorted(set(users.values()), key=lambda bits: (-bits.bit_count(), bits)):
        if not any(users_of & clique == users_of for clique in cliques):
            cliques.append(users_of)
    masks = [0] * len(order)
    for bit, clique in enumerate(cliques):
        while clique:
            low = clique & -clique
            masks[low.bit_length() - 1] |= 1 << bit
            clique ^= low
    count = len(cliques)
    taken: dict[Hashable, int] = {}
    for claim in claims:
        if claim not in taken:
            taken[claim] = 1 << count
            count += 1
    return TrackBits({n: masks[place] for place, n in enumerate(order)}, taken, count)


def family_key(cls: TrainClass) -> Hashable:
    """Return what classes of one family have in common."""
    reach = replace(cls.reach, budgets=())
    costs = tuple(replace(budget, limit=0) for budget in cls.reach.budgets)
    return (reach, costs, cls.pay, cls.track, tuple(sorted(cls.claims.items())))


@dataclass(frozen=True)
class Family:
    """Classes enumerated together, with their part of the network as arrays.

    Attributes
    ----------
    members
        Classes, and for each the limits of its budgets.
    limits
        The largest limit of each budget.
    slack
        How much of each a route may be let off by rebates.
    words, track_words
        Words of a state, and how many of them hold track.
    first_arc, degree, dst, leg, dep_only, arr_only, gain, costs, masks
        Arcs, sorted by source: where those of a stop begin and how many there
        are; for each its target, leg, whether a route must end at the source
        or the target, £ it adds, budget costs (budgets x arcs), and the bits
        it takes (words x arcs).
    stop_bits
        By stop its bits (words x stops), groups included.
    """

    members: tuple[tuple[int, tuple[int, ...]], ...]
    cls: TrainClass
    limits: tuple[int, ...]
    slack: tuple[int, ...]
    words: int
    track_words: int
    first_arc: Ints
    degree: Ints
    dst: Small
    leg: Small
    dep_only: Flags
    arr_only: Flags
    gain: Amounts
    costs: Small
    masks: Words
    stop_bits: Words
    stop_bit_of: Mapping[int, int]
    roots: tuple[int, ...]

    def mask_of(self, stops: Iterable[int]) -> Words:
        """Return the words with the bits of `stops` set, groups left out."""
        bits = 0
        for stop in stops:
            if stop in self.stop_bit_of:
                bits |= 1 << self.stop_bit_of[stop]
        return to_words(bits, self.words)


def to_words(bits: int, words: int) -> Words:
    """Return an integer as `words` 64-bit words, the lowest first."""
    return np.array(
        [(bits >> 64 * number) & 0xFFFFFFFFFFFFFFFF for number in range(words)], dtype=np.uint64
    )


def _columns(bits: Sequence[int], words: int) -> Words:
    table = np.zeros((words, len(bits)), dtype=np.uint64)
    for place, mask in enumerate(bits):
        word = 0
        while mask:
            table[word, place] = mask & 0xFFFFFFFFFFFFFFFF
            mask >>= 64
            word += 1
    return table


def make_family(
    problem: RoutingProblem,
    classes: Sequence[int],
    bits: TrackBits,
    legs: Sequence[int],
    stops: Sequence[int],
) -> Family:
    """Build the arrays of a family.

    Parameters
    ----------
    classes
        Its classes.
    bits
        Bits of the track class; shared by all its families.
    legs
        Legs within reach of the family.
    stops
        Stops that get bits, in order; the same for all families of a problem,
        so that the stops of their routes can be compared.
    """
    cls = problem.classes[classes[0]]
    reach = cls.reach
    track_words = max(1, -(-bits.count // 64))
    base = 64 * track_words
    bit_of = {stop: base + place for place, stop in enumerate(stops)}
    stop_masks = _stop_masks(stops, bit_of, reach.groups, base + len(stops), bits, cls)
    words = max(track_words + 1, -(-max(m.bit_length() for m in (*stop_masks.values(), 1)) // 64))
    arcs = _arcs(problem, legs, bits, stop_masks)
    first = np.zeros(len(problem.stops) + 1, dtype=np.int64)
    for arc in arcs:
        first[arc[0] + 1] += 1
    first = np.cumsum(first)
    pay = cls.pay
    gain = [pay.stops[a[1]] + (pay.legs[a[2]] if pay.legs else 0) for a in arcs]
    costs = [
        [(b.stops[a[1]] if b.stops else 0) + (b.legs[a[2]] if b.legs else 0) for a in arcs]
        for b in reach.budgets
    ]
    members = tuple((c, tuple(b.limit for b in problem.classes[c].reach.budgets)) for c in classes)
    limits = tuple(max(column) for column in zip(*(m[1] for m in members), strict=True))
    return Family(
        members=members,
        cls=cls,
        limits=limits,
        slack=tuple(sum(off for _, off in budget.rebates) for budget in reach.budgets),
        words=words,
        track_words=track_words,
        first_arc=first[:-1],
        degree=np.diff(first),
        dst=np.array([a[1] for a in arcs], dtype=np.int16),
        leg=np.array([a[2] for a in arcs], dtype=np.int16),
        dep_only=np.array([a[3] for a in arcs], dtype=np.bool_),
        arr_only=np.array([a[4] for a in arcs], dtype=np.bool_),
        gain=np.array(gain, dtype=np.int32),
        costs=np.array(costs, dtype=np.int16).reshape(len(reach.budgets), len(arcs)),
        masks=_columns([a[5] for a in arcs], words),
        stop_bits=_columns([stop_masks.get(s, 0) for s in range(len(problem.stops))], words),
        stop_bit_of=bit_of,
        roots=tuple(s for s in stops if s in reach.own and s in reach.visits),
    )


def _stop_masks(
    stops: Sequence[int],
    bit_of: Mapping[int, int],
    groups: Sequence[AtMostOne],
    spare: int,
    bits: TrackBits,
    cls: TrainClass,
) -> dict[int, int]:
    masks = {stop: 1 << bit_of[stop] for stop in stops}
    for group in groups:
        if not group.unless and len(group.stops & masks.keys()) > 1:
            for stop in group.stops & masks.keys():
                masks[stop] |= 1 << spare
            spare += 1
    for stop, claim in cls.claims.items():
        if stop in masks:
            masks[stop] |= bits.claims[claim]
    return masks


def _arcs(
    problem: RoutingProblem, legs: Sequence[int], bits: TrackBits, stop_masks: Mapping[int, int]
) -> list[tuple[int, int, int, bool, bool, int]]:
    arcs = []
    for number in legs:
        leg = problem.legs[number]
        track = bits.legs[number]
        ways = (
            (leg.a, leg.b, leg.end_only_a, leg.end_only_b),
            (leg.b, leg.a, leg.end_only_b, leg.end_only_a),
        )
        for source, target, departing, arriving in ways:
            mask = track | stop_masks[target]
            arcs.append((source, target, number, departing, arriving, mask))
    arcs.sort(key=lambda arc: (arc[0], arc[2]))
    return arcs
