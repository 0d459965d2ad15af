"""Playing 18GB: its deal, its rounds, its end. Sections cited as § are those of 18GB."""

from __future__ import annotations

from engine.board.state import BoardState
from engine.games.g18gb.play.auction import AuctionRound
from engine.games.g18gb.play.deal import deal
from engine.games.g18gb.play.kit import Kit18GB, make_kit
from engine.games.g18gb.play.operating import FINAL_TRAIN, OperatingRound
from engine.games.g18gb.play.running import RUN, board_state, company_state
from engine.games.g18gb.play.state import OPERATING, State18GB, Table18GB
from engine.games.g18gb.play.stock import StockRound
from engine.games.game import Game
from engine.play.errors import Bench
from engine.play.game import Course, Setting
from engine.play.shares import split
from engine.play.state import GameState
from engine.play.steps import blocking_step
from engine.routing.run import CompanyState

__all__ = ["Course18GB", "course"]


class Course18GB(Course[Table18GB]):
    """How a game of 18GB goes (§7.6)."""

    def __init__(self, kit: Kit18GB, setting: Setting) -> None:
        super().__init__(State18GB, (AuctionRound(), StockRound(), OperatingRound()))
        self.kit = kit
        self.setting = setting

    def deal(self) -> State18GB:
        return deal(self.kit, self.setting)

    def table(self, state: GameState, bench: Bench) -> Table18GB:
        if not isinstance(state, State18GB):
            raise TypeError(f"{type(state).__name__} is no state of 18GB")
        return Table18GB(self.kit, state, bench)

    def check_end(self, at: Table18GB) -> None:
        """A price in an end cell, or an empty depot, ends the game with this round (§15.1)."""
        state = at.state
        if state.end_reason:
            return
        ends = at.kit.chart.of_type("end_game")
        if any(company.cell in ends for company in state.companies.values()):
            state.end_reason = "stock_market"
        elif not state.depot:
            state.end_reason = FINAL_TRAIN

    def scores(self, at: Table18GB) -> dict[int, int]:
        """See §15.2."""
        return {number: self._worth(at, number) for number in at.state.players}

    def _worth(self, at: Table18GB, number: int) -> int:
        state, full = at.state, at.kit.profile.full_score
        total = state.players[number].cash
        for share in state.holdings[number]:
            sym, certificate = split(share)
            company = state.companies[sym]
            worth = at.price(sym) * company.percents[certificate] // company.unit
            total += worth // 2 if full and not company.trains else worth
        if full:
            for sym, owned in state.privates.items():
                if owned.owner == number and not owned.closed:
                    total += at.kit.game.certificates[sym]["value"]
        return total

    def running(self, at: Table18GB) -> tuple[BoardState, CompanyState] | None:
        if at.state.finished or at.state.round.kind != OPERATING:
            return None
        step = blocking_step(self.rounds[OPERATING], at)
        if step is None or step.name != RUN:
            return None
        return board_state(at), company_state(at)


def course(game: Game, setting: Setting) -> Course18GB:
    """Return how a game of 18GB goes.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    return Course18GB(make_kit(game, setting), setting)
