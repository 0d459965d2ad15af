"""What limits and words must know of a partial route, as bits of its state.

A *watch* follows one of them through the decisions on legs
(:mod:`~optimizer.packing.frontier`). It owns bits of the second word of a state, as long as it
needs them, and may forbid a state or add to its value. Those of the route itself are in
:mod:`~optimizer.packing.route_watches`, those of words in :mod:`~optimizer.packing.word_watches`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from optimizer.packing.network import Flags, Ints, Words

WIDTH = 64


class TooWideError(Exception):
    """A class has more to remember than a state holds."""


def bit(place: int) -> np.uint64:
    """Return a word with one bit set."""
    return np.uint64(1 << place)


@dataclass
class Batch:
    """States, and how each came about in the step at work.

    Attributes
    ----------
    a, b
        The two words.
    gain
        What the step has added to the weighted value.
    origin
        The state before the step.
    took
        The leg is taken.
    closed
        Both ends of the piece just changed are ends of the route.
    fits
        Nothing forbids the state so far.
    """

    a: Words
    b: Words
    gain: Ints
    origin: Ints
    took: Flags
    closed: Flags
    fits: Flags

    @classmethod
    def start(cls) -> Batch:
        """Return the state in which nothing is decided."""
        return cls.of(np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=np.uint64))

    @classmethod
    def of(cls, a: Words, b: Words) -> Batch:
        """Return states at the beginning of a step."""
        count = len(a)
        none = np.zeros(count, dtype=np.bool_)
        return cls(a, b, np.zeros(count, np.int64), np.arange(count), none, none.copy(), ~none)

    def fresh(self, which: Ints) -> Batch:
        """Return some of the states as those before the next step."""
        return Batch.of(self.a[which], self.b[which])

    def which(self, which: Flags) -> Batch:
        """Return the states that hold, without those that are forbidden."""
        fits = which & self.fits
        if fits.all():
            return copy(self)
        keep = np.flatnonzero(fits)
        return Batch(
            self.a[keep],
            self.b[keep],
            self.gain[keep],
            self.origin[keep],
            self.took[keep],
            self.closed[keep],
            self.fits[keep],
        )

    @classmethod
    def joined(cls, one: Batch, two: Batch) -> Batch:
        """Return the states of both."""
        return cls(*(np.concatenate([getattr(one, n), getattr(two, n)]) for n in FIELDS))


FIELDS = tuple(Batch.__dataclass_fields__)


class Room:
    """Bits of the second word that are not in use."""

    def __init__(self) -> None:
        self.free = list(range(WIDTH - 1, -1, -1))

    def take(self) -> int:
        """Return the place of a bit."""
        if not self.free:
            raise TooWideError("too much must be remembered of a route")
        return self.free.pop()

    def field(self, most: int) -> int:
        """Return the lowest place of neighbouring bits that hold numbers up to `most`."""
        size = most.bit_length()
        for low in range(WIDTH - size + 1):
            if all(low + n in self.free for n in range(size)):
                for n in range(size):
                    self.free.remove(low + n)
                return low
        raise TooWideError("too much must be remembered of a route")

    def give(self, place: int, most: int = 1) -> None:
        """Take bits back."""
        self.free += [place + n for n in range(most.bit_length())]
        self.free.sort(reverse=True)


class Watch:
    """Watches nothing; what others are made of."""

    def begin(self, batch: Batch) -> Batch:
        """Return the states before the first step."""
        return batch

    def enter(self, step: int) -> None:
        """Prepare for a step."""

    def skip(self, step: int, batch: Batch) -> Batch:
        """Look at states that do without the leg of a step."""
        return batch

    def take(self, step: int, batch: Batch) -> Batch:
        """Look at states that take the leg of a step."""
        return batch

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """Look at states that take a leg at a stop; where `new`, it was not visited before."""

    def end(self, stop: int, which: Flags, batch: Batch) -> None:
        """Look at states of which some have an end of the route at a stop."""

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """Look at states of which some (`batch.closed`) are finished routes; correct `good`."""

    def forget(self, stop: int, visited: Flags, unfinished: Flags, batch: Batch) -> None:
        """Look at states once a stop has no undecided leg."""

    def leave(self, step: int, batch: Batch) -> Batch:
        """Clean up after a step."""
        return batch

    def read(self, batch: Batch, running: Flags, gains: Ints, claims: Flags, marks: Ints) -> None:
        """Put what finished routes get of words into tables by word and state."""


class Timed(Watch):
    """A watch that needs a number while some of its stops are undecided."""

    def __init__(
        self,
        room: Room,
        most: int,
        stops: frozenset[int],
        first: Mapping[int, int],
        last: Mapping[int, int],
    ) -> None:
        self.room = room
        self.most = most
        self.begins = min(first[stop] for stop in stops)
        self.ends = max(last[stop] for stop in stops)
        self.place = 0
        self.all = np.uint64(0)

    def enter(self, step: int) -> None:
        """Take bits before the first of the stops is seen."""
        if step == self.begins:
            self.place = self.room.field(self.most)
            self.all = np.uint64(((1 << self.most.bit_length()) - 1) << self.place)

    def number(self, batch: Batch) -> Ints:
        """Return the number of each state."""
        return ((batch.b & self.all) >> np.uint64(self.place)).astype(np.int64)

    def put(self, batch: Batch, number: Ints) -> None:
        """Set the number of each state."""
        batch.b = (batch.b & ~self.all) | (number.astype(np.uint64) << np.uint64(self.place))

    def good(self, number: Ints) -> Flags:
        """Tell with which numbers a route may be finished."""
        return np.ones(len(number), dtype=np.bool_)

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """Ask whether the route may be finished so."""
        if self.begins <= step <= self.ends:
            good &= ~batch.closed | self.good(self.number(batch))
            clear(batch, int(self.all))

    def leave(self, step: int, batch: Batch) -> Batch:
        """Ask, and forget the number once all stops are decided."""
        if step != self.ends:
            return batch
        batch.fits = batch.fits & self.good(self.number(batch))
        batch.b = batch.b & ~self.all
        self.room.give(self.place, self.most)
        return batch.which(batch.fits)


def clear(batch: Batch, mask: int) -> None:
    """Clear bits of the routes that the step at work finishes."""
    if mask:
        batch.b = np.where(batch.closed, batch.b & ~np.uint64(mask), batch.b)


def places(mask: int) -> list[int]:
    """Return the places of the bits that are set, the lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def all_places(masks: Sequence[int]) -> list[int]:
    """Return the places of the bits that are set in any mask."""
    every = 0
    for mask in masks:
        every |= mask
    return places(every)
