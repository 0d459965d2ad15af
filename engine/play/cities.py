"""Cities as actions name them (FMT §B4.8)."""

from __future__ import annotations

from engine.board.board import Stop
from engine.play.errors import refuse
from engine.play.layout import city_name, find_city
from engine.play.steps import Table


def named_city(at: Table, name: str) -> Stop:
    """Return the city that an action names.

    Raises
    ------
    IllegalActionError
        There is no such city on the board.
    """
    found = find_city(at.kit.guide.atlas, at.state.layout, name)
    stop = at.board().city_at(*found) if found else None
    if stop is None:
        refuse("CITY_UNKNOWN", "city", f"no city on the board is {name!r}", "FMT §B4.8")
    return stop


def name_of_city(at: Table, stop: Stop) -> str:
    """Return the id of a city as records write it.

    Raises
    ------
    ValueError
        The stop is no city.
    """
    if stop.city is None:
        raise ValueError(f"{stop.id} is no city")
    return city_name(at.kit.guide.atlas, at.state.layout, stop.hex, stop.city)
