"""Which of the visited stops pay (:class:`~engine.routing.vocabulary.Choice`), for all routes.

Sets within nested or disjoint limits form a matroid, so taking the best paid
stop that still fits, again and again, is exact for what is a plain sum. Bonuses
that hang on what is paid are no plain sum. For each route the greedy choice
is priced exactly, and beside it an amount that no choice exceeds: what the greedy
one sums up to, and every bonus that the visited stops could bring. Where both are
equal the choice is settled. For the routes left every choice is tried that takes
of stops alike in all but what they pay the better ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.routing.vocabulary import Bonus, Choice, Has, Of
from optimizer.packing.enumerate import Routes
from optimizer.packing.network import Flags, Ints, Words
from optimizer.packing.paying import Amounts, Worth, bits_number, factored, within
from optimizer.route_pay import told_apart

MOST_TRIED = 1 << 18
"""Choices priced at once."""


def chosen(worth: Worth) -> tuple[Flags, Ints, Ints, Ints]:
    """Return of each route whether it may run, revenue and subsidy in £, and how many stops pay."""
    return _Chooser(worth).run()


def every_choice(worth: Worth, more: Sequence[frozenset[int]]) -> Routes:
    """Return each route once for every choice that may be best for the run.

    Parameters
    ----------
    more
        Sets of stops at which words of the run look.
    """
    return _Chooser(worth, more).all()


class _Chooser:
    def __init__(self, worth: Worth, more: Sequence[frozenset[int]] = ()) -> None:
        self.more = more
        choice = worth.pay.choice
        assert choice is not None
        self.worth = worth
        self.tests = worth.tests
        self.routes = worth.routes
        self.cls = worth.cls
        self.pay = worth.pay
        self.choice: Choice = choice
        factor = self.pay.factor
        self.merged = [
            bonus
            for bonus in self.pay.bonuses
            if bonus.per is not None
            and bonus.of is Of.PAID
            and not bonus.tests
            and not bonus.subsidy
            and (factor is None or bonus.scaled)
        ]
        self.weight = {stop: self._weight(stop) for stop in self.routes.family.stop_bit_of}

    def _weight(self, stop: int) -> int:
        per = sum(bonus.amount for bonus in self.merged if stop in (bonus.per or ()))
        return self.pay.stops[stop] + per

    def run(self) -> tuple[Flags, Ints, Ints, Ints]:
        paying = self._greedy()
        everything = np.arange(len(self.routes))
        revenue, subsidy = self.worth.of(everything, paying)
        may = np.ones(len(self.routes), dtype=np.bool_)
        if self.choice.own:
            may = bits_number(paying, self.tests.mask(self.cls.reach.own)) > 0
        every = self.tests.mask(self.routes.family.stop_bit_of)
        sizes = bits_number(paying, every)
        full = sizes < bits_number(self.routes.stops, every)
        open_ = np.flatnonzero(full & (~may | self._improvable(paying, revenue, subsidy)))
        if len(open_):
            self._try(open_, sizes, may, revenue, subsidy)
        return may, revenue, subsidy, sizes

    def all(self) -> Routes:
        """Return each route once for every choice that is not worse than another in all."""
        count = len(self.routes)
        sizes = bits_number(self._greedy(), self.tests.mask(self.routes.family.stop_bit_of))
        batches = list(self._batches(np.arange(count), sizes))
        words = [np.zeros((len(self.routes.stops), 0), dtype=np.uint64), *(w for _, w in batches)]
        paying = np.concatenate(words, axis=1)
        which = np.concatenate([np.zeros(0, dtype=np.int64), *(some for some, _ in batches)])
        revenue, subsidy = self.worth.of(which, paying)
        routes = self.routes.take(which)
        routes.value, routes.subsidy = revenue, subsidy
        routes.sizes, routes.paying = sizes[which], paying
        return routes

    # --- the greedy choice ---------------------------------------------------

    def _greedy(self) -> Words:
        """Return the stop words of the best paid stops within the limits."""
        visited = self.routes.stops
        first = self.choice.first
        masks = [self.tests.mask(some) for some, _ in self.choice.limits]
        over = np.zeros(len(self.routes), dtype=np.bool_)
        for mask, (_, count) in zip(masks, self.choice.limits, strict=True):
            over |= bits_number(visited, mask) > count
        every = self.tests.mask(self.routes.family.stop_bit_of)
        paying = visited & every[:, None]
        which = np.flatnonzero(over)
        if not len(which):
            return paying
        some = visited[:, which]
        left = [np.full(len(which), count, dtype=np.int16) for _, count in self.choice.limits]
        taken = np.zeros_like(some)
        order = sorted(
            self.weight,
            key=lambda s: (first is None or s not in first, -self.weight[s], s),
        )
        for stop in order:
            mask = self.tests.mask((stop,))
            (word,) = np.flatnonzero(mask)
            takes = (some[word] & mask[word]) != 0
            inside = [n for n, (group, _) in enumerate(self.choice.limits) if stop in group]
            for number in inside:
                takes &= left[number] > 0
            for number in inside:
                left[number] -= takes
            taken[word] |= np.where(takes, mask[word], np.uint64(0))
        paying[:, which] = taken
        return paying

    # --- what no choice exceeds ------------------------------------------------

    def _improvable(self, paying: Words, revenue: Ints, subsidy: Ints) -> Flags:
        """Tell for which routes another choice than the greedy one may pay more."""
        base = Amounts(self.routes.family, self.weight).of(paying)
        plain = self.worth.beside.copy()
        most = self.worth.subsidies.of(self.routes.stops)
        for bonus in self.pay.bonuses:
            if bonus in self.merged:
                continue
            amount = self._most_of(bonus)
            if bonus.subsidy:
                most += amount
            elif bonus.scaled:
                base += amount
            else:
                plain += amount
        factor = self.pay.factor
        if factor is not None:
            made = factored(factor, base)
            if any(test.of is Of.PAID for test in factor.tests):
                base = np.maximum(base, made)
            else:
                base = np.where(self.tests.all_hold(factor.tests), made, base)
        return (base + plain > revenue) | (most > subsidy)

    def _most_of(self, bonus: Bonus) -> Ints:
        """Return what no choice earns more of a bonus."""
        per_paid = bonus.per is not None and bonus.of is Of.PAID
        if not per_paid and all(test.of is not Of.PAID for test in bonus.tests):
            return self.tests.earned((bonus,))
        possible = np.ones(len(self.routes), dtype=np.bool_)
        for test in bonus.tests:
            number = self.tests.number(test.of, test.numbers)
            loose = Has(test.of, test.numbers, test.least) if test.of is Of.PAID else test
            possible &= within(loose, number)
        times = 1 if bonus.per is None else self.tests.number(bonus.of, bonus.per)
        most: Ints = max(0, bonus.amount) * times * possible
        return most

    # --- every choice ----------------------------------------------------------

    def _try(self, which: Ints, sizes: Ints, may: Flags, revenue: Ints, subsidy: Ints) -> None:
        """Settle the routes `which` by trying every choice worth it; change the arrays."""
        may[which] = False
        batch: list[tuple[Ints, Words]] = []
        room = MOST_TRIED
        for some, words in self._batches(which, sizes):
            batch.append((some, words))
            room -= len(some)
            if room <= 0:
                self._settle(batch, may, revenue, subsidy)
                batch, room = [], MOST_TRIED
        if batch:
            self._settle(batch, may, revenue, subsidy)

    def _batches(self, which: Ints, sizes: Ints) -> Iterator[tuple[Ints, Words]]:
        """Yield routes with what pays in a choice: all choices of a route in a row."""
        if not len(which):
            return
        alike = self._alike()
        heads = [self._heads(which, some) for some in alike]
        counts = np.array([self._visited(which, some) for some in alike])
        kinds, member = np.unique(
            np.concatenate([counts, sizes[which][None, :]]), axis=1, return_inverse=True
        )
        for number in range(kinds.shape[1]):
            *numbers, size = kinds[:, number].tolist()
            rows = np.flatnonzero(member.ravel() == number)
            ways = np.array(self._ways(alike, numbers, size), dtype=np.int64)
            step = max(1, MOST_TRIED // max(1, len(ways)))
            for start in range(0, len(rows) if len(ways) else 0, step):
                part = rows[start : start + step]
                yield np.repeat(which[part], len(ways)), self._paying(heads, ways, part)

    def _settle(
        self, batch: Sequence[tuple[Ints, Words]], may: Flags, revenue: Ints, subsidy: Ints
    ) -> None:
        """Give every route of a batch its best choice; all choices of a route are in a row."""
        route = np.concatenate([routes for routes, _ in batch])
        paid, brought = self.worth.of(route, np.concatenate([words for _, words in batch], axis=1))
        order = np.lexsort((brought, paid, route))
        last = np.flatnonzero(np.diff(route[order], append=-1))
        best = order[last]
        revenue[route[best]], subsidy[route[best]] = paid[best], brought[best]
        may[route[best]] = True

    def _alike(self) -> list[list[int]]:
        """Return the stops in classes that differ in nothing but what they pay, best ones first."""
        told = [*told_apart(self.pay, self.cls.reach), *self.more]
        alike: dict[tuple[int | bool, ...], list[int]] = {}
        stops = self.routes.family.stop_bit_of
        for stop in sorted(stops, key=lambda stop: (-self.pay.stops[stop], stop)):
            brings = self.pay.subsidy[stop] if self.pay.subsidy else 0
            alike.setdefault((brings, *(stop in some for some in told)), []).append(stop)
        return list(alike.values())

    def _visited(self, which: Ints, stops: Sequence[int]) -> Ints:
        """Return how many of these stops each route visits."""
        return bits_number(self.routes.stops[:, which], self.tests.mask(stops))

    def _heads(self, which: Ints, stops: Sequence[int]) -> Words:
        """Return the words of the first few of these stops that a route visits.

        Number x words x routes, beginning with none of them.
        """
        some = self.routes.stops[:, which]
        left = some & self.tests.mask(stops)[:, None]
        heads = np.zeros((len(stops) + 1, *some.shape), dtype=np.uint64)
        taken = np.zeros(len(which), dtype=np.int64)
        for stop in stops:
            mask = self.tests.mask((stop,))
            (word,) = np.flatnonzero(mask)
            here = np.flatnonzero(left[word] & mask[word])
            taken[here] += 1
            for number in range(1, len(stops) + 1):
                more = here[taken[here] <= number]
                heads[number, word, more] |= mask[word]
        return heads

    def _paying(self, heads: Sequence[Words], ways: Ints, rows: Ints) -> Words:
        """Return the words of what pays in each of the ways on each route, route by route."""
        paying = np.zeros((len(ways), len(self.routes.stops), len(rows)), dtype=np.uint64)
        for place, mine in enumerate(heads):
            if ways[:, place].any():
                paying |= mine[:, :, rows][ways[:, place]]
        return paying.transpose(1, 2, 0).reshape(paying.shape[1], -1)

    def _ways(
        self, alike: Sequence[Sequence[int]], counts: Sequence[int], size: int
    ) -> list[tuple[int, ...]]:
        """Return how many of each class may be paid."""
        limits = [
            ([n for n, some in enumerate(alike) if some[0] in group], count)
            for group, count in self.choice.limits
        ]
        ways = [
            way
            for way in _sums(counts, size)
            if all(sum(way[n] for n in inside) <= count for inside, count in limits)
        ]
        first = self.choice.first
        if first is not None and ways:
            ahead = [n for n, some in enumerate(alike) if some[0] in first]
            most = max(sum(way[n] for n in ahead) for way in ways)
            ways = [way for way in ways if sum(way[n] for n in ahead) == most]
        if self.choice.own:
            own = [n for n, some in enumerate(alike) if some[0] in self.cls.reach.own]
            ways = [way for way in ways if any(way[n] for n in own)]
        return ways


def _sums(counts: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take `size` in all, of each class at most its count."""
    if not size:
        yield (0,) * len(counts)
        return
    if not counts:
        return
    rest = sum(counts[1:])
    for taken in range(max(0, size - rest), min(size, counts[0]) + 1):
        for others in _sums(counts[1:], size - taken):
            yield (taken, *others)
