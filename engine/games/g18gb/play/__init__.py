"""Playing 18GB: its deal, its rounds, its end. Sections cited as § are those of 18GB."""

from __future__ import annotations

from engine.games.g18gb.play.auction import AuctionRound
from engine.games.g18gb.play.deal import deal
from engine.games.g18gb.play.kit import Kit18GB, make_kit
from engine.games.g18gb.play.operating import FINAL_TRAIN, STOCK_MARKET, OperatingRound
from engine.games.g18gb.play.running import company_state
from engine.games.g18gb.play.showing import Showing18GB
from engine.games.g18gb.play.state import State18GB, Table18GB
from engine.games.g18gb.play.stock import StockRound
from engine.games.game import Game
from engine.play.game import Course, Setting
from engine.play.shares import split
from engine.routing.run import CompanyState

__all__ = ["Course18GB", "course"]


class Course18GB(Course[Table18GB]):
    """How a game of 18GB goes (§7.6)."""

    kit: Kit18GB
    state_type = State18GB
    table_type = Table18GB
    showing_type = Showing18GB
    kinds = (AuctionRound(), StockRound(), OperatingRound())

    def deal(self) -> State18GB:
        return deal(self.kit, self.setting)

    def check_end(self, at: Table18GB) -> None:
        """A price in an end cell, or an empty depot, ends the game with this round (§15.1).

        Both come at the same time, so that the order in which they came about does not
        count: where both hold, the price is the reason (FMT §E12.1).
        """
        state = at.state
        ends = at.kit.chart.of_type("end_game")
        if any(company.cell in ends for company in state.companies.values()):
            state.end_reason = STOCK_MARKET
        elif not state.end_reason and not state.depot:
            state.end_reason = FINAL_TRAIN

    def worth(self, at: Table18GB, number: int) -> int:
        """See §15.2."""
        state, full = at.state, at.kit.profile.full_score
        total = state.players[number].cash
        for share in state.holdings[number]:
            half = full and not state.companies[split(share)[0]].trains
            total += at.value(share) // 2 if half else at.value(share)
        if full:
            for sym, owned in state.privates.items():
                if owned.owner == number and not owned.closed:
                    total += at.kit.game.certificates[sym]["value"]
        return total

    def company_state(self, at: Table18GB) -> CompanyState:
        return company_state(at)


def course(game: Game, setting: Setting) -> Course18GB:
    """Return how a game of 18GB goes.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    return Course18GB(make_kit(game, setting), setting)
