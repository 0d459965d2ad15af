"""The state of a game of 1862, and of its three kinds of round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.games.g1862.play.kit import Kit1862
from engine.play import shares
from engine.play.entities import Holder
from engine.play.state import CompanyTurns, GameState, PlayerTurns, RoundData, Sale
from engine.play.steps import Table

PARLIAMENT = "parliament"
STOCK = "stock"
OPERATING = "operating"

IPO = "ipo"
"""Holder of the unsold certificates that do not lie in a company's treasury (§0.2)."""

COMING, FORMED = "coming", "formed"
"""How far the LNER is (§12)."""

THIS_ROUND, THIS_SET = "round", "set"
"""When the game ends: with the operating round, or with the set of them (§13)."""


@dataclass
class Charter:
    """What a company of 1862 has beside what all companies have.

    Parameters
    ----------
    group
        Phase from which it may be started (§2.2).
    permit
        Its original permit; empty in the variants without permits.
    permits
        What it holds now, own ones first (§9.7).
    chartered
        It was started in parliament; see §9.7 for mergers.
    par
        Par value, £; 0 before the start.
    home_placed
        Its home marker has been placed (§8.1).
    """

    group: str
    permit: str
    permits: tuple[str, ...]
    chartered: bool
    par: int
    home_placed: bool


class Obligation(NamedTuple):
    """A player has won the charter of a company that has not floated yet (§5.1)."""

    player: int
    company: str


class Fitting(NamedTuple):
    """What a train that has been sold is: its printed name without stars, and its warranties."""

    name: str
    warranties: int


@dataclass
class State1862(GameState):
    """The state of a game of 1862.

    Parameters
    ----------
    charters
        By company.
    fittings
        Of the trains that companies own, and of those in `stranded`.
    stranded
        Trains of bankrupt companies that are still for sale, and whose they were (§8.12).
    obligations
        Who answers for which charter, in the order in which they were won (§5.1).
    set_rounds
        Operating rounds of the present set (§3.2).
    lner
        Empty, ``coming`` or ``formed`` (§12).
    limit
        Certificates that a player may hold (§6.7).
    end_after
        When the game ends if ``end_reason`` is set: ``round`` or ``set`` (§13).
    """

    charters: dict[str, Charter]
    fittings: dict[str, Fitting]
    stranded: dict[str, str]
    obligations: tuple[Obligation, ...]
    set_rounds: int
    lner: str
    limit: int
    end_after: str


@dataclass
class ParliamentData(RoundData):
    """A parliament round (§4).

    Parameters
    ----------
    index
        Who may open an auction: place in the turn order.
    declined
        Players in succession who have declined.
    winners
        Players who have won a charter in this round.
    company
        Company under auction, or whose charter has just been won; or empty.
    bidders
        Players still in the auction, the next one to bid first.
    bid, leader
        Highest bid in £, and whose it is.
    won
        The auction is over; the winner sets par and may buy.
    bought
        Shares bought after the charter.
    """

    index: int
    declined: int
    winners: frozenset[int]
    company: str
    bidders: tuple[int, ...]
    bid: int
    leader: int | None
    won: bool
    bought: int


class Purchase(NamedTuple):
    """A player has bought shares of a company."""

    player: int
    company: str
    units: int


class Debt(NamedTuple):
    """£ that a player still owes for a charter (§5.3)."""

    player: int
    amount: int


@dataclass
class StockData(PlayerTurns):
    """A stock round (§6) with the obligations that follow it (§5).

    Parameters
    ----------
    passed
        Players who have passed since the last one who did something.
    sales, purchases
        What was sold and bought in this round.
    sold
        Companies sold in this turn.
    bought
        The purchase of this turn has been made.
    floating
        Company that must choose its number of markers, or empty (§6.6).
    closing
        All have passed; obligations are being settled.
    debts
        What is still owed.
    """

    passed: frozenset[int] = frozenset()
    sales: frozenset[Sale] = frozenset()
    purchases: tuple[Purchase, ...] = ()
    sold: frozenset[str] = frozenset()
    bought: bool = False
    floating: str = ""
    closing: bool = False
    debts: tuple[Debt, ...] = ()


@dataclass(frozen=True)
class Exchange:
    """A 2:1 exchange of shares that is going on (§9.5).

    Parameters
    ----------
    kind
        ``merge``, ``acquire`` or ``refinance``.
    active, other
        The company in turn and its partner; no partner in a refinancing.
    survivor
        Who survives; empty until it is chosen.
    director
        Director of the active company before it.
    price
        £ of a share in the exchange.
    queue
        Shareholders who have still to act; the first one acts.
    option
        What the first one decides about: ``share``, ``director`` or nothing.
    units
        His shares if it is a director's certificate.
    """

    kind: str
    active: str
    other: str
    survivor: str
    director: int
    price: int
    queue: tuple[Holder, ...]
    option: str
    units: int

    @property
    def absorbed(self) -> str:
        """The company that does not survive; empty in a refinancing."""
        return self.other if self.survivor == self.active else self.active if self.other else ""


@dataclass
class OperatingData(CompanyTurns):
    """An operating round (§7, §8).

    Parameters
    ----------
    ran
        Trains that may not run any more in this round (§8.7).
    tiles
        Track actions of this turn.
    track_over
        No further track action is allowed in this turn (§8.3).
    no_run
        A merger has left the company in receivership, and it does not run (§9.8).
    revenue, subsidy
        £ earned by the run; the subsidy is booked with the dividend (§8.8.1).
    raised
        Money was raised by force: a train must be bought from the bank (§8.11).
    bank_only
        Money was raised by force in this turn: no used trains are bought (§8.11.5).
    exchange
        The exchange of shares that is going on, or None.
    excess
        Company that must remove markers, or empty (§9.9).
    """

    ran: frozenset[str] = frozenset()
    tiles: int = 0
    track_over: bool = False
    no_run: bool = False
    revenue: int = 0
    subsidy: int = 0
    raised: bool = False
    bank_only: bool = False
    exchange: Exchange | None = None
    excess: str = ""


class Table1862(Table):
    """A game of 1862 at one moment."""

    kit: Kit1862
    state: State1862

    def sale_price(self, sym: str) -> int:
        """Return what a share brings when a player sells it, £ (§6.3.2)."""
        price = self.price(sym)
        return price if self.state.companies[sym].trains else price // 2

    @property
    def parliament(self) -> ParliamentData:
        """The parliament round being played."""
        return self.state.round_as(ParliamentData)

    @property
    def stock(self) -> StockData:
        """The stock round being played."""
        return self.state.round_as(StockData)

    @property
    def operating(self) -> OperatingData:
        """The operating round being played."""
        return self.state.round_as(OperatingData)

    @property
    def formed(self) -> bool:
        """The LNER has been formed (§12)."""
        return self.state.lner == FORMED

    def idle(self) -> bool:
        """Tell whether the company in turn neither builds nor merges (§7.5, §12.2)."""
        return self.formed or self.company.receivership

    def decider(self, sym: str) -> int:
        """Return who decides for a company: its director, else who has most shares (§6.9).

        Among equals the first clockwise from the holder of the priority deal.
        """
        company = self.state.companies[sym]
        if company.director is not None:
            return company.director
        return max(self.state.order, key=lambda number: shares.units(self.state, number, sym))

    def come_to_an_end(self, reason: str, after: str) -> None:
        """Take note of what ends the game; the earliest end counts (§13.4)."""
        state = self.state
        if not state.end_reason or (state.end_after == THIS_SET and after == THIS_ROUND):
            state.end_reason, state.end_after = reason, after
