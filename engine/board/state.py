"""What lies on the board: the input of everything that follows."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.faces import TrackPath


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
        ``normal`` or ``destination`` (1822); ``neutral`` (its city never blocks
        anyone, COMMON §5.3) or ``blocking``.
    extra
        It stands beside the spaces and fills none (COMMON §5.2).
    """

    hex: str
    city: int
    slot: int
    corporation: str
    kind: str = "normal"
    extra: bool = False


@dataclass(frozen=True, slots=True)
class HexToken:
    """A token that lies on a hex, outside cities: whose, and of what kind."""

    hex: str
    corporation: str
    kind: str = ""


@dataclass(frozen=True, slots=True)
class HexMarker:
    """A marker that lies on a hex: ``bridge``, ``coal``, the id of a private or company."""

    hex: str
    marker: str


@dataclass(frozen=True, slots=True)
class StopChange:
    """What has become of a stop in play; None where it is as on the face.

    Parameters
    ----------
    stop
        Number of the stop within the face.
    slots, kind, groups, visit_cost
        As on a face.
    revenue
        £ by phase; None as phase stands for every phase.
    """

    stop: int
    slots: int | None = None
    revenue: tuple[tuple[str | None, int], ...] | None = None
    kind: str | None = None
    groups: tuple[str, ...] | None = None
    visit_cost: int | None = None


@dataclass(frozen=True, slots=True)
class HexChange:
    """What has become of a hex in play beside the tile on it; None where nothing changed.

    Parameters
    ----------
    icons
        Icons that are there now.
    label
        Label that counts now; empty for none.
    stops
        Stops that differ from those of the face.
    neighbours
        Open sides now, each with the hex beyond.
    paths
        Track now, as it lies on the hex.
    """

    hex: str
    icons: tuple[str, ...] | None = None
    label: str | None = None
    stops: tuple[StopChange, ...] = ()
    neighbours: tuple[tuple[int, str], ...] | None = None
    paths: tuple[TrackPath, ...] | None = None


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
        ``2EW``) or variants of its facts by option or number of players; empty for
        the first.
    options
        Ids of the options with which the game is played, as far as runs hang on them.
    changes
        Hexes that differ from print or from the laid tile by what happened in play.
    markers
        Markers on hexes.
    hex_tokens
        Tokens on hexes, outside cities.
    """

    title: str
    phase: str
    tiles: tuple[TileLay, ...] = ()
    tokens: tuple[TokenPlacement, ...] = ()
    map: str = ""
    options: tuple[str, ...] = ()
    changes: tuple[HexChange, ...] = ()
    markers: tuple[HexMarker, ...] = ()
    hex_tokens: tuple[HexToken, ...] = ()
