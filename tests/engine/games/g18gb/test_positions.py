"""The referee of 18GB against the runs of recorded games.

The positions are other people's data and lie beside the checkout; without
them these tests are skipped.
"""

from __future__ import annotations

from functools import lru_cache

import pytest

from engine.games import load_game
from engine.notation.positions import PositionRecord, read_positions
from engine.notation.routes import resolve_run
from engine.routing.position import load_position, make_rules
from engine.routing.run import Position, Route, Run, Verdict
from tests.engine.games.g18gb.naive import best_revenue, is_small
from tests.shared import POSITIONS, needs_positions

FOLDER = POSITIONS / "18GB"
SITE = make_rules(load_game("18GB"), "18xx.games")
OLD_SITE = make_rules(load_game("18GB"), "18xx.games-2024-02-18")

pytestmark = needs_positions


@lru_cache(maxsize=1)
def records() -> tuple[PositionRecord, ...]:
    """Return all recorded positions."""
    return tuple(r for file in sorted(FOLDER.glob("*.jsonl")) for r in read_positions(file))


def resolved(record: PositionRecord) -> tuple[Position, tuple[Route, ...]]:
    """Return a position and the routes that were run."""
    position = load_position(SITE, record.board, record.company)
    classes = {train.id: "all" for train in record.company.trains}
    routes = resolve_run(position.board, record.company.corporation, record.recorded, classes)
    assert None not in routes, record.id
    return position, tuple(route for route in routes if route is not None)


def judged(record: PositionRecord) -> tuple[Verdict, tuple[Route, ...]]:
    """Return the verdict on the recorded run, and its routes."""
    position, routes = resolved(record)
    return SITE.judge(position, Run(routes)), routes


def test_every_recorded_run_pays_what_was_checked() -> None:
    """§11.2 to §11.8: stops, paying stops and revenue, route by route."""
    for record in records():
        verdict, routes = judged(record)
        assert record.checked is not None
        assert verdict.legal == record.checked["valid"], (record.id, verdict.faults)
        expected = [
            (r["train"], tuple(r["stops"]), tuple(r["paying_stops"]), r["revenue"])
            for r in record.checked["routes"]
        ]
        got = [
            (v.train, route.stops, v.paying, v.revenue)
            for v, route in zip(verdict.routes, routes, strict=True)
        ]
        assert got == expected, record.id
        assert verdict.revenue == sum(r["revenue"] for r in record.checked["routes"])


def test_sums_by_game() -> None:
    """§11.9: revenue by rule and of the optimum, over all runs of each game."""
    sums: dict[str, tuple[int, int]] = {}
    for record in records():
        verdict, _ = judged(record)
        assert record.optimum is not None
        by_rule, optimum = sums.get(record.raw["game"], (0, 0))
        sums[record.raw["game"]] = by_rule + verdict.revenue, optimum + record.optimum
        assert verdict.revenue <= record.optimum, record.id
    assert sums == {
        "2p-ew": (10460, 10530),
        "3p": (14310, 14410),
        "final_train_export": (18660, 18770),
        "leased_train": (17090, 17860),
    }


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("2p-ew@38", 80),
        ("final_train_export@145", 80),
        ("2p-ew@112", 160),
        ("2p-ew@127", 250),
        ("leased_train@617", 290),
        ("final_train_export@708", 710),
        ("final_train_export@768", 790),
        ("leased_train@555", 470),
        ("leased_train@768", 520),
        ("final_train_export@730", 410),
        ("leased_train@671", 300),
        ("2p-ew@183", 440),
        ("leased_train@655", 510),
        ("final_train_export@685", 470),
    ],
)
def test_worked_examples(position: str, expected: int) -> None:
    """§11.10: the runs that are among the positions."""
    (record,) = [r for r in records() if r.id == f"18GB/{position}"]
    assert judged(record)[0].revenue == expected


def test_only_one_recorded_run_was_paid_by_the_older_rule() -> None:
    """§11.8.6: 440 by connected components, 470 by the best partition."""
    differing = {}
    for record in records():
        position, routes = resolved(record)
        old, new = (rules.judge(position, Run(routes)).revenue for rules in (OLD_SITE, SITE))
        if old != new:
            differing[record.id] = old, new
    assert differing == {"18GB/leased_train@555": (440, 470)}


def test_set_bonus_on_the_first_route_of_the_set() -> None:
    """§11.8.5, §11.10 example 15: two sets, shown 130 and 310."""
    (record,) = [r for r in records() if r.id == "18GB/2p-ew@183"]
    assert [route.revenue for route in judged(record)[0].routes] == [130, 310]


def test_lines_of_the_account_add_up() -> None:
    """The lines of each route add up to its revenue, the routes to that of the run."""
    for record in records():
        verdict, _ = judged(record)
        assert verdict.revenue == sum(route.revenue for route in verdict.routes)
        for route in verdict.routes:
            assert route.revenue == sum(item.amount for item in route.items), record.id
            paying = [item.subject for item in route.items if item.kind == "stop"]
            assert list(route.paying) == paying


def test_the_listing_never_pays_less_than_the_order_recorded() -> None:
    """§11.8.6: the problem's order reaches the best division of the same routes."""
    for record in records():
        position, routes = resolved(record)
        order = SITE.problem(position).order
        assert order is not None
        given = SITE.judge(position, Run(routes)).revenue
        assert SITE.judge(position, Run(order(routes))).revenue >= given, record.id


def check_optimum(most: int, least: int) -> None:
    """Compare the known optimum with the naive search on positions of at most `most` runs."""
    solved = 0
    for record in records():
        position = load_position(SITE, record.board, record.company)
        if is_small(position, most):
            assert best_revenue(position, SITE) == record.optimum, record.id
            solved += 1
    assert solved >= least


def test_optimum_of_small_positions_by_naive_search() -> None:
    """§11.9: the largest revenue over all runs, by the referee, is the known optimum."""
    check_optimum(most=400, least=90)


@pytest.mark.slow
def test_optimum_of_more_positions_by_naive_search() -> None:
    """§11.9: the same with up to 5000 runs."""
    check_optimum(most=5000, least=190)
