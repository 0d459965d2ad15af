"""Bids (§5.9 to §5.13)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.boxes import least_bid, on_offer, tokens_left
from engine.games.g1822.play.state import Interest
from engine.games.g1822.play.table import Table1822
from engine.games.g1822.play.trading import free_cash, limit_fault
from engine.play.actions import Bid, player
from engine.play.offers import Offer, Priced
from engine.play.state import Lead


def _card_fault(at: Table1822, number: int, card: str) -> Fault | None:
    """Return why a player may not bid on a card, at whatever price."""
    data = at.stock
    if card not in on_offer(at):
        message = f"{card!r} is in no bid box"
        return Fault("CARD_NOT_ON_OFFER", "company", message, "1822 §5.9")
    lead = data.leads.get(card)
    if lead is not None and lead.player == number:
        message = f"the bid on {card} is already the highest"
        return Fault("OWN_BID_LEADS", "company", message, "1822 §5.11")
    if Interest(number, card) not in data.interests and not tokens_left(at, number):
        message = f"all {at.kit.bidding_tokens} bidding tokens are placed"
        return Fault("NO_BIDDING_TOKEN", "company", message, "1822 §5.12")
    return limit_fault(at, number, "company")


def bid_fault(at: Table1822, number: int, action: Bid) -> Fault | None:
    """Return why a bid is not allowed (§5.10 to §5.13)."""
    fault = _card_fault(at, number, action.company)
    if fault is not None:
        return fault
    if action.price % at.kit.bid_step:
        message = f"a bid is a multiple of £{at.kit.bid_step}"
        return Fault("BID_NOT_IN_STEPS", "price", message, "1822 §5.10")
    if action.price < least_bid(at, action.company):
        message = f"the lowest bid is £{least_bid(at, action.company)}"
        return Fault("BID_TOO_LOW", "price", message, "1822 §5.10")
    if action.price > free_cash(at, number):
        message = f"only £{free_cash(at, number)} are not needed for other bids"
        return Fault("CASH_COMMITTED", "price", message, "1822 §5.11")
    return None


def bid_options(at: Table1822, number: int) -> Iterator[Offer]:
    """Yield every bid that a player may place."""
    for card in on_offer(at):
        least = least_bid(at, card)
        prices = range(least, free_cash(at, number) + 1, at.kit.bid_step)
        if prices and _card_fault(at, number, card) is None:
            yield Priced(Bid(player(number), card, least), prices)


def place_bid(at: Table1822, number: int, action: Bid) -> None:
    """Place a bid that has no fault; the old leader has his cash back, not his token (§5.12)."""
    data = at.stock
    data.leads[action.company] = Lead(number, action.price)
    data.interests |= {Interest(number, action.company)}
    data.bids += 1
