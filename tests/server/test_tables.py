"""What a GameState says of the table agrees with what was done, in games of our own and in
recorded ones; and every field of it is filled somewhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bradshaw.v1 import play_pb2
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from engine.games import load_game
from engine.notation.gamefile import Replay, read_game, with_true_seed
from engine.play.actions import (
    Action,
    Bid,
    BuyTrain,
    CharterBid,
    ChooseAbility,
    Par,
    RunRoutes,
    SellShares,
)
from server.convert.tables import state_message
from tests.engine.play.scene import changed, start_game
from tests.server.records import WITH_POSITIONS, WITHOUT_POSITIONS, game_path
from tests.shared import needs_records

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "games"
DATA = Path(__file__).resolve().parents[1] / "data" / "games"
OWN = ("1822", "1862", "18GB")
RECORDED = (*WITH_POSITIONS, *WITHOUT_POSITIONS)


class Moment(NamedTuple):
    """The table before and after an action."""

    action: Action
    before: play_pb2.GameState
    after: play_pb2.GameState


def replay_of(path: Path) -> Replay:
    """Return the replay of a game, at its start; runs are not judged."""
    return Replay(with_true_seed(read_game(json.loads(path.read_text("utf-8")))), audit=False)


def moments(path: Path) -> Iterator[Moment]:
    """Yield every action of a game with the table before and after it."""
    replay = replay_of(path)
    last: tuple[Action, play_pb2.GameState] | None = None
    for _, action in replay.steps():
        now = state_message(replay.play)
        if last is not None:
            yield Moment(*last, now)
        last = (action, now)
    if last is not None:
        yield Moment(*last, state_message(replay.play))


@lru_cache(maxsize=4)
def own_state(title: str, before: int) -> play_pb2.GameState:
    """Return the table of a game of our own just before an entry."""
    replay = replay_of(
        DATA / "1822-four-players.json" if title == "1822" else EXAMPLES / f"{title}.json"
    )
    replay.run(before - 1)
    return state_message(replay.play)


def lot_of(state: play_pb2.GameState, sym: str) -> play_pb2.Lot:
    """Return what is up for bids, by its letters."""
    return next(lot for lot in state.lots if lot.id == sym)


def company_of(state: play_pb2.GameState, sym: str) -> play_pb2.CompanyState:
    """Return a company."""
    return next(company for company in state.companies if company.corporation == sym)


def private_of(state: play_pb2.GameState, sym: str) -> play_pb2.PrivateState:
    """Return a private that is not closed."""
    return next(private for private in state.privates if private.id == sym)


def player_of(state: play_pb2.GameState, number: Any) -> play_pb2.PlayerState:
    """Return a player."""
    return next(player for player in state.players if player.id == number)


def same_round(moment: Moment) -> bool:
    """Tell whether an action has not ended its round."""
    one, other = moment.before.round, moment.after.round
    return (one.kind, one.turn, one.number) == (other.kind, other.turn, other.number)


def check_bid(moment: Moment, action: Bid | CharterBid) -> None:
    """Who has bid leads, at his price, and the next bid is a step higher."""
    sym = action.company if isinstance(action, Bid) else action.corporation
    if moment.after.subject == sym:
        assert player_of(moment.after, action.entity.id).won_charter
        return
    lot = lot_of(moment.after, sym)
    assert (lot.lead.player, lot.lead.price) == (action.entity.id, action.price)
    assert lot.least_bid == action.price + lot.bid_step
    assert action.entity.id in lot.bidders
    earlier = lot_of(moment.before, sym)
    assert earlier.least_bid <= action.price
    assert (action.price - earlier.least_bid) % earlier.bid_step == 0


def check_train(moment: Moment, action: BuyTrain) -> None:
    """The company has the train, with the side that it has bought, at the printed price.

    Records of 1822 call the first train of a minor L-0, whichever copy it is.
    """
    old = company_of(moment.before, str(action.entity.id)).trains
    owned = company_of(moment.after, str(action.entity.id)).owned_trains
    fresh = [train for train in owned if train.id not in old]
    train = next((train for train in owned if train.id == action.train), *fresh)
    assert action.variant is None or action.variant.rstrip("*") == train.side.name
    if train.id not in moment.before.depot or action.exchange:
        return
    assert action.price == train.side.price
    assert train.warranties >= (action.warranties or 0)
    kind = next(k for k in moment.before.depot_trains if train.id.startswith(f"{k.name}-"))
    assert kind.on_sale
    assert train.side in kind.sides
    left = {k.name: k.count for k in moment.after.depot_trains}
    assert not kind.HasField("count") or left.get(kind.name, 0) < kind.count


def check_action(moment: Moment) -> None:
    """Check what an action must have changed."""
    action, after = moment.action, moment.after
    match action:
        case Bid() | CharterBid():
            check_bid(moment, action)
        case BuyTrain():
            check_train(moment, action)
        case Par():
            assert company_of(after, action.corporation).market_place.cell == action.share_price
        case RunRoutes() if after.step == "dividend":
            assert after.revenue == sum(route.revenue or 0 for route in action.routes)
            assert not moment.before.HasField("revenue")
        case SellShares() if moment.before.step == "trade" and same_round(moment):
            sold = {share.rpartition("_")[0] for share in action.shares}
            assert sold <= set(player_of(after, action.entity.id).sold)
        case ChooseAbility() if action.entity.id == "P16":
            bought = action.choice.rpartition("_")[0]
            assert bought in {h.corporation for h in private_of(after, "P16").holdings}


def check_order(state: play_pb2.GameState) -> None:
    """Companies operate by price, then from right to left, top to bottom, first in the stack
    first; minors of 1822 before majors."""

    def place(company: play_pb2.CompanyState) -> tuple[int, ...]:
        where = company.market_place
        major = int(company.kind == "major")
        return (major, -company.share_price, -where.column, where.row, where.position)

    floated = [company for company in state.companies if company.floated]
    assert list(state.round.order) == [c.corporation for c in sorted(floated, key=place)]


@lru_cache(maxsize=8)
def box(title: str) -> Mapping[str, tuple[str, Any]]:
    """Return supply and number of every tile, as the data file has it."""
    return {
        raw["id"]: (raw.get("base_tile", raw["id"]), raw["count"])
        for raw in load_game(title).data("tiles.json")["tiles"]
    }


def check_tiles(state: play_pb2.GameState) -> None:
    """What lies on the board and what is left make up the box; tiles that have their supply
    in common are as many together."""
    tiles = box(state.title)
    laid = Counter(lay.tile for lay in state.board.tiles)
    used = Counter(tiles[lay.tile][0] for lay in state.board.tiles)
    for left in state.tile_supply:
        pool, count = tiles[left.tile]
        if count == "unlimited":
            assert not left.HasField("count")
        else:
            assert left.count == min(count - laid[left.tile], count - used[pool])


def check_cities(state: play_pb2.GameState) -> None:
    """The city of a home has a token of its company; no token stands in a slot that is kept."""
    stands = {(token.hex, token.city, token.corporation) for token in state.board.tokens}
    for company in state.companies:
        if company.HasField("home"):
            assert (company.home.hex, company.home.city, company.corporation) in stands
    taken = {(token.hex, token.city, token.slot) for token in state.board.tokens}
    assert all((kept.hex, kept.city, kept.slot) not in taken for kept in state.reservations)


def check_game(path: Path) -> None:
    """Check every action of a game and what holds at any time."""
    for number, moment in enumerate(moments(path)):
        after = moment.after
        check_action(moment)
        for player in after.players:
            leads = [lot.lead.price for lot in after.lots if lot.lead.player == player.id]
            assert player.committed == sum(leads)
        if after.round.order and not same_round(moment):
            check_order(after)
        if number % 20 == 0:
            check_tiles(after)
            check_cities(after)


@pytest.mark.parametrize("title", OWN)
def test_the_table_agrees_with_what_was_done(title: str) -> None:
    """Bids and what they tie up, trains bought with side, price and warranties, starts and
    stacks of the market with the order of operating, revenues, sales, the Tax Haven, tiles."""
    check_game(EXAMPLES / f"{title}.json")


@needs_records
@pytest.mark.parametrize("name", RECORDED)
def test_the_table_agrees_with_what_people_did(name: str) -> None:
    """The same in recorded games."""
    check_game(game_path(name))


def test_bid_boxes() -> None:
    """1822 §1.5, §5.9 to §5.12: four minors, three concessions, three privates; least bids,
    leads, whose tokens lie where; cards that follow; limits of four players."""
    state = own_state("1822", 100)
    assert Counter(lot.kind for lot in state.lots) == {"minor": 4, "concession": 3, "private": 3}
    lot = lot_of(state, "M22")
    assert (lot.kind, lot.corporation, lot.bid_step) == ("minor", "22", 5)
    assert (lot.lead.player, lot.lead.price, lot.least_bid) == (3, 175, 180)
    assert list(lot.bidders) == [1, 2, 3, 4]
    free = lot_of(state, "M15")
    assert (free.least_bid, free.HasField("lead"), list(free.bidders)) == (100, False, [])
    assert (lot_of(state, "C3").corporation, lot_of(state, "P1").corporation) == ("LBSCR", "")
    third = player_of(state, 3)
    assert third.committed == 175 + 115 + 100 + 0
    on_cards = sum(3 in lot.bidders for lot in state.lots)
    assert third.bidding_tokens == 5 - on_cards
    assert [(stack.kind, len(stack.cards)) for stack in state.stacks] == [
        ("minor", 20),
        ("concession", 7),
        ("private", 15),
    ]
    assert state.certificate_limit == 20
    later = own_state("1822", 460)
    assert all(not lot.HasField("lead") and not lot.bidders for lot in later.lots)
    assert not later.players[0].HasField("bidding_tokens")


def test_loans_and_cards() -> None:
    """1822 §13.10: £10 that player 3 lacked for a train are £15 of debt; a card that minor 10
    holds is told from one of a player; what P8 pays nobody is 0, what lies on P15."""
    before, after = own_state("1822", 452), own_state("1822", 453)
    assert player_of(before, 3).cash + company_of(before, "22").cash == 190
    assert (player_of(before, 3).debt, player_of(after, 3).debt) == (0, 15)
    held = private_of(after, "P2")
    assert (held.owner, held.holder.kind, held.holder.id) == ("10", "corporation", "10")
    mine = private_of(after, "P17")
    assert (mine.holder.kind, mine.holder.id, mine.kind) == ("player", "4", "private")
    concession = private_of(after, "C5")
    assert (concession.kind, concession.corporation, concession.value) == ("concession", "CR", 100)
    assert not private_of(after, "P7").HasField("holder")
    assert private_of(own_state("1822", 400), "P15").cash > 0


def test_a_debt_without_end_is_told_as_the_greatest_amount() -> None:
    """1822 §13.12: a loan grows by half in every stock round, so that the state of a long game
    could not be told at all once it or what its debtor is worth left the range of the fields."""

    def owe(state: Any) -> None:
        state.players[2].debt = 3 * 10**9

    state = state_message(changed(start_game("1822", 3), owe))
    debtor = player_of(state, 2)
    assert (debtor.debt, debtor.worth) == (2**31 - 1, -(2**31 - 1))
    assert (player_of(state, 1).debt, player_of(state, 1).worth) == (0, player_of(state, 1).cash)


def test_majors_of_1822() -> None:
    """Destinations placed and open, exchange tokens, the Tax Haven, limits of trains, slots
    kept for homes."""
    state = own_state("1822", 690)
    first, other = company_of(state, "LNWR"), company_of(state, "NBR")
    assert (first.destination.hex, first.destination.placed) == ("I22", True)
    assert (other.destination.hex, other.destination.placed) == ("H1", False)
    assert (first.exchange_tokens, other.exchange_tokens) == (2, 3)
    assert not company_of(state, "10").HasField("destination")
    held = private_of(state, "P16")
    assert [(h.corporation, h.percent) for h in held.holdings] == [("LNWR", 10)]
    assert dict(state.phase.train_limits) == {"minor": 1, "major": 3}
    assert first.owned_trains[0].side.name == "2P"
    stands = {token.corporation for token in state.board.tokens}
    assert company_of(state, "10").home.hex in {t.hex for t in state.board.tokens}
    assert stands.isdisjoint(kept.holder for kept in state.reservations)
    last = state.depot_trains[-1]
    assert [(side.name, side.price) for side in last.sides] == [("7", 750), ("E", 1000)]
    assert not last.HasField("count")
    assert not last.on_sale


def test_parliament() -> None:
    """1862 §4, §5: who is left in an auction in the order of bidding; then the charter won with
    its par and the fine that threatens; before, all charters that may be opened."""
    opened = own_state("1862", 1)
    assert {lot.kind for lot in opened.lots} == {"charter"}
    assert {lot.id for lot in opened.lots} <= {
        company.corporation for company in opened.companies if company.from_phase == "A"
    }
    bidding = own_state("1862", 3)
    (lot,) = bidding.lots
    assert (lot.id, lot.lead.player, lot.lead.price, lot.least_bid) == ("FDR", 2, 5, 10)
    assert list(lot.bidders) == [3, 4, 1, 2]
    won = own_state("1862", 15)
    company = company_of(won, "FDR")
    assert (won.subject, list(won.lots), player_of(won, 3).won_charter) == ("FDR", [], True)
    assert (company.chartered, company.floated, company.fine) == (True, False, 5 * 74)
    assert (company.offering_price, list(company.permits)) == (74, ["local"])
    assert {h.corporation: h.percent for h in won.offering}["FDR"] == 70
    assert won.certificate_limit == 13
    assert dict(won.phase.train_limits) == {"freight": 3, "local": 3, "express": 3}


def test_debtors_of_1862() -> None:
    """1862 §5.2, §5.3: five times par £54, less £53 in cash and four shares at half their price;
    a block of FDR pays it and leaves FDR in receivership."""
    debts = [player_of(own_state("1862", before), 3).debt for before in (316, 317, 318)]
    assert debts == [0, 5 * 54 - 53 - 4 * 27, 0]
    state = own_state("1862", 317)
    assert sorted(state.passed) == [1, 2, 3, 4]
    assert not company_of(state, "FDR").receivership
    assert company_of(own_state("1862", 318), "FDR").receivership


def test_warranties_of_1862() -> None:
    """1862 §8.10.4: one is free with a train of band A, one has been bought."""
    trains = company_of(own_state("1862", 105), "WNR").owned_trains
    train = next(train for train in trains if train.id == "A-1")
    assert (train.side.name, train.side.price, train.warranties) == ("2E", 100, 2)


def test_exchanges_of_shares() -> None:
    """1862 §9.5: a refinancing asks player 1, two others behind him; a merger asks who survives,
    then player 2."""
    state = own_state("1862", 506)
    exchange = state.exchange
    assert (exchange.kind, exchange.corporation, exchange.partner) == ("refinance", "Y&N", "")
    assert [(w.kind, w.id) for w in exchange.waiting] == [("player", who) for who in "134"]
    option = exchange.option
    assert (option.holder, option.units) == (exchange.waiting[0], 1)
    assert (option.keep_cost, option.proceeds) == (25, 25)
    assert exchange.share_price == company_of(state, "Y&N").share_price == 50
    merger = own_state("1862", 156).exchange
    assert (merger.kind, merger.corporation, merger.partner) == ("acquire", "ENR", "WNR")
    assert (merger.survivor, merger.HasField("option")) == ("", False)
    chosen = own_state("1862", 157).exchange
    assert (chosen.survivor, chosen.option.proceeds) == ("WNR", chosen.share_price // 2)
    assert not own_state("1862", 158).HasField("exchange")


def test_the_auction_of_18gb() -> None:
    """18GB §5: asking prices and leads of all privates; who has passed; the priority of LB."""
    state = own_state("18GB", 7)
    assert len(state.lots) == 9
    lead = lot_of(state, "MC")
    assert (lead.lead.player, lead.lead.price, lead.least_bid) == (3, 55, 60)
    open_lot = lot_of(state, "CH")
    assert (open_lot.least_bid, open_lot.HasField("lead")) == (30, False)
    assert (list(state.passed), state.actor.id) == ([1], "2")
    assert player_of(state, 5).committed == 40
    first = own_state("18GB", 149)
    owner = private_of(first, "LB").owner
    assert str(company_of(first, "LNWR").reserved_for) == owner
    assert not company_of(first, "CR").HasField("reserved_for")
    assert {company.from_stock_round for company in first.companies} == {1, 2}


def test_companies_of_18gb() -> None:
    """18GB §8.4, §13.6, §4.9: an insolvent company leases the next train; a right to lay green
    early comes with GN's token, whose slot is kept no more; what closed privates still do."""
    state = own_state("18GB", 603)
    insolvent = company_of(state, "LSWR")
    assert (insolvent.insolvent, insolvent.leased_train) == (True, state.depot[0])
    assert not company_of(state, "CR").insolvent
    assert [(k.name, k.count, k.on_sale) for k in state.depot_trains] == [
        ("5+2", 1, True),
        ("4X", 3, False),
        ("5X", 3, False),
        ("6X", 8, False),
    ]
    before, after = own_state("18GB", 324), own_state("18GB", 325)
    assert ("I14", "GN") in {(kept.hex, kept.holder) for kept in before.reservations}
    assert ("I14", "GN") not in {(kept.hex, kept.holder) for kept in after.reservations}
    assert list(company_of(after, "LNWR").early_green) == ["I14"]
    before, after = own_state("18GB", 436), own_state("18GB", 437)
    assert "MC" in {private.id for private in before.closed_privates}
    assert "MC" not in {private.id for private in after.closed_privates}


PARTS = (
    "GameState",
    "RoundState",
    "PlayerState",
    "Holding",
    "CompanyState",
    "MarketPlace",
    "Destination",
    "PrivateState",
    "Lot",
    "Lead",
    "Stack",
    "DepotTrain",
    "TrainSide",
    "OwnedTrain",
    "TileSupply",
    "PhaseState",
    "SlotReservation",
    "ShareExchange",
    "ShareOption",
)
"""Messages of which a GameState is made; the board is tested elsewhere."""


def filled(message: Message) -> Iterator[str]:
    """Yield the fields that a message and its parts have, with the names of their messages."""
    kind: Descriptor = message.DESCRIPTOR
    for field, value in message.ListFields():
        yield f"{kind.name}.{field.name}"
        inner = field.message_type
        if inner is not None and inner.name in PARTS:
            for part in value if field.is_repeated else (value,):
                yield from filled(part)


def test_every_field_is_filled_somewhere() -> None:
    """In at least one of our example games."""
    known = play_pb2.DESCRIPTOR.message_types_by_name
    missing = {f"{part}.{field.name}" for part in PARTS for field in known[part].fields}
    for title in OWN:
        for moment in moments(EXAMPLES / f"{title}.json"):
            missing.difference_update(filled(moment.after))
    assert not missing
