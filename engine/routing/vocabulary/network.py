"""Stops and legs: the network on which a problem is stated."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from engine.board.geometry import Point
from engine.board.legs import Leg


@dataclass(frozen=True, slots=True)
class NetStop:
    """A stop of the network.

    Parameters
    ----------
    id
        Stop id on the board; of a pair that counts as one stop, the far one.
    hex, point, kind, name
        As on the board.
    """

    id: str
    hex: str
    point: Point
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class NetLeg:
    """Track from stop `a` to stop `b`.

    Parameters
    ----------
    a, b
        Stops.
    items
        Pieces of track that trains of one track class cannot share (hex sides
        with their lane, inner links). Two legs conflict if they share an item.
    end_only_a, end_only_b
        A route that uses the leg must start or end at that stop.
    length
        Hex-to-hex moves.
    hexes
        Hexes touched, those of both stops included.
    marks
        Names of special track, for :class:`OneOf`.
    parts
        The legs of the board from `a` to `b`, each turned to run in that
        direction; more than one where stops between do not count as stops.
    """

    a: int
    b: int
    items: frozenset[Hashable]
    end_only_a: bool
    end_only_b: bool
    length: int
    hexes: frozenset[str]
    marks: frozenset[str]
    parts: tuple[Leg, ...]
