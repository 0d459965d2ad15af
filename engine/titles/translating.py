"""From the options of ``options.json`` to declared options of the project.

Both say the same things; the project's form names them more closely.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.errors import Fault


def translate(
    options: Sequence[Any],
) -> tuple[list[dict[str, Any]], dict[str, Any], list[Fault]]:
    """Translate options.

    Returns
    -------
    declared, facts, faults
        Options in the project's form; what goes into ``title.json``; what is wrong.
    """
    declared: list[dict[str, Any]] = []
    facts: dict[str, Any] = {}
    faults: list[Fault] = []
    for number, raw in enumerate(options):
        if not isinstance(raw, dict) or not isinstance(raw.get("op"), str):
            where = f"options.json/declared[{number}]"
            faults.append(Fault("OPTION_BROKEN", where, "an option is an object with a key op"))
        elif raw["op"] == "gauge" and raw.get("ignored"):
            facts["any_gauge"] = True
        else:
            declared.append(dict(raw))
    return declared, facts, faults
