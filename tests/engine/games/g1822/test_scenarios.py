"""What differs in the regional scenarios (1822 §21)."""

from __future__ import annotations

import pytest

from engine.games import load_game
from engine.routing.vocabulary import AtMostOne, OneOf
from tests.engine.games.g1822.handmade import Table, board, token
from tests.engine.games.g1822.words import routes_of

CIRCLE = ("M38 L39 K38 J37 I36 H37 G36", "G36 I42 J41 K42 M42 M40 M38")
"""From one London city through Bath and Radstock back to another."""

# --- MRS -----------------------------------------------------------------------


@pytest.mark.parametrize("profile", ["18xx.games", "rulebook"])
def test_two_london_cities_without_a_double_hex(profile: str) -> None:
    """21.6: MRS has no group London; one stop per hex (11.10) refuses both cities."""
    state = board("1822MRS", "5", "M38 M40 M42", "M38 L39 K40 L41 M42")
    table = Table(state, "LBSCR", "M38/0", "5", home="M38/0", profile=profile)
    (fault,) = table.judge(table.route("5-0", "M38-0 M42 M38-1")).faults
    assert (fault.code, fault.hex) == ("STOPS_IN_ONE_HEX", "M38")
    assert (fault.path, fault.section) == ("routes[0].stops[2]", "1822 §11.10")


def _circle(profile: str) -> Table:
    state = board("1822MRS", "7", *CIRCLE, tiles={"M38": "X22"})
    return Table(state, "LBSCR", "M38/0 M38/1", "E", home="M38/0", profile=profile)


def _from_london_to_london(table: Table) -> str:
    town = next(leg.b for leg in table.legs("G36-0") if leg.b.startswith("H37"))
    return f"M38-0 M42 K42 J41 I42 G36 {town} K38 M38-1"


def test_two_london_cities_with_a_double_hex() -> None:
    """21.6, D12: accepted on 18xx.games if the route visits a double hex; the rulebook refuses."""
    practice, rulebook = _circle("18xx.games"), _circle("rulebook")
    travel = _from_london_to_london(practice)
    assert practice.judge(practice.route("E-0", travel)).revenue == 2 * (80 + 80)
    assert rulebook.codes(rulebook.route("E-0", travel)) == ["STOPS_IN_ONE_HEX"]


def test_the_problem_knows_what_a_double_hex_frees() -> None:
    """21.6, D12: stated as a group with exceptions, or without any under the rulebook."""
    for profile, runs in (("18xx.games", True), ("rulebook", False)):
        table = _circle(profile)
        problem = table.rules.problem(table.position)
        groups = problem.classes[0].reach.groups
        double = {n for n, stop in enumerate(problem.stops) if stop.hex == "H37"}
        london = {n for n, stop in enumerate(problem.stops) if stop.hex == "M38"}
        assert groups == (AtMostOne(frozenset(london), frozenset(double if runs else ())),)
        ends = {
            problem.stops[stop].id
            for route in routes_of(problem, 0, "E-0")
            for stop in (route.stops[0], route.stops[-1])
        }
        assert ends == ({"M38-0", "M38-1"} if runs else set())


@pytest.mark.parametrize(
    ("end", "line"), [("D39", "D39 E38 F37 G36"), ("H17", "H17 H19"), ("K16", "K16 K18 K20")]
)
def test_far_places_of_mrs_end_routes(end: str, line: str) -> None:
    """21.4: South-west England, Glasgow and Edinburgh."""
    state = board("1822MRS", "5", line)
    stop = line.rsplit(maxsplit=1)[-1]
    table = Table(state, "7", "H23", "5", home="H23", others=[token(stop, "8")])
    route = table.route("5-0", f"{end} {stop}")
    assert table.codes(route) == ["TOKEN_MISSING"]
    back = table.codes(table.route("5-0", f"{stop} {end} {stop}"))
    assert "TERMINAL_PASSED" in back


def test_france_and_merthyr_are_part_of_mrs() -> None:
    """21.1: everything not listed is as in the base game."""
    table = Table(board("1822MRS", "7", "E34 F35"), "21", "E34", "5 6", home="E34")
    routes = [table.route("5-0", "E34 (-E32) F33"), table.route("6-1", "E34 (E32) F33")]
    assert table.codes(*routes) == ["FORK_BOTH_TRACKS"]
    assert len(table.rules.problem(table.position).words_of(OneOf)) == 1
    state = board("1822MRS", "7", "P41 P43", tiles={"P43": "X15"})
    table = Table(state, "SECR", "M38/5 P41", "5", home="M38/5")
    assert table.judge(table.route("5-0", "P41 P43 Q44")).revenue == 20 + 120


# --- NRS -----------------------------------------------------------------------


def _north() -> Table:
    state = board("1822NRS", "7", "M30 L29 K30 J29", "N29 M28 L27 K28 J29")
    return Table(state, "LNWR", "N29/0 J29", "5 5", home="N29/0")


def test_one_of_three_london_cities_in_nrs() -> None:
    """21.8: M30 and both cities of N29 exclude each other."""
    table = _north()
    (fault,) = table.judge(table.route("5-0", "M30 J29 K28 N29-0")).faults
    assert (fault.code, fault.hex) == ("GROUP_TWICE", "N29")
    routes = [table.route("5-0", "M30 J29"), table.route("5-1", "N29-0 K28 J29")]
    assert table.judge(*routes).revenue == (100 + 20) + (100 + 20 + 20)


def test_nrs_has_neither_channel_nor_merthyr() -> None:
    """21.7, 21.8: no France, nothing to choose between two tracks."""
    game = load_game("1822NRS")
    assert not {"P43", "Q44", "F33", "E34"} & set(game.atlas().hexes)
    table = _north()
    assert table.rules.problem(table.position).words_of(OneOf) == ()


def test_mid_wales_of_nrs_has_two_lanes() -> None:
    """21.8: E26 ends routes, and two trains may enter over one side."""
    table = Table(board("1822NRS", "5", "E26 F25 G24", "F25 G26 G28"), "29", "E26", "3 3")
    routes = [table.route("3-0", "E26 G24"), table.route("3-1", "E26 G28")]
    assert table.codes(*routes) == []
    assert set(table.codes(table.route("3-0", "G24 E26 G28"))) == {"TERMINAL_PASSED"}
