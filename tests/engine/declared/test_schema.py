"""The JSON Schema of ``rules.json`` says what the options say, no more and no less."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.declared.parsing import option_from, option_types
from engine.declared.schema import FILE, written

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = json.loads(FILE.read_text("utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_that_is_written_is_that_of_the_options() -> None:
    """Options and schema cannot drift: ``python -m engine.declared.schema`` writes it anew."""
    assert FILE.read_text("utf-8") == written()
    Draft202012Validator.check_schema(SCHEMA)
    assert set(option_types()) <= set(SCHEMA["$defs"])


def test_the_rules_of_all_titles_have_this_form() -> None:
    """Every option that a title of the project declares fits the schema."""
    found = 0
    for path in sorted((ROOT / "engine" / "titles" / "data").glob("*/rules.json")):
        content = json.loads(path.read_text("utf-8"))
        assert [error.message for error in VALIDATOR.iter_errors(content)] == [], path.parent.name
        found += len(content["declared"])
    assert found > 100


@pytest.mark.parametrize(
    "option",
    [
        {"op": "magic"},
        {"op": "marker", "marker": "MPC"},
        {"op": "marker", "marker": 3, "amount": 10},
        {"op": "marker", "marker": "MPC", "amount": 10, "colour": "red"},
        {"op": "marker", "marker": "MPC", "amount": {"by": 10}},
        {"op": "set", "all": {"group": "E"}, "amount": 10},
        {"op": "set", "all": [{"groups": "E"}], "amount": 10},
        {"op": "longest", "company": "MAIL", "amount": 10},
        {"op": "marker", "marker": "MPC", "amount": {"by_phase": {"2": 10}}, "trains": ["2"]},
    ],
)
def test_schema_and_parser_agree(option: dict[str, Any]) -> None:
    """What the parser of options refuses the schema refuses, and what it takes, too."""
    _, faults = option_from(option, "option")
    fits = VALIDATOR.is_valid({"declared": [option]})
    assert fits == (not faults)
