"""All routes of a class without listing them: legs decided on one after the other.

The routes of a train without a limit are too many to be listed. But a route is a
set of legs, and when the legs are decided on in a fixed order, all that the
later ones must know of the earlier ones is their *frontier*: which stops with
undecided legs are visited, which ends of pieces belong together, which track
that undecided legs share is taken. Partial routes that agree in this are one
*state*, and the map is narrow: some hundred states a step, some thousand at most,
where there are millions of routes. The states and what leads from one to the
next are found once; the best route at any prices is then one pass over arrays.

A state is two 64-bit words. The first has four bits for each stop of the frontier:
0 not visited; 1 visited, with nothing more to come; 2 the open end of a piece
whose other end is an end of the route; 3 + n the open end of a piece whose
other end is at place n; and how many ends the route has. The second has a bit
for each shared item, and what limits and words need (:mod:`~optimizer.packing.watch`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.routing.problem import RoutingProblem
from optimizer.packing.couple import Coupling
from optimizer.packing.enumerate import tested_legs
from optimizer.packing.network import Flags, Ints, Words
from optimizer.packing.route_watches import make_watches
from optimizer.packing.watch import Batch, Room, TooWideError, Watch
from optimizer.stop import Stop

PLACES = 13
"""Stops that a state can hold."""
MOST_STATES = 400_000
"""More than any known board needs; beyond it the class is left to CP-SAT."""

FOUR = np.uint64(15)
VISITED, ENDED, OPEN = np.uint64(1), np.uint64(2), np.uint64(3)
ENDS_AT = np.uint64(60)
"""Where the number of ends stands in the first word; 3 is a finished route."""
DONE = np.uint64(3 << 60)
LOW_BITS = np.uint64(sum(1 << 4 * place for place in range(PLACES)))


class OutOfTimeError(Exception):
    """Time ran out while states were found."""


@dataclass(frozen=True, slots=True)
class Step:
    """The decision on one leg.

    Attributes
    ----------
    leg
        Which.
    skip, take
        By state the state without and with the leg in the next layer; -1: none.
    skip_gain, take_gain
        What that adds to the weighted value.
    """

    leg: int
    skip: Ints
    take: Ints
    skip_gain: Ints
    take_gain: Ints


@dataclass(frozen=True)
class Frontier:
    """The routes of a class as layers of states.

    Attributes
    ----------
    number
        The class.
    steps
        One for each leg, in order.
    starts
        States of the first layer.
    value
        By state of the last layer: what it is worth besides the gains of the
        steps; minus infinity if it is neither a route nor the train standing idle.
    gains
        For each best-of word what a last state gets of it (words x states), if
        not in its value already.
    claims
        Which last states have a place of a word in their value (words x states).
    marks
        By last state, the bits of its marks.
    """

    number: int
    steps: tuple[Step, ...]
    starts: int
    value: npt.NDArray[np.float64]
    gains: Ints
    claims: Flags
    marks: Ints

    @property
    def size(self) -> int:
        """How many states there are in all."""
        return self.starts + sum(len(step.skip) for step in self.steps[1:]) + len(self.value)


def usable_legs(
    problem: RoutingProblem,
    number: int,
    coupling: Coupling,
    legs: Mapping[int, int],
    banned: bool,
) -> dict[int, int]:
    """Return the legs that a best route of a class may need, with their track.

    Parameters
    ----------
    legs
        Track bits of each leg that may be used.
    banned
        Some routes are banned: a leg that is as good as another may be needed.
    """
    cls = problem.classes[number]
    pay = cls.pay.legs
    costs = [budget.legs for budget in cls.reach.budgets if budget.legs]
    tested = tested_legs(cls)
    kept: dict[tuple[int, int], list[int]] = {}
    found: dict[int, int] = {}
    for leg_number in sorted(legs, key=lambda n: (legs[n].bit_count(), n)):
        leg = problem.legs[leg_number]
        ends = (min(leg.a, leg.b), max(leg.a, leg.b))
        mine = coupling_marks(coupling, leg.marks)
        if not banned and any(
            legs[other] & legs[leg_number] == legs[other]
            and not problem.legs[other].end_only_a
            and not problem.legs[other].end_only_b
            and coupling_marks(coupling, problem.legs[other].marks) & ~mine == 0
            and (not pay or pay[other] >= pay[leg_number])
            and all(cost[other] <= cost[leg_number] for cost in costs)
            and leg_number not in tested
            and other not in tested
            for other in kept.get(ends, ())
        ):
            continue
        kept.setdefault(ends, []).append(leg_number)
        found[leg_number] = legs[leg_number]
    return _without_dead_ends(problem, number, found)


def _without_dead_ends(
    problem: RoutingProblem, number: int, legs: dict[int, int]
) -> dict[int, int]:
    """Return legs without those that lead only to stops where no route can end or go on."""
    ends = problem.classes[number].reach.ends
    while True:
        near: dict[int, set[int]] = {}
        for leg_number in legs:
            leg = problem.legs[leg_number]
            near.setdefault(leg.a, set()).add(leg.b)
            near.setdefault(leg.b, set()).add(leg.a)
        dead = {stop for stop, others in near.items() if stop not in ends and len(others) < 2}
        if not dead:
            return legs
        legs = {
            n: bits
            for n, bits in legs.items()
            if problem.legs[n].a not in dead and problem.legs[n].b not in dead
        }


def coupling_marks(coupling: Coupling, marks: Iterable[str]) -> int:
    """Return the bits of marks that some word limits."""
    return sum(coupling.mark_bits.get(mark, 0) for mark in marks)


class FrontierMaker:
    """Finds the states of a class.

    Parameters
    ----------
    order
        The legs in the order in which they are decided on.
    items
        Track bits of each leg.
    banned
        Sets of legs that are no route.
    plenty
        By best-of word: there is a place for every train that may want one.
    """

    def __init__(
        self,
        problem: RoutingProblem,
        number: int,
        coupling: Coupling,
        order: Sequence[int],
        items: Mapping[int, int],
        banned: Sequence[frozenset[int]],
        plenty: Sequence[bool],
    ) -> None:
        self.problem = problem
        self.number = number
        self.reach = problem.classes[number].reach
        self.coupling = coupling
        self.order = order
        self.items = items
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        for step, leg_number in enumerate(order):
            leg = problem.legs[leg_number]
            for stop in (leg.a, leg.b):
                self.first.setdefault(stop, step)
                self.last[stop] = step
        self.places: dict[int, int] = {}
        self.spare = list(range(PLACES - 1, -1, -1))
        room = Room()
        self.watches: list[Watch] = make_watches(
            room, problem, number, coupling, order, items, banned, plenty, self.first, self.last
        )

    def run(self, stop: Stop) -> Frontier:
        """Return the layers.

        Raises
        ------
        TooWideError
            The frontier does not fit a state, or there are too many.
        OutOfTimeError
            Time ran out.
        """
        batch = Batch.start()
        for watch in self.watches:
            batch = watch.begin(batch)
        starts = len(batch.a)
        steps = []
        for step in range(len(self.order)):
            if stop.over():
                raise OutOfTimeError
            done, batch = self._decide(step, batch)
            steps.append(done)
            if len(batch.a) > MOST_STATES:
                raise TooWideError("there are too many states")
        idle = batch.a == 0
        words = len(self.coupling.counts)
        gains = np.zeros((words, len(idle)), dtype=np.int64)
        claims = np.zeros((words, len(idle)), dtype=np.bool_)
        marks = np.zeros(len(idle), dtype=np.int64)
        for watch in self.watches:
            watch.read(batch, ~idle, gains, claims, marks)
        value = np.where(idle | (batch.a == DONE), 0.0, -np.inf)
        return Frontier(self.number, tuple(steps), starts, value, gains, claims, marks)

    def _decide(self, step: int, batch: Batch) -> tuple[Step, Batch]:
        """Return what a leg does to the states, and the states after it."""
        leg_number = self.order[step]
        leg = self.problem.legs[leg_number]
        for stop in (leg.a, leg.b):
            if stop not in self.places:
                if not self.spare:
                    raise TooWideError("too many stops are half decided")
                self.places[stop] = self.spare.pop()
        for watch in self.watches:
            watch.enter(step)
        count = len(batch.a)
        taken = self._take(leg_number, batch)
        for watch in self.watches:
            batch = watch.skip(step, batch)
            taken = watch.take(step, taken)
        taken = self._finish(step, taken)
        both = Batch.joined(batch, taken)
        for stop in sorted({leg.a, leg.b}):
            if self.last[stop] == step:
                both = self._forget(step, stop, both)
        for watch in self.watches:
            both = watch.leave(step, both)
        first, where = _distinct(both.a, both.b)
        skip, take = np.full(count, -1), np.full(count, -1)
        skip_gain, take_gain = np.zeros(count, np.int64), np.zeros(count, np.int64)
        # a state came from `origin`, by skipping the leg or (count more) by taking it
        left = ~both.took
        skip[both.origin[left]] = where[left]
        skip_gain[both.origin[left]] = both.gain[left]
        take[both.origin[both.took]] = where[both.took]
        take_gain[both.origin[both.took]] = both.gain[both.took]
        return Step(leg_number, skip, take, skip_gain, take_gain), both.fresh(first)

    def _take(self, leg_number: int, batch: Batch) -> Batch:
        """Return the states in which the leg is taken; those that it finishes are not closed."""
        leg = self.problem.legs[leg_number]
        places = [np.uint64(4 * self.places[stop]) for stop in (leg.a, leg.b)]
        sides = [(batch.a >> place) & FOUR for place in places]
        ends = batch.a >> ENDS_AT
        fits = (sides[0] != VISITED) & (sides[1] != VISITED) & (ends < OPEN)
        fits &= sides[0] != OPEN + (places[1] >> np.uint64(2))
        closed = 0
        closes = []
        for stop, only, side in zip(
            (leg.a, leg.b), (leg.end_only_a, leg.end_only_b), sides, strict=True
        ):
            closes.append(only or stop not in self.reach.through)
            if closes[-1]:
                fits &= side == 0
                if stop not in self.reach.ends:
                    fits[:] = False
                closed += 1
        fits &= ends + np.uint64(closed) < OPEN
        taken = batch.which(fits)
        taken.took = np.ones(len(taken.a), dtype=np.bool_)
        sides = [side[fits] for side in sides]
        for stop, side, closing in zip((leg.a, leg.b), sides, closes, strict=True):
            taken = self._visit(stop, side == 0, closing, taken)
        far = [
            np.where(side == 0, ENDED if closing else OPEN + (place >> np.uint64(2)), side)
            for side, place, closing in zip(sides, places, closes, strict=True)
        ]
        for place in places:
            taken.a = (taken.a & ~(FOUR << place)) | (VISITED << place)
        for mine, other in (far, far[::-1]):
            open_end = mine >= OPEN
            at = np.where(open_end, (mine - OPEN) * np.uint64(4), 0)
            taken.a = np.where(open_end, (taken.a & ~(FOUR << at)) | (other << at), taken.a)
        if closed:
            taken.a = taken.a + (np.uint64(closed) << ENDS_AT)
        taken.closed = (far[0] == ENDED) & (far[1] == ENDED)
        return taken

    def _visit(self, stop: int, new: Flags, closing: bool, taken: Batch) -> Batch:
        for watch in self.watches:
            watch.visit(stop, new, taken)
            if closing:
                watch.end(stop, np.ones(len(taken.a), dtype=np.bool_), taken)
        return taken

    def _finish(self, step: int, batch: Batch) -> Batch:
        """Make finished routes of the states whose ends are both ends of the route."""
        if not batch.closed.any():
            return batch.which(batch.fits)
        good = ~batch.closed | ((_open(batch.a) == 0) & batch.fits)
        visited = {
            stop: ((batch.a >> np.uint64(4 * place)) & FOUR) != 0
            for stop, place in self.places.items()
        }
        for watch in self.watches:
            watch.finish(step, visited, batch, good)
        batch.a = np.where(batch.closed, DONE, batch.a)
        return batch.which(good)

    def _forget(self, step: int, stop: int, batch: Batch) -> Batch:
        """Take a stop whose legs are all decided out of the states."""
        place = self.places[stop]
        at = np.uint64(4 * place)
        side = (batch.a >> at) & FOUR
        ends = batch.a >> ENDS_AT
        ending = side >= ENDED
        good = ~ending | (ends < ENDED)
        if stop not in self.reach.ends:
            good &= ~ending
        for watch in self.watches:
            watch.end(stop, ending, batch)
        batch.closed = side == ENDED
        pair = side >= OPEN
        other = np.where(pair, (side - OPEN) * np.uint64(4), 0)
        batch.a = np.where(pair, (batch.a & ~(FOUR << other)) | (ENDED << other), batch.a)
        batch.a = np.where(ending, batch.a + (np.uint64(1) << ENDS_AT), batch.a)
        # where the route is finished here, what it visited is still needed
        cleared = batch.a & ~(FOUR << at)
        batch.a = np.where(batch.closed, cleared | (VISITED << at), batch.a)
        batch = batch.which(good)
        batch = self._finish(step, batch)
        at_all = (batch.a >> at) & FOUR
        for watch in self.watches:
            watch.forget(stop, at_all != 0, batch.a < DONE, batch)
        batch.a = batch.a & ~(FOUR << at)
        self.spare.append(self.places.pop(stop))
        return batch


def _open(a: Words) -> Words:
    """Return which places hold the open end of a piece."""
    one, two, three = (a >> np.uint64(n) for n in (1, 2, 3))
    places: Words = (one | two | three) & LOW_BITS
    return places


def _distinct(a: Words, b: Words) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return where each distinct state stands first, and for each state which one it is."""
    if not b.any():
        _, first, where = np.unique(a, return_index=True, return_inverse=True)
        return first, where
    for factor in (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03, 0x94D049BB133111EB):
        mixed = (a * np.uint64(factor)) ^ b
        _, first, where = np.unique(mixed, return_index=True, return_inverse=True)
        if np.array_equal(a[first][where], a) and np.array_equal(b[first][where], b):
            return first, where
    raise TooWideError("states cannot be told apart")
