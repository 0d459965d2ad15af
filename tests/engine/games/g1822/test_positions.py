"""Recorded runs against the figures that were checked elsewhere (1822 §11, §19)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby

import pytest

from engine.games import load_game
from engine.games.g1822.profile import PROFILES, Profile1822
from engine.games.g1822.rules import Rules1822
from engine.games.g1822.special import track_class
from engine.notation.positions import PositionRecord, read_positions
from engine.notation.routes import resolve_run
from engine.routing.position import load_position
from engine.routing.run import Position, Route, Run, Verdict
from tests.engine.games.g1822.naive import best_run
from tests.engine.games.g1822.words import compatible, price, routes_of
from tests.shared import POSITIONS

FOLDER = POSITIONS / "1822"
ABSENT = pytest.mark.skipif(not FOLDER.is_dir(), reason="the recorded positions are not here")


@lru_cache(maxsize=1)
def records() -> dict[str, PositionRecord]:
    """Return all recorded positions by id; none where the folder is absent."""
    files = sorted(FOLDER.glob("*.jsonl")) if FOLDER.is_dir() else []
    return {record.id: record for file in files for record in read_positions(file)}


def position_of(record: PositionRecord, profile: Profile1822) -> tuple[Rules1822, Position]:
    """Return the rules under a profile and the checked position."""
    rules = Rules1822(load_game(record.board.title), profile)
    return rules, load_position(rules, record.board, record.company)


def recorded(record: PositionRecord, profile: Profile1822) -> tuple[Run, Verdict]:
    """Return the recorded run and the verdict on it."""
    rules, position = position_of(record, profile)
    kinds = {train.id: position.title.trains[train.name] for train in record.company.trains}
    classes = {train: track_class(kind) for train, kind in kinds.items()}
    routes = resolve_run(position.board, record.company.corporation, record.recorded, classes)
    run = Run(
        tuple(
            replace(route, attachment="P+") if route.train == record.attached else route
            for route in routes
            if route is not None
        )
    )
    assert len(run.routes) == len(routes), "a recorded route is void"
    return run, rules.judge(position, run)


SITE = PROFILES["18xx.games"]


@ABSENT
@pytest.mark.parametrize("name", records())
def test_recorded_run_is_worth_what_was_checked(name: str) -> None:
    """Stops, legality and revenue of every route of every recorded run."""
    record = records()[name]
    assert record.checked is not None
    run, verdict = recorded(record, SITE)
    checked = record.checked["routes"]
    assert [list(route.stops) for route in run.routes] == [route["stops"] for route in checked]
    assert verdict.legal == record.checked["valid"], verdict.faults
    if verdict.legal:
        paid = [route.revenue for route in verdict.routes]
        assert paid == [route["revenue"] for route in checked]
        assert verdict.revenue == record.raw["recorded"]["revenue"] == sum(paid)
        for route, other in zip(verdict.routes, checked, strict=True):
            if other["train_name"] != "E":
                assert list(route.paying) == other["paying_stops"]


@ABSENT
def test_only_the_express_beyond_its_own_cities_is_refused() -> None:
    """11.13, D6: 36685#823, whose E begins at a town beyond G12; older records accept it."""
    refused = [
        name for name, record in records().items() if not (record.checked or {}).get("valid")
    ]
    assert refused == ["1822/36685@823"]
    record = records()[refused[0]]
    _, verdict = recorded(record, SITE)
    assert [(f.code, f.path, f.hex) for f in verdict.faults] == [
        ("EXPRESS_END_FOREIGN", "routes[0].stops[0]", "H13")
    ]
    _, verdict = recorded(record, replace(SITE, beyond_own=True))
    assert verdict.revenue == record.raw["recorded"]["routes"][0]["revenue"] == 500


@ABSENT
def test_rulebook_and_site_agree_on_the_base_map() -> None:
    """22: D5, D6 and D12 make no difference to a recorded run of the base game."""
    for record in records().values():
        assert recorded(record, SITE)[1] == recorded(record, PROFILES["rulebook"])[1]


@ABSENT
@pytest.mark.parametrize(
    ("name", "revenues"),
    [
        ("36685@44", [30]),
        ("33845@1498", [180, 800]),
        ("36685@857", [380, 820]),
    ],
)
def test_worked_examples_of_recorded_games(name: str, revenues: list[int]) -> None:
    """19.1 double hex, 19.8 E past foreign cities, 19.9 Pullman and E."""
    _, verdict = recorded(records()[f"1822/{name}"], SITE)
    assert [route.revenue for route in verdict.routes] == revenues


@ABSENT
@pytest.mark.parametrize(
    ("name", "submitted", "best"),
    [
        ("36685@655", 380, 430),
        ("36685@681", 400, 460),
        ("33845@740", 300, 340),
        ("33845@1474", 270, 280),
    ],
)
def test_runs_below_the_optimum(name: str, submitted: int, best: int) -> None:
    """19.12: what was submitted and what was possible."""
    record = records()[f"1822/{name}"]
    assert recorded(record, SITE)[1].revenue == submitted
    assert record.optimum == best


# --- optima ----------------------------------------------------------------------


def small(record: PositionRecord) -> bool:
    """Tell whether a naive search can afford all runs of a company."""
    names = [train.name for train in record.company.trains]
    return record.optimum is not None and not {"5", "5P", "6", "7", "E"} & set(names)


def quick(record: PositionRecord) -> bool:
    """Tell whether it can do so in a moment."""
    names = [train.name for train in record.company.trains]
    return small(record) and len(names) <= 2 and not {"4", "P+"} <= set(names)


def one_of_each() -> Iterator[str]:
    """Yield the last position for each set of trains in each phase."""

    def kind(name: str) -> tuple[str, list[str]]:
        record = records()[name]
        return record.board.phase, sorted(train.name for train in record.company.trains)

    names = sorted((name for name in records() if quick(records()[name])), key=kind)
    for _, group in groupby(names, key=kind):
        yield list(group)[-1]


@ABSENT
@pytest.mark.parametrize("name", list(one_of_each()))
def test_naive_search_finds_the_optimum(name: str) -> None:
    """Trains up to 4: the best revenue, and the best mail money with it (11.17)."""
    assert_optimum(records()[name])


@ABSENT
@pytest.mark.slow
def test_naive_search_finds_all_small_optima() -> None:
    """As above, for all positions with trains up to 4."""
    for record in records().values():
        if small(record):
            assert_optimum(record)


def assert_optimum(record: PositionRecord) -> None:
    """All runs, judged: none pays more than the recorded optimum, one pays that."""
    revenue, mail, _ = best_run(*position_of(record, SITE))
    assert (revenue, mail) == (record.optimum, record.optimum_subsidy or 0), record.id


@ABSENT
@pytest.mark.slow
def test_recorded_runs_are_runs_of_the_problem() -> None:
    """11.17: every recorded route is a route of its class, and the words price the run."""
    for record in records().values():
        if not small(record) or not record.recorded:
            continue
        rules, position = position_of(record, SITE)
        problem = rules.problem(position)
        run, verdict = recorded(record, SITE)
        found = []
        for route in run.routes:
            cls = next(n for n, c in enumerate(problem.classes) if route.train in c.trains)
            if route.attachment:
                cls = problem.attachments[0].turns[cls]
            same = [
                net
                for net in routes_of(problem, cls, route.train)
                if _way(problem.to_route(net)) == _way(route)
            ]
            assert len(same) == 1, (record.id, route.train)
            found.extend(same)
        assert compatible(problem, found)
        assert price(problem, found) == (verdict.revenue, verdict.subsidy)


def _way(route: Route) -> tuple[object, ...]:
    """Return stops and track of a route irrespective of its direction."""
    back = tuple(leg[::-1] for leg in reversed(route.legs))
    return min((route.stops, route.legs), (route.stops[::-1], back))
