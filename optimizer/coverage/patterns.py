"""Which chains may run beside each other: patterns.

The *type* of a chain is the parts of its trains in ascending order. A *pattern*
is a number of types whose chains may run at the same time. Chains of a pattern
may be left out; only patterns that are in no other one are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations

ChainType = tuple[int, ...]
Pattern = tuple[ChainType, ...]


def chain_patterns(
    copies: Mapping[int, int],
    binding: frozenset[int],
    single: bool,
    must: frozenset[int],
    every: bool = False,
) -> tuple[Pattern, ...]:
    """Return the largest patterns, or every one.

    Parameters
    ----------
    copies
        By part: number of its trains.
    binding
        Parts whose trains must all be in one chain, with a train of another
        part if any such train runs.
    single
        All trains must be in one chain.
    must
        Parts whose trains all run.
    every
        Return all patterns, also those within others and that of no chain.

    Notes
    -----
    A pattern with a chain left out is again allowed by the rules: the chain of
    binding trains holds one of the others, or nothing else runs. So the patterns
    that are part of others add nothing.
    """
    found = set[Pattern]()
    for types in _divisions(tuple(sorted(copies.items()))):
        if _allowed(types, binding, single) and _holds(types, copies, must):
            found.add(types)
    if every:
        return tuple(sorted(found))
    return tuple(sorted(types for types in found if not _extends(types, copies, found)))


def _extends(types: Pattern, copies: Mapping[int, int], found: set[Pattern]) -> bool:
    """Tell whether a pattern with one chain more was found."""
    used = Counter(part for kind in types for part in kind)
    left = tuple((part, number - used[part]) for part, number in sorted(copies.items()))
    return any(tuple(sorted((*types, kind), reverse=True)) in found for kind in _types(left))


def _allowed(types: Pattern, binding: frozenset[int], single: bool) -> bool:
    if single:
        return len(types) <= 1
    bound = [kind for kind in types if not binding.isdisjoint(kind)]
    if len(bound) > 1:
        return False
    return not bound or len(types) == 1 or not binding.issuperset(bound[0])


def _holds(types: Pattern, copies: Mapping[int, int], must: frozenset[int]) -> bool:
    used = Counter(part for kind in types for part in kind)
    return all(used[part] == copies[part] for part in must)


def _divisions(left: tuple[tuple[int, int], ...]) -> Iterator[Pattern]:
    """Yield every way to put trains into chains, each once, with trains left out or not.

    Chains come in descending order, so that no two ways differ in order only.
    """
    yield from _below(left, None)


def _below(left: tuple[tuple[int, int], ...], most: ChainType | None) -> Iterator[Pattern]:
    yield ()
    for kind in _types(left):
        if most is None or kind <= most:
            taken = Counter(kind)
            rest = tuple((part, number - taken[part]) for part, number in left)
            for others in _below(rest, kind):
                yield (kind, *others)


def _types(left: tuple[tuple[int, int], ...]) -> list[ChainType]:
    trains = [part for part, number in left for _ in range(number)]
    return sorted(
        {kind for size in range(1, len(trains) + 1) for kind in combinations(trains, size)}
    )
