"""Operating rounds (§8, §14)."""

from __future__ import annotations

from engine.games.g18gb.play.building import BuildStep, SpecialTrack
from engine.games.g18gb.play.closing import ClosePrivates, pay_private
from engine.games.g18gb.play.companies import leave_bank
from engine.games.g18gb.play.receivership import begin_company_turn, end_company_turn
from engine.games.g18gb.play.running import DividendStep, RunStep
from engine.games.g18gb.play.specialtoken import SpecialToken
from engine.games.g18gb.play.state import OPERATING, STOCK, OperatingData, Table18GB
from engine.games.g18gb.play.trains import DiscardStep, ShareOffer, TrainStep
from engine.play.market import by_price
from engine.play.steps import Round

FINAL_TRAIN = "final_train"
STOCK_MARKET = "stock_market"


class OperatingRound(Round[Table18GB]):
    """Each floated company has a turn, highest price first (§8.2, §8.3)."""

    kind = OPERATING
    steps = (
        ClosePrivates(),
        SpecialTrack(),
        SpecialToken(),
        BuildStep(),
        RunStep(),
        DividendStep(),
        DiscardStep(),
        TrainStep(),
        ShareOffer(),
    )

    def begin(self, at: Table18GB) -> None:
        """Pay the privates and fix the order (§8.1, §8.2)."""
        before = at.state.round
        for sym, owned in at.state.privates.items():
            if not owned.closed:
                pay_private(at, sym)
        floated = [
            sym for sym in by_price(at.state, at.kit.chart) if at.state.companies[sym].floated
        ]
        at.state.round = OperatingData(
            kind=OPERATING,
            number=before.number + 1 if before.kind == OPERATING else 1,
            done=frozenset(),
            order=tuple(floated),
            index=0,
        )
        if not self.over(at):
            begin_company_turn(at)

    def over(self, at: Table18GB) -> bool:
        return at.operating.over

    def end_turn(self, at: Table18GB) -> None:
        end_company_turn(at)
        data = at.operating
        at.state.round = OperatingData(
            kind=OPERATING,
            number=data.number,
            done=frozenset(),
            order=data.order,
            index=data.index + 1,
            bought=data.bought,
            ran=data.ran,
        )
        if not self.over(at):
            begin_company_turn(at)

    def finish(self, at: Table18GB) -> str:
        """Export a train if none was bought, end the game or go on (§14, §15.1)."""
        state = at.state
        if state.end_reason:
            state.finished = True
            return ""
        if not at.operating.bought:
            leave_bank(at, state.depot[0])
        if not state.depot:
            state.end_reason = FINAL_TRAIN
            state.finished = True
            return ""
        few: int = at.kit.game.setup["no_more_tokens_when_trains_left"]
        if at.kit.profile.tokens_freeze and len(state.depot) <= few:
            state.frozen = True
        rounds: int = at.kit.game.phases[state.phase]["operating_rounds"]
        return OPERATING if at.operating.number < rounds else STOCK
