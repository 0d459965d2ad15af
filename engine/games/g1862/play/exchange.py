"""The 2:1 exchange of shares in mergers and refinancing (1862 §9.5, §9.6, §15.4c).

Each shareholder acts in turn. Whoever has to decide about an option share or
an option director's certificate stops the exchange until he has decided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.games.g1862.play.state import Exchange, Table1862
from engine.play import shares
from engine.play.bank import from_bank, to_bank
from engine.play.entities import MARKET, Company, Holder, Player

SHARE, DIRECTOR = "share", "director"
SMALL = 6
"""Whoever has fewer shares than this and a director's certificate gives it up (§9.5.1)."""


def running_exchange(at: Table1862) -> Exchange:
    """Return the exchange that is going on.

    Raises
    ------
    ValueError
        There is none.
    """
    found = at.operating.exchange
    if found is None:
        raise ValueError("no shares are being exchanged")
    return found


def shareholders(at: Table1862, active: str, syms: Sequence[str]) -> tuple[Holder, ...]:
    """Return who takes part, in the order of acting (§9.5).

    The active company's director comes first, then the players clockwise, the
    active company last.
    """
    order = at.state.order
    director = at.state.companies[active].director
    start = order.index(director) if director is not None else 0
    around: list[Holder] = [*order[start:], *order[:start], active]
    return tuple(who for who in around if any(shares.held(at.state, who, sym) for sym in syms))


def advance(at: Table1862) -> bool:
    """Let shareholders act until one has to decide; tell whether all have acted."""
    while True:
        now = running_exchange(at)
        if not now.queue:
            return True
        _act(at, now)
        if running_exchange(at).option:
            return False
        _next_holder(at)


def _next_holder(at: Table1862) -> None:
    now = running_exchange(at)
    at.operating.exchange = replace(now, queue=now.queue[1:], option="", units=0)


def _act(at: Table1862, now: Exchange) -> None:
    """The turn of the first shareholder of the queue up to his decision (§9.5.1 to §9.5.4)."""
    who = now.queue[0]
    if _holds_director(at, now, who) and _total(at, now, who) < SMALL:
        there = _survivor_first(at, now, MARKET)[:3]
        if len(there) < 3:
            _option_director(at, now, who)
            return
        _give_up_director(at, now, who, there)
    total = _total(at, now, who)
    _return_half(at, now, who, total // 2)
    odd = total % 2 == 1
    absorbed = _absorbed_cards(at, now, who)
    option = ""
    if odd:
        option = absorbed[-1] if absorbed else shares.ordinary(at.state, who, now.survivor)[-1]
    for card in absorbed:
        new = _swap(at, now, who, card)
        if new is None:
            _sell_absorbed(at, now, who, card, card == option)
        if card == option:
            option = new or ""
    if option:
        _ask(at, SHARE, 0)


def _ask(at: Table1862, option: str, units: int) -> None:
    """Let the shareholder decide; if he cannot pay he is sold out without being asked."""
    now = running_exchange(at)
    at.operating.exchange = replace(now, option=option, units=units)
    if purse(at, now.queue[0]).cash < redemption(running_exchange(at)):
        _sell_option(at)
        at.operating.exchange = replace(running_exchange(at), option="")


def redemption(now: Exchange) -> int:
    """Return what it costs to keep the option, £ (§9.5.5)."""
    return (SMALL - now.units) * now.price // 2 if now.option == DIRECTOR else now.price // 2


def proceeds(now: Exchange) -> int:
    """Return what giving up the option brings, £ (§9.5.5)."""
    return now.units * now.price // 2 if now.option == DIRECTOR else now.price // 2


def decide(at: Table1862, redeem: bool) -> None:
    """Carry out the decision of the shareholder whose turn it is (§9.5.5)."""
    now = running_exchange(at)
    if redeem:
        to_bank(at.state, purse(at, now.queue[0]), redemption(now))
    else:
        _sell_option(at)
    _next_holder(at)


def _sell_option(at: Table1862) -> None:
    now = running_exchange(at)
    who = now.queue[0]
    if now.option == DIRECTOR:
        card = next(
            c for c in at.state.holdings[who] if shares.split(c)[1] == 0 and _takes_part(now, c)
        )
    else:
        card = shares.ordinary(at.state, who, now.survivor)[-1]
    from_bank(at.state, purse(at, who), proceeds(now))
    shares.hand_over(at.state, card, MARKET)


def purse(at: Table1862, who: Holder) -> Player | Company:
    """Return whose cash pays for a shareholder."""
    return at.state.companies[who] if isinstance(who, str) else at.state.players[who]


def _takes_part(now: Exchange, card: str) -> bool:
    return shares.split(card)[0] in (now.survivor, now.absorbed)


def _cards(at: Table1862, now: Exchange, who: Holder) -> list[str]:
    return [card for card in at.state.holdings[who] if _takes_part(now, card)]


def _total(at: Table1862, now: Exchange, who: Holder) -> int:
    return shares.units_on(at.state, _cards(at, now, who))


def _holds_director(at: Table1862, now: Exchange, who: Holder) -> bool:
    return any(shares.split(card)[1] == 0 for card in _cards(at, now, who))


def _survivor_first(at: Table1862, now: Exchange, who: Holder) -> list[str]:
    """Ordinary certificates, the survivor's first, of each the last acquired first (§15.4c)."""
    found: list[str] = []
    for sym in (now.survivor, now.absorbed):
        found.extend(reversed(shares.ordinary(at.state, who, sym)))
    return found


def _give_up_director(at: Table1862, now: Exchange, who: Holder, there: Sequence[str]) -> None:
    """Exchange a small director's certificate for three ordinary ones of the pool (§9.5.1)."""
    for card in _cards(at, now, who):
        if shares.split(card)[1] == 0:
            shares.hand_over(at.state, card, MARKET)
    for card in there:
        shares.hand_over(at.state, card, who)


def _option_director(at: Table1862, now: Exchange, who: Holder) -> None:
    """The pool has no three certificates: all ordinary ones go, the director's is an option."""
    state, units = at.state, _total(at, now, who)
    for card in _cards(at, now, who):
        if shares.split(card)[1]:
            shares.hand_over(state, card, MARKET)
    director = shares.name(now.survivor, 0)
    if director not in state.holdings[who]:
        other = shares.holder_of(state, director)
        old = shares.name(now.absorbed, 0)
        if other == MARKET or other in now.queue[1:]:
            shares.hand_over(state, director, who)
            shares.hand_over(state, old, MARKET if other is None else other)
        else:
            at.operating.exchange = replace(now, option=DIRECTOR, units=units)
            _sell_option(at)
            at.operating.exchange = now
            return
    _ask(at, DIRECTOR, units)


def _return_half(at: Table1862, now: Exchange, who: Holder, units: int) -> None:
    """Return certificates to the pool: first the absorbed company's (§9.5.2, §15.4c)."""
    state = at.state
    order = [
        *(card for card in shares.held(state, who, now.absorbed) if not shares.split(card)[1]),
        *shares.ordinary(state, who, now.absorbed),
        *reversed(shares.ordinary(state, who, now.survivor)),
    ]
    for card in order:
        worth = shares.units_on(state, (card,))
        if worth <= units:
            units -= worth
            shares.hand_over(state, card, MARKET)


def _absorbed_cards(at: Table1862, now: Exchange, who: Holder) -> list[str]:
    """What a shareholder keeps of the absorbed company, in the order of swapping."""
    return list(reversed(shares.held(at.state, who, now.absorbed))) if now.absorbed else []


def _donors(now: Exchange) -> Iterator[Holder]:
    """Who may give a certificate in a swap, in order; a company takes from the pool only."""
    yield MARKET
    if now.queue[0] != now.active:
        yield from now.queue[1:]


def _swap(at: Table1862, now: Exchange, who: Holder, card: str) -> str | None:
    """Exchange an absorbed company's certificate for one of the survivor (§9.5.3)."""
    for donor in _donors(now):
        there = shares.ordinary(at.state, donor, now.survivor)
        if there:
            shares.hand_over(at.state, there[0], who)
            shares.hand_over(at.state, card, donor)
            return there[0]
    return None


def _sell_absorbed(at: Table1862, now: Exchange, who: Holder, card: str, option: bool) -> None:
    """No certificate of the survivor is to be had: the bank buys (§9.5.4, D15)."""
    half = now.price + at.kit.profile.option_rounded_up
    from_bank(at.state, purse(at, who), half // 2 if option else now.price)
    shares.hand_over(at.state, card, MARKET)
