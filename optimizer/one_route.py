"""One route by the words: whether a train may run it, and what it pays by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from engine.board.geometry import distance
from engine.errors import Fault
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import Chains, PaidOnce, Span


def route_faults(problem: RoutingProblem, route: NetRoute, path: str) -> Iterator[Fault]:
    """Yield everything that forbids a route by itself, in a run or without one.

    Parameters
    ----------
    path
        Field path of the route: ``routes[0]``.
    """
    reach = problem.classes[route.cls].reach
    stops, legs = route.stops, route.legs

    def fault(code: str, message: str, part: str = "stops") -> Fault:
        return Fault(code, f"{path}.{part}", message)

    def names(which: Collection[int]) -> str:
        return ", ".join(problem.stops[stop].id for stop in sorted(which))

    if not stops or len(legs) != len(stops) - 1:
        yield fault("LEG_COUNT_WRONG", f"{len(stops)} stops do not take {len(legs)} legs", "legs")
        return
    joined = [frozenset(pair) for pair in pairwise(stops)]
    if joined != [frozenset((problem.legs[leg].a, problem.legs[leg].b)) for leg in legs]:
        yield fault("LEG_BROKEN", "the legs do not join the stops", "legs")
    if len(set(stops)) < len(stops):
        yield fault("STOP_TWICE", "a stop is visited twice")
    if outside := set(stops) - reach.visits:
        yield fault("STOP_OUT_OF_REACH", f"a route may not visit {names(outside)}")
    if inside := set(stops[1:-1]) - reach.through:
        yield fault("STOP_PASSED", f"a route may not run through {names(inside)}")
    if wrong := {stops[0], stops[-1]} - reach.ends:
        yield fault("END_WRONG", f"a route may not end at {names(wrong)}")
    if reach.own.isdisjoint(stops):
        yield fault("TOKEN_MISSING", "a route visits an own token")
    if len(stops) < reach.fewest:
        yield fault("ROUTE_TOO_SHORT", f"a route has at least {reach.fewest} stops")
    if reach.legs is not None and not reach.legs.issuperset(legs):
        yield fault("LEG_OUT_OF_REACH", "a leg may not be used", "legs")
    yield from _limit_faults(problem, route, path)
    yield from _own_track_faults(problem, route, path)
    yield from _choice_faults(problem, route, path)


def _limit_faults(problem: RoutingProblem, route: NetRoute, path: str) -> Iterator[Fault]:
    reach = problem.classes[route.cls].reach
    for budget in reach.budgets:
        cost = sum(budget.stops[s] for s in route.stops) if budget.stops else 0
        cost += sum(budget.legs[leg] for leg in route.legs) if budget.legs else 0
        if cost > budget.limit:
            message = f"the route costs {cost} of at most {budget.limit}"
            yield Fault("BUDGET_EXCEEDED", f"{path}.stops", message)
    for group in reach.groups:
        if len(group.stops & set(route.stops)) > 1 and group.unless.isdisjoint(route.stops):
            yield Fault("GROUP_TWICE", f"{path}.stops", "two stops exclude each other")


def _own_track_faults(problem: RoutingProblem, route: NetRoute, path: str) -> Iterator[Fault]:
    used = Counter(item for leg in route.legs for item in problem.legs[leg].items)
    if any(times > 1 for times in used.values()):
        yield Fault("TRACK_TWICE", f"{path}.legs", "a piece of track is used twice")
    ends = {route.stops[0], route.stops[-1]}
    for number in route.legs:
        leg = problem.legs[number]
        for stop, only in ((leg.a, leg.end_only_a), (leg.b, leg.end_only_b)):
            if only and stop not in ends:
                message = f"the track at {problem.stops[stop].id} is terminal"
                yield Fault("TERMINAL_PASSED", f"{path}.legs", message)


def _choice_faults(problem: RoutingProblem, route: NetRoute, path: str) -> Iterator[Fault]:
    if route.paid is None:
        return
    word = problem.word(PaidOnce)
    always, limit, choice = (
        word.choose.get(route.cls, (frozenset(), 0, frozenset()))
        if word
        else (frozenset(), 0, frozenset())
    )
    chosen = frozenset(route.paid) - always
    if not chosen <= choice & frozenset(route.stops) or len(chosen) > limit:
        message = f"at most {limit} of the stops that pay may be chosen"
        yield Fault("PAID_WRONG", f"{path}.paid", message)


def own_pay(problem: RoutingProblem, route: NetRoute) -> int:
    """Return what a route pays by :class:`~engine.routing.vocabulary.Pay`, in £."""
    pay = problem.classes[route.cls].pay
    total = sum(pay.legs[leg] for leg in route.legs) if pay.legs else 0
    if not paid_over_the_run(problem, route.cls):
        paying = set(route.stops)
        for group in pay.once:
            several = paying & group
            if len(several) > 1:
                paying -= several
                paying.add(max(several, key=lambda stop: (pay.stops[stop], -stop)))
        total += sum(pay.stops[stop] for stop in paying)
    if pay.span is not None:
        total += span_pay(problem, pay.span, route.stops)
    return total


def span_pay(problem: RoutingProblem, span: Span, stops: Sequence[int]) -> int:
    """Return the bonus by distance of a route, in £."""
    counting = [problem.stops[stop].point for stop in stops if stop in span.counting]
    return span.rate * distance(counting[0], counting[-1]) if counting else 0


def paid_over_the_run(problem: RoutingProblem, cls: int) -> bool:
    """Tell whether the stops of a class pay through PaidOnce, not through Pay."""
    once = problem.word(PaidOnce)
    return once is not None and (
        cls in once.choose or any(cls in word.classes for word in problem.words_of(Chains))
    )
