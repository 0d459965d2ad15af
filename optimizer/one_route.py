"""One route by the words: whether a train may run it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise

from engine.errors import Fault
from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.vocabulary import PaidOnce
from optimizer.route_pay import met, paying_sets, spent


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
        cost = spent(budget, route)
        if cost > budget.limit:
            message = f"the route costs {cost} of at most {budget.limit}"
            yield Fault("BUDGET_EXCEEDED", f"{path}.stops", message)
    for group in reach.groups:
        if len(group.stops & set(route.stops)) > 1 and group.unless.isdisjoint(route.stops):
            yield Fault("GROUP_TWICE", f"{path}.stops", "two stops exclude each other")
    for need in reach.needs:
        if not met(need, route):
            yield Fault("NEED_NOT_MET", f"{path}.stops", "the route lacks what it needs")
    if not any(True for _ in paying_sets(problem.classes[route.cls].pay, reach, route.stops)):
        message = "none of the stops that pay is an own one"
        yield Fault("TOKEN_NOT_PAID", f"{path}.stops", message)


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
