"""Watches of what a route may be and pays by itself.

Shared track, own stops, stops that exclude each other, stops of which the best pays, limits
that few stops or legs cost anything of, banned routes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.routing.problem import RoutingProblem
from engine.routing.vocabulary import AtMostOne, Budget
from optimizer.packing.couple import Coupling
from optimizer.packing.network import Flags, Ints
from optimizer.packing.watch import Batch, Room, Timed, Watch, bit, clear, places
from optimizer.packing.word_watches import word_watches


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
            for item in places(mask):
                first.setdefault(item, step)
                last[item] = step
        self.last = {item: at for item, at in last.items() if first[item] < at}
        self.place: dict[int, int] = {}
        self.mask = np.uint64(0)

    def enter(self, step: int) -> None:
        """Find the bits of the leg."""
        mask = 0
        for item in places(self.used[step]):
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
        clear(batch, sum(1 << place for place in self.place.values()))

    def leave(self, step: int, batch: Batch) -> Batch:
        """Forget items that no later leg uses."""
        gone = 0
        for item in places(self.used[step]):
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
        clear(batch, int(self.bit))

    def forget(self, stop: int, visited: Flags, unfinished: Flags, batch: Batch) -> None:
        """Remember that one was visited."""
        if stop in self.own:
            batch.b = np.where(visited & unfinished, batch.b | self.bit, batch.b)


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
        clear(batch, int(self.all))


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
            clear(batch, int(mine))


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
    watches += word_watches(problem, number, coupling, order, plenty, first, room)
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
