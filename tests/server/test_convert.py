"""Between wire and domain: nothing is lost on the way, in either direction."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.board.board import PathRef
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.games import all_games, load_game
from engine.routing.run import CompanyState, HexBonus, Route, Run, TokenRef, Train
from optimizer.solution import Objective
from server.convert.answers import route_from, route_message
from server.convert.positions import position_message
from server.convert.requests import question_from, situation_from, submission_from
from server.errors import RequestError
from server.profiles import ProfileChoice, choose_profile, differences, plain
from server.question import Situation
from server.seat import seat
from tests.boards import g18gb, g1822, g1862

texts = st.text("ABCz&+*-0123456789é ", min_size=1, max_size=20).filter(str.strip)
small = st.integers(-(2**31), 2**31 - 1)
boards = st.builds(
    BoardState,
    title=texts,
    phase=texts,
    map=st.one_of(st.just(""), texts),
    tiles=st.lists(st.builds(TileLay, texts, texts, small), max_size=5).map(tuple),
    tokens=st.lists(
        st.builds(
            TokenPlacement, texts, small, small, texts, st.sampled_from(["normal", "destination"])
        ),
        max_size=5,
    ).map(tuple),
)
cities = st.one_of(st.none(), st.builds(TokenRef, texts, small))
companies = st.builds(
    CompanyState,
    corporation=texts,
    trains=st.lists(st.builds(Train, texts, texts, st.booleans()), max_size=4).map(tuple),
    kind=st.one_of(st.just(""), texts),
    permits=st.lists(texts, max_size=3).map(tuple),
    home=cities,
    destination=cities,
    mail_contracts=st.integers(0, 9),
    hex_bonuses=st.lists(st.builds(HexBonus, texts, st.integers(0, 500)), max_size=3).map(tuple),
    receivership=st.booleans(),
    insolvent=st.booleans(),
)
profiles = st.builds(
    ProfileChoice,
    name=st.one_of(st.just(""), texts),
    overrides=st.dictionaries(
        texts,
        st.one_of(st.booleans(), st.floats(-1000, 1000), texts, st.lists(texts, max_size=3)),
        max_size=3,
    ),
)
paths = st.builds(PathRef, texts, small)
routes = st.builds(
    Route,
    train=texts,
    stops=st.lists(texts, max_size=4).map(tuple),
    legs=st.lists(st.lists(paths, min_size=1, max_size=4).map(tuple), max_size=3).map(tuple),
    paid=st.one_of(st.none(), st.lists(texts, max_size=3).map(tuple)),
    attachment=st.one_of(st.just(""), texts),
)


def by_wire(message: board_pb2.Position) -> board_pb2.Position:
    """Return the message as it arrives."""
    return board_pb2.Position.FromString(message.SerializeToString())


@given(boards, companies, profiles)
@settings(max_examples=150, deadline=None)
def test_a_situation_comes_back_as_it_was(
    board: BoardState, company: CompanyState, profile: ProfileChoice
) -> None:
    """Every field of board, company and profile."""
    message = by_wire(position_message(board, company, profile))
    assert situation_from(message) == Situation(board, company, profile)


@given(st.lists(routes, max_size=4))
@settings(max_examples=150, deadline=None)
def test_routes_come_back_as_they_were(listed: list[Route]) -> None:
    """Stops, legs, chosen stops (none chosen is not the same as no choice) and attachment."""
    request = route_service_pb2.ValidateRoutesRequest(
        position=position_message(BoardState("1862", "A"), CompanyState("ECR", ()))
    )
    for route in listed:
        message = request.routes.add(
            train_id=route.train, stops=route.stops, attachment=route.attachment
        )
        for leg in route.legs:
            message.legs.add(paths=[run_pb2.PathRef(hex=ref.hex, path=ref.path) for ref in leg])
        if route.paid is not None:
            message.paid.SetInParent()
            message.paid.stops.extend(route.paid)
        assert route_from(message) == route
    sent = route_service_pb2.ValidateRoutesRequest.FromString(request.SerializeToString())
    came = submission_from(sent).routes
    assert [(r.train, r.stops, r.paths, r.paid, r.attachment) for r in came] == [
        (r.train, r.stops, r.legs, r.paid, r.attachment) for r in listed
    ]


@pytest.mark.parametrize("boards_of", [g1822, g1862, g18gb])
@pytest.mark.parametrize("seed", range(6))
def test_large_positions_come_back_as_they_were(boards_of: object, seed: int) -> None:
    """Boards of the size of an end game of every title."""
    board, company = boards_of.large_position(random.Random(seed))  # type: ignore[attr-defined]
    assert situation_from(by_wire(position_message(board, company))) == Situation(board, company)


def test_a_route_of_an_answer_has_both_forms() -> None:
    """Paths as the referee takes them, hexes as game records write them."""
    board = BoardState("1862", "A", (TileLay("D11", "57", 0), TileLay("D13", "57", 0)))
    _, position = seat(Situation(board, CompanyState("ECR", ())))
    legs = ((PathRef("D13", 1), PathRef("D11", 0)),)
    message = route_message(position, Route("A-0", ("D13-0", "D11-0"), legs))
    assert list(message.legs[0].hexes) == ["D13", "D11"]
    assert route_from(message) == Route("A-0", ("D13-0", "D11-0"), legs)
    standing = route_message(position, Route("A-0", ("D13-0",)))
    assert not standing.legs


def test_defaults_are_those_of_the_contract() -> None:
    """An empty SolveOptions means revenue, seed 0, one run, no time limit, the default rules."""
    position = position_message(BoardState("1862", "A"), CompanyState("ECR", (Train("A-0", "1F"),)))
    question = question_from(route_service_pb2.OptimizeRoutesRequest(position=position))
    assert question.objective is Objective.REVENUE
    assert (question.seed, question.runs, question.seconds, question.algorithm) == (0, 1, None, "")
    assert question.situation.profile == ProfileChoice()
    assert question.situation.company.trains[0].runnable
    assert choose_profile(load_game("1862"), ProfileChoice()).name == "18xx.games"


def test_every_fault_of_a_request_is_listed_at_once() -> None:
    """Not only the first."""
    position = position_message(BoardState("", ""), CompanyState("", (Train("", ""),)))
    request = route_service_pb2.OptimizeRoutesRequest(position=position)
    request.options.seed = -1
    with pytest.raises(RequestError) as caught:
        question_from(request)
    assert {fault.path for fault in caught.value.faults} == {
        "position.board.title",
        "position.board.phase",
        "position.company.corporation",
        "position.company.trains[0].id",
        "position.company.trains[0].name",
        "options.seed",
    }


@pytest.mark.parametrize("title", list(all_games()))
def test_every_difference_of_every_profile_can_be_overridden(title: str) -> None:
    """With the value that another profile has, as JSON writes it."""
    game = load_game(title)
    first, *others = game.profiles.values()
    for other in others:
        values = {name: plain(value) for name, value in differences(other)}
        changed = choose_profile(game, ProfileChoice(first.name, values))
        assert changed == replace(other, name=first.name)


def test_an_overridden_run_is_judged_under_the_override() -> None:
    """18GB §11.8.6: sets of routes as the director likes, or connected components."""
    rules, position = seat(
        Situation(
            BoardState("18GB", "2+1"),
            CompanyState("CR", ()),
            ProfileChoice("rulebook", {"compass_sets": "connected components"}),
        )
    )
    assert rules.judge(position, Run()).legal
    assert rules.profile.compass_sets == "connected components"  # type: ignore[attr-defined]
    assert rules.profile.name == "rulebook"
