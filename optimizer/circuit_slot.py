"""A train whose route is a circuit of legs through a depot, for :mod:`optimizer.circuit`."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import Bonus, Budget, Choice, Has, Of
from optimizer.rows import Linear, Rows, Slot

DEPOT = 0
"""Node of every circuit beside the stops."""


class CircuitSlot(Slot):
    """A train whose legs form a circuit: depot, first stop, ..., last stop, depot.

    Attributes
    ----------
    start, end
        By stop, literals: the route starts, or ends, there.
    visit
        By stop, literals: the route visits it.
    ahead, back, leg
        By leg, literals: the route runs over it from its `a` to its `b`, the
        other way, or either way.
    """

    def __init__(self, rows: Rows, cls: int, pinned: NetRoute | None = None) -> None:
        super().__init__(cls, pinned)
        self.rows = rows
        self.model = rows.model
        self.problem = rows.problem
        self.reach = rows.problem.classes[cls].reach
        self._runs = rows.literal()
        self.visit = {stop: rows.literal() for stop in sorted(self.reach.visits)}
        closing = sorted(self.reach.ends & self.reach.visits)
        self.start = {stop: rows.literal() for stop in closing}
        self.end = {stop: rows.literal() for stop in closing}
        legs = [
            number
            for number, leg in enumerate(self.problem.legs)
            if (self.reach.legs is None or number in self.reach.legs)
            and {leg.a, leg.b} <= self.visit.keys()
        ]
        self.ahead = {number: rows.literal() for number in legs}
        self.back = {number: rows.literal() for number in legs}
        self.leg = {n: rows.any_of([self.ahead[n], self.back[n]]) for n in legs}
        self._ends = {stop: rows.any_of([self.start[stop], self.end[stop]]) for stop in closing}
        self._ends_by: dict[tuple[int, int], cp_model.IntVar] = {}
        self.paying = self.visit
        choice = rows.problem.classes[cls].pay.choice
        if choice is not None:
            self.paying = {stop: rows.literal() for stop in self.visit}
            self._choose(choice)
        self._circuit()
        self._reach()
        if pinned is not None:
            self._pin(pinned)

    # --- what a slot shows ---------------------------------------------------

    @property
    def used(self) -> Linear:
        """1 if it runs."""
        return self._runs

    def running(self) -> Sequence[Literal]:
        """Return the literal that it runs."""
        return [self._runs]

    def runs(self) -> Literal:
        """Return a literal: it runs."""
        return self._runs

    def stops(self) -> Collection[int]:
        """Return the stops that its route may visit."""
        return self.visit.keys()

    def legs(self) -> Collection[int]:
        """Return the legs that its route may use."""
        return self.leg.keys()

    def visits(self, stop: int) -> Literal:
        """Return a literal: its route visits the stop."""
        return self.visit[stop]

    def ends(self) -> Collection[tuple[int, int]]:
        """Return every end that a route may have; leg -1 for a route of one stop."""
        found = [
            (stop, number)
            for number in self.leg
            for stop in (self.problem.legs[number].a, self.problem.legs[number].b)
            if stop in self._ends
        ]
        return found + [(stop, -1) for stop in self._ends if self.reach.fewest <= 1]

    def ends_by(self, stop: int, leg: int) -> Literal:
        """Return a literal: its route ends at the stop by the leg."""
        if (stop, leg) not in self._ends_by:
            pair = (
                (self._ends[stop], self.leg[leg])
                if leg >= 0
                else (self.start[stop], self.end[stop])
            )
            self._ends_by[stop, leg] = self.rows.both(*pair)
        return self._ends_by[stop, leg]

    def ends_at(self, stop: int) -> Literal | None:
        """Return a literal: its route ends at the stop; None if it never does."""
        return self._ends.get(stop)

    def touching(self, stops: Collection[int], legs: Collection[int]) -> Sequence[Literal]:
        """Return the literals of these stops and legs."""
        return [self.visit[s] for s in stops if s in self.visit] + [
            self.leg[n] for n in legs if n in self.leg
        ]

    # --- what a route has ----------------------------------------------------

    def looked_at(self, of: Of) -> Mapping[int, cp_model.IntVar]:
        """Return by stop or leg the literals at which a test looks."""
        return {
            Of.PAID: self.paying,
            Of.VISITED: self.visit,
            Of.ENDS: self._ends,
            Of.LEGS: self.leg,
        }[of]

    def number(self, of: Of, numbers: Collection[int]) -> Linear:
        """Return how many of these stops or legs its route has."""
        among = self.looked_at(of)
        return cp_model.LinearExpr.sum([among[n] for n in sorted(numbers) if n in among])

    def holds(self, tests: Iterable[Has]) -> cp_model.IntVar:
        """Return a literal that is true just if it runs and all tests of its route hold."""
        parts: list[cp_model.IntVar] = [self._runs]
        for test in tests:
            number = self.number(test.of, test.numbers)
            enough = self.rows.literal()
            self.model.add(number >= test.least).only_enforce_if(enough)
            self.model.add(number <= test.least - 1).only_enforce_if(enough.negated())
            parts.append(enough)
            if test.most is not None:
                few = self.rows.literal()
                self.model.add(number <= test.most).only_enforce_if(few)
                self.model.add(number >= test.most + 1).only_enforce_if(few.negated())
                parts.append(few)
        both = self.rows.literal()
        self.model.add_bool_or(both, *(part.negated() for part in parts))
        for part in parts:
            self.model.add_implication(both, part)
        return both

    def earned(self, bonuses: Iterable[Bonus]) -> tuple[Linear, int]:
        """Return what its route earns of bonuses, in £, and an amount that this never exceeds."""
        terms: list[Linear] = []
        highest = 0
        for bonus in bonuses:
            holds = self.holds(bonus.tests)
            if bonus.per is None:
                terms.append(bonus.amount * holds)
                highest += max(0, bonus.amount)
                continue
            most = len(bonus.per)
            times = self.model.new_int_var(0, most, "")
            self.model.add(times == self.number(bonus.of, bonus.per)).only_enforce_if(holds)
            self.model.add(times == 0).only_enforce_if(holds.negated())
            terms.append(bonus.amount * times)
            highest += max(0, bonus.amount) * most
        return cp_model.LinearExpr.sum(terms), highest

    # --- what a route is -----------------------------------------------------

    def _circuit(self) -> None:
        """One path from start to end; without one nothing is visited.

        If the depot is off the circuit (the train is idle) the stops alone
        could still form one: no visit without running.
        """
        arcs: list[tuple[int, int, Literal]] = [(DEPOT, DEPOT, self._runs.negated())]
        for stop, visited in self.visit.items():
            arcs.append((1 + stop, 1 + stop, visited.negated()))
            self.model.add_implication(visited, self._runs)
        for stop in self.start:
            arcs.append((DEPOT, 1 + stop, self.start[stop]))
            arcs.append((1 + stop, DEPOT, self.end[stop]))
        for number in self.leg:
            a, b = self.problem.legs[number].a, self.problem.legs[number].b
            arcs.append((1 + a, 1 + b, self.ahead[number]))
            arcs.append((1 + b, 1 + a, self.back[number]))
        self.model.add_circuit(arcs)
        first = sum(stop * literal for stop, literal in self.start.items())
        last = sum(stop * literal for stop, literal in self.end.items())
        self.model.add(first <= last)

    def _reach(self) -> None:
        reach = self.reach
        visited = list(self.visit.values())
        self.model.add(cp_model.LinearExpr.sum(visited) >= reach.fewest * self._runs)
        own = [self.visit[s] for s in sorted(reach.own) if s in self.visit]
        self.model.add(cp_model.LinearExpr.sum(own) >= self._runs)
        for stop in self.visit:
            if stop not in reach.through:
                self._only_at_end(self.visit[stop], stop)
        for number, literal in self.leg.items():
            leg = self.problem.legs[number]
            for stop, only in ((leg.a, leg.end_only_a), (leg.b, leg.end_only_b)):
                if only:
                    self._only_at_end(literal, stop)
        for budget in reach.budgets:
            self._budget(budget)
        for need in reach.needs:
            when = self.holds(need.when)
            self.model.add_implication(when, self.holds(need.then))
        self._groups()
        users: dict[Hashable, list[Literal]] = {}
        for number, literal in self.leg.items():
            for item in self.problem.legs[number].items:
                users.setdefault(item, []).append(literal)
        for literals in users.values():
            if len(literals) > 1:
                self.model.add_at_most_one(literals)

    def _groups(self) -> None:
        for group in self.reach.groups:
            members = [self.visit[s] for s in sorted(group.stops) if s in self.visit]
            others = [self.visit[s] for s in sorted(group.unless) if s in self.visit]
            more = max(0, len(members) - 1) * sum(others)
            self.model.add(cp_model.LinearExpr.sum(members) <= 1 + more)

    def _choose(self, choice: Choice) -> None:
        """The stops that pay are as many as the limits allow, those of `first` before others.

        A stop that is not paid lies in a limit that is used up; one of `first` in
        one that stops of `first` use up.
        """
        used_up: dict[tuple[int, bool], cp_model.IntVar] = {}
        for number, (some, count) in enumerate(choice.limits):
            inside = [self.paying[stop] for stop in sorted(some) if stop in self.paying]
            self.model.add(cp_model.LinearExpr.sum(inside) <= count)
            for first in (False, True) if choice.first is not None else (False,):
                among = some & (choice.first or frozenset()) if first else some
                full = used_up[number, first] = self.rows.literal()
                paid = [self.paying[stop] for stop in sorted(among) if stop in self.paying]
                self.model.add(cp_model.LinearExpr.sum(paid) >= count).only_enforce_if(full)
        for stop, literal in self.paying.items():
            self.model.add_implication(literal, self.visit[stop])
            for first in (False, True) if stop in (choice.first or ()) else (False,):
                why = [used_up[n, first] for n, (s, _) in enumerate(choice.limits) if stop in s]
                self.model.add_bool_or(self.visit[stop].negated(), literal, *why)
        if choice.own:
            own = [self.paying[stop] for stop in sorted(self.reach.own) if stop in self.paying]
            self.model.add_bool_or(self._runs.negated(), *own)

    def _only_at_end(self, literal: Literal, stop: int) -> None:
        end = self._ends.get(stop)
        self.model.add_bool_or(literal.negated(), *([] if end is None else [end]))

    def _budget(self, budget: Budget) -> None:
        cost: list[Linear] = []
        if budget.stops:
            cost += [budget.stops[stop] * literal for stop, literal in self.visit.items()]
        if budget.legs:
            cost += [budget.legs[number] * literal for number, literal in self.leg.items()]
        if budget.ends:
            cost += [budget.ends[stop] * literal for stop, literal in self._ends.items()]
        for legs, off in budget.rebates:
            used = [self.leg[number] for number in sorted(legs) if number in self.leg]
            cost.append(-off * self.rows.any_of(used))
        self.model.add(cp_model.LinearExpr.sum(cost) <= budget.limit)

    def _pin(self, route: NetRoute) -> None:
        for number, literal in self.leg.items():
            self.model.add(literal == int(number in route.legs))
        for stop, literal in self.visit.items():
            self.model.add(literal == int(stop in route.stops))

    def ban(self, stops: tuple[int, ...], legs: tuple[int, ...]) -> None:
        """Exclude a route: the legs of a route are no other route's."""
        if not legs:
            if stops[0] in self.start:
                both = (self.start[stops[0]], self.end[stops[0]])
                self.model.add_bool_or(literal.negated() for literal in both)
        elif set(legs) <= self.leg.keys():
            self.model.add_bool_or(
                literal.negated() if number in legs else literal
                for number, literal in self.leg.items()
            )
