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
    copies: Mapping[int, int], binding: frozenset[int], single: bool, must: frozenset[int]
) -> tuple[Pattern, ...]:
    """Return the largest patterns.

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

    Notes
    -----
    A pattern with a chain left out is again allowed by the rules: the chain of
    binding trains holds one of the others, or nothing else runs. So the patterns
    that are part of others add nothing.
    """
    found = set[Pattern]()
    for types in _divisions(tuple(sorted(copies.items()))):
        if types and _allowed(types, binding, single) and _holds(types, copies, must):
            found.add(types)
    counted = {types: Counter(types) for types in found}
    return tuple(
        sorted(
            types
            for types in found
            if not any(other != types and counted[types] <= counted[other] for other in found)
        )
    )


def _allowed(types: Pattern, binding: frozenset[int], single: bool) -> bool:
    if single:
        return len(types) == 1
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
    return sorted({kind for size in range(1, len(trains) + 1) for kind in combinations(trains, size)})
