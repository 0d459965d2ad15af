"""The network of a company: stops and legs that its trains can use. The statement's side."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engine.board.board import Board, PathRef, Stop, far_end
from engine.board.faces import EndKind
from engine.board.legs import Leg, find_legs
from engine.declared import options as o
from engine.declared.reading import Reading
from engine.routing.network import net_leg, reach
from engine.routing.vocabulary import NetLeg


@dataclass(frozen=True)
class Net:
    """Stops within reach, and the legs between them.

    Parameters
    ----------
    board
        The board.
    stops, legs
        In the numbers of the problem.
    open
        Stops that routes may run through.
    """

    board: Board
    stops: tuple[Stop, ...]
    legs: tuple[NetLeg, ...]
    open: frozenset[int]

    @cached_property
    def number(self) -> dict[str, int]:
        """Numbers of stops by id."""
        return {stop.id: place for place, stop in enumerate(self.stops)}

    def numbers(self, ids: Iterable[str]) -> frozenset[int]:
        """Return the numbers of those stops that are within reach."""
        return frozenset(self.number[stop] for stop in ids if stop in self.number)

    def around(self, stop: Stop) -> frozenset[str]:
        """Return the hexes that track leads to from a stop before it meets another stop."""
        face = self.board.faces[stop.hex]
        waiting = [(PathRef(stop.hex, n), entry) for n, entry in face.by_stop[stop.index]]
        done = set(waiting)
        while waiting:
            ref, entry = waiting.pop()
            end = far_end(self.board.path(ref), entry)
            onward: list[tuple[PathRef, int]] = []
            if end.kind is EndKind.SIDE:
                onward = list(self.board.across(ref.hex, end, self.board.path(ref).track))
            elif end.kind is EndKind.JUNCTION:
                junction = self.board.faces[ref.hex].by_junction[end.index]
                onward = [(PathRef(ref.hex, n), e) for n, e in junction if n != ref.path]
            waiting += [each for each in onward if each not in done]
            done.update(onward)
        return frozenset(ref.hex for ref, _ in done)

    @cached_property
    def gauges(self) -> tuple[frozenset[str], ...]:
        """Gauges of the track of each leg."""
        return tuple(
            frozenset(self.board.path(ref).track for part in leg.parts for ref in part.paths)
            for leg in self.legs
        )


def build_net(reading: Reading) -> Net:
    """Collect what a walk from the company's tokens can visit (COMMON §5)."""
    board = reading.board
    legs = find_legs(board)
    passable = {stop.id for stop in board.stops.values() if _passable(reading, stop)}
    starts = set(reading.own) | set(_extra_starts(reading))
    reached = reach([(leg.a, leg.b) for leg in legs], starts, passable.__contains__)
    stops = tuple(stop for stop in board.stops.values() if stop.id in reached.stops)
    number = {stop.id: place for place, stop in enumerate(stops)}
    used = (legs[place] for place in reached.legs)
    open_ = frozenset(number[stop.id] for stop in stops if stop.id in passable)
    return Net(board, stops, tuple(_net_leg(board, leg, number) for leg in used), open_)


def _passable(reading: Reading, stop: Stop) -> bool:
    """Kind and tokens let a route pass (COMMON §5.2, §5.3), or a right does."""
    if stop.kind == "offboard":
        return False
    if stop.passable(reading.corporation):
        return True
    free: set[str] = set()
    for never in reading.of(o.NeverBlocked):
        free.update(never.hexes if reading.flagged(never.holder_flag) else ())
    for right in reading.of(o.Permission):
        if right.never_blocks_holder and reading.flagged(right.holder_flag):
            free.update(right.hexes)
    return stop.hex in free


def _extra_starts(reading: Reading) -> Iterator[str]:
    """Stops in hexes laid this turn, for a corporation that runs from them (1828 §2.2)."""
    for option in reading.of(o.CorporationRule):
        for flag in reading.position.company.flags:
            if flag.name == option.laid_flag:
                yield from (s.id for s in reading.board.stops.values() if s.hex in flag.hexes)


def _net_leg(board: Board, leg: Leg, number: dict[str, int]) -> NetLeg:
    ends = (board.stops[leg.a].hex, board.stops[leg.b].hex)
    return net_leg((leg,), number, _items(board, leg), ends)


def _items(board: Board, leg: Leg) -> Iterator[Hashable]:
    """What a leg takes from all others: sides with lane, inner paths, far approaches
    (COMMON §4.1 to §4.3)."""
    for hex_id, side, _, lane in leg.sides:
        yield (hex_id, side, lane)
    for ref in leg.paths:
        path = board.path(ref)
        kinds = {path.a.kind, path.b.kind}
        if kinds == {EndKind.STOP}:
            yield ("inner", ref)
        elif kinds == {EndKind.STOP, EndKind.SIDE}:
            at_stop, at_side = (path.a, path.b) if path.a.kind is EndKind.STOP else (path.b, path.a)
            face = board.faces[ref.hex]
            stop = face.stops[at_stop.index]
            drawn_aside = not isinstance(stop.draw_at, str) and stop.kind == "town"
            if (
                drawn_aside
                and len(face.by_stop[at_stop.index]) > 2
                and stop.draw_at != at_side.index
            ):
                yield ("far approach", ref.hex, at_stop.index)
