"""What a route pays beside its stops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.declared.options.common import Amount, Option, Selector


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
    amount: Amount
    needs_corporation: bool = False
    amount_own: Amount | None = None
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
    """The first of these sets whose stops are there; what it gives may not be 0."""

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

    amount: Amount


@dataclass(frozen=True, kw_only=True)
class IconOwn(Option):
    """`amount` for each paying stop with an icon of the corporation's id."""

    amount: Amount


@dataclass(frozen=True, kw_only=True)
class OwnCity(Option):
    """`amount` for each paying city with an own token."""

    amount: Amount


@dataclass(frozen=True, kw_only=True)
class PerStop(Option):
    """`amount` for each paying stop that fits `of`."""

    of: Selector
    amount: Amount


@dataclass(frozen=True, kw_only=True)
class EndsRed(Option):
    """Both ends in red hexes: by phase £ for each city with an own token, and the most."""

    by_phase: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, kw_only=True)
class Track(Option):
    """`amount` for every different hex of the route's track with `marker`, `icon`, or
    among `hexes`."""

    amount: Amount
    marker: str = ""
    icon: str = ""
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PerPayingStopIfTrack(Option):
    """`amount` for each paying stop if any track of the route has this gauge."""

    track: str
    amount: Amount


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
    amount: Amount


@dataclass(frozen=True, kw_only=True)
class Scale(Option):
    """The route pays `num`/`den`, rounded down to a multiple of `round`, with a paying stop
    that fits `if_stop`, or if the train is obsolete."""

    num: int
    den: int
    round: int = 1
    if_stop: Selector | None = None
    if_obsolete: bool = False
