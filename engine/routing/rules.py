"""The rules object of a game: what a legal run is, what it pays, what must be decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from engine.errors import Fault
from engine.games.game import Game

if TYPE_CHECKING:
    from engine.board.board import Board
    from engine.routing.problem import RoutingProblem
    from engine.routing.run import CompanyState, Position, Run, Verdict


@dataclass(frozen=True)
class RulesProfile:
    """A reading of the rules where rulebook and practice differ.

    Each game extends it with one named field per difference.
    """

    name: str


class Rules(Protocol):
    """One per game, under one profile."""

    @property
    def game(self) -> Game:
        """The game whose rules these are."""

    @property
    def profile(self) -> RulesProfile:
        """The reading of the rules."""

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        """Return everything that is wrong with the company's state on this board."""

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays.

        Works on the paths of the board alone and shares no code with the
        statement of the problem or with the optimizer.
        """

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides, in the words of :mod:`engine.routing.vocabulary`."""
