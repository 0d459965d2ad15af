"""The network of one reach as arrays: what the enumeration of routes walks on.

Bits of a state are laid out in words: anchors, then groups of stops of which a
route visits one at most, then clashes of track. A state may grow by a piece of
network whose bits it does not have yet.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from engine.routing.vocabulary import Budget, Reach
from optimizer.coverage.arrays import Flags, Ints, Words, mask_of, pack, words_for
from optimizer.coverage.lines import Strand
from optimizer.coverage.statement import Statement

NO_LIMIT = 1 << 40


class ChainEnds:
    """Numbers for the ends of chained routes: a stop with its place for the bonus.

    They are common to all classes that chain, since chains join routes of
    different classes.
    """

    def __init__(self, statement: Statement) -> None:
        if statement.chains is None:
            raise ValueError("there are no chains")
        self._place = statement.chains.place
        self._bit = statement.bit
        self._element = statement.stop_element
        self._lock = statement.lines.lock
        self._numbers: dict[tuple[int, int], int] = {}
        self.bits: list[int] = []
        self.elements: list[int] = []
        self.places: list[int] = []

    def number(self, stop: int, leg: int) -> int:
        """Return the number of the end of a route that ends at `stop` by `leg`."""
        key = (stop, self._place[stop, leg])
        with self._lock:
            known = self._numbers.get(key)
            if known is None:
                known = self._numbers[key] = len(self.places)
                self.bits.append(self._bit[stop])
                self.elements.append(self._element[stop])
                self.places.append(key[1])
        return known


@dataclass(frozen=True)
class Way:
    """A strand in one direction, with what it means for the trains of a reach."""

    strand: int
    ahead: bool
    src: int
    dst: int
    bits: int
    inside: int
    cost: tuple[int, ...]
    size: int
    leaves_end: bool
    stays: bool
    closes: bool
    head: int
    tail: int


@dataclass(frozen=True)
class Network:
    """The ways of a reach, sorted by where they start.

    Parameters
    ----------
    strand, ahead
        By way: the strand and its direction.
    start, end
        By way: bit of the anchor at either end.
    first
        By bit of an anchor: number of its first way; one more entry at the end.
    bits
        By way: the bits that it adds to a state.
    inside
        By way: bits of :attr:`features` for what lies between its anchors.
    cost
        By way and budget: cost of the strand and of the anchor at its end.
    size
        By way: number of stops that it adds.
    leaves_end
        By way: it may be used only from the end of a route.
    stays
        By way: a route that arrives by it ends there.
    closes
        By way: a route may end where it arrives.
    head, tail
        By way: number of the chain end at its start and at its end, or -1.
    limits
        Limit of each budget.
    tokens
        Own tokens: bit, bits of the state, cost, may be run through, may be an end.
    features
        Elements that pay between anchors, by bit of :attr:`inside`.
    words, inside_words
        Number of words of states and of `inside`.
    either
        Groups of which two stops may be visited only with a stop of the second
        set, as bits.
    """

    strand: Ints
    ahead: Flags
    start: Ints
    end: Ints
    first: Ints
    bits: Words
    inside: Words
    cost: Ints
    size: Ints
    leaves_end: Flags
    stays: Flags
    closes: Flags
    head: Ints
    tail: Ints
    limits: Ints
    tokens: tuple[Token, ...]
    features: tuple[int, ...]
    words: int
    inside_words: int
    either: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Token:
    """An own token from which routes are grown."""

    bit: int
    bits: int
    cost: tuple[int, ...]
    through: bool
    closes: bool


def build_network(
    statement: Statement, cls: int, ends: ChainEnds | None, every: bool = False
) -> Network:
    """Return the network of a class.

    Parameters
    ----------
    ends
        Numbers of ends, for classes that chain.
    every
        Keep also strands beside which a better one leads to the same anchor.
    """
    builder = _Builder(statement, cls, ends)
    ways = builder.reachable()
    if not every:
        ways = builder.undominated(ways)
    return builder.network(ways)


class _Builder:
    def __init__(self, statement: Statement, cls: int, ends: ChainEnds | None) -> None:
        self.statement = statement
        self.cls = cls
        self.reach: Reach = statement.problem.classes[cls].reach
        self.ends = ends
        self.groups = [group for group in self.reach.groups if not group.unless]
        self.offset = len(statement.bit)
        always = statement.once.choose.get(cls, (frozenset(), 0, frozenset()))[0]
        self.always = always
        self.features: dict[int, int] = {}

    def _stop_bits(self, stop: int) -> int:
        bits = 1 << self.statement.bit[stop]
        for number, group in enumerate(self.groups):
            if stop in group.stops:
                bits |= 1 << (self.offset + number)
        return bits

    def _inside(self, strand: Strand) -> int:
        """Bits of the elements of a strand that its anchors do not bring anyway."""
        statement = self.statement
        found = {statement.stop_element[stop] for stop in strand.inner if stop in self.always}
        if self.cls in statement.hex_classes:
            stops = statement.problem.stops
            touched = strand.hexes - {stops[strand.a].hex, stops[strand.b].hex}
            found |= {statement.hex_element[name] for name in touched}
        return mask_of(
            self.features.setdefault(element, len(self.features))
            for element in sorted(found - {-1})
        )

    def _cost(self, budget: Budget, strand: Strand, stop: int) -> int:
        cost = sum(budget.legs[leg] for leg in strand.legs) if budget.legs else 0
        if budget.stops:
            cost += budget.stops[stop] + sum(budget.stops[inner] for inner in strand.inner)
        return cost

    def _usable(self, strand: Strand) -> bool:
        reach = self.reach
        return (
            strand.a in reach.visits
            and strand.b in reach.visits
            and all(stop in reach.visits and stop in reach.through for stop in strand.inner)
            and (reach.legs is None or reach.legs.issuperset(strand.legs))
        )

    def _ways(self) -> Iterator[Way]:
        clash = self.offset + len(self.groups)
        for number, strand in enumerate(self.statement.strands):
            if not self._usable(strand):
                continue
            inside = self._inside(strand)
            for ahead in (True, False):
                src, dst = (strand.a, strand.b) if ahead else (strand.b, strand.a)
                legs = strand.legs if ahead else strand.legs[::-1]
                only = (strand.end_only_a, strand.end_only_b)
                leaves_end, arrives_end = only if ahead else only[::-1]
                stays = arrives_end or dst not in self.reach.through
                closes = dst in self.reach.ends
                if stays and not closes:
                    continue
                yield Way(
                    strand=number,
                    ahead=ahead,
                    src=self.statement.bit[src],
                    dst=self.statement.bit[dst],
                    bits=self._stop_bits(dst) | strand.clash << clash,
                    inside=inside,
                    cost=tuple(self._cost(b, strand, dst) for b in self.reach.budgets),
                    size=1 + len(strand.inner),
                    leaves_end=leaves_end or src not in self.reach.through,
                    stays=stays,
                    closes=closes,
                    head=self._end(src, legs[0]),
                    tail=self._end(dst, legs[-1]),
                )

    def _end(self, stop: int, leg: int) -> int:
        if self.ends is None or stop not in self.reach.ends:
            return -1
        return self.ends.number(stop, leg)

    def reachable(self) -> list[Way]:
        """Return the ways that lead on from an own token."""
        leaving: dict[int, list[Way]] = {}
        for way in self._ways():
            leaving.setdefault(way.src, []).append(way)
        bit = self.statement.bit
        waiting = sorted(bit[stop] for stop in self.reach.own & self.reach.visits if stop in bit)
        seen = set(waiting)
        found: list[Way] = []
        while waiting:
            for way in leaving.get(waiting.pop(), ()):
                found.append(way)
                if way.dst not in seen:
                    seen.add(way.dst)
                    waiting.append(way.dst)
        return sorted(found, key=lambda way: (way.src, way.dst, way.strand, way.ahead))

    def undominated(self, ways: list[Way]) -> list[Way]:
        """Drop ways beside which another one is as good for every route and every run."""
        beside: dict[tuple[Hashable, ...], list[Way]] = {}
        for way in ways:
            key = (way.src, way.dst, way.leaves_end, way.stays, way.head, way.tail)
            others = beside.setdefault(key, [])
            if not any(self._as_good(other, way) for other in others):
                others[:] = [other for other in others if not self._as_good(way, other)]
                others.append(way)
        kept = [way for others in beside.values() for way in others]
        return sorted(kept, key=lambda way: (way.src, way.dst, way.strand, way.ahead))

    def _as_good(self, one: Way, other: Way) -> bool:
        """Tell whether `one` can stand for `other` in every route."""
        return (
            one.bits | other.bits == other.bits
            and one.inside | other.inside == one.inside
            and all(c <= d for c, d in zip(one.cost, other.cost, strict=True))
            and (one.size >= other.size or self.reach.fewest <= 2)
        )

    def tokens(self) -> Iterator[Token]:
        """Yield the own tokens from which routes are grown."""
        bit = self.statement.bit
        for stop in sorted(self.reach.own & self.reach.visits):
            if stop in bit:
                cost = tuple(b.stops[stop] if b.stops else 0 for b in self.reach.budgets)
                through, closes = stop in self.reach.through, stop in self.reach.ends
                yield Token(bit[stop], self._stop_bits(stop), cost, through, closes)

    def network(self, ways: list[Way]) -> Network:
        """Put ways into arrays."""
        bits = self.offset + len(self.groups) + self.statement.lines.clashes
        words, inside_words = words_for(bits), words_for(len(self.features))
        start = np.array([way.src for way in ways], dtype=np.int64)
        budgets = self.reach.budgets
        return Network(
            strand=np.array([way.strand for way in ways], dtype=np.int64),
            ahead=np.array([way.ahead for way in ways], dtype=np.bool_),
            start=start,
            end=np.array([way.dst for way in ways], dtype=np.int64),
            first=np.searchsorted(start, np.arange(self.offset + 1)).astype(np.int64),
            bits=pack([way.bits for way in ways], words),
            inside=pack([way.inside for way in ways], inside_words),
            cost=np.array([way.cost for way in ways], np.int64).reshape(len(ways), len(budgets)),
            size=np.array([way.size for way in ways], dtype=np.int64),
            leaves_end=np.array([way.leaves_end for way in ways], dtype=np.bool_),
            stays=np.array([way.stays for way in ways], dtype=np.bool_),
            closes=np.array([way.closes for way in ways], dtype=np.bool_),
            head=np.array([way.head for way in ways], dtype=np.int64),
            tail=np.array([way.tail for way in ways], dtype=np.int64),
            limits=np.array([min(b.limit, NO_LIMIT) for b in budgets], dtype=np.int64),
            tokens=tuple(self.tokens()),
            features=tuple(self.features),
            words=words,
            inside_words=inside_words,
            either=tuple(self._either(self.statement.bit)),
        )

    def _either(self, bit: Mapping[int, int]) -> Iterator[tuple[int, int]]:
        for group in self.reach.groups:
            if group.unless:
                yield (
                    mask_of(bit[stop] for stop in group.stops if stop in bit),
                    mask_of(bit[stop] for stop in group.unless if stop in bit),
                )
