"""What lies open on the table of 1862 beside what all games have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.games.g1862.play.companies import home_hex, opening_fault
from engine.games.g1862.play.exchange import proceeds, redemption
from engine.games.g1862.play.obligations import full_fine
from engine.games.g1862.play.state import (
    IPO,
    OperatingData,
    ParliamentData,
    StockData,
    Table1862,
)
from engine.play.depot import TrainCard
from engine.play.entities import Company, Holder
from engine.play.shares import certificates, held, units
from engine.play.showing import (
    Lot,
    OpenCompany,
    OpenPlayer,
    OpenTrain,
    ShareExchange,
    ShareOption,
    Showing,
    Side,
)
from engine.play.state import Lead
from engine.routing.run import TokenRef

CHARTER = "charter"


class Showing1862(Showing[Table1862]):
    """Parliament, fines, permits and charters, warranties, exchanges of shares, the LNER."""

    offering: Holder | None = IPO

    def certificate_limit(self) -> int:
        return self.at.state.limit

    def passed(self) -> tuple[int, ...]:
        """Those who have passed, or declined to open an auction, in succession."""
        data, order = self.at.state.round, self.at.state.order
        if isinstance(data, StockData):
            return tuple(number for number in order if number in data.passed)
        if isinstance(data, ParliamentData):
            return tuple(order[(data.index - n) % len(order)] for n in range(data.declined, 0, -1))
        return ()

    def lots(self) -> Iterator[Lot]:
        """The charter under auction, else all for which an auction may be opened (§4.1)."""
        at, data = self.at, self.at.state.round
        if not isinstance(data, ParliamentData) or data.won:
            return
        if data.company:
            lead = None if data.leader is None else Lead(data.leader, data.bid)
            yield self._lot(data.company, data.bid + self._step, lead, data.bidders)
            return
        for sym in at.state.companies:
            if opening_fault(at, sym, "") is None:
                yield self._lot(sym, at.kit.setup("parliament", "minimum_bid"), None, ())

    @property
    def _step(self) -> int:
        step: int = self.at.kit.setup("parliament", "bid_step")
        return step

    def _lot(self, sym: str, least: int, lead: Lead | None, bidders: tuple[int, ...]) -> Lot:
        return Lot(sym, CHARTER, least, self._step, sym, lead, bidders)

    def player(self, number: int) -> OpenPlayer:
        state, data = self.at.state, self.at.state.round
        stock = data if isinstance(data, StockData) else None
        sold = {s.company for s in stock.sales if s.player == number} if stock else set()
        return OpenPlayer(
            certificates=certificates(state, number),
            committed=self._bid_of(number),
            debt=sum(d.amount for d in stock.debts if d.player == number) if stock else 0,
            sold=tuple(sym for sym in state.companies if sym in sold),
            won_charter=isinstance(data, ParliamentData) and number in data.winners,
        )

    def _bid_of(self, number: int) -> int:
        data = self.at.state.round
        leads = isinstance(data, ParliamentData) and not data.won and data.leader == number
        return data.bid if leads and isinstance(data, ParliamentData) else 0

    def company(self, company: Company) -> OpenCompany:
        at, sym = self.at, company.sym
        charter = at.state.charters[sym]
        unsold = company.started and bool(units(at.state, IPO, sym) or held(at.state, sym, sym))
        waiting = company.started and not company.floated and charter.chartered
        return OpenCompany(
            permits=charter.permits,
            chartered=charter.chartered if company.started else None,
            from_phase=charter.group,
            offering_price=self._offered_at(company) if unsold else None,
            fine=full_fine(at, sym) if waiting else 0,
            home=TokenRef(home_hex(at, sym), 0) if charter.home_placed else None,
        )

    def _offered_at(self, company: Company) -> int:
        """Par from the IPO; from the treasury the current price (§6.4)."""
        at, sym = self.at, company.sym
        return at.state.charters[sym].par if held(at.state, IPO, sym) else at.price(sym)

    def sides(self, card: TrainCard) -> tuple[Side, ...]:
        kinds = self.at.kit.kinds[card.name]
        return tuple(Side(kind.name, card.price, card.rusts_on) for kind in kinds)

    def train(self, train: str) -> OpenTrain:
        fitting, card = self.at.state.fittings[train], self.at.kit.roster.card(train)
        side = Side(fitting.name, card.price, card.rusts_on)
        return OpenTrain(train, side, fitting.warranties)

    def train_limits(self) -> Mapping[str, int]:
        """By type of train or in total; the variants with fewer types have others (§14.2)."""
        return self.at.kit.limits[self.at.state.phase]

    def rounds(self) -> int | None:
        operating = isinstance(self.at.state.round, OperatingData)
        return self.at.state.set_rounds if operating else None

    def revenue(self) -> int | None:
        data = self.at.state.round
        return data.revenue if isinstance(data, OperatingData) and self.has_run() else None

    def subject(self) -> str:
        """The charter that has been won, the company that chooses or removes markers."""
        data = self.at.state.round
        if isinstance(data, ParliamentData):
            return data.company if data.won else ""
        if isinstance(data, StockData):
            return data.floating
        return data.excess if isinstance(data, OperatingData) else ""

    def exchange(self) -> ShareExchange | None:
        """The 2:1 exchange of shares, with the option that is being decided (§9.5)."""
        data = self.at.state.round
        now = data.exchange if isinstance(data, OperatingData) else None
        if now is None:
            return None
        option = None
        if now.option:
            shares_on = now.units or 1
            option = ShareOption(now.queue[0], shares_on, redemption(now), proceeds(now))
        return ShareExchange(
            kind=now.kind,
            corporation=now.active,
            partner=now.other,
            survivor=now.survivor,
            share_price=now.price,
            waiting=now.queue,
            option=option,
        )

    def events(self) -> tuple[str, ...]:
        """The LNER is coming, or it has been formed (§12)."""
        lner = self.at.state.lner
        return (f"lner_{lner}",) if lner else ()

    def end_after(self) -> str:
        return self.at.state.end_after
