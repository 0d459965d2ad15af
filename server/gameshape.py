"""Is a text that claims to be a game file one? Types and required keys, entry by entry.

Only the shape is looked at, so that a replay need not expect nonsense; whether
an entry is legal is the game's affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.errors import Fault
from engine.notation.gamefile import is_silent

MOST_ENTRIES = 20_000
MOST_PLAYERS = 12
MOST_ID = 200
"""Longest id of a game, in characters."""
MOST_NUMBER = 10**12
"""Larger than any id of an entry and any seed."""
MOST_INT32 = 2**31 - 1
"""Largest id of a player and largest score: answers have no room for more."""
MOST_REVENUE = 10_000
"""More than a route of these games can pay, in £; a replay pays what is recorded."""


def file_faults(content: Mapping[str, Any], path: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of a game file (FMT §A1)."""
    if not isinstance(content.get("title"), str):
        yield _fault("title", path, "a file has a title")
    yield from _players_faults(content.get("players"), path)
    yield from _settings_faults(content.get("settings"), path)
    yield from _result_faults(content, path)
    game_id = content.get("id")
    if not (game_id is None or _whole(game_id) or _text(game_id, MOST_ID)):
        yield _fault("id", path, f"an id is a number or a text of at most {MOST_ID} characters")
    if not isinstance(content.get("game_end_reason") or "", str):
        yield _fault("game_end_reason", path, "a reason is a text")
    yield from _log_faults(content.get("actions"), f"{path}.actions")


def _fault(field: str, path: str, message: str) -> Fault:
    return Fault("FIELD_MALFORMED", f"{path}.{field}", message)


def _whole(value: Any, most: int = MOST_NUMBER) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= most


def _text(value: Any, most: int) -> bool:
    return isinstance(value, str) and len(value) <= most


def _written(value: Any, most: int) -> bool:
    """Tell whether a text is a number of at most `most`."""
    return _text(value, len(str(most))) and value.isdecimal() and int(value) <= most


def _players_faults(players: Any, path: str) -> Iterator[Fault]:
    """Yield what is wrong with the players, in the three forms that they have (FMT §A1)."""
    if not isinstance(players, list | Mapping) or len(players) > MOST_PLAYERS:
        message = f"a file has a list of at most {MOST_PLAYERS} players"
        yield _fault("players", path, message)
    elif isinstance(players, Mapping):
        for key, name in players.items():
            if not isinstance(name, str) or (key.isdecimal() and not _written(key, MOST_INT32)):
                yield _fault(f"players.{key}", path, "a player has an id and a name")
    else:
        for number, raw in enumerate(players):
            yield from _player_faults(raw, f"{path}.players[{number}]")


def _player_faults(raw: Any, path: str) -> Iterator[Fault]:
    if isinstance(raw, str):
        return
    if not isinstance(raw, Mapping) or not isinstance(raw.get("name"), str):
        yield Fault("FIELD_MALFORMED", path, "a player has a name")
    elif raw.get("id") is not None and not _whole(raw["id"], MOST_INT32):
        yield _fault("id", path, "the id of a player is a number")


def _settings_faults(settings: Any, path: str) -> Iterator[Fault]:
    if settings is None:
        return
    if not isinstance(settings, Mapping):
        yield _fault("settings", path, "settings are an object")
        return
    seed = settings.get("seed")
    if not (seed in (None, "") or _whole(seed) or _written(seed, MOST_NUMBER)):
        yield _fault("settings.seed", path, "a seed is a whole number")
    options = settings.get("optional_rules") or []
    if not (isinstance(options, list) and all(isinstance(option, str) for option in options)):
        yield _fault("settings.optional_rules", path, "optional rules are a list of names")


def _result_faults(content: Mapping[str, Any], path: str) -> Iterator[Fault]:
    result = content.get("result") or {}
    whole = isinstance(result, Mapping) and all(
        _whole(score, MOST_INT32) for score in result.values()
    )
    if not whole:
        yield _fault("result", path, "a result has a whole number for each player")
        return
    players = content.get("players")
    if not isinstance(players, list | Mapping):
        return
    listed = [*players, *players.values()] if isinstance(players, Mapping) else players
    names = [raw.get("name") if isinstance(raw, Mapping) else raw for raw in listed]
    names += [str(raw.get("id")) for raw in listed if isinstance(raw, Mapping)]
    for who in result:
        if not _written(who, MOST_INT32) and who not in names:
            yield _fault("result", path, f"there is no player {who!r}")


def _log_faults(entries: Any, path: str) -> Iterator[Fault]:
    if not isinstance(entries, list) or len(entries) > MOST_ENTRIES:
        message = f"a file has a list of at most {MOST_ENTRIES} actions"
        yield Fault("FIELD_MALFORMED", path, message)
        return
    last = None
    for number, raw in enumerate(entries):
        where = f"{path}[{number}]"
        faults = list(_entry_faults(raw, where))
        yield from faults
        if faults:
            continue
        if not _whole(raw.get("id")) or (last is not None and raw["id"] <= last):
            yield _fault("id", where, "ids are whole numbers, each greater than the one before")
        else:
            last = raw["id"]
        yield from nested_faults(raw, where)


def nested_faults(raw: Mapping[str, Any], path: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of the automatic actions of an action (FMT §B7.1)."""
    nested = raw.get("auto_actions") or []
    if not isinstance(nested, list):
        yield _fault("auto_actions", path, "automatic actions are a list")
        return
    for place, automatic in enumerate(nested):
        yield from _entry_faults(automatic, f"{path}.auto_actions[{place}]")


def _entry_faults(raw: Any, path: str) -> Iterator[Fault]:
    """Yield what is wrong with the shape of an entry of a log: where its type is one that is
    not played, nobody asks who made it."""
    kind = raw.get("type") if isinstance(raw, Mapping) else None
    if not isinstance(kind, str) or not (kind in ("undo", "redo") or is_silent(kind)):
        yield from action_faults(raw, path)
    elif raw.get("action_id") is not None and not _whole(raw["action_id"]):
        yield _fault("action_id", path, "an id is a whole number")


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
