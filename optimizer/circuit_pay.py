"""What the route of a circuit pays by itself, for :mod:`optimizer.circuit`."""

from __future__ import annotations

from collections.abc import Sequence

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model_helper import Literal

from engine.board.geometry import distance
from engine.routing.vocabulary import Factor, Span
from optimizer.circuit_slot import CircuitSlot
from optimizer.route_pay import paid_over_the_run
from optimizer.rows import Linear
from optimizer.task import Weights


class CircuitPay:
    """States what a train's route pays (:class:`~engine.routing.vocabulary.Pay`)."""

    def __init__(self, slot: CircuitSlot) -> None:
        self.slot = slot
        self.rows = slot.rows
        self.model = slot.model
        self.problem = slot.problem
        self.pay = slot.problem.classes[slot.cls].pay

    def state(self, weights: Weights) -> None:
        """Add it to the objective."""
        pay, slot = self.pay, self.slot
        scaled = [bonus for bonus in pay.bonuses if bonus.scaled]
        plain = [bonus for bonus in pay.bonuses if not (bonus.scaled or bonus.subsidy)]
        base = [*self._stops(), slot.earned(scaled)[0]]
        revenue = self._scaled(pay.factor, base) if pay.factor is not None else base
        revenue = [*revenue, slot.earned(plain)[0]]
        if pay.legs:
            revenue += [pay.legs[number] * literal for number, literal in slot.leg.items()]
        if pay.span is not None:
            revenue.append(self._span(pay.span))
        subsidy = [slot.earned([bonus for bonus in pay.bonuses if bonus.subsidy])[0]]
        if pay.subsidy:
            subsidy += [pay.subsidy[stop] * literal for stop, literal in slot.paying.items()]
        self.rows.terms.append(weights.revenue * cp_model.LinearExpr.sum(revenue))
        self.rows.terms.append(weights.subsidy * cp_model.LinearExpr.sum(subsidy))

    def _stops(self) -> list[Linear]:
        """Return what stops pay; of those that count once only the best."""
        if paid_over_the_run(self.problem, self.slot.cls):
            return []
        counts = dict(self.slot.paying)
        for group in self.pay.once:
            paid = {s: self.rows.literal() for s in sorted(group) if s in counts}
            for stop, literal in paid.items():
                self.model.add_implication(literal, counts[stop])
            if paid:
                self.model.add_at_most_one(paid.values())
            counts.update(paid)
        return [self.pay.stops[stop] * literal for stop, literal in counts.items()]

    def _scaled(self, factor: Factor, terms: Sequence[Linear]) -> list[Linear]:
        """Return what a factor makes of an amount, rounded down."""
        widest = 4 * sum(map(abs, self.pay.stops)) + 1
        for bonus in self.pay.bonuses:
            widest += abs(bonus.amount) * (1 if bonus.per is None else len(bonus.per))
        times = max(factor.num, factor.num - factor.den)
        base = self.model.new_int_var(-widest, widest, "")
        self.model.add(base == cp_model.LinearExpr.sum(list(terms)))
        steps = self.model.new_int_var(-widest * times - 1, widest * times, "")
        size = factor.den * factor.rounding
        added = factor.num > factor.den
        part = (factor.num - factor.den if added else factor.num) * base
        self.model.add(size * steps <= part)
        self.model.add(part <= size * steps + size - 1)
        result = self.model.new_int_var(-2 * widest * (times + 1), 2 * widest * (times + 1), "")
        holds = self.slot.holds(factor.tests)
        made = factor.rounding * steps + (base if added else 0)
        self.model.add(result == made).only_enforce_if(holds)
        self.model.add(result == base).only_enforce_if(holds.negated())
        return [result]

    def _span(self, span: Span) -> Linear:
        """£ by distance between the first and the last counting stop."""
        slot = self.slot
        counting = sorted(span.counting & slot.visit.keys())
        first = self._outer(counting, slot.start, slot.ahead, slot.back)
        last = self._outer(counting, slot.end, slot.back, slot.ahead)
        points = [stop.point for stop in self.problem.stops]
        widest = max(
            (distance(points[a], points[b]) for a in counting for b in counting), default=0
        )
        hexes = self.model.new_int_var(0, widest, "")
        self.model.add(hexes <= widest * cp_model.LinearExpr.sum(list(first.values())))
        for a, literal in first.items():
            far = sum(distance(points[a], points[b]) * other for b, other in last.items())
            self.model.add(hexes <= far + widest * literal.negated())
        return span.rate * hexes

    def _outer(
        self,
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
        model, rows, slot = self.model, self.rows, self.slot
        before = {stop: rows.literal() for stop in slot.visit if stop not in counting}
        first = {stop: rows.literal() for stop in counting}
        reasons: dict[int, list[Literal]] = {stop: [] for stop in slot.visit}
        for stop, literal in begins.items():
            reasons[stop].append(literal)
        for number in slot.leg:
            leg = self.problem.legs[number]
            for way, a, b in ((ahead[number], leg.a, leg.b), (back[number], leg.b, leg.a)):
                if a in before:
                    reasons[b].append(rows.both(way, before[a]))
        for stop, literal in {**before, **first}.items():
            model.add_bool_or(literal.negated(), *reasons[stop])
        for stop in counting:
            model.add(cp_model.LinearExpr.sum(list(first.values())) >= slot.visit[stop])
        model.add_at_most_one(first.values())
        return first
