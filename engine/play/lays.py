"""Which tile may lie where, as far as the faces tell (FMT §D7), and what a lay moves (§D10).

Everything here follows from the printed map and the tiles alone, so it is
worked out once for each pair of faces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from engine.board.atlas import Atlas
from engine.board.faces import EndKind, Face, FaceStop, PathEnd, TrackPath
from engine.board.network import Network, Side
from engine.board.state import TokenPlacement
from engine.play.layout import Laid


@dataclass(frozen=True)
class Fit:
    """A rotation in which a tile may replace a face.

    Parameters
    ----------
    rotation
        0 to 5.
    sides
        Sides with track.
    fresh
        Numbers of the paths that were not there before (FMT §D8).
    """

    rotation: int
    sides: frozenset[int]
    fresh: frozenset[int]


FaceKey = tuple[str, int] | None
"""A tile and its rotation, or None for the printed face."""


class LayGuide:
    """The lays that the faces of a map and its tiles allow."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self._fits: dict[tuple[str, FaceKey, str], tuple[Fit, ...]] = {}

    def face(self, hex_id: str, key: FaceKey) -> Face:
        """Return the face that a key names."""
        if key is None:
            return self.atlas.hexes[hex_id].face
        return self.atlas.tiles[key[0]].faces[key[1]]

    def successors(self, hex_id: str, laid: Laid | None) -> Sequence[str]:
        """Return the tiles of the next colour for a hex: label, stops and track fit in
        some rotation (FMT §D7.1 to §D7.4)."""
        raw = self.atlas.hexes[hex_id].raw if laid is None else self.atlas.tiles[laid.tile].raw
        found: Sequence[str] = raw.get("upgrades_to_on_hex", {}).get(hex_id, raw["upgrades_to"])
        return found

    def fits(self, hex_id: str, laid: Laid | None, tile: str) -> tuple[Fit, ...]:
        """Return the rotations in which a tile may be laid (FMT §D7.6, §D7.7)."""
        key = None if laid is None else (laid.tile, laid.rotation)
        known = self._fits.get((hex_id, key, tile))
        if known is None:
            known = self._fits[hex_id, key, tile] = tuple(
                Fit(rotation, new.sides(), fresh_paths(old, new))
                for rotation in self._rotations(hex_id, tile)
                for old, new in [(self.face(hex_id, key), self.face(hex_id, (tile, rotation)))]
                if self.open_at(hex_id, new) and keeps(old, new)
            )
        return known

    def _rotations(self, hex_id: str, tile: str) -> Iterable[int]:
        allowed = self.atlas.hexes[hex_id].raw.get("allowed_rotations", {})
        rotations: Iterable[int] = allowed.get(tile, self.atlas.tiles[tile].rotations)
        return rotations

    def open_at(self, hex_id: str, face: Face) -> bool:
        """Tell whether all track of a face leads to open neighbours (FMT §D7.6)."""
        return face.sides() <= self.atlas.hexes[hex_id].neighbours.keys()


def _places(face: Face, path: TrackPath) -> frozenset[int | str]:
    """Where a path leads: sides, whatever the lane, and kinds of stops; from a junction,
    wherever its other paths lead (FMT §D2.2)."""
    found: set[int | str] = set()
    for end in (path.a, path.b):
        if end.kind is not EndKind.JUNCTION:
            found.add(_place(face, end))
            continue
        for number, which in face.by_junction[end.index]:
            far = face.paths[number].a if which else face.paths[number].b
            if face.paths[number] != path and far.kind is not EndKind.JUNCTION:
                found.add(_place(face, far))
    return frozenset(found)


def _place(face: Face, end: PathEnd) -> int | str:
    return face.stops[end.index].kind if end.kind is EndKind.STOP else end.index


def _contained(old: TrackPath, old_face: Face, new: TrackPath, new_face: Face) -> bool:
    """Tell whether a path of the old face lies in a path of the new one (FMT §D7.2)."""
    if old.track == "dual" and new.track != "dual":
        return False
    return _places(old_face, old) <= _places(new_face, new)


def fresh_paths(old: Face, new: Face) -> frozenset[int]:
    """Return the paths of a new face that lie in no path of the old one (FMT §D8)."""
    return frozenset(
        number
        for number, path in enumerate(new.paths)
        if not any(_contained(path, new, before, old) for before in old.paths)
    )


def stop_sides(face: Face, stop: FaceStop) -> frozenset[int]:
    """Return the sides from which track leads straight to a stop."""
    ends = [
        face.paths[number].a if which else face.paths[number].b
        for number, which in face.by_stop[stop.index]
    ]
    return frozenset(end.index for end in ends if end.kind is EndKind.SIDE)


def keeps(old: Face, new: Face) -> bool:
    """Tell whether a face, turned as it is, keeps track and stops of the old one (FMT §D7.7)."""
    if not all(any(_contained(path, old, after, new) for after in new.paths) for path in old.paths):
        return False
    before = [stop_sides(old, stop) for stop in old.stops]
    after = [stop_sides(new, stop) for stop in new.stops]
    strange = sum(1 for sides in after if not any(sides & earlier for earlier in before))
    free = sum(1 for sides in before if not sides)
    if strange > max(0, len(after) - len(before)) + free:
        return False
    if len(old.cities) < 2 or len(new.cities) < 2:
        return True
    cities = [stop_sides(new, city) for city in new.cities]
    tracked = [stop_sides(old, city) for city in old.cities]
    return all(
        sum(1 for city in cities if sides & city) == 1 and any(sides <= city for city in cities)
        for sides in tracked
        if sides
    )


def new_city(old: Face, new: Face) -> tuple[int, ...]:
    """Return for each city of the old face the city of the new one that it becomes (FMT §D10.1)."""
    before = [stop_sides(old, city) for city in old.cities]
    after = [stop_sides(new, city) for city in new.cities]
    if not any(before) and len(before) == len(after):
        return tuple(range(len(before)))
    found: dict[int, int] = {}
    for place, sides in enumerate(before):
        fit = next((n for n, city in enumerate(after) if sides and sides <= city), None)
        if fit is not None:
            found[place] = fit
    for place in range(len(before)):
        if place not in found:
            unused = [n for n in range(len(after)) if n not in found.values()]
            found[place] = place if place in unused else (unused or [0])[0]
    return tuple(found[place] for place in range(len(before)))


def carry_tokens(
    tokens: Iterable[TokenPlacement], new: Face, city_of: Sequence[int], kept: frozenset[int]
) -> tuple[TokenPlacement, ...]:
    """Return the tokens of a hex as they stand after a lay (FMT §D10.2).

    Parameters
    ----------
    city_of
        For each old city the new one.
    kept
        Slots that are reserved, so that no token moves into them.
    """
    moved: list[TokenPlacement] = []
    for token in sorted(tokens, key=lambda token: (token.city, token.slot)):
        city = city_of[token.city]
        taken = {other.slot for other in moved if other.city == city}
        slot = next(n for n in range(len(taken) + len(kept) + 1) if n not in taken | kept)
        moved.append(replace(token, city=city, slot=slot))
    return tuple(moved)


def reaches_new_track(
    network: Network, hex_id: str, face: Face, fresh: frozenset[int], tokens: Sequence[int]
) -> bool | None:
    """Tell whether a lay gives its company new track to use (FMT §D8, restrictive).

    Parameters
    ----------
    network
        Before the lay.
    face, fresh
        The tile as laid, and its new paths.
    tokens
        For each city of the tile: 1 if it holds a token of the company, -1 if
        it is full of others' tokens, else 0.

    Returns
    -------
    bool or None
        None if only a search on the board after the lay can tell.
    """
    if _reach(network.clean, hex_id, face, tokens) & fresh:
        return True
    if not _reach(network.possible, hex_id, face, tokens) & fresh:
        return False
    return None


def _reach(arrivals: frozenset[Side], hex_id: str, face: Face, tokens: Sequence[int]) -> set[int]:
    """The paths of a face that can be entered from sides with arrivals and from own tokens."""
    cities = {city.index: place for place, city in enumerate(face.cities)}
    waiting: list[tuple[int, int]] = []
    for index, place in cities.items():
        if tokens[place] > 0:
            waiting.extend(face.by_stop[index])
    for side in face.sides():
        for number, which in face.by_side[side]:
            path = face.paths[number]
            end = path.b if which else path.a
            if Side(hex_id, side, end.lanes, end.lanes - 1 - end.lane) in arrivals:
                waiting.append((number, which))
    reached: set[int] = set()
    seen: set[tuple[int, int]] = set()
    while waiting:
        number, which = waiting.pop()
        if (number, which) in seen:
            continue
        seen.add((number, which))
        reached.add(number)
        far = face.paths[number].a if which else face.paths[number].b
        if far.kind is EndKind.JUNCTION:
            waiting.extend(face.by_junction[far.index])
        elif far.kind is EndKind.STOP and (
            far.index not in cities or tokens[cities[far.index]] == 0
        ):
            waiting.extend(face.by_stop[far.index])
    return reached
