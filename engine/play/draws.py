"""The seeded random of 18xx.games (FMT §C)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

MODULUS = 2**31


class Draws:
    """A generator of draws.

    Examples
    --------
    >>> draws = Draws(1)
    >>> draws.next(), draws.next()
    (1103527590, 377401575)
    """

    def __init__(self, seed: int) -> None:
        self._state = seed % MODULUS

    def next(self) -> int:
        """Return the next draw (FMT §C1)."""
        self._state = (1103515245 * self._state + 12345) % MODULUS
        return self._state

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """Return the items in the order of one draw each (FMT §C2)."""
        drawn = [(self.next(), place, item) for place, item in enumerate(items)]
        drawn.sort(key=lambda entry: entry[:2])
        return [item for _, _, item in drawn]
