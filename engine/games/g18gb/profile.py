"""The readings of the 18GB rules, with one field per difference that affects a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.routing.rules import RulesProfile


class CompassSets(StrEnum):
    """Which divisions of a run into compass sets are allowed (18GB §11.8.6)."""

    BEST_PARTITION = "best partition"
    """Any division into sets whose routes are connected by touching."""
    COMPONENTS = "connected components"
    """Exactly the connected components of touching (the site before 19 February 2024)."""


@dataclass(frozen=True)
class Profile18GB(RulesProfile):
    """A reading of the 18GB rules.

    Parameters
    ----------
    towns_in_city_spaces
        An N+M train makes up to N + M stops of which at most N are cities or
        off-board areas, so that towns may use spaces meant for cities. If
        False, it makes at most M stops in towns (18GB §11.3).
    compass_sets
        How the routes of a run are divided into compass sets (18GB §11.8.6).
    """

    towns_in_city_spaces: bool = True
    compass_sets: CompassSets = CompassSets.BEST_PARTITION


PROFILES = {
    profile.name: profile
    for profile in (
        Profile18GB("18xx.games"),
        Profile18GB("rulebook", towns_in_city_spaces=False),
        Profile18GB("18xx.games-2024-02-18", compass_sets=CompassSets.COMPONENTS),
    )
}
"""The readings by name, the default first. The third is the site as it was until
18 February 2024, which games recorded before then need (18GB §0.2)."""
