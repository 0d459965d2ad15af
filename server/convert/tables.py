"""From the state of a game to a message: everything that lies open on the table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bradshaw.v1 import play_pb2

from engine.play.actions import CORPORATION, PLAYER
from engine.play.entities import MARKET, Cell, Company, Holder
from engine.play.game import Play
from engine.play.shares import held, split, units_on
from engine.play.showing import Lot, OpenCompany, OpenTrain, ShareExchange, Showing, Side
from engine.play.state import GameState
from server.convert.boards import board_message
from server.convert.companies import city_message

MOST_TOLD = 2**31 - 1
"""Greatest amount that a field holds, in £. A loan that is never paid back grows by half in
every stock round (1822 §13.12), so that a long game may come beyond it."""


def state_message(play: Play) -> play_pb2.GameState:
    """Return the state of a game, for people and programs that show it."""
    state, actor, showing = play.current, play.actor(), play.showing()
    message = play_pb2.GameState(
        title=play.setting.title,
        profile=play.setting.profile,
        step=play.step(),
        finished=play.finished,
        end_reason=play.end_reason,
        end_after=showing.end_after(),
        round=_round(state, showing),
        bank=state.bank,
        players=_players(play, showing),
        companies=_companies(play, showing),
        privates=_privates(state, showing, closed=False),
        closed_privates=_privates(state, showing, closed=True),
        market=_holdings(state, MARKET),
        board=board_message(play.board()),
    )
    if actor is not None:
        message.actor.kind, message.actor.id = actor.kind, str(actor.id)
    _add_bids(message, state, showing)
    _add_supplies(message, state, showing)
    _add_moment(message, showing)
    return message


def _round(state: GameState, showing: Showing[Any]) -> play_pb2.RoundState:
    return play_pb2.RoundState(
        kind=state.round.kind,
        turn=state.turn,
        number=state.round.number,
        order=showing.order(),
        rounds=showing.rounds(),
    )


def _add_bids(message: play_pb2.GameState, state: GameState, showing: Showing[Any]) -> None:
    """Add who is first, who has passed, and what is up for bids."""
    message.priority = state.order[0]
    message.passed.extend(showing.passed())
    message.lots.extend(map(_lot, showing.lots()))
    for stack in showing.stacks():
        message.stacks.add(kind=stack.kind, cards=stack.cards)


def _lot(lot: Lot) -> play_pb2.Lot:
    message = play_pb2.Lot(
        id=lot.id,
        kind=lot.kind,
        corporation=lot.corporation,
        least_bid=lot.least,
        bid_step=lot.step,
        bidders=lot.bidders,
    )
    if lot.lead is not None:
        message.lead.player, message.lead.price = lot.lead
    return message


def _add_supplies(message: play_pb2.GameState, state: GameState, showing: Showing[Any]) -> None:
    """Add what the bank has and what limits hold."""
    limit = showing.certificate_limit()
    if limit is not None:
        message.certificate_limit = limit
    if showing.offering is not None:
        message.offering.extend(_holdings(state, showing.offering))
    message.depot.extend(state.depot)
    for kind in showing.depot():
        message.depot_trains.add(
            name=kind.name,
            sides=map(_side, kind.sides),
            count=kind.count,
            on_sale=kind.on_sale,
        )
    message.discarded_trains.extend(_train(showing.train(t)) for t in showing.discarded())
    for tile, count in showing.tiles():
        message.tile_supply.add(tile=tile, count=count)
    phase = showing.at.kit.game.phases[state.phase]
    message.phase.name = state.phase
    message.phase.tiles.extend(phase["tiles"])
    message.phase.operating_rounds = phase["operating_rounds"]
    message.phase.train_limits.update(showing.train_limits())
    for kept in showing.reservations():
        message.reservations.add(hex=kept.hex, city=kept.city, slot=kept.slot, holder=kept.holder)


def _add_moment(message: play_pb2.GameState, showing: Showing[Any]) -> None:
    """Add what the turn is about."""
    message.subject = showing.subject()
    message.events.extend(showing.events())
    revenue, exchange = showing.revenue(), showing.exchange()
    if revenue is not None:
        message.revenue = revenue
    if exchange is not None:
        message.exchange.CopyFrom(_exchange(exchange))


def _exchange(exchange: ShareExchange) -> play_pb2.ShareExchange:
    message = play_pb2.ShareExchange(
        kind=exchange.kind,
        corporation=exchange.corporation,
        partner=exchange.partner,
        survivor=exchange.survivor,
        share_price=exchange.share_price,
        waiting=map(_entity, exchange.waiting),
    )
    option = exchange.option
    if option is not None:
        message.option.holder.CopyFrom(_entity(option.holder))
        message.option.units = option.units
        message.option.keep_cost = option.keep_cost
        message.option.proceeds = option.proceeds
    return message


def _told(amount: int) -> int:
    """An amount, or the nearest one that a field holds."""
    return max(-MOST_TOLD, min(MOST_TOLD, amount))


def _entity(holder: Holder) -> play_pb2.Entity:
    """A player or a company; players are known by numbers, companies by letters."""
    kind = PLAYER if isinstance(holder, int) else CORPORATION
    return play_pb2.Entity(kind=kind, id=str(holder))


def _players(play: Play, showing: Showing[Any]) -> Iterator[play_pb2.PlayerState]:
    state, scores = play.current, play.scores()
    for number in state.order:
        player, seen = state.players[number], showing.player(number)
        yield play_pb2.PlayerState(
            id=number,
            name=player.name,
            cash=player.cash,
            worth=_told(scores[number]),
            holdings=_holdings(state, number),
            certificates=seen.certificates,
            committed=seen.committed,
            debt=_told(seen.debt),
            bidding_tokens=seen.bidding_tokens,
            sold=seen.sold,
            won_charter=seen.won_charter,
        )


def _companies(play: Play, showing: Showing[Any]) -> Iterator[play_pb2.CompanyState]:
    state, chart = play.current, play.kit.chart
    for sym, company in state.companies.items():
        if company.removed:
            continue
        message = play_pb2.CompanyState(
            corporation=sym,
            kind=company.kind,
            cash=company.cash,
            share_price=None if company.cell is None else chart.price(company.cell),
            par_price=None if company.par is None else chart.price(company.par),
            director=company.director,
            floated=company.floated,
            trains=company.trains,
            owned_trains=[_train(showing.train(train)) for train in company.trains],
            tokens=company.tokens,
            holdings=_holdings(state, sym),
            receivership=company.receivership,
            share_percent=company.unit,
            float_percent=company.float_percent,
            operated=company.operated,
        )
        if company.cell is not None:
            message.market_place.CopyFrom(_place(play, company, company.cell))
        _add_seen(message, showing.company(company))
        yield message


def _add_seen(message: play_pb2.CompanyState, seen: OpenCompany) -> None:
    """Add what a game says of a company of its own."""
    own = play_pb2.CompanyState(
        insolvent=seen.insolvent,
        leased_train=seen.leased,
        offering_price=seen.offering_price,
        chartered=seen.chartered,
        fine=seen.fine,
        from_phase=seen.from_phase,
        from_stock_round=seen.from_stock_round,
        reserved_for=seen.reserved_for,
        permits=seen.permits,
        home=city_message(seen.home),
        exchange_tokens=seen.exchange_tokens,
        early_green=seen.early_green,
    )
    if seen.destination is not None:
        own.destination.hex = seen.destination.hex
        own.destination.placed = seen.destination.placed
    message.MergeFrom(own)


def _place(play: Play, company: Company, cell: Cell) -> play_pb2.MarketPlace:
    chart = play.kit.chart
    return play_pb2.MarketPlace(
        cell=chart.name(cell),
        row=cell.row,
        column=cell.column,
        position=play.current.stacks[cell].index(company.sym) + 1,
        types=sorted(chart.cells[cell].types),
    )


def _train(train: OpenTrain) -> play_pb2.OwnedTrain:
    return play_pb2.OwnedTrain(id=train.id, side=_side(train.side), warranties=train.warranties)


def _side(side: Side) -> play_pb2.TrainSide:
    return play_pb2.TrainSide(name=side.name, price=side.price, rusts_on=side.rusts_on or "")


def _privates(
    state: GameState, showing: Showing[Any], closed: bool
) -> Iterator[play_pb2.PrivateState]:
    """Privates that are not closed, or closed ones that still do something."""
    if closed:
        listed = list(showing.lasting())
    else:
        listed = [sym for sym, owned in state.privates.items() if not owned.closed]
    for sym in listed:
        seen, holder = showing.private(sym), state.privates[sym].holder
        yield play_pb2.PrivateState(
            id=sym,
            holder=None if holder is None else _entity(holder),
            owner="" if holder is None else str(holder),
            kind=seen.kind,
            value=seen.value,
            revenue=seen.revenue,
            corporation=seen.corporation,
            cash=seen.cash,
            uses=seen.uses,
            choice=seen.choice,
            holdings=_holdings(state, sym),
        )


def _holdings(state: GameState, holder: Holder) -> Iterator[play_pb2.Holding]:
    companies = dict.fromkeys(split(share)[0] for share in state.holdings.get(holder, ()))
    for sym in companies:
        shares = held(state, holder, sym)
        percent = units_on(state, shares) * state.companies[sym].unit
        yield play_pb2.Holding(corporation=sym, percent=percent, shares=shares)
