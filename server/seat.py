"""From a situation to checked rules and position."""

from __future__ import annotations

from engine.games import load_game
from engine.routing.position import load_position
from engine.routing.rules import Rules
from engine.routing.run import Position
from server.profiles import choose_profile
from server.question import Situation


def seat(situation: Situation) -> tuple[Rules, Position]:
    """Return rules and position of a situation, built anew.

    Raises
    ------
    UnknownGameError
        No game has the title.
    StateError
        Board, company or profile have faults.
    """
    game = load_game(situation.board.title)
    rules = game.make_rules(game, choose_profile(game, situation.profile))
    return rules, load_position(rules, situation.board, situation.company)
