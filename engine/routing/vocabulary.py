"""The words in which a game states what its director decides.

A rules object describes a company's run in these words, and the optimizer
knows the words, never the games. Each word says what it couples; a game that
needs something new adds a word here, with its part in the optimizer
(columns, rows, bound, search).

All amounts are whole £ unless said otherwise. Stops, legs and train classes
are numbers: places in :attr:`RoutingProblem.stops`, ``.legs`` and ``.classes``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

from engine.board.geometry import Point
from engine.board.legs import Leg

# --- the network -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NetStop:
    """A stop of the network.

    Parameters
    ----------
    id
        Stop id on the board; of a pair that counts as one stop, the far one.
    hex, point, kind, name
        As on the board.
    """

    id: str
    hex: str
    point: Point
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class NetLeg:
    """Track from stop `a` to stop `b`.

    Parameters
    ----------
    a, b
        Stops.
    items
        Pieces of track that trains of one track class cannot share (hex sides
        with their lane, inner links). Two legs conflict if they share an item.
    end_only_a, end_only_b
        A route that uses the leg must start or end at that stop.
    length
        Hex-to-hex moves.
    hexes
        Hexes touched, those of both stops included.
    marks
        Names of special track, for :class:`OneOf`.
    parts
        The legs of the board from `a` to `b`, each turned to run in that
        direction; more than one where stops between do not count as stops.
    """

    a: int
    b: int
    items: frozenset[Hashable]
    end_only_a: bool
    end_only_b: bool
    length: int
    hexes: frozenset[str]
    marks: frozenset[str]
    parts: tuple[Leg, ...]


# --- what one train may do -------------------------------------------------


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


# --- what couples the trains of a run --------------------------------------


@dataclass(frozen=True, slots=True)
class PaidOnce:
    """Payments counted once over the run (1862 §10.4).

    Parameters
    ----------
    payee
        For each stop the name under which it pays; stops with equal names pay
        once between them. None: the stop never pays.
    amount
        £ by name.
    choose
        By class: (always, limit, choice). Stops of `always` on a route pay;
        of those of `choice` any `limit` may be chosen to pay, the others are
        skipped. All pay where a route has no more than `limit`. Classes not
        named here pay in other ways (:class:`Chains`).
    """

    payee: tuple[str | None, ...]
    amount: Mapping[str, int]
    choose: Mapping[int, tuple[frozenset[int], int, frozenset[int]]]


@dataclass(frozen=True, slots=True)
class MustVisit:
    """If anything runs, some route visits one of `stops` (1862 S1)."""

    stops: frozenset[int]


@dataclass(frozen=True, slots=True)
class MustMeet:
    """Routes as vertices, joined where they share one of `stops`, are connected (1862 S2)."""

    stops: frozenset[int]


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


@dataclass(frozen=True, slots=True)
class MustRun:
    """A train of `classes` may stand idle only if no route of its class can be
    added to the run as it is (1862 D18): none with which all other words hold.

    Notes
    -----
    A train that pays through :class:`PaidOnce` and is not in :class:`Chains`
    never lowers what the run pays: a best run found without this word can be
    filled up. A route added to a chain moves the chain's end and can lower
    it; where :class:`Chains` is `single`, whether the chain can be lengthened
    depends on its end stops and on the classes that stand idle.
    """

    classes: frozenset[int]


@dataclass(frozen=True, slots=True)
class HexSubsidy:
    """£ `amount` to the subsidy for each hex touched by a route of `classes`,
    once over the run (1862 §10.7)."""

    classes: frozenset[int]
    amount: int


@dataclass(frozen=True, slots=True)
class VisitBonus:
    """A bonus for a route that visits all of `stops`; the best `count` of the
    run's bonuses are paid, as revenue (1822 §11.14). `amount` is £ by class;
    classes not named earn none."""

    stops: frozenset[int]
    amount: Mapping[int, int]
    count: int = 1


@dataclass(frozen=True, slots=True)
class EndsSubsidy:
    """A share of the values of both ends of a route goes to the subsidy, for the
    best `count` routes of `classes` (1822 §11.15): ``(value[a] + value[b]) // divisor``."""

    count: int
    value: tuple[int, ...]
    divisor: int
    classes: frozenset[int]


@dataclass(frozen=True, slots=True)
class GroupBonus:
    """Bonuses for sets of routes that together have two letters (18GB §11.8).

    The routes of the run are divided into sets, each connected by routes that
    touch, that is share one of `touch`. Each set earns `amount` once for each
    pair of letters that it has.

    Parameters
    ----------
    letters
        By stop: the letters of a route that ends there.
    pairs
        (letter, letter, £).
    touch
        Stops at which routes touch.
    best
        True: the director may divide as he likes. False: the sets are the
        connected components.
    """

    letters: Mapping[int, frozenset[str]]
    pairs: tuple[tuple[str, str, int], ...]
    touch: frozenset[int]
    best: bool = True


@dataclass(frozen=True, slots=True)
class OneOf:
    """At most one of these marks of legs is used over the whole run (1822 §11.6)."""

    marks: frozenset[str]


@dataclass(frozen=True, slots=True)
class BestBonus:
    """The best `count` routes of the run earn a bonus, as revenue.

    What a route would earn is the sum of the bonuses of its class. So a bonus
    once a run on the best route (18AL §3.2), on the longest route (1846 §3.6,
    with `per` all stops), or for a place that pays once over the run (18NY
    §4.2) is said.

    Parameters
    ----------
    bonuses
        By class; classes not named earn none. No amount is negative.
    count
        How many routes earn it.
    """

    bonuses: Mapping[int, tuple[Bonus, ...]]
    count: int = 1


@dataclass(frozen=True, slots=True)
class SomeRoute:
    """If anything runs, for some route of the run all tests hold (1870 §2)."""

    tests: tuple[Has, ...]


@dataclass(frozen=True, slots=True)
class AtMostRoutes:
    """No more than `count` routes run (18TN §4.2)."""

    count: int


@dataclass(frozen=True, slots=True)
class Echo:
    """One more train, `train`, earns what the best of `stops` visited by a route of
    the run pays (18EU §2.2: the Pullman). It has no class of its own and takes no track.

    Parameters
    ----------
    train
        Id of the train, which is in no class.
    value
        £ by stop; stops of no value are left out.
    """

    train: str
    value: Mapping[int, int]


Word = (
    PaidOnce
    | MustVisit
    | MustMeet
    | Chains
    | MustRun
    | HexSubsidy
    | VisitBonus
    | EndsSubsidy
    | GroupBonus
    | OneOf
    | BestBonus
    | SomeRoute
    | AtMostRoutes
    | Echo
)
