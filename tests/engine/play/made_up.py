"""A made-up game whose runs can be judged, and which cannot be played, or not yet."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from engine import games

TITLE = "1899"
PACKAGE = "made_up_game"


def add_game(folder: Path, monkeypatch: pytest.MonkeyPatch, play: str | None) -> None:
    """Add a game to the registry for the time of a test.

    Parameters
    ----------
    folder
        An empty folder for its package.
    play
        Source of its module ``play``; None: it has none.
    """
    package = folder / PACKAGE
    package.mkdir()
    rules = "from engine.games.g1862 import PROFILES, make_rules\n"
    (package / "__init__.py").write_text(rules, "utf-8")
    if play is not None:
        (package / "play.py").write_text(play, "utf-8")
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(folder)
    known = games._coded()
    title, _ = known["1862"]
    known = {**known, TITLE: (replace(title, title=TITLE), PACKAGE)}
    monkeypatch.setattr(games, "_coded", lambda: known)
