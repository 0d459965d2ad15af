"""Is a text that claims to be a game file one? Types and required keys, entry by entry.

Only the shape is looked at, so that a replay need not expect nonsense; whether
an entry is legal is the game's affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import Fault

MOST_ENTRIES = 20_000
MOST_PLAYERS = 12
MOST_NUMBER = 10**12
"""Larger than any id."""
MOST_REVENUE = 10_000
"""More than a route of these games can pay, in £; a replay pays what is recorded."""


def file_faults(content: Mapping[str, Any], path: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a game file (FMT §A1)."""
    if not isinstance(content.get("title"), str):
        yield _fault("title", path, "a file has a title")
    players = content.get("players")
    if isinstance(players, Mapping):
        for key, name in players.items():
            if not (key.isdecimal() and isinstance(name, str)):
                yield _fault(f"players.{key}", path, "a player has a number and a name")
    elif isinstance(players, list) and len(players) <= MOST_PLAYERS:
        for number, raw in enumerate(players):
            yield from _player_faults(raw, f"{path}.players[{number}]")
    else:
        yield _fault("players", path, f"a file has a list of at most {MOST_PLAYERS} players")
    yield from _settings_faults(content.get("settings"), path)
    yield from _result_faults(content, path)
    if not isinstance(content.get("id", ""), str | int):
        yield _fault("id", path, "an id is a text or a number")
    if not isinstance(content.get("game_end_reason") or "", str):
        yield _fault("game_end_reason", path, "a reason is a text")
    yield from _log_faults(content.get("actions"), f"{path}.actions")


def _fault(field: str, path: str, message: str) -> Fault:
    return Fault("FIELD_MALFORMED", f"{path}.{field}", message)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MOST_NUMBER


def _player_faults(raw: Any, path: str) -> Iterator[Fault]:
    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str):
        yield Fault("FIELD_MALFORMED", path, "a player has a name")
    elif "id" in raw and not _whole(raw["id"]):
        yield _fault("id", path, "the id of a player is a number")


def _settings_faults(settings: Any, path: str) -> Iterator[Fault]:
    if settings is None:
        return
    if not isinstance(settings, Mapping):
        yield _fault("settings", path, "settings are an object")
        return
    seed = settings.get("seed")
    if not (seed in (None, "") or _whole(seed) or (isinstance(seed, str) and seed.isdecimal())):
        yield _fault("settings.seed", path, "a seed is a whole number")
    options = settings.get("optional_rules") or []
    if not (isinstance(options, list) and all(isinstance(option, str) for option in options)):
        yield _fault("settings.optional_rules", path, "optional rules are a list of names")


def _result_faults(content: Mapping[str, Any], path: str) -> Iterator[Fault]:
    result = content.get("result") or {}
    if not isinstance(result, Mapping) or not all(_whole(score) for score in result.values()):
        yield _fault("result", path, "a result has a whole number for each player")
        return
    players = content.get("players")
    listed = list(players.values()) if isinstance(players, Mapping) else players
    if not isinstance(listed, list):
        return
    names = [raw.get("name") if isinstance(raw, Mapping) else raw for raw in listed]
    for who in result:
        if not who.isdecimal() and who not in names:
            yield _fault("result", path, f"there is no player {who!r}")


def _log_faults(entries: Any, path: str) -> Iterator[Fault]:
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        message = f"a file has a list of at most {MOST_ENTRIES} actions"
        yield Fault("FIELD_MALFORMED", path, message)
        return
    last = None
    for number, raw in enumerate(entries):
        where = f"{path}[{number}]"
        faults = list(action_faults(raw, where))
        yield from faults
        if faults:
            continue
        if not _whole(raw.get("id")) or (last is not None and raw["id"] <= last):
            yield _fault("id", where, "ids are whole numbers, each greater than the one before")
        else:
            last = raw["id"]
        nested = raw.get("auto_actions") or []
        if not isinstance(nested, list):
            yield _fault("auto_actions", where, "automatic actions are a list")
            continue
        for place, automatic in enumerate(nested):
            yield from action_faults(automatic, f"{where}.auto_actions[{place}]")


def action_faults(raw: Any, path: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of an action (FMT §B1); the fields of its type
    are checked when it is read."""
    if not isinstance(raw, Mapping):
        yield Fault("FIELD_MALFORMED", path, "an action is an object")
        return
    if not isinstance(raw.get("type"), str):
        yield _fault("type", path, "an action has a type")
    if not (isinstance(raw.get("entity"), str) or _whole(raw.get("entity"))):
        yield _fault("entity", path, "an action has an entity: a number or letters")
    if not isinstance(raw.get("entity_type"), str):
        yield _fault("entity_type", path, "an action says of which kind its entity is")
    if raw.get("action_id") is not None and not _whole(raw["action_id"]):
        yield _fault("action_id", path, "an id is a whole number")
    routes = raw.get("routes")
    for number, route in enumerate(routes if isinstance(routes, list) else ()):
        if isinstance(route, Mapping):
            yield from _route_faults(route, f"{path}.routes[{number}]")


def _route_faults(route: Mapping[str, Any], path: str) -> Iterator[Fault]:
    for field in ("train", "revenue_str"):
        if not isinstance(route.get(field) or "", str):
            yield _fault(field, path, f"the {field} of a route is a text")
    for field in ("revenue", "subsidy"):
        amount = route.get(field)
        if amount is not None and not (_whole(amount) and 0 <= amount <= MOST_REVENUE):
            message = f"the {field} of a route is a whole number of £, at most {MOST_REVENUE}"
            yield _fault(field, path, message)
