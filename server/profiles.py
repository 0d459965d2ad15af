"""Rules profiles with single differences read otherwise."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engine.errors import Fault, StateError
from engine.games.game import Game
from engine.routing.rules import RulesProfile


@dataclass(frozen=True)
class ProfileChoice:
    """A profile by name, and differences to read otherwise.

    Parameters
    ----------
    name
        Name of the profile; empty for the game's first.
    overrides
        By name of a difference its value as JSON knows it: bool, float or int,
        str, list of str.
    """

    name: str = ""
    overrides: Mapping[str, Any] = field(default_factory=dict)


def differences(profile: RulesProfile) -> Iterator[tuple[str, Any]]:
    """Yield name and value of every difference that a profile settles."""
    for known in dataclasses.fields(profile):
        if known.name != "name":
            yield known.name, getattr(profile, known.name)


def plain(value: Any) -> Any:
    """Return the value of a difference as JSON knows it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (frozenset, set)):
        return sorted(plain(item) for item in value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def choose_profile(game: Game, choice: ProfileChoice) -> RulesProfile:
    """Return the profile that a choice means.

    Raises
    ------
    StateError
        The game has no such profile (PROFILE_UNKNOWN) or difference
        (OVERRIDE_UNKNOWN), or a value has the wrong type (OVERRIDE_TYPE).
    """
    profile = game.profiles.get(choice.name or next(iter(game.profiles)))
    if profile is None:
        known = ", ".join(game.profiles)
        message = f"{game.title} has no rules profile {choice.name!r}; it has {known}"
        raise StateError([Fault("PROFILE_UNKNOWN", "profile.name", message)])
    settled = dict(differences(profile))
    changed: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, value in sorted(choice.overrides.items()):
        path = f"profile.overrides[{name}]"
        if name not in settled:
            known = ", ".join(settled) or "none"
            message = f"{game.title} knows no difference {name!r}; it knows {known}"
            faults.append(Fault("OVERRIDE_UNKNOWN", path, message))
            continue
        try:
            changed[name] = _typed(value, settled[name])
        except (TypeError, ValueError) as error:
            faults.append(Fault("OVERRIDE_TYPE", path, str(error)))
    if faults:
        raise StateError(faults)
    return dataclasses.replace(profile, **changed) if changed else profile


def _typed(value: Any, like: Any) -> Any:
    """Return `value` as the type of `like`; TypeError or ValueError if it is not one."""
    if isinstance(like, Enum):
        return _member(type(like), value)
    if isinstance(like, (tuple, frozenset)):
        if not isinstance(value, list):
            raise TypeError(f"the value is a list of strings, not {value!r}")
        return type(like)(value)
    if isinstance(like, bool) or not isinstance(like, int):
        if type(value) is not type(like):
            kind = "true or false" if isinstance(like, bool) else "a string"
            raise TypeError(f"the value is {kind}, not {value!r}")
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise TypeError(f"the value is a whole number, not {value!r}")
    return int(value)


def _member(kind: type[Enum], value: Any) -> Enum:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(repr(member.value) for member in kind)
        raise ValueError(f"the value is one of {known}, not {value!r}") from None
