"""The state of a game of 18GB, and of its three kinds of round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.games.g18gb.play.kit import Kit18GB
from engine.play.state import CompanyTurns, GameState, Lead, PlayerTurns, Sale
from engine.play.steps import Table

AUCTION = "auction"
STOCK = "stock"
OPERATING = "operating"


class Right(NamedTuple):
    """A company may lay green early in a hex (§9.8)."""

    company: str
    hex: str


@dataclass
class State18GB(GameState):
    """The state of a game of 18GB.

    Parameters
    ----------
    tiers
        Tier of each company (§2.4).
    insolvent
        Companies that are insolvent (§8.4).
    early_green
        Rights gained by using GN or MC (§4.9).
    lnwr_priority
        The priority of LB is in force (§6.5).
    frozen
        No token may be placed any more (§14.3).
    """

    tiers: dict[str, int]
    insolvent: frozenset[str]
    early_green: frozenset[Right]
    lnwr_priority: bool
    frozen: bool


@dataclass
class AuctionData(PlayerTurns):
    """The auction of the privates (§5).

    Parameters
    ----------
    passes
        Passes in succession.
    asking
        Asking price of each private still for sale, £.
    leads
        Leading bids.
    reduced
        Some private still for sale has had its price reduced.
    """

    passes: int
    asking: dict[str, int]
    leads: dict[str, Lead]
    reduced: bool


@dataclass
class StockData(PlayerTurns):
    """A stock round (§6).

    Parameters
    ----------
    passing
        Players in the order in which they began their unbroken passing.
    sales
        Who has sold what in this round.
    sold, bought
        Companies sold and bought in this turn.
    started
        A company has been started in this turn.
    converted
        Company converted in this turn, or empty.
    directed
        Companies that the player ran when his turn began.
    """

    passing: tuple[int, ...] = ()
    sales: frozenset[Sale] = frozenset()
    sold: frozenset[str] = frozenset()
    bought: tuple[str, ...] = ()
    started: bool = False
    converted: str = ""
    directed: frozenset[str] = frozenset()

    @property
    def acted(self) -> bool:
        """The player has done something that is no pass (§6.14)."""
        return bool(self.sold or self.bought or self.started or self.converted)


@dataclass
class OperatingData(CompanyTurns):
    """An operating round (§8).

    Parameters
    ----------
    bought
        A train has been bought from the bank in this round (§14.1).
    ran
        Trains that have run in this round (FMT §E8.4).
    acts
        What was done in the track and token step: ``tile``, ``token``, ``special``.
    tiles
        Tile actions used (§9.1).
    city
        An ordinary tile with a city has been laid (§9.2).
    token
        A token has been placed, also by GN or MC (§10.1, §4.9).
    revenue
        £ earned by the run.
    converted
        The company has converted in an emergency (§13.7).
    offered
        Shares bought in the share offer (§13.8).
    """

    bought: bool = False
    ran: frozenset[str] = frozenset()
    acts: tuple[str, ...] = ()
    tiles: int = 0
    city: bool = False
    token: bool = False
    revenue: int = 0
    converted: bool = False
    offered: int = 0


class Table18GB(Table):
    """A game of 18GB at one moment."""

    kit: Kit18GB
    state: State18GB

    @property
    def operating(self) -> OperatingData:
        """The operating round being played."""
        return self.state.round_as(OperatingData)

    def trackless(self) -> bool:
        """Tell whether the company may not build (§8.3)."""
        company = self.company
        return company.receivership or company.sym in self.state.insolvent
