"""The board at one moment: every hex with its face, stops with values and tokens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from engine.board.atlas import Atlas
from engine.board.faces import EndKind, Face, PathEnd, TrackPath
from engine.board.geometry import SIDES, Point
from engine.board.state import BoardState, TokenPlacement


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
        ``city``, ``town`` or ``offboard``.
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

    def has(self, corporation: str) -> bool:
        """Tell whether a token of `corporation` stands here."""
        return any(token.corporation == corporation for token in self.tokens)

    def full(self) -> bool:
        """Tell whether every slot holds a token, extra slots aside.

        A token in an extra slot leaves a printed slot empty (1822 §11.7).
        """
        return len({t.slot for t in self.tokens if t.slot < self.slots}) >= self.slots

    def passable(self, corporation: str) -> bool:
        """Tell whether a route of `corporation` may run through (FMT §D4.1)."""
        if self.kind == "town":
            return True
        if self.kind == "offboard":
            return False
        return self.has(corporation) or not self.full()


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
        self._token_stops: dict[str, tuple[Stop, ...]] = {}
        self._across: dict[tuple[str, PathEnd], tuple[tuple[PathRef, int], ...]] = {}

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
            if stop.kind == "city":
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

    def across(self, hex_id: str, end: PathEnd) -> tuple[tuple[PathRef, int], ...]:
        """Return what a path end at a hex side meets in the neighbour (FMT §D3.2).

        Returns
        -------
        tuple of (PathRef, end)
            The paths that go on, with which of their ends (0 or 1) is at the side.
        """
        key = (hex_id, end)
        known = self._across.get(key)
        if known is None:
            known = self._across[key] = tuple(self._meeting(hex_id, end))
        return known

    def _meeting(self, hex_id: str, end: PathEnd) -> Iterator[tuple[PathRef, int]]:
        x, y = self.atlas.hexes[hex_id].point
        dx, dy = SIDES[end.index]
        other = self._hex_at.get((x + dx, y + dy))
        if other is None:
            return
        face = self.faces[other]
        for number, which in face.by_side[(end.index + 3) % 6]:
            path = face.paths[number]
            if lanes_meet(end, path.b if which else path.a):
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


def far_end(path: TrackPath, which: int) -> PathEnd:
    """Return the end of `path` opposite to end `which` (0 for ``a``, 1 for ``b``)."""
    return path.a if which else path.b


def near_end(path: TrackPath, which: int) -> PathEnd:
    """Return end `which` of `path` (0 for ``a``, 1 for ``b``)."""
    return path.b if which else path.a


def is_side(end: PathEnd) -> bool:
    """Tell whether a path end lies at a hex side."""
    return end.kind is EndKind.SIDE
