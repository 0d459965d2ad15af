"""What lies open on the table of 18GB beside what all games have."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g18gb.play.auction import minimum_bid
from engine.games.g18gb.play.state import AuctionData, OperatingData, StockData, Table18GB
from engine.games.g18gb.play.track import reserved_slots
from engine.games.g18gb.play.trading import LB, LNWR
from engine.play.entities import Company
from engine.play.shares import certificates
from engine.play.showing import (
    Lot,
    OpenCompany,
    OpenPlayer,
    OpenPrivate,
    Reservation,
    Showing,
)
from engine.routing.run import TokenRef

USED_UP = ("tile_lay", "token")
"""Abilities of closed privates that are used once (§4.7, §4.9)."""
LASTING = "hex_bonus"
"""The ability of closed privates that stays (§11.5)."""


class Showing18GB(Showing[Table18GB]):
    """The auction, insolvency and leased trains, tiers, the priority of LB, rights left over."""

    def certificate_limit(self) -> int:
        return self.at.kit.certificate_limit

    def passed(self) -> tuple[int, ...]:
        """In a stock round in the order that will be the next turn order (§6.14); in the
        auction those who have passed in succession (§5.5)."""
        data, order = self.at.state.round, self.at.state.order
        if isinstance(data, StockData):
            return data.passing
        if isinstance(data, AuctionData):
            return tuple(order[(data.index - n) % len(order)] for n in range(data.passes, 0, -1))
        return ()

    def lots(self) -> Iterator[Lot]:
        """The privates still for sale in the auction (§5.1)."""
        data = self.at.state.round
        if not isinstance(data, AuctionData):
            return
        for sym in data.asking:
            lead = data.leads.get(sym)
            yield Lot(
                id=sym,
                kind=self.at.kit.game.certificates[sym]["kind"],
                least=minimum_bid(self.at, sym),
                step=self.at.kit.game.setup["auction"]["bid_step"],
                lead=lead,
                bidders=() if lead is None else (lead.player,),
            )

    def player(self, number: int) -> OpenPlayer:
        state, data = self.at.state, self.at.state.round
        leads = data.leads.values() if isinstance(data, AuctionData) else ()
        sales = data.sales if isinstance(data, StockData) else frozenset()
        sold = {sale.company for sale in sales if sale.player == number}
        return OpenPlayer(
            certificates=certificates(state, number),
            committed=sum(lead.price for lead in leads if lead.player == number),
            sold=tuple(sym for sym in state.companies if sym in sold),
        )

    def company(self, company: Company) -> OpenCompany:
        at, sym = self.at, company.sym
        insolvent = sym in at.state.insolvent
        first = at.kit.game.setup["tiers"][f"tier_{at.state.tiers[sym]}_from_stock_round"]
        rights = sorted(right.hex for right in at.state.early_green if right.company == sym)
        return OpenCompany(
            insolvent=insolvent,
            leased="".join(at.kit.roster.on_sale(at.state)[:1]) if insolvent else "",
            from_stock_round=first,
            reserved_for=at.state.privates[LB].owner if self._kept_for_lb(sym) else None,
            home=self._home(sym),
            early_green=tuple(rights),
        )

    def _home(self, sym: str) -> TokenRef | None:
        """Where the home token stands; a tile of two cities moves it to one of them (§9.10)."""
        hex_id = self.at.kit.game.corporations[sym]["home"]["hex"]
        tokens = self.at.state.layout.tokens_in(hex_id)
        return next((TokenRef(t.hex, t.city) for t in tokens if t.corporation == sym), None)

    def _kept_for_lb(self, sym: str) -> bool:
        """Whether only the owner of LB may start the company (§6.5)."""
        company = self.at.state.companies[sym]
        return sym == LNWR and self.at.state.lnwr_priority and not company.removed

    def private(self, sym: str) -> OpenPrivate:
        printed, owned = self.at.kit.game.certificates[sym], self.at.state.privates[sym]
        return OpenPrivate(
            kind=printed["kind"],
            value=0 if owned.closed else printed["value"],
            revenue=0 if owned.closed else printed["revenue"],
            uses=int(owned.used),
        )

    def lasting(self) -> Iterator[str]:
        """Closed ones with a bonus, or with an ability not yet used (§4.6 to §4.10)."""
        for sym, owned in self.at.state.privates.items():
            kinds = self.at.kit.abilities[sym]
            left = not owned.used and any(kind in kinds for kind in USED_UP)
            if owned.closed and (left or LASTING in kinds):
                yield sym

    def rounds(self) -> int | None:
        """As many as the present phase has (§7.6)."""
        if not isinstance(self.at.state.round, OperatingData):
            return None
        rounds: int = self.at.kit.game.phases[self.at.state.phase]["operating_rounds"]
        return rounds

    def revenue(self) -> int | None:
        data = self.at.state.round
        return data.revenue if isinstance(data, OperatingData) and self.has_run() else None

    def reservations(self) -> Iterator[Reservation]:
        """The slots that GN and MC keep (§4.9)."""
        for sym, abilities in self.at.kit.abilities.items():
            kept = abilities.get("reservation")
            if kept is None:
                continue
            for hex_id in kept["hexes"]:
                for slot in reserved_slots(self.at, hex_id):
                    yield Reservation(hex_id, kept["stop"], slot, sym)

    def events(self) -> tuple[str, ...]:
        """No token is placed any more once few trains are left (§14.3)."""
        return ("tokens_frozen",) if self.at.state.frozen else ()

    def end_after(self) -> str:
        """With the operating round, or with the first one after a stock round (§15.1)."""
        return "round" if self.at.state.end_reason else ""
