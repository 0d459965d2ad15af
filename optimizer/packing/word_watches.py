"""Watches of the words that couple trains: marks, bonuses, shares of the ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import EndsSubsidy, VisitBonus
from optimizer.packing.couple import Coupling
from optimizer.packing.network import Flags, Ints
from optimizer.packing.watch import Batch, Room, Watch, all_places, bit, clear, places


class MarkWatch(Watch):
    """Marks of the legs, of which some exclude each other (:class:`OneOf`)."""

    def __init__(self, room: Room, coupling: Coupling, by_step: Sequence[int]) -> None:
        self.by_step = by_step
        self.exclusive = coupling.exclusive
        self.place = {mark: room.take() for mark in all_places(by_step)}

    def take(self, step: int, batch: Batch) -> Batch:
        """Note the marks of the leg."""
        mine = self.by_step[step]
        if mine:
            against = 0
            for together in self.exclusive:
                if (mine & together).bit_count() > 1:
                    batch.fits = np.zeros(len(batch.a), dtype=np.bool_)
                if mine & together:
                    against |= together & ~mine
            batch.fits = batch.fits & ((batch.b & self._moved(against)) == 0)
            batch.b = batch.b | self._moved(mine)
        return batch

    def _moved(self, marks: int) -> np.uint64:
        return np.uint64(sum(1 << self.place[m] for m in places(marks) if m in self.place))

    def read(self, batch: Batch, running: Flags, gains: Ints, claims: Flags, marks: Ints) -> None:
        """Give the marks of each route."""
        for mark, place in self.place.items():
            marks |= np.where((batch.b & bit(place)) != 0, 1 << mark, 0)


class BonusWatch(Watch):
    """:class:`VisitBonus`: the bit says that one of the stops is missed."""

    def __init__(
        self, room: Room, row: int, stops: frozenset[int], amount: int, first: Mapping[int, int]
    ) -> None:
        self.row = row
        self.stops = stops
        self.amount = amount
        self.first = first
        self.bit = bit(room.take())

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """What is not visited now is missed."""
        missed = np.zeros(len(batch.a), dtype=np.bool_)
        for stop in self.stops:
            if stop in visited:
                missed |= ~visited[stop]
            elif self.first[stop] > step:
                missed[:] = True
        batch.b = np.where(batch.closed & missed, batch.b | self.bit, batch.b)

    def forget(self, stop: int, visited: Flags, unfinished: Flags, batch: Batch) -> None:
        """A stop without undecided legs that is not visited is missed."""
        if stop in self.stops:
            batch.b = np.where(unfinished & ~visited, batch.b | self.bit, batch.b)

    def read(self, batch: Batch, running: Flags, gains: Ints, claims: Flags, marks: Ints) -> None:
        """Give the bonus to routes that miss nothing."""
        gains[self.row] = np.where(running & ((batch.b & self.bit) == 0), self.amount, 0)


class EndsWatch(Watch):
    """:class:`EndsSubsidy`, put into the value where the route claims a place of the word.

    Where places are scarce there are routes with a claim and without; a claim is a
    bit from the first step on. What the first end leaves over of the divisor
    is remembered for the second.
    """

    def __init__(self, room: Room, row: int, word: EndsSubsidy, weight: int, plenty: bool) -> None:
        self.row = row
        self.word = word
        self.weight = weight
        self.claim = None if plenty else bit(room.take())
        self.rest: int | None = None
        if any(value % word.divisor for value in word.value):
            self.rest = room.field(word.divisor - 1)

    def begin(self, batch: Batch) -> Batch:
        """Begin with and without a claim."""
        if self.claim is None:
            return batch
        return Batch.of(
            np.concatenate([batch.a, batch.a]),
            np.concatenate([batch.b, batch.b | self.claim]),
        )

    def end(self, stop: int, which: Flags, batch: Batch) -> None:
        """An end adds its share."""
        if self.claim is not None:
            which = which & ((batch.b & self.claim) != 0)
        whole, over = divmod(self.word.value[stop], self.word.divisor)
        share = np.full(len(batch.a), whole)
        if self.rest is not None:
            place = np.uint64(self.rest)
            mask = np.uint64((1 << (self.word.divisor - 1).bit_length()) - 1) << place
            both = ((batch.b & mask) >> place).astype(np.int64) + over
            share += both // self.word.divisor
            left = (both % self.word.divisor).astype(np.uint64) << place
            batch.b = np.where(which, (batch.b & ~mask) | left, batch.b)
        batch.gain = batch.gain + np.where(which, share * self.weight, 0)

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """Both ends have paid."""
        if self.rest is not None:
            size = (1 << (self.word.divisor - 1).bit_length()) - 1
            clear(batch, size << self.rest)

    def read(self, batch: Batch, running: Flags, gains: Ints, claims: Flags, marks: Ints) -> None:
        """Say which routes have claimed a place."""
        if self.claim is not None:
            claims[self.row] = (batch.b & self.claim) != 0


def word_watches(
    problem: RoutingProblem,
    number: int,
    coupling: Coupling,
    order: Sequence[int],
    plenty: Sequence[bool],
    first: Mapping[int, int],
    room: Room,
) -> list[Watch]:
    watches: list[Watch] = []
    marks = [
        sum(coupling.mark_bits.get(mark, 0) for mark in problem.legs[leg].marks) for leg in order
    ]
    if any(marks):
        watches.append(MarkWatch(room, coupling, marks))
    rows: list[VisitBonus | EndsSubsidy] = [*coupling.bonuses, *coupling.ends]
    for row, word in enumerate(rows):
        if isinstance(word, VisitBonus):
            amount = word.amount.get(number, 0) * coupling.weights.revenue
            if amount > 0 and word.stops <= first.keys():
                watches.append(BonusWatch(room, row, word.stops, amount, first))
        elif number in word.classes and coupling.weights.subsidy:
            weight = coupling.weights.subsidy
            watches.append(EndsWatch(room, row, word, weight, plenty[row]))
    return watches
