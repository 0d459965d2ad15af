"""From a situation to checked rules and position."""

from __future__ import annotations

from engine.errors import Fault, StateError, UnknownGameError
from engine.routing.position import load_position
from engine.routing.rules import Rules
from engine.routing.run import Position
from server.profiles import choose_profile
from server.question import Situation
from server.titles import find_game


def seat(situation: Situation) -> tuple[Rules, Position]:
    """Return rules and position of a situation, built anew.

    Raises
    ------
    StateError
        No game has the title, or board, company or profile have faults; all of them are listed.
    TitleNotHeldError
        The title was described by a client and is not held.
    """
    try:
        game = find_game(situation.board.title)
    except UnknownGameError as error:
        raise StateError([Fault(error.code, "board.title", str(error))]) from error
    faults: list[Fault] = []
    try:
        profile = choose_profile(game, situation.profile)
    except StateError as error:
        faults.extend(error.faults)
        profile = next(iter(game.profiles.values()))
    rules = game.make_rules(game, profile)
    try:
        position = load_position(rules, situation.board, situation.company)
    except StateError as error:
        raise StateError([*error.faults, *faults]) from error
    if faults:
        raise StateError(faults)
    return rules, position
