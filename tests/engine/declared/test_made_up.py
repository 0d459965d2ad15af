"""A made-up title: what its declared options refuse and pay, and that the best run is found.

Nothing of the title stands outside its folder.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.board.legs import Leg, find_legs
from engine.board.state import HexMarker
from engine.declared.parsing import options_of
from engine.drawing import draw_svg
from engine.games import load_game
from engine.routing.position import make_rules
from engine.routing.problem import turned
from engine.routing.rules import Rules
from engine.routing.run import Position, Route, Run
from engine.titles import add_folder
from optimizer import solve
from tests.engine.declared.wye import HEXES, judge, position, rules, write_short

MARKED = {"markers": (HexMarker("B4", "mill"),)}


@pytest.fixture(scope="module")
def wye(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """The rules of the title, imported and added."""
    return rules(tmp_path_factory.mktemp("titles"))


def codes(made: Rules, at: Position, *routes: str) -> set[str]:
    """Return the codes of the faults of a run."""
    return {fault.code for fault in judge(made, at, *routes).faults}


def test_what_is_refused(wye: Rules) -> None:
    """Each rule, common or declared, refuses the run that breaks it and only that."""
    at = position(wye, "3 3 2M 3H", "A3 WR, B4 ER")
    assert codes(wye, at, "A3 B4") == set()
    assert codes(wye, at, "A3 B4 C5") == {"CITY_BLOCKED"}
    assert codes(wye, at, "A1 A3") == {"STOPS_TOO_FEW"}
    assert codes(wye, at, "A3 A5") == {"END_NOT_ALLOWED"}
    assert codes(wye, at, "B2 A3") == {"GAUGE_WRONG"}
    assert codes(wye, at, "A5 B6 C5") == {"TOKEN_MISSING", "END_NOT_ALLOWED"}
    assert codes(wye, at, "A3 A5 B6 C5") == {"TRAIN_TOO_SHORT"}
    assert codes(wye, at, "A3 A5 B6", "B6 A5 A3") == {"TRACK_SHARED"}
    assert codes(wye, at, "A3 B4", "A3 A5 B6", "B2 A3") == set()
    neutral = position(wye, "3", "A3 WR, B4 ER neutral")
    assert codes(wye, neutral, "A3 B4 C5") == set()


def test_what_is_paid(wye: Rules) -> None:
    """Stops, the set of East and West by icons, a marker, own cities, the longest route."""
    bare = position(wye, "4 4", "A3 WR")
    assert judge(wye, bare, "A3 B4").revenue == 20 + 30 + 10
    assert judge(wye, bare, "A1 A3 B4 C5").revenue == 40 + 20 + 30 + 50 + 10 + 50
    full = position(wye, "3 3", board=MARKED, markers=("mill",), privates=("MAIL",))
    verdict = judge(wye, full, "A1 A3 B4", "A3 A5 B6")
    assert [each.revenue for each in verdict.routes] == [40 + 20 + 30 + 10, 20 + 10 + 30 + 30]
    assert verdict.revenue == 190
    without = position(wye, "3", board=MARKED)
    assert judge(wye, without, "A1 A3 B4").revenue == 90


def test_the_best_stops_pay(wye: Rules) -> None:
    """Of four stops a 2/4 is paid for the two that pay most with an own city among them."""
    verdict = judge(wye, position(wye, "2/4"), "A1 A3 B4 C5")
    assert verdict.routes[0].paying == ("A3-0", "C5-0")
    assert verdict.revenue == 70


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


@pytest.mark.parametrize("privates", [(), ("MAIL",)])
@pytest.mark.parametrize("trains", ["2 3", "4 2M", "2/4 3", "3H 2", "D", "4 3H"])
@pytest.mark.parametrize("tokens", ["A3 WR", "A3 WR, B4 ER", "B6 WR, A3 ER", "B4 WR, B6 WR"])
def test_the_best_run_is_found(
    wye: Rules, trains: str, tokens: str, privates: tuple[str, ...]
) -> None:
    """The proven best run pays as much as the best of all runs that the referee allows."""
    at = position(wye, trains, tokens, MARKED, privates=privates, markers=("mill",))
    legal: list[list[Route | None]] = []
    for train in at.company.trains:
        found = (route for route in _routes(at, train.id))
        legal.append([None, *(r for r in found if wye.judge(at, Run((r,))).legal)])
    runs = (Run(tuple(r for r in routes if r)) for routes in product(*legal))
    best = max(wye.judge(at, run).revenue for run in runs)
    solution = solve(wye.problem(at))
    assert (solution.revenue, str(solution.status)) == (best, "OPTIMAL")
    assert wye.judge(at, solution.run).revenue == best


def test_the_same_title_in_the_short_language(wye: Rules, tmp_path: Path) -> None:
    """Described in the short language, it is solved alike, and drawn.

    What follows from the rest is left out. The title has eight options; no line outside
    its folder is about it.
    """
    folder = tmp_path / "Shorthand"
    write_short(folder, "Shorthand")
    (title,) = add_folder(tmp_path)
    assert len(options_of(title)) >= 6
    made = make_rules(load_game("Shorthand"))
    for trains, tokens in product(("3 3 2M", "4 2M", "2/4 3", "D"), ("A3 WR", "B6 WR, A3 ER")):
        more: dict[str, Any] = {"privates": ("MAIL",), "markers": ("mill",)}
        plain = position(wye, trains, tokens, MARKED, **more)
        short = position(made, trains, tokens, MARKED, title="Shorthand", **more)
        one, other = solve(wye.problem(plain)), solve(made.problem(short))
        assert (one.revenue, str(other.status)) == (other.revenue, "OPTIMAL")
        assert made.judge(short, other.run).revenue == other.revenue > 0
        picture = draw_svg(short, other.run, made.judge(short, other.run))
        ElementTree.fromstring(picture)
        assert all(f'data-hex="{hex_id}"' in picture for hex_id in HEXES)
