"""What couples the trains of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.routing.vocabulary.chains import Chains
from engine.routing.vocabulary.pay import Bonus
from engine.routing.vocabulary.reach import Has


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
