"""Positions of titles that declare their rules: by the wire as in process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import MessageToJson, Parse

from engine.notation.positions import PositionRecord, read_positions
from engine.routing.run import Run
from engine.titles.library import own_titles
from optimizer import solve
from server.cli import main
from server.client import LocalClient
from server.convert.answers import run_message
from server.convert.positions import position_message
from server.convert.requests import situation_from
from server.exit_codes import OK
from server.question import Situation, SubmittedRoute
from server.seat import seat
from server.written import routes_of
from tests.shared import TITLES, needs_titles

MANY = 40


def records(title: str) -> Iterator[PositionRecord]:
    """Yield the recorded positions of a title."""
    for path in sorted((TITLES / own_titles()[title].folder.name).rglob("*.jsonl")):
        yield from read_positions(path)


def sample(title: str, count: int) -> list[PositionRecord]:
    """Return some recorded positions, chosen at random but always the same."""
    found = list(records(title))
    return random.Random(title).sample(found, min(count, len(found)))


def by_wire(record: PositionRecord) -> board_pb2.Position:
    """Return the position as it arrives."""
    message = position_message(record.board, record.company)
    return board_pb2.Position.FromString(message.SerializeToString())


@needs_titles
@pytest.mark.parametrize("title", list(own_titles()))
def test_positions_come_back_as_they_were(title: str) -> None:
    """Every field of every recorded board and company, as bytes and as JSON."""
    for record in sample(title, MANY):
        message = by_wire(record)
        said = Situation(record.board, record.company)
        assert situation_from(message) == said
        assert situation_from(Parse(MessageToJson(message), board_pb2.Position())) == said


def _compare(record: PositionRecord) -> None:
    """The best run and the verdict on it and on the recorded run are those of the engine."""
    client, message = LocalClient(), by_wire(record)
    rules, position = seat(Situation(record.board, record.company))
    asked = route_service_pb2.OptimizeRoutesRequest(position=message)
    got = client.optimize(asked, lambda _: None).solution
    expected = solve(rules.problem(position))
    assert (got.run.revenue, got.run.subsidy) == (expected.revenue, expected.subsidy), record.id
    assert got.bound == expected.bound
    request = route_service_pb2.ValidateRoutesRequest(position=message)
    request.routes.extend(account.route for account in got.run.routes)
    ruled = client.validate(request)
    assert ruled.legal, record.id
    assert ruled.run == got.run
    written = [SubmittedRoute(r.train, r.nodes, None, r.connections) for r in record.recorded]
    routes, faults = routes_of(rules, position, written, "routes")
    run = Run(tuple(routes))
    verdict = rules.judge(position, run)
    recorded = route_service_pb2.ValidateRoutesRequest(position=message)
    for each in record.recorded:
        route = recorded.routes.add(train_id=each.train, stops=each.nodes)
        for leg in each.connections:
            route.legs.add(hexes=leg)
    answer = client.validate(recorded)
    assert answer.legal == (verdict.legal and not faults), record.id
    if answer.legal:
        assert answer.run == run_message(position, run, verdict)


@needs_titles
@pytest.mark.parametrize("title", list(own_titles())[::4])
def test_answers_by_the_wire_are_those_of_the_engine(title: str) -> None:
    """Of a recorded position of every fourth title."""
    for record in sample(title, 1):
        _compare(record)


@needs_titles
@pytest.mark.slow
@pytest.mark.parametrize("title", list(own_titles()))
def test_many_answers_by_the_wire_are_those_of_the_engine(title: str) -> None:
    """Of several recorded positions of every title."""
    for record in sample(title, 8):
        _compare(record)


@needs_titles
def test_the_command_line_takes_such_positions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As JSON, with every field that 1858India says of its Pullman."""
    record = next(r for r in records("1858India") if r.company.pullman)
    request = route_service_pb2.OptimizeRoutesRequest(position=by_wire(record))
    path = tmp_path / "request.json"
    path.write_text(MessageToJson(request), "utf-8")
    assert main(["optimize", str(path), "--json"]) == OK
    answer = Parse(capsys.readouterr().out, route_service_pb2.OptimizeRoutesResponse())
    rules, position = seat(Situation(record.board, record.company))
    assert answer.solution.run.revenue == solve(rules.problem(position)).revenue
