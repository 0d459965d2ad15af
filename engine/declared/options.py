"""What a title can declare beyond the common rules: a closed set of options.

Each class is one option. In ``rules.json`` an option is an object whose ``op`` is the
name of its class in small letters with underscores; its keys are the fields
of the class and those of :class:`When`, which all options share. A selector is an
object with the fields of :class:`Selector`; an amount is a number or an object
with the fields of :class:`Amount`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Selector:
    """Which stops are meant: those for which everything named here holds.

    Parameters
    ----------
    hexes
        In one of these hexes.
    hexes_by_phase
        In one of the hexes of the phase.
    group, kind, colour
        With this group, kind of stop, or colour of the hex as it lies.
    label, label_has
        On a tile or print with this label, or with this letter in it.
    or_later
        `label` may also be the later label of the hex.
    icon
        In a hex with this icon.
    marker, marked_by_own
        In a hex with this marker, or with the marker of the company that runs.
    own_city, own_hex
        With a token of the company that runs; in a hex with one.
    """

    hexes: tuple[str, ...] = ()
    hexes_by_phase: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    group: str = ""
    kind: str = ""
    colour: str = ""
    label: str = ""
    label_has: str = ""
    or_later: bool = False
    icon: str = ""
    marker: str = ""
    marked_by_own: bool = False
    own_city: bool = False
    own_hex: bool = False


@dataclass(frozen=True)
class Amount:
    """£ that do not stand in the option as a number; one of these.

    Parameters
    ----------
    fixed
        A number.
    by_phase
        By phase; 0 in phases not named.
    by_flag, with_flag, without_flag
        One or the other, by a flag of the phase.
    of
        ``icons``: the numbers among the icons of the hexes of the stops found;
        ``hex_bonus``: the bonuses printed on their hexes; ``max_stop``: the best paying
        stop of the route again; ``max_other_stop``: the best but one stop of the first
        selector.
    value_of
        What the first stop of this hex is worth in the phase.
    flag
        The amount of this flag of the company.
    """

    fixed: int = 0
    by_phase: Mapping[str, int] = field(default_factory=dict)
    by_flag: str = ""
    with_flag: int = 0
    without_flag: int = 0
    of: str = ""
    value_of: str = ""
    flag: str = ""


@dataclass(frozen=True)
class When:
    """In which games, for which companies and for which trains an option holds.

    Parameters
    ----------
    option, option_any
        Only in games with this option, with one of these.
    trains, not_trains, name_ends, name_has
        Only for trains of these names; not for these; whose name ends with, has this.
    company, owner_company, unless_owner_company
        Only if the corporation owns this private; its director does; he does not.
    corporation, corporation_type
        Only for this corporation, for corporations of this type.
    ability, flag
        Only for a corporation with such an ability, such a flag.
    section
        The rule: ``§3.2``, for people.
    """

    option: str = ""
    option_any: tuple[str, ...] = ()
    trains: tuple[str, ...] = ()
    not_trains: tuple[str, ...] = ()
    name_ends: str = ""
    name_has: str = ""
    company: str = ""
    owner_company: str = ""
    unless_owner_company: str = ""
    corporation: str = ""
    corporation_type: str = ""
    ability: str = ""
    flag: str = ""
    section: str = ""


@dataclass(frozen=True, kw_only=True)
class Option:
    """Any option."""

    when: When = When()


# --- what a route pays besides ---------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Marker(Option):
    """`amount` if a paying stop lies in a hex with `marker`.

    Parameters
    ----------
    needs_corporation
        Only if the corporation holds the marker too.
    amount_own
        Instead, if it does; None: the same.
    per
        ``route``, or ``stop`` for every such stop.
    times_icon
        Times the number of these icons on the hex.
    """

    marker: str
    amount: int
    needs_corporation: bool = False
    amount_own: int | None = None
    per: str = "route"
    times_icon: str = ""


@dataclass(frozen=True, kw_only=True)
class Set(Option):
    """`amount` if for every selector of `all` some paying stop fits.

    Parameters
    ----------
    x_multiplier
        Times the multiplier of the train.
    after_scale
        Not halved with the route of an obsolete train.
    own_token_in
        Only with an own token in this hex.
    """

    all: tuple[Selector, ...]
    amount: Amount
    x_multiplier: bool = False
    after_scale: bool = False
    own_token_in: str = ""


@dataclass(frozen=True, kw_only=True)
class FirstOf(Option):
    """The first of these sets that gives anything."""

    options: tuple[Set, ...]


@dataclass(frozen=True, kw_only=True)
class Count(Option):
    """``table[n]``, the last entry beyond, for n paying stops that fit `of`, if some
    paying stop fits `needs`."""

    of: Selector
    table: tuple[int, ...]
    needs: Selector | None = None


@dataclass(frozen=True, kw_only=True)
class Ability(Option):
    """The amount of each ability of this `type`, for its hexes among the paying stops:
    `per` different ``hex``, ``stop``, or ``route``."""

    type: str
    per: str = "hex"


@dataclass(frozen=True, kw_only=True)
class AbilityDouble(Option):
    """Paying stops in the hexes of abilities of this `type` pay again."""

    type: str


@dataclass(frozen=True, kw_only=True)
class Double(Option):
    """Paying stops that fit `of` pay again."""

    of: Selector


@dataclass(frozen=True, kw_only=True)
class LabelOwn(Option):
    """`amount` if the label of a paying stop is the id of the corporation."""

    amount: int


@dataclass(frozen=True, kw_only=True)
class IconOwn(Option):
    """`amount` for each paying stop with an icon of the corporation's id."""

    amount: Amount


@dataclass(frozen=True, kw_only=True)
class OwnCity(Option):
    """`amount` for each paying city with an own token."""

    amount: int


@dataclass(frozen=True, kw_only=True)
class PerStop(Option):
    """`amount` for each paying stop that fits `of`."""

    of: Selector
    amount: int


@dataclass(frozen=True, kw_only=True)
class EndsRed(Option):
    """Both ends in red hexes: by phase £ for each city with an own token, and the most."""

    by_phase: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class Track(Option):
    """`amount` for every different hex of the route's track with `marker`, `icon`, or
    among `hexes`."""

    amount: int
    marker: str = ""
    icon: str = ""
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PerPayingStopIfTrack(Option):
    """`amount` for each paying stop if any track of the route has this gauge."""

    track: str
    amount: int


@dataclass(frozen=True, kw_only=True)
class PerTokenInstead(Option):
    """The stop that fits `of` pays its value once for each own city, instead of once."""

    of: Selector


@dataclass(frozen=True, kw_only=True)
class DestinationEnd(Option):
    """An end of the route in the hex of an ability of this type pays again, if the
    ability has one hex and the company's marker does not lie there."""

    ability_type: str


@dataclass(frozen=True, kw_only=True)
class CorpDestination(Option):
    """Home and destination of the corporation among the paying stops: `table` gives by
    corporation the destination hex and the amount."""

    table: Mapping[str, tuple[tuple[str, int], ...]]


@dataclass(frozen=True, kw_only=True)
class Cattle(Option):
    """Markers `open`, `closed` on the hex of a paying stop: `own` for a holder of the marker,
    `other` for others if it is open."""

    open: str
    closed: str
    own: int = 20
    other: int = 10


@dataclass(frozen=True, kw_only=True)
class TokenPenalty(Option):
    """`amount` if the hex of a paying stop has a token of `token_of`; `in_hex` names other
    amounts, unless the corporation owns `unless_company` and `unless_marker` lies there."""

    token_of: str
    amount: int
    in_hex: Mapping[str, int] = field(default_factory=dict)
    unless_company: str = ""
    unless_marker: str = ""


@dataclass(frozen=True, kw_only=True)
class ToTreasury(Option):
    """Paying stops that fit `of` pay into the treasury, as subsidy, not into the revenue."""

    of: Selector


@dataclass(frozen=True, kw_only=True)
class Subsidy(Option):
    """`amount` to the treasury for a route with a paying stop that fits `of`."""

    of: Selector
    amount: int


@dataclass(frozen=True, kw_only=True)
class Scale(Option):
    """The route pays `num`/`den`, rounded down to a multiple of `round`, with a paying stop
    that fits `if_stop`, or if the train is obsolete."""

    num: int
    den: int
    round: int = 1
    if_stop: Selector | None = None
    if_obsolete: bool = False


# --- which stops pay -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class CompulsoryFirst(Option):
    """Stops of the kinds of the paying slot are paid first; what is left of its allowance
    goes to the best of the others (1867 §3)."""


@dataclass(frozen=True, kw_only=True)
class Candidates(Option):
    """Only some visited stops can pay: those that fit one of `of_any` (18NY §3.2), or as many
    as pay of the greatest value, an own one among them, with those of `add_if_all` if
    all of these are visited (1880 §3.5).

    Parameters
    ----------
    own_token
        ``paying``, or ``visited`` is enough.
    """

    of_any: tuple[Selector, ...] = ()
    by_value: bool = False
    add_if_all: tuple[Selector, ...] = ()
    own_token: str = "paying"


@dataclass(frozen=True, kw_only=True)
class BestOfChosen(Option):
    """Of all cities and off-boards and the best `towns` towns visited the best pay, as many
    as the first slot says; bonuses look at all of these (18CZ §3.2)."""

    towns: int = 3


@dataclass(frozen=True, kw_only=True)
class TownIfSlotLeft(Option):
    """Stops of these `kinds` are paid only while fewer others are visited than the
    paying slot has (1852 §3.2)."""

    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class VisitedOnly(Option):
    """Only stops that fit `of` count as visited, an end fits `end`; the best stop of `end`
    and the best own city pay (1848 §2.2)."""

    of: tuple[Selector, ...]
    end: Selector


# --- which routes are legal ------------------------------------------------------------


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


# --- what couples the routes of a run --------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Longest(Option):
    """`amount` for each of what is counted on the one route of the run with most of them.

    Parameters
    ----------
    count
        ``visited`` stops, ``city``: visited cities, ``paying_places``: visited stops, but no
        more than the first slot pays; ``frames``: different frames of the hexes visited.
    """

    amount: int
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
