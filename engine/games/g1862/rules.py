"""The rules object of 1862: company, referee and statement of the problem."""

from __future__ import annotations

from functools import partial

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g1862.company import company_faults
from engine.games.g1862.profile import PROFILES, FreightChaining, FreightDistance, Profile1862
from engine.games.g1862.referee import judge_run
from engine.games.g1862.statement import state_problem
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "FreightChaining", "FreightDistance", "Profile1862", "Rules1862"]


class Rules1862(Rules):
    """1862 under one profile."""

    profile_type = Profile1862
    profile: Profile1862

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        return tuple(company_faults(self.title, board, company))

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays (1862 §10.2 to §10.7).

        The order in which the routes are listed decides how Freights
        branch (1862 §10.5.6).
        """
        return judge_run(self.profile, position, run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (1862 §10.8).

        Raises
        ------
        StateError
            The company has more than six Freights that may run.
        """
        return state_problem(self.profile, position, partial(self.judge, position))
