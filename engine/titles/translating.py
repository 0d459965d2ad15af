"""From the options of ``options.json`` to declared options of the project.

Both say the same things; the project's form says more closely what is fixed text
there. What an option says in prose only is not translated: a supplement says it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import Fault

Raw = dict[str, Any]

DROPPED: Mapping[str, tuple[str, ...]] = {
    "ability": ("of", "x_multiplier"),
    "best_of_chosen": ("count", "of"),
    "best_route_all_hexes": ("of", "look", "once_per", "each", "x_multiplier"),
    "compulsory_first": ("slot", "rest"),
    "corporation_rule": ("needs_own_token", "end_in", "needs"),
    "destination_end": ("single_hex", "not_while_marked_by_own"),
    "double": ("once",),
    "attached": ("state", "per", "x_multiplier", "after_scale"),
    "longest": ("per",),
    "must_run": ("when", "ends"),
    "pullman": ("stop_of_another_route",),
    "run_add": ("revenue_change",),
    "subsidy": ("per",),
    "town_end_counts_as": ("slot",),
    "town_if_slot_left": ("slot",),
    "track_classes": ("by",),
    "visited_only": ("pay", "must_pay"),
    "zero_stop_forbidden": ("of",),
    "connection_bonus": ("once_per",),
}
"""Keys that say what the option always means."""

MEANT: Mapping[str, Mapping[str, Any]] = {
    "ability": {"x_multiplier": False},
    "best_route_all_hexes": {
        "look": "visited",
        "once_per": "run",
        "each": True,
        "x_multiplier": False,
    },
    "attached": {"per": "stop", "x_multiplier": True, "after_scale": True},
    "destination_end": {"single_hex": True, "not_while_marked_by_own": True},
    "track_classes": {"by": "name_has"},
    "zero_stop_forbidden": {"of": "paying"},
    "subsidy": {"per": "route"},
    "visited_only": {"pay": 2},
}
"""The values that dropped keys must have, where others could be meant."""

RENAMED: Mapping[str, Mapping[str, str]] = {
    "border_costs_stop": {"as": "cost_as"},
    "destination_end": {"ability": "ability_type"},
    "kind": {"as": "counts_as"},
    "least_paying": {"trains_name_ends": "name_ends"},
    "never_blocked": {"flag": "holder_flag"},
    "not_both": {"paying": "of"},
    "permission": {"flag": "holder_flag"},
    "run_minus_least": {"ability": "ability_type"},
    "stop_forbidden": {"trains_name_ends": "name_ends"},
    "token_penalty": {"corporation": "token_of"},
}

OF_COMPANY = ("company", "owner_company", "corporation", "corporation_type", "ability", "flag")
"""Keys that say something of the company that runs, where others say it of a stop."""

COUNTS = {
    "visited": "visited",
    "city": "city",
    "min(first slot pay, visited)": "paying_places",
    "different frame colours of the hexes of visited stops": "frames",
}
AMOUNTS = ("icons", "max_stop", "max_other_stop", "hex_bonus")
NOT_IN_REVENUE = ("run_extra",)
"""Options that pay nothing into the revenue of a run; they are left out."""


def translate(
    options: Sequence[Any], setup: Mapping[str, Any]
) -> tuple[list[Raw], Raw, list[Fault]]:
    """Translate options.

    Parameters
    ----------
    setup
        The set-up tables, with the constants of the title.

    Returns
    -------
    declared, facts, faults
        Options in the project's form; what goes into ``title.json``; what is wrong.
    """
    declared: list[Raw] = []
    facts: Raw = {}
    faults: list[Fault] = []
    for number, raw in enumerate(options):
        where = f"options.json/declared[{number}]"
        if not isinstance(raw, dict) or not isinstance(raw.get("op"), str):
            faults.append(Fault("OPTION_BROKEN", where, "an option is an object with a key op"))
        elif raw["op"] == "gauge" and raw.get("ignored"):
            facts["any_gauge"] = True
        elif raw["op"] in NOT_IN_REVENUE:
            missing = facts.setdefault("not_modelled", [])
            missing.append(f"{raw['op']}: money that is booked beside the revenue of a run")
        else:
            try:
                declared.append(_option(raw, setup))
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                message = f"option {raw['op']} is not understood: {error!r}"
                faults.append(Fault("OPTION_BROKEN", where, message))
    return declared, facts, faults


def _option(raw: Raw, setup: Mapping[str, Any]) -> Raw:
    op = raw["op"]
    names = RENAMED.get(op, {})
    option = {
        names.get(key, key): value if key == "op" else _selectors(value)
        for key, value in raw.items()
        if key not in DROPPED.get(op, ())
    }
    _check_dropped(raw)
    amount = option.get("amount")
    if isinstance(amount, dict) and "by_flag" in amount:
        option["amount"] = _by_flag(amount)
    special = SPECIAL.get(op)
    return special(option, setup) if special else option


def _check_dropped(raw: Raw) -> None:
    """What an option always means must be what it says."""
    for key, meant in MEANT.get(raw["op"], {}).items():
        if raw.get(key, meant) != meant:
            raise ValueError(f"{key} is {raw[key]!r}, which has no meaning here")


def _selectors(value: Any) -> Any:
    """Words that stand for selectors become objects, wherever they stand."""
    if isinstance(value, list):
        return [_selectors(each) for each in value]
    if value == "own_city":
        return {"own_city": True}
    if value == "all":
        return {}
    if isinstance(value, dict) and value.get("own_city") is True:
        return dict(value)
    return value


def _set(option: Raw, setup: Mapping[str, Any]) -> Raw:
    amount = option.get("amount")
    if amount in AMOUNTS:
        option["amount"] = {"of": amount}
    return option


def _by_flag(amount: Raw) -> Raw:
    return {
        "by_flag": amount["by_flag"],
        "with_flag": amount["with"],
        "without_flag": amount["without"],
    }


def _first_of(option: Raw, setup: Mapping[str, Any]) -> Raw:
    parts = [_set({k: v for k, v in o.items() if k != "op"}, setup) for o in option["options"]]
    return {**option, "options": parts}


def _longest(option: Raw, setup: Mapping[str, Any]) -> Raw:
    if "count" in option:
        option["count"] = COUNTS[option["count"]]
    return option


def _hex_once(option: Raw, setup: Mapping[str, Any]) -> Raw:
    if option.get("kinds") == {}:
        del option["kinds"]
    return option


def _token_penalty(option: Raw, setup: Mapping[str, Any]) -> Raw:
    unless = option.pop("in_hex_unless", {})
    if unless:
        option["unless_company"] = unless["owner_company"]
        option["unless_marker"] = unless["marker"]
    return option


def _border(option: Raw, setup: Mapping[str, Any]) -> Raw:
    free = option.pop("free_if_name_has", {})
    if free:
        ((option["free_name_has"], number),) = free.items()
        if number != 1:
            raise ValueError(f"{number} free borders")
    return option


def _candidates(option: Raw, setup: Mapping[str, Any]) -> Raw:
    if option.pop("best") != "distance.pay":
        raise ValueError("best of something else than distance.pay")
    option["by_value"] = option.pop("by", "") == "value"
    if option.get("own_token") != "visited":
        option.pop("own_token", None)
    return option


def _run_add(option: Raw, setup: Mapping[str, Any]) -> Raw:
    if option["of"] == "ability_bonus_revenue":
        option["of"] = "ability_totals"
    return option


def _corporation_rule(option: Raw, setup: Mapping[str, Any]) -> Raw:
    return {**option, "laid_flag": "laid_this_turn"}


def _no_route_test(option: Raw, setup: Mapping[str, Any]) -> Raw:
    return {**option, "op": "route_test_off"}


def _connection(option: Raw, setup: Mapping[str, Any]) -> Raw:
    """``{"A21": {"edge_0": "A19"}}``: the stop of A21 at edge 0 belongs to the place of A19."""
    places = [list(place) for place in option["red_places"]]
    for hex_id in [key for key, value in option.items() if isinstance(value, dict)]:
        for edge, first in option.pop(hex_id).items():
            for place in places:
                if place[0] == first:
                    place[place.index(hex_id)] = f"{hex_id}:{edge.removeprefix('edge_')}"
    return {**option, "red_places": places}


def _corp_destination(option: Raw, setup: Mapping[str, Any]) -> Raw:
    """Destinations stand in the constants of the set-up, by board."""
    constants = setup.get("constants", {})
    table: dict[str, list[list[Any]]] = {}
    for name, goals in constants.items():
        match = re.fullmatch(r"DESTINATION_HEX(?:ES)?_(\w+)", name)
        if match and isinstance(goals, dict):
            amounts = constants.get(f"DESTINATION_BONUS_{match.group(1)}", {})
            for corporation, goal in goals.items():
                hexes = [goal] if isinstance(goal, str) else goal
                amount = amounts[corporation]
                table.setdefault(corporation, []).extend([h, amount] for h in hexes)
    return {**option, "table": table}


def _zero_needs(option: Raw, setup: Mapping[str, Any]) -> Raw:
    """What is said of the company stays; what is said of a stop becomes a selector."""
    found = []
    for each in option["any"]:
        kept = {key: value for key, value in each.items() if key in OF_COMPANY}
        stop = {key: value for key, value in each.items() if key not in OF_COMPANY}
        found.append({**kept, **({"stop": stop} if stop else {})})
    return {**option, "any": found}


SPECIAL: Mapping[str, Callable[[Raw, Mapping[str, Any]], Raw]] = {
    "set": _set,
    "zero_stop_needs": _zero_needs,
    "first_of": _first_of,
    "longest": _longest,
    "hex_once": _hex_once,
    "token_penalty": _token_penalty,
    "border_costs_stop": _border,
    "candidates": _candidates,
    "run_add": _run_add,
    "corporation_rule": _corporation_rule,
    "no_route_test": _no_route_test,
    "connection_bonus": _connection,
    "corp_destination": _corp_destination,
}
