"""In which ways can Freight runs be joined to chains? (1862 §10.5.5 to §10.5.7)

The referee joins the runs in the order in which they are listed. Here the
order is open: every division that some order brings about is found, each
with an order and directions of travel that bring it about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product

from engine.routing.run import Route, Run, Verdict
from engine.routing.vocabulary import ChainPart, Division

MOST_RUNS = 6
"""The number of orders grows like a factorial; three Freights are usual, and
six need a merger of two companies that are both at the limit."""


@dataclass(frozen=True, slots=True)
class ChainRule:
    """What the rules ask of chains.

    Parameters
    ----------
    single
        All runs must be in one chain.
    closed
        Closed chains may run.
    """

    single: bool
    closed: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one order of listing brings about.

    Parameters
    ----------
    division
        The chains; of a closed one :attr:`ChainPart.closed` holds only the stop that pays.
    order
        The runs in an order that brings it about.
    turned
        Those of them that must be travelled the other way round.
    """

    division: Division
    order: tuple[int, ...]
    turned: frozenset[int]


def divisions(
    rule: ChainRule, ends: Sequence[tuple[int, int]], binding: Sequence[bool]
) -> frozenset[Division]:
    """Return every allowed division of runs into chains.

    Parameters
    ----------
    rule
        What the rules ask.
    ends
        The two end stops of each run.
    binding
        By run: it is of bands A to D.

    Raises
    ------
    ValueError
        There are more than :data:`MOST_RUNS` runs.
    """
    closed: dict[Division, dict[frozenset[int], set[int]]] = {}
    for outcome in outcomes(rule, ends, binding):
        shape = frozenset(replace(part, closed=frozenset()) for part in outcome.division)
        paid = closed.setdefault(shape, {})
        for part in outcome.division:
            paid.setdefault(part.routes, set()).update(part.closed)
    return frozenset(
        frozenset(replace(part, closed=frozenset(paid[part.routes])) for part in shape)
        for shape, paid in closed.items()
    )


def outcomes(
    rule: ChainRule, ends: Sequence[tuple[int, int]], binding: Sequence[bool]
) -> tuple[Outcome, ...]:
    """Return every allowed outcome of listing the runs in some order; see :func:`divisions`."""
    if len(ends) > MOST_RUNS:
        raise ValueError(f"{len(ends)} Freights run; at most {MOST_RUNS} can be put in order")
    labels = list(dict.fromkeys(stop for pair in ends for stop in pair))
    number = {stop: n for n, stop in enumerate(labels)}
    pattern = tuple((number[a], number[b]) for a, b in ends)
    return tuple(
        replace(found, division=frozenset(_named(part, labels) for part in found.division))
        for found in _outcomes(rule, pattern, tuple(binding))
    )


def _named(part: ChainPart, labels: Sequence[int]) -> ChainPart:
    return ChainPart(
        part.routes,
        tuple((run, labels[label]) for run, label in part.loose),
        frozenset(labels[label] for label in part.closed),
    )


@lru_cache(maxsize=4096)
def _outcomes(
    rule: ChainRule, ends: tuple[tuple[int, int], ...], binding: tuple[bool, ...]
) -> tuple[Outcome, ...]:
    """Outcomes for runs between numbered stops.

    Runs that share no end, directly or through others, never meet in a chain, and a chain
    begins with the same run whatever else is listed: how each such group is joined depends
    on its own order only. Tried together, the orders of six groups would be 46,080.
    """
    groups = _groups(ends)
    ways = [
        _joined(tuple(ends[run] for run in group), tuple(binding[run] for run in group))
        for group in groups
    ]
    found: dict[Division, Outcome] = {}
    for chosen in product(*ways):
        outcome = _united(groups, chosen)
        if _allowed(rule, ends, binding, outcome.division):
            found.setdefault(outcome.division, outcome)
    return tuple(found.values())


def _groups(ends: Sequence[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return the runs that hang together by their ends."""
    groups: list[tuple[set[int], tuple[int, ...]]] = []
    for run, stops in enumerate(ends):
        met = [group for group in groups if not group[0].isdisjoint(stops)]
        groups = [group for group in groups if group not in met]
        runs = sorted({run}.union(*(group[1] for group in met)))
        groups.append((set(stops).union(*(group[0] for group in met)), tuple(runs)))
    return [runs for _, runs in groups]


@lru_cache(maxsize=4096)
def _joined(ends: tuple[tuple[int, int], ...], binding: tuple[bool, ...]) -> tuple[Outcome, ...]:
    """Return what the orders of some runs bring about, whether it is allowed or not."""
    return tuple(_Tails(ends, binding).of(frozenset(range(len(ends))), frozenset()).values())


Before = frozenset[tuple[int, int]]
"""What is decided of an order: pairs of runs of which the first is listed before the second."""


class _Tails:
    """Joins runs to one chain after the other. What can come of those that are left depends
    only on what is decided of their order, and is worked out once."""

    def __init__(self, ends: Sequence[tuple[int, int]], binding: Sequence[bool]) -> None:
        self.ends = ends
        self.binding = binding
        self.known: dict[tuple[frozenset[int], Before], dict[Division, Outcome]] = {}

    def of(self, unused: frozenset[int], before: Before) -> dict[Division, Outcome]:
        """Return the outcomes for the runs that are left, by division."""
        if not unused:
            return {frozenset(): Outcome(frozenset(), (), frozenset())}
        found = self.known.get((unused, before))
        if found is None:
            found = self.known[unused, before] = {}
            for part, listing in self._chains(unused, before):
                decided, left = listing.before(), unused - part.routes
                later = frozenset(pair for pair in decided if left.issuperset(pair))
                for tail in self.of(left, later).values():
                    division = tail.division | {part}
                    if division not in found:
                        order = _merged(unused, decided, tail.order)
                        found[division] = Outcome(division, order, tail.turned | listing.turned)
        return found

    def _chains(
        self, unused: frozenset[int], before: Before
    ) -> Iterator[tuple[ChainPart, _Listing]]:
        """Yield the first chain for every way to decide about the order."""
        script: list[tuple[int, int]] = []
        while True:
            listing = _Listing(len(self.ends), before, script)
            yield _Joining(self.ends, self.binding, listing).chain(unused), listing
            script = listing.next_script()
            if not script:
                return


def _merged(runs: frozenset[int], before: Before, tail: Sequence[int]) -> tuple[int, ...]:
    """Return an order of runs that agrees with what is decided and with that of some of them."""
    pairs = before | frozenset(pairwise(tail))
    order: list[int] = []
    left = sorted(runs)
    while left:
        run = next(run for run in left if not any(b == run and a in left for a, b in pairs))
        order.append(run)
        left.remove(run)
    return tuple(order)


def _united(groups: Sequence[tuple[int, ...]], chosen: Sequence[Outcome]) -> Outcome:
    """Return the outcome of listing one group after the other."""
    both = list(zip(groups, chosen, strict=True))
    return Outcome(
        frozenset(
            ChainPart(
                frozenset(group[run] for run in part.routes),
                tuple((group[run], stop) for run, stop in part.loose),
                part.closed,
            )
            for group, outcome in both
            for part in outcome.division
        ),
        tuple(group[run] for group, outcome in both for run in outcome.order),
        frozenset(group[run] for group, outcome in both for run in outcome.turned),
    )


def _allowed(
    rule: ChainRule,
    ends: Sequence[tuple[int, int]],
    binding: Sequence[bool],
    division: Division,
) -> bool:
    """Tell whether chains satisfy 1862 S3."""
    for part in division:
        if len(part.loose) == 1:
            return False
        degrees = Counter(stop for run in part.routes for stop in ends[run])
        if not rule.closed and (not part.loose or max(degrees.values()) > 2):
            return False
    if rule.single:
        return len(division) == 1
    bound = [part for part in division if any(binding[run] for run in part.routes)]
    if len(bound) > 1:
        return False
    return not bound or len(division) == 1 or any(not binding[run] for run in bound[0].routes)


class _Listing:
    """An order of the runs that is decided only as far as someone asks.

    Parameters
    ----------
    runs
        Number of runs.
    before
        What is decided already, with all that follows from it.
    script
        Decisions to repeat, each as (choice, number of choices); later ones
        take the first choice.
    """

    def __init__(self, runs: int, before: Before, script: Sequence[tuple[int, int]]) -> None:
        self._script = list(script)
        self._made: list[tuple[int, int]] = []
        self._earlier = [{a for a, b in before if b == run} for run in range(runs)]
        self.turned: set[int] = set()

    def choose(self, choices: int) -> int:
        """Return a decision among `choices`."""
        depth = len(self._made)
        choice = self._script[depth][0] if depth < len(self._script) else 0
        self._made.append((choice, choices))
        return choice

    def first(self, runs: Sequence[int]) -> int:
        """Return which of some runs is listed first; decide it if it is open."""
        open_ones = [run for run in runs if self._earlier[run].isdisjoint(runs)]
        if len(open_ones) == 1:
            return open_ones[0]
        winner = open_ones[self.choose(len(open_ones))]
        for run in runs:
            if run != winner:
                self._put_before(winner, run)
        return winner

    def _put_before(self, first: int, later: int) -> None:
        before = {first} | self._earlier[first]
        for run, earlier in enumerate(self._earlier):
            if run == later or later in earlier:
                earlier |= before

    def before(self) -> Before:
        """Return what is decided, with all that follows from it."""
        return frozenset(
            (first, later) for later, earlier in enumerate(self._earlier) for first in earlier
        )

    def next_script(self) -> list[tuple[int, int]]:
        """Return the decisions to try next; empty when all have been tried."""
        made = list(self._made)
        while made:
            choice, choices = made.pop()
            if choice + 1 < choices:
                return [*made, (choice + 1, choices)]
        return []


class _Joining:
    """Joins runs to chains, asking a listing wherever the order matters (1862 §10.5.6)."""

    def __init__(
        self, ends: Sequence[tuple[int, int]], binding: Sequence[bool], listing: _Listing
    ) -> None:
        self.ends = ends
        self.binding = binding
        self.listing = listing

    def chain(self, unused: frozenset[int]) -> ChainPart:
        """Return the chain that is built first of the runs that are left."""
        bound = [run for run in sorted(unused) if self.binding[run]]
        start = self.listing.first(bound or sorted(unused))
        first, last = self._directed(start)
        before = self._longest(first, unused - {start})
        after = self._longest(last, unused - {start} - before)
        return self._part(before | after | {start}, first)

    def _directed(self, start: int) -> tuple[int, int]:
        first, last = self.ends[start]
        if self.listing.choose(2):
            self.listing.turned.add(start)
            return last, first
        return first, last

    def _longest(self, loose: int, unused: frozenset[int]) -> frozenset[int]:
        """Return the runs that continue a chain from its loose end."""
        ways: dict[int, frozenset[int]] = {}
        for run in sorted(unused):
            first, last = self.ends[run]
            if loose in (first, last):
                onward = last if first == loose else first
                ways[run] = self._longest(onward, unused - {run}) | {run}
        if not ways:
            return frozenset()
        bound = [run for run, way in ways.items() if any(self.binding[one] for one in way)]
        longest = max(len(way) for way in ways.values())
        best = bound or [run for run, way in ways.items() if len(way) == longest]
        return ways[self.listing.first(best)]

    def _part(self, runs: frozenset[int], first: int) -> ChainPart:
        degrees = Counter(stop for run in runs for stop in self.ends[run])
        loose = tuple(
            (run, stop) for run in sorted(runs) for stop in self.ends[run] if degrees[stop] == 1
        )
        return ChainPart(runs, loose, frozenset() if loose else frozenset({first}))


def best_order(
    rule: ChainRule,
    routes: Sequence[Route],
    binding: dict[str, bool],
    judge: Callable[[Run], Verdict],
) -> tuple[Route, ...]:
    """Return the routes of a run in the order, and the directions, that pay best.

    Parameters
    ----------
    rule
        What the rules ask of chains.
    routes
        The run.
    binding
        By id of each Freight: it is of bands A to D.
    judge
        The referee, which is asked for each different outcome.
    """
    places = [n for n, route in enumerate(routes) if route.train in binding]
    freights = [routes[n] for n in places]
    number = {stop: n for n, stop in enumerate({s: 0 for r in freights for s in r.stops})}
    ends = [(number[route.stops[0]], number[route.stops[-1]]) for route in freights]
    known = outcomes(rule, ends, [binding[route.train] for route in freights])
    best: tuple[tuple[int, int], tuple[Route, ...]] | None = None
    for outcome in known if len(known) > 1 or _branches(ends) else ():
        listed = list(routes)
        for place, run in zip(places, outcome.order, strict=True):
            listed[place] = _turned(freights[run]) if run in outcome.turned else freights[run]
        verdict = judge(Run(tuple(listed)))
        worth = (verdict.revenue, verdict.subsidy)
        if verdict.legal and (best is None or worth > best[0]):
            best = worth, tuple(listed)
    return tuple(routes) if best is None else best[1]


def _branches(ends: Sequence[tuple[int, int]]) -> bool:
    return max(Counter(stop for pair in ends for stop in pair).values(), default=0) > 2


def _turned(route: Route) -> Route:
    return replace(
        route,
        stops=route.stops[::-1],
        legs=tuple(leg[::-1] for leg in reversed(route.legs)),
    )
