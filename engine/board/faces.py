"""Faces: what is printed on a tile or on a hex of the board (facts §3, §4).

A face has stops (cities, towns, off-board areas), junctions (centres of
Lawson tiles) and paths, the pieces of track between hex sides, stops and
junctions. A tile's face is turned by its rotation; a printed face never is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from engine.titles.trains import UNLIMITED

TOKEN_KINDS = frozenset({"city", "pass"})
"""Kinds of stops that take tokens."""

__all__ = ["UNLIMITED", "EndKind", "Face", "FaceStop", "PathEnd", "TrackPath", "face_from"]


class EndKind(IntEnum):
    """What a path ends at."""

    SIDE = 0
    STOP = 1
    JUNCTION = 2


@dataclass(frozen=True, slots=True)
class PathEnd:
    """One end of a path.

    Parameters
    ----------
    kind
        Hex side, stop or junction.
    index
        Number of the side, stop or junction within the face.
    lanes, lane
        At a side: how many tracks lie side by side there and which of them,
        from 0, this one is (FMT §D3.1).
    """

    kind: EndKind
    index: int
    lanes: int = 1
    lane: int = 0


@dataclass(frozen=True, slots=True)
class TrackPath:
    """A piece of track inside one face, between two ends.

    Parameters
    ----------
    a, b
        Its ends.
    track
        Gauge: ``broad``, ``narrow`` or ``dual`` (joins both; also the estuary crossings of
        18GB); ``thin`` joins nothing at a hex side (COMMON §5.5).
    terminal
        Nothing runs on beyond the stop it leads to (FMT §D3.4).
    ignored_from_stop
        Not used when a network is traced from its own stop; trains may use it.
    """

    a: PathEnd
    b: PathEnd
    track: str = "broad"
    terminal: bool = False
    ignored_from_stop: bool = False


@dataclass(frozen=True, slots=True)
class Reservation:
    """A slot kept for a company (or, with ``kind`` 'company', for a private)."""

    kind: str
    holder: str
    slot: int | None = None
    only_with: str | None = None
    until_phase: str | None = None


@dataclass(frozen=True, slots=True)
class FaceStop:
    """A city, town or off-board area of a face.

    Parameters
    ----------
    index
        Number within the face.
    part
        Number in the ids of game records (FMT §B4.10).
    kind
        ``city``, ``town``, ``halt`` or ``offboard``; ``pass``: like a city for tokens.
    slots
        Printed token slots; 0 unless a city or pass.
    revenue
        What it pays in each phase, in £; ``None`` as key stands for every phase.
    groups
        Areas that belong together.
    visit_cost
        How many stops it counts for a train.
    draw_at
        ``centre`` or a side number (halves lie between two sides).
    """

    index: int
    part: int
    kind: str
    slots: int
    revenue: Mapping[str | None, int]
    groups: tuple[str, ...] = ()
    visit_cost: int = 1
    reservations: tuple[Reservation, ...] = ()
    draw_at: str | float = "centre"
    draw_revenue: bool = True
    by_train: Mapping[str, int] = field(default_factory=dict)
    """What it pays to trains of these names instead, in any phase (COMMON §9.2)."""
    route: str = ""
    """``optional`` or ``never``: how it counts for having a route (COMMON §2.2)."""

    def value(self, phase: str) -> int:
        """Return what the stop pays in `phase`, in £."""
        fixed = self.revenue.get(None)
        return self.revenue[phase] if fixed is None else fixed


@dataclass(frozen=True)
class Face:
    """A printed hex face, or a tile turned by its rotation.

    Parameters
    ----------
    id
        Tile number, or the hex id of a printed face.
    colour, label
        As printed.
    rotation
        0 for printed faces.
    bonuses
        £ earned by a route over a path, by path index (18GB estuaries).
    icons
        Names of icons.
    """

    id: str
    colour: str
    label: str | None
    rotation: int
    stops: tuple[FaceStop, ...]
    junctions: int
    paths: tuple[TrackPath, ...]
    bonuses: Mapping[int, tuple[str, int]]
    icons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        by_side: list[list[tuple[int, int]]] = [[] for _ in range(6)]
        by_stop: list[list[tuple[int, int]]] = [[] for _ in self.stops]
        by_junction: list[list[tuple[int, int]]] = [[] for _ in range(self.junctions)]
        table = (by_side, by_stop, by_junction)
        for number, path in enumerate(self.paths):
            for which, end in enumerate((path.a, path.b)):
                table[end.kind][end.index].append((number, which))
        object.__setattr__(self, "by_side", tuple(map(tuple, by_side)))
        object.__setattr__(self, "by_stop", tuple(map(tuple, by_stop)))
        object.__setattr__(self, "by_junction", tuple(map(tuple, by_junction)))

    by_side: tuple[tuple[tuple[int, int], ...], ...] = ()
    """For each side the (path, end) pairs there; end 0 is ``a``, 1 is ``b``."""
    by_stop: tuple[tuple[tuple[int, int], ...], ...] = ()
    by_junction: tuple[tuple[tuple[int, int], ...], ...] = ()

    @property
    def cities(self) -> tuple[FaceStop, ...]:
        """The stops that take tokens, in order: a token names its city by place here."""
        return tuple(stop for stop in self.stops if stop.kind in TOKEN_KINDS)

    def sides(self) -> frozenset[int]:
        """Return the sides to which track leads."""
        return frozenset(side for side in range(6) if self.by_side[side])


def _end(raw: Mapping[str, int], lanes: Mapping[str, int] | None, rotation: int) -> PathEnd:
    if "edge" in raw:
        side = (raw["edge"] + rotation) % 6
        if lanes is None:
            return PathEnd(EndKind.SIDE, side)
        return PathEnd(EndKind.SIDE, side, lanes["of"], lanes["lane"])
    if "stop" in raw:
        return PathEnd(EndKind.STOP, raw["stop"])
    return PathEnd(EndKind.JUNCTION, raw["junction"])


def revenue_of(raw: Mapping[str, Any]) -> dict[str | None, int]:
    """Return £ by phase of the data files; None as phase stands for every phase."""
    return {None: raw["fixed"]} if "fixed" in raw else dict(raw["by_phase"])


def path_from(raw: Mapping[str, Any], rotation: int = 0) -> TrackPath:
    """Build a path from its object in the data files."""
    return _path(raw, rotation)


def path_object(path: TrackPath) -> dict[str, Any]:
    """Return the object of a path, which :func:`path_from` reads back."""
    raw: dict[str, Any] = {"a": _end_object(path.a), "b": _end_object(path.b)}
    lanes = {
        name: {"of": end.lanes, "lane": end.lane}
        for name, end in (("a", path.a), ("b", path.b))
        if end.lanes > 1
    }
    if lanes:
        raw["lanes"] = lanes
    if path.track != "broad":
        raw["track"] = path.track
    for name in ("terminal", "ignored_from_stop"):
        if getattr(path, name):
            raw[name] = True
    return raw


def _end_object(end: PathEnd) -> dict[str, int]:
    return {("edge", "stop", "junction")[end.kind]: end.index}


def _path(raw: Mapping[str, Any], rotation: int) -> TrackPath:
    lanes = raw.get("lanes", {})
    return TrackPath(
        _end(raw["a"], lanes.get("a"), rotation),
        _end(raw["b"], lanes.get("b"), rotation),
        raw.get("track", "broad"),
        raw.get("terminal", False),
        raw.get("ignored_from_stop", False),
    )


def _stop(raw: Mapping[str, Any], rotation: int) -> FaceStop:
    revenue = raw["revenue"]
    place: str | float = raw.get("draw_at", "centre")
    return FaceStop(
        index=raw["stop"],
        part=raw["part"],
        kind=raw["kind"],
        slots=raw.get("slots", 1) if raw["kind"] in TOKEN_KINDS else 0,
        revenue=revenue_of(revenue),
        groups=tuple(raw.get("groups", ())),
        visit_cost=raw.get("visit_cost", 1),
        reservations=tuple(
            Reservation(
                r["kind"], r["for"], r.get("slot"), r.get("only_with"), r.get("until_phase")
            )
            for r in raw.get("reservations", ())
        ),
        draw_at=place if isinstance(place, str) else (place + rotation) % 6,
        draw_revenue=raw.get("draw_revenue", True),
        by_train=revenue.get("by_train", {}),
        route=raw.get("route", ""),
    )


def face_from(raw: Mapping[str, Any], rotation: int = 0) -> Face:
    """Build a face from a hex or tile of the data files, turned by `rotation`."""
    paths: Sequence[Mapping[str, Any]] = raw.get("paths", ())
    bonus = raw.get("track_bonus")
    bonuses = (
        {
            number: (bonus["name"], bonus["revenue"])
            for number, path in enumerate(paths)
            if path.get("track") == bonus["track"]
        }
        if bonus
        else {}
    )
    return Face(
        id=raw["id"],
        colour=raw["colour"],
        label=raw.get("label"),
        rotation=rotation,
        stops=tuple(_stop(stop, rotation) for stop in raw.get("stops", ())),
        junctions=raw.get("junctions", 0),
        paths=tuple(_path(path, rotation) for path in paths),
        bonuses=bonuses,
        icons=tuple(raw.get("icons", ())),
    )
