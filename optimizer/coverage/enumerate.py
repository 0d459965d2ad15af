"""All routes of a class: arms grown from own tokens, joined in pairs.

For the k-th own token the tokens before it are forbidden; arms are simple
tracks that start at it, and a route is one arm, or two that have only the
token in common. So every route arises once. All arms grow at the same time,
by one anchor in each round, in operations on arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields

import numpy as np

from optimizer.coverage.arrays import (
    Flags,
    Ints,
    Words,
    disjoint,
    meets,
    order_by,
    pack,
    starts_of_runs,
)
from optimizer.coverage.network import Network
from optimizer.coverage.statement import Statement

CHUNK = 1 << 19
"""Pairs of arms looked at in one operation."""


class TimeUpError(Exception):
    """The time for the solve is over; caught where the best answer so far is known."""


@dataclass
class Arms:
    """Tracks from own tokens, one a row; the first rows are the tokens alone.

    Parameters
    ----------
    token
        Number of the token from which it grows.
    parent, way
        The arm that it prolongs, and by which way; -1 for a token alone.
    end
        Bit of the anchor where it ends.
    bits, inside, cost, size
        Sums of its ways; the token itself is not counted.
    open
        It may grow.
    whole
        A route may end where it ends.
    alone
        It cannot be one of two arms.
    head, tail
        Chain ends at the token and at its end, or -1.
    """

    token: Ints
    parent: Ints
    way: Ints
    end: Ints
    bits: Words
    inside: Words
    cost: Ints
    size: Ints
    open: Flags
    whole: Flags
    alone: Flags
    head: Ints
    tail: Ints

    def __len__(self) -> int:
        return len(self.token)


@dataclass
class Routes:
    """Routes of a class, one a row.

    Parameters
    ----------
    network, arms
        What they are made of.
    one, two
        Their arms; `one` is the token alone where the route starts there.
    bits
        Anchors visited (and, above them, bits of groups and clashes).
    inside
        What they bring between anchors.
    ends
        Numbers of both chain ends, or -1.
    """

    network: Network
    arms: Arms
    one: Ints
    two: Ints
    bits: Words
    inside: Words
    ends: Ints

    def __len__(self) -> int:
        return len(self.one)

    def take(self, rows: Ints) -> Routes:
        """Return some of the routes."""
        return Routes(
            self.network,
            self.arms,
            self.one[rows],
            self.two[rows],
            self.bits[rows],
            self.inside[rows],
            self.ends[rows],
        )

    def track(self, statement: Statement, row: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the stops and legs of a route, in order of travel."""
        stops = [statement.anchors[self.network.tokens[self.arms.token[self.one[row]]].bit]]
        legs: list[int] = []
        for way in self._ways(int(self.two[row])):
            self._follow(statement, way, stops, legs)
        back_stops = stops[:1]
        back_legs: list[int] = []
        for way in self._ways(int(self.one[row])):
            self._follow(statement, way, back_stops, back_legs)
        return tuple(back_stops[:0:-1] + stops), tuple(back_legs[::-1] + legs)

    def _ways(self, arm: int) -> list[int]:
        found: list[int] = []
        while self.arms.parent[arm] >= 0:
            found.append(int(self.arms.way[arm]))
            arm = int(self.arms.parent[arm])
        return found[::-1]

    def _follow(self, statement: Statement, way: int, stops: list[int], legs: list[int]) -> None:
        strand = statement.strands[self.network.strand[way]]
        if self.network.ahead[way]:
            stops.extend((*strand.inner, strand.b))
            legs.extend(strand.legs)
        else:
            stops.extend((*strand.inner[::-1], strand.a))
            legs.extend(strand.legs[::-1])


def enumerate_routes(
    network: Network, fewest: int, over: Callable[[], bool], every: bool = False
) -> Routes:
    """Return the routes of a network.

    Parameters
    ----------
    fewest
        Least number of stops.
    over
        Asked every few milliseconds whether time is up.
    every
        Return every route. Else of two routes that differ only in what does
        not count (order of the anchors, or cost) one may be left out.

    Raises
    ------
    TimeUpError
        Time is up.

    Complexity
    ----------
    The number of arms, and of pairs of arms whose costs fit. A few
    milliseconds for a network of 50 anchors and a limit of six stops.
    """
    arms = _grow(network, fewest, over, every)
    one: list[Ints] = []
    two: list[Ints] = []
    for first, second in _pairs(network, arms, fewest, over):
        one.append(first)
        two.append(second)
    empty = np.zeros(0, dtype=np.int64)
    return _joined(network, arms, np.concatenate((empty, *one)), np.concatenate((empty, *two)))


def _tokens(network: Network) -> Arms:
    """Return the arms that consist of a token alone."""
    count = len(network.tokens)
    none = np.full(count, -1, dtype=np.int64)
    costs = np.array([t.cost for t in network.tokens], dtype=np.int64)
    costs = costs.reshape(count, len(network.limits))
    return Arms(
        token=np.arange(count, dtype=np.int64),
        parent=none,
        way=none,
        end=np.array([token.bit for token in network.tokens], dtype=np.int64),
        bits=np.zeros((count, network.words), dtype=np.uint64),
        inside=np.zeros((count, network.inside_words), dtype=np.uint64),
        cost=np.zeros((count, len(network.limits)), dtype=np.int64),
        size=np.zeros(count, dtype=np.int64),
        open=np.asarray((costs <= network.limits).all(axis=1)),
        whole=np.array([token.closes for token in network.tokens], dtype=np.bool_),
        alone=np.array([not token.through for token in network.tokens], dtype=np.bool_),
        head=none,
        tail=none,
    )


def _forbidden(network: Network) -> Words:
    """Return by token the bits that its arms may not have: its own, and tokens before it."""
    sets, before = [], 0
    for token in network.tokens:
        sets.append(before | token.bits)
        before |= 1 << token.bit
    return pack(sets, network.words)


def _left(network: Network) -> Ints:
    """Return by token and budget what its arms may cost together."""
    costs = np.array([token.cost for token in network.tokens], dtype=np.int64)
    return network.limits - costs.reshape(len(network.tokens), len(network.limits))


def _grow(network: Network, fewest: int, over: Callable[[], bool], every: bool) -> Arms:
    layer = _tokens(network)
    forbidden, left = _forbidden(network), _left(network)
    layers, base = [layer], 0
    while len(layer):
        if over():
            raise TimeUpError
        grown = _prolong(network, layer, base, forbidden, left)
        base += len(layer)
        layer = grown if every else _cheapest(grown, fewest > 2)
        layers.append(layer)
    return _stack(layers)


def _prolong(network: Network, layer: Arms, base: int, forbidden: Words, left: Ints) -> Arms:
    """Return every arm that is one of `layer` and one way more."""
    from_rows = np.nonzero(layer.open)[0]
    ends = layer.end[from_rows]
    counts = network.first[ends + 1] - network.first[ends]
    row = np.repeat(from_rows, counts)
    way = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts)
    way += np.repeat(network.first[ends], counts)
    token = layer.token[row]
    first_way = layer.parent[row] < 0
    cost = layer.cost[row] + network.cost[way]
    fits = ((forbidden[token] | layer.bits[row]) & network.bits[way] == 0).all(axis=1)
    fits &= (cost <= left[token]).all(axis=1)
    fits &= first_way | ~network.leaves_end[way]
    row, way, token, first_way = row[fits], way[fits], token[fits], first_way[fits]
    return Arms(
        token=token,
        parent=base + row,
        way=way,
        end=network.end[way],
        bits=layer.bits[row] | network.bits[way],
        inside=layer.inside[row] | network.inside[way],
        cost=cost[fits],
        size=layer.size[row] + network.size[way],
        open=~network.stays[way],
        whole=network.closes[way],
        alone=layer.alone[row] | (first_way & network.leaves_end[way]),
        head=np.where(first_way, network.head[way], layer.head[row]),
        tail=network.tail[way],
    )


def _cheapest(arms: Arms, sized: bool) -> Arms:
    """Of arms that differ in order and cost only keep the cheapest; `sized`: of equal size."""
    if len(arms) < 2:
        return arms
    several = arms.cost.shape[1] > 1
    keys = [arms.token, arms.end, arms.head, arms.tail, arms.open, arms.alone]
    keys = [key for key in [*keys, *([arms.size] if sized else [])] if (key != key[0]).any()]
    keys += [arms.bits, arms.inside, *([arms.cost] if several else [])]
    order = order_by(*keys, arms.cost)
    kept = np.sort(order[starts_of_runs(order, *keys)])
    return Arms(*(getattr(arms, field.name)[kept] for field in fields(Arms)))


def _stack(layers: list[Arms]) -> Arms:
    return Arms(
        *(np.concatenate([getattr(a, field.name) for a in layers]) for field in fields(Arms))
    )


def _pairs(
    network: Network, arms: Arms, fewest: int, over: Callable[[], bool]
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the arms of all routes, in batches."""
    left = _left(network)
    for number, token in enumerate(network.tokens):
        mine = np.nonzero(arms.whole & (arms.token == number))[0]
        mine = mine[mine >= len(network.tokens)]
        if token.closes:
            lone = mine[arms.size[mine] + 1 >= fewest]
            yield np.full(len(lone), number, dtype=np.int64), lone
            if fewest <= 1 and (left[number] >= 0).all():
                yield np.array([number]), np.array([number])
        if token.through:
            joinable = mine[~arms.alone[mine]]
            yield from _of_two(arms, joinable, left[number], fewest, over)


def _of_two(
    arms: Arms, mine: Ints, left: Ints, fewest: int, over: Callable[[], bool]
) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of arms from one token that are a route."""
    lead = arms.cost[mine, 0] if len(left) else np.zeros(len(mine), dtype=np.int64)
    order = np.argsort(lead, kind="stable")
    mine, lead = mine[order], lead[order]
    room = int(left[0]) if len(left) else 0
    level_of = np.searchsorted(lead, np.unique(lead)).tolist() if len(mine) > CHUNK_FREE else [0]
    for first, last in zip(level_of, [*level_of[1:], len(mine)], strict=True):
        fit = int(np.searchsorted(lead, room - lead[first], side="right")) if len(mine) else 0
        step = max(1, CHUNK // max(1, min(fit, last)))
        for begin in range(first, last, step):
            if over():
                raise TimeUpError
            rows = np.arange(begin, min(begin + step, last))
            cols = np.arange(min(fit, int(rows[-1])))
            yield _fitting(arms, mine, rows, cols, left, fewest)


CHUNK_FREE = 256
"""Up to so many arms all pairs are looked at in one operation."""


def _fitting(
    arms: Arms, mine: Ints, rows: Ints, cols: Ints, left: Ints, fewest: int
) -> tuple[Ints, Ints]:
    """Return the pairs among arms `rows` and earlier arms `cols` that are a route."""
    above, beside = mine[rows], mine[cols]
    fits = disjoint(arms.bits[above], arms.bits[beside])
    fits &= cols[None, :] < rows[:, None]
    for budget, room in enumerate(left):
        fits &= arms.cost[above, budget, None] + arms.cost[None, beside, budget] <= room
    if fewest > 3:
        fits &= arms.size[above, None] + arms.size[None, beside] + 1 >= fewest
    one, two = np.nonzero(fits)
    return above[one], beside[two]


def _joined(network: Network, arms: Arms, one: Ints, two: Ints) -> Routes:
    """Return the routes of pairs of arms."""
    token = arms.token[one]
    roots = pack([token.bits for token in network.tokens], network.words)
    bits = arms.bits[one] | arms.bits[two] | roots[token]
    alone = arms.parent[one] < 0
    ends = np.stack((np.where(alone, arms.head[two], arms.tail[one]), arms.tail[two]), axis=1)
    routes = Routes(network, arms, one, two, bits, arms.inside[one] | arms.inside[two], ends)
    if not network.either:
        return routes
    fine = np.ones(len(routes), dtype=np.bool_)
    for group, unless in network.either:
        inside = pack([group, unless], network.words)
        several = np.bitwise_count(bits & inside[0]).sum(axis=1) > 1
        fine &= ~several | meets(bits, inside[1])
    return routes.take(np.nonzero(fine)[0])
