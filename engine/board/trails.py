"""Trails that lead to a given path (FMT §D5).

A trail uses no stop, path or junction twice and may not come back through a
side by which it has left a hex. Whether one leads to a path is asked from its
end: what stands in the way, mostly a loop of track, lies near the end, so that
a search backwards fails at once where a search from the start would try every
way to get there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.board.board import PathRef


class Onto(NamedTuple):
    """A path entered at one of its ends (0 for ``a``, 1 for ``b``)."""

    ref: PathRef
    entry: int


class Side(NamedTuple):
    """A side of a hex, with the lane of the track there."""

    hex: str
    side: int
    lanes: int = 1
    lane: int = 0


class Use(NamedTuple):
    """What a path uses up when a trail runs over it.

    Parameters
    ----------
    stop, junction, exit
        What it leads to: the id of a stop, a junction or a side of its hex;
        None for the other two.
    sides
        Sides at which it ends, the one where it was entered included.
    """

    stop: str | None
    junction: tuple[str, int] | None
    exit: Side | None
    sides: tuple[Side, ...]


@dataclass
class _Tail:
    """The end of a trail, to which paths are put in front."""

    ontos: list[Onto] = field(default_factory=list)
    refs: set[PathRef] = field(default_factory=set)
    stops: set[str] = field(default_factory=set)
    junctions: set[tuple[str, int]] = field(default_factory=set)
    sides: list[Side] = field(default_factory=list)

    def takes(self, onto: Onto, use: Use) -> bool:
        """Tell whether a trail may run over a path before it goes on as the tail does."""
        return (
            onto.ref not in self.refs
            and use.stop not in self.stops
            and use.junction not in self.junctions
            and use.exit not in self.sides
        )

    def put(self, onto: Onto, use: Use) -> None:
        self.ontos.append(onto)
        self.refs.add(onto.ref)
        if use.stop is not None:
            self.stops.add(use.stop)
        if use.junction is not None:
            self.junctions.add(use.junction)
        self.sides.extend(use.sides)

    def drop(self, use: Use) -> None:
        self.refs.discard(self.ontos.pop().ref)
        if use.stop is not None:
            self.stops.discard(use.stop)
        if use.junction is not None:
            self.junctions.discard(use.junction)
        if use.sides:
            del self.sides[-len(use.sides) :]


class TrailFinder:
    """Finds trails by their last path.

    Parameters
    ----------
    onward
        Where a trail may go on from each path that it can enter.
    starts
        The paths by which trails leave a stop where they start, with that stop.
    uses
        What each path uses up.
    """

    def __init__(
        self,
        onward: Mapping[Onto, Iterable[Onto]],
        starts: Mapping[Onto, str],
        uses: Mapping[Onto, Use],
    ) -> None:
        self._starts = starts
        self._uses = uses
        self._back: dict[Onto, list[Onto]] = {}
        for onto, following in onward.items():
            for after in following:
                self._back.setdefault(after, []).append(onto)

    def trail_to(self, last: Onto) -> Sequence[Onto] | None:
        """Return the paths of a trail that ends with `last`, or None if there is none.

        Complexity
        ----------
        One search over the track for nearly every path; where loops cross each
        other it can be exponential in their number.
        """
        tail = _Tail()
        tail.put(last, self._uses[last])
        return tuple(reversed(tail.ontos)) if self._complete(tail) else None

    def _complete(self, tail: _Tail) -> bool:
        """Put paths in front of a tail until it is a trail from a start."""
        way = self._shortest(tail)
        if way is None:
            return False
        if self._fits(tail, way):
            return True
        for onto in self._back.get(tail.ontos[-1], ()):
            use = self._uses[onto]
            if tail.takes(onto, use):
                tail.put(onto, use)
                if self._complete(tail):
                    return True
                tail.drop(use)
        return False

    def _shortest(self, tail: _Tail) -> Sequence[Onto] | None:
        """The shortest way from a start to a tail that only keeps clear of the tail."""
        first = tail.ontos[-1]
        came: dict[Onto, Onto | None] = {first: None}
        waiting = deque([first])
        while waiting:
            onto = waiting.popleft()
            start = self._starts.get(onto)
            if start is not None and start not in tail.stops:
                return self._unrolled(came, onto)
            for before in self._back.get(onto, ()):
                if before not in came and tail.takes(before, self._uses[before]):
                    came[before] = onto
                    waiting.append(before)
        return None

    def _unrolled(self, came: Mapping[Onto, Onto | None], onto: Onto) -> Sequence[Onto]:
        """The paths of a way, the nearest to the tail first."""
        way: list[Onto] = []
        at: Onto | None = onto
        while at is not None:
            way.append(at)
            at = came[at]
        return way[-2::-1]

    def _fits(self, tail: _Tail, way: Sequence[Onto]) -> bool:
        """Put a way in front of a tail; if it is in its own way, leave the tail as it was."""
        done: list[Use] = []
        for onto in way:
            use = self._uses[onto]
            if not tail.takes(onto, use):
                break
            tail.put(onto, use)
            done.append(use)
        else:
            if self._starts[tail.ontos[-1]] not in tail.stops:
                return True
        for use in reversed(done):
            tail.drop(use)
        return False
