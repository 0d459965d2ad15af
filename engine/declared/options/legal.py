"""Which routes are legal."""

from __future__ import annotations

from dataclasses import dataclass

from engine.declared.options.common import Holder, Option, Selector


@dataclass(frozen=True, kw_only=True)
class HexOnce(Option):
    """No two visited stops of a route in one hex.

    Parameters
    ----------
    kinds
        Only stops of these kinds; empty for all.
    hexes
        Only in these hexes; empty for all.
    unless_hex_has
        Not in hexes with a stop of this kind.
    """

    kinds: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    unless_hex_has: str = ""


@dataclass(frozen=True, kw_only=True)
class EndsNot(Option):
    """No end of a route of one of these kinds, or in a hex with one of these markers."""

    kinds: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LeastStops(Option):
    """At least `stops` visited stops, those that fit one of `not_counted` left out; with
    `if_stop` only for routes with such a stop."""

    stops: int
    if_stop: Selector | None = None
    not_counted: tuple[Selector, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NotBoth(Option):
    """No route visits stops of both selectors."""

    of: tuple[Selector, ...]


@dataclass(frozen=True, kw_only=True)
class Exactly(Option):
    """Routes of trains whose name ends with `trains_name_ends` visit exactly `count` stops
    that fit `of`, those of other trains exactly `others`."""

    of: Selector
    trains_name_ends: str
    count: int
    others: int


@dataclass(frozen=True, kw_only=True)
class LeastPaying(Option):
    """At least `count` paying stops of these `kinds`."""

    kinds: tuple[str, ...]
    count: int


@dataclass(frozen=True, kw_only=True)
class ValueNeeded(Option):
    """The stops that pay into the revenue are worth more than 0 in all (1824 §2.6)."""


@dataclass(frozen=True, kw_only=True)
class ZeroStopForbidden(Option):
    """No paying stop of value 0."""


@dataclass(frozen=True, kw_only=True)
class ZeroStopNeeds(Option):
    """A stop of value 0 may be visited only if one of `any` holds: the company is as it says, or
    a visited stop is as its selector `stop` says."""

    any: tuple[Holder, ...]


@dataclass(frozen=True, kw_only=True)
class StopForbidden(Option):
    """No visited stop that fits `of`."""

    of: Selector


@dataclass(frozen=True, kw_only=True)
class TrackForbidden(Option):
    """No track of this gauge."""

    track: str


@dataclass(frozen=True, kw_only=True)
class Permission(Option):
    """Only a corporation with `holder_flag` may have these hexes on a route; if
    `never_blocks_holder` nothing there blocks it."""

    hexes: tuple[str, ...]
    holder_flag: str
    never_blocks_holder: bool = False


@dataclass(frozen=True, kw_only=True)
class NeverBlocked(Option):
    """A corporation with `holder_flag` passes the cities of these hexes."""

    hexes: tuple[str, ...]
    holder_flag: str


@dataclass(frozen=True, kw_only=True)
class NoPassFullCity(Option):
    """Trains may not pass cities without an own token that are full, neutral tokens
    counted, while the company has a train of this name (18SJ §2.3)."""

    if_company_has_train: str


@dataclass(frozen=True, kw_only=True)
class Gauge(Option):
    """Trains of this gauge use only track of `track`, others only of `others`."""

    trains_with_track: str
    track: tuple[str, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LocalOff(Option):
    """A train that visits one city is no local train: it needs two stops (1858India §1.1)."""


@dataclass(frozen=True, kw_only=True)
class LegFactor:
    """The steps of a leg count `factor` times for trains of these names (not these) if the
    leg has track of this gauge and none of `unless_track`."""

    track: str
    factor: int
    trains: tuple[str, ...] = ()
    trains_not: tuple[str, ...] = ()
    unless_track: str = ""


@dataclass(frozen=True, kw_only=True)
class Length(Option):
    """Trains are limited by length instead of stops.

    Parameters
    ----------
    trains_with_measure
        Only trains that measure in this; empty: all.
    leg_factor
        Factors of legs by gauge.
    leg_not_mixed
        No leg has track of all these gauges.
    minus_one_if_track_in
        One less for each of these hexes that the route touches.
    measure
        ``hex_sides`` crossed, or ``hexes_touched``: one more.
    """

    measure: str
    trains_with_measure: str = ""
    leg_factor: tuple[LegFactor, ...] = ()
    leg_not_mixed: tuple[str, ...] = ()
    minus_one_if_track_in: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BorderCostsStop(Option):
    """Each border of these types that the route crosses counts as one visited stop of kind
    `cost_as`; for trains with `free_name_has` in their name one is free."""

    border_types: tuple[str, ...]
    cost_as: str = "city"
    free_name_has: str = ""


@dataclass(frozen=True, kw_only=True)
class TownEndCountsAs(Option):
    """A town at an end of the route takes a place of this kind."""

    kind: str


@dataclass(frozen=True, kw_only=True)
class Kind(Option):
    """Stops that fit `of` count as this kind wherever kinds matter to trains."""

    of: Selector
    counts_as: str


@dataclass(frozen=True, kw_only=True)
class CorporationRule(Option):
    """A corporation that runs from the tile that it laid this turn (1828 §2.2)."""

    laid_flag: str
