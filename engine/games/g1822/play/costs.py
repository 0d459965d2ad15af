"""What a lay costs (§9.7, §9.8, §16.8, §16.10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.board.geometry import opposite
from engine.games.g1822.play.powers import BRIDGE, HILLS, RIVERS, Terms
from engine.games.g1822.play.table import Table1822
from engine.play.layout import BorderSide


def lay_cost(at: Table1822, hex_id: str, sides: frozenset[int], terms: Terms) -> int:
    """Return what a tile with track to these sides costs on these terms, £."""
    if terms.uses(HILLS) or terms.uses(BRIDGE):
        return 0
    cost = sum(border["cost"] for border in crossings(at, hex_id, sides))
    if terms.uses(RIVERS) and cost:
        waived: int = at.kit.abilities(RIVERS, "tile_lay")[0]["waives"]["amount"]
        cost -= waived
    laid = at.state.layout.laid.get(hex_id)
    if laid is not None:
        cost += at.kit.guide.atlas.tiles[laid.tile].raw.get("upgrade_cost", 0)
        return int(cost)
    for terrain in at.kit.guide.atlas.hexes[hex_id].raw["terrain"]:
        cost += max(0, terrain["cost"] - _discount(at, hex_id, terrain["types"]))
    return int(cost)


def crossings(at: Table1822, hex_id: str, sides: frozenset[int]) -> Iterator[Mapping[str, Any]]:
    """Yield the borders of a hex that new track crosses and that have not been paid (§9.8)."""
    paid = at.state.layout.paid
    for border in at.kit.guide.atlas.hexes[hex_id].raw["borders"]:
        side = border["edge"]
        if side in sides and border.get("cost") and BorderSide(hex_id, side) not in paid:
            yield border


def paid_after(at: Table1822, hex_id: str, sides: frozenset[int]) -> frozenset[BorderSide]:
    """Return the paid sides of borders after a lay.

    The far side counts as paid where track leads up to it already (FMT §D8.2).
    """
    found = set(at.state.layout.paid)
    neighbours = at.kit.guide.atlas.hexes[hex_id].neighbours
    for border in crossings(at, hex_id, sides):
        side: int = border["edge"]
        found.add(BorderSide(hex_id, side))
        other = neighbours[side]
        if opposite(side) in at.face(other).sides():
            found.add(BorderSide(other, opposite(side)))
    return frozenset(found)


def _discount(at: Table1822, hex_id: str, types: list[str]) -> int:
    """Return what own privates take off terrain of these types, £."""
    found = 0
    for private in (HILLS, RIVERS):
        if not at.owns(private):
            continue
        for ability in at.kit.abilities(private, "terrain_discount"):
            chosen = ability.get("option") in (None, at.card(private).choice)
            here = ability["hexes"] == "any" or hex_id in ability["hexes"]
            if chosen and here and not set(types).isdisjoint(ability["terrain"]):
                found += ability["amount"]
    return found
