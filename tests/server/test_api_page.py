"""docs/api.md says what the API is: every field, every code, examples that work."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bradshaw.v1 import (
    board_pb2,
    game_pb2,
    game_service_pb2,
    play_pb2,
    route_service_pb2,
    run_pb2,
    telemetry_service_pb2,
)
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict

from engine.routing.position import MOST_TRAINS
from server.asking import StatusError
from server.cli import parser
from server.client import LocalClient
from server.convert.requests import (
    MOST_ENTRIES,
    MOST_PATHS,
    MOST_ROUTES,
    MOST_STOPS,
    MOST_TILES,
    MOST_TOKENS,
)
from server.convert.statuses import CODES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
EXAMPLES = PAGE.split("## Worked examples")[1].split("\n## ")[0]
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", EXAMPLES, re.DOTALL)]
FILES = (
    board_pb2,
    game_pb2,
    game_service_pb2,
    play_pb2,
    route_service_pb2,
    run_pb2,
    telemetry_service_pb2,
)
CODE = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"')
SOURCES = (
    "engine/board",
    "engine/declared",
    "engine/games",
    "engine/routing",
    "engine/titles",
    "optimizer",
    "server",
)
ELSEWHERE = ("play", "notation")
"""Folders whose codes are no part of this API."""


def fields() -> list[FieldDescriptor]:
    """Return every field of every message that is sent."""
    return [
        field
        for file in FILES
        for message in file.DESCRIPTOR.message_types_by_name.values()
        for field in message.fields
    ]


@pytest.mark.parametrize("field", fields(), ids=lambda field: field.full_name)
def test_every_field_is_on_the_page(field: FieldDescriptor) -> None:
    """By its name, as code."""
    assert f"`{field.name}`" in PAGE


def test_every_method_is_on_the_page() -> None:
    """With its request and response."""
    services = (
        route_service_pb2.DESCRIPTOR.services_by_name["RouteService"],
        game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
    )
    for method in (method for service in services for method in service.methods):
        assert f"| `{method.name}` | `{method.input_type.name}` |" in PAGE


def codes() -> dict[str, str]:
    """Return every code that the sources name as a string, with one place."""
    found: dict[str, str] = {}
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*.py"):
            if not set(path.parts) & set(ELSEWHERE):
                for code in CODE.findall(path.read_text("utf-8")):
                    found.setdefault(code, str(path.relative_to(ROOT)))
    return found


def test_every_code_is_on_the_page() -> None:
    """A new fault needs a line in the table of its kind."""
    missing = {code: place for code, place in codes().items() if f"`{code}`" not in PAGE}
    assert not missing


def test_no_code_is_made_up() -> None:
    """Every code of the tables is one that a source names."""
    tables = PAGE.split("### Fault codes")[1].split("\n## ")[0]
    listed = set(re.findall(r"`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`", tables))
    assert listed <= codes().keys() | {kind.code for kind, _ in CODES}


def test_every_limit_is_on_the_page() -> None:
    """As the conversion enforces it."""
    limits = " ".join(PAGE.split())
    assert f"{MOST_TILES} tiles, {MOST_TOKENS} tokens, {MOST_TRAINS} trains, " in limits
    assert f"trains, {MOST_ROUTES} routes" in limits
    assert f"{MOST_STOPS} stops a route, {MOST_PATHS} paths a leg, {MOST_ENTRIES} entries" in limits


def test_every_option_of_the_command_line_is_on_the_page() -> None:
    """Of all commands."""
    (commands,) = (action for action in parser()._actions if action.choices)
    for name, command in dict(commands.choices or {}).items():
        assert f"`bradshaw {name}" in PAGE
        for action in command._actions:
            for option in action.option_strings:
                assert option in ("-h", "--help") or option in PAGE, option


def first() -> route_service_pb2.OptimizeRoutesRequest:
    """Return the request of the first example."""
    return ParseDict(BLOCKS[0], route_service_pb2.OptimizeRoutesRequest())


def optimized(request: route_service_pb2.OptimizeRoutesRequest) -> Any:
    """Return an answer without its times, as JSON."""
    answer = LocalClient().optimize(request, lambda _: None)
    answer.solution.ClearField("stages")
    answer.solution.ClearField("solve_duration")
    return MessageToDict(answer, preserving_proto_field_name=True)


def test_the_first_example_works() -> None:
    """Request and answer to the letter."""
    assert optimized(first()) == BLOCKS[1]


def test_the_example_of_a_wish_works() -> None:
    """£80, and £260 without the wish."""
    request = first()
    ParseDict(BLOCKS[2], request.options)
    solution = optimized(request)["solution"]
    assert (solution["run"]["revenue"], solution["free_optimum"]["revenue"]) == (80, 260)


def test_the_example_of_a_verdict_works() -> None:
    """Request and answer to the letter."""
    request = ParseDict({**BLOCKS[0], **BLOCKS[3]}, route_service_pb2.ValidateRoutesRequest())
    answer = LocalClient().validate(request)
    assert answer == ParseDict(BLOCKS[4], route_service_pb2.ValidateRoutesResponse())


def test_the_example_of_an_error_works() -> None:
    """The status to the letter."""
    request = first()
    request.position.board.tiles[1].rotation = 9
    with pytest.raises(StatusError) as caught:
        LocalClient().optimize(request, lambda _: None)
    status = MessageToDict(caught.value.status, preserving_proto_field_name=True)
    assert status == BLOCKS[5]
