"""The rules object of 1822 and its regional scenarios."""

from __future__ import annotations

from functools import cached_property

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g1822.company import company_faults, runnable_kinds
from engine.games.g1822.profile import PROFILES, Profile1822
from engine.games.g1822.referee import Court, verdict
from engine.games.g1822.special import Special, special_of
from engine.games.g1822.statement import state_problem
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "Rules1822"]


class Rules1822(Rules):
    """1822, 1822MRS or 1822NRS under one profile (1822 §11, §21)."""

    profile_type = Profile1822
    profile: Profile1822

    @cached_property
    def _special(self) -> Special:
        return special_of(self.title)

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        return tuple(company_faults(self.title, board, company))

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
        kinds = runnable_kinds(self.title, position.company)
        return verdict(Court(position, self.profile, self._special, kinds), run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (1822 §11.17)."""
        kinds = runnable_kinds(self.title, position.company)
        return state_problem(
            position, self.profile, self._special, kinds, lambda run: self.judge(position, run)
        )
