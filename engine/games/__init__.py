"""The games, found by looking: those with code of their own, and titles that are only data.

A game with code is a package ``engine.games.g...`` that has the facts of its
titles in ``data``, and says ``make_rules`` and ``PROFILES``. Nothing else in the
project names a game, so a further one is a new folder here. Titles that
declare their rules need no code: :mod:`engine.declared` reads them.

The rules of a game are loaded when the game is; lists of titles load none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files

from engine.errors import UnknownGameError
from engine.games.game import Game
from engine.titles import Title, all_titles, find_title, titles_in

__all__ = ["Game", "all_games", "known_titles", "load_game"]

DECLARED = "engine.declared"
"""The package of the rules that read what titles declare."""


@cache
def _coded() -> Mapping[str, tuple[Title, str]]:
    """The titles of the games with code of their own, each with its package."""
    found: dict[str, tuple[Title, str]] = {}
    here = files(__name__)
    for folder in sorted(here.iterdir(), key=lambda entry: entry.name):
        data = folder.joinpath("data")
        if folder.is_dir() and data.is_dir():
            for title in titles_in(data):
                found[title.title] = (title, f"{__name__}.{folder.name}")
    return found


@cache
def _game(title: Title, package: str) -> Game:
    rules = import_module(package)
    facts = title.facts()
    return Game(**facts, package=package, make_rules=rules.make_rules, profiles=rules.PROFILES)


def known_titles() -> Mapping[str, Title]:
    """Return the facts of every title, without their rules."""
    return {**{name: title for name, (title, _) in _coded().items()}, **all_titles()}


def all_games() -> Mapping[str, Game]:
    """Return the games with code of their own by title, in order of their folders."""
    return {name: _game(title, package) for name, (title, package) in _coded().items()}


def load_game(title: str) -> Game:
    """Return the game with the given title; only its own rules are loaded.

    Raises
    ------
    UnknownGameError
        No game has this title; the message lists those that exist.
    """
    coded = _coded().get(title)
    if coded is not None:
        return _game(*coded)
    found = find_title(title)
    if found is None:
        known = ", ".join(known_titles())
        raise UnknownGameError(f"there is no game {title!r}; known are {known}")
    return _game(found, DECLARED)
