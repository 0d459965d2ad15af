"""The games: one folder each, found by looking.

A game is a package ``engine.games.g...`` with a list ``GAMES``. Nothing else
in the project names a game, so a fourth one is a new folder here.
"""

from __future__ import annotations

import os
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path

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
    game = _alone(title) or all_games().get(title)
    if game is None:
        known = ", ".join(all_games())
        raise UnknownGameError(f"there is no game {title!r}; known are {known}")
    return game


@lru_cache(maxsize=32)
def _alone(title: str) -> Game | None:
    """Return a game, importing the one package whose data has a folder of that title.

    None if no package has one; then all are looked through.
    """
    for module in pkgutil.iter_modules(__path__):
        folder = Path(__path__[0], module.name, "data")
        if module.ispkg and folder.is_dir() and title in os.listdir(folder):
            package = import_module(f"{__name__}.{module.name}")
            return next((game for game in package.GAMES if game.title == title), None)
    return None
