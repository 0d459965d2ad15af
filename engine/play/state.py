"""The state of a game: everything that actions change, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from engine.play.entities import Cell, Company, Holder, Player, Private
from engine.play.layout import Layout

R = TypeVar("R", bound="RoundData")


@dataclass
class RoundData:
    """How far a round is; each kind of round adds what it needs.

    Parameters
    ----------
    kind
        Name of the round: ``auction``, ``stock``, ``operating``.
    number
        Which one since the last stock round; 1 for auctions and stock rounds.
    done
        Names of the steps that are closed for the present turn.
    """

    kind: str
    number: int
    done: frozenset[str]


@dataclass
class PlayerTurns(RoundData):
    """A round in which one player after the other has his turn.

    Parameters
    ----------
    index
        Whose turn it is: place in the turn order.
    """

    index: int


@dataclass
class CompanyTurns(RoundData):
    """A round in which one company after the other has its turn.

    Parameters
    ----------
    order, index
        Companies in operating order and whose turn it is.
    """

    order: tuple[str, ...]
    index: int

    @property
    def company(self) -> str:
        """The company whose turn it is."""
        return self.order[self.index]

    @property
    def over(self) -> bool:
        """All companies have had their turns."""
        return self.index == len(self.order)


class Sale(NamedTuple):
    """A player has sold shares of a company."""

    player: int
    company: str


class Lead(NamedTuple):
    """The highest bid for something: whose, and how much in £."""

    player: int
    price: int


@dataclass
class GameState:
    """The state of a game; a game with more to remember extends it.

    Parameters
    ----------
    players, companies, privates
        By id, in the order of the set-up.
    order
        Players in turn order.
    bank
        £ left in the bank; None if it is unlimited.
    broken
        The bank has had to pay more than it had.
    holdings
        Certificates by holder, in the order in which they came.
    stacks
        Companies by cell of the market, in the order in which they came.
    depot
        Trains that the bank has, first one to be sold first.
    phase
        Name of the phase.
    layout
        The map.
    supply
        Copies of tiles left, by name; the first one is laid first.
    turn
        Number of the stock round, 0 before the first.
    round
        The round being played.
    end_reason
        Why the game ends or has ended; empty while nothing ends it.
    finished
        The game is over.
    """

    players: dict[int, Player]
    order: tuple[int, ...]
    companies: dict[str, Company]
    privates: dict[str, Private]
    bank: int | None
    broken: bool
    holdings: dict[Holder, tuple[str, ...]]
    stacks: dict[Cell, tuple[str, ...]]
    depot: tuple[str, ...]
    phase: str
    layout: Layout
    supply: dict[str, tuple[int, ...]]
    turn: int
    round: RoundData
    end_reason: str
    finished: bool

    def round_as(self, kind: type[R]) -> R:
        """Return the data of the round, which is of the given kind.

        Raises
        ------
        TypeError
            It is a round of another kind.
        """
        if not isinstance(self.round, kind):
            raise TypeError(f"the round is {self.round.kind}, not {kind.__name__}")
        return self.round
