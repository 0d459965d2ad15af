"""The JSON Schema of ``rules.json``, made from the dataclasses of the options.

``python -m engine.declared.schema`` writes it; a test compares what is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from engine.declared.options import Amount, Option, When
from engine.declared.parsing import option_types

FILE = Path(__file__).resolve().parents[1] / "titles" / "schema" / "rules.json"
SIMPLE: Mapping[Any, dict[str, str]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
}


def rules_schema() -> dict[str, Any]:
    """Return the schema: one definition for each option, and for what options consist of."""
    definitions: dict[str, Any] = {}
    for name, kind in option_types().items():
        definitions[name] = _option(name, kind, definitions)
    options = [{"$ref": f"#/$defs/{name}"} for name in option_types()]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a title declares beyond the common rules",
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "declared": {"type": "array", "items": {"oneOf": options}},
        },
        "additionalProperties": False,
        "required": ["declared"],
        "$defs": dict(sorted(definitions.items())),
    }


def _option(name: str, kind: type[Option], definitions: dict[str, Any]) -> dict[str, Any]:
    own = _object(kind, definitions, without=("when",))
    shared = _object(When, definitions)["properties"]
    return {
        **own,
        "properties": {"op": {"const": name}, **shared, **own["properties"]},
        "required": ["op", *own["required"]],
    }


def _object(
    kind: type, definitions: dict[str, Any], without: tuple[str, ...] = ()
) -> dict[str, Any]:
    hints = get_type_hints(kind)
    assert is_dataclass(kind)
    own = [each for each in fields(kind) if each.name not in without]
    needed = [
        each.name for each in own if each.default is MISSING and each.default_factory is MISSING
    ]
    return {
        "type": "object",
        "properties": {each.name: _value(hints[each.name], definitions) for each in own},
        "additionalProperties": False,
        "required": needed,
    }


def _value(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a field by its type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (real,) = [each for each in inner if each is not NoneType]
        return {"anyOf": [_value(real, definitions), {"type": "null"}]}
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _value(inner[0], definitions)}
    if origin is tuple:
        items = [_value(each, definitions) for each in inner]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _value(inner[1], definitions)}
    if hint in SIMPLE:
        return dict(SIMPLE[hint])
    return _named(hint, definitions)


def _named(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a reference to what options consist of: a selector, an amount."""
    name = kind.__name__
    if name not in definitions:
        definitions[name] = {}  # so that a class that has itself within ends
        definitions[name] = _object(kind, definitions)
    reference = {"$ref": f"#/$defs/{name}"}
    return {"anyOf": [{"type": "integer"}, reference]} if kind is Amount else reference


def written() -> str:
    """Return the schema as it is written."""
    return json.dumps(rules_schema(), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), "utf-8")
