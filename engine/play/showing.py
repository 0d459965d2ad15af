"""What lies open on the table, for those who show a game: bids, debts, limits, supplies.

Everything that follows from the shared state is worked out here. What only one
game has it says in a class of its own, see :class:`Showing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from engine.play.depot import TrainCard
from engine.play.entities import Company, Holder
from engine.play.shares import certificates
from engine.play.state import CompanyTurns, Lead
from engine.play.steps import RUN, T
from engine.play.supply import left_to_lay
from engine.routing.run import TokenRef


@dataclass(frozen=True)
class Lot:
    """Something that players bid for.

    Parameters
    ----------
    id
        Letters of the card, or of the company whose charter it is.
    kind
        ``private``, ``concession``, ``minor``, ``charter``.
    least, step
        Least bid that is allowed now, and from one bid to the next, £.
    corporation
        Company that comes with it; empty if none does.
    lead
        The highest bid, or None.
    bidders
        Players who take part: those who have a bid on it, or who are left in the
        auction, the next one to bid first.
    """

    id: str
    kind: str
    least: int
    step: int
    corporation: str = ""
    lead: Lead | None = None
    bidders: tuple[int, ...] = ()


@dataclass(frozen=True)
class Stack:
    """Cards that come up for bids later, the next one first."""

    kind: str
    cards: tuple[str, ...]


@dataclass(frozen=True)
class OpenPlayer:
    """What is to be seen of a player beside cash and certificates.

    Parameters
    ----------
    certificates
        Certificates that count towards the limit, and privates where they do.
    committed
        £ that his leading bids tie up.
    debt
        £ that he owes.
    bidding_tokens
        Bidding tokens that he has left; None where there are none.
    sold
        Companies of which he has sold shares in this round.
    won_charter
        He has won a charter in this round and opens no more auctions in it.
    """

    certificates: int
    committed: int = 0
    debt: int = 0
    bidding_tokens: int | None = None
    sold: tuple[str, ...] = ()
    won_charter: bool = False


@dataclass(frozen=True)
class Destination:
    """Where a company's destination token belongs, and whether it stands there."""

    hex: str
    placed: bool


@dataclass(frozen=True)
class OpenCompany:
    """What is to be seen of a company beside treasury, trains and certificates.

    Parameters
    ----------
    insolvent, leased
        It is insolvent; id of the train that it leases, or empty.
    permits
        Permits that it holds.
    chartered
        It was started with a charter; None where there are no charters.
    from_phase, from_stock_round
        From when on it may be started, where that is fixed; empty or None else.
    reserved_for
        Player who alone may start it, or None.
    offering_price
        £ of a share from the initial offering, where that is another price than the
        present one; None if there is none to be had.
    fine
        £ that its director owes if it does not float in this stock round; else 0.
    home
        City of its home token; None until that is placed.
    destination
        Its destination, or None.
    exchange_tokens
        Tokens that it can use only after an exchange.
    early_green
        Hexes in which it may lay green early.
    """

    insolvent: bool = False
    leased: str = ""
    permits: tuple[str, ...] = ()
    chartered: bool | None = None
    from_phase: str = ""
    from_stock_round: int | None = None
    reserved_for: int | None = None
    offering_price: int | None = None
    fine: int = 0
    home: TokenRef | None = None
    destination: Destination | None = None
    exchange_tokens: int = 0
    early_green: tuple[str, ...] = ()


@dataclass(frozen=True)
class OpenPrivate:
    """What is to be seen of a private or a card like it.

    Parameters
    ----------
    kind
        ``private``, ``concession``.
    value, revenue
        Face value, and what it pays its holder at present, £.
    corporation
        Company that comes with it; empty if none does.
    cash
        £ that lie on it.
    uses
        How often its ability has been used.
    choice
        Side chosen, where it has two; empty before.
    """

    kind: str
    value: int
    revenue: int
    corporation: str = ""
    cash: int = 0
    uses: int = 0
    choice: str = ""


@dataclass(frozen=True)
class Side:
    """A side of a train card: printed name, £, and the train that makes it rust, or None."""

    name: str
    price: int
    rusts_on: str | None


@dataclass(frozen=True)
class OpenTrain:
    """A train: its id, the side that it shows, and its warranties."""

    id: str
    side: Side
    warranties: int = 0


@dataclass(frozen=True)
class DepotTrain:
    """Trains of one kind that the bank has.

    Parameters
    ----------
    name
        Name of the card.
    sides
        Its sides, the front first.
    count
        How many are left; None for as many as are wanted.
    on_sale
        One may be bought now.
    """

    name: str
    sides: tuple[Side, ...]
    count: int | None
    on_sale: bool


@dataclass(frozen=True)
class ShareOption:
    """A certificate whose holder decides now whether to keep it.

    Parameters
    ----------
    holder
        Player or company who decides.
    units
        Shares that it counts as.
    keep_cost, proceeds
        £ to pay to keep it, and £ that giving it up brings.
    """

    holder: Holder
    units: int
    keep_cost: int
    proceeds: int


@dataclass(frozen=True)
class ShareExchange:
    """An exchange of shares that is going on: a merger, or a company that refinances.

    Parameters
    ----------
    kind
        ``merge``, ``acquire``, ``refinance``.
    corporation, partner, survivor
        Company in turn, the other one, and which of them stays; empty where there is
        none, or it is not yet chosen.
    share_price
        £ of a share in the exchange; 0 before the survivor is chosen.
    waiting
        Shareholders who have still to act, the one who acts first.
    option
        What the first one decides, or None.
    """

    kind: str
    corporation: str
    partner: str
    survivor: str
    share_price: int
    waiting: tuple[Holder, ...]
    option: ShareOption | None


@dataclass(frozen=True)
class Reservation:
    """A slot of a city that is kept for a company or a private."""

    hex: str
    city: int
    slot: int
    holder: str


class Showing(Generic[T]):
    """What lies open on the table at one moment of a game.

    A game extends it by what only this game has, and names its class in
    :attr:`engine.play.game.Course.showing_type`.

    Parameters
    ----------
    at
        The game at that moment; it is only read.

    Attributes
    ----------
    offering
        Who holds the certificates of the initial offering, where they do not lie
        with their companies; None where they do.
    """

    offering: Holder | None = None

    def __init__(self, at: T) -> None:
        self.at = at

    def certificate_limit(self) -> int | None:
        """Return how many certificates a player may hold; None if there is no limit."""
        return None

    def passed(self) -> tuple[int, ...]:
        """Return who has passed; where the order counts, in that order."""
        return ()

    def lots(self) -> Iterator[Lot]:
        """Yield what is up for bids."""
        yield from ()

    def stacks(self) -> Iterator[Stack]:
        """Yield the stacks of cards that come up for bids later, where everybody knows them."""
        yield from ()

    def player(self, number: int) -> OpenPlayer:
        """Return what is to be seen of a player."""
        return OpenPlayer(certificates(self.at.state, number))

    def company(self, company: Company) -> OpenCompany:
        """Return what is to be seen of a company."""
        return OpenCompany()

    def private(self, sym: str) -> OpenPrivate:
        """Return what is to be seen of a private."""
        printed = self.at.kit.game.certificates[sym]
        return OpenPrivate(printed["kind"], printed["value"], printed["revenue"])

    def lasting(self) -> Iterator[str]:
        """Yield closed privates that still do something for who owned them."""
        yield from ()

    def sides(self, card: TrainCard) -> tuple[Side, ...]:
        """Return the sides of a train card, the front first."""
        return (Side(card.name, card.price, card.rusts_on),)

    def train(self, train: str) -> OpenTrain:
        """Return a train that has been sold."""
        return OpenTrain(train, self.sides(self.at.kit.roster.card(train))[0])

    def discarded(self) -> tuple[str, ...]:
        """Return the trains that the bank has got back, in the order in which they came."""
        return ()

    def depot(self) -> Iterator[DepotTrain]:
        """Yield the kinds of trains that the bank has, the next one first."""
        roster, state = self.at.kit.roster, self.at.state
        counts: dict[str, int] = {}
        for train in state.depot:
            name = roster.card(train).name
            counts[name] = counts.get(name, 0) + 1
        on_sale = {roster.card(train).name for train in roster.on_sale(state)}
        for name, count in counts.items():
            card = roster.cards[name]
            left = None if card.unlimited else count
            yield DepotTrain(name, self.sides(card), left, name in on_sale)

    def tiles(self) -> Iterator[tuple[str, int | None]]:
        """Yield every tile of the game with how many may still be laid; None for unlimited."""
        atlas = self.at.kit.guide.atlas
        for tile in self.at.state.supply:
            yield tile, left_to_lay(self.at.state, atlas, tile)

    def train_limits(self) -> Mapping[str, int]:
        """Return how many trains a company may own in this phase, by kind of company or of
        train, or in ``total``."""
        limits: Mapping[str, int] = self.at.kit.game.phases[self.at.state.phase]["train_limit"]
        return limits

    def order(self) -> tuple[str, ...]:
        """Return the companies of an operating round as they operate; else nothing."""
        data = self.at.state.round
        return data.order if isinstance(data, CompanyTurns) else ()

    def rounds(self) -> int | None:
        """Return how many operating rounds the present set has; None outside of one."""
        return None

    def has_run(self) -> bool:
        """Tell whether the company in turn has come past running its trains."""
        return RUN in self.at.state.round.done

    def revenue(self) -> int | None:
        """Return what the run of the company in turn has earned, £; None before its run."""
        return None

    def subject(self) -> str:
        """Return the company that the step is about, where its actor does not say it."""
        return ""

    def exchange(self) -> ShareExchange | None:
        """Return the exchange of shares that is going on, or None."""
        return None

    def reservations(self) -> Iterator[Reservation]:
        """Yield the slots that are kept at present."""
        yield from ()

    def events(self) -> tuple[str, ...]:
        """Return what has come about and is in force for the rest of the game."""
        return ()

    def end_after(self) -> str:
        """Return with what a game ends of which the end has come near: ``round`` or ``set`` of
        operating rounds; empty while nothing ends it."""
        return ""
