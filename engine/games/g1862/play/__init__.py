"""Playing 1862: its deal, its rounds, its end. Sections cited as § are those of 1862."""

from __future__ import annotations

from engine.games.g1862.play.deal import deal
from engine.games.g1862.play.kit import Kit1862, make_kit
from engine.games.g1862.play.operating import OperatingRound
from engine.games.g1862.play.parliament import ParliamentRound
from engine.games.g1862.play.running import company_state
from engine.games.g1862.play.showing import Showing1862
from engine.games.g1862.play.state import THIS_SET, State1862, Table1862
from engine.games.g1862.play.stock import StockRound
from engine.games.game import Game
from engine.play.game import Course, Setting
from engine.play.shares import split
from engine.routing.run import CompanyState

__all__ = ["Course1862", "course"]


class Course1862(Course[Table1862]):
    """How a game of 1862 goes (§3.1)."""

    kit: Kit1862
    state_type = State1862
    table_type = Table1862
    showing_type = Showing1862
    kinds = (ParliamentRound(), StockRound(), OperatingRound())

    def deal(self) -> State1862:
        return deal(self.kit, self.setting)

    def check_end(self, at: Table1862) -> None:
        """A broken bank ends the game with the set; not after the LNER (§13.2, §12.2).

        Prices of 1000 are noticed where they come about (§13.1, D14).
        """
        if at.state.broken and not at.formed:
            at.come_to_an_end("bank", THIS_SET)

    def worth(self, at: Table1862, number: int) -> int:
        """See §13.5."""
        state, halved = at.state, at.kit.profile.trainless_score_half
        total = state.players[number].cash
        for share in state.holdings[number]:
            half = halved and not state.companies[split(share)[0]].trains
            total += at.value(share) // 2 if half else at.value(share)
        return total

    def company_state(self, at: Table1862) -> CompanyState:
        return company_state(at)


def course(game: Game, setting: Setting) -> Course1862:
    """Return how a game of 1862 goes.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    return Course1862(make_kit(game, setting), setting)
