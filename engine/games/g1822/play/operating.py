"""Operating rounds (§8)."""

from __future__ import annotations

from engine.games.g1822.play.abilities import SHARES, AbilityStep
from engine.games.g1822.play.acquiring import MinorStep
from engine.games.g1822.play.discards import DiscardStep
from engine.games.g1822.play.dividends import DividendStep
from engine.games.g1822.play.housekeeping import FirstTrainStep, HomeStep
from engine.games.g1822.play.income import pay_income
from engine.games.g1822.play.markers import MARKER, ChannelToken, DestinationStep, MarkerStep
from engine.games.g1822.play.places import settle_home
from engine.games.g1822.play.privates import AcquireStep, HillsStep
from engine.games.g1822.play.running import RunStep
from engine.games.g1822.play.sharestep import ShareStep
from engine.games.g1822.play.state import OPERATING, STOCK, OperatingData
from engine.games.g1822.play.table import Table1822
from engine.games.g1822.play.track import TRACK, ChainStep, SpecialTrack, TrackStep
from engine.games.g1822.play.trains import TrainStep
from engine.play.steps import Round


class OperatingRound(Round[Table1822]):
    """Minors, then majors have a turn, highest price first (§8.2, §8.3)."""

    kind = OPERATING
    steps = (
        DiscardStep(),
        HomeStep(),
        FirstTrainStep(),
        AcquireStep(),
        HillsStep(),
        SpecialTrack(),
        ChainStep(),
        AbilityStep(TRACK),
        TrackStep(),
        DestinationStep(),
        ChannelToken(),
        AbilityStep(MARKER),
        MarkerStep(),
        RunStep(),
        DividendStep(),
        TrainStep(),
        MinorStep(),
        AbilityStep(SHARES),
        ShareStep(),
    )

    def begin(self, at: Table1822) -> None:
        """Pay the privates and fix the order (§8.1, §8.2)."""
        before = at.state.round
        pay_income(at)
        number, rounds = 1, self._rounds_of_set(at)
        if isinstance(before, OperatingData):
            number, rounds = before.number + 1, before.rounds
        at.state.round = OperatingData(
            kind=OPERATING,
            number=number,
            done=frozenset(),
            rounds=rounds,
            order=tuple(at.in_order()),
            index=0,
            used=frozenset(),
        )
        self._begin_turn(at)

    def _rounds_of_set(self, at: Table1822) -> int:
        """Return how many operating rounds a set has that begins now (§2.3)."""
        rounds: int = at.kit.game.phases[at.state.phase]["operating_rounds"]
        return rounds

    def _begin_turn(self, at: Table1822) -> None:
        """Pass over companies that have closed; the next one places its home marker (§10.2)."""
        data = at.operating
        while not self.over(at) and at.company.removed:
            data.index += 1
        if not self.over(at):
            settle_home(at, at.company.sym)

    def over(self, at: Table1822) -> bool:
        return at.operating.over

    def end_turn(self, at: Table1822) -> None:
        company, data = at.company, at.operating
        company.turns += 1
        company.operated = True
        at.state.round = OperatingData(
            kind=OPERATING,
            number=data.number,
            done=frozenset(),
            rounds=data.rounds,
            order=data.order,
            index=data.index + 1,
            used=data.used,
        )
        self._begin_turn(at)

    def finish(self, at: Table1822) -> str:
        """End the game, or go on with the set (§4.1, §17)."""
        state, data = at.state, at.operating
        last = data.number == data.rounds
        if state.timing == "round" or (state.timing == "set" and last):
            state.finished = True
            return ""
        return STOCK if last else OPERATING
