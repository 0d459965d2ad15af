"""The state of a game of 1822, and of its three kinds of round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.play.entities import Company, Player, Private
from engine.play.state import CompanyTurns, GameState, Lead, PlayerTurns, RoundData, Sale

STOCK = "stock"
CHOICES = "choices"
OPERATING = "operating"
HAVEN = "P16"
"""The Tax Haven: a private, and the holder of the share in it (§16.16)."""
DOUBLE_CASH = "P9"


class City(NamedTuple):
    """A city: its hex, and its place among the cities there."""

    hex: str
    city: int


@dataclass
class Player1822(Player):
    """A player with what he owes.

    Parameters
    ----------
    debt
        £ owed to the bank (§13.10).
    """

    debt: int = 0


@dataclass
class Card(Private):
    """A private or a concession.

    Parameters
    ----------
    company
        Company that has acquired it; empty while it is held by a player or by nobody.
    uses
        Times that its ability has been used (P10, P16).
    choice
        Side chosen (P8).
    store
        £ that lie on it (P15, P16, P20).
    """

    company: str = ""
    uses: int = 0
    choice: str = ""
    store: int = 0

    @property
    def holder(self) -> int | str | None:
        """The company that has acquired it, else the player."""
        return self.company or self.owner


@dataclass
class Company1822(Company):
    """A minor or a major; ``tokens`` are its available ordinary markers.

    Parameters
    ----------
    exchange
        Exchange markers not yet usable (§10.7).
    home
        City of its home marker; None until that is placed.
    destined
        Its destination marker is placed.
    turns
        Operating turns that it has completed.
    free_channel
        It may still put an ordinary marker into the Channel for nothing (§10.5).
    """

    exchange: int = 0
    home: City | None = None
    destined: bool = False
    turns: int = 0
    free_channel: bool = False


@dataclass
class State1822(GameState):
    """The state of a game of 1822.

    Parameters
    ----------
    boxes
        Cards of minors in the bid boxes, first box first (§5.9).
    minors
        Cards of minors that follow.
    concessions
        Concessions not yet sold, in order.
    piles
        Privates not yet sold, in order: one pile, or one for each box (§1.5).
    turned
        Trains whose card does not show its front, with the side that it shows.
    discarded
        Trains in the bank's discard pile (§2.8).
    wider
        Cities with a slot more than is printed (§10.3).
    timing
        When the game ends: after this ``round`` or after the ``set``; empty
        while nothing ends it (§17).
    """

    boxes: tuple[str, ...]
    minors: tuple[str, ...]
    concessions: tuple[str, ...]
    piles: tuple[tuple[str, ...], ...]
    turned: dict[str, str]
    discarded: tuple[str, ...]
    wider: frozenset[City]
    timing: str


class Interest(NamedTuple):
    """A player has a bidding token on a card."""

    player: int
    card: str


@dataclass
class StockData(PlayerTurns):
    """A stock round (§5).

    Parameters
    ----------
    passed
        Players who have passed in succession.
    leads
        Highest bids by card.
    interests
        Where bidding tokens lie.
    sales
        Who has sold what in this round.
    haven
        The Tax Haven has bought in this round.
    bids
        Bids placed in this turn.
    sold
        Something has been sold in this turn.
    bought
        A share has been bought, a major started or the Tax Haven used in this turn.
    repaid
        Part of a debt has been paid back in this turn.
    """

    passed: frozenset[int]
    leads: dict[str, Lead]
    interests: frozenset[Interest]
    sales: frozenset[Sale]
    haven: bool
    bids: int
    sold: bool
    bought: bool
    repaid: bool = False


@dataclass
class ChoicesData(RoundData):
    """The choice of who holds P9 (§6.8).

    Parameters
    ----------
    made
        The choice has been made.
    double
        His cash counts double.
    """

    made: bool
    double: bool


class Earned(NamedTuple):
    """What a train has earned in a run, £."""

    train: str
    revenue: int


class Price(NamedTuple):
    """A price that counts for emergency sales, £."""

    company: str
    price: int


@dataclass
class OperatingData(CompanyTurns):
    """An operating round (§8).

    Parameters
    ----------
    rounds
        Operating rounds of the set.
    used
        Trains that cannot run any more in this round (§11.16).
    lays
        Colours of the normal lays of this turn: ``yellow`` or ``upgrade``.
    chain
        Private that is in the middle of its lays (P12, P21), or empty.
    chained
        Hexes in which it has laid.
    attached
        Train that has the P+, or empty.
    earned
        What the routes have earned.
    mail
        Mail money, £.
    separate
        Separate dividend of the 2P or LP, or empty (§12.5).
    merging
        Minor that is being acquired, or empty (§14).
    payment
        Way of payment chosen for it, or empty.
    placing
        The major has to choose the city of minor 14 (§14.7).
    sold
        The director has sold shares in this turn.
    frozen
        Prices before the first emergency sale.
    """

    rounds: int
    used: frozenset[str]
    lays: tuple[str, ...] = ()
    chain: str = ""
    chained: tuple[str, ...] = ()
    attached: str = ""
    earned: tuple[Earned, ...] = ()
    mail: int = 0
    separate: str = ""
    merging: str = ""
    payment: str = ""
    placing: bool = False
    sold: bool = False
    frozen: tuple[Price, ...] = ()

    @property
    def revenue(self) -> int:
        """What the run has earned, £."""
        return sum(each.revenue for each in self.earned)
