"""Positions of titles that declare their rules: what they say beyond those of other games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.board.faces import path_from, revenue_of
from engine.board.state import (
    BoardState,
    HexChange,
    HexMarker,
    HexToken,
    StopChange,
    TileLay,
    TokenPlacement,
)
from engine.routing.run import Ability, CompanyState, Flag, TokenRef, Train
from engine.titles.title import Title
from engine.titles.trains import kind_from, same_reach

CARRIAGE = "Pullman"
"""Name of the carriage that a company may attach to a train (1858India §1.2)."""


def board_from(raw: Mapping[str, Any], title: Title) -> BoardState:
    """Build the board of a position."""
    extras: Mapping[str, Any] = raw.get("extras") or {}
    markers: Mapping[str, Any] = (extras.get("assignments") or {}).get("hexes") or {}
    changes: Mapping[str, Any] = extras.get("changed") or {}
    return BoardState(
        title=raw["title"],
        phase=raw["phase"],
        tiles=tuple(TileLay(h, tile, turn) for h, (tile, turn) in raw["tiles"].items()),
        tokens=tuple(
            TokenPlacement(
                token["hex"],
                token["city"],
                token["slot"],
                token["corporation"] or "",
                token["type"],
                bool(token.get("extra")),
            )
            for token in raw["tokens"]
        ),
        map=_variant(raw.get("facts") or {}, title),
        options=tuple(raw.get("options") or ()),
        changes=tuple(_change(hex_id, change) for hex_id, change in changes.items()),
        markers=tuple(
            HexMarker(hex_id, marker)
            for hex_id, found in markers.items()
            for marker, there in found.items()
            if there
        ),
        hex_tokens=tuple(
            HexToken(token["hex"], token["corporation"] or "", token.get("type") or "")
            for token in extras.get("hex_tokens") or ()
        ),
    )


def _variant(facts: Mapping[str, str], title: Title) -> str:
    """Return the variant that has these files; empty for the first."""
    if not facts:
        return ""
    for name, files in title.variants.items():
        if dict(files) == dict(facts):
            return name
    raise ValueError(f"no variant of {title.title} has the files {dict(facts)}")


def _change(hex_id: str, raw: Mapping[str, Any]) -> HexChange:
    neighbours, paths = raw.get("neighbours"), raw.get("paths")
    return HexChange(
        hex=hex_id,
        icons=tuple(raw["icons"]) if "icons" in raw else None,
        label=(raw["label"] or "") if "label" in raw else None,
        stops=tuple(_stop(stop) for stop in raw.get("stops", ())),
        neighbours=None
        if neighbours is None
        else tuple((int(side), other) for side, other in neighbours.items()),
        paths=None if paths is None else tuple(path_from(path) for path in paths),
    )


def _stop(raw: Mapping[str, Any]) -> StopChange:
    return StopChange(
        stop=raw["stop"],
        slots=raw.get("slots"),
        revenue=tuple(revenue_of(raw["revenue"]).items()) if "revenue" in raw else None,
        kind=raw.get("kind"),
        groups=tuple(raw["groups"]) if "groups" in raw else None,
        visit_cost=raw.get("visit_cost"),
    )


def company_from(raw: Mapping[str, Any], title: Title) -> CompanyState:
    """Build the company of a position."""
    extras: Mapping[str, Any] = raw.get("extras") or {}
    turn: Mapping[str, Any] = extras.get("round") or {}
    markers: Mapping[str, Any] = (extras.get("assignments") or {}).get("corporation") or {}
    home = extras.get("home_token")
    return CompanyState(
        corporation=raw["corporation"],
        trains=tuple(_train(train, title) for train in raw["trains"]),
        kind=raw.get("corporation_type") or "",
        home=TokenRef(home["hex"], home["city"]) if home else None,
        receivership=bool(raw.get("receivership")),
        markers=tuple(marker for marker, held in markers.items() if held),
        abilities=tuple(_abilities(extras)),
        privates=tuple(raw.get("privates") or ()),
        owner_privates=tuple(raw.get("owner_privates") or ()),
        flags=tuple(_flags(extras.get("flags") or {}, raw["corporation"])),
        goal=(turn.get("connection_runs") or {}).get(raw["corporation"], ""),
        pullman=(turn.get("pullmans") or {}).get(raw["corporation"], ""),
    )


def _train(raw: Mapping[str, Any], title: Title) -> Train:
    """A train says itself what it can do only where its card says something else."""
    name: str = raw["name"]
    card = title.trains.get(name)
    said = kind_from(name, raw) if "distance" in raw else None
    known = card is not None and (said is None or same_reach(card, said))
    runnable, obsolete = raw.get("runnable", True), bool(raw.get("obsolete"))
    return Train(raw["id"], name, runnable, obsolete, None if known else said)


def _abilities(extras: Mapping[str, Any]) -> Iterator[Ability]:
    """Those of privates are listed twice, once without the private: that one is left out."""
    owned = [_ability(raw) for raw in extras.get("company_abilities") or ()]
    spare = [Ability(a.kind, a.hexes, a.amount, "", a.total) for a in owned]
    for raw in extras.get("abilities") or ():
        ability = _ability(raw)
        if raw.get("owner_type") == "player":
            continue
        if ability in spare:
            spare.remove(ability)
        else:
            yield ability
    yield from owned


def _ability(raw: Mapping[str, Any]) -> Ability:
    amount, total = raw.get("amount"), raw.get("bonus_revenue")
    return Ability(
        kind=raw["type"],
        hexes=tuple(raw.get("hexes") or ()),
        amount=amount if isinstance(amount, int) else 0,
        private=raw.get("company") or "",
        total=total if isinstance(total, int) else 0,
    )


def _flags(raw: Mapping[str, Any], corporation: str) -> Iterator[Flag]:
    """A flag that names a company counts for that company."""
    for name, value in raw.items():
        if isinstance(value, list):
            yield Flag(name, hexes=tuple(value))
        elif isinstance(value, str):
            if value == corporation:
                yield Flag(name)
        elif value:
            yield Flag(name, amount=0 if value is True else value)
