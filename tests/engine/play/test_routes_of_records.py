"""Routes of records in odd shapes: no legs, empty, fields missing (FMT §B6, §F1, §H 25)."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Fault
from engine.notation.gamefile import Replay, read_game
from engine.play.actions import RouteEntry, RunRoutes, action_from, corporation
from engine.play.errors import IllegalActionError, Strict, Trusting
from engine.play.game import Play
from engine.play.runs import settle_run
from engine.routing.run import Route, Verdict

ROOT = Path(__file__).resolve().parents[3]
RUNS = {
    "tests/data/games/18GB-two-players": 29,
    "examples/games/1822": 172,
    "examples/games/1862": 162,
}
"""An early run of each of our own games."""


def before_run(name: str) -> tuple[Play, dict[str, Any]]:
    """Return a game just before its early run, and that run as recorded."""
    raw = json.loads((ROOT / f"{name}.json").read_text("utf-8"))
    run = next(entry for entry in raw["actions"] if entry["id"] == RUNS[name])
    return Replay(read_game(raw), audit=False).run(RUNS[name] - 1), copy.deepcopy(run)


def paid(play: Play) -> list[int | None]:
    """Return what the routes of the last run have paid, £."""
    run = play.actions()[-1]
    assert isinstance(run, RunRoutes)
    return [entry.revenue for entry in run.routes]


@pytest.mark.parametrize("name", RUNS)
@pytest.mark.parametrize("legs", [[], None, "missing"])
def test_a_route_whose_legs_are_lost_is_paid_and_told(name: str, legs: Any) -> None:
    """The replay books what is recorded, the audit reports that no token is on it; play
    refuses it."""
    play, run = before_run(name)
    route = run["routes"][0]
    recorded = [entry["revenue"] for entry in run["routes"]]
    del route["connections"]
    if legs != "missing":
        route["connections"] = legs
    bench = Trusting()
    assert paid(play.copy().apply(action_from(run), bench)) == recorded
    assert [(fault.code, fault.path) for fault in bench.breaches] == [
        ("TOKEN_MISSING", "routes[0].connections")
    ]
    with pytest.raises(IllegalActionError) as error:
        play.copy().apply(action_from(run), Strict())
    assert error.value.code == "TOKEN_MISSING"


@pytest.mark.parametrize("name", RUNS)
def test_an_empty_route_passes_and_pays_nothing(name: str) -> None:
    """Alone, in a replay and in play (FMT §F1)."""
    play, run = before_run(name)
    train = run["routes"][0]["train"]
    run["routes"] = [{"train": train, "connections": [], "hexes": [], "revenue": 0}]
    for bench in (Trusting(), Strict()):
        assert paid(play.copy().apply(action_from(run), bench)) == [0]
    run["routes"] = [{"train": train, "connections": []}]
    assert paid(play.copy().apply(action_from(run), Strict())) == [0]


def test_the_routes_beside_an_empty_one_are_judged() -> None:
    """With their own numbers: the first stands still, the second pays £50, the third £80 for
    what it names."""
    play, run = before_run("examples/games/1862")
    first, second, third = run["routes"]
    run["routes"] = [{"train": first["train"]}, second, third]
    for route in (second, third):
        del route["revenue"]
    assert paid(play.copy().apply(action_from(run))) == [0, 50, 80]
    third["revenue"] = 90
    with pytest.raises(IllegalActionError) as error:
        play.copy().apply(action_from(run))
    assert (error.value.code, error.value.fault.path) == ("REVENUE_WRONG", "routes[2].revenue")


def test_faults_have_the_numbers_of_the_entries() -> None:
    """What the referee numbers without the empty routes is numbered with them."""
    play, run = before_run("examples/games/1862")
    first, second, third = run["routes"]
    third["connections"] = [["F1", "F3"], ["F1", "F3"]]
    run["routes"] = [{"train": first["train"]}, second, third]
    bench = Trusting()
    play.copy().apply(action_from(run), bench)
    assert [fault.path for fault in bench.breaches] == ["routes[2].connections"]
    entries = [RouteEntry("a", ()), RouteEntry("b", (("X",),)), RouteEntry("c", ())]
    entries.append(RouteEntry("d", (("Y",),)))
    faults = [Fault("ANY", path, "") for path in ("routes[0].stops", "routes[1]", "routes", "run")]
    bench = Trusting()
    settle_run(
        bench,
        play.running(),  # type: ignore[arg-type]
        RunRoutes(corporation("x"), tuple(replace(entry, revenue=0) for entry in entries)),
        lambda: [None if entry.empty else Route(entry.train, ()) for entry in entries],
        lambda run: Verdict(faults=tuple(faults)),
        "",
    )
    assert [fault.path for fault in bench.breaches] == [
        "routes[1].stops",
        "routes[3]",
        "routes",
        "run",
    ]


@pytest.mark.parametrize("train", [None, 5, "missing"])
def test_a_route_has_a_train(train: Any) -> None:
    """Null is missing; a number is none."""
    _, run = before_run("examples/games/1822")
    route = run["routes"][0]
    del route["train"]
    if train != "missing":
        route["train"] = train
    with pytest.raises(IllegalActionError) as error:
        action_from(run)
    assert (error.value.code, error.value.fault.path) == ("FIELD_MISSING", "routes[0]")


@pytest.mark.parametrize("extra", [10, -10, "10", [1]])
def test_revenue_beside_the_routes_is_not_passed_over(extra: Any) -> None:
    """FMT §B6.1, §F4: it is nought or missing in these games; another one is refused."""
    _, run = before_run("examples/games/1822")
    for nought in (0, None, False):
        assert isinstance(action_from({**run, "extra_revenue": nought}), RunRoutes)
    with pytest.raises(IllegalActionError) as error:
        action_from({**run, "extra_revenue": extra})
    assert (error.value.code, error.value.fault.path) == ("FIELD_MALFORMED", "extra_revenue")
