"""Cases of our own: games whose last action is in question, and requests about routes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.notation.gamefile import Replay, read_game
from engine.play.actions import Action, action_from
from engine.play.game import Play

FOLDER = Path(__file__).resolve().parent / "data" / "cases"


def raw_case(name: str) -> dict[str, Any]:
    """Return the game file of a case."""
    raw: dict[str, Any] = json.loads((FOLDER / "play" / f"{name}.json").read_text("utf-8"))
    return raw


def replayed(name: str) -> Replay:
    """Return the replay of a case, with all its entries still to be done."""
    return Replay(read_game(raw_case(name)))


def asked(name: str, profile: str = "18xx.games") -> tuple[Play, Action]:
    """Return the game of a case before its last action, and that action."""
    raw = raw_case(name)
    *before, last = raw["actions"]
    play = Replay(read_game({**raw, "actions": before}, profile)).run()
    return play, action_from(last)
