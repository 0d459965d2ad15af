"""CP-SAT alone, with the legs of each train as a circuit through a depot.

Nothing is listed: a route is whatever circuit the constraints allow. For small
boards only; three trains on 60 stops stay open for minutes. It shares no
enumeration with the other algorithms, which makes its agreement with them worth
something.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.board.geometry import distance
from engine.routing.problem import NetRoute
from engine.routing.vocabulary import Budget, EndsSubsidy, Span, VisitBonus
from optimizer.modelled import Formulation, Values, slot_classes, solve_formulation
from optimizer.one_route import paid_over_the_run
from optimizer.rows import Linear, Rows, Slot
from optimizer.task import Outcome, Task

DEPOT = 0
"""Node of every circuit beside the stops."""


def solve_circuit(task: Task) -> Outcome:
    """Solve a problem by CP-SAT over circuits.

    Complexity
    ----------
    Exponential, and slow beyond some 20 stops or two trains.
    """
    return solve_formulation(task, Circuits, "circuit")


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
        for group in reach.groups:
            members = [self.visit[s] for s in sorted(group.stops) if s in self.visit]
            others = [self.visit[s] for s in sorted(group.unless) if s in self.visit]
            more = max(0, len(members) - 1) * sum(others)
            self.model.add(cp_model.LinearExpr.sum(members) <= 1 + more)
        users: dict[Hashable, list[Literal]] = {}
        for number, literal in self.leg.items():
            for item in self.problem.legs[number].items:
                users.setdefault(item, []).append(literal)
        for literals in users.values():
            if len(literals) > 1:
                self.model.add_at_most_one(literals)

    def _only_at_end(self, literal: Literal, stop: int) -> None:
        end = self._ends.get(stop)
        self.model.add_bool_or(literal.negated(), *([] if end is None else [end]))

    def _budget(self, budget: Budget) -> None:
        cost: list[Linear] = []
        if budget.stops:
            cost += [budget.stops[stop] * literal for stop, literal in self.visit.items()]
        if budget.legs:
            cost += [budget.legs[number] * literal for number, literal in self.leg.items()]
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


class Circuits(Formulation):
    """The model: a circuit for each train, track and carriages shared between them."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        problem = task.problem
        self.circuits: list[CircuitSlot] = []
        for cls, capacity in slot_classes(task):
            for _ in range(capacity):
                self._add(CircuitSlot(self.rows, cls))
        for pinned in task.pinned:
            self._add(CircuitSlot(self.rows, pinned.cls, pinned))
        self.state_fleet()
        self._track()
        for slot in self.circuits:
            self._pays(slot)
        for bonus in problem.words_of(VisitBonus):
            self.best_of(bonus.count, self._bonuses(bonus), task.weights.revenue)
        for ends in problem.words_of(EndsSubsidy):
            self._end_shares(ends)
        self.state_words()

    def _add(self, slot: CircuitSlot) -> None:
        for cls, stops, legs in sorted(self.task.banned):
            if cls == slot.cls and slot.pinned is None:
                slot.ban(stops, legs)
        self.circuits.append(slot)
        self.slots.append(slot)

    def _track(self) -> None:
        """Trains with equal track share no piece of it and no claim."""
        users: dict[tuple[str, str, Hashable], list[Literal]] = {}
        for slot in self.circuits:
            cls = self.task.problem.classes[slot.cls]
            if cls.track is None:
                continue
            for number, literal in slot.leg.items():
                for item in self.task.problem.legs[number].items:
                    users.setdefault((cls.track, "item", item), []).append(literal)
            for stop, claim in cls.claims.items():
                if stop in slot.visit:
                    users.setdefault((cls.track, "claim", claim), []).append(slot.visit[stop])
        for literals in users.values():
            if len(literals) > 1:
                self.model.add_at_most_one(literals)

    # --- what a route pays ---------------------------------------------------

    def _pays(self, slot: CircuitSlot) -> None:
        pay = self.task.problem.classes[slot.cls].pay
        if not paid_over_the_run(self.task.problem, slot.cls):
            counts = dict(slot.visit)
            for group in pay.once:
                paid = {s: self.rows.literal() for s in sorted(group) if s in slot.visit}
                for stop, literal in paid.items():
                    self.model.add_implication(literal, slot.visit[stop])
                if paid:
                    self.model.add_at_most_one(paid.values())
                counts.update(paid)
            for stop, literal in counts.items():
                self.rows.earn(literal, revenue=pay.stops[stop])
        if pay.legs:
            for number, literal in slot.leg.items():
                self.rows.earn(literal, revenue=pay.legs[number])
        if pay.span is not None:
            self._span(slot, pay.span)

    def _span(self, slot: CircuitSlot, span: Span) -> None:
        """£ by distance between the first and the last counting stop."""
        counting = sorted(span.counting & slot.visit.keys())
        first = self._outer(slot, counting, slot.start, slot.ahead, slot.back)
        last = self._outer(slot, counting, slot.end, slot.back, slot.ahead)
        points = [stop.point for stop in self.task.problem.stops]
        widest = max(
            (distance(points[a], points[b]) for a in counting for b in counting), default=0
        )
        hexes = self.model.new_int_var(0, widest, "")
        self.model.add(hexes <= widest * cp_model.LinearExpr.sum(list(first.values())))
        for a, literal in first.items():
            far = sum(distance(points[a], points[b]) * other for b, other in last.items())
            self.model.add(hexes <= far + widest * literal.negated())
        self.rows.terms.append(self.task.weights.revenue * span.rate * hexes)

    def _outer(
        self,
        slot: CircuitSlot,
        counting: list[int],
        begins: dict[int, cp_model.IntVar],
        ahead: dict[int, cp_model.IntVar],
        back: dict[int, cp_model.IntVar],
    ) -> dict[int, cp_model.IntVar]:
        """Return by counting stop a literal: it is the first of them from one end.

        Parameters
        ----------
        begins
            Literals of the end to begin with.
        ahead, back
            Literals of the legs, seen from that end.
        """
        model, rows = self.model, self.rows
        before = {stop: rows.literal() for stop in slot.visit if stop not in counting}
        first = {stop: rows.literal() for stop in counting}
        reasons: dict[int, list[Literal]] = {stop: [] for stop in slot.visit}
        for stop, literal in begins.items():
            reasons[stop].append(literal)
        for number in slot.leg:
            leg = self.task.problem.legs[number]
            for way, a, b in ((ahead[number], leg.a, leg.b), (back[number], leg.b, leg.a)):
                if a in before:
                    reasons[b].append(rows.both(way, before[a]))
        for stop, literal in {**before, **first}.items():
            model.add_bool_or(literal.negated(), *reasons[stop])
        for stop in counting:
            model.add(cp_model.LinearExpr.sum(list(first.values())) >= slot.visit[stop])
        model.add_at_most_one(first.values())
        return first

    def _bonuses(self, word: VisitBonus) -> dict[int, list[Literal]]:
        gains: dict[int, list[Literal]] = {}
        for slot in self.circuits:
            amount = word.amount.get(slot.cls, 0)
            if amount and word.stops <= slot.visit.keys():
                qualifies = self.rows.literal()
                self.model.add_implication(qualifies, slot.runs())
                for stop in sorted(word.stops):
                    self.model.add_implication(qualifies, slot.visit[stop])
                gains.setdefault(amount, []).append(qualifies)
        return gains

    def _end_shares(self, word: EndsSubsidy) -> None:
        highest = 2 * max(word.value, default=0) // word.divisor
        chosen = []
        for slot in self.circuits:
            if slot.cls not in word.classes:
                continue
            ends = [
                word.value[s] * lit for side in (slot.start, slot.end) for s, lit in side.items()
            ]
            share = self.model.new_int_var(0, highest, "")
            self.model.add(word.divisor * share <= cp_model.LinearExpr.sum(ends))
            counts = self.rows.literal()
            self.model.add(share <= highest * counts)
            chosen.append(counts)
            self.rows.terms.append(self.task.weights.subsidy * share)
        self.model.add(cp_model.LinearExpr.sum(chosen) <= word.count)

    # --- reading -------------------------------------------------------------

    def read(self, values: Values) -> list[tuple[Slot, NetRoute]]:
        """Return the routes that run in a solution; only pinned ones name a train."""
        return [
            (slot, slot.pinned or self._follow(slot, values))
            for slot in self.circuits
            if values.boolean_value(slot.runs())
        ]

    def _follow(self, slot: CircuitSlot, values: Values) -> NetRoute:
        here = next(s for s, literal in slot.start.items() if values.boolean_value(literal))
        stops, legs = [here], []
        onward = {}
        for number in slot.leg:
            leg = self.task.problem.legs[number]
            if values.boolean_value(slot.ahead[number]):
                onward[leg.a] = (number, leg.b)
            if values.boolean_value(slot.back[number]):
                onward[leg.b] = (number, leg.a)
        while here in onward:
            number, here = onward[here]
            legs.append(number)
            stops.append(here)
        return NetRoute("", slot.cls, tuple(stops), tuple(legs))
