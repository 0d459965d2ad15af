"""Records: dataclasses that can be cloned cheaply and written as JSON.

The state of a game is one record. Its fields are immutable values, mutable
records, or dictionaries of either, so that a clone copies two levels at most
and shares everything else. The kind of a field is read from its annotation.

A record may stand where a field names its base class; it is then written with
the name of its class, and of its game if it belongs to one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

R = TypeVar("R")

TRANSIENT = {"transient": True}
"""Metadata of a field that is a cache: shared by clones, never written."""

_KEPT: dict[type[Any], tuple[tuple[Field[Any], Any], ...]] = {}
_COPIED: dict[type[Any], tuple[tuple[str, Callable[[Any], Any]], ...]] = {}


def _mutable_record(kind: Any) -> bool:
    return is_dataclass(kind) and not kind.__dataclass_params__.frozen  # type: ignore[union-attr]


def _kept(cls: type[Any]) -> tuple[tuple[Field[Any], Any], ...]:
    """The fields of a record that are part of it, with their types."""
    known = _KEPT.get(cls)
    if known is None:
        hints = get_type_hints(cls)
        listed: tuple[Field[Any], ...] = fields(cls)
        known = tuple((field, hints[field.name]) for field in listed if not field.metadata)
        _KEPT[cls] = known
    return known


def _copied(cls: type[Any]) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """The fields that a clone may not share, with the function that copies them."""
    known = _COPIED.get(cls)
    if known is None:
        known = _COPIED[cls] = tuple(_copiers(cls))
    return known


def _copiers(cls: type[Any]) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for field, kind in _kept(cls):
        if get_origin(kind) is dict:
            deep = _mutable_record(get_args(kind)[1])
            yield field.name, _clone_values if deep else dict
        elif _mutable_record(kind):
            yield field.name, clone


def _clone_values(table: dict[Any, Any]) -> dict[Any, Any]:
    return {key: clone(value) for key, value in table.items()}


def clone(record: R) -> R:
    """Return a copy of a record that shares only what cannot change."""
    cls: type[Any] = type(record)
    new: R = object.__new__(cls)
    values = new.__dict__
    values.update(record.__dict__)
    for name, copy in _copied(cls):
        values[name] = copy(values[name])
    return new


def share(new: R, old: R) -> R:
    """Let a changed clone have again what has not changed; return it.

    Parameters
    ----------
    new
        A clone of `old`, changed since; its tables of records get back those of
        `old` that are equal, so that a long past takes little memory and few
        objects, which Python's garbage collector would look at again and again.
    """
    before = old.__dict__
    for field, copy in _copied(type(new)):
        if copy is not _clone_values:
            continue
        kept, table = before[field], new.__dict__[field]
        for key, record in table.items():
            known = kept.get(key)
            if known is not None and type(known) is type(record) and vars(known) == vars(record):
                table[key] = known
    return new


def dump(value: Any) -> Any:
    """Return a record, or a value of one, in the terms of JSON."""
    if value is None or isinstance(value, str | int | float):
        return value
    if is_dataclass(value):
        cls: type[Any] = type(value)
        written = {field.name: dump(getattr(value, field.name)) for field, _ in _kept(cls)}
        return {"record": _name(cls), **written}
    if isinstance(value, dict):
        return [[dump(key), dump(item)] for key, item in value.items()]
    if isinstance(value, frozenset):
        return sorted(dump(item) for item in value)
    return [dump(item) for item in value]


def load(kind: Any, written: Any) -> Any:
    """Return the value of type `kind` that :func:`dump` wrote.

    Raises
    ------
    ValueError
        The text names a record that does not exist or lacks one of its fields.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if written is None or kind in (str, int, float, bool):
        return written
    if is_dataclass(kind) and isinstance(kind, type):
        return _load_record(kind, written)
    if origin in (Union, UnionType):
        (only, *others) = [option for option in inner if option is not NoneType]
        return written if others else load(only, written)
    if origin is dict:
        return {load(inner[0], key): load(inner[1], item) for key, item in written}
    if origin is frozenset:
        return frozenset(load(inner[0], item) for item in written)
    if origin is tuple and inner[-1] is Ellipsis:
        return tuple(load(inner[0], item) for item in written)
    return _load_tuple(kind, inner, written)


def _load_tuple(kind: Any, inner: tuple[Any, ...], written: Any) -> Any:
    if inner:
        return tuple(load(part, item) for part, item in zip(inner, written, strict=True))
    parts = get_type_hints(kind).values()
    return kind(*(load(part, item) for part, item in zip(parts, written, strict=True)))


def _family(kind: type[Any]) -> Iterator[type[Any]]:
    yield kind
    for heir in kind.__subclasses__():
        yield from _family(heir)


def _name(cls: type[Any]) -> str:
    """The name under which a record is written; games may use the same words for theirs."""
    above, _, module = cls.__module__.partition("engine.games.")
    return f"{module.partition('.')[0]}.{cls.__name__}" if module and not above else cls.__name__


def _load_record(kind: type[Any], written: Any) -> Any:
    name = written["record"]
    cls: type[Any] | None = next((h for h in _family(kind) if _name(h) == name), None)
    if cls is None:
        raise ValueError(f"there is no record {name!r} of the kind {kind.__name__}")
    missing = [field.name for field, _ in _kept(cls) if field.name not in written]
    if missing:
        raise ValueError(f"the record {name} lacks {', '.join(missing)}")
    return cls(**{field.name: load(hint, written[field.name]) for field, hint in _kept(cls)})
