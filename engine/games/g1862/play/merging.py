"""Mergers, acquisitions and refinancing (1862 §8.2, §8.14, §9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.board.state import TokenPlacement
from engine.errors import Fault
from engine.games.g1862.play import exchange
from engine.games.g1862.play.companies import bankrupt, home_hex, skip_rest, take_back
from engine.games.g1862.play.kit import CLOSE, END
from engine.games.g1862.play.state import IPO, THIS_ROUND, Exchange, Table1862
from engine.games.g1862.stations import london_hexes
from engine.play import shares
from engine.play.actions import (
    Action,
    Choose,
    Entity,
    Merge,
    Pass,
    RemoveToken,
    corporation,
    player,
)
from engine.play.bank import from_bank, transfer
from engine.play.entities import MARKET
from engine.play.errors import refuse, refuse_if
from engine.play.layout import city_name, find_city
from engine.play.market import put, take_off
from engine.play.offers import Offer
from engine.play.steps import CompanyStep, Step, close_step

MERGE, ACQUIRE, REFINANCE = "merge", "acquire", "refinance"
FIRST, LAST = "first", "last"
REDEEM, SELL = "redeem", "sell"


def connected(at: Table1862, sym: str, other: str) -> bool:
    """Tell whether a company's network reaches a large station of another (§9.1)."""
    london = london_hexes(at.kit.game)
    stops, board = at.network(sym).stops, at.board()
    return any(stop.id in stops and stop.hex not in london for stop in board.token_stops(other))


def partner_fault(at: Table1862, other: str) -> Fault | None:
    """Return why the company in turn cannot merge with another, connection aside (§9.1)."""
    partner = at.state.companies.get(other)
    if partner is None or partner is at.company or not partner.floated:
        message = f"{other!r} is no other company that has floated"
        return Fault("PARTNER_NOT_FLOATED", "corporation", message, "1862 §9.1")
    if partner.receivership or at.company.receivership:
        message = "companies in receivership do not merge"
        return Fault("PARTNER_IN_RECEIVERSHIP", "corporation", message, "1862 §9.1")
    return None


def merged_price(at: Table1862, one: str, other: str) -> int:
    """Return the lower price plus half the higher, trainless ones halved, on the ladder (§9.3)."""
    low, high = sorted((at.sale_price(one), at.sale_price(other)))
    return at.kit.chart.price(at.kit.cell_at_most(low + high // 2))


def begin_exchange(at: Table1862, kind: str, survivor: str) -> None:
    """Bring the certificates together and let shareholders act (§9.4, §9.5, §9.6)."""
    state, now = at.state, exchange.running_exchange(at)
    syms = [now.active, now.other] if now.other else [now.active]
    price = merged_price(at, *syms) if now.other else at.price(now.active)
    for sym in syms:
        for share in shares.held(state, IPO, sym):
            shares.hand_over(state, share, MARKET)
    if now.other:
        for share in shares.held(state, now.other, now.other):
            shares.hand_over(state, share, now.active)
        transfer(
            state.companies[now.other], state.companies[now.active], state.companies[now.other].cash
        )
        _move_marker(at, survivor, price)
    at.operating.exchange = replace(
        now,
        kind=kind,
        survivor=survivor,
        price=price,
        queue=exchange.shareholders(at, now.active, syms),
    )
    continue_exchange(at)


def _move_marker(at: Table1862, survivor: str, price: int) -> None:
    """Put the survivor's marker to the bottom of its new stack, before anyone acts (§9.3)."""
    cell = at.kit.cell_at_most(price)
    take_off(at.state, survivor)
    put(at.state, survivor, cell)
    if at.kit.profile.merger_ends_game and cell in at.kit.chart.of_type(END):
        at.come_to_an_end("stock_market", THIS_ROUND)


def continue_exchange(at: Table1862) -> None:
    """Let shareholders act; when all have, do what follows."""
    if exchange.advance(at):
        now = exchange.running_exchange(at)
        at.operating.exchange = None
        if now.kind == REFINANCE:
            _finish_refinancing(at, now)
        else:
            _finish_merger(at, now)


def refinance(at: Table1862) -> None:
    """Merge the shares of the company in turn 2:1 for ten times its par (§8.11.3, §9.6)."""
    company = at.company
    if company.director is None:
        raise ValueError(f"{company.sym} is in receivership and cannot be refinanced")
    at.operating.raised = at.operating.bank_only = True
    at.operating.exchange = Exchange(
        kind=REFINANCE,
        active=company.sym,
        other="",
        survivor=company.sym,
        director=company.director,
        price=0,
        queue=(),
        option="",
        units=0,
    )
    begin_exchange(at, REFINANCE, company.sym)


def _finish_refinancing(at: Table1862, now: Exchange) -> None:
    company = at.state.companies[now.active]
    _choose_director(at, now)
    from_bank(at.state, company, 10 * at.state.charters[now.active].par)


def _choose_director(at: Table1862, now: Exchange) -> None:
    """Most shares, at least three; then the old director, then clockwise from him (§9.7.2)."""
    state, sym = at.state, now.survivor
    state.companies[sym].director = now.director
    new = shares.leader(state, sym)
    top = shares.holder_of(state, shares.name(sym, 0))
    if new is None or top is None:
        state.companies[sym].director = None
    elif top == new:
        state.companies[sym].director = new
    else:
        shares.swap_director(state, sym, new, top)


def _finish_merger(at: Table1862, now: Exchange) -> None:
    """What follows the exchange (§9.7 to §9.10)."""
    state = at.state
    survivor, absorbed = state.companies[now.survivor], state.companies[now.absorbed]
    _choose_director(at, now)
    for share in shares.held(state, now.active, now.survivor):
        shares.hand_over(state, share, now.survivor)
    active = state.companies[now.active]
    if active is not survivor:
        transfer(active, survivor, active.cash)
    survivor.trains += absorbed.trains
    absorbed.trains = ()
    mine, gained = state.charters[now.survivor], state.charters[now.absorbed]
    mine.permits += tuple(permit for permit in gained.permits if permit not in mine.permits)
    mine.chartered &= gained.chartered
    mine.par = at.kit.par_for(now.price)
    _unite_markers(at, now)
    take_back(at, now.absorbed)
    _go_on_in_turn(at, now)
    if survivor.cell in at.kit.chart.of_type(CLOSE):
        at.operating.excess = ""
        bankrupt(at, now.survivor)


def _unite_markers(at: Table1862, now: Exchange) -> None:
    """The absorbed company's markers become the survivor's, within the limit (§9.9)."""
    state, london = at.state, london_hexes(at.kit.game)
    survivor, absorbed = state.companies[now.survivor], state.companies[now.absorbed]

    def place(token: TokenPlacement) -> str:
        return "London" if token.hex in london else token.hex

    taken = {place(token) for token in state.layout.tokens if token.corporation == now.survivor}
    tokens: list[TokenPlacement] = []
    for token in state.layout.tokens:
        if token.corporation != now.absorbed:
            tokens.append(token)
        elif place(token) not in taken:
            tokens.append(replace(token, corporation=now.survivor))
    state.layout = state.layout.with_tokens(tuple(tokens))
    placed = _placed(at, now.survivor)
    unused = len(survivor.tokens) + len(absorbed.tokens)
    survivor.tokens = (0,) * max(0, min(unused, at.kit.most_markers - placed))
    if placed > at.kit.most_markers:
        at.operating.excess = now.survivor


def _placed(at: Table1862, sym: str) -> int:
    return sum(1 for token in at.state.layout.tokens if token.corporation == sym)


def _go_on_in_turn(at: Table1862, now: Exchange) -> None:
    """Put the survivor in the present place of the order and end the turn if need be (§9.8).

    If nobody is its director any more and the turn goes on, it does not run (D27).
    """
    data = at.operating
    gone = (now.survivor, now.absorbed)
    other_ran = now.other in data.order[: data.index]
    later = tuple(sym for sym in data.order[data.index + 1 :] if sym not in gone)
    data.order = (*data.order[: data.index], now.survivor, *later)
    if now.kind == ACQUIRE or other_ran:
        skip_rest(at)
    elif at.kit.profile.merged_idle:
        data.no_run = at.company.receivership


class ExchangeStep(Step[Table1862]):
    """Choose the survivor; redeem or sell options (§9.2, §9.5.5)."""

    name = "exchange"

    def asleep(self, at: Table1862) -> bool:
        return at.operating.exchange is None

    def actor(self, at: Table1862) -> Entity:
        now = exchange.running_exchange(at)
        if not now.survivor:
            return corporation(now.active)
        who = now.queue[0]
        return corporation(who) if isinstance(who, str) else player(who)

    def offers(self, at: Table1862) -> bool:
        return True

    def takes(self, at: Table1862, action: Action) -> bool:
        waits = isinstance(action, Choose) and at.operating.exchange is not None
        return waits and action.entity == self.actor(at)

    def _choices(self, at: Table1862) -> tuple[str, str]:
        return (REDEEM, SELL) if exchange.running_exchange(at).survivor else (FIRST, LAST)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if at.operating.exchange is not None:
            for choice in self._choices(at):
                yield Choose(self.actor(at), choice)

    def apply(self, at: Table1862, action: Action) -> Action:
        now, choices = exchange.running_exchange(at), self._choices(at)
        choice = action.choice if isinstance(action, Choose) else ""
        if choice not in choices:
            message = f"{choices[0]} or {choices[1]} may be chosen"
            refuse("CHOICE_UNKNOWN", "choice", message, "1862 §9.5")
        if not now.survivor:
            begin_exchange(at, now.kind, now.active if choice == FIRST else now.other)
        else:
            exchange.decide(at, choice == REDEEM)
            continue_exchange(at)
        return action


class RemoveStep(Step[Table1862]):
    """Remove markers above the limit (§9.9)."""

    name = "remove markers"

    def asleep(self, at: Table1862) -> bool:
        return not at.operating.excess

    def actor(self, at: Table1862) -> Entity:
        return corporation(at.operating.excess)

    def offers(self, at: Table1862) -> bool:
        return True

    def takes(self, at: Table1862, action: Action) -> bool:
        return isinstance(action, RemoveToken) and action.entity == self.actor(at)

    def _removable(self, at: Table1862) -> Iterator[TokenPlacement]:
        """All markers of the survivor, on the site without its home marker (D16)."""
        sym = at.operating.excess
        kept = home_hex(at, sym) if sym and at.kit.profile.home_protected else ""
        for token in at.state.layout.tokens:
            if token.corporation == sym and token.hex != kept:
                yield token

    def options(self, at: Table1862) -> Iterator[Offer]:
        atlas, layout = at.kit.guide.atlas, at.state.layout
        for token in self._removable(at) if at.operating.excess else ():
            city = city_name(atlas, layout, token.hex, token.city)
            yield RemoveToken(self.actor(at), city, token.slot)

    def apply(self, at: Table1862, action: Action) -> Action:
        if not isinstance(action, RemoveToken):
            raise TypeError(f"markers are removed, not {action.TYPE}")
        layout, sym = at.state.layout, at.operating.excess
        found = find_city(at.kit.guide.atlas, layout, action.city)
        token = next(
            (t for t in self._removable(at) if (t.hex, t.city) == found and t.slot == action.slot),
            None,
        )
        if token is None:
            message = f"no marker of {sym} that may be removed stands there"
            refuse("TOKEN_NOT_REMOVABLE", "city", message, "1862 §9.9")
        at.state.layout = layout.with_tokens(tuple(t for t in layout.tokens if t != token))
        if _placed(at, sym) <= at.kit.most_markers:
            at.operating.excess = ""
        return action


class MergeStep(CompanyStep[Table1862]):
    """Merge with a connected company, first thing in a turn (§8.2)."""

    name = MERGE

    def offers(self, at: Table1862) -> bool:
        return not at.idle()

    def takes(self, at: Table1862, action: Action) -> bool:
        mine = action.entity == self.actor(at) and not at.idle()
        return mine and isinstance(action, Merge | Pass)

    def options(self, at: Table1862) -> Iterator[Offer]:
        if at.idle():
            return
        for other in at.state.companies:
            if partner_fault(at, other) is None and connected(at, at.company.sym, other):
                yield Merge(self.actor(at), other)
        yield Pass(self.actor(at))

    def apply(self, at: Table1862, action: Action) -> Action:
        close_step(at, self.name)
        if isinstance(action, Merge):
            self._merge(at, action)
        return action

    def _merge(self, at: Table1862, action: Merge) -> None:
        company, other = at.company, action.corporation
        fault = partner_fault(at, other)
        refuse_if(fault)
        if not connected(at, company.sym, other):
            message = f"{company.sym} is not connected with {other}"
            at.bench.object(Fault("NOT_CONNECTED", "corporation", message, "1862 §9.1"))
        if company.director is None:
            raise ValueError(f"{company.sym} has no director")
        at.operating.exchange = Exchange(
            kind=self.name,
            active=company.sym,
            other=other,
            survivor="",
            director=company.director,
            price=0,
            queue=(),
            option="",
            units=0,
        )


class AcquireStep(MergeStep):
    """The same at the end of the turn (§8.14)."""

    name = ACQUIRE
