"""Playing 1822, 1822MRS and 1822NRS. Sections cited as § are those of 1822."""

from __future__ import annotations

from collections.abc import Mapping

from engine.games.g1822.play.choices import ChoicesRound
from engine.games.g1822.play.deal import deal
from engine.games.g1822.play.ending import check_end, score
from engine.games.g1822.play.kit import Kit1822, make_kit
from engine.games.g1822.play.operating import OperatingRound
from engine.games.g1822.play.running import CARRIAGE, company_state, takers
from engine.games.g1822.play.showing import Showing1822
from engine.games.g1822.play.state import OperatingData, State1822
from engine.games.g1822.play.stock import StockRound
from engine.games.g1822.play.table import Table1822
from engine.games.game import Game
from engine.play.actions import Action, Choose, RunRoutes
from engine.play.game import Course, Setting
from engine.routing.run import CompanyState

__all__ = ["Course1822", "course"]


class Course1822(Course[Table1822]):
    """How a game of 1822 goes (§4.1)."""

    kit: Kit1822
    state_type = State1822
    table_type = Table1822
    showing_type = Showing1822
    kinds = (StockRound(), ChoicesRound(), OperatingRound())

    def deal(self) -> State1822:
        return deal(self.kit, self.setting)

    def check_end(self, at: Table1822) -> None:
        check_end(at)

    def worth(self, at: Table1822, number: int) -> int:
        return score(at, number)

    def company_state(self, at: Table1822) -> CompanyState:
        return company_state(at)

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
