"""Legs: the track from one stop to the next, with what it uses (FMT §D5).

Legs depend on tiles only, not on tokens or companies, so one list serves
every company that runs on a board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.board.board import Board, PathRef
from engine.board.faces import EndKind

SideItem = tuple[str, int, int, int]
"""A hex side as one hex sees it: hex, side, lanes and lane."""


@dataclass(frozen=True, slots=True)
class Leg:
    """Track between two different stops, without a stop in between.

    Parameters
    ----------
    a, b
        Stop ids.
    paths
        Paths in order from `a` to `b`.
    sides
        Hex sides used, each as the hex on either side of the border sees it.
    terminal_a, terminal_b
        The path at that stop is terminal: a route may use the leg only if it
        starts or ends there.
    """

    a: str
    b: str
    paths: tuple[PathRef, ...]
    sides: frozenset[SideItem]
    terminal_a: bool
    terminal_b: bool

    @property
    def hexes(self) -> tuple[str, ...]:
        """Hexes in the written form of game records: one per path, but two
        successive paths that meet in a junction count once (FMT §B6.3)."""
        out: list[str] = []
        for number, ref in enumerate(self.paths):
            if number and self.paths[number - 1].hex == ref.hex:
                continue
            out.append(ref.hex)
        return tuple(out)

    @property
    def length(self) -> int:
        """Hex-to-hex moves along the leg."""
        return sum(1 for p, q in zip(self.paths, self.paths[1:], strict=False) if p.hex != q.hex)


def find_legs(board: Board) -> tuple[Leg, ...]:
    """Return every leg of the board once, in a fixed order.

    A leg uses no path twice, no junction twice and no hex side twice; it may
    not come back over a side through which it has left (FMT §D5.2).

    Complexity
    ----------
    Linear in the track walked; 3 to 10 ms on an end-game board.
    """
    order = {stop: number for number, stop in enumerate(board.stops)}
    found: list[Leg] = []
    for stop in board.stops.values():
        face = board.faces[stop.hex]
        for number, which in face.by_stop[stop.index]:
            walk = _Walk(board, stop.id, order)
            found.extend(walk.start(PathRef(stop.hex, number), which))
    return tuple(found)


class _Walk:
    """One trail from a stop, followed over all branches."""

    def __init__(self, board: Board, origin: str, order: dict[str, int]) -> None:
        self.board = board
        self.origin = origin
        self.order = order
        self.paths: list[PathRef] = []
        self.sides: list[SideItem] = []
        self.junctions: list[tuple[str, int]] = []
        self.terminal_a = False

    def start(self, ref: PathRef, which: int) -> Iterator[Leg]:
        path = self.board.faces[ref.hex].paths[ref.path]
        self.terminal_a = path.terminal
        return self._follow(ref, which)

    def _follow(self, ref: PathRef, which: int) -> Iterator[Leg]:
        """Run over `ref`, entered at end `which`, and on from its far end."""
        hex_id = ref.hex
        face = self.board.faces[hex_id]
        path = face.paths[ref.path]
        end = path.a if which else path.b
        self.paths.append(ref)
        if end.kind is EndKind.SIDE:
            yield from self._over_side(hex_id, ref, which)
        elif end.kind is EndKind.STOP:
            stop = self.board.stop_at[hex_id, end.index].id
            if self.order[self.origin] < self.order[stop]:
                yield self._leg(stop, path.terminal)
        elif not path.terminal:
            key = (hex_id, end.index)
            if key not in self.junctions:
                self.junctions.append(key)
                for number, other in face.by_junction[end.index]:
                    if number != ref.path and not face.paths[number].terminal:
                        yield from self._follow(PathRef(hex_id, number), other)
                self.junctions.pop()
        self.paths.pop()

    def _over_side(self, hex_id: str, ref: PathRef, which: int) -> Iterator[Leg]:
        path = self.board.faces[hex_id].paths[ref.path]
        end = path.a if which else path.b
        item = (hex_id, end.index, end.lanes, end.lane)
        if item in self.sides:
            return
        self.sides.append(item)
        for onward, entry in self.board.across(hex_id, end, path.track):
            if onward in self.paths:
                continue
            other = self.board.faces[onward.hex].paths[onward.path]
            near = other.b if entry else other.a
            entered = (onward.hex, near.index, near.lanes, near.lane)
            if entered in self.sides:
                continue
            self.sides.append(entered)
            yield from self._follow(onward, entry)
            self.sides.pop()
        self.sides.pop()

    def _leg(self, stop: str, terminal: bool) -> Leg:
        return Leg(
            a=self.origin,
            b=stop,
            paths=tuple(self.paths),
            sides=frozenset(self.sides),
            terminal_a=self.terminal_a,
            terminal_b=terminal,
        )
