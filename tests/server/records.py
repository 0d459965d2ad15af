"""The recorded games of ``../shared``, which are other people's and not part of the project."""

from __future__ import annotations

import json
from pathlib import Path

from engine.notation.gamefile import Replay, read_game, with_true_seed
from engine.notation.positions import PositionRecord, read_positions
from tests.shared import GAMES, POSITIONS

WITH_POSITIONS = (
    *(f"18GB/{name}" for name in ("2p-ew", "3p", "final_train_export", "leased_train")),
    *(f"1862/{name}" for name in ("46925", "game_end_bank")),
    *(f"1822/{name}" for name in ("33845", "36685")),
)
"""Games of which the optimum of every run is known."""
WITHOUT_POSITIONS = ("1822MRS/2227", "1822MRS/33867")


def game_path(name: str) -> Path:
    """Return the file of a game."""
    return GAMES / f"{name}.json"


def replay_of(name: str) -> Replay:
    """Return the replay of a game, at its start; runs are not judged."""
    file = read_game(json.loads(game_path(name).read_text("utf-8")))
    return Replay(with_true_seed(file), audit=False)


def positions_of(name: str) -> list[PositionRecord]:
    """Return what is known of every run of a game."""
    return list(read_positions(POSITIONS / f"{name}.jsonl"))
