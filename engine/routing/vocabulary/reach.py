"""What one train may run: limits, tests and needs of a route."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Budget:
    """The costs of stops, legs and ends of a route add up to at most `limit`.

    Parameters
    ----------
    limit
        What may be spent.
    stops, legs
        The cost of each; an empty tuple means all 0. Not negative.
    ends
        What each stop costs besides if a route starts or ends there (a town at
        an end takes the place of a city: 18CO §2.1); empty for all 0.
    rebates
        (legs, amount): a route that uses one of the legs is let off the amount,
        once (two hexes that count as one: 18NY §2.1).
    """

    limit: int
    stops: tuple[int, ...] = ()
    legs: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()
    rebates: tuple[tuple[frozenset[int], int], ...] = ()


@dataclass(frozen=True, slots=True)
class AtMostOne:
    """A route visits at most one of `stops`, unless it also visits one of `unless`."""

    stops: frozenset[int]
    unless: frozenset[int] = frozenset()


class Of(Enum):
    """What of a route a :class:`Has` looks at."""

    PAID = "paid"
    """The stops that pay (:class:`Choice`); all visited ones where there is no choice."""
    VISITED = "visited"
    """All stops on the route."""
    ENDS = "ends"
    """Its first and its last stop."""
    LEGS = "legs"
    """Its legs."""


@dataclass(frozen=True, slots=True)
class Has:
    """A test of a route: at least `least` and at most `most` of these numbers are on it.

    Parameters
    ----------
    of
        What is looked at.
    numbers
        Stops, or legs for :attr:`Of.LEGS`.
    least, most
        How many different ones; None: any number.
    """

    of: Of
    numbers: frozenset[int]
    least: int = 1
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Need:
    """A route for which all tests of `when` hold may run only if all of `then` hold.

    Without `when` every route needs it. Tests look at what is visited, at ends
    and at legs, not at what is paid.
    """

    then: tuple[Has, ...]
    when: tuple[Has, ...] = ()


@dataclass(frozen=True, slots=True)
class Reach:
    """Which routes a train may run, by itself.

    A route is a sequence of different stops joined by legs of which no two
    share an item.

    Parameters
    ----------
    visits
        Stops that may be on a route.
    through
        Stops that may lie between its ends; others only at an end.
    ends
        Stops at which a route may start or end.
    own
        A route visits at least one of these (own tokens).
    budgets
        Limits on what is visited.
    groups
        Stops that exclude each other.
    fewest
        Least number of stops: 2, or 1 where a train may stand in its city.
    legs
        Legs that may be used; None for all.
    needs
        What a route must hold besides: least stops, compulsory places,
        permissions that hang on the rest of the route.
    """

    visits: frozenset[int]
    through: frozenset[int]
    ends: frozenset[int]
    own: frozenset[int]
    budgets: tuple[Budget, ...] = ()
    groups: tuple[AtMostOne, ...] = ()
    fewest: int = 2
    legs: frozenset[int] | None = None
    needs: tuple[Need, ...] = ()
