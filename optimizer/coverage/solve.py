"""The coverage engine: enumerate, first run, price bound, exchange, proof.

See :func:`solve_coverage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.coverage.chains import (
    ChainBook,
    ChainColumns,
    PairColumns,
    division_holds,
)
from optimizer.coverage.columns import Group, RouteBook, pinned_group, train_group
from optimizer.coverage.enumerate import TimeUpError
from optimizer.coverage.exchange import Finder, Refusal
from optimizer.coverage.first import build_runs, exchange_one, exchange_two
from optimizer.coverage.fleets import FleetBounds
from optimizer.coverage.idle import IdleTrains
from optimizer.coverage.modelled import Modelled
from optimizer.coverage.node import Node, Pick
from optimizer.coverage.patterns import ChainType, Pattern, chain_patterns
from optimizer.coverage.prices import price_bound, reprice, root_node
from optimizer.coverage.statement import read_statement
from optimizer.coverage.tighten import Tightened, tighten
from optimizer.coverage.tree import Tree, useful_columns
from optimizer.pricing import price_what_runs
from optimizer.task import IMPOSSIBLE, Outcome, Task

BOTH, SEARCH, CP_SAT = "", "search", "cp-sat"
RELIEF = 2.0
"""Deterministic seconds for CP-SAT where the search takes long."""
PASSES_FIRST = 24
"""The most passes of the meeting bound before a proof."""
SOME = 32
"""Pairs of ends whose chains are looked at first where there are many."""


def solve_coverage(task: Task) -> Outcome:
    """Return the best run of a problem whose payments count once.

    Bounds come first; what they leave open is closed by search. Where that takes
    long, CP-SAT has a short try at what is left: it is slower nearly everywhere,
    but not where the trains together can pay nearly everything.

    Parameters
    ----------
    task
        A problem with the word :class:`~engine.routing.vocabulary.PaidOnce`.

    Returns
    -------
    Outcome
        With proof ``bounds``, ``search`` or ``cp-sat``. No run has a larger value than the
        bound. Without routes if nothing may run, or if no run holds the pinned
        routes.

    Raises
    ------
    ValueError
        The problem is none for this engine.

    Notes
    -----
    Equal tasks have equal answers, unless time runs out; the seed plays no part in
    the search. Of equal runs one without trains that bring nothing is returned,
    but it need not have the fewest trains; asked again with less trains and the
    value as floor, the engine tells whether there is one.
    """
    return _Solve(task, BOTH).outcome()


def solve_coverage_search(task: Task) -> Outcome:
    """Return the best run, proven by bounds and search; see :func:`solve_coverage`."""
    return _Solve(task, SEARCH).outcome()


def solve_coverage_cp_sat(task: Task) -> Outcome:
    """Return the best run, proven by bounds and CP-SAT; see :func:`solve_coverage`."""
    return _Solve(task, CP_SAT).outcome()


@dataclass
class _Plan:
    """Groups that may run together: one pattern of chains beside the other trains.

    Parameters
    ----------
    groups
        Groups of single trains.
    pairs
        Groups of pairs of ends, for chains.
    bound
        No run of the plan exceeds it, in units.
    root
        The node without columns, at prices that give the bound.
    exact
        All chains of the pattern run, and no others.
    closed
        No run of the plan is better than the best one known.
    """

    groups: list[Group]
    pairs: list[Group]
    bound: float
    root: Node
    exact: bool
    closed: bool = False

    @property
    def all_groups(self) -> list[Group]:
        """Both kinds of groups."""
        return self.groups + self.pairs


class _Solve:
    """One solve.

    Parameters
    ----------
    every
        Keep all columns that differ, not only those that no other one can stand for.
    """

    def __init__(self, task: Task, prover: str, every: bool = False) -> None:
        self.task = task
        self.prover = prover
        self.every = every
        self.over = task.stop.over
        self.stages = task.stages
        self.plans: list[_Plan] = []
        self.planned = False
        self.proofs: set[str] = set()
        self.ended = False
        with self.stages("read"):
            self.statement = read_statement(task)
        self.bound = float(self.statement.most)
        self.idle: IdleTrains | None = None
        forced = bool(self.statement.must_run or task.pinned)
        self.finder = Finder(
            self.statement, self.over, self._accept, self._tell, -1.0 if forced else 0.0
        )
        self.met: tuple[Pick, ...] | None = None if forced else ()
        self.met_value = self.finder.value

    def outcome(self) -> Outcome:
        """Solve the task."""
        try:
            self._make_plans()
            if self.task.floor is None:
                self._find_first()
            else:
                self._raise_floor(self.task.floor)
            self._close_plans()
            self.bound = self.finder.value
        except TimeUpError:
            self.ended = True
        if self.idle is not None and self.idle.hidden and not self.every and not self.ended:
            return _Solve(self.task, self.prover, every=True).outcome()
        return self._answer()

    def _accept(self, node: Node) -> Node | Refusal:
        """Return a run that is legal in what arrays do not hold, or why it is refused."""
        links = [
            pick.group.source.link(pick.row)
            for pick in node.picks
            if isinstance(pick.group.source, ChainColumns)
        ]
        if not division_holds(self.statement, links):
            return Refusal.CHAINS
        return node if self.idle is None else self.idle.complete(node)

    def _tell(self, picks: Sequence[Pick], value: float) -> None:
        if self.task.progress is not None:
            unit = self.statement.unit
            routes, worth = self._told(picks, value)
            bound = max(worth, floor(self.bound))
            self.task.progress(routes, worth * unit, bound * unit)

    def _told(self, picks: Sequence[Pick], value: float) -> tuple[tuple[NetRoute, ...], int]:
        """Return the routes of a run and what they are worth, in units.

        That can be more than its columns say: of chained routes the best division
        pays, and of a closed chain the best stop, whatever the columns stand for.
        """
        routes = self._routes(picks)
        if sum(self.statement.is_chained(route.cls) for route in routes) < 2:
            return routes, int(value)
        known = price_what_runs(self.statement.problem, routes)
        return routes, max(int(value), known.value(self.task.weights) // self.statement.unit)

    # --- plans ------------------------------------------------------------------

    def _make_plans(self) -> None:
        statement = self.statement
        with self.stages("enumerate"):
            routes = RouteBook(statement, self.over)
            groups = [
                pinned_group(statement, number)
                if part.pinned is not None
                else train_group(statement, number, routes.best(part.cls, self.every))
                for number, part in enumerate(statement.parts)
                if not statement.is_chained(part.cls)
            ]
            self.book = ChainBook(statement, self.over, self.every)
            if statement.must_run:
                self.idle = IdleTrains(statement, groups, routes, self.book, self.every)
        self.stages.count("enumerate", columns=sum(len(group) for group in groups))
        with self.stages("chains"):
            self._plan_chains(groups)
        self.planned = True
        self.stages.count(
            "chains", plans=len(self.plans), pairs=sum(len(p) for p in self.known_pairs.values())
        )

    def _plan_chains(self, groups: list[Group]) -> None:
        """Make one plan for each pattern of chains."""
        self.known_pairs: dict[tuple[ChainType, int], Group] = {}
        must = {n for n in self.book.runs if self.statement.parts[n].pinned is not None}
        exact = self.idle is not None and bool(self.idle.chained)
        for pattern in self._patterns(frozenset(must), exact):
            pairs = [
                self._pairs(kind, pattern.count(kind), exact or not must.isdisjoint(kind))
                for kind in sorted(set(pattern))
            ]
            everything = self._only_home(groups + pairs)
            root = root_node(self.statement, everything)
            bound = _units(price_bound(root, everything), everything)
            cut = len(groups)
            self.plans.append(_Plan(everything[:cut], everything[cut:], bound, root, exact))
        self.plans.sort(key=lambda plan: -plan.bound)

    def _patterns(self, must: frozenset[int], exact: bool) -> tuple[Pattern, ...]:
        """Return the patterns of chains to be searched."""
        chains, parts = self.statement.chains, self.statement.parts
        if chains is None or not self.book.runs:
            return ((),)
        copies = {number: len(parts[number].trains) for number in self.book.runs}
        binding = frozenset(n for n in copies if parts[n].cls in chains.binding)
        patterns = chain_patterns(copies, binding, chains.single, must, every=exact)
        if exact and self.idle is not None and self.idle.nothing_chained():
            return tuple(pattern for pattern in patterns if pattern)
        return patterns

    def _pairs(self, kind: ChainType, copies: int, must: bool) -> Group:
        key = (kind, copies)
        if key not in self.known_pairs:
            self.known_pairs[key] = self.book.pairs(kind, copies, must)
        return self.known_pairs[key]

    def _only_home(self, groups: list[Group]) -> list[Group]:
        """A train that runs alone visits home."""
        if sum(group.copies for group in groups) > 1:
            return groups
        return [group.take(group.home) for group in groups]

    def _chains(self, plan: _Plan, pairs: Group) -> Group:
        """Return the chains of a plan between pairs of ends."""
        allowed = None
        if plan.exact and self.idle is not None and len(plan.pairs) == 1 and pairs.copies == 1:
            allowed = self.idle.only_chain(pairs.source.parts)
        return self.book.chains(pairs, allowed)

    # --- first run ----------------------------------------------------------------

    def _find_first(self) -> None:
        """Find a good run among single trains and chains of one."""
        with self.stages("first run"):
            if self.idle is not None and not self.task.pinned:
                self.finder.offer(root_node(self.statement, []))
            for plan in self.plans:
                self.finder.check_time()
                if any(pairs.must and pairs.trains > 1 for pairs in plan.pairs):
                    continue
                chains = [self._chains(plan, p) for p in plan.pairs if p.trains == 1]
                groups = plan.groups + chains
                build_runs(self.finder, plan.root, groups)
                exchange_one(self.finder, plan.root, groups)
        self.stages.count("first run", value=int(self.finder.value))

    def _raise_floor(self, least: int) -> None:
        """Look only for runs of the value that is of interest: where bounds show that there are
        none, no first run is needed."""
        lowest = -(-least // self.statement.unit) - 1
        if self.finder.value < lowest:
            self.finder.value, self.finder.picks = float(lowest), None

    # --- proof --------------------------------------------------------------------

    def _close_plans(self) -> None:
        """Prove plan after plan that it has no better run, or find one."""
        with self.stages("bound"):
            root = None
            for plan in self.plans:
                self.finder.check_time()
                self._bound_plan(plan, root)
                root = plan.root
                self._note_bound()
        self.plans.sort(key=lambda plan: -plan.bound)
        self.stages.count("bound", value=int(self.bound))
        for plan in self.plans:
            if plan.bound > self.finder.value:
                self._close(plan, self.finder)
            plan.closed = True
            self._note_bound()

    def _note_bound(self) -> None:
        """Take over what the plans say about the best run, once all of them are made."""
        if not self.planned:
            return
        bounds = [plan.bound for plan in self.plans if not plan.closed]
        if self.idle is not None and not self.every:
            bounds.append(self.idle.refused)
        self.bound = min(self.bound, max([self.finder.value, *bounds]))

    def _bound_plan(self, plan: _Plan, root: Node | None) -> None:
        """Bound a plan, beginning with the prices of another one if they are better."""
        groups = plan.all_groups
        if root is not None and price_bound(root, groups) < plan.bound:
            plan.root = root
        check = self.finder.check_time
        plan.root, bound = reprice(plan.root, groups, self.finder.value + 1, check=check)
        plan.bound = min(plan.bound, _units(bound, groups))

    def _close(self, plan: _Plan, finder: Finder) -> None:
        """Find the best run of a plan if it is better than the finder's."""
        root = plan.root
        with self.stages("fix"):
            groups = useful_columns(root, plan.all_groups, finder.value + 1) or []
        if plan.pairs and groups:
            if any(self._many(group) for group in groups):
                self._try_some(plan, finder, groups)
                groups = useful_columns(root, groups, finder.value + 1) or []
            groups = self._with_chains(plan, groups)
            with self.stages("fix"):
                groups = useful_columns(root, groups, finder.value + 1) or []
        with self.stages("exchange"):
            build_runs(finder, root, groups)
            exchange_two(finder, root, groups)
        with self.stages("bound"):
            root, bound = reprice(root, groups, finder.value + 1, check=finder.check_time)
            plan.bound = min(plan.bound, max(finder.value, _units(bound, groups)))
        if plan.bound <= finder.value:
            return
        with self.stages("fix"):
            groups = useful_columns(root, groups, finder.value + 1) or []
        self.stages.count("fix", left=sum(len(group) for group in groups))
        if any(len(group) for group in groups):
            self._prove(plan, finder, root, groups)

    def _many(self, group: Group) -> bool:
        return isinstance(group.source, PairColumns) and group.trains > 1 and len(group) > 2 * SOME

    def _try_some(self, plan: _Plan, finder: Finder, groups: list[Group]) -> None:
        """Find a run with chains between the best pairs of ends, so that fewer chains count."""
        some = [
            group.take(np.argsort(-plan.root.scores(group), kind="stable")[:SOME])
            if self._many(group)
            else group
            for group in groups
        ]
        chosen = self._with_chains(plan, some)
        with self.stages("exchange"):
            build_runs(finder, plan.root, chosen)
            exchange_two(finder, plan.root, chosen)

    def _with_chains(self, plan: _Plan, groups: list[Group]) -> list[Group]:
        """Return the groups with chains in place of pairs of ends."""
        with self.stages("chains"):
            found = [
                self._chains(plan, group) if isinstance(group.source, PairColumns) else group
                for group in groups
            ]
        self.stages.count("chains", chains=sum(len(group) for group in found))
        return found

    def _prove(self, plan: _Plan, finder: Finder, root: Node, groups: list[Group]) -> None:
        """Tighten the bounds of what is left, then search it or hand it to CP-SAT."""
        if sum(group.copies for group in groups) == 1:
            with self.stages("proof"):
                finder.complete(root, groups)
            self.proofs.add(SEARCH)
            return
        with self.stages("tighten"):
            below = tighten(finder, root, groups, PASSES_FIRST, polish=True)
        plan.bound = min(plan.bound, max(finder.value, _units(below.bound, groups)))
        groups = below.at(finder.value + 1)
        self.stages.count("tighten", left=sum(len(group) for group in groups))
        if plan.bound <= finder.value or not any(len(group) for group in groups):
            return
        self._search_or_model(plan, finder, below)

    def _search_or_model(self, plan: _Plan, finder: Finder, below: Tightened) -> None:
        state = Modelled()

        def by_model(effort: float | None) -> bool:
            left = below.at(finder.value + 1)
            if not any(len(group) for group in left):
                return True
            stop, seed = self.task.stop, self.task.seed
            with stop.standing_still():
                from optimizer.coverage.model import prove  # CP-SAT, which few solves need

            return prove(finder, below.node, left, stop, seed, state, effort)

        relief = (lambda: by_model(RELIEF)) if self.prover == BOTH else None
        tree = Tree(finder, dominance=not self.every, relief=relief)
        with self.stages("proof"):
            try:
                if self.prover == CP_SAT:
                    by_model(None)
                else:
                    tree.search(below)
            except TimeUpError:
                plan.bound = max(finder.value, floor(min(plan.bound, tree.bound, state.bound)))
                raise
            finally:
                self.stages.count("proof", nodes=tree.nodes, rounds=state.rounds, cuts=state.cuts)
        self.proofs.add(CP_SAT if self.prover == CP_SAT or tree.relieved else SEARCH)

    # --- answer ---------------------------------------------------------------------

    def _answer(self) -> Outcome:
        unit = self.statement.unit
        self._note_bound()
        bound = int(max(self.finder.value, floor(self.bound)))
        picks, value = self.finder.picks, self.finder.value
        if picks is None:
            picks, value = self.met, self.met_value
        if picks is None:
            proof = self._proof(bound < 0)
            return Outcome((), IMPOSSIBLE, bound * unit if bound >= 0 else IMPOSSIBLE, proof)
        routes, worth = self._told(picks, value)
        bound = max(bound, worth)
        outcome = Outcome(routes, worth * unit, bound * unit, self._proof(bound <= worth))
        if outcome.proven and self.task.floor is None and not (self.idle or self.task.pinned):
            known = [(plan.root, plan.all_groups) for plan in self.plans]
            outcome.fleet_bound = FleetBounds(self.statement, known)
        return outcome

    def _proof(self, proven: bool) -> str:
        """Return what closed the gap: the strongest means that any plan needed."""
        if not proven:
            return ""
        return next((name for name in (CP_SAT, SEARCH) if name in self.proofs), "bounds")

    def _routes(self, picks: Sequence[Pick]) -> tuple[NetRoute, ...]:
        """Return the routes of columns, with their trains named."""
        left = {number: list(part.trains) for number, part in enumerate(self.statement.parts)}
        routes = []
        for pick in picks:
            source = pick.group.source
            for route, part in zip(source.routes(pick.row), self._parts_of(pick), strict=True):
                train = left[part].pop(0)
                routes.append(NetRoute(train, route.cls, route.stops, route.legs, route.paid))
        order = {
            train: number
            for number, train in enumerate(
                train for cls in self.statement.problem.classes for train in cls.trains
            )
        }
        return tuple(sorted(routes, key=lambda route: order[route.train]))

    def _parts_of(self, pick: Pick) -> tuple[int, ...]:
        source = pick.group.source
        if isinstance(source, ChainColumns):
            return tuple(source.order[pick.row].tolist())
        return source.parts


def _units(bound: float, groups: Sequence[Group]) -> float:
    """Return a bound in whole units; that of the run of nothing where that may be it."""
    least = -1.0 if any(group.must for group in groups) else 0.0
    return max(least, floor(bound)) if bound >= least else least
