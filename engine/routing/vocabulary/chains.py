"""Routes joined end to end, which pay only at the ends of the chain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ChainPart:
    """One chain of a :data:`Division`.

    Parameters
    ----------
    routes
        Numbers of its routes in the list that was divided.
    loose
        Its two loose ends as (route, stop); empty for a closed chain.
    closed
        For a closed chain the stops of which it pays one, any one; else empty.
    """

    routes: frozenset[int]
    loose: tuple[tuple[int, int], ...]
    closed: frozenset[int] = frozenset()


Division = frozenset[ChainPart]
"""A way in which routes may be joined to chains."""


@dataclass(frozen=True, slots=True)
class Chains:
    """Routes that are joined end to end and pay only at the ends of the chain (1862 §10.5).

    Routes of the named classes that end at the same stop are joined there, in
    pairs. The two loose ends of a chain pay, each once over the run under its
    name in :class:`PaidOnce`, and earn a bonus between them. A closed chain,
    one without loose ends, pays one of its stops, whichever is chosen, with the
    bonus of that stop. What lies between the ends pays nothing through this word.

    Parameters
    ----------
    classes
        The classes that chain.
    binding
        Those whose routes must all be in one chain, which holds a route of a
        class outside `binding` if any such class runs.
    single
        All routes must be in one chain, whatever their class.
    closed
        Closed chains may run.
    closed_bonus
        £ by stop that a closed chain earns if it pays the stop, also where
        another route counts its name already; 0 for stops not named.
    place
        By (stop, leg): the place, for the bonus, of a route that ends at the
        stop by that leg.
    bonus
        £ by two places.
    divide
        The exact rule: given the two end stops and the class of each route,
        every division that some order of listing the routes brings about and
        that the rules allow; empty if there is none. The answer depends on
        ends and classes only and is remembered.

    Notes
    -----
    With at most three routes a division is allowed just if

    - each chain is a path or a cycle of its routes, seen as edges between
      their end stops; three routes between the same two stops are one closed
      chain, and no other division of them is allowed;
    - no stop is a loose end of two chains (they would be joined there); but a
      stop may be a loose end of one chain and a junction inside another;
    - `binding`, `single` and `closed` hold.

    Other routes of the run add nothing to these conditions. From four routes
    on more conditions hold (a chain takes the longest way on at a branch) and
    a chain may pass a stop more than once: ask `divide`.
    """

    classes: frozenset[int]
    binding: frozenset[int]
    single: bool
    place: Mapping[tuple[int, int], int]
    bonus: tuple[tuple[int, ...], ...]
    divide: Callable[[Sequence[tuple[int, int]], Sequence[int]], frozenset[Division]]
    closed: bool = True
    closed_bonus: Mapping[int, int] = field(default_factory=dict)

    def highest_bonus(self) -> int:
        """Return an amount in £ that the bonus of no chain exceeds."""
        highest = max((amount for row in self.bonus for amount in row), default=0)
        return max(highest, *self.closed_bonus.values(), 0)
