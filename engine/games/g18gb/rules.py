"""The rules object of 18GB: company, referee and statement of the problem."""

from __future__ import annotations

from functools import partial

from engine.board.board import Board
from engine.errors import Fault
from engine.games.g18gb.company import company_faults
from engine.games.g18gb.profile import PROFILES, CompassSets, Profile18GB
from engine.games.g18gb.referee import judge_run
from engine.games.g18gb.statement import state_problem
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules
from engine.routing.run import CompanyState, Position, Run, Verdict

__all__ = ["PROFILES", "CompassSets", "Profile18GB", "Rules18GB"]


class Rules18GB(Rules):
    """18GB under one profile."""

    profile_type = Profile18GB
    profile: Profile18GB

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        return tuple(company_faults(self.title, board, company))

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays (18GB §11.2 to §11.8).

        The order in which the routes are listed decides about compass sets (18GB §11.8.4).
        """
        return judge_run(self.profile, position, run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides (18GB §11.9)."""
        return state_problem(self.profile, position, partial(self.judge, position))
