"""The packing engine: enumerate, bound, price, prove.

1. List every route of every class (:mod:`~optimizer.packing.enumerate`).
2. Build a good first run.
3. Drop the routes that cannot belong to a better run, by bounds without
   prices and then at the prices of a linear program; repeat after each
   improvement.
4. Prove on what is left: by a search that spends the slack, or by CP-SAT.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import gcd

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.first_run import first_run
from optimizer.fleet import staff
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.enumerate import FEW_STATES
from optimizer.packing.first import Builder, slots_of
from optimizer.packing.fleets import fleets_of
from optimizer.packing.frontier import OutOfTimeError
from optimizer.packing.limits import most
from optimizer.packing.mixed import Mixed, tied_tracks
from optimizer.packing.network import Words
from optimizer.packing.pools import PoolMaker
from optimizer.packing.prices import (
    Bound,
    Prices,
    best_prices,
    bound_at,
    fix,
    no_prices,
)
from optimizer.packing.search import Search, make_slot
from optimizer.packing.watch import TooWideError
from optimizer.route_pay import told_by_the_run
from optimizer.task import IMPOSSIBLE, Outcome, Task
from optimizer.words import refuse_unknown

FEW_PAIRS = 4_000_000
"""Pairs of routes that the search closes faster than prices are found."""
NODES = 20_000
"""Nodes of the search after which CP-SAT has its turn."""
MANY_LEFT = 5_000
"""Routes of a class from which on it pays to look longer for a good run before the proof."""
AROUND = 100
"""Routes of each class around which runs are built then."""
TOP = 60
"""Routes per class in which a better run is sought before the proof."""


def solve_packing(task: Task, prover: str | None = None) -> Outcome:
    """Solve a problem of trains that exclude each other from track.

    Parameters
    ----------
    prover
        ``search`` or ``cp-sat`` to prove by that alone; None takes the search
        and, where it does not end soon, CP-SAT.

    Returns
    -------
    Outcome
        With a valid bound whenever it stops.
    """
    refuse_unknown(task.problem, "packing")
    if any(told_by_the_run(task.problem, route.cls) for route in task.pinned):
        # a pinned route has one entry, but its stops could be chosen in several ways
        return _by_cp_sat(task)
    try:
        if not task.problem.constant:
            return _Packing(task, prover).run()
        return _beside(task, prover, task.weights.value(task.problem.constant, 0))
    except TooWideError:
        task.stages.count("frontier", too_wide=1)
        return _by_cp_sat(task)


def _by_cp_sat(task: Task) -> Outcome:
    """Solve a problem by CP-SAT alone."""
    with task.stop.standing_still():
        from optimizer.assignment import solve_assignment  # CP-SAT, which few solves need

    return solve_assignment(task)


def _beside(task: Task, prover: str | None, constant: int) -> Outcome:
    """Solve a problem without what the run earns whatever runs, and add that."""
    told = task.progress

    def progress(routes: tuple[NetRoute, ...], value: int, bound: int) -> None:
        if told is not None:
            told(routes, value + constant, bound + constant)

    bare = replace(
        task,
        problem=replace(task.problem, constant=0),
        floor=None if task.floor is None else task.floor - constant,
        progress=progress,
    )
    found = _Packing(bare, prover).run()
    if found.bound == IMPOSSIBLE:
        return found
    value = found.value if found.value == IMPOSSIBLE else found.value + constant
    return replace(found, value=value, bound=found.bound + constant)


@dataclass
class _Best:
    """The best run so far, over all fleets."""

    routes: tuple[NetRoute, ...]
    value: int


class _Packing:
    def __init__(self, task: Task, prover: str | None) -> None:
        self.task = task
        self.prover = prover
        self.problem = task.problem
        self.coupling = Coupling(task.problem, task.weights)
        self.best = _Best((), IMPOSSIBLE)
        self.proofs: set[str] = set()
        self.bounds: list[int] = []
        self.number = 0
        self.held: tuple[NetRoute, ...] = ()

    def run(self) -> Outcome:
        task = self.task
        fleets = fleets_of(task)
        classes = sorted({c for fleet in fleets for c in fleet} | {r.cls for r in task.pinned})
        self.maker = PoolMaker(task, self.coupling, classes)
        self.fixed = [(self.maker.routes_pool([route]), 0) for route in task.pinned]
        if not fleets or not self._pinned_fit():
            return Outcome((), IMPOSSIBLE, IMPOSSIBLE, "bounds")
        self.marks = 0
        for pool, route in self.fixed:
            self.marks |= int(pool.marks[route])
        if self.coupling.complete(self.marks) or not self.fixed:
            self.best = _Best(tuple(task.pinned), self.coupling.value(self.fixed))
        self.bounds = [most(self.problem, self.coupling, fleet, task.pinned) for fleet in fleets]
        for number, fleet in enumerate(fleets):
            self.number = number
            self.bounds[number] = self._fleet(fleet)
        bound = self.bound()
        proof = ""
        if bound <= self.best.value:
            proof = next((p for p in ("cp-sat", "search") if p in self.proofs), "bounds")
        return Outcome(self.best.routes, self.best.value, bound, proof)

    def _pinned_fit(self) -> bool:
        """Tell whether the pinned routes can run together."""
        used = np.zeros(self.maker.words, dtype=np.uint64)
        marks = 0
        for pool, route in self.fixed:
            if np.any(used & pool.track[:, route]):
                return False
            used |= pool.track[:, route]
            marks |= int(pool.marks[route])
        return self.coupling.allowed(marks)

    def bound(self) -> int:
        """Return a bound on all runs of all fleets, as known at this moment."""
        return max([self.best.value, *self.bounds])

    def lower(self, bound: float) -> None:
        """Note a bound of the fleet at work."""
        self.bounds[self.number] = min(self.bounds[self.number], int(np.floor(bound)))

    def _fleet(self, fleet: dict[int, int]) -> int:
        """Find the best run of a fleet; return a bound on all its runs."""
        used = np.zeros(self.maker.words, dtype=np.uint64)
        for pool, route in self.fixed:
            used |= pool.track[:, route]
        alone = sum(fleet.values()) + len(self.fixed) == 1
        listed = {c: n for c, n in fleet.items() if not self.maker.unlimited(c)}
        pools = {c: self.maker.pool(c, n, used, self.marks, alone) for c, n in listed.items()}
        if not self.maker.complete or self.task.stop.over():
            return self._unfinished(list(pools.values()))
        pools = {c: pool for c, pool in pools.items() if len(pool)}
        if len(listed) < len(fleet):
            return self._mixed(fleet, pools, used, self.marks)
        if not pools:
            return self.best.value
        return self.close(list(pools.values()))

    def close(self, pools: list[Pool]) -> int:
        """Prove the best run of some pools or return the bound reached."""
        if self.coupling.required and sum(pool.count for pool in pools) == 1:
            required = self.coupling.required & ~self.marks
            pools = [p.keep(np.flatnonzero((p.marks & required) == required)) for p in pools]
            if not len(pools[0]):
                return self.best.value
        with self.task.stages("first run"):
            self._first(pools)
        return _Fleet(self, pools).close()

    def _mixed(self, fleet: dict[int, int], pools: dict[int, Pool], used: Words, marks: int) -> int:
        """Find the best run of a fleet with trains without a limit; return a bound on all."""
        tracks = tied_tracks(self.problem, fleet, self.maker)
        tied = {c: p for c, p in pools.items() if self.problem.classes[c].track in tracks}
        rest = [pool for c, pool in pools.items() if c not in tied]
        grain = self._grain(fleet, list(pools.values()))

        def target() -> int:
            better = (self.best.value // grain + 1) * grain
            return better if self.task.floor is None else max(better, self.task.floor)

        def close_rest(routes: Sequence[NetRoute]) -> tuple[int, int]:
            beside = self._beside(routes)
            if beside is None:
                return IMPOSSIBLE, IMPOSSIBLE
            bound = beside.close(rest) if rest else beside.best.value
            if beside.best.value > self.best.value:
                self.best = beside.best
            self.proofs |= beside.proofs
            return beside.best.value, max(bound, beside.best.value)

        try:
            mixed = Mixed(
                self.task, self.coupling, self.maker, fleet, tied, used, marks, grain,
                close_rest, target, self.lower,
            )  # fmt: skip
        except OutOfTimeError:
            return self.bounds[self.number]
        done = mixed.close()
        if mixed.by_search:
            self.proofs.add("search")
        if not done:
            return self.bounds[self.number]
        aim = target()
        return (
            aim - 1
            if self.task.floor is not None and aim > self.best.value + grain
            else (self.best.value)
        )

    def _beside(self, routes: Sequence[NetRoute]) -> _Packing | None:
        """Return what closes the rest of the fleet at work beside some routes.

        None if these cannot run together: tracks that have nothing in common may have marks
        that exclude each other.
        """
        beside = copy(self)
        beside.fixed = [*self.fixed, *((self.maker.routes_pool([route]), 0) for route in routes)]
        if not beside._pinned_fit():
            return None
        beside.held = tuple(routes)
        beside.proofs = set()
        beside.task = replace(self.task, floor=None)
        beside.bounds = [*self.bounds, self.bounds[self.number]]
        beside.number = len(self.bounds)
        beside.best = _Best(tuple(self.task.pinned), self.coupling.value(self.fixed))
        beside.found([], [], self.coupling.value(beside.fixed))
        return beside

    def _grain(self, fleet: dict[int, int], pools: Sequence[Pool]) -> int:
        """Every run of a fleet is worth a multiple of this, above what pinned routes pay."""
        weights = self.coupling.weights
        amounts = [self.coupling.value(self.fixed)]
        for pool in (*pools, *(pool for pool, _ in self.fixed)):
            for table in (pool.base, pool.own, pool.gains.ravel()):
                amounts.append(int(np.gcd.reduce(table)) if len(table) else 0)
        for number in fleet:
            pay = self.problem.classes[number].pay
            amounts += [weights.revenue * amount for amount in (*pay.stops, *pay.legs)]
        for bonus in self.coupling.bonuses:
            amounts += [weights.revenue * amount for amount in bonus.amount.values()]
        for ends in self.coupling.ends:
            whole = all(value % ends.divisor == 0 for value in ends.value)
            shares = {value // ends.divisor for value in ends.value} if whole else {1}
            amounts += [weights.subsidy * share for share in shares]
        return max(1, gcd(*amounts))

    def _begin_with(self, routes: tuple[NetRoute, ...], value: int) -> None:
        if value > self.best.value:
            self.best = _Best(routes, value)
            if self.task.progress is not None:
                self.task.progress(routes, value, self.bound())

    def _first(self, pools: Sequence[Pool]) -> None:
        builder = Builder(pools, self.coupling, self.fixed, self.maker.words)
        if sum(pool.count for pool in pools) == 1 and not self.fixed:
            (pool,) = pools
            top = int(np.argmax(pool.best_case()))
            self.found(pools, [(0, top)], self.coupling.value([(pool, top)]))
            return
        builder.build(self.task.stop)
        self.found(pools, list(builder.best.values()), builder.value)

    def _unfinished(self, pools: Sequence[Pool]) -> int:
        """Time ran out while routes were listed: make the best of those there are."""
        if self.task.floor is None:
            self._begin_with(*first_run(self.task))
        pools = [pool for pool in pools if len(pool)]
        if pools and sum(map(len, pools)) <= FEW_STATES:
            builder = Builder(pools, self.coupling, self.fixed, self.maker.words)
            builder.build(self.task.stop)
            self.found(pools, list(builder.best.values()), builder.value)
        return self.bounds[self.number]

    def found(self, pools: Sequence[Pool], run: Sequence[tuple[int, int]], value: int) -> None:
        """Keep a run if it is better than the best so far."""
        if value <= self.best.value:
            return
        chosen = [
            pools[number].source.rebuild(int(pools[number].index[route]), "", pools[number].cls)
            for number, route in run
        ]
        routes = staff(self.problem, [*self.held, *chosen], self.task.pinned)
        if routes is None:
            raise ValueError("a fleet has more trains than the company")
        self.best = _Best(routes, value)
        if self.task.progress is not None:
            self.task.progress(self.best.routes, value, self.bound())


class _Fleet:
    """One fleet, with all its routes listed."""

    def __init__(self, packing: _Packing, pools: list[Pool]) -> None:
        self.packing = packing
        self.task = packing.task
        self.coupling = packing.coupling
        self.words = packing.maker.words
        self.all = pools
        self.pools = pools
        self.grain = self._grain()

    def _grain(self) -> int:
        """Every run is worth a multiple of this, above what pinned routes pay."""
        amounts = [self.packing.coupling.value(self.packing.fixed)]
        tables = [table for pool in self.all for table in (pool.base, pool.own, pool.gains.ravel())]
        fixed = [t for p, _ in self.packing.fixed for t in (p.base, p.own, p.gains.ravel())]
        for table in (*tables, *fixed):
            if len(table):
                amounts.append(int(np.gcd.reduce(table)))
        groups = self.coupling.groups
        amounts += [amount for _, _, amount in groups.pairs] if groups else []
        return max(1, int(np.gcd.reduce(np.array(amounts, dtype=np.int64))))

    @property
    def better(self) -> int:
        """The least that a run of the fleet is worth that is better than the best one known.

        That one may be a run of another fleet, worth no multiple of this one's grain.
        """
        return (self.packing.best.value // self.grain + 1) * self.grain

    @property
    def target(self) -> int:
        """What a run of interest is worth at least, pinned routes included."""
        return self.better if self.task.floor is None else max(self.better, self.task.floor)

    def _closed(self) -> int:
        """Return the bound once nothing reaches the target."""
        return self.target - 1 if self.target > self.better else self.packing.best.value

    @property
    def base(self) -> int:
        """What pinned routes pay by themselves."""
        return sum(int(p.base[n] + p.own[n]) for p, n in self.packing.fixed)

    def _bound_of(self, bound: Bound) -> float:
        """Return a bound with what pinned routes bring."""
        return bound.value + self.base + self._pinned_gains()

    def _pinned_gains(self) -> int:
        """Return the most that pinned routes add through words; 0 without any."""
        total = 0
        for pool, route in self.packing.fixed:
            total += int(pool.gains[:, route].sum())
            groups = self.coupling.groups
            total += sum(amount for _, _, amount in groups.pairs) if groups else 0
        return total

    def close(self) -> int:
        """Prove the best run or return the bound reached."""
        with self.task.stages("bounds") as stage:
            bound = self._fix_without_prices()
            stage.counts["left"] = sum(len(pool) for pool in self.pools)
        if bound < self.target:
            return self._closed()
        if self.packing.prover != "cp-sat" and self._pairs() <= FEW_PAIRS:
            return self._prove(no_prices(self.words, self.coupling), bound)
        return self._with_prices(bound)

    def _pairs(self) -> int:
        slots = slots_of(self.pools)
        if len(slots) > 2:
            return FEW_PAIRS + 1 if max(len(p) for p in self.pools) > TOP else 0
        return int(np.prod([len(self.pools[number]) for number in slots], dtype=np.int64))

    def _fix_without_prices(self) -> float:
        """Drop routes by the sum of the best of the others."""
        least = np.inf
        for full in (False, True):
            prices = no_prices(self.words, self.coupling, full=full)
            least = min(least, self._fix(bound_at(prices, self.pools, self.coupling)))
            if least < self.target:
                break
        return least

    def _fix(self, bound: Bound) -> float:
        extra = self.base + self._pinned_gains()
        self.pools, _ = fix(self.pools, bound, self.target - extra)
        least = self._bound_of(bound)
        self.packing.lower(least)
        return least

    def _with_prices(self, bound: float) -> int:
        prices = no_prices(self.words, self.coupling)
        seeds: list[tuple[int, int]] = []
        for _ in range(4):
            before = self.packing.best.value
            with self.task.stages("prices") as stage:
                extra = self.base + self._pinned_gains()
                prices, at, columns = best_prices(
                    self.pools,
                    self.coupling,
                    self.words,
                    self.target - extra,
                    seeds,
                    self.task.stop,
                )
                stage.counts["columns"] = stage.counts.get("columns", 0) + columns
                bound = min(bound, self._fix(at))
                stage.counts["left"] = sum(len(pool) for pool in self.pools)
            if bound < self.target:
                return self._closed()
            with self.task.stages("second run"):
                self._improve(prices)
            if self.packing.best.value == before or self.task.stop.over():
                break
            bound = min(bound, self._fix(bound_at(prices, self.pools, self.coupling)))
            if bound < self.target:
                return self._closed()
        return self._prove(prices, bound)

    def _improve(self, prices: Prices) -> None:
        """Look for a better run among the worthiest routes of each class."""
        heads = [pool.keep(np.arange(min(TOP, len(pool)))) for pool in self.pools]
        at = bound_at(prices, heads, self.coupling)
        self._search(heads, prices, at, NODES // 4)
        if len(self.all) and max(len(pool) for pool in self.pools) > MANY_LEFT:
            builder = Builder(
                self.pools, self.coupling, self.packing.fixed, self.packing.maker.words
            )
            builder.around(AROUND, self.task.stop)
            self.packing.found(self.pools, list(builder.best.values()), builder.value)

    def _search(
        self, pools: Sequence[Pool], prices: Prices, at: Bound, nodes: int | None
    ) -> tuple[bool, int]:
        slots = [
            make_slot(pools[number], number, at.worth[number], at.best[number])
            for number in sorted(slots_of(pools), key=lambda n: (len(pools[n]), n))
        ]
        search = Search(
            slots,
            self.coupling,
            self._bound_of(at),
            prices.track,
            self.target,
            self.grain,
            lambda run, value: self.packing.found(pools, run, value),
            self.packing.fixed,
            self.task.stop,
            nodes,
        )
        done = search.run()
        return done, search.nodes

    def _prove(self, prices: Prices, bound: float) -> int:
        at = bound_at(prices, self.pools, self.coupling)
        if self.packing.prover != "cp-sat":
            limit = None if self.packing.prover == "search" else NODES
            with self.task.stages("search") as stage:
                done, nodes = self._search(self.pools, prices, at, limit)
                stage.counts["nodes"] = stage.counts.get("nodes", 0) + nodes
            if done:
                self.packing.proofs.add("search")
                return self._closed()
        bound = min(bound, self._fix(at))
        if bound < self.target:
            return self._closed()
        if self.task.stop.over() or self.packing.prover == "search":
            return int(np.floor(bound))
        return self._model(bound)

    def _model(self, bound: float) -> int:
        with self.task.stop.standing_still():
            from optimizer.packing.model import Model  # CP-SAT, which few solves need

        with self.task.stages("cp-sat") as stage:
            stage.counts["routes"] = sum(len(pool) for pool in self.pools)
            model = Model(self.pools, self.coupling, self.packing.fixed)
            proof = model.solve(self.target - self.base, self.task.stop, self.task.seed)
        if proof.run:
            self.packing.found(self.pools, proof.run, proof.value + self.base)
        if proof.bound is not None:
            bound = min(bound, float(proof.bound + self.base))
        if bound < self.target:
            self.packing.proofs.add("cp-sat")
            return self._closed()
        return int(np.floor(bound))
