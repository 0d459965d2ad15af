"""Actions, with the fields of the records of 18xx.games (FMT §B5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, NamedTuple

from engine.play.errors import refuse

PLAYER = "player"
CORPORATION = "corporation"
COMPANY = "company"
"""Kinds of entities as records name them: a *company* there is a private (FMT §B1)."""


class Entity(NamedTuple):
    """Who acts: a player, a company that operates, or a private."""

    kind: str
    id: int | str

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


def player(number: int) -> Entity:
    """Return a player as entity."""
    return Entity(PLAYER, number)


def corporation(sym: str) -> Entity:
    """Return a company as entity."""
    return Entity(CORPORATION, sym)


def private(sym: str) -> Entity:
    """Return a private as entity."""
    return Entity(COMPANY, sym)


@dataclass(frozen=True)
class Action:
    """Something done in a game."""

    entity: Entity
    TYPE: ClassVar[str] = ""

    def payload(self) -> dict[str, Any]:
        """Return the fields of the action beside its entity, as records write them."""
        own = [field.name for field in fields(self) if field.name != "entity"]
        values = {name: getattr(self, name) for name in own}
        return {name: _plain(value) for name, value in values.items() if value is not None}

    def to_json(self) -> dict[str, Any]:
        """Return the action as records write it."""
        head = {"type": self.TYPE, "entity": self.entity.id, "entity_type": self.entity.kind}
        return {**head, **self.payload()}


def _plain(value: Any) -> Any:
    if isinstance(value, RouteEntry):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class Pass(Action):
    """Do nothing more in the open step."""

    TYPE: ClassVar[str] = "pass"


@dataclass(frozen=True)
class Bid(Action):
    """Bid £`price` for a private."""

    company: str
    price: int
    TYPE: ClassVar[str] = "bid"


@dataclass(frozen=True)
class CharterBid(Action):
    """Bid £`price` for the charter of a company (1862)."""

    corporation: str
    price: int
    TYPE: ClassVar[str] = "bid"


@dataclass(frozen=True)
class Par(Action):
    """Start a company at a cell of the market, written ``price,row,column``."""

    corporation: str
    share_price: str
    TYPE: ClassVar[str] = "par"


@dataclass(frozen=True)
class BuyShares(Action):
    """Buy certificates of one holder."""

    shares: tuple[str, ...]
    percent: int | None = None
    share_price: int | None = None
    TYPE: ClassVar[str] = "buy_shares"


@dataclass(frozen=True)
class SellShares(Action):
    """Sell certificates; a `percent` below their sum sells half a director's one (FMT §B5.1)."""

    shares: tuple[str, ...]
    percent: int | None = None
    share_price: int | None = None
    TYPE: ClassVar[str] = "sell_shares"


@dataclass(frozen=True)
class LayTile(Action):
    """Lay a tile, named with its copy; `combo_entities` are privates used together."""

    hex: str
    tile: str
    rotation: int
    combo_entities: tuple[str, ...] | None = None
    TYPE: ClassVar[str] = "lay_tile"


@dataclass(frozen=True)
class PlaceToken(Action):
    """Place a token in a city, named as tile or printed face, copy and part (FMT §B4.8).

    `tokener` is the company whose token a private places; without it 18xx.games cannot
    load the entry of some privates (FMT §B5.2).
    """

    city: str
    slot: int | None = None
    tokener: str | None = None
    TYPE: ClassVar[str] = "place_token"


@dataclass(frozen=True)
class RemoveToken(Action):
    """Take a token off the map; here the slot counts (FMT §B5)."""

    city: str
    slot: int = 0
    TYPE: ClassVar[str] = "remove_token"


@dataclass(frozen=True)
class RouteEntry:
    """A route of a run as records write it (FMT §B6.1).

    `revenue` is None where the referee is to say what the route pays; `subsidy`
    is £ for the treasury (1862). `paid` names the stops that pay where the director
    chooses (1862 §10.4); records do not say it, other programs pass over it.
    """

    train: str
    connections: tuple[tuple[str, ...], ...]
    hexes: tuple[str, ...] = ()
    revenue: int | None = None
    revenue_str: str | None = None
    nodes: tuple[str, ...] = ()
    subsidy: int | None = None
    paid: tuple[str, ...] | None = None

    @property
    def empty(self) -> bool:
        """The train goes nowhere; such a route passes and pays nothing (FMT §F1)."""
        return not (self.connections or self.hexes or self.revenue)

    def to_json(self) -> dict[str, Any]:
        """Return the route as records write it."""
        written: dict[str, Any] = {
            "train": self.train,
            "connections": [list(leg) for leg in self.connections],
            "hexes": list(self.hexes),
        }
        if self.revenue is not None:
            written["revenue"] = self.revenue
        if self.revenue_str is not None:
            written["revenue_str"] = self.revenue_str
        if self.subsidy is not None:
            written["subsidy"] = self.subsidy
        if self.nodes:
            written["nodes"] = list(self.nodes)
        if self.paid is not None:
            written["paid"] = list(self.paid)
        return written


@dataclass(frozen=True)
class RunRoutes(Action):
    """Run the trains; trains without a route stand still."""

    routes: tuple[RouteEntry, ...] = ()
    TYPE: ClassVar[str] = "run_routes"


@dataclass(frozen=True)
class Dividend(Action):
    """Decide about the revenue: ``payout``, ``withhold``, or what else the game knows."""

    kind: str
    TYPE: ClassVar[str] = "dividend"


@dataclass(frozen=True)
class BuyTrain(Action):
    """Buy a train from whoever has it."""

    train: str
    price: int
    variant: str | None = None
    warranties: int | None = None
    exchange: str | None = None
    TYPE: ClassVar[str] = "buy_train"


@dataclass(frozen=True)
class DiscardTrain(Action):
    """Give up a train that is over the limit."""

    train: str
    TYPE: ClassVar[str] = "discard_train"


@dataclass(frozen=True)
class Convert(Action):
    """Turn the company into a 10-share company (18GB), or refinance it (1862)."""

    TYPE: ClassVar[str] = "convert"


@dataclass(frozen=True)
class Merge(Action):
    """Merge the company with another one."""

    corporation: str
    TYPE: ClassVar[str] = "merge"


@dataclass(frozen=True)
class HexToken(Action):
    """Place the destination token of the company (1822)."""

    hex: str
    token_type: str = "destination"
    TYPE: ClassVar[str] = "hex_token"


@dataclass(frozen=True)
class AcquireCompany(Action):
    """Take over a private (1822)."""

    company: str
    TYPE: ClassVar[str] = "acquire_company"


@dataclass(frozen=True)
class PayoffPlayerDebt(Action):
    """Pay back a loan as far as the cash goes (1822)."""

    TYPE: ClassVar[str] = "payoff_player_debt"


@dataclass(frozen=True)
class PayoffPlayerDebtPartial(Action):
    """Pay back £`amount` of a loan (1822)."""

    amount: int
    TYPE: ClassVar[str] = "payoff_player_debt_partial"


@dataclass(frozen=True)
class Choose(Action):
    """Choose one of what a step offers."""

    choice: str | int
    TYPE: ClassVar[str] = "choose"


@dataclass(frozen=True)
class ChooseAbility(Action):
    """Use an ability of a private."""

    choice: str
    TYPE: ClassVar[str] = "choose_ability"


@dataclass(frozen=True)
class EndGame(Action):
    """End the game by hand, at once."""

    TYPE: ClassVar[str] = "end_game"


ACTIONS: Mapping[str, type[Action]] = {
    cls.TYPE: cls
    for cls in (
        Pass,
        Bid,
        Par,
        BuyShares,
        SellShares,
        LayTile,
        PlaceToken,
        RemoveToken,
        RunRoutes,
        Dividend,
        BuyTrain,
        DiscardTrain,
        Convert,
        Merge,
        HexToken,
        AcquireCompany,
        PayoffPlayerDebt,
        PayoffPlayerDebtPartial,
        Choose,
        ChooseAbility,
        EndGame,
    )
}
"""Every type of action by its name in records; a bid for a charter names a corporation."""

FORMAT = "FMT §B5"


def action_from(raw: Mapping[str, Any]) -> Action:
    """Read an action; fields that the engine does not need are ignored (FMT §B1).

    Raises
    ------
    IllegalActionError
        The type is unknown, or a field is missing or of the wrong kind.
    """
    cls = ACTIONS.get(raw.get("type", ""))
    if cls is Bid and raw.get("corporation") is not None:
        cls = CharterBid
    if cls is None:
        refuse("ACTION_TYPE_UNKNOWN", "type", f"no action {raw.get('type')!r} exists", FORMAT)
    entity = Entity(raw.get("entity_type", ""), raw.get("entity", ""))
    if entity.kind not in (PLAYER, CORPORATION, COMPANY):
        refuse("ENTITY_UNKNOWN", "entity_type", f"no entity is a {entity.kind!r}", "FMT §B1")
    if cls is RunRoutes and raw.get("extra_revenue"):
        message = f"no run of these games has revenue beside its routes: {raw['extra_revenue']!r}"
        refuse("FIELD_MALFORMED", "extra_revenue", message, "FMT §B6.1")
    values: dict[str, Any] = {}
    for field in fields(cls):
        if field.name == "entity":
            continue
        value = raw.get(field.name)
        if value is None or value is False:
            if field.default is MISSING:
                refuse("FIELD_MISSING", field.name, f"{cls.TYPE} needs {field.name}", FORMAT)
            continue
        values[field.name] = _read(cls, field.name, str(field.type), value)
    return cls(entity, **values)


def _read(cls: type[Action], name: str, kind: str, value: Any) -> Any:
    if name == "routes":
        return _read_routes(value)
    if kind.startswith("tuple"):
        good = _words(value)
        value = tuple(value) if good else value
    elif kind.startswith("int"):
        good = isinstance(value, int) and not isinstance(value, bool)
    else:
        good = isinstance(value, str) or (kind.endswith("int") and type(value) is int)
    if not good:
        message = f"{name} of {cls.TYPE} cannot be {value!r}"
        refuse("FIELD_MALFORMED", name, message, FORMAT)
    return value


def _words(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _read_routes(value: Any) -> tuple[RouteEntry, ...]:
    if not isinstance(value, list | tuple):
        refuse("FIELD_MALFORMED", "routes", f"routes are a list, not {value!r}", "FMT §B6.1")
    found: list[RouteEntry] = []
    for number, raw in enumerate(value):
        field = f"routes[{number}]"
        if not isinstance(raw, Mapping) or not isinstance(raw.get("train"), str):
            refuse("FIELD_MISSING", field, "a route has a train", "FMT §B6.1")
        legs = raw.get("connections") or ()
        hexes, nodes = raw.get("hexes") or (), raw.get("nodes") or ()
        paid = raw.get("paid")
        amounts = (raw.get("revenue"), raw.get("subsidy"))
        good = all(map(_words, (hexes, nodes, () if paid is None else paid))) and isinstance(
            legs, list | tuple
        )
        whole = all(amount is None or type(amount) is int for amount in amounts)
        if not (good and all(map(_words, legs)) and whole):
            message = "legs, hexes, nodes and paid are lists of names, amounts are whole numbers"
            refuse("FIELD_MALFORMED", field, message, "FMT §B6.1")
        found.append(
            RouteEntry(
                train=raw["train"],
                connections=tuple(tuple(leg) for leg in legs),
                hexes=tuple(hexes),
                revenue=raw.get("revenue"),
                revenue_str=raw.get("revenue_str"),
                nodes=tuple(nodes),
                subsidy=raw.get("subsidy"),
                paid=None if paid is None else tuple(paid),
            )
        )
    return tuple(found)
