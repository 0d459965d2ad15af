"""Division of a run into compass sets (18GB §11.8.3 to §11.8.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.g18gb.compass import Member, components, divide, scored

PAIRS = (("N", "S", 30), ("E", "W", 30))


def member(letters: str, nodes: str) -> Member:
    """Return a route with these letters over these nodes, one character each."""
    return Member(frozenset(letters), frozenset(nodes))


def bonus(members: Sequence[Member], numbers: Sequence[int]) -> int:
    """Return what the sets of a division score in all."""
    return sum(
        amount
        for number in set(numbers)
        for _, amount in scored(
            frozenset(
                letter
                for own, m in zip(numbers, members, strict=True)
                if own == number
                for letter in m.letters
            ),
            PAIRS,
        )
    )


def divisions(members: Sequence[Member]) -> Iterator[tuple[int, ...]]:
    """Yield every division that 18GB §11.8.4 allows, in the order of §11.8.5."""

    def go(numbers: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(numbers) == len(members):
            yield numbers
            return
        nodes = members[len(numbers)].nodes
        formed = max(numbers, default=-1) + 1
        yield from go((*numbers, formed))
        for number in range(formed):
            if any(
                own == number and not members[place].nodes.isdisjoint(nodes)
                for place, own in enumerate(numbers)
            ):
                yield from go((*numbers, number))

    return go(())


MEMBERS = st.lists(
    st.builds(
        Member,
        st.frozensets(st.sampled_from("NSEW"), max_size=3),
        st.frozensets(st.sampled_from("abcde"), max_size=3),
    ),
    max_size=6,
)


@given(MEMBERS)
def test_the_division_is_the_first_best_of_all_allowed(members: list[Member]) -> None:
    """§11.8.5: highest bonus, then most sets, then the first in the order of listing."""
    listed = list(divisions(members))
    best = max((bonus(members, d), len(set(d))) for d in listed)
    first = next(d for d in listed if (bonus(members, d), len(set(d))) == best)
    assert divide(members, PAIRS) == first


@given(MEMBERS)
def test_components_are_connected_and_apart(members: list[Member]) -> None:
    """§11.8.6, older practice: routes share a set exactly if a chain of touches joins them."""
    numbers = components(members)
    joined = {(i, i) for i in range(len(members))}
    for i, one in enumerate(members):
        joined |= {(i, j) for j, two in enumerate(members) if one.nodes & two.nodes}
    while True:
        more = {(i, k) for i, j in joined for j2, k in joined if j == j2} - joined
        if not more:
            break
        joined |= more
    for i in range(len(members)):
        for j in range(len(members)):
            assert (numbers[i] == numbers[j]) == ((i, j) in joined)
    assert list(dict.fromkeys(numbers)) == list(range(len(set(numbers))))


def test_the_best_division_pays_at_least_the_components() -> None:
    """§17.12: two touching routes with E and W score twice, as one component once."""
    both = [member("EW", "a"), member("ESW", "a")]
    assert bonus(both, divide(both, PAIRS)) == 60
    assert bonus(both, components(both)) == 30


def test_two_sets_are_never_merged() -> None:
    """§11.8.4, §17.5: N and S form sets; what touches both can join only one."""
    assert divide([member("N", "a"), member("S", "b"), member("", "ab")], PAIRS) == (0, 1, 2)
    assert divide([member("N", "a"), member("", "ab"), member("S", "b")], PAIRS) == (0, 0, 0)


def test_equal_bonus_leaves_more_sets() -> None:
    """§11.8.5: where joining gains nothing the routes stay apart."""
    assert divide([member("N", "a"), member("NS", "a")], PAIRS) == (0, 1)


def test_a_set_scores_a_pair_once() -> None:
    """§11.8.3: NS and EW, each once, whatever else the set has."""
    assert scored(frozenset("NSEW"), PAIRS) == (("NS", 30), ("EW", 30))
    assert scored(frozenset("NSE"), PAIRS) == (("NS", 30),)
    assert scored(frozenset("NW"), PAIRS) == ()


def test_one_area_may_give_two_letters() -> None:
    """§11.8.1: Aberdeen (N, E) to London (S, E) scores NS, to Plymouth (S, W) both."""
    assert scored(frozenset("NE") | frozenset("SE"), PAIRS) == (("NS", 30),)
    assert scored(frozenset("NE") | frozenset("SW"), PAIRS) == (("NS", 30), ("EW", 30))


@pytest.mark.timeout(20)
def test_twelve_routes_that_all_touch_are_divided() -> None:
    """The most trains that a company may state do not blow up: 6 N and 6 S give 6 sets."""
    members = [member("N" if n % 2 else "S", "a") for n in range(12)]
    numbers = divide(members, PAIRS)
    assert bonus(members, numbers) == 6 * 30
    assert len(set(numbers)) == 6
