"""What options share: selectors of stops, amounts, and when they hold."""

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


@dataclass(frozen=True)
class Holder:
    """Something that holds of the company or of its route; everything named here must.

    Parameters
    ----------
    company, owner_company
        The corporation owns this private; its director does.
    corporation, corporation_type
        It is this corporation, one of this type.
    ability, flag, held_marker
        It has such an ability, flag, marker.
    stop
        The route visits a stop that fits.
    """

    company: str = ""
    owner_company: str = ""
    corporation: str = ""
    corporation_type: str = ""
    ability: str = ""
    flag: str = ""
    held_marker: str = ""
    stop: Selector | None = None


@dataclass(frozen=True, kw_only=True)
class Option:
    """Any option."""

    when: When = When()
