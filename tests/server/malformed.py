"""Ways to spoil a request, each with the field that the answer must name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bradshaw.v1 import board_pb2, route_service_pb2

from engine.routing.position import MOST_TRAINS

Request = route_service_pb2.OptimizeRoutesRequest
Spoil = Callable[[Request], None]

HUGE = 2**31 - 1


def _target(request: Request, path: str) -> tuple[Any, str]:
    """Return what holds the last field of a path, and the name of that field."""
    target: Any = request
    *steps, last = path.split(".")
    for step in steps:
        target = target[int(step)] if step.isdigit() else getattr(target, step)
    return target, last


def _set(path: str, value: object) -> Spoil:
    """Set a field: ``position.board.tiles.0.rotation``."""

    def spoil(request: Request) -> None:
        target, last = _target(request, path)
        setattr(target, last, value)

    return spoil


def _clear(path: str) -> Spoil:
    """Leave a field out."""

    def spoil(request: Request) -> None:
        target, last = _target(request, path)
        target.ClearField(last)

    return spoil


def _tiles(count: int, hex_id: str = "E10") -> Spoil:
    def spoil(request: Request) -> None:
        for _ in range(count):
            request.position.board.tiles.add(hex=hex_id, tile="9")

    return spoil


def _tokens(count: int) -> Spoil:
    def spoil(request: Request) -> None:
        for number in range(count):
            request.position.board.tokens.add(hex="E10", slot=number, corporation="X")

    return spoil


def _trains(count: int) -> Spoil:
    def spoil(request: Request) -> None:
        name = request.position.company.trains[0].name
        for number in range(count):
            request.position.company.trains.add(id=f"more-{number}", name=name)

    return spoil


def _same_train(request: Request) -> None:
    train = request.position.company.trains[0]
    request.position.company.trains.add(id=train.id, name=train.name)


def _same_token(request: Request) -> None:
    request.position.board.tokens.append(request.position.board.tokens[0])


def _same_hex(request: Request) -> None:
    request.position.board.tiles.append(request.position.board.tiles[0])


def _wish(**fields: object) -> Spoil:
    def spoil(request: Request) -> None:
        request.options.wishes.MergeFrom(route_service_pb2.Wishes(**fields))  # type: ignore[arg-type]

    return spoil


def _attach(name: str, train: str) -> Spoil:
    def spoil(request: Request) -> None:
        request.options.wishes.attach[name] = train

    return spoil


def _pinned(train: str, legs: int = 0) -> Spoil:
    def spoil(request: Request) -> None:
        route = request.options.wishes.pinned.add(train_id=train, stops=["Z99-0"])
        for _ in range(legs):
            leg = route.legs.add(hexes=["Z99", "Y98"])
            leg.paths.add(hex="Z99")

    return spoil


def _many_pinned(request: Request) -> None:
    for _ in range(100):
        request.options.wishes.pinned.add(train_id="x", stops=["Z99-0"])


def _override(name: str, value: object) -> Spoil:
    def spoil(request: Request) -> None:
        slot = request.position.rules.overrides[name]
        if isinstance(value, float):
            slot.number_value = value
        elif isinstance(value, str):
            slot.string_value = value
        else:
            slot.null_value = 0

    return spoil


def _bonus(hex_id: str, amount: int) -> Spoil:
    def spoil(request: Request) -> None:
        request.position.company.hex_bonuses.append(board_pb2.HexBonus(hex=hex_id, amount=amount))

    return spoil


def _permits(*names: str) -> Spoil:
    return lambda request: request.position.company.permits.extend(names)


def _limit(seconds: int, nanos: int = 0) -> Spoil:
    def spoil(request: Request) -> None:
        request.options.time_limit.seconds = seconds
        request.options.time_limit.nanos = nanos

    return spoil


WAYS: dict[str, tuple[str, Spoil]] = {
    # missing parts
    "no position": ("position", _clear("position")),
    "no board": ("position.board", _clear("position.board")),
    "no company": ("position.company", _clear("position.company")),
    "no title": ("position.board.title", _clear("position.board.title")),
    "no phase": ("position.board.phase", _clear("position.board.phase")),
    "no corporation": ("position.company.corporation", _clear("position.company.corporation")),
    "tile without hex": ("position.board.tiles[0].hex", _clear("position.board.tiles.0.hex")),
    "tile without tile": ("position.board.tiles[0].tile", _clear("position.board.tiles.0.tile")),
    "token of nobody": (
        "position.board.tokens[0].corporation",
        _clear("position.board.tokens.0.corporation"),
    ),
    "train without id": ("position.company.trains[0].id", _clear("position.company.trains.0.id")),
    "train without name": (
        "position.company.trains[0].name",
        _clear("position.company.trains.0.name"),
    ),
    # wrong ids
    "title": ("position.board.title", _set("position.board.title", "18XX")),
    "title of another case": ("position.board.title", _set("position.board.title", "18gb")),
    "map": ("position.board.map", _set("position.board.map", "Atlantis")),
    "phase": ("position.board.phase", _set("position.board.phase", "Z")),
    "hex of a tile": ("position.board.tiles[1].hex", _set("position.board.tiles.1.hex", "Z99")),
    "number of a tile": ("position.board.tiles[0].tile", _set("position.board.tiles.0.tile", "?")),
    "hex of a token": ("position.board.tokens[0].hex", _set("position.board.tokens.0.hex", "")),
    "owner of a token": (
        "position.board.tokens[0].corporation",
        _set("position.board.tokens.0.corporation", "B&O"),
    ),
    "kind of a token": ("position.board.tokens[0].kind", _set("position.board.tokens.0.kind", 77)),
    "company": ("position.company.corporation", _set("position.company.corporation", "PRR")),
    "kind of company": ("position.company.kind", _set("position.company.kind", "tram")),
    "name of a train": (
        "position.company.trains[0].name",
        _set("position.company.trains.0.name", "D"),
    ),
    "train twice": ("position.company.trains[0].id", _same_train),
    "token twice": ("position.board.tokens", _same_token),
    "hex twice": ("position.board.tiles", _same_hex),
    "permit": ("position.company.permits", _permits("steam")),
    "profile": ("position.rules.name", _set("position.rules.name", "house rules")),
    "difference": ("position.rules.overrides[house_rule]", _override("house_rule", 1.0)),
    "difference not a number": (
        "position.rules.overrides[house_rule]",
        _override("house_rule", float("nan")),
    ),
    "idle train": ("options.wishes.idle_trains[0]", _wish(idle_trains=["Q-9"])),
    "avoided hex": ("options.wishes.avoid_hexes[0]", _wish(avoid_hexes=["Z99"])),
    "avoided stop": ("options.wishes.avoid_stops[0]", _wish(avoid_stops=["Z99-0"])),
    "carriage": ("options.wishes.attach[tender]", _attach("tender", "")),
    "pinned train": ("options.wishes.pinned[0].train_id", _pinned("Q-9")),
    "pinned legs of two forms": ("options.wishes.pinned[0].legs", _pinned("Q-9", legs=2)),
    "objective": ("options.objective", _set("options.objective", 9)),
    # absurd numbers
    "rotation below": (
        "position.board.tiles[0].rotation",
        _set("position.board.tiles.0.rotation", -1),
    ),
    "rotation above": (
        "position.board.tiles[0].rotation",
        _set("position.board.tiles.0.rotation", HUGE),
    ),
    "city below": ("position.board.tokens[0].city", _set("position.board.tokens.0.city", -1)),
    "city above": ("position.board.tokens[0].city", _set("position.board.tokens.0.city", HUGE)),
    "slot below": ("position.board.tokens[0].slot", _set("position.board.tokens.0.slot", -HUGE)),
    "slot above": ("position.board.tokens[0].slot", _set("position.board.tokens.0.slot", HUGE)),
    "mail below": ("position.company.mail_contracts", _set("position.company.mail_contracts", -1)),
    "mail above": (
        "position.company.mail_contracts",
        _set("position.company.mail_contracts", HUGE),
    ),
    "bonus": ("position.company.hex_bonuses[", _bonus("E14", HUGE)),
    "seed below": ("options.seed", _set("options.seed", -1)),
    "seed above": ("options.seed", _set("options.seed", 2**63 - 1)),
    "runs below": ("options.run_count", _set("options.run_count", -1)),
    "runs above": ("options.run_count", _set("options.run_count", HUGE)),
    "no time": ("options.time_limit", _limit(0)),
    "time below": ("options.time_limit", _limit(-5)),
    "time above": ("options.time_limit", _limit(10**12)),
    "time out of form": ("options.time_limit", _limit(1, 2 * 10**9)),
    # too much
    "too many tiles": ("position.board.tiles", _tiles(501)),
    "huge board": ("position.board.tiles", _tiles(100_000)),
    "too many tokens": ("position.board.tokens", _tokens(50_000)),
    "too many trains": ("position.company.trains", _trains(MOST_TRAINS + 1)),
    "far too many trains": ("position.company.trains", _trains(5_000)),
    "too many pinned routes": ("options.wishes.pinned", _many_pinned),
    "too many avoided hexes": ("options.wishes.avoid_hexes", _wish(avoid_hexes=["E10"] * 5_000)),
    "long title": ("position.board.title", _set("position.board.title", "x" * 100_000)),
    "long train": (
        "position.company.trains[0].name",
        _set("position.company.trains.0.name", "9" * 65),
    ),
    "unprintable id": (
        "position.company.trains[0].id",
        _set("position.company.trains.0.id", "a\x00b\n"),
    ),
}
"""Name of the way: the field (or its beginning) that the answer names, and the spoiling."""
