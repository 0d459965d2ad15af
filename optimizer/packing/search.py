"""A search that spends the slack.

At given prices the bound exceeds what is sought by a *slack*. Each route of a
run costs its distance from the best of its class at these prices, and a run
that reaches what is sought costs no more than the slack. Routes are sorted by
distance, so that the search ends where the slack is spent. The last two
trains are closed together, as arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.network import Flags, Ints, Words
from optimizer.packing.prices import Floats, track_cost
from optimizer.stop import Stop

BLOCK = 256
"""Routes of one train that are paired at once with those of another."""
PAIRS = 1 << 20
"""Pairs of routes looked at between two looks at the clock."""


@dataclass
class Slot:
    """One train of the search.

    Attributes
    ----------
    pool, number
        Its routes, the worthiest first, and the place of the pool.
    distance
        What each costs; one more entry than routes: the train stands still.
    track
        Bits of track, with none for standing still.
    rows
        Routes in order of distance; ``len(pool)`` stands for standing still.
    """

    pool: Pool
    number: int
    distance: Floats
    track: Words
    rows: npt.NDArray[np.intp]


def make_slot(pool: Pool, number: int, worth: Floats, best: float) -> Slot:
    """Return a train of the search with its routes in order of distance."""
    distance = np.append(best - worth, best)
    idle = np.zeros((pool.track.shape[0], 1), dtype=np.uint64)
    track = np.concatenate([pool.track, idle], axis=1)
    order = np.argsort(distance, kind="stable")
    return Slot(pool, number, distance[order], track[:, order], order)


Found = Callable[[list[tuple[int, int]], int], None]


class Search:
    """Looks for the best run worth at least a target.

    Parameters
    ----------
    slots
        One per train, trains of one class next to each other.
    bound
        The bound at the prices that gave the distances.
    prices
        Prices of track at which it holds.
    target
        What a run must reach; rises with each run found.
    grain
        Values are multiples of it.
    found
        Told of each better run: (pool, route) pairs and value.
    fixed
        Routes that every run holds.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        coupling: Coupling,
        bound: float,
        prices: Floats,
        target: int,
        grain: int,
        found: Found,
        fixed: Sequence[tuple[Pool, int]],
        stop: Stop,
        most_nodes: int | None = None,
    ) -> None:
        self.slots = list(slots)
        self.coupling = coupling
        self.bound = bound
        self.prices = prices
        self.priced = _priced(prices)
        self.target = target
        self.grain = grain
        self.found = found
        self.fixed = list(fixed)
        self.stop = stop
        self.nodes = 0
        self.most_nodes = most_nodes
        self.cut = False

    @property
    def slack(self) -> float:
        """What a run may cost."""
        return self.bound - self.target

    def run(self) -> bool:
        """Search to the end; False if time or nodes ran out first."""
        rows = [np.arange(len(slot.rows)) for slot in self.slots]
        self._go(0, rows, 0.0, np.zeros_like(self.priced), [])
        return not self.cut

    def _over(self) -> bool:
        if self.most_nodes is not None and self.nodes > self.most_nodes:
            self.cut = True
        if self.stop.over():
            self.cut = True
        return self.cut

    def _go(
        self,
        depth: int,
        rows: list[Ints],
        spent: float,
        settled: Words,
        chosen: list[tuple[int, int]],
    ) -> None:
        """Choose routes for the slots from `depth` on out of what still fits.

        `settled` is the track that is used, or that nobody can use any more
        and whose price is spent.
        """
        self.nodes += 1
        left = len(self.slots) - depth
        if left == 0:
            self._judge(chosen)
        elif left == 1:
            self._close_one(depth, rows[0], spent, chosen)
        elif left == 2:
            self._close_two(depth, rows, spent, chosen)
        else:
            self._branch(depth, rows, spent, settled, chosen)

    def _branch(
        self,
        depth: int,
        rows: list[Ints],
        spent: float,
        settled: Words,
        chosen: list[tuple[int, int]],
    ) -> None:
        slot = self.slots[depth]
        least = [
            float(self.slots[depth + 1 + n].distance[r[0]]) if len(r) else np.inf
            for n, r in enumerate(rows[1:])
        ]
        rest = sum(least)
        for row in rows[0].tolist():
            cost = spent + float(slot.distance[row])
            if cost + rest > self.slack or self._over():
                return
            after = self._after(depth, rows[1:], row, cost, least)
            if after is None:
                continue
            gone = self._gone(depth + 1, after, settled | slot.track[:, row])
            cost += float(track_cost(gone.reshape(-1, 1), self.prices)[0])
            nearest = sum(
                float(self.slots[depth + 1 + n].distance[m[0]]) for n, m in enumerate(after)
            )
            if cost + nearest <= self.slack:
                settled_now = settled | slot.track[:, row] | gone
                self._go(depth + 1, after, cost, settled_now, [*chosen, (depth, row)])

    def _gone(self, depth: int, rows: list[Ints], settled: Words) -> Words:
        """Return the priced track that no route left can use: its price is spent."""
        useful = settled
        for number, mine in enumerate(rows):
            track = self.slots[depth + number].track
            useful = useful | np.bitwise_or.reduce(track[:, mine], axis=1)
        return self.priced & ~useful

    def _after(
        self, depth: int, rows: list[Ints], row: int, cost: float, least: list[float]
    ) -> list[Ints] | None:
        """Return what still fits in later slots once a row is chosen; None if nothing does."""
        slot = self.slots[depth]
        out = []
        rest = sum(least)
        for number, mine in enumerate(rows):
            later = self.slots[depth + 1 + number]
            budget = self.slack - cost - (rest - least[number])
            mine = mine[: int(np.searchsorted(later.distance[mine], budget, side="right"))]
            if later.number == slot.number:
                # equal trains: their routes in order of distance
                mine = mine[mine >= row]
            fits = _apart(later.track[:, mine], slot.track[:, row])
            mine = mine[fits]
            if not len(mine):
                return None
            out.append(mine)
        return out

    def _close_one(
        self, depth: int, rows: Ints, spent: float, chosen: list[tuple[int, int]]
    ) -> None:
        slot = self.slots[depth]
        for row in rows.tolist():
            if spent + float(slot.distance[row]) > self.slack or self._over():
                return
            self._judge([*chosen, (depth, row)])

    def _close_two(
        self, depth: int, rows: list[Ints], spent: float, chosen: list[tuple[int, int]]
    ) -> None:
        """Choose the last two routes, whole blocks of pairs at a time."""
        one, two = self.slots[depth], self.slots[depth + 1]
        same = one.number == two.number
        first, second = rows
        far = two.distance[second]
        start = 0
        while start < len(first):
            room = self.slack - spent
            reach = int(np.searchsorted(far, room - one.distance[first[start]], side="right"))
            block = first[start : start + min(BLOCK, max(1, PAIRS // max(1, reach)))]
            self.nodes += start % BLOCK == 0 or start % BLOCK + len(block) > BLOCK
            start += len(block)
            near = one.distance[block]
            if not reach or self._over():
                return
            # equal trains: the second route does not come before the first
            begin = int(np.searchsorted(second, block[0])) if same else 0
            others = second[begin:reach]
            # both are in order of distance: of a row all columns fit up to some place
            columns = np.arange(begin, reach, dtype=np.int32)
            last = np.searchsorted(far, room - near, side="right").astype(np.int32)
            fits = columns[None, :] < last[:, None]
            if same:
                first_fit = np.searchsorted(second, block).astype(np.int32)
                fits &= columns[None, :] >= first_fit[:, None]
            for word in range(one.track.shape[0]):
                mine, theirs = one.track[word, block], two.track[word, others]
                if mine.any() and theirs.any():
                    fits &= (mine[:, None] & theirs[None, :]) == 0
            self._judge_pairs(depth, block, others, fits, chosen)

    def _judge_pairs(
        self, depth: int, block: Ints, others: Ints, fits: Flags, chosen: list[tuple[int, int]]
    ) -> None:
        a, b = np.nonzero(fits)
        if not len(a):
            return
        one, two = self.slots[depth], self.slots[depth + 1]
        cost = one.distance[block[a]] + two.distance[others[b]]
        value = self._most(chosen, one, block[a], two, others[b])
        order = np.lexsort((cost, -value))
        for place in order.tolist():
            if value[place] < self.target or self._over():
                return
            pair = [(depth, int(block[a[place]])), (depth + 1, int(others[b[place]]))]
            self._judge([*chosen, *pair])

    def _most(
        self, chosen: list[tuple[int, int]], one: Slot, first: Ints, two: Slot, second: Ints
    ) -> Ints:
        """Return the value of runs with the last two routes, exact but for groups."""
        settled = [*self.fixed, *self._routes(chosen)]
        total = np.full(len(first), sum(int(p.base[n] + p.own[n]) for p, n in settled))
        for slot, row in ((one, first), (two, second)):
            total += _entry(slot, slot.pool.base + slot.pool.own, row)
        for word, count in enumerate(self.coupling.counts):
            parts = [np.full(len(first), int(p.gains[word, n])) for p, n in settled]
            parts += [_entry(s, s.pool.gains[word], r) for s, r in ((one, first), (two, second))]
            table = np.sort(np.array(parts), axis=0)
            total += table[max(0, len(parts) - count) :].sum(axis=0)
        if self.coupling.groups is not None:
            total += self._pair_bonus(settled, one, first, two, second)
        return total

    def _pair_bonus(
        self,
        settled: Sequence[tuple[Pool, int]],
        one: Slot,
        first: Ints,
        two: Slot,
        second: Ints,
    ) -> Ints:
        """Return the most that routes can earn together beyond what each earns alone."""
        groups = self.coupling.groups
        total = np.zeros(len(first), dtype=np.int64)
        letters = [np.full(len(first), int(p.letters[n])) for p, n in settled]
        letters += [_entry(one, one.pool.letters, first), _entry(two, two.pool.letters, second)]
        for a, b, amount in groups.pairs if groups else ():
            only_a = sum(((x & a) != 0) & ((x & b) == 0) for x in letters)
            only_b = sum(((x & b) != 0) & ((x & a) == 0) for x in letters)
            total += amount * np.minimum(only_a, only_b)
        return total

    def _routes(self, chosen: Sequence[tuple[int, int]]) -> list[tuple[Pool, int]]:
        out = []
        for depth, row in chosen:
            slot = self.slots[depth]
            route = int(slot.rows[row])
            if route < len(slot.pool):
                out.append((slot.pool, route))
        return out

    def _judge(self, chosen: list[tuple[int, int]]) -> None:
        """Price a whole run; report it if it reaches the target."""
        routes = self._routes(chosen)
        marks = 0
        for pool, route in (*self.fixed, *routes):
            marks |= int(pool.marks[route])
        if not self.coupling.allowed(marks):
            return
        if (routes or self.fixed) and not self.coupling.complete(marks):
            return
        value = self.coupling.value([*self.fixed, *routes])
        if value >= self.target:
            run = [
                (self.slots[d].number, int(self.slots[d].rows[r]))
                for d, r in chosen
                if self.slots[d].rows[r] < len(self.slots[d].pool)
            ]
            self.target = value + self.grain
            self.found(run, value)


def _entry(slot: Slot, table: Ints, rows: Ints) -> Ints:
    """Look rows up in a table by route; standing still counts 0."""
    route = slot.rows[rows]
    return np.append(table, 0)[route]


def _apart(track: Words, mine: Words) -> Flags:
    fits = np.ones(track.shape[1], dtype=np.bool_)
    for word, bits in enumerate(mine):
        if bits:
            fits &= (track[word] & bits) == 0
    return fits


def _priced(prices: Floats) -> Words:
    """Return the bits of track that have a price."""
    bits = np.packbits(prices > 0, bitorder="little")
    return bits.view("<u8").astype(np.uint64)
