"""What couples the routes of a run."""

from __future__ import annotations

from dataclasses import dataclass

from engine.declared.options.common import Amount, Option


@dataclass(frozen=True, kw_only=True)
class Longest(Option):
    """`amount` for each of what is counted on the one route of the run with most of them.

    Parameters
    ----------
    count
        ``visited`` stops, ``city``: visited cities, ``paying_places``: visited stops, but no
        more than the first slot pays; ``frames``: different frames of the hexes visited.
    """

    amount: Amount
    count: str = "visited"


@dataclass(frozen=True, kw_only=True)
class BestRouteAllHexes(Option):
    """Once a run, for each ability of these types: its amount on one route that visits all
    its hexes."""

    abilities: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class ConnectionBonus(Option):
    """`amount` once a run for each place with an open bonus among the paying stops.

    Parameters
    ----------
    marker
        It lies on the first hex of an open place.
    red_places
        Places of several stops: ids of hexes, or ``hex:edge`` for the stop at an edge.
    """

    amount: int
    marker: str
    red_places: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class RunMinusLeast(Option):
    """With this ability: the least route pays nothing while all trains run."""

    ability_type: str


@dataclass(frozen=True, kw_only=True)
class MustRun(Option):
    """While the company has a goal, one route has its home at one end and the goal at the
    other."""


@dataclass(frozen=True, kw_only=True)
class OncePerRun(Option):
    """At most one route of the run visits `hex` while it has this colour."""

    hex: str
    while_colour: str


@dataclass(frozen=True, kw_only=True)
class TrackClasses(Option):
    """Trains with `text` in their name share no track among themselves, nor the others; one
    of each may."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Pullman(Option):
    """A train of this name stands on a stop of these kinds of another route, and pays it."""

    train: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Attached(Option):
    """The carriage attached to a train of broad gauge gives `amount` for each paying stop of
    these kinds, `amount_obsolete` for an obsolete train."""

    amount: int
    amount_obsolete: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class RunAdd(Option):
    """The run earns besides, whatever runs: ``company_revenue`` of the corporation's privates
    (not of kind `not_kind`), or ``ability_totals`` of abilities of these `types`."""

    of: str
    types: tuple[str, ...] = ()
    not_kind: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RouteTestOff(Option):
    """It is not asked whether the company has a route (1858 §1.8)."""
