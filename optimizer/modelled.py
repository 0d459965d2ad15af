"""What the formulations with CP-SAT alone have in common: trains, words, and the search.

Two words are too rich to be stated at once, chains of four and more routes and
:class:`~engine.routing.vocabulary.MustRun`. Their models allow more than the
words do. Each run found is therefore priced by the words; where it is worth
less than the model thinks, what the model lacks is added and it is solved again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import (
    AtMostRoutes,
    Chains,
    Echo,
    GroupBonus,
    HexSubsidy,
    MustMeet,
    MustRun,
    MustVisit,
    OneOf,
    PaidOnce,
    SomeRoute,
    Word,
)
from optimizer.chain_rows import ChainRows
from optimizer.cpsat import OnBetter, new_solver, run_solver
from optimizer.first_run import first_run
from optimizer.fleet import staff
from optimizer.objective import most_value
from optimizer.pricing import Price, addable, carriages_for, price, with_choice
from optimizer.rows import Linear, Rows, Slot, StatementStopped
from optimizer.task import IMPOSSIBLE, Outcome, Task

Values = cp_model.CpSolver | cp_model.CpSolverSolutionCallback


class Formulation(ABC):
    """A model of a task. Stating it raises StatementStopped if time runs out."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.model = cp_model.CpModel()
        self.slots: list[Slot] = []
        self.rows = Rows(task.problem, task.weights, self.model, self.slots, task.stop)
        self.chains: ChainRows | None = None

    @abstractmethod
    def read(self, values: Values) -> list[tuple[Slot, NetRoute]]:
        """Return the routes that run in a solution; only pinned ones name a train."""

    @abstractmethod
    def marked(self, slot: Slot, word: SomeRoute) -> Sequence[Literal]:
        """Return literals of which one is true just if the slot's route has what some must have."""

    def state_fleet(self) -> None:
        """No more routes than trains of each class and carriages, pinned ones aside."""
        problem = self.task.problem
        free = free_trains(self.task)
        turned: dict[int, list[Linear]] = {}
        spent: dict[int, list[Linear]] = {}
        left = self._carriages_left()
        for attachment, count in zip(problem.attachments, left, strict=True):
            taken = []
            for before, after in sorted(attachment.turns.items()):
                times = self.model.new_int_var(0, attachment.count, "")
                turned.setdefault(after, []).append(times)
                spent.setdefault(before, []).append(times)
                taken.append(times)
            self.model.add(cp_model.LinearExpr.sum(taken) <= count)
        for cls in range(len(problem.classes)):
            plain = self.model.new_int_var(0, free[cls], "")
            self.model.add(cp_model.LinearExpr.sum([plain, *spent.get(cls, ())]) <= free[cls])
            running = [s.used for s in self.slots if s.cls == cls and s.pinned is None]
            able = cp_model.LinearExpr.sum([plain, *turned.get(cls, ())])
            self.model.add(cp_model.LinearExpr.sum(running) <= able)

    def _carriages_left(self) -> list[Linear]:
        """Return how many carriages of each kind the pinned trains leave."""
        problem = self.task.problem
        left: list[Linear] = [attachment.count for attachment in problem.attachments]
        for pinned in self.task.pinned:
            if pinned.train not in problem.classes[pinned.cls].trains:
                takes = {kind: self.rows.literal() for kind in carriages_for(problem, pinned)}
                self.model.add_exactly_one(takes.values())
                for kind, literal in takes.items():
                    left[kind] = cp_model.LinearExpr.sum([left[kind], -literal])
        return left

    def state_words(self) -> None:
        """State the coupling words that both formulations state alike, and the objective."""
        rows = self.rows
        loose: dict[str, Sequence[Literal]] = {}
        for chains in rows.problem.words_of(Chains):
            self.chains = ChainRows(rows, chains)
            loose = {name: [literal] for name, literal in self.chains.counted.items()}
        for word in rows.problem.words:
            if isinstance(word, HexSubsidy):
                rows.hex_subsidy(word)
            elif isinstance(word, GroupBonus):
                rows.group_bonus(word)
            elif isinstance(word, PaidOnce):
                rows.paid_once(word, loose)
            elif isinstance(word, Echo):
                rows.echo(word)
            else:
                self._forbids(word)
        rows.terms.append(self.task.weights.revenue * rows.problem.constant)
        if self.task.floor is not None:
            self.model.add(cp_model.LinearExpr.sum(rows.terms) >= self.task.floor)
        self.model.maximize(cp_model.LinearExpr.sum(rows.terms))

    def _forbids(self, word: Word) -> None:
        """State a word that forbids runs, if this is one."""
        if isinstance(word, MustVisit):
            self.rows.must_visit(word)
        elif isinstance(word, MustMeet):
            self.rows.must_meet(word)
        elif isinstance(word, OneOf):
            self.rows.one_of(word)
        elif isinstance(word, AtMostRoutes):
            self.rows.at_most_routes(word)
        elif isinstance(word, SomeRoute):
            self.rows.some_route([lit for slot in self.slots for lit in self.marked(slot, word)])

    def best_of(self, count: int, gains: Mapping[int, Sequence[Literal]], weight: int) -> None:
        """Of the gains of the routes that run the best `count` are paid.

        Parameters
        ----------
        gains
            By amount in £, literals of routes that have it.
        """
        paid = []
        for amount, literals in sorted(gains.items()):
            if amount > 0:
                times = self.model.new_int_var(0, count, "")
                self.model.add(times <= cp_model.LinearExpr.sum(list(literals)))
                self.rows.terms.append(weight * amount * times)
                paid.append(times)
        self.model.add(cp_model.LinearExpr.sum(paid) <= count)

    def settle(
        self, chosen: Sequence[tuple[Slot, NetRoute]], run: Sequence[NetRoute], known: Price
    ) -> None:
        """Add what the model lacks about a run worth less than the model thinks."""
        codes = {fault.code for fault in known.faults}
        if codes <= {"CHAIN_IMPOSSIBLE"} and self.chains is not None:
            self.chains.settle(chosen)
        elif codes == {"TRAIN_MUST_RUN"}:
            for word in self.task.problem.words_of(MustRun):
                more = addable(self.task.problem, word, run)
                if more is not None:
                    self.model.add_bool_or(*self._blocks(chosen, more))
        elif not codes and any(cls.pay.choice for cls in self.task.problem.classes):
            self._pays_no_more(chosen, known)
        else:
            raise AssertionError(f"the model and the words disagree: {known}, {run}")

    def _pays_no_more(self, chosen: Sequence[tuple[Slot, NetRoute]], known: Price) -> None:
        """State what a run pays whose stops are chosen for another amount than is sought.

        The stops that pay are those with the most revenue; the model may take
        others for their subsidy.
        """
        running = dict(chosen)
        other: list[Literal] = []
        for slot in self.slots:
            route = running.get(slot)
            if route is None:
                other.append(slot.runs())
                continue
            stops, legs = set(slot.stops()) - set(route.stops), set(slot.legs()) - set(route.legs)
            other.extend(slot.touching(sorted(stops), sorted(legs)))
            other.append(slot.runs().negated())
            other.extend(slot.visits(stop).negated() for stop in route.stops)
        most = cp_model.LinearExpr.sum(self.rows.terms)
        same = self.rows.literal()
        self.model.add(most <= known.value(self.task.weights)).only_enforce_if(same)
        self.model.add_bool_or(same, *other)

    def _blocks(self, chosen: Sequence[tuple[Slot, NetRoute]], more: NetRoute) -> Iterator[Literal]:
        """Yield literals of which one is true in every run to which `more` cannot be added.

        The route can be added again where a train of its class is idle, what
        it meets is still there, its track is free, and, if it chains, the
        chained routes end as they do now.
        """
        problem = self.task.problem
        running = dict(chosen)
        yield next(s for s in self.slots if s not in running and s.cls == more.cls).runs()
        meeting = [word.stops for word in problem.words_of(MustMeet)]
        if not running:
            yield from (slot.runs() for slot in self.slots)
        elif not meeting:
            yield from (slot.runs().negated() for slot in running)
        for stops in meeting if running else ():
            slot, stop = next(
                (slot, stop)
                for slot, route in chosen
                for stop in route.stops
                if stop in stops and stop in more.stops
            )
            yield slot.visits(stop).negated()
        yield from self._in_the_way(more)
        if self.chains is not None and more.cls in self.chains.word.classes:
            yield from self.chains.differs(running)

    def _in_the_way(self, more: NetRoute) -> Iterator[Literal]:
        """Yield literals of routes that use track or claims that `more` needs."""
        problem = self.task.problem
        mine = problem.classes[more.cls]
        items = {item for leg in more.legs for item in problem.legs[leg].items}
        marks = {mark for leg in more.legs for mark in problem.legs[leg].marks}
        claims = {mine.claims[stop] for stop in more.stops if stop in mine.claims}
        for slot in self.slots:
            other = problem.classes[slot.cls]
            shares = mine.track is not None and other.track == mine.track
            legs = {
                number
                for number, leg in enumerate(problem.legs)
                if (shares and not leg.items.isdisjoint(items))
                or any(
                    marks & word.marks and leg.marks & word.marks - marks
                    for word in problem.words_of(OneOf)
                )
            }
            stops = {s for s, claim in other.claims.items() if shares and claim in claims}
            yield from slot.touching(stops, legs)


def free_trains(task: Task) -> list[int]:
    """Return by class how many trains no pinned route binds."""
    pinned = {route.train for route in task.pinned}
    return [sum(train not in pinned for train in cls.trains) for cls in task.problem.classes]


def slot_classes(task: Task) -> Iterator[tuple[int, int]]:
    """Yield each class that free trains may run as, with how many can at most."""
    free = free_trains(task)
    for cls in range(len(task.problem.classes)):
        capacity = free[cls] + sum(
            min(attachment.count, free[before])
            for attachment in task.problem.attachments
            for before, after in attachment.turns.items()
            if after == cls
        )
        if capacity:
            yield cls, capacity


def solve_formulation(task: Task, make: Callable[[Task], Formulation], proof: str) -> Outcome:
    """Solve a task by a formulation, adding to it what runs found show to be lacking.

    Parameters
    ----------
    make
        States the model.
    proof
        What the outcome is to say of its proof.
    """
    return _Search(task, proof).run(make)


class _Search:
    """The best run found and the bound, from one call of the solver to the next."""

    def __init__(self, task: Task, proof: str) -> None:
        self.task = task
        self.proof = proof
        self.bound = most_value(task.problem, task.weights)
        self.best: tuple[NetRoute, ...] = ()
        self.value = IMPOSSIBLE
        self._offer(task.pinned)
        if task.floor is None:
            routes, value = first_run(task)
            if value > self.value:
                self._offer(routes)

    def run(self, make: Callable[[Task], Formulation]) -> Outcome:
        try:
            with self.task.stages("model"):
                formulation = make(self.task)
            while not self.task.stop.over() and self._once(formulation):
                pass
        except StatementStopped:
            self.task.stages.count("model", stopped=1)
        if self.task.floor is not None and self.value < self.task.floor:
            proven = self.bound < self.task.floor
            return Outcome(self.best, self.value, self.bound, self.proof if proven else "")
        return Outcome(
            self.best, self.value, self.bound, self.proof if self.bound <= self.value else ""
        )

    def _once(self, formulation: Formulation) -> bool:
        """Solve the model as it is; True if it must be solved again."""
        solver = new_solver(self.task.seed)

        def look(values: Values) -> None:
            self._look(formulation, values)

        watch = OnBetter(look)
        with self.task.stages("cp-sat") as stage:
            answer = run_solver(solver, formulation.model, self.task.stop, watch)
            stage.counts["solves"] = stage.counts.get("solves", 0) + 1
        if watch.error is not None:
            raise watch.error
        if answer.infeasible:
            floor = IMPOSSIBLE if self.task.floor is None else self.task.floor - 1
            self.bound = min(self.bound, max(self.value, floor))
        if not answer.found:
            return False
        if answer.bound is not None:
            self.bound = min(self.bound, max(self.value, answer.bound))
        chosen = formulation.read(solver)
        run, known = self._look(formulation, solver)
        worth = known.value(self.task.weights) if known.legal else IMPOSSIBLE
        if worth < answer.value and self.value < self.bound:
            formulation.settle(chosen, run, known)
            return True
        return False

    def _look(self, formulation: Formulation, values: Values) -> tuple[Sequence[NetRoute], Price]:
        """Price the run of a solution and keep it if it is the best so far."""
        routes = [route for _, route in formulation.read(values)]
        pinned = [route for route in routes if route.train]
        run = staff(self.task.problem, [route for route in routes if not route.train], pinned)
        if run is None:
            raise AssertionError("the model runs more trains than there are")
        return run, self._offer(run)

    def _offer(self, run: Sequence[NetRoute]) -> Price:
        problem = self.task.problem
        known = price(problem, run)
        value = known.value(self.task.weights)
        if known.legal and value > self.value:
            self.best, self.value = with_choice(problem, run), value
            if self.task.progress is not None:
                self.task.progress(self.best, value, max(value, self.bound))
        return known
