"""Positions: one JSON object a line, the board before a run and what was run.

The same form serves recorded games and positions of our own making.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.notation import declared
from engine.notation.routes import WrittenRoute
from engine.routing.run import CompanyState, HexBonus, TokenRef, Train
from engine.titles import find_title


@dataclass(frozen=True)
class PositionRecord:
    """A position with what was run and what is known of it.

    Parameters
    ----------
    id
        ``title/game@action``.
    board, company
        The state.
    recorded
        The routes that the players ran.
    attached, carriage
        Id of the train to which the players attached the carriage, or empty; its name.
    checked
        What the recorded run is worth, or None where nobody checked it.
    optimum, optimum_subsidy
        The best possible, or None where unknown.
    raw
        The object as read.
    """

    id: str
    board: BoardState
    company: CompanyState
    recorded: tuple[WrittenRoute, ...]
    attached: str
    checked: Mapping[str, Any] | None
    optimum: int | None
    optimum_subsidy: int | None
    raw: Mapping[str, Any]
    carriage: str = "P+"


def read_positions(path: Path) -> Iterator[PositionRecord]:
    """Yield the positions of a file, one JSON object a line; empty lines are skipped."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield position_from(json.loads(line))


def position_from(raw: Mapping[str, Any]) -> PositionRecord:
    """Build a position from its JSON object."""
    extras: Mapping[str, Any] = raw.get("extras") or {}
    title = find_title(raw["title"])
    board = BoardState(
        title=raw["title"],
        phase=raw["phase"],
        tiles=tuple(TileLay(h, tile, turn) for h, (tile, turn) in raw["tiles"].items()),
        tokens=tuple(
            TokenPlacement(t["hex"], t["city"], t["slot"], t["corporation"], t["type"])
            for t in raw["tokens"]
        ),
        map=extras.get("scenario_map") or "",
    )
    if title is not None:
        board = declared.board_from(raw, title)
        company = declared.company_from(raw, title.variant(board.map))
        attached = company.pullman
    else:
        company, attached = _company(raw, extras)
    recorded = raw.get("recorded") or {"routes": ()}
    return PositionRecord(
        id=raw["id"],
        board=board,
        company=company,
        recorded=tuple(_written(route) for route in recorded["routes"]),
        attached=attached,
        checked=raw.get("checked"),
        optimum=raw.get("optimum"),
        optimum_subsidy=raw.get("optimum_subsidy"),
        raw=raw,
        carriage="P+" if title is None else declared.CARRIAGE,
    )


def _company(raw: Mapping[str, Any], extras: Mapping[str, Any]) -> tuple[CompanyState, str]:
    trains: list[Train] = []
    attached = ""
    for train in raw["trains"]:
        name: str = train["name"]
        if name.endswith("+") and name != "P+":
            name = name[:-1]
            attached = train["id"]
        trains.append(Train(train["id"], name, train.get("runnable", True)))
    if attached and not any(train.name == "P+" for train in trains):
        trains.append(Train("P+-0", "P+", False))
    bonuses = extras.get("hex_bonuses") or ()
    company = CompanyState(
        corporation=raw["corporation"],
        trains=tuple(trains),
        kind=raw.get("corporation_type") or "",
        permits=tuple(extras.get("permits") or ()),
        home=_token(extras.get("home_token")),
        destination=_token(extras.get("destination_token")),
        mail_contracts=extras.get("mail_contracts") or 0,
        hex_bonuses=tuple(_bonuses(bonuses)),
        receivership=bool(raw.get("receivership")),
        insolvent=bool(extras.get("insolvent")),
    )
    return company, attached


def _bonuses(raw: Any) -> Iterator[HexBonus]:
    for bonus in raw:
        if isinstance(bonus, Mapping):
            for hex_id in bonus.get("hexes") or [bonus["hex"]]:
                yield HexBonus(hex_id, bonus["amount"])


def _token(raw: Mapping[str, Any] | None) -> TokenRef | None:
    return TokenRef(raw["hex"], raw["city"]) if raw else None


def _written(raw: Mapping[str, Any]) -> WrittenRoute:
    connections = tuple(tuple(leg) for leg in raw["connections"])
    return WrittenRoute(raw["train"], connections, tuple(raw.get("nodes") or ()))


def position_object(id: str, board: BoardState, company: CompanyState) -> dict[str, Any]:
    """Return the JSON object of a position without a recorded run.

    :func:`position_from` reads it back as the same board and company.
    """
    title = find_title(board.title)
    if title is not None:
        return declared.position_object(id, board, company, title)
    extras: dict[str, Any] = {
        "permits": list(company.permits),
        "home_token": _token_object(company.home),
        "destination_token": _token_object(company.destination),
        "mail_contracts": company.mail_contracts,
        "hex_bonuses": [{"hex": b.hex, "amount": b.amount} for b in company.hex_bonuses],
        "insolvent": company.insolvent,
        "scenario_map": board.map,
    }
    return {
        "id": id,
        "title": board.title,
        "phase": board.phase,
        "corporation": company.corporation,
        "corporation_type": company.kind,
        "receivership": company.receivership,
        "trains": [
            {"id": train.id, "name": train.name, "runnable": train.runnable}
            for train in company.trains
        ],
        "extras": {key: value for key, value in extras.items() if value},
        "tiles": {lay.hex: [lay.tile, lay.rotation] for lay in board.tiles},
        "tokens": [
            {
                "hex": token.hex,
                "city": token.city,
                "slot": token.slot,
                "corporation": token.corporation,
                "type": token.kind,
            }
            for token in board.tokens
        ],
    }


def _token_object(token: TokenRef | None) -> dict[str, Any] | None:
    return {"hex": token.hex, "city": token.city} if token else None
