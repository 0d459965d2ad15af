"""DefineTitle: a title that a client describes is solved, judged, drawn and listed like others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from bradshaw.v1 import board_pb2, route_service_pb2

from engine.board.state import BoardState, HexMarker, TokenPlacement
from engine.errors import StateError
from engine.routing.run import CompanyState, Train
from optimizer import solve
from server.convert.pictures import picture
from server.convert.positions import position_message
from server.convert.requests import situation_from
from server.convert.titles import definition_message
from server.errors import RequestError, TitleNotHeldError
from server.limits import MOST_TITLE_BYTES
from server.question import Situation
from server.seat import seat
from server.titles import HELD, HeldTitles, define, find_game
from tests.engine.titles.ell import FILES
from tests.server.harness import Service, failure, serving

Request = route_service_pb2.DefineTitleRequest


def texts(**changed: Any) -> dict[str, str]:
    """Return the files of the description, some of them other ones."""
    files = {**FILES, **{f"{kind}.json": content for kind, content in changed.items()}}
    return {name: json.dumps(content) for name, content in files.items()}


def at(title: str) -> board_pb2.Position:
    """Return a position: a company at A1 with a 2-train, and a mill beyond."""
    board = BoardState(
        title,
        "2",
        tokens=(TokenPlacement("A1", 0, 0, "LR"),),
        markers=(HexMarker("B2", "mill"),),
    )
    return position_message(board, CompanyState("LR", (Train("2-0", "2"),)))


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service with the optimizer that holds two titles."""
    with serving(solve, held_titles=2) as running:
        yield running
    HELD.limit(32, 32 * 2**20)


@pytest.fixture(autouse=True)
def nothing_held() -> None:
    """Every test begins without titles."""
    HELD.clear()


def test_a_described_title_is_solved_judged_drawn_and_listed(service: Service) -> None:
    """A1 to A3: £20 and £40; or to B2: £20, £10 and £10 for the mill."""
    answer = service.routes.DefineTitle(Request(files=texts()), timeout=20)
    assert answer.title.startswith("sha256:")
    assert list(answer.summary.hex_counts) == [3]
    assert not answer.summary.whole_games
    position = at(answer.title)
    asked = route_service_pb2.OptimizeRoutesRequest(position=position)
    solution = service.routes.OptimizeRoutes(asked, timeout=20).solution
    assert (solution.run.revenue, solution.bound) == (60, 60)
    judged = route_service_pb2.ValidateRoutesRequest(position=position)
    judged.routes.extend(account.route for account in solution.run.routes)
    assert service.routes.ValidateRoutes(judged, timeout=20).run.revenue == 60
    assert "A3" in picture(position, solution.run, solution)
    named = route_service_pb2.GetGameRequest(name=f"games/{answer.title}")
    game = service.routes.GetGame(named, timeout=20).game
    assert game.maps[0].layout == "pointy"
    assert json.loads(game.declared_rules)["declared"][0]["marker"] == "mill"


def test_the_name_is_made_of_the_content(service: Service) -> None:
    """Spaces and the order of keys do not matter; every other change does."""
    first = service.routes.DefineTitle(Request(files=texts()), timeout=20).title
    spaced = {name: json.dumps(content, indent=3) for name, content in FILES.items()}
    assert service.routes.DefineTitle(Request(files=spaced), timeout=20).title == first
    other = texts(rules={"declared": []})
    assert service.routes.DefineTitle(Request(files=other), timeout=20).title != first


def test_a_title_that_is_not_held_is_asked_for_again(service: Service) -> None:
    """The third title puts the first one out; it is taken again."""
    names = []
    for amount in (10, 20, 30):
        rules = {"declared": [{"op": "marker", "marker": "mill", "amount": amount}]}
        names.append(service.routes.DefineTitle(Request(files=texts(rules=rules))).title)
    asked = route_service_pb2.OptimizeRoutesRequest(position=at(names[0]))
    for call in (
        lambda: service.routes.OptimizeRoutes(asked, timeout=20),
        lambda: service.routes.GetGame(
            route_service_pb2.GetGameRequest(name=f"games/{names[0]}"), timeout=20
        ),
    ):
        failed = failure(call)
        assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
        assert failed.reason == "TITLE_NOT_HELD"
    for name in names[1:]:
        assert find_game(name).title == name


def test_every_fault_of_a_description_is_told(service: Service) -> None:
    """As an error with violations; with validate_only as data, and nothing is held."""
    rules = {"declared": [{"op": "no such option"}, {"op": "marker"}]}
    files = texts(rules=rules, trains={"trains": [{"name": "2"}]})
    failed = failure(lambda: service.routes.DefineTitle(Request(files=files), timeout=20))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    told = service.routes.DefineTitle(Request(files=files, validate_only=True), timeout=20)
    places = {fault.field for fault in told.faults}
    assert any(place.startswith("rules.json/declared[0]") for place in places)
    assert any(place.startswith("trains") for place in places)
    assert not told.title
    good = definition_message(Request(files=texts(), validate_only=True))
    with pytest.raises(TitleNotHeldError):
        find_game(good.title)


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({}, "REQUIRED"),
        ({"map.json": "{"}, "FILE_BROKEN"),
        ({"map.json": "[" * 100_000}, "FILE_BROKEN"),
        ({"map.json": "[NaN]"}, "FILE_BROKEN"),
        ({"map.json": "9" * 10_000}, "FILE_BROKEN"),
        ({"map.json": " " * MOST_TITLE_BYTES}, "TITLE_TOO_LARGE"),
    ],
)
def test_what_is_no_description_is_refused(files: dict[str, str], code: str) -> None:
    """Nothing, no JSON, too deep, too large."""
    with pytest.raises(RequestError) as caught:
        define(files)
    assert [fault.code for fault in caught.value.faults] == [code]


def test_titles_go_when_there_are_too_many_bytes() -> None:
    """The ones not asked for longest first."""
    game = find_game(definition_message(Request(files=texts())).title)
    other = find_game(definition_message(Request(files=texts(rules={"declared": []}))).title)
    held = HeldTitles(count=9, size=100)
    held.keep(game, 60)
    held.keep(other, 40)
    assert held.find(game.title) is game
    held.limit(9, 60)
    assert held.find(other.title) is None
    assert held.find(game.title) is game


def test_changes_that_mean_nothing_are_refused() -> None:
    """Each with its field, before any board is built."""
    title = definition_message(Request(files=texts())).title
    message = at(title)
    board = message.board
    change = board.changes.add(hex="A1")
    change.stops.add(stop=9, slots=-1, kind="castle")
    change.stops.add(stop=0).revenue.add(phase="3", amount=10)
    change.neighbours.sides.add(side=7, hex="Z9")
    change.paths.paths.add(track="wide").a.side = 8
    change.paths.paths[0].b.stop = 3
    board.changes.add(hex="Z9")
    board.markers.add(hex="Z9", marker="mill")
    board.hex_tokens.add(hex="Z9", corporation="LR")
    message.company.goal = "Z9"

    with pytest.raises(StateError) as caught:
        seat(situation_from(message))
    assert {fault.path for fault in caught.value.faults} >= {
        "board.changes[0].stops[0].stop",
        "board.changes[0].stops[0].slots",
        "board.changes[0].stops[0].kind",
        "board.changes[0].stops[1].revenue",
        "board.changes[0].neighbours.sides[0].side",
        "board.changes[0].neighbours.sides[0].hex",
        "board.changes[0].paths.paths[0]",
        "board.changes[1].hex",
        "board.markers[1].hex",
        "board.hex_tokens[0].hex",
    }


def test_fields_of_other_titles_are_refused() -> None:
    """1862 has no markers on hexes and no obsolete trains."""

    board = BoardState("1862", "A", markers=(HexMarker("D13", "coal"),), options=("x",))
    train = Train("A-0", "1F", obsolete=True)
    with pytest.raises(StateError) as caught:
        seat(Situation(board, CompanyState("ECR", (train,), goal="D13")))
    found = {fault.path for fault in caught.value.faults if fault.code == "FIELD_NOT_IN_GAME"}
    assert found >= {"board.markers", "board.options", "company.trains[0].obsolete"}
