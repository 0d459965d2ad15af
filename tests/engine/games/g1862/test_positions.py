"""Recorded runs of 1862: the referee finds what the site's present rules say they are worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.games import load_game
from engine.games.g1862.rules import PROFILES, FreightDistance, Profile1862, Rules1862
from engine.notation.positions import PositionRecord, read_positions
from engine.notation.routes import resolve_run
from engine.routing.position import load_position
from engine.routing.run import Position, Route, Run
from tests.engine.games.g1862.handmade import Table
from tests.engine.games.g1862.naive import best_run, count_runs, routes_of
from tests.shared import POSITIONS

FOLDER = POSITIONS / "1862"
FILES = ("46925", "game_end_bank")
RECORDS: Mapping[str, PositionRecord] = {
    record.id.removeprefix("1862/"): record
    for name in FILES
    if (FOLDER / f"{name}.jsonl").exists()
    for record in read_positions(FOLDER / f"{name}.jsonl")
}

pytestmark = pytest.mark.skipif(not RECORDS, reason="no recorded positions beside the checkout")

OFFBOARD_HEX = {"freight_distance": FreightDistance.OFFBOARD_HEX}
"""The site's rule in 2021, under which 46925 was played (1862 D20)."""


def rules(**fields: Any) -> Rules1862:
    """Return the site's rules, but for some fields."""
    known = PROFILES["18xx.games"]
    assert isinstance(known, Profile1862)
    return Rules1862(load_game("1862"), replace(known, **fields))


def load(record: PositionRecord) -> tuple[Position, tuple[Route, ...]]:
    """Return the position of a record and the run that the players made."""
    position = load_position(rules(), record.board, record.company)
    free = {written.train: None for written in record.recorded}
    company = record.company.corporation
    routes = resolve_run(position.board, company, record.recorded, free)
    assert None not in routes, "every written route means one"
    return position, tuple(route for route in routes if route is not None)


@pytest.mark.parametrize("name", RECORDS)
def test_the_recorded_run_pays_what_was_checked(name: str) -> None:
    """Per route the stops, those that count, revenue and subsidy, and their sums (1862 §15.5)."""
    position, routes = load(RECORDS[name])
    verdict = rules().judge(position, Run(routes))
    checked = RECORDS[name].checked
    assert checked is not None
    assert verdict.legal == checked["valid"]
    for route, found, wanted in zip(routes, verdict.routes, checked["routes"], strict=True):
        assert list(route.stops) == wanted["stops"]
        assert sorted(found.paying) == sorted(wanted["paying_stops"])
        assert (found.revenue, found.subsidy) == (wanted["revenue"], wanted["subsidy"])
    assert verdict.revenue == sum(route["revenue"] for route in checked["routes"])
    assert verdict.subsidy == sum(route["subsidy"] for route in checked["routes"])


def test_every_record_is_there() -> None:
    """67 and 44 positions: none was lost on the way (positions README)."""
    assert len(RECORDS) == 67 + 44


@pytest.mark.parametrize("name", [name for name in RECORDS if name.startswith("46925")])
def test_the_game_of_2021_counts_from_the_offboard_hex(name: str) -> None:
    """Under D20(ii) the sums are the recorded ones, route by route (1862 §15.6)."""
    position, routes = load(RECORDS[name])
    verdict = rules(**OFFBOARD_HEX).judge(position, Run(routes))
    written = RECORDS[name].raw["recorded"]["routes"]
    assert [route.revenue for route in verdict.routes] == [route["revenue"] for route in written]


CHANGED = {
    "46925@120": (190, 220),
    "46925@151": (190, 220),
    "46925@161": (230, 260),
    "46925@242": (310, 340),
    "46925@282": (310, 340),
    "46925@395": (310, 340),
    "46925@464": (610, 640),
    "46925@480": (310, 340),
    "46925@558": (860, 890),
    "46925@613": (360, 390),
    "46925@619": (230, 250),
}
"""Revenue by the rule of 2021 and by the present one (1862 §15.6)."""
UNCHANGED = {"game_end_bank@483", "game_end_bank@503", "game_end_bank@631"}
"""Runs of the later game that the rule of 2021 would get wrong, by £30 each."""


@pytest.mark.parametrize("name", RECORDS)
def test_only_listed_runs_depend_on_the_distance_rule(name: str) -> None:
    """Exactly the runs of 1862 §15.6 differ between the distance rules, by the figures there."""
    position, routes = load(RECORDS[name])
    then = rules(**OFFBOARD_HEX).judge(position, Run(routes)).revenue
    now = rules().judge(position, Run(routes)).revenue
    if name in CHANGED:
        assert (then, now) == CHANGED[name]
    else:
        assert abs(then - now) == (30 if name in UNCHANGED else 0)


EXAMPLES = {
    "46925@102": (60, 0),
    "game_end_bank@105": (110, 40),
    "game_end_bank@125": (110, 40),
    "46925@126": (180, 0),
    "game_end_bank@169": (150, 0),
    "game_end_bank@269": (200, 0),
    "46925@110": (120, 0),
    "game_end_bank@404": (710, 120),
    "46925@655": (1270, 0),
    "game_end_bank@677": (2000, 110),
    "46925@161": (260, 0),
    "game_end_bank@489": (890, 140),
}
"""Revenue and subsidy of the worked examples X1 to X5, X7, X9 and X11 to X13."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_worked_examples(name: str) -> None:
    """The worked examples of 1862 §10.9 come out."""
    position, routes = load(RECORDS[name])
    verdict = rules().judge(position, Run(routes))
    assert (verdict.revenue, verdict.subsidy) == EXAMPLES[name]


def routes_and_size(name: str) -> tuple[Position, dict[str, list[Route]], int]:
    """Return every route of every train of a position, and the number of runs."""
    record = RECORDS[name]
    position = load_position(rules(), record.board, record.company)
    trains = [train.id for train in record.company.trains if train.runnable]
    routes = {train: routes_of(rules(), position, train) for train in trains}
    return position, routes, count_runs(position, routes)


SMALL = [
    "46925@120",
    "46925@126",
    "46925@136",
    "46925@145",
    "46925@242",
    "46925@263",
    "46925@402",
    "46925@472",
    "46925@490",
    "game_end_bank@113",
    "game_end_bank@125",
    "game_end_bank@144",
    "game_end_bank@160",
    "game_end_bank@169",
    "game_end_bank@330",
    "game_end_bank@341",
    "game_end_bank@413",
]


@pytest.mark.parametrize("name", SMALL)
def test_the_optimum_is_the_best_of_all_runs(name: str) -> None:
    """Every run, priced by the referee: the best is the optimum (1862 §10.8, §10.11)."""
    position, routes, _ = routes_and_size(name)
    best = best_run(rules(), position, routes)
    record = RECORDS[name]
    assert (best.revenue, best.subsidy) == (record.optimum, record.optimum_subsidy)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in RECORDS if name not in SMALL])
def test_the_optimum_is_the_best_of_all_runs_wherever_they_can_be_tried(name: str) -> None:
    """The same for every position with at most 40,000 runs."""
    position, routes, runs = routes_and_size(name)
    if runs > 40_000:
        pytest.skip(f"{runs} runs are too many to try")
    best = best_run(rules(), position, routes)
    record = RECORDS[name]
    assert (best.revenue, best.subsidy) == (record.optimum, record.optimum_subsidy)


def at(name: str) -> Table:
    """Return a recorded position with its company's trains, to run other routes there."""
    position, _ = load(RECORDS[name])
    return Table(rules(), position)


def test_meeting_at_a_london_node() -> None:
    """D17: 4/5E D13-D15 and 7F D15-E14-E12 meet at D15 only; the site pays £340."""
    t = at("46925@666")
    express, freight = (train.id for train in t.position.company.trains)
    routes = t.route(express, "D13 D15"), t.route(freight, "D15 E14 E12")
    assert t.judge(*routes).revenue == 340
    assert t.under("rulebook").codes(*routes) == ["ROUTES_DO_NOT_MEET"]


@pytest.mark.parametrize(("node", "site"), [("G14-2", 450), ("F15", 470)])
def test_one_area_at_two_nodes(node: str, site: int) -> None:
    """D19: Holland at F15 and at G14: 450 by the automatic choice, 470 by the exact one;
    with both trains at F15 470 either way."""
    t = at("46925@666")
    express, freight = (train.id for train in t.position.company.trains)
    routes = (
        t.route(express, "F15 F13 E12 F11 G12"),
        t.route(freight, f"{node} F13 E12 D13"),
    )
    assert t.judge(*routes).revenue == site
    assert t.but(choice_by_node=False).judge(*routes).revenue == 470


def test_sets_of_three_freights() -> None:
    """1862 §10.5.7, §10.5.8, §10.10: two closed chains of 30, chains of 50 and of 120, and
    a run that leaves home out."""
    t = at("game_end_bank@169")
    one, other, two = (train.id for train in t.position.company.trains)
    home, london = t.route(one, "D11 D13"), t.route(other, "D13 D15")
    back, long = t.route(other, "D11 D13"), t.route(two, "D11 D13 D15")
    assert t.judge(home, back).revenue == 30
    assert t.judge(home, london, long).revenue == 30
    assert t.judge(london, long).revenue == 50
    assert t.judge(home, long).revenue == 120
    assert t.codes(london) == ["HOME_NOT_VISITED"]


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("46925@126", ["E12-0", "G8-0"]),
        ("game_end_bank@125", ["B9-0"]),
        ("game_end_bank@404", ["G8-0", "G8-0"]),
        ("46925@655", ["D13-0"]),
        ("game_end_bank@677", ["B5-0"]),
        ("game_end_bank@489", ["G8-0"]),
    ],
)
def test_what_is_skipped_in_the_worked_examples(name: str, items: list[str]) -> None:
    """The stations in brackets in X3, X4, X7, X9, X11 and X13."""
    position, routes = load(RECORDS[name])
    verdict = rules().judge(position, Run(routes))
    found = [i.subject for route in verdict.routes for i in route.items if i.kind == "skipped"]
    assert found == items
