"""The rules object of 1862: company, referee and statement of the problem."""

from __future__ import annotations

from functools import partial

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g1862.company import company_faults
from engine.games.g1862.profile import PROFILES, FreightChaining, FreightDistance, Profile1862
from engine.games.g1862.referee import judge_run
from engine.games.g1862.statement import state_problem
from engine.games.game import Game
from engine.routing.problem import RoutingProblem
from engine.routing.rules import RulesProfile
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "FreightChaining", "FreightDistance", "Profile1862", "Rules1862"]


class Rules1862:
    """1862 under one profile (:class:`engine.routing.rules.Rules`).

    Parameters
    ----------
    game
        The game.
    profile
        The reading of the rules, a :class:`Profile1862`.

    Raises
    ------
    TypeError
        The profile belongs to another game.
    """

    def __init__(self, game: Game, profile: RulesProfile) -> None:
        if not isinstance(profile, Profile1862):
            raise TypeError(f"{profile!r} is no profile of 1862")
        self._game = game
        self._profile = profile

    @property
    def game(self) -> Game:
        """The game whose rules these are."""
        return self._game

    @property
    def profile(self) -> Profile1862:
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
        """Say whether a run is legal and what it pays (1862 §10.2 to §10.7).

        Parameters
        ----------
        position
            Board and company.
        run
            The routes in the order in which they are listed, which decides how
            Freights branch (1862 §10.5.6).
        """
        return judge_run(self._profile, position, run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (1862 §10.8).

        Raises
        ------
        StateError
            The company has more than six Freights that may run.
        """
        return state_problem(self._profile, position, partial(self.judge, position))
