"""The rules object of all titles that declare their rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.board.board import Board
from engine.declared.referee import judge_run
from engine.declared.statement import state_problem
from engine.errors import Fault
from engine.routing.problem import RoutingProblem
from engine.routing.rules import Rules, RulesProfile
from engine.routing.run import CompanyState, Position, Run, Verdict

PROFILES = {"18xx.games": RulesProfile("18xx.games")}
"""One reading of the rules: that of the site, which the rules texts describe."""


class DeclaredRules(Rules):
    """The common rules with the options that a title declares."""

    def check_company(self, board: Board, company: CompanyState) -> tuple[Fault, ...]:
        return tuple(_faults(board, company))

    def judge(self, position: Position, run: Run) -> Verdict:
        """Say whether a run is legal and what it pays (COMMON §3 to §10)."""
        return judge_run(position, run)

    def problem(self, position: Position) -> RoutingProblem:
        """State what the director decides."""
        return state_problem(position, partial(self.judge, position))


def _faults(board: Board, company: CompanyState) -> Iterator[Fault]:
    """Places that the board does not have."""
    if company.home is not None and company.home.hex not in board.atlas.hexes:
        message = f"the map has no hex {company.home.hex!r}"
        yield Fault("HEX_UNKNOWN", "company.home.hex", message)
    for number, ability in enumerate(company.abilities):
        for hex_id in ability.hexes:
            if hex_id not in board.atlas.hexes:
                message = f"the map has no hex {hex_id!r}"
                yield Fault("HEX_UNKNOWN", f"company.abilities[{number}].hexes", message)
