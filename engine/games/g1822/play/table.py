"""A game of 1822 at one moment, as its steps see it."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.kit import Kit1822
from engine.games.g1822.play.state import (
    Card,
    Company1822,
    OperatingData,
    Player1822,
    State1822,
    StockData,
)
from engine.play.market import by_price
from engine.play.steps import Table

MAJOR = "major"
MINOR = "minor"


class Table1822(Table):
    """A game of 1822 at one moment."""

    kit: Kit1822
    state: State1822

    @property
    def stock(self) -> StockData:
        """The stock round being played."""
        return self.state.round_as(StockData)

    @property
    def operating(self) -> OperatingData:
        """The operating round being played."""
        return self.state.round_as(OperatingData)

    def company_of(self, sym: str) -> Company1822:
        """Return a company.

        Raises
        ------
        TypeError
            The state is not one of 1822.
        """
        company = self.state.companies[sym]
        if not isinstance(company, Company1822):
            raise TypeError(f"{sym} is no company of 1822")
        return company

    @property
    def company(self) -> Company1822:
        """The company whose operating turn it is."""
        return self.company_of(self.operating.company)

    def player_of(self, number: int) -> Player1822:
        """Return a player.

        Raises
        ------
        TypeError
            The state is not one of 1822.
        """
        player = self.state.players[number]
        if not isinstance(player, Player1822):
            raise TypeError(f"{player.name} is no player of 1822")
        return player

    def card(self, sym: str) -> Card:
        """Return a private or concession that is in play.

        Raises
        ------
        TypeError
            The state is not one of 1822.
        """
        card = self.state.privates[sym]
        if not isinstance(card, Card):
            raise TypeError(f"{sym} is no card of 1822")
        return card

    def cards(self) -> Iterator[Card]:
        """Yield all privates and concessions that are not closed."""
        for sym in self.state.privates:
            card = self.card(sym)
            if not card.closed:
                yield card

    def director(self) -> Player1822:
        """Return the director of the company in turn.

        Raises
        ------
        ValueError
            It has none.
        """
        number = self.company.director
        if number is None:
            raise ValueError(f"{self.company.sym} has no director")
        return self.player_of(number)

    def owns(self, private: str) -> bool:
        """Tell whether the company in turn owns a private that is not closed."""
        found = self.state.privates.get(private)
        return (
            found is not None
            and not found.closed
            and self.card(private).company == (self.company.sym)
        )

    def in_order(self) -> list[str]:
        """Return the floated companies as they operate: minors, then majors (§8.2)."""
        sorted_by_price = by_price(self.state, self.kit.chart)
        floated = [sym for sym in sorted_by_price if self.state.companies[sym].floated]
        return sorted(floated, key=lambda sym: self.state.companies[sym].kind == MAJOR)
