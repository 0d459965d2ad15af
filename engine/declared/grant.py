"""What routes pay beside their stops, in one form: so much if these tests hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

CARRIAGE = "Pullman"
"""Name of the carriage that a company may attach (1858India §1.2)."""


class Look(Enum):
    """What of a route a test looks at."""

    PAID = "paying stops"
    VISITED = "visited stops"
    ENDS = "the two ends"
    HEXES = "hexes of its track"
    GAUGE = "gauges of its track"


@dataclass(frozen=True)
class Test:
    """At least `least` and at most `most` of these names (stops, hexes, gauges) are there."""

    look: Look
    names: frozenset[str]
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Grant:
    """£ `amount` if all tests hold, times the number of paying `per` if that is given.

    Parameters
    ----------
    name
        For people.
    section
        The rule.
    before_scale
        The factor of the route holds for it.
    subsidy
        It goes to the treasury.
    """

    name: str
    tests: tuple[Test, ...]
    amount: int
    per: frozenset[str] | None = None
    section: str = ""
    before_scale: bool = True
    subsidy: bool = False
