"""From the objects of ``rules.json`` to options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from engine.declared import options
from engine.declared.options import Amount, Option, When
from engine.errors import Fault, StateError
from engine.titles.title import Title


@cache
def option_types() -> Mapping[str, type[Option]]:
    """Return the options by the name that ``op`` gives them."""
    return {
        re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): kind
        for name, kind in vars(options).items()
        if inspect.isclass(kind) and issubclass(kind, Option) and kind is not Option
    }


def options_of(title: Title) -> tuple[Option, ...]:
    """Return the options that a title declares.

    Raises
    ------
    StateError
        Options are malformed; all faults are listed.
    """
    known: tuple[Option, ...] = title.kept("options", lambda: _load(title))
    return known


def _load(title: Title) -> tuple[Option, ...]:
    found: list[Option] = []
    faults: list[Fault] = []
    for number, raw in enumerate(title.data("rules.json")["declared"]):
        where = f"rules.json/declared[{number}]"
        option, wrong = option_from(raw, where)
        faults.extend(wrong)
        if option is not None:
            found.append(_cited(option, title))
    if faults:
        raise StateError(faults)
    return tuple(found)


CHAPTERS = {"legal": 2, "paid": 3, "choice": 3, "run": 4}
"""The chapter of a title's rules in which options of each module are said: routes, pay, run."""


def _cited(option: Option, title: Title) -> Option:
    """An option that names no section is cited by the chapter where such rules stand."""
    if option.when.section:
        return option
    chapter = CHAPTERS[type(option).__module__.rpartition(".")[2]]
    section = f"{title.folder.name} §{chapter}"
    return replace(option, when=replace(option.when, section=section))


def option_from(raw: Any, where: str) -> tuple[Option | None, tuple[Fault, ...]]:
    """Return an option, or None and what is wrong with its object.

    Parameters
    ----------
    where
        Path of the object, for faults.
    """
    said = raw.get("op") if isinstance(raw, Mapping) else raw
    if not isinstance(raw, Mapping) or not isinstance(said, str) or said not in option_types():
        known = ", ".join(option_types())
        message = f"there is no option {said!r}; there are {known}"
        return None, (Fault("OPTION_UNKNOWN", f"{where}/op", message),)
    kind = option_types()[said]
    faults: list[Fault] = []
    value = _object(kind, {k: v for k, v in raw.items() if k != "op"}, where, faults)
    return (None, tuple(faults)) if faults else (value, ())


def _object(kind: type, raw: Mapping[str, Any], where: str, faults: list[Fault]) -> Any:
    """Build a dataclass from an object; keys of :class:`When` go into its field `when`."""
    hints = get_type_hints(kind)
    own = {each.name for each in fields(kind)} - {"when"}
    shared = {each.name for each in fields(When)} - own if issubclass(kind, Option) else set()
    values: dict[str, Any] = {}
    common: dict[str, Any] = {}
    for key, value in raw.items():
        if key in own:
            values[key] = _value(hints[key], value, f"{where}/{key}", faults)
        elif key in shared:
            hint = get_type_hints(When)[key]
            common[key] = _value(hint, value, f"{where}/{key}", faults)
        else:
            faults.append(Fault("KEY_UNKNOWN", f"{where}/{key}", "nothing has this name here"))
    for each in fields(kind):
        free = each.default is not MISSING or each.default_factory is not MISSING
        if each.name not in values and not free:
            faults.append(Fault("KEY_MISSING", f"{where}/{each.name}", "this is needed"))
    if faults:
        return None
    if common:
        values["when"] = When(**common)
    return kind(**values)


def _value(hint: Any, raw: Any, where: str, faults: list[Fault]) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (real,) = [each for each in inner if each is not NoneType]
        return None if raw is None else _value(real, raw, where, faults)
    if hint is Amount and isinstance(raw, int):
        return Amount(fixed=raw)
    if is_dataclass(hint) and isinstance(hint, type):
        if isinstance(raw, Mapping):
            return _object(hint, raw, where, faults)
        faults.append(Fault("SHAPE_WRONG", where, f"an object is needed, not {raw!r}"))
        return None
    if origin is tuple:
        return _tuple(inner, raw, where, faults)
    if origin is not None and issubclass(origin, Mapping):
        if isinstance(raw, Mapping):
            return {k: _value(inner[1], v, f"{where}/{k}", faults) for k, v in raw.items()}
        faults.append(Fault("SHAPE_WRONG", where, f"an object is needed, not {raw!r}"))
        return None
    if isinstance(raw, hint) and not (hint is int and isinstance(raw, bool)):
        return raw
    faults.append(Fault("SHAPE_WRONG", where, f"{hint.__name__} is needed, not {raw!r}"))
    return None


def _tuple(inner: Sequence[Any], raw: Any, where: str, faults: list[Fault]) -> Any:
    if not isinstance(raw, list):
        faults.append(Fault("SHAPE_WRONG", where, f"a list is needed, not {raw!r}"))
        return ()
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_value(inner[0], each, f"{where}[{n}]", faults) for n, each in enumerate(raw))
    if len(raw) != len(inner):
        faults.append(Fault("SHAPE_WRONG", where, f"{len(inner)} items are needed"))
        return ()
    pairs = zip(inner, raw, strict=True)
    return tuple(_value(one, each, f"{where}[{n}]", faults) for n, (one, each) in enumerate(pairs))
