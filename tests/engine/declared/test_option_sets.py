"""Options together on small boards: the best run pays what the best of all allowed runs pays.

The referee alone says which runs are allowed and what they pay; what is solved is
the statement, which shares nothing with it but the reading of data.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from engine.board.legs import Leg, find_legs
from engine.board.state import HexMarker
from engine.routing.problem import turned
from engine.routing.rules import Rules
from engine.routing.run import Ability, Flag, Position, Route, Run, TokenRef
from optimizer import solve
from tests.engine.declared.wye import position, rules

Raw = dict[str, Any]

SETS: dict[str, list[Raw]] = {
    "scale, count, double": [
        {"op": "scale", "num": 3, "den": 2, "round": 10, "if_stop": {"group": "West"}},
        {"op": "count", "of": {"hexes": ["A3", "B4", "B6"]}, "table": [0, 0, 20, 50]},
        {"op": "double", "of": {"own_city": True}},
    ],
    "length, track, ends_red": [
        {
            "op": "length",
            "measure": "hex_sides",
            "trains_with_measure": "hexes",
            "leg_factor": [{"track": "narrow", "factor": 2}],
            "minus_one_if_track_in": ["A5"],
        },
        {"op": "track", "hexes": ["B4"], "amount": -10},
        {"op": "ends_red", "by_phase": {"I": [20, 30]}},
    ],
    "least route unpaid, pair once a run": [
        {"op": "run_minus_least", "ability": "civil_war"},
        {"op": "best_route_all_hexes", "abilities": ["pair"]},
    ],
    "treasury, exactly, least_paying": [
        {"op": "to_treasury", "of": {"hexes": ["B2"]}},
        {
            "op": "exactly",
            "of": {"hexes": ["B2"]},
            "trains_name_ends": "M",
            "count": 1,
            "others": 0,
        },
        {"op": "least_paying", "kinds": ["city"], "count": 1},
    ],
    "once for each token, stops that exclude each other": [
        {"op": "per_token_instead", "of": {"group": "East"}},
        {"op": "not_both", "paying": [{"hexes": ["A5"]}, {"hexes": ["B4"]}]},
        {"op": "label_own", "amount": 30},
    ],
    "the best stops again, worthless stops": [
        {"op": "set", "all": [{"hexes": ["A1"]}], "amount": "max_stop"},
        {"op": "set", "all": [{"hexes": ["C5"]}], "amount": "max_other_stop"},
        {"op": "zero_stop_needs", "any": [{"hexes": ["B6"]}]},
    ],
    "track classes, permission, abilities": [
        {"op": "track_classes", "by": "name_has", "text": "/"},
        {"op": "permission", "hexes": ["A1"], "flag": "ferry"},
        {"op": "ability", "type": "pair", "per": "stop"},
        {"op": "ability_double", "type": "pair"},
    ],
    "candidates, kinds, once a run": [
        {"op": "kind", "of": {"colour": "gray"}, "as": "town"},
        {
            "op": "candidates",
            "trains": ["2/4"],
            "of_any": ["own_city", {"colour": "red"}],
            "best": "distance.pay",
        },
        {"op": "once_per_run", "hex": "B4", "while_colour": "white"},
        {"op": "longest", "amount": 10, "count": "city"},
    ],
    "a goal, first of two sets": [
        {"op": "must_run", "when": "connection_runs", "ends": ["home", "destination"]},
        {
            "op": "first_of",
            "options": [
                {"op": "set", "all": [{"label": "E"}, {"label": "W"}], "amount": "icons"},
                {"op": "set", "all": [{"group": "East"}, {"kind": "town"}], "amount": 70},
            ],
        },
        {"op": "marker", "marker": "mill", "amount": 10, "amount_own": 20},
    ],
}

COMPANY: Raw = {
    "abilities": (Ability("pair", ("B4", "C5"), 20), Ability("civil_war")),
    "home": TokenRef("A3", 0),
    "markers": ("mill",),
}
BOARD: Raw = {"markers": (HexMarker("B4", "mill"),)}


@pytest.fixture(scope="module", params=SETS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """The rules of the title with one set of options."""
    return rules(tmp_path_factory.mktemp("titles"), SETS[request.param])


def _routes(at: Position, train: str) -> Iterator[Route]:
    """Yield every sequence of different stops joined by track, in both directions."""
    beside: dict[str, list[Leg]] = defaultdict(list)
    for one in find_legs(at.board):
        for leg in (one, turned(one)):
            beside[leg.a].append(leg)

    def onward(stops: tuple[str, ...], legs: tuple[Leg, ...]) -> Iterator[Route]:
        yield Route(train, stops, tuple(leg.paths for leg in legs))
        for leg in beside[stops[-1]]:
            if leg.b not in stops:
                yield from onward((*stops, leg.b), (*legs, leg))

    for stop in at.board.stops:
        yield from onward((stop,), ())


def best_of_all(made: Rules, at: Position) -> int:
    """Return what the best of all runs pays that the referee allows.

    Routes are tried alone first: a route that is illegal by itself, apart from what the
    whole run must hold, is in no legal run.
    """
    alone = {"GOAL_MISSING"}
    found: list[list[Route | None]] = []
    for train in at.company.trains:
        kept: list[Route | None] = [None]
        for route in _routes(at, train.id):
            faults = {fault.code for fault in made.judge(at, Run((route,))).faults}
            if faults <= alone:
                kept.append(route)
        found.append(kept)
    runs = (Run(tuple(route for route in routes if route)) for routes in product(*found))
    return max(verdict.revenue for verdict in (made.judge(at, run) for run in runs))


@pytest.mark.parametrize(("goal", "ferry"), [("", True), ("B6", False)])
@pytest.mark.parametrize(
    ("trains", "tokens"),
    [
        ("2/4 3", "A3 WR"),
        ("3H 2M", "A3 WR, B6 WR, B4 ER"),
        *(
            pytest.param(trains, tokens, marks=pytest.mark.slow)
            for trains in ("D", "4 2/4", "2/4 3H")
            for tokens in ("A3 WR", "A3 WR, B6 WR, B4 ER")
        ),
    ],
)
def test_the_best_run_is_found(
    made: Rules, trains: str, tokens: str, goal: str, ferry: bool
) -> None:
    """Statement and solver on one side, the referee and all runs on the other, agree."""
    flags = (Flag("ferry"),) if ferry else ()
    at = position(made, trains, tokens, BOARD, **COMPANY, goal=goal, flags=flags)
    best = best_of_all(made, at)
    solution = solve(made.problem(at))
    assert (solution.revenue, str(solution.status)) == (best, "OPTIMAL")
    assert made.judge(at, solution.run).revenue == best
