"""The divisions into chains that orders of listing bring about (1862 §10.5.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board.board import Stop
from engine.games.g1862.freight import Chain, FreightRun, join_runs
from engine.games.g1862.listing import ChainRule, divisions, outcomes
from engine.routing.run import Route
from engine.routing.track import Traced
from engine.routing.vocabulary import ChainPart, Division

SITE = ChainRule(single=False, closed=True)
Ends = Sequence[tuple[int, int]]


def stop(number: int) -> Stop:
    """Return a large station with a number for a name."""
    return Stop(f"S{number}-0", f"S{number}", (0, 0), 0, 0, "city", 2, 20, (), 1, None)


def freight(number: int, ends: tuple[int, int], bound: bool) -> FreightRun:
    """Return a run between two stations."""
    stops = stop(ends[0]), stop(ends[1])
    traced = Traced(Route(str(number), ()), stops, (), (), ())
    return FreightRun(number, traced, bound)


def referee(ends: Ends, bound: Sequence[bool]) -> Iterator[Division]:
    """Yield what the referee makes of every order and direction of listing, if legal."""
    for order in permutations(range(len(ends))):
        for turned in product((False, True), repeat=len(ends)):
            runs = [
                freight(n, ends[n][::-1] if back else ends[n], bound[n])
                for n, back in zip(order, turned, strict=True)
            ]
            chains = join_runs(runs)
            if legal(chains):
                yield frozenset(part(chain) for chain in chains)


def legal(chains: Sequence[Chain]) -> bool:
    """1862 §10.5.5 and §10.5.7, written anew."""
    if any(len(chain.loose()) == 1 for chain in chains):
        return False
    low = [chain for chain in chains if any(run.band_a_to_d for run in chain.runs)]
    high = [run for chain in chains for run in chain.runs if not run.band_a_to_d]
    if not low:
        return True
    return len(low) == 1 and (not high or any(not run.band_a_to_d for run in low[0].runs))


def part(chain: Chain) -> ChainPart:
    """Return a chain of the referee in the words of the vocabulary."""
    loose = tuple(sorted((run.number, number(s)) for run, s in chain.loose()))
    paid = frozenset() if loose else frozenset({number(chain.paying()[0][1])})
    return ChainPart(frozenset(run.number for run in chain.runs), loose, paid)


def number(one: Stop) -> int:
    """Return the number of a station."""
    return int(one.hex[1:])


def patterns(runs: int, stops: int) -> Iterator[tuple[Ends, tuple[bool, ...]]]:
    """Yield every multigraph of so many runs between so many stops, with every banding."""
    pairs = list(combinations(range(stops), 2))
    for ends in combinations_with_replacement(pairs, runs):
        for bound in product((False, True), repeat=runs):
            yield ends, bound


@pytest.mark.parametrize(("runs", "stops"), [(1, 2), (2, 4), (3, 4)])
def test_the_divisions_are_those_of_the_referee(runs: int, stops: int) -> None:
    """For every pattern of up to three runs: exactly what some listing brings about."""
    for ends, bound in patterns(runs, stops):
        stated = {outcome.division for outcome in outcomes(SITE, ends, bound)}
        assert stated == set(referee(ends, bound))


@settings(max_examples=40, deadline=None)
@given(
    ends=st.lists(st.sampled_from(list(combinations(range(5), 2))), min_size=4, max_size=4),
    bound=st.lists(st.booleans(), min_size=4, max_size=4),
)
def test_the_divisions_of_four_runs_are_those_of_the_referee(
    ends: list[tuple[int, int]], bound: list[bool]
) -> None:
    """The same for random patterns of four runs, where longer ways on are preferred."""
    stated = {outcome.division for outcome in outcomes(SITE, ends, bound)}
    assert stated == set(referee(ends, bound))


@settings(max_examples=60, deadline=None)
@given(
    ends=st.lists(st.sampled_from(list(combinations(range(5), 2))), min_size=1, max_size=5),
    data=st.data(),
)
def test_every_outcome_comes_with_a_listing_that_brings_it_about(
    ends: list[tuple[int, int]], data: st.DataObject
) -> None:
    """The order and the turned runs of an outcome give its division in the referee's hands."""
    bound = data.draw(st.lists(st.booleans(), min_size=len(ends), max_size=len(ends)))
    for outcome in outcomes(SITE, ends, bound):
        runs = [
            freight(n, ends[n][::-1] if n in outcome.turned else ends[n], bound[n])
            for n in outcome.order
        ]
        assert frozenset(part(chain) for chain in join_runs(runs)) == outcome.division


def test_up_to_three_runs_obey_the_conditions_of_the_vocabulary() -> None:
    """The notes of :class:`Chains`: paths and cycles, no shared loose end, binding runs in one
    chain; three runs between the same two stops are one closed chain."""
    for ends, bound in patterns(3, 5):
        stated = {shape(division) for division in divisions(SITE, ends, bound)}
        if len(set(ends)) == 1:
            assert stated == {frozenset({frozenset({0, 1, 2})})}
        else:
            assert stated == {
                frozenset(map(frozenset, parts))
                for parts in partitions([0, 1, 2])
                if allowed(parts, ends, bound)
            }


def shape(division: Division) -> frozenset[frozenset[int]]:
    """Return which runs are together."""
    return frozenset(one.routes for one in division)


def partitions(runs: list[int]) -> Iterator[list[list[int]]]:
    """Yield every partition of some runs."""
    if not runs:
        yield []
        return
    first, rest = runs[0], runs[1:]
    for parts in partitions(rest):
        yield [[first], *parts]
        for n, one in enumerate(parts):
            yield [*parts[:n], [first, *one], *parts[n + 1 :]]


def allowed(parts: list[list[int]], ends: Ends, bound: Sequence[bool]) -> bool:
    """Tell whether a partition obeys the conditions of the vocabulary."""
    loose: Counter[int] = Counter()
    for one in parts:
        degrees = Counter(s for run in one for s in ends[run])
        if max(degrees.values()) > 2 or not joined(one, ends):
            return False
        loose.update(s for s, count in degrees.items() if count == 1)
    if max(loose.values(), default=0) > 1:
        return False
    low = [one for one in parts if any(bound[run] for run in one)]
    return not low or (len(low) == 1 and (all(bound) or any(not bound[run] for run in low[0])))


def joined(runs: list[int], ends: Ends) -> bool:
    """Tell whether runs hang together at their ends."""
    reached, stops = {runs[0]}, set(ends[runs[0]])
    for _ in runs:
        for run in runs:
            if stops.intersection(ends[run]):
                reached.add(run)
                stops.update(ends[run])
    return len(reached) == len(runs)


def test_a_closed_chain_pays_an_end_of_the_run_that_begins_it() -> None:
    """1862 §10.5.6, §10.5.7: a run of bands A to D begins the chain, if there is one."""
    ends = [(0, 1), (1, 2), (2, 0)]
    (free,) = divisions(SITE, ends, [False] * 3)
    (bound,) = divisions(SITE, ends, [True, False, False])
    assert [one.closed for one in free] == [frozenset({0, 1, 2})]
    assert [one.closed for one in bound] == [frozenset({0, 1})]


def test_a_way_on_with_a_run_of_bands_a_to_d_is_taken_before_a_longer_one() -> None:
    """1862 §10.5.6: from the first A to D run the chain goes on over the second, not over the
    three others that branch off between them."""
    ends = [(0, 1), (1, 2), (0, 3), (1, 4), (4, 5), (5, 6)]
    found = divisions(SITE, ends, [True, True, False, False, False, False])
    assert {shape(division) for division in found} == {
        frozenset({frozenset({0, 1, 2}), frozenset({3, 4, 5})})
    }


def test_one_chain_without_circles() -> None:
    """The rulebook's rule: a path is one division, circles and stars are none."""
    rule = ChainRule(single=True, closed=False)
    assert len(divisions(rule, [(0, 1), (1, 2), (2, 3)], [False] * 3)) == 1
    assert not divisions(rule, [(0, 1), (1, 0)], [False] * 2)
    assert not divisions(rule, [(0, 1), (0, 2), (0, 3)], [False] * 3)
    assert not divisions(rule, [(0, 1), (2, 3)], [False] * 2)
    twice = [(0, 9), (9, 1), (1, 2), (2, 9), (9, 3)]
    assert not divisions(rule, twice, [False] * 5)
    assert frozenset({frozenset(range(5))}) in {
        shape(d) for d in divisions(SITE, twice, [False] * 5)
    }


def test_too_many_runs_are_refused() -> None:
    """More than six runs have too many orders."""
    with pytest.raises(ValueError, match="at most 6"):
        divisions(SITE, [(0, 1)] * 7, [False] * 7)


@pytest.mark.parametrize("bound", [(), (0,), (2,), (0, 3), (2, 3)])
def test_groups_of_runs_are_listed_by_themselves(bound: tuple[int, ...]) -> None:
    """Two runs in a line and three at one stop share no end: still exactly what the referee
    makes of every order of all five, also with runs of bands A to D in one group or both."""
    ends, low = [(0, 1), (1, 2), (3, 4), (3, 5), (3, 6)], [n in bound for n in range(5)]
    stated = {outcome.division for outcome in outcomes(SITE, ends, low)}
    assert stated == set(referee(ends, low))


def test_runs_that_share_no_end_have_one_division() -> None:
    """Six of them in no time, though they can be listed in 46,080 ways."""
    began = process_time()
    found = divisions(SITE, [(2 * n + 90, 2 * n + 91) for n in range(6)], [False] * 6)
    assert process_time() - began < 0.5
    assert [shape(division) for division in found] == [{frozenset({n}) for n in range(6)}]


def test_six_runs_at_one_stop_are_paired() -> None:
    """A star of six falls into three pairs, in any of the 15 ways."""
    found = divisions(SITE, [(0, n) for n in range(1, 7)], [False] * 6)
    assert len(found) == 15
    assert {len(one.routes) for division in found for one in division} == {2}
