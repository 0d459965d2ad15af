"""Parliament rounds: charters under the hammer (1862 §4)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1862.play.companies import float_if_due, opening_fault, set_up
from engine.games.g1862.play.state import (
    IPO,
    PARLIAMENT,
    STOCK,
    Obligation,
    ParliamentData,
    Table1862,
)
from engine.play import shares
from engine.play.actions import Action, BuyShares, CharterBid, Entity, Par, Pass, player
from engine.play.bank import to_bank
from engine.play.entities import Cell
from engine.play.errors import refuse, refuse_if
from engine.play.offers import Offer, Priced
from engine.play.steps import Round, Step, close_step

CHARTER = "charter"
MOST_SHARES = 2
"""Shares that the winner may buy beside the director's certificate (§4.4)."""


def parliament_data(number: int) -> ParliamentData:
    """Return a parliament round at its beginning."""
    return ParliamentData(
        kind=PARLIAMENT,
        number=number,
        done=frozenset(),
        index=0,
        declined=0,
        winners=frozenset(),
        company="",
        bidders=(),
        bid=0,
        leader=None,
        won=False,
        bought=0,
    )


def reserve(at: Table1862) -> int:
    """Return what must be left after a bid: three shares at the lowest par, £ (§4.2)."""
    return 3 * at.kit.chart.price(at.kit.pars[0])


def at_limit(at: Table1862, number: int) -> bool:
    """Tell whether a player may not take another certificate (§6.7)."""
    return shares.certificates(at.state, number) >= at.state.limit


def bids(at: Table1862, number: int) -> range:
    """Return what a player may bid now, £ (§4.1 to §4.3)."""
    data = at.parliament
    step: int = at.kit.setup("parliament", "bid_step")
    least: int = data.bid + step if data.company else at.kit.setup("parliament", "minimum_bid")
    most = at.state.players[number].cash - reserve(at)
    return range(0) if at_limit(at, number) else range(least, max(least, most + 1), step)


class CharterStep(Step[Table1862]):
    """Open an auction, bid in it, and what the winner does; or pass (§4.1 to §4.4)."""

    name = CHARTER

    def actor(self, at: Table1862) -> Entity:
        data = at.parliament
        if data.won and data.leader is not None:
            return player(data.leader)
        return player(data.bidders[0] if data.bidders else at.state.order[data.index])

    def offers(self, at: Table1862) -> bool:
        """See §15.3."""
        data = at.parliament
        if data.won:
            return not self._started(at) or self._can_buy(at)
        return bool(data.company) or self._can_open(at)

    def _opener(self, at: Table1862) -> int:
        return at.state.order[at.parliament.index]

    def _started(self, at: Table1862) -> bool:
        return at.state.companies[at.parliament.company].started

    def _can_open(self, at: Table1862) -> bool:
        opener = self._opener(at)
        if opener in at.parliament.winners or not bids(at, opener):
            return False
        return any(opening_fault(at, sym, "") is None for sym in at.state.companies)

    def _can_buy(self, at: Table1862) -> bool:
        return self._buy_fault(at, self._next_share(at)) is None

    def _next_share(self, at: Table1862) -> BuyShares:
        sym = at.parliament.company
        return BuyShares(self.actor(at), shares.ordinary(at.state, IPO, sym)[:1], 10)

    def takes(self, at: Table1862, action: Action) -> bool:
        kinds = CharterBid | Par | BuyShares | Pass
        return isinstance(action, kinds) and action.entity == self.actor(at)

    def options(self, at: Table1862) -> Iterator[Offer]:
        data, who = at.parliament, self.actor(at)
        if data.won and not self._started(at):
            for cell in self._pars(at):
                yield Par(who, data.company, at.kit.chart.name(cell))
            return
        if data.won:
            yield self._next_share(at)
        elif data.company:
            yield Priced(CharterBid(who, data.company, data.bid), bids(at, data.bidders[0]))
        else:
            for sym in at.state.companies:
                if opening_fault(at, sym, "") is None:
                    prices = bids(at, self._opener(at))
                    yield Priced(CharterBid(who, sym, prices.start), prices)
        yield Pass(who)

    def _pars(self, at: Table1862) -> list[Cell]:
        """The pars at which the winner can pay three shares (§4.4)."""
        leader = at.parliament.leader
        cash = 0 if leader is None else at.state.players[leader].cash
        return [cell for cell in at.kit.pars if 3 * at.kit.chart.price(cell) <= cash]

    def apply(self, at: Table1862, action: Action) -> Action:
        if isinstance(action, CharterBid):
            self._bid(at, action)
        elif isinstance(action, Par):
            self._par(at, action)
        elif isinstance(action, BuyShares):
            fault = self._buy_fault(at, action)
            refuse_if(fault)
            self._buy(at, action.shares[0])
        else:
            self._pass(at)
        return action

    def _bid(self, at: Table1862, action: CharterBid) -> None:
        fault = self._bid_fault(at, action)
        refuse_if(fault)
        data = at.parliament
        bidder = int(action.entity.id)
        if not data.company:
            data.company = action.corporation
            order = at.state.order
            data.bidders = (*order[data.index :], *order[: data.index])
        data.bid, data.leader = action.price, bidder
        place = data.bidders.index(bidder)
        around = (*data.bidders[place + 1 :], *data.bidders[:place])
        data.bidders = (*(other for other in around if bids(at, other)), bidder)
        self._award(at)

    def _bid_fault(self, at: Table1862, action: CharterBid) -> Fault | None:
        data, bidder = at.parliament, int(action.entity.id)
        sym = action.corporation
        if data.won:
            return Fault("AUCTION_OVER", "type", f"{data.company} has been won", "1862 §4.4")
        if data.company and sym != data.company:
            message = f"{data.company} is under auction"
            return Fault("OTHER_AUCTION", "corporation", message, "1862 §4.3")
        if not data.company and bidder in data.winners:
            message = "who has won a charter opens no auction in this round"
            return Fault("CHARTER_WON", "type", message, "1862 §4.2")
        fault = None if data.company else opening_fault(at, sym, "corporation")
        if fault is not None:
            return fault
        if at_limit(at, bidder):
            message = f"the limit is {at.state.limit} certificates"
            return Fault("CERTIFICATE_LIMIT", "type", message, "1862 §4.2")
        allowed = bids(at, bidder)
        if action.price < allowed.start:
            message = f"the least bid is £{allowed.start}"
            return Fault("BID_TOO_LOW", "price", message, "1862 §4.3")
        if (action.price - allowed.start) % allowed.step:
            message = f"bids are multiples of £{allowed.step}"
            return Fault("BID_NOT_IN_STEPS", "price", message, "1862 §4.1")
        if action.price not in allowed:
            message = f"£{reserve(at)} must remain"
            return Fault("CASH_SHORT", "price", message, "1862 §4.2")
        return None

    def _award(self, at: Table1862) -> None:
        """The last one left wins and pays (§4.3, §4.4)."""
        data = at.parliament
        if data.bidders == (data.leader,):
            data.won = True
            data.winners |= {data.bidders[0]}
            to_bank(at.state, at.state.players[data.bidders[0]], data.bid)

    def _pass(self, at: Table1862) -> None:
        data = at.parliament
        if data.won and not self._started(at):
            refuse("PAR_COMPULSORY", "type", "the winner sets the par", "1862 §4.4")
        if data.company and not data.won:
            data.bidders = data.bidders[1:]
            self._award(at)
        else:
            close_step(at, self.name)

    def _par(self, at: Table1862, action: Par) -> None:
        data = at.parliament
        if not data.won or self._started(at) or action.corporation != data.company:
            message = "only the winner of an auction sets a par"
            refuse("NOTHING_TO_PAR", "corporation", message, "1862 §4.4")
        cell = at.kit.chart.named(action.share_price)
        if cell is None or cell not in at.kit.pars:
            message = "a chartered company starts at 54, 58, 62, 68, 74, 82, 90 or 100"
            refuse("PAR_NOT_ALLOWED", "share_price", message, "1862 §4.4")
        if cell not in self._pars(at):
            message = f"three shares cost £{3 * at.kit.chart.price(cell)}"
            refuse("CASH_SHORT", "share_price", message, "1862 §4.4")
        winner = int(action.entity.id)
        to_bank(at.state, at.state.players[winner], 3 * at.kit.chart.price(cell))
        set_up(at, data.company, winner, cell, chartered=True)
        at.state.obligations += (Obligation(winner, data.company),)

    def _buy_fault(self, at: Table1862, action: BuyShares) -> Fault | None:
        data, buyer = at.parliament, int(action.entity.id)
        if not data.won or not self._started(at):
            message = "only who has won a charter buys shares"
            return Fault("NOTHING_TO_BUY", "type", message, "1862 §4.4")
        cards = shares.ordinary(at.state, IPO, data.company)
        if len(action.shares) != 1 or action.shares[0] not in cards:
            message = f"one share of {data.company} from the IPO is for sale"
            return Fault("SHARE_NOT_FOR_SALE", "shares", message, "1862 §4.4")
        if data.bought >= MOST_SHARES:
            message = f"not more than {MOST_SHARES} shares beside the director's certificate"
            return Fault("ALREADY_BOUGHT", "type", message, "1862 §4.4")
        if at_limit(at, buyer):
            message = f"the limit is {at.state.limit} certificates"
            return Fault("CERTIFICATE_LIMIT", "shares", message, "1862 §6.7")
        par = at.state.charters[data.company].par
        if at.state.players[buyer].cash < par:
            return Fault("CASH_SHORT", "shares", f"a share costs £{par}", "1862 §4.4")
        if action.percent not in (None, 10) or action.share_price not in (None, par):
            message = f"a share is 10 % for £{par}"
            return Fault("TERMS_WRONG", "shares", message, "1862 §4.4")
        return None

    def _buy(self, at: Table1862, share: str) -> None:
        data, state = at.parliament, at.state
        if data.leader is None:
            raise ValueError("nobody has won a charter")
        to_bank(state, state.players[data.leader], state.charters[data.company].par)
        shares.hand_over(state, share, data.leader)
        data.bought += 1
        float_if_due(at, data.company)


class ParliamentRound(Round[Table1862]):
    """Players open auctions or pass until all decline in succession (§4)."""

    kind = PARLIAMENT
    steps = (CharterStep(),)

    def begin(self, at: Table1862) -> None:
        before = at.state.round
        number = before.number + 1 if before.kind == PARLIAMENT else 1
        at.state.round = parliament_data(number)

    def over(self, at: Table1862) -> bool:
        return at.parliament.declined == len(at.state.order)

    def end_turn(self, at: Table1862) -> None:
        """Go on to the left of the winner, or of who has declined (§4.5)."""
        data = at.parliament
        last = data.index
        if data.won and data.leader is not None:
            last = at.state.order.index(data.leader)
            data.declined = 0
        else:
            data.declined += 1
        data.index = (last + 1) % len(at.state.order)
        data.done = frozenset()
        data.company = ""
        data.bidders = ()
        data.bid = 0
        data.leader = None
        data.won = False
        data.bought = 0

    def finish(self, at: Table1862) -> str:
        """Two rounds come before the first stock round, one before each later one (§3.1)."""
        first: int = at.kit.setup("parliament", "rounds_before_first_stock_round")
        rounds = first if at.state.turn == 0 else 1
        return PARLIAMENT if at.parliament.number < rounds else STOCK
