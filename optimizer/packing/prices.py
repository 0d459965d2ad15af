"""Prices on what trains compete for, the bound they give, and what it excludes.

For prices on track, on the places of best-of words and on the letters of
groups, the value of any run is at most

    sum of prices of track + places x their prices
    + for each train the best of its routes at these prices, or 0.

The bound holds for *any* prices that are not negative (and, for a pair of
letters, add up to its bonus), so it does not depend on how they were found.
They come from a linear program over few routes, to which the best routes at
its own prices are added until none is missing. All arithmetic on prices is in
multiples of 1/64, which doubles represent exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from optimizer.packing.couple import Coupling, Pool
from optimizer.stop import Stop

if TYPE_CHECKING:
    from ortools.linear_solver import pywraplp

Floats = npt.NDArray[np.float64]

GRAIN = 64.0
FIRST_COLUMNS = 30
MORE_COLUMNS = 40
MOST_ROUNDS = 40


@dataclass
class Prices:
    """Prices of one point.

    Parameters
    ----------
    track
        By bit of track.
    places
        By best-of word: of one of its places.
    letters
        By pair of letters: what a route with only the first, and one with
        only the second, is given.
    """

    track: Floats
    places: Floats
    letters: list[tuple[float, float]] = field(default_factory=list)


def no_prices(words: int, coupling: Coupling, *, full: bool = False) -> Prices:
    """Return prices of nothing; with `full`, places of words cost all they give."""
    groups = coupling.groups
    count = len(coupling.counts)
    return Prices(
        track=np.zeros(64 * words),
        places=np.full(count, np.inf) if full else np.zeros(count),
        letters=[(float(-(-a // 2)), float(-(-a // 2))) for _, _, a in groups.pairs]
        if groups
        else [],
    )


def _rounded(value: float) -> float:
    return float(np.ceil(max(0.0, value) * GRAIN) / GRAIN)


def track_cost(track: npt.NDArray[np.uint64], prices: Floats) -> Floats:
    """Return the price of the track of each route, by tables of bytes."""
    total = np.zeros(track.shape[1])
    for word in range(track.shape[0]):
        octets = np.ascontiguousarray(track[word]).view(np.uint8).reshape(-1, 8)
        for octet in range(8):
            part = prices[64 * word + 8 * octet : 64 * word + 8 * octet + 8]
            if part.any():
                bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
                total += (bits @ part)[octets[:, octet]]
    return total


def reduced(pool: Pool, prices: Prices, coupling: Coupling) -> Floats:
    """Return what each route of a pool is worth at the prices."""
    value = (pool.base + pool.own) - track_cost(pool.track, prices.track)
    for row, price in enumerate(prices.places):
        value += np.maximum(0.0, pool.gains[row] - price)
    for (one, two), (first, second) in zip(_pairs(coupling), prices.letters, strict=True):
        has_one, has_two = (pool.letters & one) != 0, (pool.letters & two) != 0
        value += first * (has_one & ~has_two) + second * (has_two & ~has_one)
    return value


def _pairs(coupling: Coupling) -> list[tuple[int, int]]:
    return [] if coupling.groups is None else [(a, b) for a, b, _ in coupling.groups.pairs]


def fixed_part(prices: Prices, pools: Sequence[Pool], coupling: Coupling) -> float:
    """Return the part of the bound that does not depend on which routes run."""
    total = float(prices.track.sum())
    for row, count in enumerate(coupling.counts):
        highest = max((int(p.gains[row].max()) for p in pools if len(p)), default=0)
        total += count * min(float(prices.places[row]), float(highest))
    return total


@dataclass
class Bound:
    """The bound at some prices.

    Parameters
    ----------
    value
        No run is worth more.
    worth
        For each pool what its routes are worth at the prices.
    best
        For each pool the larger of 0 and its best worth.
    """

    value: float
    worth: list[Floats]
    best: list[float]


def bound_at(prices: Prices, pools: Sequence[Pool], coupling: Coupling) -> Bound:
    """Return the bound at given prices."""
    places = [
        min(float(p), float(max((int(q.gains[row].max()) for q in pools if len(q)), default=0)))
        for row, p in enumerate(prices.places)
    ]
    prices = Prices(prices.track, np.array(places), prices.letters)
    worth = [reduced(pool, prices, coupling) for pool in pools]
    best = [max(0.0, float(w.max())) if len(w) else 0.0 for w in worth]
    total = fixed_part(prices, pools, coupling)
    total += sum(pool.count * b for pool, b in zip(pools, best, strict=True))
    return Bound(total, worth, best)


def fix(pools: Sequence[Pool], bound: Bound, target: float) -> tuple[list[Pool], list[Floats]]:
    """Drop the routes that no run worth at least `target` can hold.

    Returns
    -------
    pools, worth
        What is left, the worthiest first.
    """
    left, worths = [], []
    for pool, worth, best in zip(pools, bound.worth, bound.best, strict=True):
        which = np.flatnonzero(bound.value - best + worth >= target)
        which = which[np.argsort(-worth[which], kind="stable")]
        left.append(pool.keep(which))
        worths.append(worth[which])
    return left, worths


class Master:
    """The linear program over a growing set of routes."""

    def __init__(self, pools: Sequence[Pool], coupling: Coupling, words: int) -> None:
        self.pools = pools
        self.coupling = coupling
        self.words = words
        # Imported here: it takes longer than most solves, which need no prices.
        glop = import_module("ortools.linear_solver.pywraplp")
        self.solver: pywraplp.Solver = glop.Solver.CreateSolver("GLOP")
        infinity = self.solver.infinity()
        self.objective = self.solver.Objective()
        self.objective.SetMaximization()
        self.track: dict[int, pywraplp.Constraint] = {}
        self.trains = [self.solver.Constraint(-infinity, pool.count) for pool in pools]
        self.places = [self.solver.Constraint(-infinity, count) for count in coupling.counts]
        self.letters: list[tuple[pywraplp.Constraint, pywraplp.Constraint]] = []
        for _, _, amount in coupling.groups.pairs if coupling.groups else ():
            both = (self.solver.Constraint(-infinity, 0), self.solver.Constraint(-infinity, 0))
            pair = self.solver.NumVar(0, infinity, "")
            self.objective.SetCoefficient(pair, amount)
            for row in both:
                row.SetCoefficient(pair, 1)
            self.letters.append(both)
        self.train_prices = [0.0] * len(pools)
        self.seen: set[tuple[int, int, tuple[bool, ...]]] = set()

    def add(self, number: int, route: int, prices: Prices) -> bool:
        """Add a route of a pool, with the gains that pay at the prices; False if known."""
        pool = self.pools[number]
        taken = tuple(bool(g > p) for g, p in zip(pool.gains[:, route], prices.places, strict=True))
        if (number, route, taken) in self.seen:
            return False
        self.seen.add((number, route, taken))
        value = int(pool.base[route] + pool.own[route])
        column = self.solver.NumVar(0, self.solver.infinity(), "")
        self.trains[number].SetCoefficient(column, 1)
        for row, gets in enumerate(taken):
            if gets:
                value += int(pool.gains[row, route])
                self.places[row].SetCoefficient(column, 1)
        self.objective.SetCoefficient(column, value)
        for bit in _bits(pool.track[:, route]):
            self._row(bit).SetCoefficient(column, 1)
        letters = int(pool.letters[route])
        for (one, two), rows in zip(_pairs(self.coupling), self.letters, strict=True):
            has = (bool(letters & one), bool(letters & two))
            if has in ((True, False), (False, True)):
                rows[0 if has[0] else 1].SetCoefficient(column, -1)
        return True

    def _row(self, bit: int) -> pywraplp.Constraint:
        if bit not in self.track:
            self.track[bit] = self.solver.Constraint(-self.solver.infinity(), 1)
        return self.track[bit]

    def solve(self) -> Prices | None:
        """Solve and return the prices, rounded so that they keep a valid bound."""
        if self.solver.Solve() != self.solver.OPTIMAL:
            return None
        self.train_prices = [max(0.0, row.dual_value()) + 0.5 for row in self.trains]
        track = np.zeros(64 * self.words)
        for bit, row in self.track.items():
            track[bit] = _rounded(row.dual_value())
        places = np.array([_rounded(row.dual_value()) for row in self.places])
        letters = []
        groups = self.coupling.groups
        for (first, _), (_, _, amount) in zip(
            self.letters, groups.pairs if groups else (), strict=True
        ):
            one = min(float(amount), _rounded(first.dual_value()))
            letters.append((one, float(amount) - one))
        return Prices(track, places, letters)


def _bits(words: npt.NDArray[np.uint64]) -> list[int]:
    found = []
    for number, word in enumerate(words.tolist()):
        while word:
            low = word & -word
            found.append(64 * number + low.bit_length() - 1)
            word ^= low
    return found


def best_prices(
    pools: Sequence[Pool],
    coupling: Coupling,
    words: int,
    target: float,
    seeds: Sequence[tuple[int, int]],
    stop: Stop,
) -> tuple[Prices, Bound, int]:
    """Find prices with a low bound by column generation.

    Parameters
    ----------
    target
        A bound below it is enough.
    seeds
        Routes (pool, route) to begin with besides the best of each pool.

    Returns
    -------
    prices, bound, columns
        The best found; the bound is valid at whatever moment it stops.
    """
    prices = no_prices(words, coupling)
    best = bound_at(prices, pools, coupling)
    best_at = prices
    current = best
    with stop.standing_still():  # the first master imports the solver
        master = Master(pools, coupling, words)
    for number, route in seeds:
        master.add(number, route, prices)
    amount = FIRST_COLUMNS
    for _ in range(MOST_ROUNDS):
        added = 0
        for number, worth in enumerate(current.worth):
            for route in _top(worth, amount, master.train_prices[number]):
                added += master.add(number, int(route), prices)
        if not added or stop.over():
            break
        amount = MORE_COLUMNS
        found = master.solve()
        if found is None:
            break
        prices = found
        current = bound_at(prices, pools, coupling)
        if current.value < best.value:
            best, best_at = current, prices
            if best.value < target:
                break
    return best_at, best, len(master.seen)


def _top(worth: Floats, amount: int, floor: float) -> npt.NDArray[np.intp]:
    """Return the places of the `amount` largest entries above `floor`."""
    if len(worth) > amount:
        which = np.argpartition(-worth, amount)[:amount]
    else:
        which = np.arange(len(worth))
    return which[worth[which] > floor]
