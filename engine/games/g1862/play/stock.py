"""Stock rounds (1862 §6)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1862.play import trading
from engine.games.g1862.play.companies import float_if_due, opening_fault, set_up
from engine.games.g1862.play.obligations import ForcedSale, settle_obligations
from engine.games.g1862.play.parliament import at_limit, reserve
from engine.games.g1862.play.state import OPERATING, STOCK, Purchase, StockData, Table1862
from engine.play import shares
from engine.play.actions import (
    Action,
    BuyShares,
    Choose,
    Entity,
    Par,
    Pass,
    SellShares,
    player,
)
from engine.play.bank import to_bank, transfer
from engine.play.blocks import Block, read_block, written_sale
from engine.play.entities import MARKET
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.state import Sale
from engine.play.steps import PlayerStep, Round, Step, close_step

TRADE = "trade"


def most_to_sell(at: Table1862, sym: str) -> int:
    """Return how many shares of a company the player in turn may sell (§6.3.1, §6.3.3)."""
    data, seller = at.stock, at.seat
    if data.bought or sym in data.sold:
        return 0
    fresh = sum(p.units for p in data.purchases if (p.player, p.company) == (seller, sym))
    return max(0, shares.units(at.state, seller, sym) - fresh)


def saleable(at: Table1862, sym: str) -> Iterator[Block]:
    """Yield what the player in turn may sell of a company."""
    return trading.blocks(at, at.seat, sym, most_to_sell(at, sym))


def can_sell(at: Table1862) -> bool:
    """Tell whether the player in turn can sell anything."""
    held = {shares.split(share)[0] for share in at.state.holdings[at.seat]}
    return any(True for sym in held for _ in saleable(at, sym))


def must_sell(at: Table1862) -> bool:
    """Tell whether the player in turn is over the limit and can sell (§6.7, §12.2)."""
    over = shares.certificates(at.state, at.seat) > at.state.limit
    return over and not at.formed and can_sell(at)


class MarkersStep(Step[Table1862]):
    """A company that floats without a charter buys markers (§6.6)."""

    name = "markers"

    def asleep(self, at: Table1862) -> bool:
        return not at.stock.floating

    def actor(self, at: Table1862) -> Entity:
        return player(at.decider(at.stock.floating))

    def offers(self, at: Table1862) -> bool:
        return True

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = bool(at.stock.floating) and action.entity == self.actor(at)
        return mine and isinstance(action, Choose)

    def _counts(self, at: Table1862) -> range:
        rule = at.kit.setup("station_tokens", "unchartered")
        affordable = at.state.companies[at.stock.floating].cash // rule["price_each"]
        return range(rule["min"], min(rule["max"], affordable) + 1)

    def options(self, at: Table1862) -> Iterator[Offer]:
        for count in self._counts(at):
            yield Choose(self.actor(at), count)

    def apply(self, at: Table1862, action: Action) -> Action:
        counts = self._counts(at)
        said = action.choice if isinstance(action, Choose) else None
        choice = next((count for count in counts if said in (count, str(count))), None)
        if choice is None:
            message = f"the company buys {counts.start} to {counts.stop - 1} markers"
            refuse("CHOICE_UNKNOWN", "choice", message, "1862 §6.6")
        company = at.state.companies[at.stock.floating]
        price = at.kit.setup("station_tokens", "unchartered")["price_each"]
        to_bank(at.state, company, choice * price)
        company.tokens = (0,) * choice
        at.stock.floating = ""
        return Choose(action.entity, choice)


class TradeStep(PlayerStep[Table1862]):
    """Sell, then buy a share or start a company, or pass (§6.2)."""

    name = TRADE

    def asleep(self, at: Table1862) -> bool:
        return at.stock.closing

    def offers(self, at: Table1862) -> bool:
        """See §15.3."""
        if at.stock.bought:
            return False
        return can_sell(at) or (
            not at_limit(at, at.seat) and (self._could_start(at) or self._could_buy(at))
        )

    def _could_start(self, at: Table1862) -> bool:
        """The site asks for the money and any company that has not been started."""
        if at.formed or at.kit.new_players:
            return False
        cash = at.state.players[at.seat].cash
        return cash >= reserve(at) and any(
            not company.started and not company.removed for company in at.state.companies.values()
        )

    def _could_buy(self, at: Table1862) -> bool:
        return any(
            self._buy_fault(at, BuyShares(self.actor(at), (share,))) is None
            for sym in at.state.companies
            for share in trading.for_sale(at, sym)
        ) or any(self._could_pay_director(at, sym) for sym in at.state.companies)

    def _could_pay_director(self, at: Table1862, sym: str) -> bool:
        """The site asks for the money where a director's certificate lies alone in the pool,
        though nobody may buy it (D24)."""
        alone = shares.held(at.state, MARKET, sym) == (shares.name(sym, 0),)
        if not alone or not at.kit.profile.pool_director_keeps_turn:
            return False
        price = at.state.companies[sym].director_units * at.price(sym)
        fault = self._turn_fault(at, sym, "shares")
        return fault is None and at.state.players[at.seat].cash >= price

    def takes(self, at: Table1862, action: Action) -> bool:
        kinds = BuyShares | SellShares | Par | Pass
        waits = at.stock.closing or bool(at.stock.floating)
        return isinstance(action, kinds) and action.entity == self.actor(at) and not waits

    def options(self, at: Table1862) -> Iterator[Offer]:
        who = self.actor(at)
        for sym in at.state.companies:
            for block in saleable(at, sym):
                yield written_sale(at, who, block, at.sale_price(sym))
        if must_sell(at):
            return
        for sym, company in at.state.companies.items():
            for share in trading.for_sale(at, sym):
                buying = BuyShares(who, (share,), company.unit)
                if self._buy_fault(at, buying) is None:
                    yield buying
            if not company.started:
                yield from self._starts(at, sym)
        yield Pass(who)

    def _starts(self, at: Table1862, sym: str) -> Iterator[Offer]:
        chart = at.kit.chart
        lowest = Par(self.actor(at), sym, chart.name(at.kit.starts[0]))
        if self._start_fault(at, lowest) is None:
            cash = at.state.players[at.seat].cash
            for cell in at.kit.starts:
                if 3 * chart.price(cell) <= cash:
                    yield Par(self.actor(at), sym, chart.name(cell))

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, SellShares):
            return self._sell(at, action)
        if must_sell(at):
            message = f"over the limit of {at.state.limit} certificates: sell first"
            refuse("MUST_SELL", "type", message, "1862 §6.7")
        if isinstance(action, BuyShares):
            refuse_if(self._buy_fault(at, action))
            self._buy(at, action.shares[0])
        elif isinstance(action, Par):
            refuse_if(self._start_fault(at, action))
            self._start(at, action)
        else:
            close_step(at, self.name)
        return action

    def _turn_fault(self, at: Table1862, sym: str, field: str) -> Fault | None:
        if at.stock.bought:
            return Fault("ALREADY_BOUGHT", field, "one purchase a turn", "1862 §6.2")
        if Sale(at.seat, sym) in at.stock.sales:
            message = f"{sym} was sold in this round"
            return Fault("SOLD_THIS_ROUND", field, message, "1862 §6.4")
        return None

    def _buy_fault(self, at: Table1862, action: BuyShares) -> Fault | None:
        if len(action.shares) != 1:
            return Fault("ONE_CERTIFICATE", "shares", "one certificate a turn", "1862 §6.2")
        (share,) = action.shares
        sym = shares.split(share)[0]
        fault = self._turn_fault(at, sym, "shares") or trading.purchase_fault(at, at.seat, share)
        if fault is not None:
            return fault
        unit = at.state.companies[sym].unit
        if action.percent not in (None, unit):
            return Fault("PERCENT_WRONG", "percent", f"{share} is of {unit} %", "FMT §B5.1")
        holder = shares.holder_of(at.state, share)
        price = 0 if holder is None else trading.share_price(at, holder, sym)
        if action.share_price not in (None, price):
            message = f"{share} costs £{price}"
            return Fault("SHARE_PRICE_WRONG", "share_price", message, "1862 §6.4")
        return None

    def _buy(self, at: Table1862, share: str) -> None:
        data, sym = at.stock, shares.split(share)[0]
        trading.buy(at, at.seat, share)
        data.purchases = (*data.purchases, Purchase(at.seat, sym, 1))
        data.bought = True

    def _start_fault(self, at: Table1862, action: Par) -> Fault | None:
        sym = action.corporation
        if at.formed:
            message = "after the LNER no company is started"
            return Fault("LNER_FORMED", "type", message, "1862 §12.2")
        if at.kit.new_players:
            message = "companies start in parliament only"
            return Fault("PARLIAMENT_ONLY", "type", message, "1862 §14.4")
        fault = self._turn_fault(at, sym, "corporation") or opening_fault(at, sym, "corporation")
        if fault is not None:
            return fault
        cell = at.kit.chart.named(action.share_price)
        if cell is None or cell not in at.kit.starts:
            message = "a company starts at one of the prices from 54 to 200"
            return Fault("PAR_NOT_ALLOWED", "share_price", message, "1862 §6.5")
        if at_limit(at, at.seat):
            message = f"the limit is {at.state.limit} certificates"
            return Fault("CERTIFICATE_LIMIT", "corporation", message, "1862 §6.7")
        price = 3 * at.kit.chart.price(cell)
        if at.state.players[at.seat].cash < price:
            message = f"the director's certificate costs £{price}"
            return Fault("CASH_SHORT", "share_price", message, "1862 §6.5")
        return None

    def _start(self, at: Table1862, action: Par) -> None:
        data, sym, starter = at.stock, action.corporation, at.seat
        cell = at.kit.chart.named(action.share_price)
        if cell is None:
            raise ValueError(f"{action.share_price} passed the check and is no cell")
        company = at.state.companies[sym]
        set_up(at, sym, starter, cell, chartered=False)
        transfer(at.state.players[starter], company, 3 * at.price(sym))
        data.purchases = (*data.purchases, Purchase(starter, sym, company.director_units))
        data.bought = True
        float_if_due(at, sym)

    def _sell(self, at: Table1862, action: SellShares) -> Action:
        data, seller = at.stock, at.seat
        if data.bought:
            refuse("SALE_AFTER_PURCHASE", "type", "nothing is sold after a purchase", "1862 §6.2")
        block = read_block(at.state, seller, action.shares, action.percent, trading.BLOCKS)
        sym = block.sym
        if sym in data.sold:
            refuse("SOLD_IN_ONE_BLOCK", "shares", f"{sym} is sold in one block", "1862 §6.3")
        if block.units > most_to_sell(at, sym):
            message = f"shares of {sym} bought in this round are not sold"
            refuse("BOUGHT_THIS_ROUND", "shares", message, "1862 §6.3")
        sold = trading.sell_block(at, seller, block, action)
        data.sold |= {sym}
        data.sales |= {Sale(seller, sym)}
        return sold


class StockRound(Round[Table1862]):
    """Players trade until all have passed in succession, then obligations fall due (§6.1, §5)."""

    kind = STOCK
    steps = (MarkersStep(), ForcedSale(), TradeStep())

    def begin(self, at: Table1862) -> None:
        at.state.turn += 1
        at.state.round = StockData(kind=STOCK, number=1, done=frozenset(), index=0)

    def over(self, at: Table1862) -> bool:
        return at.stock.closing and not at.stock.debts

    def end_turn(self, at: Table1862) -> None:
        data, who = at.stock, at.seat
        if data.bought or data.sold:
            data.passed = frozenset()
        else:
            data.passed |= {who}
        data.index = (data.index + 1) % len(at.state.order)
        data.done = frozenset()
        data.sold = frozenset()
        data.bought = False
        if len(data.passed) == len(at.state.order):
            data.closing = True
            settle_obligations(at)

    def finish(self, at: Table1862) -> str:
        """Whose turn it would be gets the priority deal; the set gets its length (§6.1, §3.2)."""
        state, first = at.state, at.stock.index
        state.order = (*state.order[first:], *state.order[:first])
        state.set_rounds = at.kit.game.phases[state.phase]["operating_rounds"]
        return OPERATING
