"""The board at one moment: every hex with its face, stops with values and tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from engine.board.atlas import Atlas
from engine.board.changes import changed_face
from engine.board.faces import TOKEN_KINDS, EndKind, Face, PathEnd, TrackPath
from engine.board.geometry import Point, opposite
from engine.board.state import BoardState, HexChange, TokenPlacement


class PathRef(NamedTuple):
    """A path of the board: its hex and its number in the face that lies there."""

    hex: str
    path: int


@dataclass(frozen=True, slots=True)
class Stop:
    """A revenue centre on the board.

    Parameters
    ----------
    id
        ``hex-part``, as game records write it (FMT §B4.10); it changes with the tile.
    hex, point
        Its hex, and the hex as (x, y).
    index
        Number within the face.
    city
        Place among the cities of the hex (what tokens name), or None.
    kind
        ``city``, ``town``, ``halt``, ``offboard`` or ``pass``.
    slots
        Printed token slots.
    value
        What it pays in the phase, in £.
    groups
        Areas that belong together.
    visit_cost
        How many stops it counts for a train.
    name
        Place name; where none is printed on the hex of an off-board area, its
        group; else None.
    tokens
        Tokens standing in it.
    by_train
        What it pays to trains of these names instead, in £ (COMMON §9.2).
    route
        ``optional`` or ``never``: how it counts for having a route (COMMON §2.2).
    """

    id: str
    hex: str
    point: Point
    index: int
    city: int | None
    kind: str
    slots: int
    value: int
    groups: tuple[str, ...]
    visit_cost: int
    name: str | None
    tokens: tuple[TokenPlacement, ...] = ()
    by_train: Mapping[str, int] = field(default_factory=dict, hash=False)
    route: str = ""

    def has(self, corporation: str) -> bool:
        """Tell whether a token of `corporation` stands here."""
        return any(token.corporation == corporation for token in self.tokens)

    def full(self) -> bool:
        """Tell whether every slot holds a token, extra slots aside.

        A token in an extra slot leaves a printed slot empty (1822 §11.7); one
        beside the slots fills none (COMMON §5.2).
        """
        filled = {t.slot for t in self.tokens if t.slot < self.slots and not t.extra}
        return len(filled) >= self.slots

    def passable(self, corporation: str) -> bool:
        """Tell whether a route of `corporation` may run through (FMT §D4.1, COMMON §5.2)."""
        if self.kind == "offboard":
            return False
        if self.kind not in TOKEN_KINDS or self.has(corporation) or not self.full():
            return True
        return any(token.kind == "neutral" for token in self.tokens)


class Board:
    """All faces, stops and paths of a board state.

    Build it with :func:`engine.board.build.build_board`, which checks the state.

    Parameters
    ----------
    atlas
        Map and tiles.
    state
        A state without faults.
    """

    def __init__(self, atlas: Atlas, state: BoardState) -> None:
        self.atlas = atlas
        self.state = state
        self.faces: dict[str, Face] = {h.id: h.face for h in atlas.hexes.values()}
        for lay in state.tiles:
            self.faces[lay.hex] = atlas.tiles[lay.tile].faces[lay.rotation]
        self.changes: dict[str, HexChange] = {change.hex: change for change in state.changes}
        for hex_id, change in self.changes.items():
            self.faces[hex_id] = changed_face(self.faces[hex_id], change)
        self._token_stops: dict[str, tuple[Stop, ...]] = {}
        self._across: dict[tuple[str, PathEnd, str], tuple[tuple[PathRef, int], ...]] = {}

    @cached_property
    def stops(self) -> Mapping[str, Stop]:
        """All stops by id, in the order of the map."""
        tokens: dict[tuple[str, int], list[TokenPlacement]] = {}
        for token in self.state.tokens:
            tokens.setdefault((token.hex, token.city), []).append(token)
        found: dict[str, Stop] = {}
        for hex_id, face in self.faces.items():
            if face.stops:
                for stop in self._stops_of(hex_id, face, tokens):
                    found[stop.id] = stop
        return found

    def _stops_of(
        self, hex_id: str, face: Face, tokens: Mapping[tuple[str, int], list[TokenPlacement]]
    ) -> Iterator[Stop]:
        printed = self.atlas.hexes[hex_id]
        city = 0
        for stop in face.stops:
            place: int | None = None
            if stop.kind in TOKEN_KINDS:
                place = city
                city += 1
            groups = stop.groups
            if not groups and stop.index < len(printed.face.stops):
                groups = printed.face.stops[stop.index].groups
            yield Stop(
                id=f"{hex_id}-{stop.part}",
                hex=hex_id,
                point=printed.point,
                index=stop.index,
                city=place,
                kind=stop.kind,
                slots=stop.slots,
                value=stop.value(self.state.phase),
                groups=groups,
                visit_cost=stop.visit_cost,
                name=printed.name or (groups[0] if stop.kind == "offboard" and groups else None),
                tokens=tuple(tokens.get((hex_id, place), ())) if place is not None else (),
                by_train=stop.by_train,
                route=stop.route,
            )

    @cached_property
    def stop_at(self) -> Mapping[tuple[str, int], Stop]:
        """Stops by hex and number within the face."""
        return {(stop.hex, stop.index): stop for stop in self.stops.values()}

    def city_at(self, hex_id: str, city: int) -> Stop | None:
        """Return the city in the given place among the cities of a hex, or None."""
        face = self.faces.get(hex_id)
        if face is None or not 0 <= city < len(face.cities):
            return None
        return self.stop_at[hex_id, face.cities[city].index]

    def token_stops(self, corporation: str) -> tuple[Stop, ...]:
        """Return the stops where `corporation` has a token, in the order of the map."""
        known = self._token_stops.get(corporation)
        if known is None:
            known = tuple(stop for stop in self.stops.values() if stop.has(corporation))
            self._token_stops[corporation] = known
        return known

    def has_track(self, stop: Stop) -> bool:
        """Tell whether any track leads to a stop; printed cities may have none."""
        return bool(self.faces[stop.hex].by_stop[stop.index])

    def path(self, ref: PathRef) -> TrackPath:
        """Return the path that `ref` names; KeyError or IndexError if there is none."""
        return self.faces[ref.hex].paths[ref.path]

    def neighbours(self, hex_id: str) -> Mapping[int, str]:
        """Return the open sides of a hex, each with the hex beyond."""
        change = self.changes.get(hex_id)
        if change is not None and change.neighbours is not None:
            return dict(change.neighbours)
        return self.atlas.hexes[hex_id].neighbours

    def icons(self, hex_id: str) -> tuple[str, ...]:
        """Return the icons of a hex: they stay with it when a tile is laid (COMMON §12)."""
        change = self.changes.get(hex_id)
        if change is not None and change.icons is not None:
            return change.icons
        return self.atlas.hexes[hex_id].face.icons

    def label(self, hex_id: str) -> str:
        """Return the label that counts on a hex (COMMON §12); empty for none."""
        change = self.changes.get(hex_id)
        if change is not None and change.label is not None:
            return change.label
        return self.faces[hex_id].label or ""

    @cached_property
    def markers(self) -> Mapping[str, frozenset[str]]:
        """By hex the markers that lie on it; hexes without one are left out."""
        found: dict[str, set[str]] = {}
        for marker in self.state.markers:
            found.setdefault(marker.hex, set()).add(marker.marker)
        return {hex_id: frozenset(names) for hex_id, names in found.items()}

    def across(
        self, hex_id: str, end: PathEnd, track: str = "dual"
    ) -> tuple[tuple[PathRef, int], ...]:
        """Return what a path end at a hex side meets in the neighbour (FMT §D3.2).

        Parameters
        ----------
        track
            Gauge of the path; it meets only what it fits (COMMON §5.5).

        Returns
        -------
        tuple of (PathRef, end)
            The paths that go on, with which of their ends (0 or 1) is at the side.
        """
        key = (hex_id, end, track)
        known = self._across.get(key)
        if known is None:
            known = self._across[key] = tuple(self._meeting(hex_id, end, track))
        return known

    def _meeting(self, hex_id: str, end: PathEnd, track: str) -> Iterator[tuple[PathRef, int]]:
        x, y = self.atlas.hexes[hex_id].point
        dx, dy = self.atlas.steps[end.index]
        other = self._hex_at.get((x + dx, y + dy))
        side = opposite(end.index)
        if other is None:
            return
        if end.index not in self.neighbours(hex_id) and side not in self.neighbours(other):
            return
        face = self.faces[other]
        for number, which in face.by_side[side]:
            path = face.paths[number]
            fits = self.atlas.any_gauge or gauges_meet(track, path.track)
            if fits and lanes_meet(end, path.b if which else path.a):
                yield PathRef(other, number), which

    @cached_property
    def _hex_at(self) -> Mapping[Point, str]:
        return {h.point: h.id for h in self.atlas.hexes.values()}


def lanes_meet(a: PathEnd, b: PathEnd) -> bool:
    """Tell whether two path ends on both sides of a hex side meet (FMT §D3.2)."""
    if a.lanes == b.lanes:
        return a.lane + b.lane == a.lanes - 1
    wide, narrow = (a, b) if a.lanes > b.lanes else (b, a)
    shift = (wide.lanes - narrow.lanes) // 2
    return narrow.lane + shift + wide.lane == wide.lanes - 1


def gauges_meet(a: str, b: str) -> bool:
    """Tell whether track of two gauges meets at a hex side (COMMON §5.5).

    >>> gauges_meet("broad", "dual"), gauges_meet("broad", "narrow")
    (True, False)
    """
    return "thin" not in (a, b) and (a == b or "dual" in (a, b))


def far_end(path: TrackPath, which: int) -> PathEnd:
    """Return the end of `path` opposite to end `which` (0 for ``a``, 1 for ``b``)."""
    return path.a if which else path.b


def near_end(path: TrackPath, which: int) -> PathEnd:
    """Return end `which` of `path` (0 for ``a``, 1 for ``b``)."""
    return path.b if which else path.a


def is_side(end: PathEnd) -> bool:
    """Tell whether a path end lies at a hex side."""
    return end.kind is EndKind.SIDE
