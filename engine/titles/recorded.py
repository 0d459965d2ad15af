"""How recorded positions of each title came out when they were last measured."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

FILE = "recorded.json"


@dataclass(frozen=True, slots=True)
class RecordedRuns:
    """The recorded positions of a title: how many there were, how many recorded runs got the
    figures of the record, and how many best runs were proven."""

    positions: int
    priced_right: int
    proven: int


@cache
def recorded_runs() -> Mapping[str, RecordedRuns]:
    """Return what was measured, by title; titles without recorded positions are missing."""
    raw: Mapping[str, Any] = json.loads(
        files("engine.titles").joinpath("data", FILE).read_text("utf-8")
    )
    return {title: RecordedRuns(**figures) for title, figures in raw.items()}
