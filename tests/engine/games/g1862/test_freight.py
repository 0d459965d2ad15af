"""Freight chains of 1862: joining, what must chain, closed chains, bonuses (1862 §10.5)."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from engine.games.g1862.rules import FreightDistance
from engine.routing.run import Route, Run
from tests.engine.games.g1862.handmade import EAST, LINE, STAR, Table, table
from tests.engine.games.g1862.naive import turn


def line(*trains: str, phase: str = "B") -> Table:
    """D11 £30, D13 £20 and London £100 on one line; the company's home is D11."""
    return table("SVR", phase, LINE, "D11 D13 London", trains)


def east(*trains: str) -> Table:
    """The board from the Midlands to Denmark, with home D13."""
    return table("ECR", "H", EAST, "D13 D11 E12 G12 F13 London", trains)


def star() -> tuple[Table, dict[str, Route]]:
    """Three 9F that all end at D9: to the West, to E12 and to the home H5."""
    found = table("Y&N", "H", STAR, "H5 D9", ["9F", "9F", "9F"])
    return found, {
        "A": found.route("9F", "D9 C10 B9 A10"),
        "B": found.route("9F'", "D9 E10 E12"),
        "H": found.route("9F''", "D9 E8 F7 G6 H5"),
    }


def test_two_runs_make_a_chain_to_london() -> None:
    """X5: ends D11 30 and London 100, one hex between: 150; the junction pays nothing."""
    t = line("1F", "1F")
    verdict = t.judge(t.route("1F", "D11 D13"), t.route("1F'", "D13 D15"))
    assert (verdict.revenue, verdict.subsidy) == (150, 0)
    assert [route.paying for route in verdict.routes] == [("D11-0",), ("D15-0",)]
    assert [route.revenue for route in verdict.routes] == [50, 100]


def test_the_bonus_stands_on_the_run_that_begins_the_chain() -> None:
    """1862 §15.5: with the other run listed first the bonus moves, the sum stays."""
    t = line("1F", "1F")
    verdict = t.judge(t.route("1F'", "D13 D15"), t.route("1F", "D11 D13"))
    assert [route.revenue for route in verdict.routes] == [120, 30]


def test_one_hex_to_london_has_no_bonus() -> None:
    """1862 §17.33: a 1F next to London earns both ends and no bonus."""
    t = table("ECR", "B", LINE, "D13 London", ["1F"])
    assert t.judge(t.route("1F", "D13 D15")).revenue == 120


@pytest.mark.parametrize("turned", [(False, False), (False, True), (True, False), (True, True)])
def test_two_runs_in_a_circle_pay_the_first_stop_listed(turned: tuple[bool, bool]) -> None:
    """1862 §10.5.7: two 1F between D11 and D13 pay 30, or 20 if the first starts at D13."""
    t = line("1F", "1F")
    routes = [t.route("1F", "D11 D13"), t.route("1F'", "D11 D13")]
    listed = [turn(route) if back else route for route, back in zip(routes, turned, strict=True)]
    verdict = t.judge(*listed)
    assert verdict.revenue == (20 if turned[0] else 30)
    assert len([item for route in verdict.routes for item in route.items if item.amount]) == 1


def test_three_runs_in_a_circle_pay_one_stop() -> None:
    """1862 §10.5.7: D11-D13, D13-D15 and D11-D13-D15 make a circle worth 30."""
    t = line("1F", "1F", "2F")
    routes = (
        t.route("1F", "D11 D13"),
        t.route("1F'", "D13 D15"),
        t.route("2F", "D11 D13 D15"),
    )
    assert t.judge(*routes).revenue == 30


def port(*trains: str, profile: str = "18xx.games") -> Table:
    """The port D1 (£100) and E2 (£20) one hex away; two Freights can only run in a circle."""
    return table("WNR", "F", {"E2": ("57", 2)}, "E2", trains, profile=profile)


CIRCLES = [
    ("6F", "D1 E2", "2F", "E2 D1", 20),
    ("6F", "D1 E2", "2F", "D1 E2", 130),
    ("6F", "E2 D1", "2F", "D1 E2", 130),
    ("2F", "D1 E2", "6F", "E2 D1", 130),
    ("2F", "E2 D1", "6F", "D1 E2", 20),
    ("6F", "D1 E2", "7F", "E2 D1", 130),
    ("6F", "E2 D1", "7F", "D1 E2", 20),
]
"""Two runs in the order listed, and what the circle pays: the first of bands A to D begins it,
or else the first one."""


@pytest.mark.parametrize(("first", "one", "second", "other", "revenue"), CIRCLES)
def test_a_circle_that_begins_in_an_area_earns_a_hex(
    first: str, one: str, second: str, other: str, revenue: int
) -> None:
    """1862 §10.5.7: the port, £100, and a hex, £30; or the city, £20, and none."""
    t = port(first, second)
    assert t.judge(t.route(first, one), t.route(second, other)).revenue == revenue
    plain = t.but(closed_chain_bonus=False)
    less = plain.judge(t.route(first, one), t.route(second, other)).revenue
    assert less == min(revenue, 100)


def test_a_red_area_earns_a_circle_the_plain_rate() -> None:
    """1862 §10.5.7: London, £100, and one hex at £20."""
    t = table("ECR", "B", LINE, "D13 London", ["1F", "1F"])
    verdict = t.judge(t.route("1F", "D15 D13"), t.route("1F'", "D15 D13"))
    assert verdict.revenue == 120
    bonus = [item for route in verdict.routes for item in route.items if item.kind == "bonus"]
    assert [(item.subject, item.amount) for item in bonus] == [("D15-0", 20)]


def test_the_hex_of_a_circle_stands_if_an_express_counts_the_area() -> None:
    """1862 §10.5.7: the Express listed first counts D1 and E2, 120; the circle adds the 30."""
    t = port("2E", "2F", "6F")
    verdict = t.judge(t.route("2E", "E2 D1"), t.route("2F", "D1 E2"), t.route("6F", "D1 E2"))
    assert [route.revenue for route in verdict.routes] == [120, 30, 0]


def test_the_problem_lists_a_circle_so_that_it_pays_best() -> None:
    """Whichever way round two runs between D1 and E2 are given, they are listed for 130."""
    t = port("6F", "2F")
    order = t.rules.problem(t.position).order
    assert order is not None
    for one, other in product(("D1 E2", "E2 D1"), repeat=2):
        listed = order((t.route("6F", one), t.route("2F", other)))
        assert t.rules.judge(t.position, Run(listed)).revenue == 130


def test_ends_of_a_chain_can_be_neighbours() -> None:
    """1862 §10.5.8: joined at London the ends are D13 and D11: 50, London is lost;
    joined at D11 they are D13 and London: 120."""
    t = line("1F", "1F", "2F")
    long = t.route("2F", "D11 D13 D15")
    assert t.judge(t.route("1F", "D13 D15"), long).revenue == 50
    assert t.judge(t.route("1F", "D11 D13"), long).revenue == 120


def test_a_run_that_only_passes_a_stop_is_not_joined_there() -> None:
    """1862 §10.5.1: D13 is passed by one run and an end of the other: two chains."""
    t = east("7F", "9F")
    verdict = t.judge(t.route("7F", "D11 D13 D15"), t.route("9F", "D13 E12 F11"))
    assert [item.kind for route in verdict.routes for item in route.items].count("bonus") == 2


@pytest.mark.parametrize(
    ("listed", "revenue", "alone"), [("ABH", 420, "H"), ("HAB", 440, "B"), ("HBA", 420, "A")]
)
def test_three_runs_that_share_an_end(listed: str, revenue: int, alone: str) -> None:
    """1862 §10.5.6: the order of listing says which two are joined."""
    t, routes = star()
    verdict = t.judge(*(routes[name] for name in listed))
    assert verdict.revenue == revenue
    lonely = verdict.routes[listed.index(alone)]
    assert [item.kind for item in lonely.items].count("stop") == 2


def test_the_problem_finds_the_best_order_of_a_star() -> None:
    """Whatever the order in which the star is given, the best listing pays 440."""
    t, routes = star()
    order = t.rules.problem(t.position).order
    assert order is not None
    for listed in permutations(routes.values()):
        assert t.rules.judge(t.position, Run(order(listed))).revenue == 440


def test_the_branch_with_a_band_a_to_d_run_is_taken() -> None:
    """1862 §10.5.6: of a 9F and a 5F at the loose end the 5F is joined, listed last or not."""
    t = table("Y&N", "H", STAR, "H5 D9", ["9F", "5F", "9F"])
    west = t.route("9F", "D9 C10 B9 A10")
    south = t.route("5F", "D9 E10 E12")
    home = t.route("9F'", "D9 E8 F7 G6 H5")
    for listed in permutations((west, south, home)):
        verdict = t.judge(*listed)
        assert verdict.legal
        place = listed.index(south)
        assert "bonus" in [item.kind for item in verdict.routes[place].items]


def test_bands_a_to_d_and_e_to_h_in_one_chain() -> None:
    """X8: Midlands 140, Denmark 130 and 7 hexes at £30 make 480; the Express adds 530."""
    t = east("5F", "7F", "6E")
    verdict = t.judge(
        t.route("5F", "A4 B5 B7 B9 C10 D11"),
        t.route("7F", "D11 D13 E12 F11 G12 H13"),
        t.route("6E", "F15 F13 E12 D11 D13 D15"),
    )
    assert verdict.revenue == 1010
    assert [route.revenue for route in verdict.routes] == [350, 130, 530]


def test_a_band_a_to_d_chain_needs_a_band_e_to_h_run() -> None:
    """1862 §10.5.5b: refused without a common end, legal with one: 130 + 200 + 4 x 30."""
    t = east("5F", "7F")
    coast = t.route("5F", "D11 D13 E12 F11 G12 H13")
    assert t.codes(coast, t.route("7F", "D13 D15")) == ["FREIGHTS_NOT_CHAINED"]
    assert t.judge(coast, t.route("7F", "D11 D13 D15")).revenue == 450


def test_band_a_to_d_runs_make_one_chain() -> None:
    """1862 §10.5.5a: two 5F without a common end are refused, two 7F are not."""
    for name, codes in (("5F", ["FREIGHTS_NOT_CHAINED"]), ("7F", [])):
        t = east(name, name)
        assert t.codes(t.route(name, "D11 D13"), t.route(f"{name}'", "E12 D13 D15")) == codes


def test_the_rulebook_wants_one_chain() -> None:
    """D21: two 7F in two chains are legal on the site only."""
    t = east("7F", "7F").but(idle_trains=True)
    routes = t.route("7F", "D11 D13"), t.route("7F'", "E12 D13 D15")
    assert t.codes(*routes) == []
    assert t.under("rulebook").codes(*routes) == ["FREIGHTS_NOT_CHAINED"]


def test_the_rulebook_has_no_circles_and_no_branches() -> None:
    """Chains of the rulebook have a start and a destination, and two runs at a junction."""
    t = line("1F", "1F").under("rulebook")
    assert t.codes(t.route("1F", "D11 D13"), t.route("1F'", "D11 D13")) == ["CHAIN_CLOSED"]
    t, routes = star()
    assert t.under("rulebook").codes(*routes.values()) == ["FREIGHTS_NOT_CHAINED"]
    t = east("9F", "9F", "9F", "9F").under("rulebook")
    hooked = (
        t.route("9F", "D15 D13"),
        t.route("9F'", "D13 D11"),
        t.route("9F''", "D11 E12"),
        t.route("9F'''", "E12 D13"),
    )
    assert t.codes(*hooked) == ["CHAIN_END_SINGLE", "CHAIN_BRANCHES"]


def test_a_chain_that_runs_into_itself_is_illegal() -> None:
    """1862 §10.5.7: a chain left with exactly one single end is illegal."""
    t = east("7F", "7F", "7F", "7F")
    runs = (
        t.route("7F", "D15 D13"),
        t.route("7F'", "D13 D11"),
        t.route("7F''", "D11 E12"),
        t.route("7F'''", "E12 D13"),
    )
    assert t.codes(*runs) == ["CHAIN_END_SINGLE"]


def test_a_company_may_list_runs_so_that_a_circle_closes() -> None:
    """The same four runs are legal with the circle first: it pays one stop, the rest is alone."""
    t = east("7F", "7F", "7F", "7F")
    runs = (
        t.route("7F", "D15 D13"),
        t.route("7F'", "D13 D11"),
        t.route("7F''", "D11 E12"),
        t.route("7F'''", "E12 D13"),
    )
    legal = {t.judge(*listed).revenue for listed in permutations(runs) if t.judge(*listed).legal}
    assert legal
    order = t.rules.problem(t.position).order
    assert order is not None
    turned = [
        t.judge(*(turn(r) if n & bit else r for r, bit in zip(listed, (1, 2, 4, 8), strict=True)))
        for listed in permutations(runs)
        for n in range(16)
    ]
    best = max(verdict.revenue for verdict in turned)
    assert t.rules.judge(t.position, Run(order(runs))).revenue == best


def test_runs_at_one_entry_node_are_joined_and_at_two_are_not() -> None:
    """1862 §10.5.1: London at D15 from D13 and from E14 is one junction; Holland at F15
    and at G14 are two ends, and Holland scores once."""
    t = east("7F", "7F")
    joined = t.judge(t.route("7F", "D11 D13 D15"), t.route("7F'", "E12 E14 D15"))
    assert [route.paying for route in joined.routes] == [("D11-0",), ("E12-0",)]
    apart = t.judge(t.route("7F", "D13 E12 F13 F15"), t.route("7F'", "D11 E12 F13 G14-2"))
    holland = [i for r in apart.routes for i in r.items if i.subject in ("F15-0", "G14-2")]
    assert [(item.kind, item.amount) for item in holland] == [
        ("stop", 130),
        ("counted elsewhere", 0),
    ]


@pytest.mark.parametrize(
    ("rule", "revenue"),
    [
        (FreightDistance.LAND_HEX, 450),
        (FreightDistance.OFFBOARD_HEX, 420),
        (FreightDistance.BEST_ENTRY, 510),
    ],
)
def test_three_ways_to_count_the_hexes(rule: FreightDistance, revenue: int) -> None:
    """D20, Denmark 130 to London 200: from the land hexes D13 and G12 4 hexes, from D15 to
    H13 3, from London's farthest entry B13 to G12 6, at £30 each."""
    t = east("5F", "7F").but(freight_distance=rule)
    runs = t.route("5F", "D11 D13 E12 F11 G12 H13"), t.route("7F", "D11 D13 D15")
    assert t.judge(*runs).revenue == revenue


@pytest.mark.parametrize(("end", "revenue"), [("H13", 130 + 200 + 120), ("G12", 20 + 200 + 60)])
def test_a_port_at_either_end_makes_it_thirty_pounds_a_hex(end: str, revenue: int) -> None:
    """1862 §17.34: £30 a hex with a port at an end, whatever the other; £20 otherwise."""
    t = east("7F")
    middle = "D15 D13 E12 F11 G12" + (" H13" if end == "H13" else "")
    assert t.judge(t.route("7F", middle)).revenue == revenue


def test_a_stop_counted_by_a_chain_is_not_counted_again() -> None:
    """1862 §10.4: the Express earns nothing at the chain's ends if the Freight is listed first."""
    t = line("1F", "2E")
    verdict = t.judge(t.route("1F", "D11 D13"), t.route("2E", "D11 D13"))
    assert verdict.revenue == 50
    assert [route.revenue for route in verdict.routes] == [50, 0]
    swapped = t.judge(t.route("2E", "D11 D13"), t.route("1F", "D11 D13"))
    assert [route.revenue for route in swapped.routes] == [50, 0]


def test_what_a_chain_passes_is_open_to_another_train() -> None:
    """1862 §10.4: the junction D13, which the chain does not count, pays on the Express."""
    t = line("1F", "1F", "2E")
    chain = t.route("1F", "D11 D13"), t.route("1F'", "D13 D15")
    assert t.judge(*chain, t.route("2E", "D11 D13")).revenue == 150 + 20
