"""Playing 1862: its deal, its rounds, its end. Sections cited as § are those of 1862."""

from __future__ import annotations

from engine.board.state import BoardState
from engine.games.g1862.play.deal import deal
from engine.games.g1862.play.kit import Kit1862, make_kit
from engine.games.g1862.play.operating import OperatingRound
from engine.games.g1862.play.parliament import ParliamentRound
from engine.games.g1862.play.running import RUN, company_state
from engine.games.g1862.play.state import OPERATING, THIS_SET, State1862, Table1862
from engine.games.g1862.play.stock import StockRound
from engine.games.game import Game
from engine.play.errors import Bench
from engine.play.game import Course, Setting
from engine.play.shares import split
from engine.play.state import GameState
from engine.play.steps import blocking_step
from engine.routing.run import CompanyState

__all__ = ["Course1862", "course"]


class Course1862(Course[Table1862]):
    """How a game of 1862 goes (§3.1)."""

    def __init__(self, kit: Kit1862, setting: Setting) -> None:
        super().__init__(State1862, (ParliamentRound(), StockRound(), OperatingRound()))
        self.kit = kit
        self.setting = setting

    def deal(self) -> State1862:
        return deal(self.kit, self.setting)

    def table(self, state: GameState, bench: Bench) -> Table1862:
        if not isinstance(state, State1862):
            raise TypeError(f"{type(state).__name__} is no state of 1862")
        return Table1862(self.kit, state, bench)

    def check_end(self, at: Table1862) -> None:
        """A broken bank ends the game with the set; not after the LNER (§13.2, §12.2).

        Prices of 1000 are noticed where they come about (§13.1, D14).
        """
        if at.state.broken and not at.formed:
            at.come_to_an_end("bank", THIS_SET)

    def scores(self, at: Table1862) -> dict[int, int]:
        """See §13.5."""
        return {number: self._worth(at, number) for number in at.state.players}

    def _worth(self, at: Table1862, number: int) -> int:
        state, halved = at.state, at.kit.profile.trainless_score_half
        total = state.players[number].cash
        for share in state.holdings[number]:
            sym, certificate = split(share)
            company = state.companies[sym]
            worth = at.price(sym) * company.percents[certificate] // company.unit
            total += worth // 2 if halved and not company.trains else worth
        return total

    def running(self, at: Table1862) -> tuple[BoardState, CompanyState] | None:
        if at.state.finished or at.state.round.kind != OPERATING:
            return None
        step = blocking_step(self.rounds[OPERATING], at)
        if step is None or step.name != RUN:
            return None
        return at.board().state, company_state(at)


def course(game: Game, setting: Setting) -> Course1862:
    """Return how a game of 1862 goes.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    return Course1862(make_kit(game, setting), setting)
