"""Stock rounds (§6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.errors import Fault
from engine.games.g18gb.play import trading
from engine.games.g18gb.play.closing import ClosePrivates
from engine.games.g18gb.play.companies import FIVE_SHARE, convert
from engine.games.g18gb.play.state import OPERATING, STOCK, StockData, Table18GB
from engine.play import shares
from engine.play.actions import Action, BuyShares, Choose, Par, Pass, SellShares
from engine.play.blocks import agreed_price, own_blocks, read_block, written_sale
from engine.play.entities import MARKET, Company
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer
from engine.play.state import Sale
from engine.play.steps import PlayerStep, Round, close_step

CONVERT = "convert_"


def _data(at: Table18GB) -> StockData:
    return at.state.round_as(StockData)


def can_sell(at: Table18GB, sym: str) -> bool:
    """Tell whether the player in turn may sell shares of a company now (§6.1, §6.12)."""
    data = _data(at)
    busy = data.bought or data.started or data.converted or sym in data.sold
    return not busy and bool(shares.held(at.state, at.seat, sym))


def must_sell(at: Table18GB) -> bool:
    """Tell whether the player in turn is over the certificate limit and can sell (§6.7)."""
    over = shares.certificates(at.state, at.seat) > at.kit.certificate_limit
    return over and any(can_sell(at, sym) for sym in at.state.companies)


def second_share(at: Table18GB, sym: str) -> bool:
    """Tell whether the director may buy another share of a company he has just bought (§6.9)."""
    data = _data(at)
    only_this = data.bought == (sym,) and not data.started
    cell = at.state.companies[sym].cell
    cheap = cell is not None and "multiple_buy" in at.kit.chart.cells[cell].types
    return only_this and sym in data.directed and cheap


def _convertible(at: Table18GB, company: Company) -> bool:
    mine = company.director == at.seat and company.kind == FIVE_SHARE
    return mine and company.operated and not _data(at).acted


def samples(at: Table18GB, sym: str) -> Iterator[str]:
    """Yield the certificates that stand for a company when it is asked whether something can
    be bought: the smallest in the market and the smallest in the initial offering; the
    director's one only where it lies alone (§16.3)."""
    if not at.state.companies[sym].started:
        return
    for holder in (MARKET, sym):
        ordinary = shares.ordinary(at.state, holder, sym)
        if ordinary:
            yield min(ordinary, key=at.value)
        else:
            yield from shares.held(at.state, holder, sym)


def sample_passes(at: Table18GB, share: str) -> bool:
    """Tell whether a sample keeps the turn of a player open (§16.3)."""
    state, buyer, (sym, number) = at.state, at.seat, shares.split(share)
    if Sale(buyer, sym) in _data(at).sales:
        return False
    if number == 0:
        return trading.exchange_fault(at, buyer, sym) is None
    room = shares.certificates(state, buyer) < at.kit.certificate_limit
    return room and state.players[buyer].cash >= at.value(share)


def something_affordable(at: Table18GB, syms: Iterable[str]) -> bool:
    """Tell whether a certificate of some companies keeps the turn open (§16.3, §6.10)."""
    if at.kit.profile.turns_kept_by_samples:
        return any(sample_passes(at, share) for sym in syms for share in samples(at, sym))
    return any(
        _affordable(at, share)
        for sym in syms
        if at.state.companies[sym].started and Sale(at.seat, sym) not in _data(at).sales
        for holder in (sym, MARKET)
        for share in shares.held(at.state, holder, sym)
    )


def _affordable(at: Table18GB, share: str) -> bool:
    """Whether the cash and the limit allow a certificate; the limit is not asked when one
    is exchanged (§6.7, §6.10)."""
    sym, number = shares.split(share)
    if number == 0 and trading.exchange_fault(at, at.seat, sym) is None:
        return True
    room = shares.certificates(at.state, at.seat) < at.kit.certificate_limit
    return room and at.value(share) <= at.state.players[at.seat].cash


class TradeStep(PlayerStep[Table18GB]):
    """Sell, then buy or start; or convert and buy; or pass (§6.1)."""

    name = "trade"

    def offers(self, at: Table18GB) -> bool:
        """See §16.3; neither caps, nor tiers, nor the priority of LB count on the site."""
        state, data = at.state, _data(at)
        if data.started:
            return False
        if any(can_sell(at, sym) or _convertible(at, c) for sym, c in state.companies.items()):
            return True
        if not data.bought:
            return something_affordable(at, state.companies) or self._could_start(at)
        bought = data.bought[0]
        return second_share(at, bought) and something_affordable(at, (bought,))

    def _could_start(self, at: Table18GB) -> bool:
        """Whether the cash is enough for the cheapest start of any company (§16.3)."""
        state = at.state
        if _data(at).bought or shares.certificates(state, at.seat) >= at.kit.certificate_limit:
            return False
        unstarted = any(not c.started and not c.removed for c in state.companies.values())
        least = 2 * min(at.kit.chart.price(cell) for cell in at.kit.chart.of_type("par"))
        return unstarted and state.players[at.seat].cash >= least

    def takes(self, at: Table18GB, action: Action) -> bool:
        kinds = BuyShares | SellShares | Par | Choose | Pass
        return isinstance(action, kinds) and action.entity == self.actor(at)

    def options(self, at: Table18GB) -> Iterator[Offer]:
        who, over = self.actor(at), must_sell(at)
        for sym, company in at.state.companies.items():
            yield from self._sales(at, sym)
            if over:
                continue
            for share in trading.for_sale(at, sym):
                buying = BuyShares(who, (share,), self._percent(at, share))
                if self._buy_fault(at, buying) is None:
                    yield buying
            if not company.started:
                yield from self._starts(at, sym)
            if self._convert_fault(at, sym) is None:
                yield Choose(who, CONVERT + sym)
        if not over:
            yield Pass(who)

    def _sales(self, at: Table18GB, sym: str) -> Iterator[Offer]:
        if can_sell(at, sym):
            for block in own_blocks(at.state, at.seat, sym):
                if trading.sale_fault(at, at.seat, block) is None:
                    yield written_sale(at, self.actor(at), block, trading.sale_price(at, sym))

    def _starts(self, at: Table18GB, sym: str) -> Iterator[Offer]:
        for cell in at.kit.chart.of_type("par"):
            start = Par(self.actor(at), sym, at.kit.chart.name(cell))
            if self._start_fault(at, start) is None and trading.tier_fault(at, sym) is None:
                yield start

    def _percent(self, at: Table18GB, share: str) -> int:
        sym, number = shares.split(share)
        return at.state.companies[sym].percents[number]

    def apply(self, at: Table18GB, action: Action) -> Action:
        if isinstance(action, SellShares):
            return self._sell(at, action)
        if must_sell(at):
            message = f"over the limit of {at.kit.certificate_limit} certificates: sell first"
            refuse("MUST_SELL", "type", message, "18GB §6.7")
        if isinstance(action, BuyShares):
            refuse_if(self._buy_fault(at, action))
            self._buy(at, action.shares[0])
        elif isinstance(action, Par):
            refuse_if(self._start_fault(at, action))
            self._start(at, action)
        elif isinstance(action, Choose):
            sym = str(action.choice).removeprefix(CONVERT)
            if sym == str(action.choice):
                refuse("CHOICE_UNKNOWN", "choice", "a company is converted by name", "FMT §B5.4")
            refuse_if(self._convert_fault(at, sym))
            convert(at, sym, at.kit.conversion_spaces["stock_round"])
            _data(at).converted = sym
        else:
            close_step(at, self.name)
        return action

    def _turn_fault(self, at: Table18GB, field: str) -> Fault | None:
        data = _data(at)
        if data.started or data.bought:
            return Fault("ALREADY_BOUGHT", field, "one purchase a turn", "18GB §6.6")
        return None

    def _buy_fault(self, at: Table18GB, action: BuyShares) -> Fault | None:
        data, buyer = _data(at), at.seat
        if len(action.shares) != 1:
            return Fault("ONE_CERTIFICATE", "shares", "one certificate at a time", "18GB §6.6")
        (share,) = action.shares
        sym = shares.split(share)[0]
        if sym not in at.state.companies:
            return Fault("COMPANY_UNKNOWN", "shares", f"{share!r} is no certificate", "18GB §1.2")
        if not second_share(at, sym):
            fault = self._turn_fault(at, "shares")
            if fault is not None:
                return fault
        if Sale(buyer, sym) in data.sales:
            message = f"{sym} was sold in this round"
            return Fault("SOLD_THIS_ROUND", "shares", message, "18GB §6.6")
        if data.converted not in ("", sym):
            message = f"after a conversion only {data.converted} may be bought"
            return Fault("CONVERTED_COMPANY_ONLY", "shares", message, "18GB §6.1")
        return (
            trading.purchase_fault(at, buyer, share)
            or self._closed_fault(at)
            or trading.terms_fault(at, action)
            or trading.priority_fault(at, buyer, sym, "shares")
        )

    def _closed_fault(self, at: Table18GB) -> Fault | None:
        """Why nothing at all is bought now, as the site sees it (§6.10)."""
        if something_affordable(at, at.state.companies):
            return None
        message = "at the limit of certificates there is nothing that could be bought"
        return Fault("NOTHING_TO_BUY", "shares", message, "18GB §6.10")

    def _buy(self, at: Table18GB, share: str) -> None:
        data = _data(at)
        trading.buy(at, at.seat, share)
        data.bought = (*data.bought, shares.split(share)[0])

    def _start_fault(self, at: Table18GB, action: Par) -> Fault | None:
        fault = self._turn_fault(at, "corporation")
        if fault is None and _data(at).converted:
            message = "after a conversion no company may be started"
            return Fault("CONVERTED_COMPANY_ONLY", "corporation", message, "18GB §6.1")
        cell = at.kit.chart.named(action.share_price)
        return fault or trading.start_fault(at, at.seat, action.corporation, cell)

    def _start(self, at: Table18GB, action: Par) -> None:
        breach = trading.tier_fault(at, action.corporation)
        if breach is not None:
            at.bench.object(breach)
        cell = at.kit.chart.named(action.share_price)
        if cell is None:
            raise ValueError(f"{action.share_price} passed the check and is no cell")
        trading.start(at, at.seat, action.corporation, cell)
        _data(at).started = True

    def _convert_fault(self, at: Table18GB, sym: str) -> Fault | None:
        company = at.state.companies.get(sym)
        if company is None or company.director != at.seat or company.kind != FIVE_SHARE:
            message = "the director converts a 5-share company"
            return Fault("NOT_CONVERTIBLE", "choice", message, "18GB §6.11")
        if not company.operated:
            message = f"{sym} has not operated yet"
            return Fault("NOT_OPERATED", "choice", message, "18GB §6.11")
        if _data(at).acted:
            message = "a conversion is the first act of a turn"
            return Fault("CONVERSION_NOT_FIRST", "choice", message, "18GB §6.11")
        if must_sell(at):
            message = "over the certificate limit: sell first"
            return Fault("MUST_SELL", "type", message, "18GB §6.7")
        return None

    def _sell(self, at: Table18GB, action: SellShares) -> Action:
        data, seller = _data(at), at.seat
        if data.bought or data.started:
            refuse("SALE_AFTER_PURCHASE", "type", "nothing is sold after a purchase", "18GB §6.1")
        if data.converted:
            message = "nothing is sold in a turn with a conversion"
            refuse("SALE_AFTER_CONVERSION", "type", message, "18GB §6.1")
        block = read_block(at.state, seller, action.shares, action.percent, trading.BLOCKS)
        if block.sym in data.sold:
            message = f"{block.sym} is sold in one block"
            refuse("SOLD_IN_ONE_BLOCK", "shares", message, "18GB §6.12")
        refuse_if(trading.sale_fault(at, seller, block))
        price = trading.sale_price(at, block.sym)
        price = agreed_price(at, action, price, "SALE_PRICE_WRONG", "18GB §3.5")
        sold = written_sale(at, action.entity, block, price)
        trading.sell(at, seller, block, price)
        trading.note_sale(data, seller, block.sym)
        return sold


class StockRound(Round[Table18GB]):
    """Players trade until all have passed in succession (§6.14)."""

    kind = STOCK
    steps = (ClosePrivates(), TradeStep())

    def begin(self, at: Table18GB) -> None:
        at.state.turn += 1
        directed = self._directed(at, 0)
        at.state.round = StockData(STOCK, 1, frozenset(), index=0, directed=directed)

    def _directed(self, at: Table18GB, index: int) -> frozenset[str]:
        who = at.state.order[index]
        return frozenset(c.sym for c in at.state.companies.values() if c.director == who)

    def over(self, at: Table18GB) -> bool:
        return len(_data(at).passing) == len(at.state.order)

    def end_turn(self, at: Table18GB) -> None:
        data, who = _data(at), at.seat
        if data.acted:
            data.passing = tuple(other for other in data.passing if other != who)
        elif who not in data.passing:
            data.passing = (*data.passing, who)
        data.index = (data.index + 1) % len(at.state.order)
        data.done = frozenset()
        data.sold = frozenset()
        data.bought = ()
        data.started = False
        data.converted = ""
        data.directed = self._directed(at, data.index)

    def finish(self, at: Table18GB) -> str:
        """The order of passing is the turn order of the next stock round (§6.14)."""
        at.state.order = _data(at).passing
        return OPERATING
