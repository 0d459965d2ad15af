"""Playing 1822, 1822MRS and 1822NRS. Sections cited as § are those of 1822."""

from __future__ import annotations

from collections.abc import Mapping

from engine.board.state import BoardState
from engine.games.g1822.play.choices import ChoicesRound
from engine.games.g1822.play.deal import deal
from engine.games.g1822.play.ending import check_end, score
from engine.games.g1822.play.kit import Kit1822, make_kit
from engine.games.g1822.play.operating import OperatingRound
from engine.games.g1822.play.running import CARRIAGE, RUN, company_state, takers
from engine.games.g1822.play.state import OPERATING, OperatingData, State1822
from engine.games.g1822.play.stock import StockRound
from engine.games.g1822.play.table import Table1822
from engine.games.game import Game
from engine.play.actions import Action, Choose, RunRoutes
from engine.play.errors import Bench
from engine.play.game import Course, Setting
from engine.play.state import GameState
from engine.play.steps import blocking_step
from engine.routing.run import CompanyState

__all__ = ["Course1822", "course"]


class Course1822(Course[Table1822]):
    """How a game of 1822 goes (§4.1)."""

    def __init__(self, kit: Kit1822, setting: Setting) -> None:
        super().__init__(State1822, (StockRound(), ChoicesRound(), OperatingRound()))
        self.kit = kit
        self.setting = setting

    def deal(self) -> State1822:
        return deal(self.kit, self.setting)

    def table(self, state: GameState, bench: Bench) -> Table1822:
        if not isinstance(state, State1822):
            raise TypeError(f"{type(state).__name__} is no state of 1822")
        return Table1822(self.kit, state, bench)

    def check_end(self, at: Table1822) -> None:
        check_end(at)

    def scores(self, at: Table1822) -> dict[int, int]:
        return {number: score(at, number) for number in at.state.players}

    def running(self, at: Table1822) -> tuple[BoardState, CompanyState] | None:
        if at.state.finished or at.state.round.kind != OPERATING:
            return None
        step = blocking_step(self.rounds[OPERATING], at)
        if step is None or step.name != RUN:
            return None
        return at.board().state, company_state(at)

    def attached(self, at: Table1822) -> Mapping[str, str]:
        """The train that has taken the P+ keeps it for this run (§18.4)."""
        data = at.state.round
        taken = data.attached if isinstance(data, OperatingData) else ""
        return {CARRIAGE: taken} if taken else {}

    def as_played(
        self, at: Table1822, run: RunRoutes, attached: Mapping[str, str]
    ) -> tuple[Action, ...]:
        """The P+ goes to its train by a choice before the run (§18.4)."""
        chosen = [train for train in attached.values() if train != at.operating.attached]
        places = [str(takers(at).index(train)) for train in chosen]
        return (*(Choose(run.entity, place) for place in places), run)


def course(game: Game, setting: Setting) -> Course1822:
    """Return how a game of 1822 goes.

    Raises
    ------
    StateError
        Players, options or profile do not fit.
    """
    return Course1822(make_kit(game, setting), setting)
