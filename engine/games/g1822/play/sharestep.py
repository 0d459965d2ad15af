"""Issuing and redeeming shares (§15)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.errors import Fault
from engine.games.g1822.play.abilities import MOVE_CARD, SHARES
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.games.g1822.play.trading import MARKET_LIMIT
from engine.play import shares
from engine.play.actions import (
    Action,
    BuyShares,
    Pass,
    SellShares,
)
from engine.play.bank import from_bank, to_bank
from engine.play.blocks import agreed_price
from engine.play.entities import MARKET
from engine.play.errors import refuse, refuse_if
from engine.play.market import put
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, close_step


def issue_price(at: Table1822, count: int) -> int:
    """Return what a share brings when so many are issued: the price after the falls, £ (§15.2)."""
    cell = at.company.cell
    if cell is None:
        raise ValueError(f"{at.company.sym} has no price yet")
    return at.kit.chart.price(at.kit.chart.moved(cell, "down", count))


def most_to_issue(at: Table1822) -> int:
    """Return how many shares may be issued (§15.1)."""
    company = at.company
    if company.kind != MAJOR or not company.turns:
        return 0
    room = MARKET_LIMIT // company.unit - shares.units(at.state, MARKET, company.sym)
    return max(0, min(room, len(shares.held(at.state, company.sym, company.sym))))


def most_to_redeem(at: Table1822) -> int:
    """Return how many shares may be redeemed (§15.1)."""
    company = at.company
    if company.kind != MAJOR:
        return 0
    affordable = company.cash // at.price(company.sym)
    return min(affordable, len(shares.held(at.state, MARKET, company.sym)))


class ShareStep(CompanyStep[Table1822]):
    """A major issues shares as one bundle, or redeems one (§15)."""

    name = SHARES

    def offers(self, at: Table1822) -> bool:
        """See §8.3."""
        if at.company.kind != MAJOR:
            return False
        return most_to_issue(at) > 0 or most_to_redeem(at) > 0 or at.owns(MOVE_CARD)

    def takes(self, at: Table1822, action: Action) -> bool:
        kinds = SellShares | BuyShares | Pass
        return isinstance(action, kinds) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        who, sym, unit = self.actor(at), at.company.sym, at.company.unit
        own = shares.held(at.state, sym, sym)
        for count in range(1, most_to_issue(at) + 1):
            price = issue_price(at, count)
            yield SellShares(who, own[:count], count * unit, self._named(at, price))
        market = shares.held(at.state, MARKET, sym)
        for count in range(1, most_to_redeem(at) + 1):
            yield BuyShares(who, market[:count], count * unit)
        yield Pass(who)

    def _named(self, at: Table1822, price: int) -> int | None:
        """The price of a share if it is not the present one (FMT §B5.1)."""
        return None if price == at.price(at.company.sym) else price

    def apply(self, at: Table1822, action: Action) -> Action:
        done = action
        if isinstance(action, SellShares):
            done = self._issue(at, action)
        elif isinstance(action, BuyShares):
            done = self._redeem(at, action)
        close_step(at, self.name)
        return done

    def _require(
        self,
        at: Table1822,
        action: SellShares | BuyShares,
        most: int,
        price: int,
        held: Sequence[str],
    ) -> int:
        """Return the price of a share, £."""
        company, count = at.company, len(action.shares)
        fault: Fault | None = None
        if not set(action.shares) <= set(held) or len(set(action.shares)) != count:
            message = f"these are not shares of {company.sym} at the right place"
            fault = Fault("SHARE_NOT_OFFERED", "shares", message, "1822 §15.1")
        elif not 0 < count <= most:
            message = f"{most} shares are the most now"
            fault = Fault("TOO_MANY_SHARES", "shares", message, "1822 §15.1")
        elif action.percent not in (None, count * company.unit):
            message = f"{count} shares are not {action.percent} %"
            fault = Fault("PERCENT_WRONG", "percent", message, "FMT §B5.1")
        refuse_if(fault)
        return agreed_price(at, action, price, "SHARE_PRICE_WRONG", "1822 §15.2")

    def _issue(self, at: Table1822, action: SellShares) -> SellShares:
        company, count = at.company, len(action.shares)
        held = shares.held(at.state, company.sym, company.sym)
        price = issue_price(at, count)
        price = self._require(at, action, most_to_issue(at), price, held)
        named = self._named(at, price)
        from_bank(at.state, company, count * price)
        for share in action.shares:
            shares.hand_over(at.state, share, MARKET)
        if company.cell is not None:
            put(at.state, company.sym, at.kit.chart.moved(company.cell, "down", count))
        shares.settle_director(at.state, company.sym)
        return SellShares(action.entity, action.shares, count * company.unit, named)

    def _redeem(self, at: Table1822, action: BuyShares) -> BuyShares:
        company, count = at.company, len(action.shares)
        held = shares.held(at.state, MARKET, company.sym)
        price = self._require(at, action, most_to_redeem(at), at.price(company.sym), held)
        named = self._named(at, price)
        if count * price > company.cash:
            message = f"{company.sym} has £{company.cash} for £{count * price}"
            refuse("CASH_SHORT", "share_price", message, "1822 §15.1")
        to_bank(at.state, company, count * price)
        for share in action.shares:
            shares.hand_over(at.state, share, company.sym)
        shares.settle_director(at.state, company.sym)
        return BuyShares(action.entity, action.shares, count * company.unit, named)
