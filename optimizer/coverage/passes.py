"""The tables of the meeting bound, filled layer by layer (:mod:`optimizer.coverage.meeting`).

What hangs below a column is a multiset of vertex classes, numbered in mixed
radix; a table has one row for each and one column for each column of the root
class. All rows with equally many vertices, a *layer*, are filled by a few array
operations: which rows they read and write depends on the numbers of copies only,
and is worked out once (:func:`plan_of`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from optimizer.coverage.arrays import Floats, Ints, row_blocks

Counts = tuple[int, ...]
"""By vertex class: how many columns."""
Check = Callable[[], None]
AT_ONCE = 1 << 17
"""Sums that are formed in one operation: so many stay near the processor."""


@dataclass(frozen=True)
class Hanging:
    """Subtrees that may hang on a root column, all of one root of theirs.

    Parameters
    ----------
    child
        Class of the root of the subtrees.
    branches, left
        Rows of the subtrees, and of what is below their roots.
    branches_twice, left_twice
        The same in tables of two sheets, one below the other.
    """

    child: int
    branches: Ints
    left: Ints
    branches_twice: Ints
    left_twice: Ints


@dataclass(frozen=True)
class Layer:
    """How the rows of one root class with equally many vertices below are filled.

    Parameters
    ----------
    root
        The root class.
    rows
        The rows.
    hanging
        The subtrees that are rows of the layer.
    branches, rest
        Ways to divide rows into the subtree with their first class and the rest.
    starts
        Where the ways of each row begin.
    """

    root: int
    rows: Ints
    hanging: tuple[Hanging, ...]
    branches: Ints
    rest: Ints
    starts: Ints


@dataclass(frozen=True)
class Plan:
    """What depends on the numbers of copies only.

    Parameters
    ----------
    counts
        By row: the counts.
    states
        Root class and row of every state, small ones first.
    layers
        In the order in which they are filled.
    places
        By class: by how much one more of it raises the number of a row.
    """

    counts: Ints
    states: tuple[tuple[int, int], ...]
    layers: tuple[Layer, ...]

    places: Ints

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.counts)

    def ways(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the rows of every subtree with the first class of a row, and of the rest."""
        below = self.counts[row]
        for branch in _branches(tuple(below.tolist())):
            number = int(np.array(branch) @ self.places)
            yield number, row - number

    def children(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the classes that may be the root of a subtree, with the row of what is below."""
        for child in np.nonzero(self.counts[row])[0].tolist():
            yield child, row - int(self.places[child])

    def edges(self) -> tuple[tuple[tuple[int, int], int], ...]:
        """Return by root class and class of a child how many rows are told of it."""
        found = Counter[tuple[int, int]]()
        for layer in self.layers:
            for some in layer.hanging:
                found[layer.root, some.child] += len(some.branches)
        return tuple(found.items())


@lru_cache(maxsize=256)
def plan_of(caps: Counts) -> Plan:
    """Return the plan for so many copies of each class."""
    every = list(product(*(range(cap + 1) for cap in caps)))
    number = {counts: row for row, counts in enumerate(every)}
    states = sorted(
        ((root, row) for row, below in enumerate(every) for root in _roots(below, caps)),
        key=lambda state: sum(every[state[1]]),
    )
    layers = []
    for size in range(1, sum(caps)):
        for root in range(len(caps)):
            mine = [b for b in every if sum(b) == size and b[root] < caps[root]]
            if mine:
                layers.append(_layer(root, mine, number))
    places = [prod(cap + 1 for cap in caps[vertex + 1 :]) for vertex in range(len(caps))]
    counts = np.array(every, dtype=np.int64).reshape(len(every), len(caps))
    return Plan(counts, tuple(states), tuple(layers), _ints(places))


def _roots(below: Counts, caps: Counts) -> Iterator[int]:
    return (root for root, cap in enumerate(caps) if below[root] < cap)


def _layer(root: int, mine: list[Counts], number: dict[Counts, int]) -> Layer:
    hanging = []
    for child in range(len(mine[0])):
        some = [b for b in mine if b[child]]
        if some:
            left = [number[*b[:child], b[child] - 1, *b[child + 1 :]] for b in some]
            branch = [number[b] for b in some]
            twice = (_ints([*one, *(row + len(number) for row in one)]) for one in (branch, left))
            hanging.append(Hanging(child, _ints(branch), _ints(left), *twice))
    branches: list[int] = []
    rest: list[int] = []
    starts: list[int] = []
    for below in mine:
        starts.append(len(branches))
        for part in _branches(below):
            branches.append(number[part])
            rest.append(number[tuple(b - c for b, c in zip(below, part, strict=True))])
    rows = _ints([number[b] for b in mine])
    return Layer(root, rows, tuple(hanging), _ints(branches), _ints(rest), _ints(starts))


def _ints(numbers: list[int]) -> Ints:
    return np.array(numbers, dtype=np.int64)


def _branches(below: Counts) -> Iterator[Counts]:
    """Yield the multisets within `below` that hold its first class."""
    first = next(vertex for vertex, count in enumerate(below) if count)
    yield from product(*(range(v == first, count + 1) for v, count in enumerate(below)))


def hang(across: Floats, below: Floats, told: Floats, rows: Ints, check: Check) -> None:
    """Raise rows of `told` to the best of what hangs on each root column by a link.

    Parameters
    ----------
    across
        By child column and root column: what the edge adds.
    below
        By row and child column: the best subtree.
    told
        By row and root column; `rows` says which rows of it `below` belongs to.
    """
    if len(rows) * across.size <= AT_ONCE:
        check()
        best = (across[:, None, :] + below.T[:, :, None]).max(axis=0)
        told[rows] = np.maximum(told[rows], best)
        return
    for number, row in enumerate(rows.tolist()):
        for part in row_blocks(across.shape[1], across.shape[0]):
            check()
            best = (across[:, part] + below[number][:, None]).max(axis=0)
            np.maximum(told[row, part], best, out=told[row, part])


def combine(one: Floats, two: Floats, layer: Layer, best: Floats) -> Floats:
    """Return the larger of `best` and the best sums of a subtree of `one` and a rest of `two`,
    by row of a layer."""
    sums = one[layer.branches]
    sums += two[layer.rest]
    return np.asarray(np.maximum(best, np.maximum.reduceat(sums, layer.starts, axis=0)))
