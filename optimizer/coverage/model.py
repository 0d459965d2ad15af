"""What is left after bounds and fixing, as a model for CP-SAT.

One literal for each column; an element is paid if one of its columns runs. That
all runs meet is said in two ways: at the start, for each column away from home,
that another one leads out of where it passes; later, for each part of a run that
is not connected, that some column leads out of that part.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from ortools.sat.python import cp_model

from optimizer.coverage.arrays import Flags, Floats, Ints, Words, meets, pack
from optimizer.coverage.chains import ChainColumns
from optimizer.coverage.columns import Group
from optimizer.coverage.exchange import Finder, Refusal
from optimizer.coverage.modelled import Modelled
from optimizer.coverage.node import Node
from optimizer.cpsat import new_solver, run_solver
from optimizer.stop import Stop

CUTS_AT_ONCE = 3000
"""Columns for which cuts are stated at the start."""


def prove(
    finder: Finder,
    root: Node,
    groups: Sequence[Group],
    stop: Stop,
    seed: int,
    state: Modelled,
    effort: float | None = None,
) -> bool:
    """Find the best run in the groups if it is better than the finder's.

    Parameters
    ----------
    state
        Filled while it works, so that the bound is known if time runs out.
    effort
        Give up after so much work for each model, in CP-SAT's deterministic
        seconds; None: go on until it is proven.

    Returns
    -------
    bool
        It is proven that the groups have no run better than the finder's now.

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
        if effort is not None:
            solver.parameters.max_deterministic_time = effort
        answer = run_solver(solver, model.model, stop)
        state.rounds += 1
        if answer.infeasible:
            state.bound = finder.value
            return True
        if answer.bound is not None:
            state.bound = max(finder.value, min(state.bound, answer.bound))
        finder.check_time()
        if not answer.found:
            return False
        chosen = [n for n, literal in enumerate(model.literals) if solver.boolean_value(literal)]
        model.take(chosen, state)
        if effort is not None and answer.bound != answer.value:
            return False


class _Model:
    def __init__(self, finder: Finder, root: Node, groups: Sequence[Group]) -> None:
        self.finder = finder
        self.root = root
        self.model = cp_model.CpModel()
        self.places = [(group, row) for group in groups for row in range(len(group))]
        self.literals = [self.model.new_bool_var("") for _ in self.places]
        owners, pieces = _pieces(groups)
        self.owner, self.pieces = owners, pieces
        home, meet = finder.statement.home_mask, finder.statement.meet_mask
        self.home_mask = home if home and home & meet == home and not root.home else 0
        self.home = np.concatenate([group.home for group in groups])
        self.nodes = np.concatenate([group.nodes for group in groups])
        self._limit(groups)
        self._pay(groups)
        self._goal = self.model.new_int_var(0, finder.statement.most, "")
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
            self.finder.check_time()
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
        if self.finder.meeting and self.home_mask:
            alone = np.nonzero(np.bincount(self.owner) == 1)[0]
            away = alone[~self.home[alone]].tolist()
            for row in away[:CUTS_AT_ONCE]:
                self.finder.check_time()
                inside = self.pieces[self.owner == row][0]
                self._lead_out([[row]], inside)
                state.cuts += 1

    def _lead_out(self, groups: Sequence[Sequence[int]], inside: Words) -> None:
        """State for each set of columns that, if all run, one leads out of the set `inside`."""
        crossing = meets(self.pieces, inside) & ~_within(self.pieces, inside)
        out = [self.literals[n] for n in np.unique(self.owner[crossing]).tolist()]
        for rows in groups:
            self.model.add_bool_or([*out, *(~self.literals[row] for row in rows)])

    def take(self, chosen: Sequence[int], state: Modelled) -> None:
        """Offer a solution as a run; where it is none, state why."""
        node = self.root
        for number in chosen:
            node = node.add(*self.places[number])
        if not self.finder.meeting or len(node.parts) <= 1:
            if not self.finder.offer(node):
                self._exclude(chosen, self.finder.refusal)
            return
        away = [part for part in node.parts if self.home_mask and not part & self.home_mask]
        words = self.pieces.shape[1]
        for inside in pack(away or node.parts[:-1], words):
            within = _within(self.pieces, inside)
            within &= meets(self.pieces, inside) | (not inside.any())
            if away:
                rows = [[row] for row in np.unique(self.owner[within]).tolist()]
            else:
                mine = np.isin(self.owner, chosen)
                one = int(np.nonzero(mine & within)[0][0])
                mine[one] = False
                other = int(np.nonzero(mine & ~meets(self.pieces, inside))[0][0])
                rows = [sorted({int(self.owner[n]) for n in (one, other)})]
            self._lead_out(rows, inside)
            state.cuts += 1

    def _exclude(self, chosen: Sequence[int], refusal: Refusal) -> None:
        """Forbid exactly this choice of columns, or of chains."""
        picked = set(chosen)
        chains = refusal is Refusal.CHAINS
        self.model.add_bool_or(
            ~literal if number in picked else literal
            for number, literal in enumerate(self.literals)
            if not chains or isinstance(self.places[number][0].source, ChainColumns)
        )


def _within(rows: Words, one: Words) -> Flags:
    return np.asarray(~np.asarray((rows & ~one).any(axis=1)))


def _pieces(groups: Sequence[Group]) -> tuple[Ints, Words]:
    """Return the sets of anchors that are connected by a column, with the columns' numbers."""
    owners, pieces, first = [], [], 0
    for group in groups:
        for piece in group.pieces or (group.meet,):
            owners.append(np.arange(first, first + len(group), dtype=np.int64))
            pieces.append(piece)
        first += len(group)
    return np.concatenate(owners), np.concatenate(pieces)
