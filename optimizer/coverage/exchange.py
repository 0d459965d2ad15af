"""Exact search for the last one, two or three columns of a run.

With all other columns held, every pair of columns of two groups is priced at
once: gain of one, plus gain of the other, minus what both pay. It is a product
of matrices, and it is exact. With three groups the pairs that can be part of a
better run are priced with every column of the third. It serves as exchange of
trains in the first run and as the leaf of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from optimizer.coverage.arrays import Flags, Floats, Ints, Words
from optimizer.coverage.columns import Group
from optimizer.coverage.enumerate import TimeUpError
from optimizer.coverage.node import Node, Pick, share_ends
from optimizer.coverage.statement import Statement
from optimizer.coverage.trails import connected

CELLS = 1 << 18
"""Combinations of columns priced in one operation."""


class Refusal(Enum):
    """Why a run is refused."""

    RUN = "the run"
    """As it is; other columns beside its chains might do."""
    CHAINS = "its chains"
    """With these chains and no others no run will do."""


class Finder:
    """Holds the best run known and looks for better ones.

    Parameters
    ----------
    statement
        The problem.
    over
        Tells whether time is up.
    accept
        Last check of a run that is good and connected: conditions on several
        columns that arrays do not hold. Returns the node, perhaps with more
        columns, or why not.
    found
        Told of each better run.
    value
        Units that a run must exceed.

    Attributes
    ----------
    value
        Units of the best run known.
    picks
        Its columns; None if no run is known that exceeds the given value.
    refusal
        Why the last run was refused that was good enough and connected.
    """

    def __init__(
        self,
        statement: Statement,
        over: Callable[[], bool],
        accept: Callable[[Node], Node | Refusal],
        found: Callable[[Sequence[Pick], float], None],
        value: float,
    ) -> None:
        self.statement = statement
        self.over = over
        self.accept = accept
        self.found = found
        self.value = value
        self.picks: tuple[Pick, ...] | None = None
        self.refusal = Refusal.RUN
        self.meeting = statement.meet is not None

    def copy(self, value: float) -> Finder:
        """Return a finder that tells nobody and begins at another value."""
        return Finder(self.statement, self.over, self.accept, lambda picks, units: None, value)

    def check_time(self) -> None:
        """Raise TimeUpError if time is up."""
        if self.over():
            raise TimeUpError

    def offer(self, node: Node) -> bool:
        """Take the run of a node if it is legal and better; tell whether it was taken."""
        apart = self.meeting and len(node.parts) > 1
        joined = len(set(node.used)) < len(node.used)
        away = bool(node.picks) and not node.home
        if node.value <= self.value or apart or joined or away:
            return False
        accepted = self.accept(node)
        if isinstance(accepted, Refusal):
            self.refusal = accepted
            return False
        self.value, self.picks = accepted.value, accepted.picks
        self.found(accepted.picks, accepted.value)
        return True

    def complete(self, node: Node, places: Sequence[Group]) -> bool:
        """Find the best columns for one to three places; tell whether the run is better.

        Parameters
        ----------
        places
            A group for each place; one with two places stands there twice. A
            place stays empty where that is better, unless its group must run.
        """
        filled = _useful([_place(node, group) for group in places], node, self.value)
        if filled is None:
            return False
        filled.sort(key=lambda place: len(place.gain))
        return _Completion(self, node, filled).search()


@dataclass
class _Place:
    """The columns that may fill a place, the last of them empty unless it must be filled.

    Attributes are as in the group, whose gain is `own` here; `gain` counts what is
    open as well. `row` is the column in the group, or -1; of `pieces` there is at
    least one.
    """

    group: Group
    row: Ints
    pay: Floats
    own: Floats
    gain: Floats
    score: Floats
    home: Flags
    nodes: Ints
    pieces: tuple[Words, ...]

    def take(self, which: Flags) -> _Place:
        """Return the place with some of its columns."""
        return _Place(
            self.group,
            self.row[which],
            self.pay[which],
            self.own[which],
            self.gain[which],
            self.score[which],
            self.home[which],
            self.nodes[which],
            tuple(piece[which] for piece in self.pieces),
        )


def _place(node: Node, group: Group) -> _Place:
    gains, scores = node.gains(group), node.scores(group)
    pieces = group.pieces or (group.meet,)
    if group.must:
        row = np.arange(len(group))
        own, home, nodes = group.gain, group.home, group.nodes
        return _Place(group, row, group.pay, own, gains, scores, home, nodes, pieces)
    nothing = np.zeros((1, group.meet.shape[1]), dtype=np.uint64)
    return _Place(
        group,
        np.append(np.arange(len(group)), -1),
        np.concatenate((group.pay, np.zeros((1, group.pay.shape[1]), group.pay.dtype))),
        np.append(group.gain, group.gain.dtype.type(0)),
        np.append(gains, gains.dtype.type(0)),
        np.append(scores, scores.dtype.type(0)),
        np.append(group.home, False),
        np.concatenate((group.nodes, np.full((1, 2), -1))),
        tuple(np.concatenate((piece, nothing)) for piece in pieces),
    )


def _useful(places: list[_Place], node: Node, value: float) -> list[_Place] | None:
    """Return the columns that can be in a run of more than `value`; None if there is none."""
    for _ in range(2):
        gains = [float(place.gain.max(initial=-np.inf)) for place in places]
        scores = [float(place.score.max(initial=-np.inf)) for place in places]
        most, bound = node.value + sum(gains), node.rest + sum(scores)
        if most <= value or bound < value + 1:
            return None
        for number, place in enumerate(places):
            useful = (place.gain >= 0) & (place.gain > value - most + gains[number])
            useful &= place.score >= value + 1 - bound + scores[number]
            if not useful.all():
                places[number] = place.take(useful)
        if not all(len(place.row) for place in places):
            return None
    return places


class _Completion:
    """Fills the places of a node."""

    def __init__(self, finder: Finder, node: Node, places: Sequence[_Place]) -> None:
        self.finder = finder
        self.node = node
        self.places = places
        self.improved = False
        self._below: Floats | None = None

    def search(self) -> bool:
        """Price all combinations; tell whether a better run was found."""
        first = self.places[0]
        if len(self.places) == 1:
            rows = np.nonzero(first.gain > self._needed())[0]
            self._offer([rows], first.gain[rows])
            return self.improved
        second = self.places[1]
        step = max(1, CELLS // len(second.row))
        for begin in range(0, len(first.row), step):
            self.finder.check_time()
            rows = np.arange(begin, min(begin + step, len(first.row)))
            both = self._pairs(first, rows, second)
            if len(self.places) == 2:
                one, two = np.nonzero(both > self._needed())
                self._offer([rows[one], two], both[one, two])
            else:
                self._three(rows, both)
        return self.improved

    def _needed(self) -> float:
        return self.finder.value - self.node.value

    def _pairs(self, first: _Place, rows: Ints, second: _Place) -> Floats:
        """Return what pairs of columns bring together; minus infinity where they may not run."""
        both = (first.pay[rows] * -self.node.open) @ second.pay.T
        both += second.gain
        both += first.gain[rows, None]
        if _chained(first, second):
            both[share_ends(first.nodes[rows], second.nodes)] = -np.inf
        return both

    def _three(self, rows: Ints, both: Floats) -> None:
        """Price pairs of columns with every column of the third place."""
        first, second, third = self.places
        one, two = self._worthy(rows, both)
        brings = both[one, two]
        one = rows[one]
        step = max(1, CELLS // max(len(third.row), third.pay.shape[1]))
        for begin in range(0, len(one), step):
            self.finder.check_time()
            i, j = one[begin : begin + step], two[begin : begin + step]
            left = self.node.open * (1 - first.pay[i]) * (1 - second.pay[j])
            total = left @ third.pay.T
            total += third.own
            total += brings[begin : begin + step, None]
            for place, chosen in ((first, i), (second, j)):
                if _chained(place, third):
                    total[share_ends(place.nodes, third.nodes)[chosen]] = -np.inf
            pair, k = np.nonzero(total > self._needed())
            self._offer([i[pair], j[pair], k], total[pair, k])

    def _worthy(self, rows: Ints, both: Floats) -> tuple[Ints, Ints]:
        """Return the pairs that a third column may complete to a better run."""
        first, second, third = self.places
        prices = self.node.element
        worthy = both + third.gain.max() > self._needed()
        worthy &= both >= 0
        bound = (first.pay[rows] * -prices) @ second.pay.T
        bound += first.score[rows, None] + self.node.rest - (self.finder.value + 1)
        bound += second.score
        beside = ((first.pay[rows] * -prices) @ third.pay.T + third.score).max(axis=1)
        if self._below is None:
            below = (second.pay * -prices) @ third.pay.T
            self._below = (below + third.score).max(axis=1)
        worthy &= bound + np.minimum(beside[:, None], self._below) >= 0
        rows, columns = np.nonzero(worthy)
        return rows.astype(np.int64), columns.astype(np.int64)

    def _offer(self, chosen: Sequence[Ints], brings: Floats) -> None:
        """Offer the runs of combinations of columns, the best first."""
        if not len(brings):
            return
        fine = self._complete(chosen)
        chosen, brings = [rows[fine] for rows in chosen], brings[fine]
        for which in np.argsort(-brings, kind="stable").tolist():
            if self.node.value + brings[which] <= self.finder.value:
                break
            self.finder.check_time()
            node = self.node
            for place, rows in zip(self.places, chosen, strict=True):
                row = int(place.row[rows[which]])
                node = node if row < 0 else node.add(place.group, row)
            if self.finder.offer(node):
                self.improved = True
                break

    def _complete(self, chosen: Sequence[Ints]) -> Flags:
        """Tell for combinations of columns whether the run meets and visits home."""
        fine = np.ones(len(chosen[0]), dtype=np.bool_)
        if not self.node.home:
            fine[:] = False
            for place, rows in zip(self.places, chosen, strict=True):
                fine |= place.home[rows]
        if self.finder.meeting:
            sets = [
                piece[rows]
                for place, rows in zip(self.places, chosen, strict=True)
                for piece in place.pieces
            ]
            words = sets[0].shape[1]
            parts = [np.broadcast_to(p, sets[0].shape) for p in self.node.part_words(words)]
            fine &= connected(parts + sets)
        return fine


def _chained(one: _Place, other: _Place) -> bool:
    return bool((one.nodes >= 0).any() and (other.nodes >= 0).any())
