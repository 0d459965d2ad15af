"""Bonuses of routes that are decided leg by leg (:class:`~engine.routing.vocabulary.Bonus`).

What a bonus pays depends on a few counts: of its tests, up to what they ask for, and of
what it is paid `per`. The counts are one number of a state. Whenever it changes, the
state earns what the bonus pays now less what it paid before, so that nothing is left
to do at the end. That is right for bonuses that pay nothing where nothing counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.routing.vocabulary import Bonus, Of, Pay
from optimizer.packing.network import Flags
from optimizer.packing.watch import Batch, Room, Timed, TooWideError, Watch
from optimizer.task import Weights

MOST_NUMBERS = 1 << 12
"""Different counts of a bonus at most."""


class TestedBonus(Timed):
    """A bonus; the number is made of its counts.

    Parameters
    ----------
    weight
        Of £1 in the objective.
    order
        The legs in the order in which they are decided.
    first, last
        The first and the last step at which a stop has a leg.
    """

    def __init__(
        self,
        room: Room,
        bonus: Bonus,
        weight: int,
        order: Sequence[int],
        first: Mapping[int, int],
        last: Mapping[int, int],
    ) -> None:
        self.bonus = bonus
        self.step_of = {number: step for step, number in enumerate(order)}
        self.order = order
        self.caps = self._caps(first)
        most = 1
        self.radix: dict[tuple[Of, frozenset[int]], int] = {}
        for key, cap in self.caps.items():
            self.radix[key] = most
            most *= cap + 1
        if most > MOST_NUMBERS:
            raise TooWideError("a bonus counts too much")
        begins, ends = self._steps(first, last)
        super().__init__(room, most - 1, frozenset({0}), {0: begins}, {0: ends})
        amounts = [self._amount(number) * weight for number in range(most)]
        self.amounts = np.array(amounts, dtype=np.int64)

    def _caps(self, first: Mapping[int, int]) -> dict[tuple[Of, frozenset[int]], int]:
        """Return by what is counted how far it matters."""
        caps: dict[tuple[Of, frozenset[int]], int] = {}
        for test in self.bonus.tests:
            most = test.least if test.most is None else max(test.least, test.most + 1)
            key = _key(test.of, test.numbers)
            caps[key] = max(caps.get(key, 0), most)
        if self.bonus.per is not None:
            key = _key(self.bonus.of, self.bonus.per)
            caps[key] = max(caps.get(key, 0), len(self.bonus.per))
        there = {
            key: len(key[1] & (self.step_of if key[0] is Of.LEGS else first).keys()) for key in caps
        }
        return {key: min(cap, there[key]) for key, cap in caps.items()}

    def _steps(self, first: Mapping[int, int], last: Mapping[int, int]) -> tuple[int, int]:
        steps = [0]
        for of, numbers in self.caps:
            if of is Of.LEGS:
                steps += [self.step_of[n] for n in numbers if n in self.step_of]
            else:
                steps += [at[n] for n in numbers if n in first for at in (first, last)]
        return min(steps[1:], default=0), max(steps)

    def _count(self, number: int, of: Of, numbers: frozenset[int]) -> int:
        key = _key(of, numbers)
        return number // self.radix[key] % (self.caps[key] + 1)

    def _amount(self, number: int) -> int:
        bonus = self.bonus
        for test in bonus.tests:
            count = self._count(number, test.of, test.numbers)
            if count < test.least or (test.most is not None and count > test.most):
                return 0
        times = 1 if bonus.per is None else self._count(number, bonus.of, bonus.per)
        return bonus.amount * times

    def _add(self, key: tuple[Of, frozenset[int]], which: Flags, batch: Batch) -> None:
        """Count one more of something."""
        number = self.number(batch)
        radix, cap = self.radix[key], self.caps[key]
        more = which & (number // radix % (cap + 1) < cap)
        after = number + radix * more
        batch.gain = batch.gain + self.amounts[after] - self.amounts[number]
        self.put(batch, after)

    def visit(self, stop: int, new: Flags, batch: Batch) -> None:
        """Count stops."""
        for key in self.caps:
            if key[0] is Of.VISITED and stop in key[1]:
                self._add(key, new, batch)

    def end(self, stop: int, which: Flags, batch: Batch) -> None:
        """Count ends."""
        for key in self.caps:
            if key[0] is Of.ENDS and stop in key[1]:
                self._add(key, which, batch)

    def take(self, step: int, batch: Batch) -> Batch:
        """Count legs."""
        for key in self.caps:
            if key[0] is Of.LEGS and self.order[step] in key[1]:
                self._add(key, np.ones(len(batch.a), dtype=np.bool_), batch)
        return batch

    @property
    def never(self) -> bool:
        """True if it pays nothing on any route."""
        return not self.amounts.any()


def _key(of: Of, numbers: frozenset[int]) -> tuple[Of, frozenset[int]]:
    return (Of.VISITED if of is Of.PAID else of, numbers)


def bonus_watches(
    room: Room,
    pay: Pay,
    weights: Weights,
    order: Sequence[int],
    first: Mapping[int, int],
    last: Mapping[int, int],
) -> list[Watch]:
    """Return what must be watched for the bonuses of a class.

    Parameters
    ----------
    order, first, last
        As of :class:`TestedBonus`.
    """
    watches: list[Watch] = []
    for bonus in pay.bonuses:
        weight = weights.subsidy if bonus.subsidy else weights.revenue
        watch = TestedBonus(room, bonus, weight, order, first, last)
        if not watch.never:
            watches.append(watch)
    return watches
