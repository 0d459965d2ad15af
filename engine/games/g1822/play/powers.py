"""Privates that change a lay: which may be used now, together, and what they do (§16)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from engine.errors import Fault
from engine.games.g1822.play.places import has_in_hex
from engine.games.g1822.play.table import MAJOR, Table1822

REMOVE_TOWN = "P2"
CHANNEL = "P5"
HILLS = "P8"
RIVERS = "P10"
AHEAD = "P11"
EXTRA_LAYS = "P12"
BRIDGE = "P21"
TOKEN = "token"
DISCOUNT = "discount"

LAYERS = (EXTRA_LAYS, AHEAD, RIVERS, HILLS, REMOVE_TOWN, BRIDGE, CHANNEL)
"""Privates that lay tiles."""
WAITING = (REMOVE_TOWN, RIVERS, AHEAD, EXTRA_LAYS)
"""Privates that keep the track step waiting; P8 does so on its free-lay side (§8.3)."""


@dataclass(frozen=True)
class Terms:
    """On what terms a tile is laid.

    Parameters
    ----------
    powers
        Privates that are used in the lay, the one that acts first.
    """

    powers: tuple[str, ...] = ()

    def uses(self, private: str) -> bool:
        """Tell whether a private is used."""
        return private in self.powers


ORDINARY = Terms()


def free_side(at: Table1822) -> bool:
    """Tell whether the company in turn has P8 with its free lay (§16.8)."""
    return at.owns(HILLS) and at.card(HILLS).choice == TOKEN


def keeps_track_open(at: Table1822) -> bool:
    """Tell whether a private keeps the track step waiting (§8.3)."""
    return free_side(at) or any(at.owns(private) for private in WAITING)


def usable(at: Table1822, private: str) -> bool:
    """Tell whether the company in turn can use a private for lays at all."""
    if private == HILLS:
        return free_side(at)
    return private in LAYERS and at.owns(private)


def fit_together(at: Table1822, powers: tuple[str, ...]) -> bool:
    """Tell whether privates may be used in a single lay (§16.14)."""
    return all(
        other in _partners(at, one) and one in _partners(at, other)
        for one, other in combinations(powers, 2)
    )


def _partners(at: Table1822, private: str) -> frozenset[str]:
    found = [a.get("combines_with", ()) for a in at.kit.abilities(private, "tile_lay")]
    return frozenset(sym for partners in found for sym in partners)


def ways(at: Table1822) -> Iterator[Terms]:
    """Yield every combination of privates that the company in turn may use in a lay."""
    own = [private for private in LAYERS if usable(at, private)]
    for count in range(1, len(own) + 1):
        for powers in combinations(own, count):
            if fit_together(at, powers) and turn_fault(at, Terms(powers)) is None:
                yield Terms(powers)


def upgrades_once(at: Table1822) -> bool:
    """Tell whether the company in turn lays one tile a turn (§9.1)."""
    return at.company.kind != MAJOR or not at.phase_reached("3")


def normal_lays(at: Table1822) -> frozenset[str]:
    """Return what the next normal lay of the turn may be: ``yellow``, ``upgrade`` (§9.1)."""
    lays, company = at.operating.lays, at.company
    if company.sym == "14" and not company.turns and at.kit.city_14:
        return frozenset()
    if not lays:
        return frozenset(("yellow", "upgrade"))
    more = lays == ("yellow",) and not upgrades_once(at)
    return frozenset(("yellow",)) if more else frozenset()


def extra_lays(at: Table1822) -> frozenset[str]:
    """Return what the next lay by P12 may be (§16.12)."""
    if at.operating.chain == EXTRA_LAYS:
        return frozenset(("yellow",))
    return frozenset(("yellow", "upgrade"))


def turn_fault(at: Table1822, terms: Terms) -> Fault | None:
    """Return why privates cannot be used at this point of the turn."""
    data, powers = at.operating, terms.powers
    for private in powers:
        if not usable(at, private):
            message = f"{at.company.sym} cannot lay a tile with {private}"
            return Fault("ABILITY_NOT_AT_HAND", "entity", message, "1822 §16")
    if not fit_together(at, powers):
        message = f"{', '.join(powers)} cannot be used in one lay"
        return Fault("ABILITIES_CLASH", "combo_entities", message, "1822 §16.14")
    if data.chain and not terms.uses(data.chain):
        message = f"{data.chain} is in the middle of its lays"
        return Fault("LAYS_INTERRUPTED", "entity", message, "1822 §16.12")
    if terms.uses(BRIDGE) and data.chain != BRIDGE:
        return _bridge_fault(at)
    if terms.uses(EXTRA_LAYS) or terms.uses(BRIDGE) or normal_lays(at):
        return None
    return Fault("TILE_LAYS_USED", "type", "no normal lay is left", "1822 §9.1")


def _bridge_fault(at: Table1822) -> Fault | None:
    """P21 comes first in a turn and needs a marker in one of its hexes (§16.21)."""
    data = at.operating
    if data.lays or data.chained or not normal_lays(at):
        message = "P21 takes the place of the normal lays"
        return Fault("TILE_LAYS_USED", "type", message, "1822 §16.21")
    hexes = at.kit.abilities(BRIDGE, "tile_lay")[0]["hexes"]
    if not any(has_in_hex(at, hex_id, at.company.sym) for hex_id in hexes):
        message = f"{at.company.sym} has no marker in {' or '.join(hexes)}"
        return Fault("MARKER_MISSING", "entity", message, "1822 §16.21")
    return None
