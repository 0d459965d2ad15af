"""What can be wrong with what a board says beside tiles and tokens in cities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from engine.board.atlas import Atlas
from engine.board.faces import EndKind, Face, PathEnd, TrackPath
from engine.board.state import BoardState, HexChange, StopChange
from engine.errors import Fault
from engine.titles.title import Title

STOP_KINDS = frozenset({"city", "town", "halt", "offboard", "pass"})
TRACKS = frozenset({"broad", "narrow", "dual", "thin"})
MOST = 20
"""Greatest number of slots, of stops that one counts for, and of tracks side by side."""
SIDES = 6


def extra_faults(
    title: Title, atlas: Atlas, faces: Mapping[str, Face], state: BoardState
) -> Iterator[Fault]:
    """Yield the faults of changes, markers and tokens on hexes.

    Parameters
    ----------
    faces
        What lies on each hex before the changes.
    """
    if not title.declared:
        yield from _foreign(title, state)
        return
    count = Counter(change.hex for change in state.changes)
    for number, change in enumerate(state.changes):
        path = f"board.changes[{number}]"
        if count[change.hex] > 1:
            message = f"{change.hex} has several changes"
            yield Fault("HEX_TWICE", f"{path}.hex", message, "", change.hex)
        if change.hex not in faces:
            yield _no_hex(change.hex, f"{path}.hex")
            continue
        yield from _change_faults(atlas, state.phase, faces[change.hex], change, path)
    for number, marker in enumerate(state.markers):
        if marker.hex not in faces:
            yield _no_hex(marker.hex, f"board.markers[{number}].hex")
    for number, token in enumerate(state.hex_tokens):
        if token.hex not in faces:
            yield _no_hex(token.hex, f"board.hex_tokens[{number}].hex")


def _foreign(title: Title, state: BoardState) -> Iterator[Fault]:
    """Fields that games with rules of their own do not use."""
    for name in ("options", "changes", "markers", "hex_tokens"):
        if getattr(state, name):
            message = f"{title.title} does not use this field; leave it out"
            yield Fault("FIELD_NOT_IN_GAME", f"board.{name}", message)
    for number, token in enumerate(state.tokens):
        if token.extra:
            message = f"{title.title} does not use this field; leave it out"
            yield Fault("FIELD_NOT_IN_GAME", f"board.tokens[{number}].extra", message)


def _no_hex(hex_id: str, path: str) -> Fault:
    return Fault("HEX_UNKNOWN", path, f"the map has no hex {hex_id!r}")


def _wrong(path: str, message: str, change: HexChange) -> Fault:
    return Fault("CHANGE_WRONG", path, message, "", change.hex)


def _change_faults(
    atlas: Atlas, phase: str, face: Face, change: HexChange, path: str
) -> Iterator[Fault]:
    seen: set[int] = set()
    for number, stop in enumerate(change.stops):
        where = f"{path}.stops[{number}]"
        if not 0 <= stop.stop < len(face.stops) or stop.stop in seen:
            message = f"{change.hex} has no stop {stop.stop}, or it is named twice"
            yield _wrong(f"{where}.stop", message, change)
        seen.add(stop.stop)
        for name, message in _stop_words(stop, phase):
            yield _wrong(f"{where}.{name}", message, change)
    sides: set[int] = set()
    for number, (side, other) in enumerate(change.neighbours or ()):
        where = f"{path}.neighbours.sides[{number}]"
        if not 0 <= side < SIDES or side in sides:
            message = f"there is no side {side}, or it is named twice"
            yield _wrong(f"{where}.side", message, change)
        sides.add(side)
        if other not in atlas.hexes:
            yield _no_hex(other, f"{where}.hex")
    for number, track in enumerate(change.paths or ()):
        for message in _path_words(face, track):
            yield _wrong(f"{path}.paths.paths[{number}]", message, change)


def _stop_words(stop: StopChange, phase: str) -> Iterable[tuple[str, str]]:
    """What is wrong with the change of a stop, by field."""
    for name in ("slots", "visit_cost"):
        value = getattr(stop, name)
        if value is not None and not 0 <= value <= MOST:
            yield name, f"{value} is not in 0 to {MOST}"
    if stop.kind is not None and stop.kind not in STOP_KINDS:
        yield "kind", f"there is no kind {stop.kind!r}; there are {', '.join(sorted(STOP_KINDS))}"
    if stop.revenue is not None and not {None, phase} & dict(stop.revenue).keys():
        yield "revenue", f"it does not say what the stop pays in phase {phase!r}"


def _path_words(face: Face, track: TrackPath) -> Iterable[str]:
    """What is wrong with a piece of track."""
    if track.track not in TRACKS:
        yield f"there is no gauge {track.track!r}; there are {', '.join(sorted(TRACKS))}"
    if track.a == track.b:
        yield "both ends are the same"
    for end in (track.a, track.b):
        yield from _end_words(face, end)


def _end_words(face: Face, end: PathEnd) -> Iterable[str]:
    most = {
        EndKind.SIDE: SIDES,
        EndKind.STOP: len(face.stops),
        EndKind.JUNCTION: face.junctions,
    }[end.kind]
    if not 0 <= end.index < most:
        yield f"there is no {end.kind.name.lower()} {end.index}"
    if not 1 <= end.lanes <= MOST or not 0 <= end.lane < end.lanes:
        yield f"there is no track {end.lane} of {end.lanes} side by side"
