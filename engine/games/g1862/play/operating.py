"""Operating rounds and the formation of the LNER (1862 §7, §12)."""

from __future__ import annotations

from engine.games.g1862.play.building import HomeStep, TokenStep, TrackStep
from engine.games.g1862.play.merging import AcquireStep, ExchangeStep, MergeStep, RemoveStep
from engine.games.g1862.play.running import DividendStep, RunStep
from engine.games.g1862.play.state import (
    COMING,
    FORMED,
    IPO,
    OPERATING,
    PARLIAMENT,
    STOCK,
    THIS_ROUND,
    THIS_SET,
    OperatingData,
    Table1862,
)
from engine.games.g1862.play.trains import NewTrainStep, RedeemStep, TrainStep
from engine.play import shares
from engine.play.entities import MARKET
from engine.play.market import by_price
from engine.play.steps import Round

LNER = "lner"


def operating_order(at: Table1862) -> list[str]:
    """Return the floated companies, highest price first, stacks from the top (§7.1)."""
    companies = at.state.companies
    return [sym for sym in by_price(at.state, at.kit.chart) if companies[sym].floated]


def form_lner(at: Table1862) -> None:
    """Form the LNER: the next set of operating rounds is the last (§12.2)."""
    state = at.state
    state.lner = FORMED
    for company in state.companies.values():
        if not company.started:
            company.removed = True
            _discard(at, company.sym)
    for share in state.holdings[IPO]:
        shares.hand_over(state, share, MARKET)
    state.limit = max(shares.units_on(state, state.holdings[number]) for number in state.players)
    at.come_to_an_end(LNER, THIS_SET)


def _discard(at: Table1862, sym: str) -> None:
    """Take the certificates of a company out of the game."""
    ipo = at.state.holdings[IPO]
    at.state.holdings[IPO] = tuple(share for share in ipo if shares.split(share)[0] != sym)


class OperatingRound(Round[Table1862]):
    """Each floated company has a turn (§7, §8)."""

    kind = OPERATING
    steps = (
        ExchangeStep(),
        RemoveStep(),
        HomeStep(),
        MergeStep(),
        TrackStep(),
        TokenStep(),
        RunStep(),
        DividendStep(),
        TrainStep(),
        NewTrainStep(),
        RedeemStep(),
        AcquireStep(),
    )

    def begin(self, at: Table1862) -> None:
        before = at.state.round
        at.state.round = OperatingData(
            kind=OPERATING,
            number=before.number + 1 if before.kind == OPERATING else 1,
            done=frozenset(),
            order=tuple(operating_order(at)),
            index=0,
        )

    def over(self, at: Table1862) -> bool:
        return at.operating.over

    def end_turn(self, at: Table1862) -> None:
        """Go on to the next company that is still there (D4)."""
        data, state = at.operating, at.state
        at.company.operated = at.company.floated
        data.index += 1
        done, waiting = data.order[: data.index], data.order[data.index :]
        if not at.kit.profile.order_fixed:
            waiting = tuple(sym for sym in operating_order(at) if sym in waiting)
        left = tuple(sym for sym in waiting if state.companies[sym].floated)
        data.order = (*done, *left)
        data.done = frozenset()
        data.tiles = 0
        data.track_over = False
        data.no_run = False
        data.revenue = data.subsidy = 0
        data.raised = data.bank_only = False

    def finish(self, at: Table1862) -> str:
        """End the game, go on with the set, or form the LNER (§12, §13)."""
        state = at.state
        if state.end_reason and state.end_after == THIS_ROUND:
            state.finished = True
            return ""
        if at.operating.number < state.set_rounds:
            return OPERATING
        if state.end_reason:
            state.finished = True
            return ""
        if state.lner == COMING:
            form_lner(at)
            return STOCK
        return PARLIAMENT
