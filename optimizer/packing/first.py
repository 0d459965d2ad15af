"""A good first run: trains in every order, each on what is left, then one at a time anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, permutations

import numpy as np

from optimizer.distinct import distinct
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.network import Flags, Ints, Words
from optimizer.stop import Stop
from optimizer.task import IMPOSSIBLE

MOST_ORDERS = 24
MANY = 4000
"""Routes that are too many to be sorted each time."""
TRIED = 24
"""Routes whose exact value is looked at when one is chosen, if groups matter."""

Chosen = dict[int, tuple[int, int]]
"""By slot (a single train): pool and route."""


def slots_of(pools: Sequence[Pool]) -> list[int]:
    """Return the pool of each slot: a pool has as many slots as trains."""
    return [number for number, pool in enumerate(pools) for _ in range(pool.count)]


def free(pool: Pool, used: Words) -> Flags:
    """Tell which routes of a pool use none of the track `used`."""
    fits = np.ones(len(pool), dtype=np.bool_)
    for word, taken in enumerate(used):
        if taken:
            fits &= (pool.track[word] & taken) == 0
    return fits


class Builder:
    """Builds runs from pools.

    Parameters
    ----------
    pools
        Routes by class.
    fixed
        Routes (pool, route) that every run holds, besides those of the slots.
    """

    def __init__(
        self,
        pools: Sequence[Pool],
        coupling: Coupling,
        fixed: Sequence[tuple[Pool, int]],
        words: int,
    ) -> None:
        self.pools = pools
        self.coupling = coupling
        self.fixed = list(fixed)
        self.words = words
        self.slots = slots_of(pools)
        self.best: Chosen = {}
        self.value = self.worth({})

    def worth(self, chosen: Chosen) -> int:
        """Return the value of a run; IMPOSSIBLE if it lacks a route that some must be."""
        run = [*self.fixed, *((self.pools[p], n) for p, n in chosen.values())]
        if self.coupling.required and run:
            marks = 0
            for pool, route in run:
                marks |= int(pool.marks[route])
            if not self.coupling.complete(marks):
                return IMPOSSIBLE
        return self.coupling.value(run)

    def build(self, stop: Stop) -> None:
        """Try orders of trains and improve what they give; keep the best."""
        for order in self._orders():
            chosen: Chosen = {}
            for place, slot in enumerate(order):
                self._choose(chosen, slot, self.coupling.required if not place else 0)
            self.improve(chosen)
            if stop.over():
                return

    def around(self, most: int, stop: Stop) -> None:
        """Build a run around each of the first `most` routes of each pool; keep the best."""
        for slot, number in enumerate(self.slots):
            if slot and self.slots[slot - 1] == number:
                continue
            for route in range(min(most, len(self.pools[number]))):
                if stop.over():
                    return
                chosen: Chosen = {slot: (number, route)}
                for other in range(len(self.slots)):
                    if other != slot:
                        self._choose(chosen, other)
                value = self.worth(chosen)
                if value > self.value:
                    self.value, self.best = value, chosen

    def _orders(self) -> Iterator[tuple[int, ...]]:
        seen: set[tuple[int, ...]] = set()
        for order in islice(permutations(range(len(self.slots))), 720):
            kinds = tuple(self.slots[slot] for slot in order)
            if kinds not in seen:
                seen.add(kinds)
                yield order
            if len(seen) >= MOST_ORDERS:
                return

    def improve(self, chosen: Chosen) -> None:
        """Choose each train's route anew until nothing gets better; keep the result."""
        value = self.worth(chosen)
        better = True
        while better:
            better = False
            for slot in range(len(self.slots)):
                trial = {s: route for s, route in chosen.items() if s != slot}
                self._choose(trial, slot)
                worth = self.worth(trial)
                if worth > value:
                    chosen, value, better = trial, worth, True
        if value > self.value:
            self.value, self.best = value, dict(chosen)

    def _choose(self, chosen: Chosen, slot: int, required: int = 0) -> None:
        """Give the slot the route that adds most, if any adds something.

        Where routes with the required marks fit one of these is taken in any case.
        """
        number = self.slots[slot]
        pool = self.pools[number]
        if not len(pool):
            return
        others = [*self.fixed, *((self.pools[p], n) for p, n in chosen.values())]
        used = np.zeros(self.words, dtype=np.uint64)
        marks = 0
        for other, route in others:
            used |= other.track[:, route]
            marks |= int(other.marks[route])
        fits = free(pool, used)
        if marks:
            fits &= self._marks_fit(pool, marks)
        where = np.flatnonzero(fits)
        if not len(where):
            return
        marked = where[(pool.marks[where] & required) == required] if required else where
        forced = bool(required) and len(marked) > 0
        where = marked if forced else where
        gain = self._gain(pool, where, others)
        if self.coupling.groups is None or forced:
            best = int(np.argmax(gain))
            if gain[best] > 0 or forced:
                chosen[slot] = (number, int(where[best]))
            return
        self._choose_exactly(chosen, slot, where, gain)

    def _choose_exactly(self, chosen: Chosen, slot: int, where: Ints, gain: Ints) -> None:
        number = self.slots[slot]
        hope = gain + self._hope(self.pools[number], where)
        if len(hope) > MANY:
            # the same order as of all, but for which of equal ones are looked at
            some = np.sort(np.argpartition(-hope, TRIED)[:TRIED])
            order = some[np.argsort(-hope[some], kind="stable")]
        else:
            order = np.argsort(-hope, kind="stable")[:TRIED]
        before = value = self.worth(chosen)
        pick = -1
        for place in order.tolist():
            if before + int(hope[place]) <= value:
                break
            trial = {**chosen, slot: (number, int(where[place]))}
            worth = self.worth(trial)
            if worth > value:
                value, pick = worth, int(where[place])
        if pick >= 0:
            chosen[slot] = (number, pick)

    def _gain(self, pool: Pool, where: Ints, others: Sequence[tuple[Pool, int]]) -> Ints:
        """Return what routes add to a run, bonuses with other routes left out."""
        gain: Ints = pool.base[where] + pool.own[where]
        for row, count in enumerate(self.coupling.counts):
            taken = sorted((int(p.gains[row, n]) for p, n in others), reverse=True)
            least = taken[count - 1] if len(taken) >= count else 0
            gain = gain + np.maximum(0, pool.gains[row, where] - least)
        return gain

    def _hope(self, pool: Pool, where: Ints) -> Ints:
        """Return the most that routes can add in bonuses with other routes."""
        hope = np.zeros(len(where), dtype=np.int64)
        groups = self.coupling.groups
        for one, two, amount in groups.pairs if groups else ():
            half = ((pool.letters[where] & one) != 0) ^ ((pool.letters[where] & two) != 0)
            hope += amount * half
            hope += amount * (pool.letters[where] == 0)
        return hope

    def _marks_fit(self, pool: Pool, marks: int) -> Flags:
        fits = np.ones(len(pool), dtype=np.bool_)
        for value in distinct(pool.marks).tolist():
            if not self.coupling.allowed(marks | value):
                fits &= pool.marks != value
        return fits
