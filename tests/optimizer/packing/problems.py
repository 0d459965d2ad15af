"""Problems on random boards for the tests of the packing engine."""

from __future__ import annotations

import random

from engine.games import load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from tests.boards import g18gb, g1822

GAMES = {"1822": g1822, "18GB": g18gb}


def small_problem(title: str, seed: int, *, hexes: int = 14, trains: int = 3) -> RoutingProblem:
    """Return the problem of a small random position."""
    board, company = GAMES[title].random_position(random.Random(seed), hexes=hexes, trains=trains)
    return _stated(board, company)


def large_problem(title: str, seed: int) -> RoutingProblem:
    """Return the problem of a random end-game position."""
    return _stated(*GAMES[title].large_position(random.Random(seed)))


def _stated(board: object, company: object) -> RoutingProblem:
    rules = make_rules(load_game(board.title))  # type: ignore[attr-defined]
    return rules.problem(load_position(rules, board, company))  # type: ignore[arg-type]
