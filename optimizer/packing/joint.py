"""Which routes of several classes together reach a target: all trains decide piece by piece.

A *joint state* has a state for each train, the track that is taken, and the best value
that leads to it. At prices of track no run that goes on from it is worth more than

    value so far + prices of track that may still be taken and is not
    + for each train the most that the rest of its route can add at the prices
    + places x their prices

and states for which that is below the target are dropped. What is left in the
end are the runs that reach it: best ones for each way in which they use the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from optimizer.packing.couple import Coupling
from optimizer.packing.network import Ints, Words, to_words
from optimizer.packing.player import Piece, Player
from optimizer.packing.prices import Floats, Prices
from optimizer.packing.watch import TooWideError
from optimizer.stop import Stop

MOST_STATES = 1_500_000
"""Joint states of one step; beyond it the target is too low to be decided so."""
FEW = 16
"""So few states are not looked through for equal ones."""

Taken = tuple[tuple[int, ...], ...]
"""By train the pieces that it takes."""


@dataclass(frozen=True)
class Ending:
    """The best run among those that use the words alike.

    Attributes
    ----------
    taken
        By train (as :attr:`Joint.trains`) the pieces of its route; none: it stands idle.
    value
        Its weighted value, if it has the places of all words to itself.
    """

    taken: Taken
    value: int


@dataclass
class _States:
    """Joint states of a step, with where they came from."""

    at: list[npt.NDArray[np.intp]]
    used: Words
    value: Ints
    spare: Floats
    parent: npt.NDArray[np.intp]
    choice: npt.NDArray[np.int64]

    def take(self, which: npt.NDArray[np.intp]) -> _States:
        return _States(
            [mine[which] for mine in self.at],
            self.used[:, which],
            self.value[which],
            self.spare[which],
            self.parent[which],
            self.choice[which],
        )


@dataclass(frozen=True)
class _Back:
    """What is kept of a step: by state its state before, the trains that took the piece,
    and which of the trains before each train now is."""

    parent: npt.NDArray[np.intp]
    choice: npt.NDArray[np.int64]
    order: list[npt.NDArray[np.intp]] | None


class Joint:
    """Runs of some classes that share their track with no others.

    Parameters
    ----------
    players
        The classes.
    pieces
        What is decided, in order.
    words
        Words of track in all pools.

    Attributes
    ----------
    trains
        By train the place of its player.
    states
        How many joint states there were.
    """

    def __init__(
        self, players: Sequence[Player], pieces: Sequence[Piece], coupling: Coupling, words: int
    ) -> None:
        self.players = list(players)
        self.pieces = list(pieces)
        self.coupling = coupling
        self.words = words
        self.trains = [n for n, player in enumerate(players) for _ in range(player.count)]
        later = 0
        self.later: list[int] = []
        for piece in reversed(self.pieces):
            self.later.append(later)
            later |= piece.bits
        self.later.reverse()
        self.states = 0

    def reaching(self, target: float, prices: Prices, stop: Stop) -> list[Ending] | None:
        """Return the best runs worth at least `target`, one for each way to use the words.

        None if time ran out, or there are too many states.
        """
        costs = piece_costs(self.pieces, prices)
        worth = [player.worth(costs, prices.places) for player in self.players]
        room = sum(
            count * float(p) for count, p in zip(self.coupling.counts, prices.places, strict=True)
        )
        states = self._begin(prices, worth, target - room)
        back: list[_Back] = []
        for place in range(len(self.pieces)):
            if stop.over():
                return None
            states, order = self._step(place, states, costs, worth, prices, target - room)
            back.append(_Back(states.parent, states.choice, order))
            self.states += len(states.value)
            if not len(states.value):
                return []
            if len(states.value) > MOST_STATES:
                return None
        return self._endings(states, back, target)

    def _begin(self, prices: Prices, worth: Sequence[Sequence[Floats]], least: float) -> _States:
        sizes = [range(self.players[n].frontier.starts) for n in self.trains]
        grid = np.meshgrid(*map(np.arange, map(len, sizes)), indexing="ij")
        at = [mine.ravel() for mine in grid]
        count = len(at[0])
        none = np.zeros(count, dtype=np.intp)
        states = _States(
            at,
            np.zeros((self.words, count), dtype=np.uint64),
            np.zeros(count, dtype=np.int64),
            np.full(count, float(prices.track.sum())),
            none,
            np.zeros(count, dtype=np.int64),
        )
        states.parent = np.arange(count)
        return self._hopeful(states, worth, [0] * len(self.trains), least)

    def _hopeful(
        self,
        states: _States,
        worth: Sequence[Sequence[Floats]],
        layers: Sequence[int],
        least: float,
    ) -> _States:
        """Drop the states that cannot reach the target."""
        most = states.value + states.spare
        for train, player in enumerate(self.trains):
            most += worth[player][layers[train]][states.at[train]]
        return states.take(np.flatnonzero(most >= least))

    def _step(
        self,
        place: int,
        states: _States,
        costs: Sequence[float],
        worth: Sequence[Sequence[Floats]],
        prices: Prices,
        least: float,
    ) -> tuple[_States, list[npt.NDArray[np.intp]] | None]:
        """Return the states once all trains have decided on a piece."""
        count = len(states.value)
        states.parent = np.arange(count)
        states.choice = np.zeros(count, dtype=np.int64)
        layers = [place] * len(self.trains)
        for train, number in enumerate(self.trains):
            layers[train] = place + 1
            step = self.players[number].steps[place]
            if step is not None:
                states = self._decide(train, step.skip, step.take, step.skip_gain, step.take_gain,
                                      place, costs[place], states)  # fmt: skip
                states = self._hopeful(states, worth, layers, least)
        states = self._close(place, states, prices)
        states = self._hopeful(states, worth, layers, least)
        order = self._sorted(states)
        if len(states.value) > FEW:
            which = self._distinct(states)
            states = states.take(which)
            order = None if order is None else [mine[which] for mine in order]
        return states, order

    def _decide(
        self,
        train: int,
        skip: Ints,
        take: Ints,
        skip_gain: Ints,
        take_gain: Ints,
        place: int,
        cost: float,
        states: _States,
    ) -> _States:
        """Return the states in which a train leaves the piece and those in which it takes it."""
        here = states.at[train]
        left = np.flatnonzero(skip[here] >= 0)
        free = take[here] >= 0
        bits = to_words(self.pieces[place].bits, self.words)
        for word, mine in enumerate(bits):
            if mine:
                free &= (states.used[word] & mine) == 0
        took = np.flatnonzero(free)
        both = states.take(np.concatenate([left, took]))
        mine = both.at[train]
        taking = np.arange(len(left), len(mine))
        leaving = np.arange(len(left))
        gain = np.concatenate([skip_gain[mine[leaving]], take_gain[mine[taking]]])
        both.at[train] = np.concatenate([skip[mine[leaving]], take[mine[taking]]])
        both.value = both.value + gain
        both.used[:, taking] |= bits[:, None]
        both.spare[taking] -= cost
        both.choice[taking] |= 1 << train
        return both

    def _close(self, place: int, states: _States, prices: Prices) -> _States:
        """Write off the price of track that nobody can take any more; forget what is taken."""
        gone = self.pieces[place].bits & ~self.later[place]
        while gone:
            low = gone & -gone
            gone ^= low
            item = low.bit_length() - 1
            price = float(prices.track[item])
            word, mask = item // 64, np.uint64(1 << item % 64)
            if price:
                states.spare = states.spare - np.where((states.used[word] & mask) == 0, price, 0.0)
            states.used[word] &= ~mask
        return states

    def _sorted(self, states: _States) -> list[npt.NDArray[np.intp]] | None:
        """Put equal trains into the order of their states: which is which does not matter."""
        order: list[npt.NDArray[np.intp]] | None = None
        begin = 0
        for player in self.players:
            end = begin + player.count
            if player.count > 1:
                mine = np.array(states.at[begin:end])
                by = np.argsort(mine, axis=0, kind="stable")
                if order is None:
                    order = [np.full(len(states.value), n) for n in range(len(self.trains))]
                for n in range(begin, end):
                    order[n] = by[n - begin] + begin
                    states.at[n] = np.take_along_axis(mine, by, axis=0)[n - begin]
            begin = end
        return order

    def _distinct(self, states: _States) -> npt.NDArray[np.intp]:
        """Return the best of each group of equal states."""
        parts = [mine.astype(np.uint64) for mine in states.at] + list(states.used)
        key = np.zeros(len(states.value), dtype=np.uint64)
        for part in parts:
            key = (key ^ part) * np.uint64(0x9E3779B97F4A7C15)
            key ^= key >> np.uint64(29)
        by = np.lexsort((states.value, key))
        sorted_key = key[by]
        last = np.append(sorted_key[1:] != sorted_key[:-1], True)
        if not last.all():
            same = np.flatnonzero(~last)
            for part in parts:
                if not np.array_equal(part[by[same]], part[by[same + 1]]):
                    raise TooWideError("joint states cannot be told apart")
        found: npt.NDArray[np.intp] = by[last]
        return found

    # --- runs ----------------------------------------------------------------

    def _endings(self, states: _States, back: Sequence[_Back], target: float) -> list[Ending]:
        value, marks, claims, gains = self._final(states)
        best: dict[tuple[object, ...], int] = {}
        totals: dict[int, int] = {}
        for n in np.argsort(-value, kind="stable").tolist():
            # with all places for themselves
            total = self._with_gains(int(value[n]), claims[:, n], gains[:, :, n])
            if total is None or total < target or not self.coupling.allowed(int(marks[n])):
                continue
            alike = (
                int(marks[n]),
                tuple(claims[:, n].tolist()),
                tuple(tuple(sorted(row.tolist())) for row in gains[:, :, n]),
            )
            if alike not in best:
                best[alike] = n
                totals[n] = total
        found = [Ending(self._trace(n, back), totals[n]) for n in best.values()]
        return sorted(found, key=lambda ending: -ending.value)

    def _final(self, states: _States) -> tuple[Ints, Ints, Ints, Ints]:
        """Return by state its value, marks, claimed places by word, and gains (words x trains)."""
        value = states.value.astype(np.float64)
        count, words = len(value), len(self.coupling.counts)
        marks = np.zeros(count, dtype=np.int64)
        claims = np.zeros((words, count), dtype=np.int64)
        gains = np.zeros((words, len(self.trains), count), dtype=np.int64)
        for train, number in enumerate(self.trains):
            frontier = self.players[number].frontier
            at = states.at[train]
            value = value + frontier.value[at]
            marks |= frontier.marks[at]
            claims += frontier.claims[:, at]
            gains[:, train] = frontier.gains[:, at]
        return np.maximum(value, -1).astype(np.int64), marks, claims, gains

    def _with_gains(self, value: int, claims: Ints, gains: Ints) -> int | None:
        if value < 0:
            return None
        for count, claimed, mine in zip(self.coupling.counts, claims, gains, strict=True):
            left = count - int(claimed)
            if left < 0:
                return None
            value += sum(sorted((int(g) for g in mine), reverse=True)[:left])
        return value

    def _trace(self, state: int, back: Sequence[_Back]) -> Taken:
        """Return the pieces of each train."""
        taken: list[list[int]] = [[] for _ in self.trains]
        who = list(range(len(self.trains)))
        for place in range(len(back) - 1, -1, -1):
            step = back[place]
            if step.order is not None:
                who = [int(step.order[n][state]) for n in who]
            choice = int(step.choice[state])
            for train, n in enumerate(who):
                if choice >> n & 1:
                    taken[train].append(place)
            state = int(step.parent[state])
        return tuple(tuple(reversed(mine)) for mine in taken)


def piece_costs(pieces: Sequence[Piece], prices: Prices) -> list[float]:
    """Return the price of each piece."""
    costs = []
    for piece in pieces:
        bits, cost = piece.bits, 0.0
        while bits:
            low = bits & -bits
            cost += float(prices.track[low.bit_length() - 1])
            bits ^= low
        costs.append(cost)
    return costs
