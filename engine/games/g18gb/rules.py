"""The rules object of 18GB: company, referee and statement of the problem."""

from __future__ import annotations

from functools import partial

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g18gb.company import company_faults
from engine.games.g18gb.profile import PROFILES, CompassSets, Profile18GB
from engine.games.g18gb.referee import judge_run
from engine.games.g18gb.statement import state_problem
from engine.games.game import Game
from engine.routing.problem import RoutingProblem
from engine.routing.rules import RulesProfile
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "CompassSets", "Profile18GB", "Rules18GB"]


class Rules18GB:
    """18GB under one profile (:class:`engine.routing.rules.Rules`).

    Parameters
    ----------
    game
        The game.
    profile
        The reading of the rules, a :class:`Profile18GB`.

    Raises
    ------
    TypeError
        The profile belongs to another game.
    """

    def __init__(self, game: Game, profile: RulesProfile) -> None:
        if not isinstance(profile, Profile18GB):
            raise TypeError(f"{profile!r} is no profile of 18GB")
        self._game = game
        self._profile = profile

    @property
    def game(self) -> Game:
        """The game whose rules these are."""
        return self._game

    @property
    def profile(self) -> Profile18GB:
        """The reading of the rules."""
        return self._profile

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        """Return everything that is wrong with the company's state on this board.

        Parameters
        ----------
        board
            A board without faults.
        company
            A state whose company and trains exist.
        """
        return tuple(company_faults(self._game, board, company))

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays (18GB §11.2 to §11.8).

        Parameters
        ----------
        position
            Board and company.
        run
            The routes in the order in which they are submitted, which decides
            about compass sets (18GB §11.8.4).
        """
        return judge_run(self._profile, position, run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (18GB §11.9)."""
        return state_problem(self._profile, position, partial(self.judge, position))
