"""Players, companies and privates as the state of a game holds them.

All fields are immutable values: a change replaces the value of a field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Holder: TypeAlias = int | str
"""Who holds certificates: a player's number, a company (its unsold ones), or the market."""

MARKET = "market"
"""The open market as a holder."""


class Cell(NamedTuple):
    """A cell of the share price chart, counted from 0 at the top left."""

    row: int
    column: int


@dataclass
class Player:
    """A player.

    Parameters
    ----------
    id, name
        As records name him.
    cash
        £.
    """

    id: int
    name: str
    cash: int


@dataclass
class Company:
    """A company that operates.

    Parameters
    ----------
    sym, kind
        Its letters; ``minor``, ``major``, ``5-share``, ``10-share``.
    cash
        Treasury, in £.
    unit
        Percent of one share.
    percents
        Percent of each certificate by its number; 0 is the director's one.
    trains
        Ids, in the order in which it got them.
    tokens
        Prices in £ of the tokens still on the charter, next one first.
    float_percent
        Percent that must have left the initial offering for it to float.
    par, cell
        Cells of its start and of its marker; None before it is started.
    director
        Player who runs it; None before its start and in receivership.
    floated, operated, removed
        It has floated; it has had an operating turn; it is out of the game.
    """

    sym: str
    kind: str
    cash: int
    unit: int
    percents: tuple[int, ...]
    trains: tuple[str, ...]
    tokens: tuple[int, ...]
    float_percent: int
    par: Cell | None = None
    cell: Cell | None = None
    director: int | None = None
    floated: bool = False
    operated: bool = False
    removed: bool = False

    @property
    def started(self) -> bool:
        """It has a price."""
        return self.cell is not None

    @property
    def receivership(self) -> bool:
        """Nobody runs it although it is started."""
        return self.cell is not None and self.director is None

    @property
    def director_units(self) -> int:
        """Shares on the director's certificate."""
        return self.percents[0] // self.unit


def new_company(raw: Mapping[str, Any], tokens: tuple[int, ...]) -> Company:
    """Return a company as it lies in the box.

    Parameters
    ----------
    raw
        Its entry in ``corporations.json`` (facts §8).
    tokens
        Prices in £ of the tokens on its charter.
    """
    return Company(
        sym=raw["sym"],
        kind=raw["type"],
        cash=0,
        unit=raw["share_percent"],
        percents=tuple(raw["certificates"]),
        trains=(),
        tokens=tokens,
        float_percent=raw["float_percent"],
    )


@dataclass
class Private:
    """A private.

    Parameters
    ----------
    sym
        Its letters.
    owner
        Player who owns it, or None.
    closed
        Its owner has closed it.
    used
        The ability that it has once closed has been used.
    """

    sym: str
    owner: int | None = None
    closed: bool = False
    used: bool = False

    @property
    def holder(self) -> int | str | None:
        """Who has it: a player's number, a company, or None; games with companies that
        own privates say which."""
        return self.owner
