"""Faces that differ from print or from the laid tile by what has happened in play."""

from __future__ import annotations

from dataclasses import replace

from engine.board.faces import Face, FaceStop
from engine.board.state import HexChange, StopChange


def changed_face(face: Face, change: HexChange) -> Face:
    """Return a face with the changes of its hex."""
    if not change.stops and change.paths is None:
        return face
    changes = {each.stop: each for each in change.stops}
    return replace(
        face,
        stops=tuple(_stop(stop, changes.get(stop.index)) for stop in face.stops),
        paths=face.paths if change.paths is None else change.paths,
    )


def _stop(stop: FaceStop, change: StopChange | None) -> FaceStop:
    if change is None:
        return stop
    return replace(
        stop,
        kind=stop.kind if change.kind is None else change.kind,
        slots=stop.slots if change.slots is None else change.slots,
        revenue=stop.revenue if change.revenue is None else dict(change.revenue),
        groups=stop.groups if change.groups is None else change.groups,
        visit_cost=stop.visit_cost if change.visit_cost is None else change.visit_cost,
    )
