"""Material of other people that is no part of the project: recorded games and positions.

It lies beside the project where it is developed; tests of it are skipped elsewhere.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.notation.gamefile import Replay, read_game

SHARED = Path(__file__).resolve().parents[2] / "shared"
GAMES = SHARED / "games"
POSITIONS = SHARED / "positions"
TITLES = SHARED / "titles"

needs_records = pytest.mark.skipif(not GAMES.is_dir(), reason="the recorded games are not here")
needs_positions = pytest.mark.skipif(
    not POSITIONS.is_dir(), reason="the recorded positions are not here"
)
needs_titles = pytest.mark.skipif(
    not TITLES.is_dir(), reason="facts and positions of the recorded titles are not here"
)


def replay_of(name: str, audit: bool = True) -> Replay:
    """Return the replay of a recorded game, named by title and file: ``1822/33845``."""
    text = (GAMES / f"{name}.json").read_text("utf-8")
    return Replay(read_game(json.loads(text)), audit)
