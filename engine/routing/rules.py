"""The rules object of a game: what a legal run is, what it pays, what must be decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import Fault
from engine.titles.title import Title

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


class Rules:
    """The rules of a game under one profile; each game says how it judges and what it states.

    Attributes
    ----------
    profile_type
        The kind of the game's profiles.
    title, profile
        The title whose rules these are, and the reading of them.

    Raises
    ------
    TypeError
        The profile belongs to another game.
    """

    profile_type: type[RulesProfile] = RulesProfile
    profile: RulesProfile

    def __init__(self, title: Title, profile: RulesProfile) -> None:
        if not isinstance(profile, self.profile_type):
            raise TypeError(f"{profile!r} is no profile of {title.title}")
        self.title = title
        self.profile = profile

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        """Return everything that is wrong with the company's state on this board.

        Parameters
        ----------
        board
            A board without faults.
        company
            A state whose company and trains exist.
        """
        raise NotImplementedError

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays.

        Works on the paths of the board alone and shares no code with the
        statement of the problem or with the optimizer.

        Parameters
        ----------
        position
            Board and company.
        run
            The routes in the order in which they are listed.
        """
        raise NotImplementedError

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides, in the words of :mod:`engine.routing.vocabulary`."""
        raise NotImplementedError
