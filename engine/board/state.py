"""What lies on the board: the input of everything that follows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TileLay:
    """A tile on a hex."""

    hex: str
    tile: str
    rotation: int


@dataclass(frozen=True, slots=True)
class TokenPlacement:
    """A token in a city.

    Parameters
    ----------
    hex
        Hex id.
    city
        Place of the city among the cities of the hex, from 0.
    slot
        Slot, from 0. A number not below the printed slots is an extra slot.
    corporation
        Company id.
    kind
        ``normal`` or ``destination`` (1822).
    """

    hex: str
    city: int
    slot: int
    corporation: str
    kind: str = "normal"


@dataclass(frozen=True, slots=True)
class BoardState:
    """The board of one game at one moment.

    Parameters
    ----------
    title
        Title of the game: ``1862``, ``1822``, ``1822MRS``, ``1822NRS``, ``18GB``.
    phase
        Name of the phase.
    tiles, tokens
        Everything laid and placed; what is not named is as printed.
    map
        Name of the map where the game has several (18GB: ``Standard``, ``2NS``,
        ``2EW``); empty for the first.
    """

    title: str
    phase: str
    tiles: tuple[TileLay, ...] = ()
    tokens: tuple[TokenPlacement, ...] = ()
    map: str = ""
