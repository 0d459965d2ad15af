"""The rules object of 1822 and its regional scenarios."""

from __future__ import annotations

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g1822.company import company_faults, runnable_kinds
from engine.games.g1822.profile import PROFILES, Profile1822
from engine.games.g1822.referee import Court, verdict
from engine.games.g1822.special import special_of
from engine.games.g1822.statement import state_problem
from engine.games.game import Game
from engine.routing.problem import RoutingProblem
from engine.routing.rules import RulesProfile
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "Rules1822"]


class Rules1822:
    """1822, 1822MRS or 1822NRS under a profile (1822 §11, §21).

    Parameters
    ----------
    game
        The title.
    profile
        A reading of the rules.

    Raises
    ------
    TypeError
        The profile belongs to another game.
    """

    def __init__(self, game: Game, profile: RulesProfile) -> None:
        if not isinstance(profile, Profile1822):
            raise TypeError(f"{game.title} needs a Profile1822, not {type(profile).__name__}")
        self._game = game
        self._profile = profile
        self._special = special_of(game)

    @property
    def game(self) -> Game:
        """The title whose rules these are."""
        return self._game

    @property
    def profile(self) -> Profile1822:
        """The reading of the rules."""
        return self._profile

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        """Return everything that is wrong with the company's state on this board."""
        return tuple(company_faults(self._game, board, company))

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays (1822 §11.3 to §11.17).

        Parameters
        ----------
        position
            A checked position of this title.
        run
            Routes in the order submitted; of equal destination bonuses the one
            listed last is paid.

        Returns
        -------
        Verdict
            `revenue` in £ without mail money, `subsidy` the mail money in £.
        """
        kinds = runnable_kinds(self._game, position.company)
        return verdict(Court(position, self._profile, self._special, kinds), run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (1822 §11.17)."""
        kinds = runnable_kinds(self._game, position.company)
        return state_problem(
            position, self._profile, self._special, kinds, lambda run: self.judge(position, run)
        )
