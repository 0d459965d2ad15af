"""The edge cases of 18GB §17 about revenue, with the figures of the specification."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.board.board import PathRef
from engine.board.legs import find_legs
from engine.games import load_game
from engine.routing.position import make_rules
from engine.routing.run import Position, Route, Run, Verdict
from tests.boards import g18gb_examples as boards
from tests.boards.g18gb_examples import ride
from tests.engine.games.g18gb.naive import best_revenue

GAME = load_game("18GB")
SITE = make_rules(GAME, "18xx.games")
RULEBOOK = make_rules(GAME, "rulebook")
OLD_SITE = make_rules(GAME, "18xx.games-2024-02-18")


def judge(position: Position, *rides: tuple[str, str]) -> Verdict:
    """Return the site's verdict on routes given as train and stops."""
    routes = tuple(ride(position.board, train, stops) for train, stops in rides)
    return SITE.judge(position, Run(routes))


def revenue(position: Position, *rides: tuple[str, str]) -> int:
    """Return what legal routes pay."""
    verdict = judge(position, *rides)
    assert verdict.legal, verdict.faults
    return verdict.revenue


def codes(verdict: Verdict) -> set[str]:
    """Return the codes of the faults of a verdict."""
    return {fault.code for fault in verdict.faults}


def listed(verdict: Verdict, kind: str) -> list[tuple[str, int]]:
    """Return subjects and amounts of the lines of one kind."""
    return [(i.subject, i.amount) for r in verdict.routes for i in r.items if i.kind == kind]


def test_hull_and_grimsby_pay_once_read_from_either_end() -> None:
    """§17.1: 40 + 10 + 30 + 0 = 80 from Hull, 20 + 30 + 10 + 0 = 60 from Grimsby."""
    position = boards.ring("4+2", "3+1")
    assert revenue(position, ("3+1-0", "J17-0 I16-0 H17-1 J17-2")) == 80
    assert revenue(position, ("3+1-0", "J17-2 H17-1 I16-0 J17-0")) == 60
    assert best_revenue(position, SITE) == 80


def test_the_second_stop_of_a_hex_is_listed_but_not_paid() -> None:
    """§11.4 (1): the account shows Grimsby as counted elsewhere."""
    verdict = judge(boards.ring("4+2", "3+1"), ("3+1-0", "J17-0 I16-0 H17-1 J17-2"))
    assert listed(verdict, "stop") == [("J17-0", 40), ("I16-0", 10), ("H17-1", 30)]
    assert listed(verdict, "counted elsewhere") == [("J17-2", 0)]
    assert verdict.routes[0].paying == ("J17-0", "I16-0", "H17-1")


def test_no_distance_bonus_with_both_ends_in_one_hex() -> None:
    """§17.2: the same ring by a 4X in phase 6X pays 80 from Hull and 50 from Grimsby."""
    position = boards.ring("6X", "4X")
    assert revenue(position, ("4X-0", "J17-0 I16-0 H17-1 J17-2")) == 80
    assert revenue(position, ("4X-0", "J17-2 H17-1 I16-0 J17-0")) == 50


def test_an_x_train_with_one_city_and_a_town() -> None:
    """§17.3: H17 and I16 pay 30; there is no distance and nothing for the town."""
    verdict = judge(boards.ring("6X", "4X"), ("4X-0", "H17-1 I16-0"))
    assert verdict.revenue == 30
    assert listed(verdict, "skipped") == [("I16-0", 0)]
    assert listed(verdict, "bonus") == []


def test_distance_bonus_between_the_outer_cities() -> None:
    """§17.4: H17, I16, J15, Hull pay 30 + 50 + 2 hexes 20 = 100, the best on this board."""
    position = boards.ring("6X", "4X")
    verdict = judge(position, ("4X-0", "H17-1 I16-0 J17-0"))
    assert verdict.revenue == 100
    assert listed(verdict, "bonus") == [("distance", 20)]
    assert best_revenue(position, SITE) == 100


@pytest.mark.parametrize(
    ("order", "expected"),
    [("ABC", 190), ("BAC", 190), ("BCA", 190), ("CBA", 190), ("ACB", 160), ("CAB", 160)],
)
def test_the_order_of_routes_decides_about_compass_sets(order: str, expected: int) -> None:
    """§17.5: B touches A (N) and C (S); listed last it can join only one of them."""
    position = boards.hub()
    rides = {
        "A": ("3+1-0", "J13-0 J11-0"),
        "B": ("3+1-1", "J13-0 I14-0"),
        "C": ("4+2-2", "I14-0 I16-0 I20-0 I22-0 G26-0"),
    }
    assert revenue(position, *(rides[name] for name in order)) == expected


def test_the_listing_of_the_problem_reaches_the_best_sets() -> None:
    """§11.8.6: whatever the order given, the problem's own order pays 190, the optimum."""
    position = boards.hub()
    routes = [
        ride(position.board, "3+1-0", "J13-0 J11-0"),
        ride(position.board, "3+1-1", "J13-0 I14-0"),
        ride(position.board, "4+2-2", "I14-0 I16-0 I20-0 I22-0 G26-0"),
    ]
    order = SITE.problem(position).order
    assert order is not None
    for given in permutations(routes):
        assert SITE.judge(position, Run(order(given))).revenue == 190
    assert best_revenue(position, SITE) == 190


@pytest.mark.parametrize(
    ("stops", "expected"),
    [
        ("I14-0 I16-0 I20-0", set()),
        ("J13-0 I14-0 I16-0 I20-0", {"TOWNS_TOO_MANY"}),
        ("I16-0 I20-0 I22-0", {"TOKEN_MISSING"}),
        ("I14-0 I16-0 I20-0 I22-0", {"TOWNS_TOO_MANY"}),
        ("J11-0 J13-0 I14-0", {"CITIES_TOO_MANY"}),
    ],
)
def test_what_a_2_1_train_can_do(stops: str, expected: set[str]) -> None:
    """§17.6: one city and two towns are legal; two and two, or three towns, are not."""
    position = boards.hub("3+1", "2+1")
    assert codes(judge(position, ("2+1-0", stops))) == expected


def test_towns_use_city_spaces_on_the_site_but_not_in_the_rulebook() -> None:
    """§17.7, §11.3: a 3+1 with two cities and two towns."""
    position = boards.hub("3+1", "3+1")
    run = Run((ride(position.board, "3+1-0", "J13-0 I14-0 I16-0 I20-0"),))
    assert SITE.judge(position, run).revenue == 10 + 10 + 10 + 10
    assert codes(RULEBOOK.judge(position, run)) == {"TOWNS_TOO_MANY"}


def test_one_hex_side_by_different_track_is_shared() -> None:
    """§17.8: both routes leave H13 by one side, over different track on either side of it."""
    position = boards.junction()
    verdict = judge(position, ("2+1-0", "H15-0 H9-0"), ("2+1-1", "I14-0 G12-0"))
    assert codes(verdict) == {"SIDE_SHARED"}
    assert {fault.hex for fault in verdict.faults} == {"H13", "H11"}
    paths = [{ref for leg in route for ref in leg} for route in _paths(position)]
    assert not paths[0] & paths[1], "the routes share no path"


def _paths(position: Position) -> list[tuple[tuple[PathRef, ...], ...]]:
    return [
        ride(position.board, "2+1-0", "H15-0 H9-0").legs,
        ride(position.board, "2+1-1", "I14-0 G12-0").legs,
    ]


def test_crossing_track_is_not_shared() -> None:
    """§17.8: two lines that cross on one tile use four different hex sides."""
    position = boards.crossing()
    assert revenue(position, ("2+1-0", "H15-0 H9-0"), ("2+1-1", "I14-0 G12-0")) == 40 + 20


@pytest.mark.parametrize(
    ("stops", "expected"),
    [
        ("D25-0 E26-0 G26-0 F25-0", {"OFFBOARD_PASSED"}),
        ("G26-0 F25-0 G26-0", {"STOP_TWICE", "TOKEN_MISSING", "SIDE_TWICE", "PATH_TWICE"}),
    ],
)
def test_london_only_ends_a_route(stops: str, expected: set[str]) -> None:
    """§17.9: London inside a route, or at both ends, is illegal."""
    assert codes(judge(boards.london(), ("3+1-0", stops))) == expected


def test_london_at_both_ends_by_different_track() -> None:
    """§17.9: also where no track is used twice."""
    position = boards.london()
    one, back = ride(position.board, "", "G26-0 F25-0"), _other_way(position)
    route = Route("3+1-0", ("G26-0", "F25-0", "G26-0"), (*one.legs, back))
    verdict = SITE.judge(position, Run((route,)))
    assert codes(verdict) == {"STOP_TWICE", "TOKEN_MISSING"}


def _other_way(position: Position) -> tuple[PathRef, ...]:
    legs = [leg for leg in find_legs(position.board) if {leg.a, leg.b} == {"G26-0", "F25-0"}]
    longest = max(legs, key=lambda leg: len(leg.paths))
    return longest.paths if longest.a == "F25-0" else longest.paths[::-1]


def test_a_city_full_of_foreign_tokens_ends_a_route() -> None:
    """§17.9: ending there is legal, passing is not, starting there needs an own token."""
    position = boards.barred()
    assert revenue(position, ("3+1-0", "I14-0 J13-0")) == 20
    assert revenue(position, ("3+1-0", "J13-0 I14-0")) == 20
    assert codes(judge(position, ("3+1-0", "J11-0 J13-0 I14-0"))) == {"CITY_BLOCKED"}
    assert codes(judge(position, ("3+1-0", "J13-0 J11-0"))) == {"TOKEN_MISSING"}


def test_london_pays_every_train() -> None:
    """§17.10: two routes that end in London are both paid in full."""
    position = boards.london()
    rides = ("3+1-0", "D25-0 E26-0 G26-0"), ("3+1-1", "D25-0 F25-0 G26-0")
    verdict = judge(position, *rides)
    assert listed(verdict, "stop").count(("G26-0", 50)) == 2
    assert verdict.revenue == 2 * (10 + 10 + 50)


def test_from_aberdeen_to_london_without_any_west() -> None:
    """§17.11: N, S and E score NS only: 180 of stops, 15 hexes, NS 40."""
    position = boards.great_north()
    stops = "K0-0 I2-0 I6-0 J7-0 J11-0 J13-0 I16-0 I20-0 I22-0 G26-0"
    verdict = judge(position, ("6X-0", stops))
    assert listed(verdict, "bonus") == [("distance", 150), ("NS", 40)]
    assert verdict.revenue == 50 + 10 + 20 + 20 + 10 + 70 + 150 + 40
    assert best_revenue(position, SITE) == verdict.revenue


def test_from_harwich_to_plymouth_without_any_north() -> None:
    """§17.11: E, S and S, W score EW only."""
    position = boards.great_west()
    verdict = judge(position, ("5X-0", "J27-0 I26-0 F23-0 D23-0 C24-0 a25-0"))
    assert listed(verdict, "bonus") == [("distance", 100), ("EW", 30)]
    assert verdict.revenue == 20 + 20 + 40 + 100 + 30


def test_two_sets_or_one_component() -> None:
    """§17.12: touching routes that score alone score twice, under the old rule once."""
    position = boards.bristol()
    first = ("5X-0", "a25-0 C24-0 D23-0 F25-0 G26-0")
    rides = first, ("5X-1", "C16-0 D21-0 D23-0 D25-0 E26-0 G26-0")
    run = Run(tuple(ride(position.board, train, stops) for train, stops in rides))
    verdict = SITE.judge(position, run)
    assert [item.text for item in verdict.items] == ["5X-0: EW", "5X-1: EW"]
    assert verdict.revenue - OLD_SITE.judge(position, run).revenue == 30
    assert [item.text for item in OLD_SITE.judge(position, run).items] == ["5X-0, 5X-1: EW"]


def test_meeting_in_an_off_board_is_no_touch() -> None:
    """§17.13: an N route and an S route that meet in Liverpool score nothing together."""
    position = boards.liverpool()
    rides = ("4X-0", "H9-0 G14-0 E14-0"), ("4X-1", "E14-0 F17-0 F21-0 F23-0 F25-0 G26-0")
    assert revenue(position, *rides) == (20 + 20 + 40 + 40) + (40 + 30 + 60 + 70)
    assert best_revenue(position, SITE) == 320


def test_a_third_route_joins_what_meets_in_an_off_board() -> None:
    """§11.8.4, §17.13: listed between them it makes one set of three, listed last it cannot."""
    position = boards.crewe()
    north = ("4X-0", "H9-0 G14-0 E14-0")
    middle = ("4X-1", "G14-0 G16-0 F17-0")
    south = ("4X-2", "E14-0 F17-0 F21-0 F23-0 F25-0 G26-0")
    apart = (20 + 50 + 40 + 40) + (50 + 30 + 10) + (40 + 30 + 60 + 70)
    assert revenue(position, north, middle, south) == apart + 30
    assert revenue(position, north, south, middle) == apart


def test_different_cities_of_one_hex_are_no_touch() -> None:
    """§17.13: an N route and an S route end in different cities of Leeds."""
    position = boards.leeds()
    rides = ("4X-0", "H9-0 H15-1"), ("4X-1", "H15-0 I16-0 H19-0 I20-0 I22-0 G26-0")
    assert revenue(position, *rides) == (20 + 40 + 30) + (40 + 10 + 60 + 60)
    assert best_revenue(position, SITE) == 260


def test_x_routes_touch_in_a_skipped_town() -> None:
    """§17.14: prolonged to a town that pays nothing, the S route touches the N route."""
    position = boards.darlington()
    north = ("4X-0", "J11-0 I12-0 H15-0")
    south = "I14-0 I16-0 I20-0 I22-0 G26-0"
    apart = revenue(position, north, ("4X-1", south))
    assert apart == (40 + 30 + 30) + (10 + 60 + 70)
    assert revenue(position, north, ("4X-1", f"I12-0 {south}")) == apart + 30
    assert best_revenue(position, SITE) == apart + 30


def test_liverpool_bonus_of_a_closed_private() -> None:
    """§17.15: £30 for each train that stops there; none while open or in receivership."""
    rides = ("2+1-0", "E14-0 G14-0"), ("2+1-1", "E14-0 G16-0")
    assert revenue(boards.docks(), *rides) == 40 + 50
    assert revenue(boards.docks("E14 30"), *rides) == 40 + 50 + 2 * 30
    assert revenue(boards.docks("E14 30", fallen=True), *rides) == 40 + 50


def test_liverpool_bonus_of_a_leased_train() -> None:
    """§17.15, §13.6: a leased train earns the bonus too."""
    assert revenue(boards.docks("E14 30", leasing=True), ("2+1-0", "E14-0 G16-0")) == 50 + 30


def test_only_the_crossings_of_the_estuaries_earn_their_bonus() -> None:
    """§17.16, §11.6: £30 for the tunnel from Cardiff to Bristol, none to Merthyr."""
    position = boards.severn()
    assert revenue(position, ("3+1-0", "B21-0 D23-0")) == 20 + 20 + 30
    assert revenue(position, ("3+1-0", "B21-0 C20-0")) == 20 + 10
    north = judge(boards.great_north(), ("6X-0", "I2-0 I6-0"))
    assert listed(north, "bonus") == [("distance", 20)], "no £40 for Perth to Edinburgh"


def test_the_bridge_of_the_forth_earns_its_bonus() -> None:
    """§11.6: £40 for the track from Dundee to Edinburgh over the estuary."""
    laid = boards.line("J3 I4 J5 I6") + boards.lays("J3 G39 1, I6 G19 2")
    position = boards.position("4+2", laid, "GER J3 0", boards.company("GER", "3+1"))
    verdict = judge(position, ("3+1-0", "J3-0 I6-0"))
    assert listed(verdict, "bonus") == [("FT", 40)]


def test_off_boards_show_their_early_value_in_phase_3_1() -> None:
    """§17.17: only London has a value of its own in phase 3+1."""
    early = boards.hub("2+1", "2+1").board.stops
    later = boards.hub("3+1", "2+1").board.stops
    changed = {
        name: (stop.value, later[name].value)
        for name, stop in early.items()
        if later[name].value != stop.value
    }
    assert changed == {"G26-0": (30, 40)}
