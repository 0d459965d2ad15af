"""The auction of the privates (§5)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g18gb.play.state import AUCTION, STOCK, AuctionData, Table18GB
from engine.play.actions import Action, Bid, Pass
from engine.play.bank import to_bank
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer, Priced
from engine.play.state import Lead
from engine.play.steps import PlayerStep, Round


def _data(at: Table18GB) -> AuctionData:
    return at.state.round_as(AuctionData)


def minimum_bid(at: Table18GB, sym: str) -> int:
    """Return the least bid for a private still for sale, £ (§5.2)."""
    data = _data(at)
    lead = data.leads.get(sym)
    if lead is None:
        return data.asking[sym]
    step: int = at.kit.game.setup["auction"]["bid_step"]
    return lead.price + step


def most_to_bid(at: Table18GB, bidder: int, sym: str) -> int:
    """Return what a player may bid at most, his other leading bids being committed (§5.3)."""
    committed = sum(
        lead.price
        for other, lead in _data(at).leads.items()
        if lead.player == bidder and other != sym
    )
    return at.state.players[bidder].cash - committed


def _bids(at: Table18GB, sym: str) -> range:
    step: int = at.kit.game.setup["auction"]["bid_step"]
    return range(minimum_bid(at, sym), most_to_bid(at, at.seat, sym) + 1, step)


def may_pass(at: Table18GB) -> bool:
    """Tell whether the player in turn may pass (§5.4).

    A player whose cash is bound and who must lead more bids than he does may not,
    though he cannot bid either: then only the end by hand is left.
    """
    data = _data(at)
    mine = sum(1 for lead in data.leads.values() if lead.player == at.seat)
    return (
        len(data.leads) == len(data.asking)
        or data.reduced
        or mine >= at.kit.scenario["bids_needed_to_pass"]
    )


class AuctionStep(PlayerStep[Table18GB]):
    """Bid on one private or pass (§5.1)."""

    name = "auction"

    def offers(self, at: Table18GB) -> bool:
        return True

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, Bid | Pass) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        for sym in _data(at).asking:
            bids = _bids(at, sym)
            if bids:
                yield Priced(Bid(self.actor(at), sym, bids.start), bids)
        if may_pass(at):
            yield Pass(self.actor(at))

    def apply(self, at: Table18GB, action: Action) -> Action:
        data = _data(at)
        if isinstance(action, Bid):
            fault = self._bid_fault(at, action)
            refuse_if(fault)
            data.leads[action.company] = Lead(at.seat, action.price)
            data.passes = 0
            data.index = (data.index + 1) % len(at.state.order)
            return action
        if not may_pass(at):
            needed = at.kit.scenario["bids_needed_to_pass"]
            message = f"a pass needs {needed} leading bid(s), or a bid on every private"
            refuse("PASS_NOT_ALLOWED", "type", message, "18GB §5.4")
        data.passes += 1
        data.index = (data.index + 1) % len(at.state.order)
        if data.passes == len(at.state.order):
            _award(at)
        return action

    def _bid_fault(self, at: Table18GB, bid: Bid) -> Fault | None:
        if bid.company not in _data(at).asking:
            message = f"{bid.company!r} is not for sale"
            return Fault("PRIVATE_NOT_FOR_SALE", "company", message, "18GB §5.1")
        allowed = _bids(at, bid.company)
        least = minimum_bid(at, bid.company)
        if bid.price < least:
            message = f"the least bid for {bid.company} is £{least}"
            return Fault("BID_TOO_LOW", "price", message, "18GB §5.2")
        if (bid.price - least) % allowed.step:
            message = f"bids exceed £{least} by multiples of £{allowed.step}"
            return Fault("BID_NOT_IN_STEPS", "price", message, "18GB §5.2")
        if bid.price not in allowed:
            most = most_to_bid(at, at.seat, bid.company)
            message = f"only £{most} are not committed to other bids"
            return Fault("CASH_COMMITTED", "price", message, "18GB §5.3")
        return None


def _award(at: Table18GB) -> None:
    """All have passed: sell what has bids, lower the price of the rest (§5.5, §5.6)."""
    data, state = _data(at), at.state
    for sym in list(data.asking):
        lead = data.leads.get(sym)
        if lead is not None:
            state.privates[sym].owner = lead.player
            to_bank(state, state.players[lead.player], lead.price)
            del data.asking[sym]
    data.leads = {}
    data.passes = 0
    data.reduced = bool(data.asking)
    drop: int = at.kit.game.setup["auction"]["price_drop_when_all_pass"]
    for sym in data.asking:
        data.asking[sym] -= drop
        if data.asking[sym] <= 0:
            data.asking[sym] = 0
            data.leads[sym] = Lead(at.seat, 0)
            data.index = (data.index + 1) % len(state.order)


class AuctionRound(Round[Table18GB]):
    """All privates are for sale at once (§5)."""

    kind = AUCTION
    steps = (AuctionStep(),)

    def over(self, at: Table18GB) -> bool:
        return not _data(at).asking

    def finish(self, at: Table18GB) -> str:
        """Seat the players for the first stock round: least cash first (§5.7)."""
        state = at.state
        owned = [private.owner for private in state.privates.values()]
        seats = list(state.order)
        seats.sort(key=lambda number: (state.players[number].cash, -owned.count(number)))
        state.order = tuple(seats)
        return STOCK
