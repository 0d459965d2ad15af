"""What a single route may do (1822 §11.3 to §11.13), with the edge cases of §20."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.state import TokenPlacement
from engine.games.g1822.profile import PROFILES
from engine.routing.run import Route
from tests.engine.games.g1822.handmade import Table, board, token

RING = ("I30 J29 K30 J31 I30",)
ROUND_THE_TOWNS = ("H23 H21 G22 G20 H21 I22",)
CROSSING = ("K30 K32 K34 K36 K38", "L33 K34 J33 I32 I30", "K38 L37 L35 L33")

# --- stops, track and tokens (§11.3) ----------------------------------------


def test_no_stop_and_no_track_twice() -> None:
    """11.3 a, b: a ring is no route; track there and back is none either."""
    table = Table(board("1822", "5", *RING), "MR", "J29", "5", home="J29")
    assert table.codes(table.route("5-0", "J29 K30 J31 I30 J29")) == ["STOP_TWICE"]
    there_and_back = table.codes(table.route("5-0", "J29 K30 J29"))
    assert set(there_and_back) == {"STOP_TWICE", "SIDE_TWICE", "PATH_TWICE"}


@pytest.mark.parametrize("train", ["5", "E"])
def test_a_route_joins_two_stops(train: str) -> None:
    """11.3: only a local train may stand in its city."""
    table = Table(board("1822", "7", *RING), "MR", "J29", train, home="J29")
    verdict = table.judge(Route(f"{train}-0", ("J29-0",)))
    (fault,) = verdict.faults
    assert (fault.code, fault.path) == ("ROUTE_TOO_SHORT", "routes[0].stops")
    assert (verdict.revenue, verdict.routes) == (0, ())


def test_a_route_visits_an_own_token() -> None:
    """11.3 e: ordinary or destination token; those of others do not count."""
    state = board("1822", "5", "I22 H23 G22")
    table = Table(state, "LYR", "G22", "2P", home="G22", destination="I22")
    assert table.codes(table.route("2P-0", "I22 H23")) == []
    table = Table(state, "LYR", "G22", "2P", home="G22", others=[token("I22", "LNWR")])
    assert table.codes(table.route("2P-0", "I22 H23")) == ["TOKEN_MISSING"]


# --- places where routes end (§11.4, §11.7) ----------------------------------


@pytest.mark.parametrize(
    ("lines", "minor", "home", "travel"),
    [
        (("A42 D41", "A42 B43"), "23", "A42", "B43 A42 D41"),
        (("E2 F3", "E2 E4 E6"), "2", "E2", "F3 E2 E6"),
        (("H1 H3", "H1 G2 G4"), "1", "H1", "H3 H1 G4"),
        (("E28 F27 G28", "E28 F29 G30 H33"), "29", "E28", "G28 E28 H33"),
    ],
)
def test_terminal_places_end_routes(
    lines: tuple[str, ...], minor: str, home: str, travel: str
) -> None:
    """11.4: Cornwall, the Highlands, Aberdeen and Mid Wales, even with an own token."""
    table = Table(board("1822", "5", *lines), minor, home, "5", home=home)
    assert table.codes(table.route("5-0", travel)) == ["TERMINAL_PASSED", "TERMINAL_PASSED"]
    assert table.codes(table.route("5-0", " ".join(travel.split()[:2]))) == []


@pytest.mark.parametrize(
    ("line", "end", "before"), [("C34 D35", "C34", "D35"), ("F23 G24", "F23", "G24")]
)
def test_places_with_one_exit_end_routes(line: str, end: str, before: str) -> None:
    """11.4: Fishguard and Holyhead can be the end of a route."""
    table = Table(board("1822", "5", line), "24", "D35 F23", "5", home="D35")
    assert table.codes(table.route("5-0", f"{before} {end}")) == []
    back = table.codes(table.route("5-0", f"{before} {end} {before}"))
    assert {"TERMINAL_PASSED", "SIDE_TWICE"} <= set(back)


def test_glasgow_can_be_passed() -> None:
    """11.4: E6 alone of the printed places."""
    table = Table(board("1822", "5", "E2 E4 E6 F7"), "27", "E6", "5", home="E6")
    assert table.codes(table.route("5-0", "E2 E6 F7-0")) == []


def test_full_cities_end_routes() -> None:
    """11.7: a city full of foreign tokens can be visited, not passed (§20.35)."""
    state = board("1822", "5", *RING)
    full = [token("I30", "GWR", 0), token("I30", "LNWR", 1), token("I30", "LYR", 2)]
    table = Table(state, "MR", "J29", "5", home="J29", others=full)
    (fault,) = table.judge(table.route("5-0", "J29 I30 J31")).faults
    assert (fault.code, fault.path, fault.hex) == ("CITY_BLOCKED", "routes[0].stops[1]", "I30")
    assert fault.section == "1822 §11.7"
    assert table.codes(table.route("5-0", "K30 J29 I30")) == []


@pytest.mark.parametrize(
    ("own", "tokens"),
    [
        ("J29", [token("I30", "GWR", 0), token("I30", "LYR", 2)]),
        (
            "J29",
            [
                token("I30", "GWR", 1),
                token("I30", "LYR", 2),
                token("I30", "LNWR", 3, "destination"),
            ],
        ),
        ("J29 I30", [token("I30", "GWR", 1), token("I30", "LYR", 2)]),
    ],
    ids=["empty slot", "token in an extra slot", "own token"],
)
def test_printed_slots_decide_whether_a_city_is_open(
    own: str, tokens: list[TokenPlacement]
) -> None:
    """11.7: an empty printed slot opens the city, also beside a token in an extra slot."""
    table = Table(board("1822", "5", *RING), "MR", own, "5", home="J29", others=tokens)
    assert len(tokens) + len(own.split()) > table.board.stops["I30-0"].slots - 1
    assert table.codes(table.route("5-0", "J29 I30 J31")) == []


# --- London and double hexes (§11.3 g, §11.10) --------------------------------


def test_one_london_city_on_a_route() -> None:
    """11.3 g (§20.36): London's cities belong together on the base map."""
    state = board("1822", "5", "M38 M40 M42", "M38 L39 K40 L41 M42")
    table = Table(state, "LBSCR", "M38/0", "5", home="M38/0")
    (fault,) = table.judge(table.route("5-0", "M38-0 M42 M38-1")).faults
    assert (fault.code, fault.hex, fault.path) == ("GROUP_TWICE", "M38", "routes[0].stops[2]")


def test_both_towns_of_a_double_hex() -> None:
    """11.10 (§20.36): H21 may be visited twice."""
    table = Table(board("1822", "5", *ROUND_THE_TOWNS), "7", "H23", "5", home="H23")
    assert table.codes(table.route("5-0", "H23 H21-1 G22 G20 H21-0")) == []


# --- the Channel and France (§11.5) -------------------------------------------


def _channel(tile: str, trains: str, own: str = "M38/5", *others: str) -> Table:
    """SECR between London, Dover, Brighton and the Channel."""
    phase, london = {"X4": ("4", "X21"), "X9": ("6", "X22"), "X15": ("7", "X22")}[tile]
    state = board(
        "1822", phase, "M38 N39 O40 P41 P43", "P43 O42 N41 M42", tiles={"P43": tile, "M38": london}
    )
    foreign = [token("P43", name, slot) for slot, name in enumerate(others)]
    return Table(state, "SECR", own, trains, home="M38/5", others=foreign)


def test_the_channel_is_visited_on_the_way_to_france() -> None:
    """11.5 (§20.31): neither an end of a route nor a stop on the way to elsewhere."""
    table = _channel("X9", "5")
    assert table.codes(table.route("5-0", "M38-5 O40 P41 P43")) == ["CHANNEL_WITHOUT_FRANCE"]
    through = table.route("5-0", "M38-5 O40 P41 P43 O42")
    assert table.codes(through) == ["CHANNEL_WITHOUT_FRANCE"]


def test_channel_and_france_alone_are_not_a_route() -> None:
    """11.5 (§20.31)."""
    table = _channel("X9", "2P", "M38/5 P43")
    assert table.codes(table.route("2P-0", "P43 Q44")) == ["CHANNEL_ALONE"]
    assert table.codes(table.route("2P-0", "P41 P43 Q44")) == []


def test_the_pair_counts_as_one_stop() -> None:
    """11.5, 11.8: P43 costs one stop, France none."""
    table = _channel("X4", "4 3")
    travel = "M38-5 O40 P41 P43 Q44"
    assert table.judge(table.route("4-0", travel)).revenue == 60 + 20 + 20 + 60
    (fault,) = table.judge(table.route("3-1", travel)).faults
    assert (fault.code, fault.path) == ("STOPS_TOO_MANY", "routes[0].stops")


def test_france_ends_routes() -> None:
    """11.4: from one track of the Channel to the other through France."""
    table = _channel("X9", "5")
    one = table.route("5-0", "P41 P43 Q44")
    two = table.route("5-0", "Q44 P43 O42")
    codes = table.codes(replace(one, stops=one.stops + two.stops[1:], legs=one.legs + two.legs))
    assert {"OFFBOARD_PASSED", "STOP_TWICE"} <= set(codes)


def test_a_full_channel_bars_france() -> None:
    """11.5: without a free slot or an own token in P43 nobody passes to France."""
    table = _channel("X4", "4", "M38/5", "GWR")
    assert table.codes(table.route("4-0", "O40 P41 P43 Q44")) == ["CITY_BLOCKED", "TOKEN_MISSING"]
    assert table.codes(table.route("4-0", "M38-5 O40 P41 P43 Q44")) == ["CITY_BLOCKED"]
    assert not any(stop.id == "Q44-0" for stop in table.rules.problem(table.position).stops)
    free = _channel("X9", "5", "M38/5", "GWR")
    assert free.codes(free.route("5-0", "M38-5 O40 P41 P43 Q44")) == []


# --- junctions (§11.9, D5) ------------------------------------------------------


def test_one_train_may_cross_a_junction_twice() -> None:
    """11.9, D5 (§20.42): over four sides, in two legs; a reading that forbids it can be had."""
    strict = replace(PROFILES["rulebook"], junction_twice=False)
    state = board("1822", "5", *CROSSING)
    travel = "K30 K36 K38 L33 I30"
    for profile in PROFILES.values():
        table = Table(state, "MR", "K30", "5", profile=profile)
        assert table.codes(table.route("5-0", travel)) == []
    table = Table(state, "MR", "K30", "5", profile=strict)
    (fault,) = table.judge(table.route("5-0", travel)).faults
    assert (fault.code, fault.hex, fault.path) == (
        "JUNCTION_CROSSED_TWICE",
        "K34",
        "routes[0].legs",
    )


# --- local trains (§11.11) ------------------------------------------------------


def test_local_trains_serve_one_own_city_and_one_town() -> None:
    """11.11 (§20.34): not two cities, not two towns, not a foreign city."""
    state = board("1822", "5", *ROUND_THE_TOWNS, "H23 H25 I26")
    table = Table(state, "7", "H23", "LP", home="H23", others=[token("G22", "LYR")])
    assert table.codes(table.route("LP-0", "H23")) == []
    assert table.codes(table.route("LP-0", "H23 H21-1")) == []
    assert table.codes(table.route("LP-0", "H21-1 H23 H25")) == ["LOCAL_STOPS_WRONG"]
    assert table.codes(table.route("LP-0", "H25 I26")) == ["LOCAL_STOPS_WRONG"]
    both = table.codes(table.route("LP-0", "H23 H21-1 G22"))
    assert both == ["LOCAL_STOPS_WRONG", "TOKEN_MISSING"]
    assert table.codes(table.route("LP-0", "G22 H21-1")) == ["TOKEN_MISSING"]
    (fault,) = table.judge(table.route("LP-0", "G22")).faults
    assert (fault.code, fault.path, fault.hex) == ("TOKEN_MISSING", "routes[0].stops[0]", "G22")


def test_local_trains_do_not_go_to_the_channel() -> None:
    """11.5: not even to stand there beside an own token."""
    table = _channel("X15", "LP", "M38/5 P43")
    assert table.codes(table.route("LP-0", "P43")) == ["CHANNEL_WITHOUT_FRANCE"]
    assert set(table.codes(table.route("LP-0", "P43 Q44"))) == {
        "CHANNEL_ALONE",
        "LOCAL_STOPS_WRONG",
    }
    assert table.codes(table.route("LP-0", "M38-5")) == []


# --- length (§11.8, §11.12) -------------------------------------------------------


def test_a_number_counts_cities_and_towns() -> None:
    """11.8: each costs one."""
    table = Table(board("1822", "5", *CROSSING), "MR", "K30", "4 3")
    assert table.codes(table.route("4-0", "K30 K36 K38 L33")) == []
    assert table.codes(table.route("3-1", "K30 K36 K38 L33")) == ["STOPS_TOO_MANY"]


def test_with_a_pullman_towns_are_free() -> None:
    """11.12 (§20.39): a 2+ visits two cities and all towns between and beyond them."""
    table = Table(board("1822", "5", *ROUND_THE_TOWNS), "7", "H23", "2P P+", home="H23")
    travel = "H23 H21-1 G22 G20 H21-0"
    assert table.codes(table.route("2P-0", travel, plus=True)) == []
    assert table.codes(table.route("2P-0", travel)) == ["STOPS_TOO_MANY"]
    three = table.route("2P-0", f"{travel} I22", plus=True)
    (fault,) = table.judge(three).faults
    assert (fault.code, fault.section) == ("CITIES_TOO_MANY", "1822 §11.12")


def test_with_a_pullman_the_channel_is_a_city() -> None:
    """11.12: P43 counts as one of the cities, France as none."""
    table = _channel("X15", "2P 5 P+")
    assert table.codes(table.route("2P-0", "M38-5 O40 P41", plus=True)) == ["CITIES_TOO_MANY"]
    own = _channel("X15", "2P 5 P+", "M38/5 P41")
    assert own.codes(own.route("2P-0", "P41 P43 Q44", plus=True)) == []
    assert own.codes(own.route("2P-0", "O40 P41 P43 Q44", plus=True)) == ["CITIES_TOO_MANY"]


# --- E trains (§11.13) --------------------------------------------------------------


def test_an_e_runs_from_own_city_to_own_city() -> None:
    """11.13: any number of stops between; a foreign end is refused, where it is named."""
    table = Table(board("1822", "7", *CROSSING), "MR", "K30 L33", "E")
    assert table.judge(table.route("E-0", "K30 K36 K38 L33")).revenue == 2 * (20 + 20)
    verdict = table.judge(table.route("E-0", "K30 K36 K38 L33 I30"))
    assert [(fault.code, fault.path) for fault in verdict.faults] == [
        ("EXPRESS_END_FOREIGN", "routes[0].stops[4]")
    ]


def test_an_e_reaches_france_with_a_token_in_the_channel() -> None:
    """11.13 (§20.32): with one own city more; without a token there it is refused."""
    table = _channel("X15", "E", "M38/5")
    travel = "M38-5 O40 P41 P43 Q44"
    (fault,) = table.judge(table.route("E-0", travel)).faults
    assert (fault.code, fault.path) == ("EXPRESS_END_FOREIGN", "routes[0].stops[4]")
    table = _channel("X15", "E", "M38/5 P43")
    assert table.judge(table.route("E-0", travel)).revenue == 2 * (80 + 120)
    assert table.codes(table.route("E-0", "P43 Q44")) == ["CHANNEL_ALONE"]


def test_an_e_beyond_its_own_cities_under_the_reading_of_older_records() -> None:
    """D6: what lies beyond earns nothing; two own cities are needed all the same."""
    lenient = replace(PROFILES["18xx.games"], beyond_own=True)
    state = board("1822", "7", *CROSSING)
    table = Table(state, "MR", "K30 L33", "E", profile=lenient)
    assert table.judge(table.route("E-0", "K30 K36 K38 L33 I30")).revenue == 2 * (20 + 20)
    assert table.codes(table.route("E-0", "L33 I30")) == ["EXPRESS_TOO_FEW_OWN"]


def test_blocked_cities_block_an_e() -> None:
    """11.13: blocking holds for an E as for other trains."""
    full = [token("K38", name, slot) for slot, name in enumerate(["GWR"])]
    table = Table(board("1822", "7", *CROSSING), "MR", "K30 L33", "E", others=full)
    assert table.codes(table.route("E-0", "K30 K36 K38 L33")) == ["CITY_BLOCKED"]
