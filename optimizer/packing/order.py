"""An order of legs in which few stops and few pieces of track are ever half decided.

The legs of a route are decided on one after the other (:mod:`~optimizer.packing.frontier`).
What must be remembered are the stops of which some legs are decided and some
are not, and the shared track likewise: on a map, a line that sweeps over it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.routing.problem import RoutingProblem

STOP_COST, ITEM_COST = 2.2, 1.3
"""By how much a half decided stop, or piece of track, multiplies the states (measured)."""

CHEAP = 40.0
"""An order that costs no more than this for each leg is good enough."""


def leg_order(
    problem: RoutingProblem, legs: Sequence[int], items: Mapping[int, int]
) -> tuple[int, ...]:
    """Return legs in an order that keeps the frontier small.

    Parameters
    ----------
    legs
        The legs to be ordered.
    items
        Bits of track of each leg.

    Notes
    -----
    Stops are taken one after the other; the legs between a stop and those before
    it come with it. Sweeps in four directions and greedy orders from the stops on
    the rim are compared.
    """
    around: dict[int, int] = {}
    for number in legs:
        leg = problem.legs[number]
        around[leg.a] = around.get(leg.a, 0) | 1 << leg.b
        around[leg.b] = around.get(leg.b, 0) | 1 << leg.a
    best: tuple[float, tuple[int, ...]] | None = None
    for stops in _orders(problem, around):
        found = _legs_by(problem, legs, stops)
        cost = _cost(problem, found, items)
        if best is None or cost < best[0]:
            best = cost, found
        if best[0] < CHEAP * len(legs):
            break
    return best[1] if best else ()


def _orders(problem: RoutingProblem, around: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield orders of the stops."""
    starts = set()
    for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)):
        sweep = sorted(
            around, key=lambda s: (x * problem.stops[s].point[0] + y * problem.stops[s].point[1], s)
        )
        yield sweep
        starts |= {sweep[0], sweep[-1]} if sweep else set()
    for start in sorted(starts):
        yield _greedy(around, start)


def _greedy(around: Mapping[int, int], start: int) -> list[int]:
    """Return the stops in an order that opens as few as it can at every step."""
    every = sum(1 << stop for stop in around)
    order, done, active = [start], 1 << start, {start}
    while done != every:
        near = 0
        for stop in active:
            near |= around[stop]
        near &= ~done
        best: tuple[int, int, int] | None = None
        for stop in _bits(near or every & ~done):
            after = done | 1 << stop
            left = sum(1 for a in active if around[a] & ~after)
            left += bool(around[stop] & ~after)
            oldest = min((n for n, a in enumerate(order) if around[stop] >> a & 1), default=0)
            if best is None or (left, oldest, stop) < best:
                best = left, oldest, stop
        if best is None:
            raise AssertionError("there is a stop that is not done")
        done |= 1 << best[2]
        order.append(best[2])
        active = {a for a in (*active, best[2]) if around[a] & ~done}
    return order


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _legs_by(problem: RoutingProblem, legs: Sequence[int], stops: Sequence[int]) -> tuple[int, ...]:
    place = {stop: n for n, stop in enumerate(stops)}

    def when(number: int) -> tuple[int, int, int]:
        a, b = place[problem.legs[number].a], place[problem.legs[number].b]
        return max(a, b), min(a, b), number

    return tuple(sorted(legs, key=when))


def _cost(problem: RoutingProblem, order: Sequence[int], items: Mapping[int, int]) -> float:
    """Return about how many states an order will have, over all its steps."""
    stops_after: list[int] = [0] * (len(order) + 1)
    items_after: list[int] = [0] * (len(order) + 1)
    seen_stops = seen_items = 0
    for n in range(len(order) - 1, -1, -1):
        leg = problem.legs[order[n]]
        seen_stops |= 1 << leg.a | 1 << leg.b
        seen_items |= items[order[n]]
        stops_after[n], items_after[n] = seen_stops, seen_items
    total, seen_stops, seen_items = 0.0, 0, 0
    for n, number in enumerate(order):
        leg = problem.legs[number]
        seen_stops |= 1 << leg.a | 1 << leg.b
        seen_items |= items[number]
        half = (seen_stops & stops_after[n + 1]).bit_count()
        shared = (seen_items & items_after[n + 1]).bit_count()
        total += STOP_COST**half * ITEM_COST**shared
    return total
