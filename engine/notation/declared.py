"""Positions of titles that declare their rules: what they say beyond those of other games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.board.faces import path_from, path_object, revenue_of
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
from engine.titles.trains import kind_from, kind_object, same_reach

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


# --- writing -----------------------------------------------------------------------------


def position_object(
    id: str, board: BoardState, company: CompanyState, title: Title
) -> dict[str, Any]:
    """Return the JSON object of a position without a recorded run."""
    files = title.variants[board.map] if board.map else {}
    return {
        "id": id,
        "title": board.title,
        "options": list(board.options),
        "phase": board.phase,
        "corporation": company.corporation,
        "corporation_type": company.kind,
        "receivership": company.receivership,
        "privates": list(company.privates),
        "owner_privates": list(company.owner_privates),
        "trains": [_train_object(train) for train in company.trains],
        "extras": {key: value for key, value in _extras(board, company).items() if value},
        **({"facts": dict(files)} if files else {}),
        "tiles": {lay.hex: [lay.tile, lay.rotation] for lay in board.tiles},
        "tokens": [_token_object(token) for token in board.tokens],
    }


def _extras(board: BoardState, company: CompanyState) -> dict[str, Any]:
    turn = {
        "connection_runs": {company.corporation: company.goal} if company.goal else {},
        "pullmans": {company.corporation: company.pullman} if company.pullman else {},
    }
    hexes: dict[str, dict[str, bool]] = {}
    for marker in board.markers:
        hexes.setdefault(marker.hex, {})[marker.marker] = True
    markers = {"corporation": dict.fromkeys(company.markers, True), "hexes": hexes}
    home = company.home
    return {
        "home_token": {"hex": home.hex, "city": home.city} if home else None,
        "assignments": {key: value for key, value in markers.items() if value},
        "abilities": [_ability_object(each) for each in company.abilities if not each.private],
        "company_abilities": [_ability_object(each) for each in company.abilities if each.private],
        "hex_tokens": [
            {"hex": t.hex, "corporation": t.corporation, "type": t.kind} for t in board.hex_tokens
        ],
        "changed": {change.hex: _change_object(change) for change in board.changes},
        "flags": {flag.name: list(flag.hexes) or flag.amount or True for flag in company.flags},
        "round": {key: value for key, value in turn.items() if value},
    }


def _ability_object(ability: Ability) -> dict[str, Any]:
    raw = {
        "type": ability.kind,
        "hexes": list(ability.hexes),
        "amount": ability.amount,
        "company": ability.private,
        "bonus_revenue": ability.total,
    }
    return {key: value for key, value in raw.items() if value}


def _token_object(token: TokenPlacement) -> dict[str, Any]:
    raw = {
        "hex": token.hex,
        "city": token.city,
        "slot": token.slot,
        "corporation": token.corporation or None,
        "type": token.kind,
    }
    return {**raw, "extra": True} if token.extra else raw


def _change_object(change: HexChange) -> dict[str, Any]:
    raw: dict[str, Any] = {}
    if change.icons is not None:
        raw["icons"] = list(change.icons)
    if change.label is not None:
        raw["label"] = change.label or None
    if change.stops:
        raw["stops"] = [_stop_object(stop) for stop in change.stops]
    if change.neighbours is not None:
        raw["neighbours"] = {str(side): other for side, other in change.neighbours}
    if change.paths is not None:
        raw["paths"] = [path_object(path) for path in change.paths]
    return raw


def _stop_object(change: StopChange) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "stop": change.stop,
        "slots": change.slots,
        "kind": change.kind,
        "groups": None if change.groups is None else list(change.groups),
        "visit_cost": change.visit_cost,
    }
    if change.revenue is not None:
        amounts = dict(change.revenue)
        fixed = amounts.get(None)
        raw["revenue"] = {"by_phase": amounts} if fixed is None else {"fixed": fixed}
    return {key: value for key, value in raw.items() if value is not None}


def _train_object(train: Train) -> dict[str, Any]:
    raw: dict[str, Any] = {"id": train.id, "name": train.name, "runnable": train.runnable}
    if train.obsolete:
        raw["obsolete"] = True
    return raw if train.face is None else {**raw, **kind_object(train.face)}
