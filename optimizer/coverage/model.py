"""What is left after bounds and fixing, as a model for CP-SAT.

One literal for each column; an element is paid if one of its columns runs. That
all runs meet is said in two ways: at the start, for each column away from home,
that another one leads out of where it passes; later, for each part of a run that
is not connected, that some column leads out of that part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from ortools.sat.python import cp_model

from optimizer.coverage.arrays import Floats, Words, meets, pack
from optimizer.coverage.columns import Group
from optimizer.coverage.enumerate import TimeUpError
from optimizer.coverage.exchange import Finder
from optimizer.coverage.node import Node
from optimizer.cpsat import new_solver, run_solver
from optimizer.stop import Stop

CUTS_AT_ONCE = 3000
"""Columns for which cuts are stated at the start."""


@dataclass
class Modelled:
    """What CP-SAT did.

    Attributes
    ----------
    bound
        No run in the groups exceeds it, in units.
    rounds
        Number of models solved.
    cuts
        Number of meeting cuts stated.
    """

    bound: float = np.inf
    rounds: int = 0
    cuts: int = 0


def prove(
    finder: Finder, root: Node, groups: Sequence[Group], stop: Stop, seed: int, state: Modelled
) -> None:
    """Find the best run in the groups if it is better than the finder's.

    Parameters
    ----------
    state
        Filled while it works, so that the bound is known if time runs out.

    Raises
    ------
    TimeUpError
        Time is up.
    """
    model = _Model(finder, root, [group for group in groups if group.must or len(group)])
    model.cut_at_once(state)
    while True:
        model.ask_for(finder.value + 1)
        solver = new_solver(seed)
        answer = run_solver(solver, model.model, stop)
        state.rounds += 1
        if answer.infeasible:
            state.bound = finder.value
            return
        if answer.bound is not None:
            state.bound = max(finder.value, min(state.bound, answer.bound))
        if not answer.found:
            raise TimeUpError
        chosen = [n for n, literal in enumerate(model.literals) if solver.boolean_value(literal)]
        model.take(chosen, state)
        finder.check_time()


class _Model:
    def __init__(self, finder: Finder, root: Node, groups: Sequence[Group]) -> None:
        self.finder = finder
        self.root = root
        self.model = cp_model.CpModel()
        self.places = [(group, row) for group in groups for row in range(len(group))]
        self.literals = [self.model.new_bool_var("") for _ in self.places]
        self.meet: Words = np.concatenate([group.meet for group in groups])
        self.home = np.concatenate([group.home for group in groups])
        self.nodes = np.concatenate([group.nodes for group in groups])
        self._limit(groups)
        self._pay(groups)
        self._goal = self.model.new_int_var(0, 1 << 50, "")
        self.model.add(self._goal == self.worth)
        self.model.maximize(self._goal)

    def _limit(self, groups: Sequence[Group]) -> None:
        """Trains run once; loose ends are used once; home is visited."""
        first = 0
        for group in groups:
            mine = self.literals[first : first + len(group)]
            first += len(group)
            if group.must:
                self.model.add(sum(mine) == group.copies)
            else:
                self.model.add(sum(mine) <= group.copies)
        for node in np.unique(self.nodes[self.nodes >= 0]).tolist():
            rows = np.nonzero((self.nodes == node).any(axis=1))[0].tolist()
            if len(rows) > 1:
                self.model.add_at_most_one(self.literals[row] for row in rows)
        if not self.root.home:
            self.model.add_bool_or(self.literals[n] for n in np.nonzero(self.home)[0].tolist())

    def _pay(self, groups: Sequence[Group]) -> None:
        """An element pays if one of its columns runs."""
        pay: Floats = np.concatenate([group.pay for group in groups])
        gain = np.concatenate([group.gain for group in groups])
        terms: list[cp_model.LinearExprT] = []
        for element in np.nonzero(pay.any(axis=0))[0].tolist():
            paid = self.model.new_bool_var("")
            payers = [self.literals[row] for row in np.nonzero(pay[:, element])[0].tolist()]
            self.model.add_bool_or([*payers, ~paid])
            terms.append(int(self.root.open[element]) * paid)
        for row in np.nonzero(gain)[0].tolist():
            terms.append(int(gain[row]) * self.literals[row])
        self.worth = sum(terms)

    def ask_for(self, goal: float) -> None:
        """Ask for at least `goal` units."""
        self.model.add(self._goal >= int(goal))

    def cut_at_once(self, state: Modelled) -> None:
        """State that from every column away from home another one leads on."""
        if not self.finder.meeting or self.root.home:
            return
        away = np.nonzero(~self.home)[0].tolist()
        for row in away[:CUTS_AT_ONCE]:
            self._cut([row], self.meet[row])
            state.cuts += 1

    def _cut(self, rows: Sequence[int], inside: Words) -> None:
        """State that a column among `rows` needs one that leads out of the set `inside`."""
        crossing = meets(self.meet, inside) & (self.meet & ~inside).any(axis=1)
        out = [self.literals[n] for n in np.nonzero(crossing)[0].tolist()]
        for row in rows:
            self.model.add_bool_or([*out, ~self.literals[row]])

    def take(self, chosen: Sequence[int], state: Modelled) -> None:
        """Offer a solution as a run; where it is none, state why."""
        node = self.root
        for number in chosen:
            node = node.add(*self.places[number])
        if not self.finder.meeting or len(node.parts) <= 1:
            if not self.finder.offer(node):
                self._exclude(chosen)
            return
        for part, inside in zip(node.parts, pack(node.parts, self.meet.shape[1]), strict=True):
            rows = [n for n in chosen if meets(self.meet[n : n + 1], inside)[0]]
            if not self.root.home and not self.home[rows].any():
                self._cut(np.nonzero(_within(self.meet, inside) & ~self.home)[0].tolist(), inside)
                state.cuts += 1
            elif self.root.home and part != node.parts[-1]:
                others = [n for n in chosen if n not in rows]
                self._part(rows[0], others[0], inside)
                state.cuts += 1

    def _part(self, row: int, other: int, inside: Words) -> None:
        """State that two columns in different parts need one that leads out of the first part."""
        crossing = meets(self.meet, inside) & (self.meet & ~inside).any(axis=1)
        out = [self.literals[n] for n in np.nonzero(crossing)[0].tolist()]
        self.model.add_bool_or([*out, ~self.literals[row], ~self.literals[other]])

    def _exclude(self, chosen: Sequence[int]) -> None:
        """Forbid exactly this choice of columns."""
        picked = set(chosen)
        self.model.add_bool_or(
            ~literal if number in picked else literal for number, literal in enumerate(self.literals)
        )


def _within(rows: Words, one: Words) -> np.ndarray:
    return ~(rows & ~one).any(axis=1)
