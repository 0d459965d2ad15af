"""CP-SAT alone, with the legs of each train as a circuit through a depot.

Nothing is listed: a route is whatever circuit the constraints allow. For small
boards only; three trains on 60 stops stay open for minutes. It shares no
enumeration with the other algorithms, which makes its agreement with them worth
something.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.routing.problem import NetRoute
from engine.routing.vocabulary import (
    BestBonus,
    EndsSubsidy,
    SomeRoute,
    VisitBonus,
)
from optimizer.circuit_pay import CircuitPay
from optimizer.circuit_slot import CircuitSlot
from optimizer.modelled import Formulation, Values, slot_classes, solve_formulation
from optimizer.rows import Slot
from optimizer.task import Outcome, Task


def solve_circuit(task: Task) -> Outcome:
    """Solve a problem by CP-SAT over circuits.

    Complexity
    ----------
    Exponential, and slow beyond some 20 stops or two trains.
    """
    return solve_formulation(task, Circuits, "circuit")


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
            CircuitPay(slot).state(task.weights)
        for bonus in problem.words_of(VisitBonus):
            self.best_of(bonus.count, self._bonuses(bonus), task.weights.revenue)
        for best in problem.words_of(BestBonus):
            self._best_bonuses(best)
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

    # --- what the best routes of the run earn ----------------------------------

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

    def _best_bonuses(self, word: BestBonus) -> None:
        """The gains of the best few routes are paid."""
        chosen = []
        for slot in self.circuits:
            if word.bonuses.get(slot.cls):
                gain, highest = slot.earned(word.bonuses[slot.cls])
                paid = self.model.new_int_var(0, highest, "")
                counts = self.rows.literal()
                self.model.add(paid <= gain)
                self.model.add(paid <= highest * counts)
                chosen.append(counts)
                self.rows.terms.append(self.task.weights.revenue * paid)
        self.model.add(cp_model.LinearExpr.sum(chosen) <= word.count)

    def marked(self, slot: Slot, word: SomeRoute) -> Sequence[Literal]:
        """Return a literal: the slot's route has what some route must have."""
        assert isinstance(slot, CircuitSlot)
        return [slot.holds(word.tests)]

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
