"""What counts in 1862: N/M trains, paid once, subsidy, areas at two nodes (1862 §10.4, §10.7)."""

from __future__ import annotations

from engine.games.g1862.rules import PROFILES, Profile1862
from engine.routing.run import Route
from tests.engine.games.g1862.handmade import EAST, STAR, Table, table

VALUES = {"D11": 40, "D13": 30, "E12": 80, "F11": 60, "F13": 50, "G12": 20}


def east(*trains: str) -> Table:
    """The board from the Midlands to Denmark in phase H, with home D13."""
    return table("ECR", "H", EAST, "D13 D11 E12 G12 F13 London", trains)


def skipped(t: Table, *routes: Route) -> list[tuple[str, ...]]:
    """Return by route the stops that were open to choice and do not count."""
    verdict = t.judge(*routes)
    assert verdict.legal
    return [
        tuple(item.subject for item in route.items if item.kind == "skipped")
        for route in verdict.routes
    ]


def test_an_n_m_train_skips_its_poorest_station() -> None:
    """A 4/5E over five stations counts all but G12, £20."""
    t = east("4/5E")
    route = t.route("4/5E", "D13 D11 E12 F11 G12")
    assert skipped(t, route) == [("G12-0",)]
    assert t.judge(route).revenue == 30 + 40 + 80 + 60


def test_home_and_ends_may_be_skipped() -> None:
    """1862 §10.4: any station may be skipped, even home, here D13, which is an end too."""
    t = table("ECR", "H", EAST, "D13 E12", ["2/3E"])
    assert skipped(t, t.route("2/3E", "D13 E12 F13")) == [("D13-0",)]


def test_a_train_with_no_more_stations_than_it_counts_skips_none() -> None:
    """1862 §10.4: all count if there are not more than N."""
    t = east("4/5E")
    assert skipped(t, t.route("4/5E", "D13 D11 E12 F11")) == [()]


def test_the_choice_is_made_over_all_trains_together() -> None:
    """X4: a station is skipped where the other train counts it. Both visit E12, F11 and G12;
    each skips one, and together they count all seven stations."""
    t = east("4/5E", "4/5E")
    one = t.route("4/5E", "D13 D11 E12 F11 G12")
    other = t.route("4/5E'", "F13 E12 F11 G12 H13")
    verdict = t.judge(one, other)
    counted = {stop for route in verdict.routes for stop in route.paying}
    assert verdict.revenue == sum(VALUES.values()) + 130
    assert counted == {"D13-0", "D11-0", "E12-0", "F11-0", "F13-0", "G12-0", "H13-0"}


def test_of_equal_combinations_the_first_is_taken() -> None:
    """1862 §15.5: subsets in lexicographic order, the first train's varying slowest."""
    t = table("ECR", "A", {"D13": ("57", 0), "D11": ("57", 0)}, "D13 London", ["2/3E"])
    assert skipped(t, t.route("2/3E", "D15 D13 D11")) == [("D11-0",)]
    assert skipped(t, t.route("2/3E", "D11 D13 D15")) == [("D13-0",)]


def test_a_station_pays_once_and_stands_on_the_first_train_listed() -> None:
    """1862 §15.5: the second train that counts D13 and E12 earns nothing for them."""
    t = east("6E", "4E")
    verdict = t.judge(t.route("6E", "D13 E12 F11"), t.route("4E", "D11 D13 E12"))
    assert [route.revenue for route in verdict.routes] == [170, 40]
    kinds = [(item.subject, item.kind) for item in verdict.routes[1].items]
    assert kinds == [
        ("D11-0", "stop"),
        ("D13-0", "counted elsewhere"),
        ("E12-0", "counted elsewhere"),
    ]


def test_an_express_earns_nothing_in_small_stations() -> None:
    """X1: small stations on the way are free and pay nothing."""
    t = table("Y&N", "H", STAR, "H5 D9", ["2E", "2L"])
    way = "D9 E10 E12"
    home = "D9 E8 F7 G6 H5"
    three = table("Y&N", "H", STAR, "H5 D9", ["4E"])
    assert three.judge(three.route("4E", home)).revenue == 50 + 20 + 20 + 50
    assert t.judge(t.route("2E", way)).faults[0].code == "HOME_NOT_VISITED"
    items = three.judge(three.route("4E", home)).routes[0].items
    assert [item.kind for item in items] == ["stop", "stop", "stop", "passed", "stop"]


def test_a_local_counts_small_stations_beside_its_limit() -> None:
    """1862 R9: a 4L counts four large stations and every small one, £20 each, and is paid
    £10 for each of the five hexes that it touches."""
    t = table("Y&N", "H", STAR, "H5 D9", ["4L"])
    verdict = t.judge(t.route("4L", "D9 E8 F7 G6 H5"))
    assert (verdict.revenue, verdict.subsidy) == (50 + 20 + 20 + 20 + 50, 50)


def test_the_subsidy_counts_hexes_beyond_a_skipped_station() -> None:
    """1862 §17.38: a 2/3L skips F7 or E8, but its hexes are counted."""
    t = table("Y&N", "H", STAR, "H5 F7", ["2/3L"])
    verdict = t.judge(t.route("2/3L", "E8 F7 G6 H5"))
    assert (verdict.revenue, verdict.subsidy) == (20 + 20 + 50, 40)
    assert [item.kind for item in verdict.routes[0].items].count("skipped") == 1


def test_a_hex_is_subsidised_once_over_all_locals() -> None:
    """X2: the hexes of both Locals, each once, credited to the first listed."""
    t = east("4L", "4L")
    verdict = t.judge(t.route("4L", "D13 E12 F11"), t.route("4L'", "D11 E12 F11"))
    assert [route.subsidy for route in verdict.routes] == [30, 10]
    assert verdict.subsidy == 40


def test_expresses_and_freights_earn_no_subsidy() -> None:
    """1862 §10.7: only Local runs count."""
    t = east("6E", "7F")
    assert t.judge(t.route("6E", "D13 E12"), t.route("7F", "D13 D11")).subsidy == 0


# --- what a route says is to pay -----------------------------------------------------


def test_a_route_may_say_what_is_to_pay() -> None:
    """1862 §10.4: the director's choice is priced as it is, even where another pays more."""
    t = east("4/5E")
    paid = ("D13-0", "D11-0", "E12-0", "G12-0")
    verdict = t.judge(t.route("4/5E", "D13 D11 E12 F11 G12", paid))
    assert verdict.revenue == 30 + 40 + 80 + 20
    assert verdict.routes[0].paying == paid


def test_what_a_route_leaves_open_is_chosen_best() -> None:
    """With fewer stops named than must count, the best of the others count too."""
    t = east("4/5E")
    verdict = t.judge(t.route("4/5E", "D13 D11 E12 F11 G12", ("G12-0",)))
    assert verdict.revenue == 20 + 40 + 80 + 60


# --- one area at two entry nodes -------------------------------------------------------


def two_nodes(node: str) -> tuple[Table, list[Route]]:
    """A 4/5E from Holland at F15 and a 7F from Holland at some node."""
    t = east("4/5E", "7F")
    return t, [t.route("4/5E", "F15 F13 E12 F11 G12"), t.route("7F", f"{node} F13 E12 D13")]


def test_the_site_takes_two_nodes_of_an_area_for_two_stations() -> None:
    """D19: the automatic choice skips G12, £20, and counts Holland, which the chain counts
    already: 410. The exact choice counts G12 instead: 430."""
    t, routes = two_nodes("G14-2")
    assert skipped(t, *routes)[0] == ("G12-0",)
    assert t.judge(*routes).revenue == 410
    exact = t.but(choice_by_node=False)
    assert exact.judge(*routes).revenue == 430
    assert skipped(exact, *routes)[0] == ("F15-0",)


def test_at_one_node_the_automatic_choice_is_exact() -> None:
    """D19: with both trains at F15 the site pays the exact 430 too."""
    t, routes = two_nodes("F15")
    assert t.judge(*routes).revenue == 430


def test_a_run_that_says_what_is_to_pay_is_priced_exactly() -> None:
    """D19 is about the automatic choice only: named stops pay as named."""
    t, routes = two_nodes("G14-2")
    named = t.route("4/5E", "F15 F13 E12 F11 G12", ("F13-0", "E12-0", "F11-0", "G12-0"))
    assert t.judge(named, routes[1]).revenue == 430


def test_one_route_that_says_what_is_to_pay_makes_the_whole_choice_exact() -> None:
    """D19: as soon as a run says anything about what counts, nothing of it is automatic."""
    _, routes = two_nodes("G14-2")
    t = east("4/5E", "7F", "4/5E")
    unsaid = t.route("4/5E'", "D13 D11")
    said = t.route("4/5E'", "D13 D11", ("D11-0",))
    assert t.judge(*routes, unsaid).revenue == 410 + 40
    assert t.judge(*routes, said).revenue == 430 + 40


def test_holland_pays_once_at_two_nodes() -> None:
    """1862 §10.4: an area is one station, whatever entry is used."""
    t = east("6E", "4E")
    verdict = t.judge(t.route("6E", "F15 F13 E12 D13"), t.route("4E", "G14-2 F13"))
    assert [route.revenue for route in verdict.routes] == [290, 0]


# --- readings --------------------------------------------------------------------------


def test_the_profiles_are_the_two_readings() -> None:
    """The site's practice is the default; every field differs in the rulebook but permits."""
    assert list(PROFILES) == ["18xx.games", "rulebook"]
    site, book = PROFILES.values()
    assert isinstance(site, Profile1862)
    assert isinstance(book, Profile1862)
    same = {name for name in vars(site) if getattr(site, name) == getattr(book, name)}
    assert same == {"permits_needed"}


def test_meeting_at_an_entry_node() -> None:
    """D17: two runs that share London's node D15 meet on the site (330), not by the book."""
    t = east("4/5E", "7F")
    routes = t.route("4/5E", "D13 D15"), t.route("7F", "D15 E14 E12")
    assert t.judge(*routes).revenue == 230 + 80 + 20
    assert t.under("rulebook").codes(*routes) == ["ROUTES_DO_NOT_MEET"]


def test_two_nodes_of_one_area_do_not_meet() -> None:
    """1862 S2: London at C14 and at D15 are no shared station, at D15 twice they are."""
    t = table("ECR", "H", EAST | {"D13": ("611", 0)}, "D13 E12 London", ["6E", "6E"])
    west, east_ = t.route("6E", "C14 D13"), t.route("6E'", "D15 E14 E12")
    assert t.codes(west, east_) == ["ROUTES_DO_NOT_MEET"]
    assert t.codes(t.route("6E", "D15 D13"), east_) == []


def test_by_the_book_no_train_stands_idle_that_can_run() -> None:
    """D18: an Express can always run where another runs; the site lets it stand."""
    t = east("4E", "4E")
    assert t.codes(t.route("4E", "D13 D11")) == []
    assert t.under("rulebook").codes(t.route("4E", "D13 D11")) == ["TRAIN_IDLE"]


def test_by_the_book_a_freight_that_cannot_chain_may_stand_idle() -> None:
    """D18: a 1F that finds no hex to lengthen the chain of the others stands idle rightly.

    On the line D11, D13, London two 1F chain from D11 to London; the third has no way on."""
    t = table("SVR", "B", {"D11": ("57", 0), "D13": ("57", 0)}, "D11 D13 London", ["1F"] * 3)
    book = t.under("rulebook")
    chain = t.route("1F", "D11 D13"), t.route("1F'", "D13 D15")
    assert book.codes(*chain) == []
    assert book.codes(chain[0]) == ["TRAIN_IDLE", "TRAIN_IDLE"]


def test_by_the_book_everything_may_stand_where_nothing_can_run() -> None:
    """A home without track: no run is possible, and none is asked for."""
    t = table("SVR", "B", {}, "D11", ["1F", "2E"]).under("rulebook")
    assert t.codes() == []
