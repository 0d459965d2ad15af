"""Types of arrays, and sets as rows of 64-bit words.

A set of small numbers is a row of words; a family of sets is a matrix with one
row for each set and one column for each word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.floating[Any]]

WORD = 64
FULL = (1 << WORD) - 1
BLOCK = 1 << 20
"""Cells of a block of rows."""


def words_for(bits: int) -> int:
    """Return the number of words that hold `bits` bits, at least one."""
    return max(1, -(-bits // WORD))


def pack(sets: Sequence[int], words: int) -> Words:
    """Turn sets, given as the bits of integers, into rows of words."""
    rows = [[(bits >> WORD * w) & FULL for w in range(words)] for bits in sets]
    return np.array(rows, dtype=np.uint64).reshape(len(rows), words)


def unpack_one(row: Words) -> int:
    """Turn one row of words into the bits of an integer."""
    return sum(int(word) << (WORD * w) for w, word in enumerate(row))


def mask_of(numbers: Iterable[int]) -> int:
    """Return the set of `numbers` as the bits of an integer."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits


def spread(rows: Words, bits: int) -> Flags:
    """Return a matrix that tells for each row and each of `bits` numbers if it is in the set."""
    octets = np.ascontiguousarray(rows, dtype="<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=bits, bitorder="little").view(np.bool_)


def disjoint(rows: Words, others: Words) -> Flags:
    """Tell for each of `rows` and each of `others` whether the sets are disjoint."""
    common = rows[:, None, 0] & others[None, :, 0]
    for w in range(1, rows.shape[1]):
        common |= rows[:, None, w] & others[None, :, w]
    return np.asarray(common == 0)


def meets(rows: Words, one: Words) -> Flags:
    """Tell for each of `rows` whether it has an element in common with the set `one`."""
    common = rows[:, 0] & one[0]
    for w in range(1, rows.shape[1]):
        common |= rows[:, w] & one[w]
    return np.asarray(common != 0)


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """Yield slices of the rows of a large matrix, each worked on in a few milliseconds."""
    step = max(1, BLOCK // max(1, columns))
    for first in range(0, rows, step):
        yield slice(first, min(first + step, rows))


def order_by(*keys: npt.NDArray[Any]) -> Ints:
    """Return the order that sorts by the first key, then the second, and so on; stable.

    Keys may be vectors or matrices, whose columns count as keys in turn.
    """
    columns: list[npt.NDArray[Any]] = []
    for key in keys:
        columns.extend([key] if key.ndim == 1 else [key[:, c] for c in range(key.shape[1])])
    return np.lexsort(columns[::-1])


def starts_of_runs(order: Ints, *keys: npt.NDArray[Any]) -> Flags:
    """Tell in sorted order where a new combination of keys begins."""
    new = np.zeros(len(order), dtype=np.bool_)
    new[:1] = True
    for key in keys:
        sorted_key = key[order]
        changed = sorted_key[1:] != sorted_key[:-1]
        new[1:] |= changed if changed.ndim == 1 else changed.any(axis=1)
    return new


def different(rows: Words) -> Ints:
    """Return the places of the sets, each set once, ascending."""
    order = order_by(rows)
    return np.sort(order[starts_of_runs(order, rows)])


def maximal(rows: Words, chunk: int = 1 << 20) -> Ints:
    """Return the places of the sets that are in no other one, each set once, ascending."""
    order = different(rows)
    size = np.bitwise_count(rows[order]).sum(axis=1, dtype=np.int64)
    order = order[np.argsort(-size, kind="stable")]
    size = np.sort(size)[::-1]
    kept = order[:0]
    for level in np.unique(size)[::-1]:
        fresh = order[size == level]
        if len(kept):
            fresh = fresh[~_inside(rows[fresh], rows[kept], chunk)]
        kept = np.concatenate((kept, fresh))
    return np.sort(kept)


def _inside(rows: Words, others: Words, chunk: int) -> Flags:
    """Tell for each of `rows` whether it is a subset of one of `others`."""
    found = np.zeros(len(rows), dtype=np.bool_)
    step = max(1, chunk // max(1, len(others)))
    outside = ~others
    for first in range(0, len(rows), step):
        found[first : first + step] = disjoint(rows[first : first + step], outside).any(axis=1)
    return found


def maximal_in_groups(group: Ints, rows: Words) -> Ints:
    """Return the places of the sets that are in no other one of their group, each once.

    Complexity
    ----------
    The number of rows times the size of the largest group, in vector operations.
    """
    size = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    order = order_by(group, -size, rows)
    order = order[starts_of_runs(order, group, rows)]
    groups, sets = group[order], rows[order]
    dominated = np.zeros(len(order), dtype=np.bool_)
    shift = 1
    while shift < len(order):
        same = groups[shift:] == groups[:-shift]
        if not same.any():
            break
        extra = sets[shift:] & ~sets[:-shift]
        dominated[shift:] |= same & ~extra.any(axis=1)
        shift += 1
    return np.sort(order[~dominated])
