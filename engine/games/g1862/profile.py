"""The readings of the rules of 1862 where rulebook and practice differ (1862 §16)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.routing.rules import RulesProfile


class FreightDistance(StrEnum):
    """How the hexes between the ends of a Freight chain are counted (1862 §10.5.3, D20)."""

    LAND_HEX = "land_hex"
    """From the land hex through which the area is entered, plus one hex for each area."""
    BEST_ENTRY = "best_entry"
    """The same, from whatever entry of the area counts most (rulebook)."""
    OFFBOARD_HEX = "offboard_hex"
    """From the off-board hex that is used, at its own place (the site in 2021)."""


class FreightChaining(StrEnum):
    """Which Freights of a company must be in one chain (1862 §10.5.5, D21)."""

    BANDS_A_TO_D = "bands_a_to_d"
    """Those of bands A to D; the others may run alone or in further chains."""
    ALL = "all"
    """All (rulebook)."""


@dataclass(frozen=True)
class Profile1862(RulesProfile):
    """A reading of the rules of 1862, as far as runs are concerned.

    Parameters
    ----------
    meet_at_areas
        Two runs that share only an entry node of an area meet (D17).
    idle_trains
        A train may stand idle though it could run (D18).
    choice_by_node
        Where a run does not say which stops of its N/M trains count, the choice
        is the automatic one of the site, which takes two entry nodes of one
        area for two stations (D19).
    freight_distance
        How the hexes between the ends of a chain are counted (D20).
    freight_chaining
        Which Freights must be in one chain (D21).
    closed_chains
        Freights may run in a circle; that pays one station (§10.5.7).
    closed_chain_bonus
        A circle that pays an area earns the bonus of one hex besides (§10.5.7).
    permits_needed
        Only trains of a type for which the company has a permit run. The
        variants with one type of train have no permits (§14.2).
    """

    meet_at_areas: bool
    idle_trains: bool
    choice_by_node: bool
    freight_distance: FreightDistance
    freight_chaining: FreightChaining
    closed_chains: bool
    closed_chain_bonus: bool
    permits_needed: bool = True


PROFILES: dict[str, RulesProfile] = {
    profile.name: profile
    for profile in (
        Profile1862(
            name="18xx.games",
            meet_at_areas=True,
            idle_trains=True,
            choice_by_node=True,
            freight_distance=FreightDistance.LAND_HEX,
            freight_chaining=FreightChaining.BANDS_A_TO_D,
            closed_chains=True,
            closed_chain_bonus=True,
        ),
        Profile1862(
            name="rulebook",
            meet_at_areas=False,
            idle_trains=False,
            choice_by_node=False,
            freight_distance=FreightDistance.BEST_ENTRY,
            freight_chaining=FreightChaining.ALL,
            closed_chains=False,
            closed_chain_bonus=False,
        ),
    )
}
"""By name; the first is the default."""
