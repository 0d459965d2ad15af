"""What a route pays by itself, and the classes of trains."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from engine.routing.vocabulary.reach import Has, Of, Reach


@dataclass(frozen=True, slots=True)
class Span:
    """£ `rate` per hex as the crow flies between the first and the last of the
    `counting` stops on a route (18GB §11.4)."""

    rate: int
    counting: frozenset[int]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the visited stops pay, where not all do.

    The paying stops P are a set of visited stops that

    - keeps every limit: at most `count` stops of `stops` for each of `limits`;
    - is as large as the limits let it be (never fewer than fit, even if a
      smaller set were worth more);
    - holds as many stops of `first` as any such set, where `first` is given;
    - holds a stop of the reach's `own` if `own`;

    and of these it is one for which the route pays most, all bonuses included.
    A route for which there is no such set with an own stop may not run.

    Parameters
    ----------
    limits
        (stops, count). The sets of stops are nested or disjoint.
    first
        Stops that are paid before others (1867 §3.1); None: no order.
    own
        One of the paying stops must be an own one.
    """

    limits: tuple[tuple[frozenset[int], int], ...]
    first: frozenset[int] | None = None
    own: bool = True


@dataclass(frozen=True, slots=True)
class Bonus:
    """£ `amount` that a route pays besides if all `tests` hold.

    One kind of bonus says many rules, since several may stand for one: a table
    by number is its increments, each with its own `least`; "the best stop pays
    again" is one increment for each value that stops have; "first that gives
    anything" is a second bonus less the one with both conditions.

    Parameters
    ----------
    tests
        What the route must have; none: always.
    amount
        £; may be negative.
    per
        Times the number of paying (`of` says which) of these; None: once.
    of
        What `per` counts.
    scaled
        The factor of the route (:attr:`Pay.factor`) holds for it.
    subsidy
        It goes to the subsidy, not into the revenue.
    """

    tests: tuple[Has, ...]
    amount: int
    per: frozenset[int] | None = None
    of: Of = Of.PAID
    scaled: bool = False
    subsidy: bool = False


@dataclass(frozen=True, slots=True)
class Factor:
    """The route pays `num`/`den` of what it would, rounded down to a multiple of `rounding`.

    What is rounded is ``base * (num - den) // den`` where `num` exceeds `den`
    (the part that is added: 1850Jr §3), else ``base * num // den`` (1858 §3.2).
    It holds for routes for which all `tests` hold.
    """

    num: int
    den: int
    rounding: int = 1
    tests: tuple[Has, ...] = ()


@dataclass(frozen=True, slots=True)
class Pay:
    """What a route pays by itself.

    Parameters
    ----------
    stops
        £ of each stop on this train, its multiplier included.
    legs
        £ of each leg; empty for none.
    once
        Of the stops of each set on a route only the best paid one counts.
    span
        Bonus by distance between the ends.
    choice
        Which stops pay; None: all that are visited.
    bonuses
        What else it pays.
    factor
        What is made of the sum of stops (and of bonuses that say so).
    subsidy
        £ that each paying stop brings to the subsidy; empty for none.

    Notes
    -----
    Where :class:`PaidOnce` holds for the class, stops do not pay through this
    table but through that word.
    """

    stops: tuple[int, ...]
    legs: tuple[int, ...] = ()
    once: tuple[frozenset[int], ...] = ()
    span: Span | None = None
    choice: Choice | None = None
    bonuses: tuple[Bonus, ...] = ()
    factor: Factor | None = None
    subsidy: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TrainClass:
    """Trains that may run the same routes for the same pay.

    Parameters
    ----------
    name
        For people: ``3``, ``7+``, ``local``.
    trains
        Ids of the company's trains of this class, in the company's order.
        Empty for a class that exists only through an attachment.
    reach, pay
        What a train of the class may run and what it earns.
    track
        Trains with equal `track` share no item of any leg, across classes;
        None: they share freely with all.
    claims
        By stop, something that a route of this class takes when it visits the
        stop and that trains with equal `track` cannot share (1822 §11.11).
    """

    name: str
    trains: tuple[str, ...]
    reach: Reach
    pay: Pay
    track: str | None
    claims: Mapping[int, Hashable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Attachment:
    """Up to `count` carriages, each of which turns one train of a class into
    one of another: ``turns[3] == 5`` lets a train of class 3 run as class 5."""

    name: str
    count: int
    turns: Mapping[int, int]
