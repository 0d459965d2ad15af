"""Requests about routes of which the answer was in question, and what is right."""

from __future__ import annotations

import pytest
from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import Parse

from optimizer import solve
from server.convert.answers import ruling_message
from server.convert.requests import situation_from, submission_from
from server.desk import validate
from server.seat import seat
from tests.cases import FOLDER

ILLEGAL = (
    ("1822-local-in-city-without-track", "TOKEN_MISSING"),
    ("1822MRS-D35-inner-link-shared", "PATH_SHARED"),
    ("1822MRS-minor-with-E", "TRAIN_NOT_RUNNABLE"),
)


def request_of(name: str) -> route_service_pb2.ValidateRoutesRequest:
    """Return the request of a case."""
    text = (FOLDER / "routes" / f"{name}.json").read_text("utf-8")
    return Parse(text, route_service_pb2.ValidateRoutesRequest())


@pytest.mark.parametrize(("name", "code"), ILLEGAL)
def test_the_run_of_a_case_is_illegal(name: str, code: str) -> None:
    """1822 §11.9, §11.11, §11.13: no routes are paid, and the code says why."""
    ruling = ruling_message(validate(submission_from(request_of(name))))
    assert not ruling.legal
    assert code in {fault.code for fault in ruling.faults}


def best_revenue(position: board_pb2.Position) -> int:
    """Return what the best run of a position earns, £."""
    rules, loaded = seat(situation_from(position))
    solution = solve(rules.problem(loaded))
    assert solution.bound == solution.revenue
    return solution.revenue


def test_the_best_run_knows_that_a_city_without_track_has_no_run() -> None:
    """1822 §11.11: proven £0 there; with a tile in the city the L earns its value."""
    request = request_of("1822-local-in-city-without-track")
    assert best_revenue(request.position) == 0
    tile = request.position.board.tiles.add(hex="K10", tile="5", rotation=0)
    assert tile.hex == "K10"
    assert best_revenue(request.position) == 20
