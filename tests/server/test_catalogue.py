"""ListGames and GetGame: a client can draw and check with what they say."""

from __future__ import annotations

import pytest
from bradshaw.v1 import game_pb2, route_service_pb2

from engine.games import all_games, load_game
from engine.play.entities import Cell
from engine.play.market import Chart
from server.convert.catalogue import game_list, game_message, game_named
from server.errors import NotFoundError, RequestError
from server.settings import MOST_MESSAGE_BYTES

TITLES = tuple(all_games())


def test_all_games_are_listed() -> None:
    """With maps and profiles, the default first."""
    answer = game_list(route_service_pb2.ListGamesRequest())
    assert [game.title for game in answer.games] == list(TITLES)
    assert not answer.next_page_token
    by_title = {game.title: game for game in answer.games}
    assert list(by_title["18GB"].maps) == ["Standard", "2NS", "2EW"]
    assert by_title["1862"].name == "games/1862"
    assert all(game.profiles[0] == "18xx.games" for game in answer.games)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_pages_list_every_game_once(size: int) -> None:
    """Following the tokens."""
    found: list[str] = []
    token = ""
    while True:
        request = route_service_pb2.ListGamesRequest(page_size=size, page_token=token)
        page = game_list(request)
        assert len(page.games) <= size
        found.extend(game.title for game in page.games)
        token = page.next_page_token
        if not token:
            break
    assert found == list(TITLES)


@pytest.mark.parametrize(
    "fields", [{"page_size": -1}, {"page_size": 101}, {"page_token": "no token"}]
)
def test_a_page_that_is_none_is_refused(fields: dict[str, object]) -> None:
    """With the field that is wrong."""
    with pytest.raises(RequestError) as caught:
        game_list(route_service_pb2.ListGamesRequest(**fields))  # type: ignore[arg-type]
    assert [fault.path for fault in caught.value.faults] == list(fields)


def test_a_game_that_does_not_exist_is_not_found() -> None:
    """And a name of another form is malformed."""
    with pytest.raises(NotFoundError):
        game_named(route_service_pb2.GetGameRequest(name="games/18XX"))
    for name in ("", "1862"):
        with pytest.raises(RequestError):
            game_named(route_service_pb2.GetGameRequest(name=name))


@pytest.mark.parametrize("title", TITLES)
def test_a_game_says_all_that_its_data_say(title: str) -> None:
    """Every hex, tile, train, phase, company and profile, within the size of a message."""
    game = load_game(title)
    message = game_message(game)
    assert message.ByteSize() < MOST_MESSAGE_BYTES
    for known in message.maps:
        atlas = game.atlas(known.name)
        assert [hex_.id for hex_ in known.hexes] == list(atlas.hexes)
        for hex_ in known.hexes:
            printed = atlas.hexes[hex_.id]
            assert dict(hex_.neighbours) == dict(printed.neighbours)
            assert set(hex_.may_carry) == atlas.may_carry(hex_.id)
            assert len(hex_.face.paths) == len(printed.face.paths)
            assert [f"{hex_.id}-{stop.part}" for stop in hex_.face.stops] == [
                f"{hex_.id}-{stop.part}" for stop in printed.face.stops
            ]
    assert [tile.id for tile in message.tiles] == list(game.atlas().tiles)
    assert [train.name for train in message.trains] == list(game.trains)
    assert [phase.name for phase in message.phases] == list(game.phases)
    assert [company.id for company in message.corporations] == list(game.corporations)
    assert [profile.name for profile in message.profiles] == list(game.profiles)


@pytest.mark.parametrize("title", TITLES)
def test_tiles_turned_by_the_client_are_the_tiles_of_the_engine(title: str) -> None:
    """Sides at rotation 0 plus the rotation, modulo 6, in every rotation."""
    game = load_game(title)
    for tile in game_message(game).tiles:
        kind = game.atlas().tiles[tile.id]
        for rotation in range(6):
            turned = {(end.side + rotation) % 6 for end in _ends(tile.face) if end.HasField("side")}
            assert turned == kind.faces[rotation].sides()
        assert tile.HasField("count") == (kind.count < 10**6)


def _ends(face: game_pb2.Face) -> list[game_pb2.PathEnd]:
    return [end for path in face.paths for end in (path.a, path.b)]


def test_values_by_phase_are_those_of_the_board() -> None:
    """1822: France pays £0 in phase 1 and £120 in phase 7."""
    (board,) = game_message(load_game("1822")).maps
    france = next(hex_ for hex_ in board.hexes if hex_.place == "France")
    (stop,) = france.face.stops
    assert (stop.revenue_by_phase["1"], stop.revenue_by_phase["7"]) == (0, 120)


@pytest.mark.parametrize("title", TITLES)
def test_the_market_can_be_drawn_and_cards_have_names(title: str) -> None:
    """Every cell of the chart that plays, with its price and types, once; every card of the box
    with its kind."""
    game, message = load_game(title), game_message(load_game(title))
    chart = Chart(game.data("market.json"))
    drawn = {Cell(cell.row, cell.column): cell for cell in message.market}
    assert drawn.keys() == chart.cells.keys()
    assert len(drawn) == len(message.market)
    for cell, known in chart.cells.items():
        assert (drawn[cell].price, set(drawn[cell].types)) == (known.price, known.types)
    cards = {card.id: card for card in message.certificates}
    assert cards.keys() == game.certificates.keys()
    assert all(card.display_name and card.kind for card in cards.values())


def test_cards_of_1822_and_18gb() -> None:
    """Names, kinds, face values, what they pay."""
    cards = {
        card.id: card
        for title in ("1822", "18GB")
        for card in game_message(load_game(title)).certificates
    }
    assert (cards["LB"].display_name, cards["LB"].kind) == ("London & Birmingham", "private")
    assert (cards["LB"].value, cards["LB"].revenue) == (40, 10)
    assert (cards["C10"].kind, cards["M30"].kind) == ("concession", "minor")
    assert cards["P1"].revenue == 5
