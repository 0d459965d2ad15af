"""What lies open on the table of 1822 beside what all games have."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.boxes import (
    committed,
    corporation_of,
    first_bid,
    least_bid,
    on_offer,
    tokens_left,
)
from engine.games.g1822.play.income import to_company, to_holder
from engine.games.g1822.play.places import destination_city, reservations
from engine.games.g1822.play.roster import Side as CardSide
from engine.games.g1822.play.state import OperatingData, StockData
from engine.games.g1822.play.table import MAJOR, Table1822
from engine.games.g1822.play.trading import certificates
from engine.play.depot import TrainCard
from engine.play.entities import Company
from engine.play.showing import (
    Destination,
    Lot,
    OpenCompany,
    OpenPlayer,
    OpenPrivate,
    OpenTrain,
    Reservation,
    Showing,
    Side,
    Stack,
)
from engine.routing.run import TokenRef


class Showing1822(Showing[Table1822]):
    """Bid boxes and their bids, loans, exchange markers, destinations, what lies on cards."""

    def certificate_limit(self) -> int:
        return self.at.kit.certificate_limit

    def _stock(self) -> StockData | None:
        data = self.at.state.round
        return data if isinstance(data, StockData) else None

    def _operating(self) -> OperatingData | None:
        data = self.at.state.round
        return data if isinstance(data, OperatingData) else None

    def passed(self) -> tuple[int, ...]:
        data = self._stock()
        if data is None:
            return ()
        return tuple(number for number in self.at.state.order if number in data.passed)

    def lots(self) -> Iterator[Lot]:
        """The cards in the bid boxes; between stock rounds nobody has a bid on them (§5.9)."""
        data, order = self._stock(), self.at.state.order
        for card in on_offer(self.at):
            placed = {i.player for i in data.interests if i.card == card} if data else set()
            yield Lot(
                id=card,
                kind=self._kind(card),
                least=first_bid(self.at, card) if data is None else least_bid(self.at, card),
                step=self.at.kit.bid_step,
                corporation=self._stands_for(card),
                lead=data.leads.get(card) if data else None,
                bidders=tuple(number for number in order if number in placed),
            )

    def stacks(self) -> Iterator[Stack]:
        """The order of the stacks is no secret: P17 moves any card of theirs (§16.17)."""
        state, boxed = self.at.state, on_offer(self.at)
        for stack in (state.minors, state.concessions, *state.piles):
            cards = tuple(card for card in stack if card not in boxed)
            if cards:
                yield Stack(self._kind(cards[0]), cards)

    def _kind(self, card: str) -> str:
        return str(self.at.kit.game.certificates[card]["kind"])

    def _stands_for(self, card: str) -> str:
        return "" if self._kind(card) == "private" else corporation_of(self.at, card)

    def player(self, number: int) -> OpenPlayer:
        data = self._stock()
        return OpenPlayer(
            certificates=certificates(self.at, number),
            committed=0 if data is None else committed(self.at, number),
            debt=self.at.player_of(number).debt,
            bidding_tokens=None if data is None else tokens_left(self.at, number),
            sold=self._sold(number),
        )

    def _sold(self, number: int) -> tuple[str, ...]:
        data, companies = self._stock(), self.at.state.companies
        sold = {sale.company for sale in data.sales if sale.player == number} if data else set()
        return tuple(sym for sym in companies if sym in sold)

    def company(self, company: Company) -> OpenCompany:
        own = self.at.company_of(company.sym)
        city = destination_city(self.at, own.sym) if own.kind == MAJOR else None
        return OpenCompany(
            home=None if own.home is None else TokenRef(*own.home),
            destination=None if city is None else Destination(city.hex, own.destined),
            exchange_tokens=own.exchange,
        )

    def private(self, sym: str) -> OpenPrivate:
        card, printed = self.at.card(sym), self.at.kit.game.certificates[sym]
        return OpenPrivate(
            kind=printed["kind"],
            value=printed["value"],
            revenue=to_company(self.at, card) if card.company else to_holder(self.at, card),
            corporation=self._stands_for(sym),
            cash=card.store,
            uses=card.uses,
            choice=card.choice,
        )

    def sides(self, card: TrainCard) -> tuple[Side, ...]:
        return tuple(map(_shown, self.at.kit.roster.sides[card.name]))

    def train(self, train: str) -> OpenTrain:
        return OpenTrain(train, _shown(self.at.kit.roster.side(self.at.state, train)))

    def discarded(self) -> tuple[str, ...]:
        return self.at.state.discarded

    def rounds(self) -> int | None:
        data = self._operating()
        return None if data is None else data.rounds

    def revenue(self) -> int | None:
        """What the routes have earned, without mail (§11, §16.6)."""
        data = self._operating()
        return data.revenue if data is not None and self.has_run() else None

    def subject(self) -> str:
        """The minor that is being acquired (§14)."""
        data = self._operating()
        return "" if data is None else data.merging

    def reservations(self) -> Iterator[Reservation]:
        """The homes of companies that have not placed their marker (§1.9)."""
        for hex_id in self.at.kit.guide.atlas.hexes:
            for city, slot, sym in reservations(self.at, hex_id):
                yield Reservation(hex_id, city, slot, sym)

    def end_after(self) -> str:
        return self.at.state.timing


def _shown(side: CardSide) -> Side:
    return Side(side.name, side.price, side.rusts_on)
