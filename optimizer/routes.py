"""Every route of a train class, found in the plainest way.

The fast engines have enumerators of their own; this one is what they and the
formulations for CP-SAT are tested against, so it does nothing clever.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import AtMostOne, Budget, NetLeg
from optimizer.route_pay import met, paying_sets, spent


class PlainRoute(NamedTuple):
    """A route without a train: stops in order, and the legs between them.

    Where words of the run hang on it, with the stops that pay.
    """

    stops: tuple[int, ...]
    legs: tuple[int, ...]
    paying: frozenset[int] | None = None

    def ends(self) -> tuple[int, int]:
        """Return the first and the last stop."""
        return self.stops[0], self.stops[-1]

    def by(self, stop: int) -> int:
        """Return the leg by which the route arrives at its end `stop`."""
        return self.legs[0] if stop == self.stops[0] else self.legs[-1]

    def run_by(self, train: str, cls: int, paid: tuple[int, ...] | None = None) -> NetRoute:
        """Return the route as run by a train."""
        return NetRoute(train, cls, self.stops, self.legs, paid)


def _never() -> bool:
    return False


def routes_of(
    problem: RoutingProblem, cls: int, over: Callable[[], bool] = _never
) -> Iterator[PlainRoute]:
    """Yield every route that a train of a class may run by itself, each once.

    Parameters
    ----------
    problem
        The network.
    cls
        The class whose :class:`~engine.routing.vocabulary.Reach` holds.
    over
        Asked every so often; once it says True nothing more is yielded.

    Notes
    -----
    A route is yielded in the direction in which its first stop has the lower
    number. The time is exponential in the length of the routes: depth first
    from every end, cut only by budgets, track and stops already on the route.
    What ends cost, rebates and needs are looked at on whole routes.
    """
    yield from _Walk(problem, cls, over).all()


class _Walk:
    """Depth-first search from one end, along all legs that may follow."""

    def __init__(self, problem: RoutingProblem, cls: int, over: Callable[[], bool]) -> None:
        self.problem = problem
        self.cls = cls
        self.reach = problem.classes[cls].reach
        self.pay = problem.classes[cls].pay
        self.over = over
        self.steps = 0
        self.ended = False
        self.around: dict[int, list[tuple[int, int]]] = {}
        for number, leg in enumerate(problem.legs):
            if self.reach.legs is not None and number not in self.reach.legs:
                continue
            if leg.a in self.reach.visits and leg.b in self.reach.visits:
                self.around.setdefault(leg.a, []).append((number, leg.b))
                self.around.setdefault(leg.b, []).append((number, leg.a))
        self.strict = [group for group in self.reach.groups if not group.unless]
        self.stops: list[int] = []
        self.legs: list[int] = []
        self.used: set[Hashable] = set()
        self.spent = [0] * len(self.reach.budgets)
        self.most = [b.limit + sum(off for _, off in b.rebates) for b in self.reach.budgets]
        self.exact = [b for b in self.reach.budgets if b.ends or b.rebates]

    def all(self) -> Iterator[PlainRoute]:
        for start in sorted(self.reach.ends & self.reach.visits):
            cost = [_stop_cost(budget, start) for budget in self.reach.budgets]
            if any(c > most for c, most in zip(cost, self.most, strict=True)):
                continue
            self.stops, self.legs, self.used, self.spent = [start], [], set(), cost
            if self.reach.fewest <= 1 and self._complete():
                yield PlainRoute((start,), ())
            yield from self._onward()
            if self.ended:
                return

    def _onward(self) -> Iterator[PlainRoute]:
        self.steps += 1
        if self.steps % 256 == 0:
            self.ended = self.over()
        if self.ended:
            return
        here = self.stops[-1]
        for number, there in self.around.get(here, ()):
            leg = self.problem.legs[number]
            if there in self.stops or not self.used.isdisjoint(leg.items):
                continue
            if not self._may_leave(leg, here) or any(
                there in group.stops and not group.stops.isdisjoint(self.stops)
                for group in self.strict
            ):
                continue
            before = self.spent
            self.spent = [
                spent + _stop_cost(budget, there) + _leg_cost(budget, number)
                for spent, budget in zip(before, self.reach.budgets, strict=True)
            ]
            if all(s <= most for s, most in zip(self.spent, self.most, strict=True)):
                self.stops.append(there)
                self.legs.append(number)
                self.used |= leg.items
                if there > self.stops[0] and self._complete():
                    yield PlainRoute(tuple(self.stops), tuple(self.legs))
                if self._may_pass(leg, there):
                    yield from self._onward()
                self.used -= leg.items
                self.legs.pop()
                self.stops.pop()
            self.spent = before

    def _may_leave(self, leg: NetLeg, here: int) -> bool:
        """A leg that may only be used from an end leaves only the first stop."""
        return len(self.stops) == 1 or not _end_only(leg, here)

    def _may_pass(self, leg: NetLeg, there: int) -> bool:
        return there in self.reach.through and not _end_only(leg, there)

    def _complete(self) -> bool:
        reach = self.reach
        return (
            len(self.stops) >= reach.fewest
            and self.stops[-1] in reach.ends
            and not reach.own.isdisjoint(self.stops)
            and all(_holds(group, self.stops) for group in reach.groups)
            and self._fits()
        )

    def _fits(self) -> bool:
        """Tell whether the route is within what is only known of whole routes."""
        if not (self.exact or self.reach.needs or self.pay.choice):
            return True
        route = NetRoute("", self.cls, tuple(self.stops), tuple(self.legs))
        return (
            all(spent(budget, route) <= budget.limit for budget in self.exact)
            and all(met(need, route) for need in self.reach.needs)
            and any(True for _ in paying_sets(self.pay, self.reach, self.stops))
        )


def _end_only(leg: NetLeg, stop: int) -> bool:
    return leg.end_only_a if stop == leg.a else leg.end_only_b


def _stop_cost(budget: Budget, stop: int) -> int:
    return budget.stops[stop] if budget.stops else 0


def _leg_cost(budget: Budget, leg: int) -> int:
    return budget.legs[leg] if budget.legs else 0


def _holds(group: AtMostOne, stops: list[int]) -> bool:
    return sum(s in group.stops for s in stops) <= 1 or not group.unless.isdisjoint(stops)
