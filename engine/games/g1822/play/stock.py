"""Stock rounds (§5)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play import trading
from engine.games.g1822.play.bidding import bid_fault, bid_options, place_bid
from engine.games.g1822.play.closing import resolve
from engine.games.g1822.play.deal import first_turn
from engine.games.g1822.play.debts import Payoff, pay_back, payoff_options
from engine.games.g1822.play.haven import HavenStep
from engine.games.g1822.play.starting import par_fault, par_options, start
from engine.games.g1822.play.state import STOCK
from engine.games.g1822.play.table import Table1822
from engine.play import shares
from engine.play.actions import (
    Action,
    Bid,
    BuyShares,
    Par,
    Pass,
    SellShares,
)
from engine.play.blocks import agreed_price, own_blocks, read_block, written_sale
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.state import Sale
from engine.play.steps import PlayerStep, Round, close_step


class TradeStep(PlayerStep[Table1822]):
    """Sell, and do one of: buy, start a major, bid up to three times; or pass (§5.2)."""

    name = "trade"

    def offers(self, at: Table1822) -> bool:
        """Tell whether the turn goes on; bids are always offered, except to debtors (FMT §B8.4)."""
        data, number = at.stock, at.seat
        most: int = at.kit.setup["bidding"]["bids_per_turn"]
        if data.bought or data.bids >= most:
            return False
        owing = at.player_of(number)
        return not owing.debt or owing.cash > 0 or trading.can_sell_something(at, number)

    def takes(self, at: Table1822, action: Action) -> bool:
        kinds = Bid | BuyShares | SellShares | Par | Pass | Payoff
        return isinstance(action, kinds) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        number, who = at.seat, self.actor(at)
        for sym in at.state.companies:
            for block in own_blocks(at.state, number, sym):
                if trading.sale_fault(at, number, block) is None:
                    yield written_sale(at, who, block, at.price(sym))
        if trading.must_sell(at, number):
            return
        yield from payoff_options(at, number)
        if self._debt_fault(at) is None:
            yield from bid_options(at, number)
            if not at.stock.bids:
                yield from self._purchases(at)
                yield from par_options(at, number)
        yield Pass(who)

    def _purchases(self, at: Table1822) -> Iterator[Offer]:
        for sym, company in at.state.companies.items():
            if company.started:
                for share in trading.for_sale(at, sym):
                    if trading.purchase_fault(at, at.seat, share) is None:
                        yield BuyShares(self.actor(at), (share,), company.unit)

    def apply(self, at: Table1822, action: Action) -> Action:
        number = at.seat
        if isinstance(action, SellShares):
            return self._sell(at, action)
        if trading.must_sell(at, number):
            message = f"over the limit of {at.kit.certificate_limit} certificates: sell first"
            refuse("MUST_SELL", "type", message, "1822 §5.3")
        if isinstance(action, Payoff):
            pay_back(at, number, action)
            at.stock.repaid = True
        elif isinstance(action, Bid):
            refuse_if(self._debt_fault(at) or bid_fault(at, number, action))
            place_bid(at, number, action)
        elif isinstance(action, BuyShares):
            refuse_if(self._turn_fault(at) or self._buy_fault(at, action))
            trading.buy(at, number, action.shares[0])
            at.stock.bought = True
        elif isinstance(action, Par):
            refuse_if(self._turn_fault(at) or par_fault(at, number, action))
            start(at, number, action)
            at.stock.bought = True
        else:
            close_step(at, self.name)
        return action

    def _debt_fault(self, at: Table1822) -> Fault | None:
        if at.player_of(at.seat).debt:
            message = "a player in debt may only sell, pay back and pass"
            return Fault("IN_DEBT", "type", message, "1822 §13.12")
        return None

    def _turn_fault(self, at: Table1822) -> Fault | None:
        if at.stock.bids:
            message = "after a bid nothing is bought or started in the turn"
            return Fault("ALREADY_ACTED", "type", message, "1822 §5.2")
        return self._debt_fault(at)

    def _buy_fault(self, at: Table1822, action: BuyShares) -> Fault | None:
        if len(action.shares) != 1:
            return Fault("ONE_CERTIFICATE", "shares", "one share a turn", "1822 §5.2")
        (share,) = action.shares
        fault = trading.purchase_fault(at, at.seat, share)
        if fault is None and action.percent not in (None, self._unit(at, share)):
            message = f"{share} is not of {action.percent} %"
            return Fault("PERCENT_WRONG", "percent", message, "FMT §B5.1")
        price = None if fault else at.price(shares.split(share)[0])
        if fault is None and action.share_price not in (None, price):
            message = f"{share} costs £{price}"
            return Fault("SHARE_PRICE_WRONG", "share_price", message, "1822 §5.6")
        return fault

    def _unit(self, at: Table1822, share: str) -> int:
        return at.state.companies[shares.split(share)[0]].unit

    def _sell(self, at: Table1822, action: SellShares) -> Action:
        data, seller = at.stock, at.seat
        block = read_block(at.state, seller, action.shares, action.percent, trading.BLOCKS)
        refuse_if(trading.sale_fault(at, seller, block))
        price = agreed_price(at, action, at.price(block.sym), "SHARE_PRICE_WRONG", "1822 §5.4")
        sold = written_sale(at, action.entity, block, price)
        trading.sell(at, seller, block, price)
        data.sold = True
        data.sales |= {Sale(seller, block.sym)}
        return sold


class StockRound(Round[Table1822]):
    """Players in turn order, until all have passed in succession (§5.1)."""

    kind = STOCK
    steps = (HavenStep(), TradeStep())

    def begin(self, at: Table1822) -> None:
        at.state.turn += 1
        at.state.round = first_turn()

    def over(self, at: Table1822) -> bool:
        return len(at.stock.passed) == len(at.state.order)

    def end_turn(self, at: Table1822) -> None:
        """A turn in which nothing is dealt in, bid or paid back counts as passing (§5.2;
        FMT §B8.6)."""
        data, who = at.stock, at.seat
        if data.sold or data.bought or data.bids or data.repaid:
            data.passed -= {who}
        else:
            data.passed |= {who}
        data.index = (data.index + 1) % len(at.state.order)
        data.done = frozenset()
        data.bids = 0
        data.sold = False
        data.bought = False
        data.repaid = False

    def finish(self, at: Table1822) -> str:
        return resolve(at)
