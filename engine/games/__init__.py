"""The games: one folder each, found by looking.

A game is a package ``engine.games.g...`` with a list ``GAMES``. Nothing else
in the project names a game, so a fourth one is a new folder here.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module

from engine.errors import UnknownGameError
from engine.games.game import Game

__all__ = ["Game", "all_games", "load_game"]


@lru_cache(maxsize=1)
def all_games() -> Mapping[str, Game]:
    """Return every game by title, in order of their folders."""
    found: dict[str, Game] = {}
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            package = import_module(f"{__name__}.{module.name}")
            for game in package.GAMES:
                found[game.title] = game
    return found


def load_game(title: str) -> Game:
    """Return the game with the given title.

    Raises
    ------
    UnknownGameError
        No game has this title; the message lists those that exist.
    """
    game = all_games().get(title)
    if game is None:
        known = ", ".join(all_games())
        raise UnknownGameError(f"there is no game {title!r}; known are {known}")
    return game
