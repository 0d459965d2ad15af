"""Problems on random boards, and how many of them the tests of the optimizer take."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from engine.board.state import BoardState
from engine.games import all_games, load_game
from engine.routing.position import load_position, make_rules
from engine.routing.problem import RoutingProblem
from engine.routing.run import CompanyState


def _generators() -> dict[str, ModuleType]:
    """By title what makes its boards: one title for each game folder, found by looking."""
    titles: dict[str, str] = {}
    for title, game in all_games().items():
        titles.setdefault(game.package.rpartition(".")[2], title)
    return {title: import_module(f"tests.boards.{folder}") for folder, title in titles.items()}


BOARDS = _generators()
TITLES = tuple(BOARDS)
PROFILES = ("18xx.games", "rulebook")

Change = Callable[[CompanyState], CompanyState]


def boards(usual: int) -> int:
    """Return how many boards a test takes.

    The environment variable ``BRADSHAW_BOARDS`` overrides the usual number: a
    few for every change, thousands now and then.
    """
    return int(os.environ.get("BRADSHAW_BOARDS", usual))


def random_board(title: str, seed: int, hexes: int, trains: int) -> tuple[BoardState, CompanyState]:
    """Return a small random position; both limits are drawn up to those given."""
    rng = random.Random(seed)
    position: tuple[BoardState, CompanyState] = BOARDS[title].random_position(
        rng, hexes=rng.randint(2, hexes), trains=rng.randint(1, trains)
    )
    return position


def board_problem(
    title: str,
    seed: int,
    *,
    hexes: int = 7,
    trains: int = 3,
    profile: str = "18xx.games",
    change: Change | None = None,
) -> RoutingProblem:
    """Return the problem of a small random position."""
    board, company = random_board(title, seed, hexes, trains)
    return stated(board, change(company) if change else company, profile)


def large_problem(title: str, seed: int) -> RoutingProblem:
    """Return the problem of a random end-game position."""
    board, company = BOARDS[title].large_position(random.Random(seed))
    return stated(board, company, "18xx.games")


def stated(board: BoardState, company: CompanyState, profile: str) -> RoutingProblem:
    """Return the problem of a position."""
    rules = make_rules(load_game(board.title), profile)
    return rules.problem(load_position(rules, board, company))
