"""The assignment of routes to trains as a CP-SAT model.

One literal per route and class. It is the second prover beside the search: it
shares the routes and the words' meaning with it, and nothing of how it looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model

from optimizer.cpsat import interrupting, new_solver
from optimizer.packing.couple import Coupling, Pool, best_division, touching
from optimizer.stop import Stop

MOST_PAIRS = 16
"""More pairs of routes than any run can form."""

Run = list[tuple[int, int]]
"""Routes of a run as (pool, route)."""


@dataclass
class Proof:
    """What CP-SAT found: the best run, its value, and a bound on all runs."""

    run: Run
    value: int
    bound: int | None


class Model:
    """The model of some pools.

    Parameters
    ----------
    fixed
        Routes that every run holds besides.
    """

    def __init__(
        self, pools: Sequence[Pool], coupling: Coupling, fixed: Sequence[tuple[Pool, int]]
    ) -> None:
        self.pools = pools
        self.coupling = coupling
        self.fixed = list(fixed)
        self.cp = cp_model.CpModel()
        self.literals = [[self.cp.new_bool_var("") for _ in range(len(pool))] for pool in pools]
        self.terms: list[cp_model.LinearExprT] = []
        self._trains()
        self._track()
        self._marks()
        self._best_of()
        self.pairs: list[cp_model.IntVar] = []
        if coupling.groups is not None:
            self._groups()
        self.cp.maximize(sum(self.terms))

    def _trains(self) -> None:
        """Each class runs at most as many routes as it has trains."""
        for pool, literals in zip(self.pools, self.literals, strict=True):
            self.cp.add(cp_model.LinearExpr.sum(literals) <= pool.count)
            self.terms.append(
                cp_model.LinearExpr.weighted_sum(literals, (pool.base + pool.own).tolist())
            )

    def _track(self) -> None:
        """No two routes use the same track."""
        words = max((pool.track.shape[0] for pool in self.pools), default=0)
        for word in range(words):
            for bit in range(64):
                mask = np.uint64(1 << bit)
                users = [
                    self.literals[number][route]
                    for number, pool in enumerate(self.pools)
                    for route in np.flatnonzero(pool.track[word] & mask).tolist()
                ]
                if len(users) > 1:
                    self.cp.add_at_most_one(users)

    def _marks(self) -> None:
        """Of marks that exclude each other only one is used."""
        taken = 0
        for pool, route in self.fixed:
            taken |= int(pool.marks[route])
        for word in self.coupling.exclusive:
            flags: dict[int, cp_model.IntVar] = {}
            for number, pool in enumerate(self.pools):
                for route in np.flatnonzero(pool.marks & word).tolist():
                    mine = int(pool.marks[route]) & word
                    flag = flags.setdefault(mine, self.cp.new_bool_var(""))
                    self.cp.add_implication(self.literals[number][route], flag)
            for mine, flag in flags.items():
                if taken & word and taken & word != mine:
                    self.cp.add(flag == 0)
            self.cp.add_at_most_one(list(flags.values()))
        for bit, _ in self.coupling.some:
            if not taken & bit:
                self.cp.add_bool_or(
                    self.literals[number][route]
                    for number, pool in enumerate(self.pools)
                    for route in np.flatnonzero(pool.marks & bit).tolist()
                )

    def _best_of(self) -> None:
        """The largest few gains are paid: one counter for each size of gain."""
        for row, count in enumerate(self.coupling.counts):
            sizes: dict[int, list[cp_model.IntVar]] = {}
            owned: dict[int, int] = {}
            for number, pool in enumerate(self.pools):
                for route in np.flatnonzero(pool.gains[row]).tolist():
                    gain = int(pool.gains[row, route])
                    sizes.setdefault(gain, []).append(self.literals[number][route])
            for pool, route in self.fixed:
                gain = int(pool.gains[row, route])
                if gain:
                    owned[gain] = owned.get(gain, 0) + 1
            counters = []
            for gain in sorted({*sizes, *owned}):
                counter = self.cp.new_int_var(0, count, "")
                self.cp.add(counter <= sum(sizes.get(gain, ())) + owned.get(gain, 0))
                counters.append(counter)
                self.terms.append(gain * counter)
            if counters:
                self.cp.add(sum(counters) <= count)

    def _letters(self, one: int, two: int) -> list[tuple[int, int]]:
        """Return the routes that have letter `one` and not `two`."""
        return [
            (number, route)
            for number, pool in enumerate(self.pools)
            for route in np.flatnonzero(
                ((pool.letters & one) != 0) & ((pool.letters & two) == 0)
            ).tolist()
        ]

    def _groups(self) -> None:
        """Pairs of routes that have one letter each earn a bonus at most once.

        That they must also touch is cut off where a run found fails it.
        """
        groups = self.coupling.groups
        for one, two, amount in groups.pairs if groups else ():
            pair = self.cp.new_int_var(0, MOST_PAIRS, "")
            for mine, other in ((one, two), (two, one)):
                owned = sum(
                    1
                    for pool, n in self.fixed
                    if int(pool.letters[n]) & mine and not int(pool.letters[n]) & other
                )
                have = [self.literals[p][r] for p, r in self._letters(mine, other)]
                self.cp.add(pair <= sum(have) + owned)
            self.pairs.append(pair)
            self.terms.append(amount * pair)

    def hint(self, run: Run) -> None:
        """Start from a run."""
        chosen = set(run)
        for number, literals in enumerate(self.literals):
            for route, literal in enumerate(literals):
                self.cp.add_hint(literal, (number, route) in chosen)

    def solve(self, target: int, stop: Stop, seed: int) -> Proof:
        """Find the best run worth at least `target`, or show that there is none.

        Parameters
        ----------
        target
            Value without what fixed routes pay by themselves.

        Returns
        -------
        Proof
            With an empty run and value ``target - 1`` if nothing reaches it;
            its bound is None if CP-SAT had no time to find one.
        """
        self.cp.add(sum(self.terms) >= target)
        best: Run = []
        value = target - 1
        while True:
            solver, status = self._once(stop, seed)
            if status == cp_model.INFEASIBLE:
                return Proof(best, value, value)
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return Proof(best, value, None)
            run = [
                (number, route)
                for number, literals in enumerate(self.literals)
                for route, literal in enumerate(literals)
                if solver.boolean_value(literal)
            ]
            promised = round(solver.objective_value)
            bound = max(promised, int(np.floor(solver.best_objective_bound + 1e-6)))
            worth = self._worth(run)
            if worth > value:
                best, value = run, worth
            if worth == promised or stop.over():
                return Proof(best, value, max(bound, value))
            self._cut(run)

    def _worth(self, run: Run) -> int:
        routes = [*self.fixed, *((self.pools[p], n) for p, n in run)]
        own = sum(int(p.base[n] + p.own[n]) for p, n in self.fixed)
        return self.coupling.value(routes) - own

    def _once(self, stop: Stop, seed: int) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
        solver = new_solver(seed)
        left = stop.left()
        if left is not None:
            solver.parameters.max_time_in_seconds = max(0.001, left)
        with interrupting(solver, stop):
            status = solver.solve(self.cp)
        return solver, status

    def _cut(self, run: Run) -> None:
        """Exclude that the routes of `run` earn together what they do not.

        If the routes that have only the first letter of a pair form, with all
        that they touch, a part that earns fewer pairs than counted, then more
        pairs need another route that touches the part or has that letter. The
        run itself has been priced and is excluded as well: that settles what
        no single pair explains.
        """
        groups = self.coupling.groups
        assert groups is not None
        routes = [*self.fixed, *((self.pools[p], n) for p, n in run)]
        touch = touching([pool.touch[:, n] for pool, n in routes])
        letters = [int(pool.letters[n]) for pool, n in routes]
        offset = len(self.fixed)
        for (one, two, _), pair in zip(groups.pairs, self.pairs, strict=True):
            part = _part_with(letters, touch, one, two)
            inside = {run[n - offset] for n in range(offset, len(routes)) if part >> n & 1}
            able = _most_pairs(letters, touch, part, one, two)
            absent = [1 - self.literals[p][r] for p, r in sorted(inside)]
            more = self._joining(routes, part, one, two, inside)
            self.cp.add(pair <= able + MOST_PAIRS * (sum(absent) + sum(more)))
        chosen = set(run)
        self.cp.add_bool_or(
            literal.negated() if (number, route) in chosen else literal
            for number, literals in enumerate(self.literals)
            for route, literal in enumerate(literals)
        )

    def _joining(
        self,
        routes: Sequence[tuple[Pool, int]],
        part: int,
        one: int,
        two: int,
        inside: set[tuple[int, int]],
    ) -> list[cp_model.IntVar]:
        """Return the routes that touch a part or have only letter `one` themselves."""
        found = []
        for number, pool in enumerate(self.pools):
            hits = ((pool.letters & one) != 0) & ((pool.letters & two) == 0)
            for n, (other, route) in enumerate(routes):
                if part >> n & 1:
                    hits |= np.any((pool.touch & other.touch[:, [route]]) != 0, axis=0)
            found += [
                self.literals[number][r]
                for r in np.flatnonzero(hits).tolist()
                if (number, r) not in inside
            ]
        return found


def _part_with(letters: Sequence[int], touch: Sequence[int], one: int, two: int) -> int:
    """Return all routes connected with one that has letter `one` and not `two`."""
    part = sum(1 << n for n, x in enumerate(letters) if x & one and not x & two)
    while True:
        more = part
        for number, others in enumerate(touch):
            if part >> number & 1:
                more |= others
        if more == part:
            return part
        part = more


def _most_pairs(letters: Sequence[int], touch: Sequence[int], part: int, one: int, two: int) -> int:
    """Return how many pairs the routes of a part can form beyond those within one route."""
    members = [n for n in range(len(letters)) if part >> n & 1]
    place = {n: k for k, n in enumerate(members)}
    mine = tuple(letters[n] & (one | two) for n in members)
    near = tuple(sum(1 << place[m] for m in members if touch[n] >> m & 1) for n in members)
    alone = sum(1 for x in mine if x & one and x & two)
    return best_division(((one, two, 1),), mine, near) - alone
