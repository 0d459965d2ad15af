"""What a lay uses up: normal lays and privates (§9.1, §16)."""

from __future__ import annotations

from engine.board.state import TokenPlacement
from engine.games.g1822.play.laying import UPGRADE
from engine.games.g1822.play.places import open_slot
from engine.games.g1822.play.powers import (
    AHEAD,
    BRIDGE,
    CHANNEL,
    EXTRA_LAYS,
    HILLS,
    REMOVE_TOWN,
    RIVERS,
    Terms,
)
from engine.games.g1822.play.state import City
from engine.games.g1822.play.table import MINOR, Table1822


def spend(at: Table1822, hex_id: str, was: str, terms: Terms) -> None:
    """Use up a lay and the privates that it took (§9.1, §16).

    Parameters
    ----------
    was
        The kind of lay that it was.
    """
    data = at.operating
    for private in (REMOVE_TOWN, HILLS, AHEAD, CHANNEL):
        if terms.uses(private):
            _close(at, private)
    if terms.uses(RIVERS):
        card = at.card(RIVERS)
        card.uses += _crossings_spent(at, terms)
        most: int = at.kit.abilities(RIVERS, "tile_lay")[0]["count"]
        if card.uses >= most:
            _close(at, RIVERS)
    if terms.uses(EXTRA_LAYS):
        _spend_extra(at, hex_id, was)
    elif terms.uses(BRIDGE):
        data.lays = (UPGRADE,)
        data.chained = (*data.chained, hex_id)
        data.chain = BRIDGE
        if len(data.chained) > 1:
            close_chain(at)
    else:
        data.lays = (*data.lays, was)


def _crossings_spent(at: Table1822, terms: Terms) -> int:
    """Uses of P10 that a lay takes: on the site a minor's lay with P12 takes both (§16.14)."""
    both = at.kit.profile.minor_spends_both_crossings and at.company.kind == MINOR
    if both and terms.uses(EXTRA_LAYS):
        most: int = at.kit.abilities(RIVERS, "tile_lay")[0]["count"]
        return most
    return 1


def _spend_extra(at: Table1822, hex_id: str, was: str) -> None:
    """P12: after it began in the middle of the normal lays these are over (§16.12)."""
    data = at.operating
    lays = at.kit.abilities(EXTRA_LAYS, "tile_lay")[0]["lays"][at.company.kind]
    if data.lays:
        data.lays = (UPGRADE,)
    earlier = data.chained if data.chain == EXTRA_LAYS else ()
    data.chained = (*earlier, hex_id)
    data.chain = EXTRA_LAYS
    if was == UPGRADE or len(data.chained) >= lays:
        close_chain(at)


def close_chain(at: Table1822) -> None:
    """The private in the middle of its lays closes (§16.12, §16.21)."""
    data = at.operating
    _close(at, data.chain)
    data.chain = ""


def _close(at: Table1822, private: str) -> None:
    """Close a private for good."""
    card = at.card(private)
    card.closed = True
    card.company = ""


def place_in_channel(at: Table1822, hex_id: str) -> None:
    """After the lay by P5 its exchange marker comes into the open slot (§16.5 c)."""
    city, sym = City(hex_id, 0), at.company.sym
    slot = open_slot(at, city, sym)
    if slot is None:
        raise ValueError(f"the slots of {hex_id} are full")
    token = TokenPlacement(hex_id, 0, slot, sym)
    at.state.layout = at.state.layout.with_token(token)
    at.company.exchange -= 1
