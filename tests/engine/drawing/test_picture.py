"""What a picture of a board must show, on every map and on recorded positions."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from engine.board.board import Board, PathRef
from engine.board.build import build_board
from engine.board.faces import EndKind
from engine.board.legs import find_legs
from engine.board.state import BoardState, TileLay, TokenPlacement
from engine.drawing import Proof, Shown, draw_pair, draw_svg
from engine.drawing.grid import FLAT
from engine.drawing.shapes import APOTHEM, RADIUS
from engine.errors import Fault
from engine.games import all_games, load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.notation.routes import resolve_run
from engine.routing.run import (
    CompanyState,
    Item,
    Position,
    Route,
    RouteVerdict,
    Run,
    Train,
    Verdict,
    item_words,
)
from tests.shared import POSITIONS, needs_positions

SVG = "{http://www.w3.org/2000/svg}"

MAPS = [(title, name) for title, game in all_games().items() for name in game.map_files]


def bare(title: str, name: str = "") -> Position:
    """Return the empty board of a map, without a company."""
    game = load_game(title)
    state = BoardState(title, next(iter(game.phases)), map=name)
    return Position(game, build_board(game, state), CompanyState("", ()))


def of_class(svg: str, name: str) -> list[ElementTree.Element]:
    """Return the elements of a class."""
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == name]


def small_position() -> Position:
    """Return a board of 1862 on which two trains can share track.

    D11 Sudbury - D13 Witham - London, with the homes of the SVR and the ECR.
    """
    game = load_game("1862")
    state = BoardState(
        "1862",
        "A",
        tiles=(TileLay("D11", "57", 0), TileLay("D13", "57", 0)),
        tokens=(TokenPlacement("D11", 0, 0, "SVR"), TokenPlacement("D13", 0, 0, "ECR")),
    )
    return Position(
        game,
        build_board(game, state),
        CompanyState("SVR", (Train("A-0", "1F"), Train("A-1", "2E"))),
    )


def both_legs(board: Board) -> tuple[Route, Route]:
    """Return the routes D11 - D13 and D11 - D13 - London, one for each train."""
    legs = {(leg.a, leg.b): leg for leg in find_legs(board)}
    first, second = legs["D11-0", "D13-0"], legs["D13-0", "D15-0"]
    return (
        Route("A-0", ("D11-0", "D13-0"), (first.paths,)),
        Route("A-1", ("D11-0", "D13-0", "D15-0"), (first.paths, second.paths)),
    )


def said(*routes: RouteVerdict, items: tuple[Item, ...] = ()) -> Verdict:
    """Return a verdict on a legal run."""
    return Verdict((), sum(route.revenue for route in routes), 0, routes, items)


@pytest.mark.parametrize(("title", "name"), MAPS)
def test_every_map_shows_each_hex_stop_and_path(title: str, name: str) -> None:
    """The picture of an empty map is well-formed XML and has every hex, stop and path once."""
    position = bare(title, name)
    svg = draw_svg(position)
    hexes = Counter(e.get("data-hex") for e in of_class(svg, "hex"))
    assert hexes == Counter(list(position.board.atlas.hexes))
    stops = Counter(e.get("data-stop") for e in of_class(svg, "stop"))
    assert stops == Counter(list(position.board.stops))
    paths = sum(len(face.paths) for face in position.board.faces.values())
    assert len(of_class(svg, "track")) == paths
    ids = Counter(e.text for e in of_class(svg, "hex-id"))
    assert ids == hexes


@pytest.mark.parametrize(("title", "name"), MAPS)
def test_place_names_labels_and_terrain_are_written(title: str, name: str) -> None:
    """Names, labels and terrain costs of the data files all appear."""
    position = bare(title, name)
    svg = draw_svg(position)
    hexes = position.board.atlas.hexes.values()
    names = {"".join(_letters(e)).replace(" ", "") for e in of_class(svg, "name")}
    assert names == {h.name.replace(" ", "") for h in hexes if h.name}
    labels = Counter(e.text for e in of_class(svg, "label"))
    assert labels == Counter(h.face.label for h in hexes if h.face.label)
    terrain = {e.get("data-hex") for e in of_class(svg, "terrain")}
    assert terrain == {h.id for h in hexes if h.raw["terrain"]}


@pytest.mark.parametrize(("title", "name"), MAPS)
def test_every_tile_can_be_drawn(title: str, name: str) -> None:
    """Each tile that may lie somewhere is drawn there with all its stops and paths."""
    game = load_game(title)
    atlas = game.atlas(name)
    phase = list(game.phases)[-1]
    places: dict[str, list[str]] = {}
    for hex_id in atlas.hexes:
        for tile in atlas.may_carry(hex_id):
            places.setdefault(tile, []).append(hex_id)
    todo = sorted(places)
    while todo:
        hexes: dict[str, str] = {}
        for tile in todo:
            free = next((h for h in places[tile] if h not in hexes), None)
            if free is not None:
                hexes[free] = tile
        todo = sorted(set(todo) - set(hexes.values()))
        lays = tuple(TileLay(h, tile, 0) for h, tile in hexes.items())
        board = Board(atlas, BoardState(title, phase, lays, map=name))
        svg = draw_svg(Position(game, board, CompanyState("", ())))
        assert len(of_class(svg, "stop")) == len(board.stops)
        assert len(of_class(svg, "track")) == sum(len(f.paths) for f in board.faces.values())


def _letters(element: ElementTree.Element) -> list[str]:
    """Return the texts of an element, without their halos."""
    texts = element.iter(f"{SVG}text")
    return [str(text.text) for text in texts if text.get("class") != "halo"]


def test_pictures_are_reproducible() -> None:
    """The same position gives the same text."""
    position = small_position()
    run = Run(both_legs(position.board))
    assert draw_svg(position, run) == draw_svg(position, run)
    assert draw_svg(bare("1822")) == draw_svg(bare("1822"))


def test_areas_that_belong_together_have_no_line_between_them() -> None:
    """1862: between A2 and A4, both Midlands, there is no side; between A8 and A10 there is.

    The map has as many sides as its hexes have, shared ones counted once and
    merged ones not at all.
    """
    position = bare("1862")
    hexes = position.board.atlas.hexes
    points = {h.point for h in hexes.values()}
    steps = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
    shared = sum((x + dx, y + dy) in points for x, y in points for dx, dy in steps) // 2
    merged = {
        frozenset((h.point, (h.point[0] + steps[b["edge"]][0], h.point[1] + steps[b["edge"]][1])))
        for h in hexes.values()
        for b in h.raw["borders"]
        if b["type"] == "merged"
    }
    partitions = len(of_class(draw_svg(position), "partition"))
    sides = of_class(draw_svg(position), "sides")[0]
    lines = len(sides.findall(f"{SVG}line"))
    assert merged
    assert lines == 6 * len(points) - shared - len(merged) + partitions


def test_borders_are_marked_and_their_cost_is_written() -> None:
    """18GB: a hill between two hexes is a heavy line with £50 beside it."""
    svg = draw_svg(bare("18GB"))
    hills = [e for e in of_class(svg, "border") if e.get("data-border") == "hill"]
    assert len(hills) > 20
    costs = of_class(svg, "side-costs")[0]
    assert sum(e.text == "50" for e in costs.iter(f"{SVG}text")) == len(hills)


def test_the_figure_of_the_phase_stands_out() -> None:
    """1862: off-board areas pay their purple figure in phase H, the white one in phase A."""
    game = load_game("1862")
    for phase, colour in (("A", "white"), ("C", "gray"), ("H", "purple")):
        board = build_board(game, BoardState("1862", phase))
        svg = draw_svg(Position(game, board, CompanyState("", ())))
        assert {e.get("data-now") for e in of_class(svg, "band")} == {colour}


def test_tokens_are_in_their_slots_in_the_colours_of_the_company() -> None:
    """Every token is drawn once, at its city and slot, with its letters and colours."""
    position = small_position()
    tokens = of_class(draw_svg(position), "token")
    found = {(e.get("data-hex"), e.get("data-slot"), e.get("data-corporation")) for e in tokens}
    assert found == {("D11", "0", "SVR"), ("D13", "0", "ECR")}
    for token in tokens:
        raw = position.title.corporations[str(token.get("data-corporation"))]
        disc, letters = token.find(f"{SVG}circle"), token.find(f"{SVG}text")
        assert disc is not None
        assert letters is not None
        assert disc.get("fill") == raw["colour"]
        assert letters.text == raw["sym"]
        assert letters.get("fill") == raw["text_colour"]


def test_routes_that_share_track_lie_side_by_side() -> None:
    """Two routes over the same leg are two lines that keep a distance on the way."""
    position = small_position()
    svg = draw_svg(position, Run(both_legs(position.board)))
    routes = of_class(svg, "route")
    assert [e.get("data-train") for e in routes] == ["A-0", "A-1"]
    lines = [e.find(f"{SVG}path") for e in routes]
    assert lines[0] is not None
    assert lines[1] is not None
    assert lines[0].get("stroke") != lines[1].get("stroke")
    first, second = (_points(str(line.get("d"))) for line in lines if line is not None)
    middle = first[len(first) // 2]
    gap = min(math.dist(middle, point) for point in second)
    assert 4 < gap < 12


def _points(d: str) -> list[tuple[float, float]]:
    pieces = d.removeprefix("M").split("L")
    return [(float(x), float(y)) for x, y in (piece.split() for piece in pieces)]


def test_a_route_keeps_to_its_track() -> None:
    """A lone route runs in the middle of its track and does not jump anywhere."""
    position = small_position()
    for route in both_legs(position.board):
        line = of_class(draw_svg(position, Run((route,))), "route")[0].find(f"{SVG}path")
        assert line is not None
        points = _points(str(line.get("d")))
        inland = [x for x, y in points if y < 13 * APOTHEM]
        assert len(inland) > 20
        assert set(inland) == {3 * 1.5 * RADIUS}, "from D11 to D15 it runs straight south"
        assert max(math.dist(a, b) for a, b in pairwise(points)) < 12


def test_amounts_and_skipped_stops_are_marked() -> None:
    """Paying stops carry what they pay in the colour of the route, the others a cross."""
    position = small_position()
    run = Run(both_legs(position.board))
    verdict = said(
        RouteVerdict("A-0", 20, 0, ("D11-0",), (Item("stop", "D11-0", 20),)),
        RouteVerdict(
            "A-1",
            130,
            0,
            ("D13-0", "D15-0"),
            (
                Item("skipped", "D11-0", 0),
                Item("stop", "D13-0", 30),
                Item("stop", "D15-0", 100),
                Item("bonus", "ends", 45, "distance bonus"),
            ),
        ),
        items=(Item("mail", "mail", 15, "mail contract"),),
    )
    svg = draw_svg(position, run, verdict, title="A <title> & more")
    paid = {
        (e.get("data-route"), e.get("data-stop"), "".join(e.itertext()).strip())
        for e in of_class(svg, "amount")
    }
    assert paid == {("0", "D11-0", "20"), ("1", "D13-0", "30"), ("1", "D15-0", "100")}
    skipped = {(e.get("data-route"), e.get("data-stop")) for e in of_class(svg, "skipped")}
    assert skipped == {("0", "D13-0"), ("1", "D11-0")}
    legend = [e.text for e in of_class(svg, "legend")[0].iter(f"{SVG}text")]
    for words in (
        "A <title> & more",
        "Train 1F (A-0)",
        "£20",
        "bonus: ends distance bonus",
        "£45",
        "£15",
        "£150",
    ):
        assert words in legend


def test_an_illegal_run_is_drawn_with_what_is_wrong() -> None:
    """Track that does not exist is left out, the faults are in the legend."""
    position = small_position()
    good = both_legs(position.board)[0]
    lost = Route("A-1", ("D11-0", "Z99-0"), ((PathRef("Z99", 0), PathRef("D11", 77)),))
    verdict = Verdict((Fault("STOP_UNKNOWN", "routes[1].stops[1]", "there is no stop Z99-0"),))
    svg = draw_svg(position, Run((good, lost)), verdict)
    assert len(of_class(svg, "route")) == 2
    legend = " ".join(e.text or "" for e in of_class(svg, "legend")[0].iter(f"{SVG}text"))
    assert "STOP_UNKNOWN" in legend
    assert "Revenue" not in legend


def test_a_train_that_stands_in_its_city_has_a_ring() -> None:
    """1822: a local train that serves one city is a ring around it."""
    game = load_game("1822")
    state = BoardState("1822", "1", (TileLay("J29", "5", 0),))
    position = Position(game, build_board(game, state), CompanyState("MR", ()))
    svg = draw_svg(position, Run((Route("L-0", ("J29-0",)),)))
    route = of_class(svg, "route")[0]
    assert route.find(f"{SVG}circle") is not None
    assert route.find(f"{SVG}path") is None


def test_a_token_beyond_the_printed_slots_has_its_own_slot() -> None:
    """1822 §10.4: a destination token in an extra slot is drawn beside the printed ones."""
    game = load_game("1822")
    state = BoardState("1822", "1", (), (TokenPlacement("L19", 0, 1, "MR", "destination"),))
    position = Position(game, build_board(game, state), CompanyState("MR", ()))
    svg = draw_svg(position)
    stop = next(e for e in of_class(svg, "stop") if e.get("data-stop") == "L19-0")
    dashed = [e for e in stop.iter(f"{SVG}circle") if e.get("stroke-dasharray")]
    assert len(dashed) == 1
    assert len(of_class(svg, "token")) == 1


def test_the_legend_says_whether_a_better_run_can_exist() -> None:
    """Bound and proof are written; a run that only money proves does not claim more."""
    position = small_position()
    run = Run(both_legs(position.board))
    verdict = said(RouteVerdict("A-0", 20, 0, ()), RouteVerdict("A-1", 130, 0, ()))

    def legend(proof: Proof | None) -> str:
        svg = draw_svg(position, run, verdict, proof=proof)
        return " ".join(_letters(of_class(svg, "legend")[0]))

    proven = legend(Proof(True, 150, "search"))
    assert "Bound: no run pays more £150" in proven
    assert "Proven: nothing better exists (search)." in proven
    money = legend(Proof(False, 150, "bounds", money=True))
    assert "Proven: nothing pays more (bounds)." in money
    assert "nothing better exists" not in money
    open_run = legend(Proof(False, 170))
    assert "£170" in open_run
    assert "Not proven" in open_run
    assert "roven" not in legend(None)


def test_two_runs_are_drawn_side_by_side_with_both_amounts() -> None:
    """The map is drawn twice, each with its own routes below its heading; one legend has both."""
    position = small_position()
    short, long = both_legs(position.board)
    played = Shown(Run((short,)), None, "Played", 20)
    best = Shown(Run((short, long)), None, "Best", 150, Proof(True, 150, "bounds"))
    svg = draw_pair(position, played, best)
    first, second = of_class(svg, "map")
    assert first.get("transform") is None
    shift = float(str(second.get("transform")).removeprefix("translate(").split()[0])
    assert shift > max(x for x, _ in map(FLAT.centre, _hex_points(position)))
    for drawn, heading, trains in ((first, "Played: £20", 1), (second, "Best: £150", 2)):
        inner = ElementTree.tostring(drawn, "unicode")
        assert [e.text for e in of_class(inner, "heading")] == [heading]
        assert len(of_class(inner, "route")) == trains
        assert len(of_class(inner, "hex")) == len(position.board.atlas.hexes)
    words = _letters(of_class(svg, "legend")[0])
    assert words.index("Played: £20") < words.index("Best: £150")
    assert "Proven: nothing better exists (bounds)." in words
    with pytest.raises(ValueError, match="heading"):
        draw_pair(position, Shown(), best)


def _hex_points(position: Position) -> list[tuple[int, int]]:
    return [printed.point for printed in position.board.atlas.hexes.values()]


def _records() -> list[PositionRecord]:
    files = sorted(POSITIONS.glob("*/*.jsonl"))
    return [record for path in files for record in list(read_positions(path))[-1:]]


@needs_positions
def test_recorded_end_games_show_every_token_and_route() -> None:
    """The last position of each recorded game: all tokens, all routes, all visited stops."""
    records = _records()
    assert records
    for record in records:
        game = load_game(record.board.title)
        board = build_board(game, record.board)
        routes = resolve_run(board, record.company.corporation, record.recorded, {})
        run = Run(tuple(route for route in routes if route is not None))
        svg = draw_svg(Position(game, board, record.company), run)
        assert len(of_class(svg, "token")) == len(record.board.tokens)
        lines = of_class(svg, "route")
        assert [e.get("data-train") for e in lines] == [route.train for route in run.routes]
        for element, route in zip(lines, run.routes, strict=True):
            line = element.find(f"{SVG}path")
            assert (line is not None) == bool(route.legs)
            if line is not None:
                assert _reaches_both_ends(board, route, str(line.get("d")))


def _reaches_both_ends(board: Board, route: Route, d: str) -> bool:
    """Tell whether a line has a point near the middle of the hexes of its first and last path."""
    points = _points(d)
    wanted: list[tuple[int, int]] = []
    for leg in (route.legs[0], route.legs[-1]):
        wanted.extend(board.atlas.hexes[ref.hex].point for ref in (leg[0], leg[-1]))
    return all(
        min(math.dist(FLAT.centre(place), point) for point in points) < RADIUS for place in wanted
    )


def test_dual_track_and_its_bonus_are_shown() -> None:
    """18GB: the estuary crossing is drawn as double track, with the £ it earns."""
    game = load_game("18GB")
    atlas = game.atlas()
    tile = next(t for t in sorted(atlas.may_carry("I4")) if atlas.tiles[t].faces[0].bonuses)
    board = Board(atlas, BoardState("18GB", "6X", (TileLay("I4", tile, 0),)))
    svg = draw_svg(Position(game, board, CompanyState("", ())))
    colour = atlas.colours["track_dual"]
    dual = [e for e in of_class(svg, "track") if e.get("stroke") == colour]
    expected = [p for p in board.faces["I4"].paths if p.track == "dual"]
    assert len(dual) == len(expected) == 1
    assert EndKind.SIDE in (expected[0].a.kind, expected[0].b.kind)
    amount = next(iter(board.faces["I4"].bonuses.values()))[1]
    bonus = of_class(svg, "track-bonus")
    assert len(bonus) == 1
    assert f"+{amount}" in "".join(bonus[0].itertext())


def test_areas_are_named_and_a_line_says_nothing_twice() -> None:
    """1862: an entry of an area has its name though none is printed on its hex; the legend
    names the map only where there are several."""
    board = bare("1862").board
    assert {board.stops[stop].name for stop in ("A4-0", "C14-0", "D15-0")} == {"Midlands", "London"}
    assert item_words("D11-0 D15-0", "1 hex between D11-0 and D15-0") == (
        "1 hex between D11-0 and D15-0"
    )
    assert item_words("F5-0", "Norwich") == "F5-0 Norwich"
    assert ", map " not in draw_svg(bare("1862"))
    assert ", map 2NS" in draw_svg(bare("18GB", "2NS"))
