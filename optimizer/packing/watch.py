"""What limits and words must know of a partial route, as bits of its state.

A *watch* follows one of them through the decisions on legs
(:mod:`~optimizer.packing.frontier`): shared track, stops that exclude each other,
stops of which the best pays, limits, marks, bonuses, banned routes. It owns bits of the second
word of a state, as long as it needs them, and may forbid a state or add to its value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import AtMostOne, Budget, EndsSubsidy, VisitBonus
from optimizer.packing.couple import Coupling
from optimizer.packing.network import Flags, Ints, Words

ONE = np.uint64(1)
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
        keep = np.flatnonzero(which & self.fits)
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


class StopPay(Watch):
    """Stops and legs that pay by themselves."""

    def __init__(self, stops: Sequence[int], legs: Sequence[int], order: Sequence[int]) -> None:
        self.stops = stops
        self.legs = [legs[number] for number in order] if legs else []

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """A new stop pays."""
        if self.stops[stop]:
            batch.gain = batch.gain + self.stops[stop] * new

    def take(self, step: int, batch: Batch) -> Batch:
        """A leg pays."""
        if self.legs and self.legs[step]:
            batch.gain = batch.gain + self.legs[step]
        return batch


class SharedTrack(Watch):
    """No item twice on a route; items of one leg alone need not be remembered."""

    def __init__(self, room: Room, order: Sequence[int], items: Mapping[int, int]) -> None:
        self.room = room
        self.used = [items[number] for number in order]
        first: dict[int, int] = {}
        last: dict[int, int] = {}
        for step, mask in enumerate(self.used):
            for item in _places(mask):
                first.setdefault(item, step)
                last[item] = step
        self.last = {item: at for item, at in last.items() if first[item] < at}
        self.place: dict[int, int] = {}
        self.mask = np.uint64(0)

    def enter(self, step: int) -> None:
        """Find the bits of the leg."""
        mask = 0
        for item in _places(self.used[step]):
            if item in self.last:
                if item not in self.place:
                    self.place[item] = self.room.take()
                mask |= 1 << self.place[item]
        self.mask = np.uint64(mask)

    def take(self, step: int, batch: Batch) -> Batch:
        """Use the items of the leg."""
        if self.mask:
            batch.fits = batch.fits & ((batch.b & self.mask) == 0)
            batch.b = batch.b | self.mask
        return batch

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """A finished route needs no track any more."""
        _clear(batch, sum(1 << place for place in self.place.values()))

    def leave(self, step: int, batch: Batch) -> Batch:
        """Forget items that no later leg uses."""
        gone = 0
        for item in _places(self.used[step]):
            if self.last.get(item) == step:
                place = self.place.pop(item)
                gone |= 1 << place
                self.room.give(place)
        if gone:
            batch.b = batch.b & ~np.uint64(gone)
        return batch


class OwnStop(Watch):
    """A route visits one of the company's own stops."""

    def __init__(self, room: Room, own: frozenset[int]) -> None:
        self.own = own
        self.bit = bit(room.take())

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """A finished route without one is none."""
        seen = (batch.b & self.bit) != 0
        for stop in self.own & visited.keys():
            seen |= visited[stop]
        good &= ~batch.closed | seen
        _clear(batch, int(self.bit))

    def forget(self, stop: int, visited: Flags, unfinished: Flags, batch: Batch) -> None:
        """Remember that one was visited."""
        if stop in self.own:
            batch.b = np.where(visited & unfinished, batch.b | self.bit, batch.b)


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
            _clear(batch, int(self.all))

    def leave(self, step: int, batch: Batch) -> Batch:
        """Ask, and forget the number once all stops are decided."""
        if step != self.ends:
            return batch
        batch.fits = batch.fits & self.good(self.number(batch))
        batch.b = batch.b & ~self.all
        self.room.give(self.place, self.most)
        return batch.which(batch.fits)


class OneOfStops(Timed):
    """:class:`AtMostOne`: 0 none of the stops, 1 one, 2 two without excuse, 3 excused."""

    def __init__(
        self, room: Room, group: AtMostOne, first: Mapping[int, int], last: Mapping[int, int]
    ) -> None:
        self.stops = group.stops & first.keys()
        self.unless = group.unless & first.keys()
        super().__init__(room, 3 if self.unless else 1, self.stops | self.unless, first, last)

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """Count the stops of the group."""
        if stop in self.unless:
            self.put(batch, np.where(new, 3, self.number(batch)))
        elif stop in self.stops:
            number = self.number(batch)
            if self.unless:
                self.put(batch, np.where(new & (number < 2), number + 1, number))
            else:
                batch.fits = batch.fits & ~(new & (number > 0))
                self.put(batch, np.where(new, 1, number))

    def good(self, number: Ints) -> Flags:
        """Two stops need an excuse."""
        allowed: Flags = number != 2
        return allowed


class BestOfStops(Timed):
    """Of some stops only the best one pays; the number is the rank of the best so far."""

    def __init__(
        self,
        room: Room,
        stops: frozenset[int],
        pay: Sequence[int],
        first: Mapping[int, int],
        last: Mapping[int, int],
    ) -> None:
        ranked = sorted(stops, key=lambda stop: (pay[stop], stop))
        super().__init__(room, len(ranked), stops, first, last)
        self.rank = {stop: n for n, stop in enumerate(ranked, start=1)}
        self.amount = np.array([0, *(max(0, pay[stop]) for stop in ranked)], dtype=np.int64)

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """Pay what is more than before."""
        if stop in self.rank:
            number = self.number(batch)
            rank = self.rank[stop]
            more = self.amount[rank] - self.amount[np.minimum(number, rank)]
            batch.gain = batch.gain + more * new
            self.put(batch, np.where(new, np.maximum(number, rank), number))


class Limit(Watch):
    """A budget that only few stops or legs cost anything of."""

    def __init__(self, room: Room, budget: Budget, order: Sequence[int]) -> None:
        self.most = budget.limit
        self.stops = budget.stops
        self.legs = [budget.legs[number] for number in order] if budget.legs else []
        self.place = np.uint64(room.field(self.most))
        self.all = np.uint64((1 << self.most.bit_length()) - 1) << self.place

    def _spend(self, batch: Batch, cost: Ints) -> None:
        number = ((batch.b & self.all) >> self.place).astype(np.int64) + cost
        batch.fits = batch.fits & (number <= self.most)
        number = np.minimum(number, self.most)
        batch.b = (batch.b & ~self.all) | (number.astype(np.uint64) << self.place)

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """A stop costs."""
        if self.stops and self.stops[stop]:
            self._spend(batch, self.stops[stop] * new.astype(np.int64))

    def take(self, step: int, batch: Batch) -> Batch:
        """A leg costs."""
        if self.legs and self.legs[step]:
            self._spend(batch, np.full(len(batch.a), self.legs[step]))
        return batch

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """A finished route has kept to it."""
        _clear(batch, int(self.all))


class MarkWatch(Watch):
    """Marks of the legs, of which some exclude each other (:class:`OneOf`)."""

    def __init__(self, room: Room, coupling: Coupling, by_step: Sequence[int]) -> None:
        self.by_step = by_step
        self.exclusive = coupling.exclusive
        self.place = {mark: room.take() for mark in _all_places(by_step)}

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
        return np.uint64(sum(1 << self.place[m] for m in _places(marks) if m in self.place))

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
            _clear(batch, size << self.rest)

    def read(self, batch: Batch, running: Flags, gains: Ints, claims: Flags, marks: Ints) -> None:
        """Say which routes have claimed a place."""
        if self.claim is not None:
            claims[self.row] = (batch.b & self.claim) != 0


class BanWatch(Watch):
    """Routes that may not run: for each a bit, set as long as a route is the same."""

    def __init__(self, room: Room, order: Sequence[int], banned: Sequence[frozenset[int]]) -> None:
        place = {number: step for step, number in enumerate(order)}
        self.bans = [
            (bit(room.take()), frozenset(place[leg] for leg in legs))
            for legs in banned
            if legs and legs <= place.keys()
        ]

    def begin(self, batch: Batch) -> Batch:
        """Nothing is decided: all are the same."""
        for mine, _ in self.bans:
            batch.b = batch.b | mine
        return batch

    def skip(self, step: int, batch: Batch) -> Batch:
        """A route without one of its legs is another one."""
        self._differ(batch, [mine for mine, steps in self.bans if step in steps])
        return batch

    def take(self, step: int, batch: Batch) -> Batch:
        """A route with another leg is another one."""
        self._differ(batch, [mine for mine, steps in self.bans if step not in steps])
        return batch

    def _differ(self, batch: Batch, bits: Sequence[np.uint64]) -> None:
        for mine in bits:
            batch.b = batch.b & ~mine

    def finish(self, step: int, visited: Mapping[int, Flags], batch: Batch, good: Flags) -> None:
        """A finished route that is the same is forbidden."""
        for mine, steps in self.bans:
            if max(steps) <= step:
                good &= ~batch.closed | ((batch.b & mine) == 0)
            _clear(batch, int(mine))


def make_watches(
    room: Room,
    problem: RoutingProblem,
    number: int,
    coupling: Coupling,
    order: Sequence[int],
    items: Mapping[int, int],
    banned: Sequence[frozenset[int]],
    plenty: Sequence[bool],
    first: Mapping[int, int],
    last: Mapping[int, int],
) -> list[Watch]:
    """Return all that must be watched of the routes of a class.

    Parameters
    ----------
    first, last
        The first and the last step at which a stop has a leg.
    """
    cls = problem.classes[number]
    weight = coupling.weights.revenue
    once = [group & first.keys() for group in cls.pay.once]
    once = [group for group in once if len(group) > 1]
    shared = frozenset(stop for group in once for stop in group)
    stop_pay = [0 if s in shared else p * weight for s, p in enumerate(cls.pay.stops)]
    for stop, brings in enumerate(cls.pay.subsidy):
        stop_pay[stop] += brings * coupling.weights.subsidy
    watches: list[Watch] = [
        StopPay(stop_pay, [p * weight for p in cls.pay.legs], order),
        OwnStop(room, cls.reach.own & first.keys()),
    ]
    watches += _of_words(problem, number, coupling, order, plenty, first, room)
    if banned:
        watches.append(BanWatch(room, order, banned))
    watches += [Limit(room, b, order) for b in cls.reach.budgets]
    for group in cls.reach.groups:
        if len(group.stops & first.keys()) > 1:
            watches.append(OneOfStops(room, group, first, last))
    weighted = [p * weight for p in cls.pay.stops]
    watches += [BestOfStops(room, group, weighted, first, last) for group in once]
    watches.append(SharedTrack(room, order, items))
    return watches


def _of_words(
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


def _clear(batch: Batch, mask: int) -> None:
    """Clear bits of finished routes."""
    if mask:
        batch.b = np.where(batch.closed, batch.b & ~np.uint64(mask), batch.b)


def _places(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def _all_places(masks: Sequence[int]) -> list[int]:
    every = 0
    for mask in masks:
        every |= mask
    return _places(every)
