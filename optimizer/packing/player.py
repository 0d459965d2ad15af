"""A class of trains in a joint decision on legs: what its best route is worth at prices.

The classes of one track class decide on the same *pieces* of track, one after
the other: legs, and claims of stops. Trains without a limit have the states of
their :mod:`~optimizer.packing.frontier`; listed routes become states as well, one for
all that agree in what is decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from optimizer.packing.couple import Pool
from optimizer.packing.frontier import Frontier, Step
from optimizer.packing.network import Flags
from optimizer.packing.prices import Floats


@dataclass(frozen=True, slots=True)
class Piece:
    """What is decided in one step.

    Attributes
    ----------
    leg
        The leg, or None for a claim.
    bits
        Its bits of track.
    """

    leg: int | None
    bits: int


@dataclass(frozen=True)
class Player:
    """The trains of a class.

    Attributes
    ----------
    number
        The class.
    count
        How many of its trains run.
    frontier
        Its routes.
    steps
        The step of its frontier for each piece; None where it never takes the piece.
    pool
        Its list of routes, if there is one.
    """

    number: int
    count: int
    frontier: Frontier
    steps: tuple[Step | None, ...]
    pool: Pool | None = None

    def layers(self) -> list[int]:
        """Return how many states there are before each piece, and after the last."""
        sizes = [self.frontier.starts]
        for step in reversed(self.steps):
            sizes.append(sizes[-1] if step is None else len(step.skip))
        return sizes

    def worth(self, costs: Sequence[float], places: Floats) -> list[Floats]:
        """Return by piece and state the most that the rest of a route can add at prices.

        Parameters
        ----------
        costs
            Price of each piece; infinite for one that may not be taken.
        places
            Price of a place of each best-of word.
        """
        last = self.frontier.value.copy()
        for gain, claim, price in zip(
            self.frontier.gains, self.frontier.claims, places, strict=True
        ):
            last += np.maximum(0.0, gain - price) - np.where(claim, price, 0.0)
        found = [np.append(last, -np.inf)]
        for step, cost in zip(reversed(self.steps), reversed(costs), strict=True):
            after = found[-1]
            if step is None:
                found.append(after)
                continue
            without = after[step.skip] + step.skip_gain
            if cost < np.inf:
                without = np.maximum(without, after[step.take] + (step.take_gain - cost))
            found.append(np.append(without, -np.inf))
        return found[::-1]

    def best(self, worth: Sequence[Floats], costs: Sequence[float]) -> list[int]:
        """Return the pieces that a best route takes."""
        state = int(np.argmax(worth[0]))
        taken = []
        for place, (step, cost) in enumerate(zip(self.steps, costs, strict=True)):
            if step is None:
                continue
            after = worth[place + 1]
            without = after[step.skip[state]] + step.skip_gain[state]
            with_it = after[step.take[state]] + (step.take_gain[state] - cost)
            if cost < np.inf and with_it > without:
                taken.append(place)
                state = int(step.take[state])
            else:
                state = int(step.skip[state])
        return taken


def frontier_player(frontier: Frontier, count: int, pieces: Sequence[Piece]) -> Player:
    """Return the player of a class without a list."""
    by_leg = {step.leg: step for step in frontier.steps}
    steps = tuple(None if p.leg is None else by_leg.get(p.leg) for p in pieces)
    return Player(frontier.number, count, frontier, steps)


def listed_player(pool: Pool, taken: Flags, pieces: Sequence[Piece]) -> Player:
    """Return the player of a class with a list.

    Parameters
    ----------
    taken
        Which route takes which piece (routes x pieces); no two take the same.
    """
    count = len(pool)
    where = np.zeros(count + 1, dtype=np.int64)
    taken = np.vstack([taken, np.zeros((1, len(pieces)), dtype=np.bool_)])
    steps: list[Step | None] = []
    states = 1
    for place in range(len(pieces)):
        column = taken[:, place]
        if not column.any():
            steps.append(None)
            continue
        distinct, where_now = np.unique(2 * where + column, return_inverse=True)
        skip, take = np.full(states, -1), np.full(states, -1)
        new = np.arange(len(distinct))
        takes = (distinct & 1) == 1
        skip[distinct[~takes] >> 1] = new[~takes]
        take[distinct[takes] >> 1] = new[takes]
        nothing = np.zeros(states, dtype=np.int64)
        leg = pieces[place].leg
        steps.append(Step(-1 if leg is None else leg, skip, take, nothing, nothing))
        where, states = where_now, len(distinct)
    if states != count + 1:
        raise AssertionError("two routes of a class take the same track")
    value = np.zeros(states)
    gains = np.zeros((len(pool.gains), states), dtype=np.int64)
    marks = np.zeros(states, dtype=np.int64)
    value[where[:-1]] = pool.base + pool.own
    gains[:, where[:-1]] = pool.gains
    marks[where[:-1]] = pool.marks
    claims = np.zeros((len(pool.gains), states), dtype=np.bool_)
    frontier = Frontier(
        pool.cls, tuple(s for s in steps if s is not None), 1, value, gains, claims, marks
    )
    return Player(pool.cls, pool.count, frontier, tuple(steps), pool)


def route_of(problem: RoutingProblem, cls: int, legs: Sequence[int]) -> NetRoute:
    """Return the route that consists of some legs."""
    around: dict[int, list[int]] = {}
    for number in legs:
        for stop in (problem.legs[number].a, problem.legs[number].b):
            around.setdefault(stop, []).append(number)
    here = min(stop for stop, found in around.items() if len(found) == 1)
    stops = [here]
    order: list[int] = []
    while len(order) < len(legs):
        (number,) = (n for n in around[here] if n not in order)
        leg = problem.legs[number]
        here = leg.b if here == leg.a else leg.a
        stops.append(here)
        order.append(number)
    return NetRoute("", cls, tuple(stops), tuple(order))


def pieces_of(
    order: Sequence[int], items: Mapping[int, int], claims: Sequence[int]
) -> tuple[Piece, ...]:
    """Return the pieces: legs in order, then claims (bits)."""
    return tuple(
        [Piece(number, items[number]) for number in order] + [Piece(None, bits) for bits in claims]
    )
