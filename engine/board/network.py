"""The network of a company: what its trails reach (FMT §D5, §D6).

A trail runs from a token of the company over track; it uses no stop, path or
junction twice and may not come back through a side by which it has left a hex.
A plain search over the track forgets that and finds too much behind loops; the
full search for trails is long. Here both ends meet: a search that marks what it
has entered by a proper trail gives a part of the network, the plain search the
most that it can be, and only for the difference trails are looked for one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.board.board import Board, PathRef, Stop, far_end
from engine.board.faces import EndKind
from engine.board.geometry import opposite
from engine.board.trails import Onto, Side, TrailFinder, Use

__all__ = ["Network", "Onto", "Side", "trace_network"]


@dataclass(frozen=True)
class Network:
    """What a company reaches on a board.

    Parameters
    ----------
    company, board
        Whose network, and where.
    stops, paths
        Everything on its trails; the stops include its own.
    clean
        Sides through which a trail comes into a hex that it has not left before.
    possible
        Sides through which track leads in, whether or not a proper trail does.
    """

    company: str
    board: Board
    stops: frozenset[str]
    paths: frozenset[PathRef]
    clean: frozenset[Side]
    possible: frozenset[Side]

    @cached_property
    def sides(self) -> Mapping[str, frozenset[int]]:
        """By hex the sides where the company may join new track on (FMT §D6.3)."""
        board = self.board
        found: dict[str, set[int]] = {}
        for stop in board.token_stops(self.company):
            found.setdefault(stop.hex, set()).update(board.atlas.hexes[stop.hex].neighbours)
        for ref in self.paths:
            path = board.path(ref)
            for end in (path.a, path.b):
                if end.kind is EndKind.SIDE:
                    other = board.atlas.hexes[ref.hex].neighbours.get(end.index)
                    if other is not None:
                        found.setdefault(ref.hex, set()).add(end.index)
                        found.setdefault(other, set()).add(opposite(end.index))
        return {hex_id: frozenset(sides) for hex_id, sides in found.items()}

    @cached_property
    def hexes(self) -> frozenset[str]:
        """Hexes with track of the network (FMT §D6.4)."""
        return frozenset(ref.hex for ref in self.paths)


def trace_network(board: Board, company: str, start: Stop | None = None) -> Network:
    """Return the network of a company, or what trails from one stop reach.

    Parameters
    ----------
    start
        Where all trails start. They then run on through tokens of the company,
        which otherwise have trails of their own.

    Complexity
    ----------
    Linear in the track unless a loop makes trails of use; 1 to 3 ms on an
    end-game board.
    """
    search = _Search(board, company, start is not None)
    starts = board.token_stops(company) if start is None else (start,)
    most = search.plain(starts)
    for stop in starts:
        search.mark(stop)
    wanted = {onto.ref for onto in most} - search.paths
    if wanted:
        search.complete(starts, most, wanted)
    return Network(
        company,
        board,
        frozenset(search.stops),
        frozenset(search.paths),
        frozenset(search.clean),
        frozenset(search.arrivals(most)),
    )


class _Search:
    """The three searches, over paths entered at an end."""

    def __init__(self, board: Board, company: str, through_own: bool) -> None:
        self.board = board
        self.company = company
        self._through_own = through_own
        self.stops: set[str] = set()
        self.paths: set[PathRef] = set()
        self.clean: set[Side] = set()
        self._entered: set[Onto] = set()
        self._next: dict[Onto, tuple[Onto, ...]] = {}

    def leaving(self, stop: Stop) -> Iterator[Onto]:
        """Yield the paths by which a trail leaves a stop where it starts or which it passes."""
        face = self.board.faces[stop.hex]
        for number, which in face.by_stop[stop.index]:
            path = face.paths[number]
            junction = far_end(path, which).kind is EndKind.JUNCTION
            if not path.ignored_from_stop and not (path.terminal and junction):
                yield Onto(PathRef(stop.hex, number), which)

    def stop_of(self, onto: Onto) -> Stop | None:
        """Return the stop at the far end of a path, or None."""
        end = far_end(self.board.path(onto.ref), onto.entry)
        if end.kind is not EndKind.STOP:
            return None
        return self.board.stop_at[onto.ref.hex, end.index]

    def side_of(self, onto: Onto) -> Side | None:
        """Return the hex side at the far end of a path, or None."""
        end = far_end(self.board.path(onto.ref), onto.entry)
        if end.kind is not EndKind.SIDE:
            return None
        return Side(onto.ref.hex, end.index, end.lanes, end.lane)

    def onward(self, onto: Onto) -> tuple[Onto, ...]:
        """Return the paths onto which a trail may go on."""
        known = self._next.get(onto)
        if known is None:
            known = self._next[onto] = tuple(self._onward(onto))
        return known

    def _onward(self, onto: Onto) -> Iterator[Onto]:
        hex_id = onto.ref.hex
        path = self.board.path(onto.ref)
        end = far_end(path, onto.entry)
        if end.kind is EndKind.SIDE:
            for ref, entry in self.board.across(hex_id, end, path.track):
                if not self._port(ref, entry):
                    yield Onto(ref, entry)
        elif end.kind is EndKind.JUNCTION:
            face = self.board.faces[hex_id]
            for number, which in face.by_junction[end.index]:
                if number != onto.ref.path and not face.paths[number].terminal:
                    yield Onto(PathRef(hex_id, number), which)
        else:
            stop = self.board.stop_at[hex_id, end.index]
            mine = stop.has(self.company) and not self._through_own
            if not mine and not path.terminal and stop.passable(self.company):
                for other in self.leaving(stop):
                    if other.ref != onto.ref:
                        yield other

    def _port(self, ref: PathRef, entry: int) -> bool:
        path = self.board.path(ref)
        return path.terminal and far_end(path, entry).kind is EndKind.JUNCTION

    def plain(self, starts: Iterable[Stop]) -> set[Onto]:
        """Return everything that can be entered if trails had no rules."""
        waiting = [onto for stop in starts for onto in self.leaving(stop)]
        found = set(waiting)
        while waiting:
            for onto in self.onward(waiting.pop()):
                if onto not in found:
                    found.add(onto)
                    waiting.append(onto)
        return found

    def arrivals(self, entered: Iterable[Onto]) -> Iterator[Side]:
        """Yield the sides through which track leads into hexes, with track there or not."""
        for onto in entered:
            side = self.side_of(onto)
            if side is not None:
                other = self.board.atlas.hexes[side.hex].neighbours.get(side.side)
                if other is not None:
                    yield Side(other, opposite(side.side), side.lanes, side.lane)

    def mark(self, start: Stop) -> None:
        """Mark what trails from a stop enter, going on from each path only once."""
        trail = _Trail(start)
        self.stops.add(start.id)
        stack: list[tuple[Onto, Iterator[Onto]]] = []
        fresh = iter(tuple(self.leaving(start)))
        while True:
            onto = next(fresh, None)
            if onto is None:
                if not stack:
                    return
                done, fresh = stack.pop()
                trail.leave(self, done)
            elif onto not in self._entered and trail.enter(self, onto):
                self._entered.add(onto)
                self._note(onto, trail.has_left)
                stack.append((onto, fresh))
                fresh = iter(self.onward(onto))

    def _note(self, onto: Onto, has_left: Callable[[str], bool]) -> None:
        """Remember a path; `has_left` knows the hexes that its trail has left."""
        self.paths.add(onto.ref)
        stop = self.stop_of(onto)
        if stop is not None:
            self.stops.add(stop.id)
        for side in self.arrivals([onto]):
            if not has_left(side.hex):
                self.clean.add(side)

    def complete(self, starts: Iterable[Stop], most: set[Onto], wanted: set[PathRef]) -> None:
        """Look for trails to the paths that are still wanted, from their end."""
        finder = TrailFinder(
            {onto: self.onward(onto) for onto in most},
            {onto: stop.id for stop in starts for onto in self.leaving(stop)},
            {onto: self._use(onto) for onto in most},
        )
        for onto in sorted(most):
            if onto.ref in wanted:
                found = finder.trail_to(onto)
                if found is not None:
                    self._note_trail(found)
                    wanted -= {passed.ref for passed in found}

    def _use(self, onto: Onto) -> Use:
        path = self.board.path(onto.ref)
        far, stop = far_end(path, onto.entry), self.stop_of(onto)
        junction = (onto.ref.hex, far.index) if far.kind is EndKind.JUNCTION else None
        ends = [end for end in (path.a, path.b) if end.kind is EndKind.SIDE]
        sides = tuple(Side(onto.ref.hex, end.index, end.lanes, end.lane) for end in ends)
        return Use(None if stop is None else stop.id, junction, self.side_of(onto), sides)

    def _note_trail(self, ontos: Iterable[Onto]) -> None:
        left: set[str] = set()
        for onto in ontos:
            side = self.side_of(onto)
            if side is not None:
                left.add(side.hex)
            self._note(onto, left.__contains__)


class _Trail:
    """What a trail has used so far (FMT §D5.2)."""

    def __init__(self, start: Stop) -> None:
        self._paths: set[PathRef] = set()
        self._stops: set[str] = {start.id}
        self._junctions: set[tuple[str, int]] = set()
        self._left: dict[str, list[Side]] = {}

    def has_left(self, hex_id: str) -> bool:
        return bool(self._left.get(hex_id))

    def enter(self, search: _Search, onto: Onto) -> bool:
        """Enter a path and leave it at its far end; False if that is not allowed."""
        ref = onto.ref
        if ref in self._paths:
            return False
        path = search.board.path(ref)
        left = self._left.get(ref.hex)
        if left and any(
            end.kind is EndKind.SIDE and Side(ref.hex, end.index, end.lanes, end.lane) in left
            for end in (path.a, path.b)
        ):
            return False
        far = far_end(path, onto.entry)
        if far.kind is EndKind.STOP:
            stop = search.board.stop_at[ref.hex, far.index].id
            if stop in self._stops:
                return False
            self._stops.add(stop)
        elif far.kind is EndKind.JUNCTION:
            if (ref.hex, far.index) in self._junctions:
                return False
            self._junctions.add((ref.hex, far.index))
        else:
            side = Side(ref.hex, far.index, far.lanes, far.lane)
            self._left.setdefault(ref.hex, []).append(side)
        self._paths.add(ref)
        return True

    def leave(self, search: _Search, onto: Onto) -> None:
        """Take back the entry of a path, the last one entered."""
        ref = onto.ref
        far = far_end(search.board.path(ref), onto.entry)
        if far.kind is EndKind.STOP:
            self._stops.discard(search.board.stop_at[ref.hex, far.index].id)
        elif far.kind is EndKind.JUNCTION:
            self._junctions.discard((ref.hex, far.index))
        else:
            self._left[ref.hex].pop()
        self._paths.discard(ref)
