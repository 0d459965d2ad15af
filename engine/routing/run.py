"""What a company runs and what the referee says about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board.board import Board, PathRef
from engine.errors import Fault
from engine.titles.title import Title
from engine.titles.trains import TrainKind


@dataclass(frozen=True, slots=True)
class Train:
    """A train of the company.

    Parameters
    ----------
    id
        Id in game records: ``3-1``, ``H-0``, ``2+1-0``.
    name
        Printed name; warranty stars are allowed: ``2E**``.
    runnable
        False if it may not run now (1862: no permit; a carriage).
    obsolete
        It runs for the last time (COMMON §2.1).
    face
        What it can do, where that is not what the card of that name says (a
        tender is attached: 1880Romania §1.2); None for the card.
    """

    id: str
    name: str
    runnable: bool = True
    obsolete: bool = False
    face: TrainKind | None = None


@dataclass(frozen=True, slots=True)
class TokenRef:
    """A city of a hex: where a home or destination token stands."""

    hex: str
    city: int


@dataclass(frozen=True, slots=True)
class HexBonus:
    """£ that a route earns for a stop in a hex (18GB §11.5)."""

    hex: str
    amount: int


@dataclass(frozen=True, slots=True)
class Ability:
    """An ability of the company, or of a private that it owns, as far as runs hang on it.

    Parameters
    ----------
    kind
        ``hex_bonus``, ``hexes_bonus``, ``assign_hexes``, ``civil_war``, ...
    hexes
        Where it holds.
    amount
        £ that it gives.
    private
        Id of the private to which it belongs; empty for the company's own.
    total
        £ that it has gathered and gives to every run (18NY §4.1).
    """

    kind: str
    hexes: tuple[str, ...] = ()
    amount: int = 0
    private: str = ""
    total: int = 0


@dataclass(frozen=True, slots=True)
class Flag:
    """Something said of a company beside markers and abilities.

    Parameters
    ----------
    name
        ``ferry_marker``, ``coal_marker``, ``laid_this_turn``, ``mdm_evens_bonus``, ...
    amount
        £, where the flag has an amount.
    hexes
        Hexes, where it names some, in order.
    """

    name: str
    amount: int = 0
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CompanyState:
    """The company that runs, as far as running is concerned.

    Parameters
    ----------
    corporation
        Company id.
    trains
        Its trains (also those that may not run).
    kind
        ``minor``, ``major``, ``5-share``, ``10-share`` or empty.
    permits
        1862: ``freight``, ``local``, ``express``.
    home, destination
        1822: cities of the home and destination tokens; None if not placed.
    mail_contracts
        1822: number of contracts owned.
    hex_bonuses
        18GB: bonuses of closed privates that count for the company.
    receivership, insolvent
        As the words say.
    markers
        Markers that the company holds.
    abilities
        Its abilities and those of its privates.
    privates, owner_privates
        Ids of the privates of the company, and of its director.
    flags
        What else is said of it.
    goal
        Hex to which it must run this turn from home (1870 §2); empty for none.
    pullman
        Id of the train to which its Pullman is attached (1858India §1.2); empty for none.
    """

    corporation: str
    trains: tuple[Train, ...]
    kind: str = ""
    permits: tuple[str, ...] = ()
    home: TokenRef | None = None
    destination: TokenRef | None = None
    mail_contracts: int = 0
    hex_bonuses: tuple[HexBonus, ...] = ()
    receivership: bool = False
    insolvent: bool = False
    markers: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    privates: tuple[str, ...] = ()
    owner_privates: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    goal: str = ""
    pullman: str = ""


@dataclass(frozen=True)
class Position:
    """A board and the company whose turn it is to run.

    Build it with :func:`engine.routing.position.load_position`, which checks both.
    """

    title: Title
    board: Board
    company: CompanyState


@dataclass(frozen=True, slots=True)
class Route:
    """What one train travels.

    Parameters
    ----------
    train
        Id of the train.
    stops
        Stop ids in order of travel.
    legs
        For each pair of successive stops the paths from one to the other.
    paid
        The stops that are to pay where the director may choose (1862 N/M
        trains); None leaves the choice to the referee, who takes the best.
    attachment
        Name of a carriage that the train takes (1822: ``P+``), or empty.
    """

    train: str
    stops: tuple[str, ...]
    legs: tuple[tuple[PathRef, ...], ...] = ()
    paid: tuple[str, ...] | None = None
    attachment: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """All routes of a company in one operating turn, in the order submitted."""

    routes: tuple[Route, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the account of a route or run.

    Parameters
    ----------
    kind
        ``stop``, ``skipped``, ``counted elsewhere``, ``bonus``, ``subsidy``, ``mail``, ...
    subject
        Stop id, hex, or name of the bonus.
    amount
        £, 0 for stops that do not pay.
    text
        A few words for people.
    """

    kind: str
    subject: str
    amount: int
    text: str = ""


def item_words(subject: str, text: str) -> str:
    """Return what a line of an account is about: its subject, unless the text names it, and text.

    >>> item_words("F5-0", "Norwich"), item_words("D5 F9", "6 hexes from D5 to F9")
    ('F5-0 Norwich', '6 hexes from D5 to F9')
    """
    if not text or all(word in text for word in subject.split()):
        return text or subject
    return f"{subject} {text}"


@dataclass(frozen=True, slots=True)
class RouteVerdict:
    """What the referee says about one route."""

    train: str
    revenue: int
    subsidy: int
    paying: tuple[str, ...]
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says about a run.

    Parameters
    ----------
    faults
        Everything that makes the run illegal; empty for a legal run. Paths are
        relative to the run: ``routes[1].legs[0]``.
    revenue
        £ of the run; 0 if illegal.
    subsidy
        £ for the treasury beside the revenue (1862 subsidy, 1822 mail money).
    routes
        One for each route, in order; what they pay adds up to `revenue`.
    items
        Lines that belong to the whole run (mail, compass sets).
    """

    faults: tuple[Fault, ...] = ()
    revenue: int = 0
    subsidy: int = 0
    routes: tuple[RouteVerdict, ...] = ()
    items: tuple[Item, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)

    @property
    def legal(self) -> bool:
        """True if there is no fault."""
        return not self.faults
