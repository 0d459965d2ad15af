"""Cities as records name them (FMT §B4.8)."""

from __future__ import annotations

from engine.board.board import Stop
from engine.games.g1822.play.places import city_of, stop_of
from engine.games.g1822.play.state import City
from engine.games.g1822.play.table import Table1822
from engine.play.actions import PlaceToken
from engine.play.errors import refuse
from engine.play.layout import city_name, find_city


def named_city(at: Table1822, action: PlaceToken) -> Stop:
    """Return the city that an action names.

    Raises
    ------
    IllegalActionError
        There is no such city on the board.
    """
    found = find_city(at.kit.guide.atlas, at.state.layout, action.city, at.kit.faces)
    if found is None:
        message = f"no city on the board is {action.city!r}"
        refuse("CITY_UNKNOWN", "city", message, "FMT §B4.8")
    return stop_of(at, City(*found))


def city_name_of(at: Table1822, stop: Stop) -> str:
    """Return the id of a city as records write it."""
    city = city_of(stop)
    return city_name(at.kit.guide.atlas, at.state.layout, city.hex, city.city)
