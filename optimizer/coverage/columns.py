"""Columns: what one train, or one chain of trains, can bring to a run.

A *group* is a set of columns with a number of copies: trains that choose among
the same columns. A column has the elements that it pays, a gain that belongs to
it alone (the bonus of a chain), the anchors at which it meets others, and
whether it visits home. Trains with a choice of what pays have one column for
each choice, so that everything is plain coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Protocol

import numpy as np

from engine.routing.problem import NetRoute
from optimizer.coverage.arrays import (
    Flags,
    Floats,
    Ints,
    Words,
    different,
    mask_of,
    maximal,
    meets,
    pack,
    spread,
    words_for,
)
from optimizer.coverage.enumerate import Routes, TimeUpError, enumerate_routes
from optimizer.coverage.network import build_network
from optimizer.coverage.statement import Part, Statement
from optimizer.task import RouteKey, route_key


class Source(Protocol):
    """Where the columns of a group come from."""

    @property
    def parts(self) -> tuple[int, ...]:
        """Numbers of the parts whose trains a column takes, one for each train."""

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Return the routes of a column, their trains still to be named."""


@dataclass(frozen=True)
class Group:
    """Columns among which equal trains choose.

    Parameters
    ----------
    source
        Says what routes a column stands for.
    copies
        How many of its columns a run may hold.
    must
        A run holds all copies.
    rows
        By column: its number at the source.
    pay
        By column and element: 1 if it pays.
    gain
        By column: units that it brings besides.
    meet
        By column: anchors at which it meets others.
    home
        By column: it visits home.
    nodes
        By column: bits of the anchors at its loose ends, where no other loose
        end may be; -1 for none.
    pieces
        For chains whose routes may not meet by themselves: by route the anchors
        at which it meets others; else empty.
    """

    source: Source
    copies: int
    must: bool
    rows: Ints
    pay: Floats
    gain: Floats
    meet: Words
    home: Flags
    nodes: Ints
    pieces: tuple[Words, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def trains(self) -> int:
        """Number of trains of one column."""
        return len(self.source.parts)

    def take(self, which: Ints | Flags) -> Group:
        """Return the group with some of its columns."""
        return Group(
            self.source,
            self.copies,
            self.must,
            self.rows[which],
            self.pay[which],
            self.gain[which],
            self.meet[which],
            self.home[which],
            self.nodes[which],
            tuple(piece[which] for piece in self.pieces),
        )

    def with_copies(self, copies: int) -> Group:
        """Return the group with another number of copies."""
        return self if copies == self.copies else replace(self, copies=copies)


def make_group(
    statement: Statement,
    source: Source,
    copies: int,
    must: bool,
    pay: Floats,
    gain: Floats,
    visited: Words,
    nodes: Ints | None = None,
    pieces: tuple[Words, ...] = (),
) -> Group:
    """Return a group of all columns of a source.

    Parameters
    ----------
    visited
        By column: the anchors visited.
    nodes
        As in the group; None for columns without loose ends.
    pieces
        By column and route the anchors visited, where that matters.
    """
    count = len(pay)
    masks = pack([statement.meet_mask, statement.home_mask], words_for(len(statement.bit)))
    visited = visited[:, : masks.shape[1]]
    home = np.ones(count, np.bool_) if statement.home is None else meets(visited, masks[1])
    return Group(
        source=source,
        copies=copies,
        must=must,
        rows=np.arange(count, dtype=np.int64),
        pay=pay,
        gain=gain,
        meet=visited & masks[0],
        home=home,
        nodes=np.full((count, 2), -1, dtype=np.int64) if nodes is None else nodes,
        pieces=tuple(piece & masks[0] for piece in pieces),
    )


# --- routes of a class -------------------------------------------------------


class RouteBook:
    """The routes of classes, enumerated once for all classes of equal reach on a network.

    Parameters
    ----------
    statement
        The problem.
    over
        Tells whether time is up.
    """

    def __init__(self, statement: Statement, over: Callable[[], bool]) -> None:
        self.statement = statement
        self.over = over

    def routes(self, cls: int) -> Routes:
        """Return the routes of a class that pays through PaidOnce, banned ones included.

        Of routes that bring the same only one is there.
        """
        known = self.statement.lines.known
        key = ("routes", *self._key(cls))
        if key not in known:
            reach = self.statement.problem.classes[cls].reach
            network = build_network(self.statement, cls, None)
            known[key] = enumerate_routes(network, reach.fewest, self.over)
        routes: Routes = known[key]
        return routes

    def _key(self, cls: int) -> tuple[object, ...]:
        reach = self.statement.problem.classes[cls].reach
        return (reach, self.statement.once.choose[cls], cls in self.statement.hex_classes)

    def best(self, cls: int, every: bool = False) -> Routes:
        """Return the routes of a class that are worth a column, banned ones left out.

        Parameters
        ----------
        every
            All that differ in what they bring, not only those that no other
            one can stand for.
        """
        known = self.statement.lines.known
        key = ("best", every, *self._key(cls))
        signature = _Signature(self.statement, cls)
        if key not in known:
            routes = self.routes(cls)
            if self.over():
                raise TimeUpError
            known[key] = routes.take(signature.kept(routes, every))
        kept: Routes = known[key]
        banned = banned_keys(self.statement, cls)
        if not banned or not any(_is_banned(self.statement, kept, cls, banned)):
            return kept
        reach = self.statement.problem.classes[cls].reach
        network = build_network(self.statement, cls, None, every=True)
        routes = enumerate_routes(network, reach.fewest, self.over, every=True)
        routes = without_banned(self.statement, routes, cls, banned)
        return routes.take(signature.kept(routes, every))


def banned_keys(statement: Statement, cls: int) -> frozenset[RouteKey]:
    """Return the banned routes of a class."""
    return frozenset(key for key in statement.banned if key[0] == cls)


def _is_banned(
    statement: Statement, routes: Routes, cls: int, banned: frozenset[RouteKey]
) -> Flags:
    """Tell for each route whether it is banned."""
    anchors = [mask_of(statement.bit[s] for s in key[1] if s in statement.bit) for key in banned]
    only = pack([(1 << len(statement.bit)) - 1], routes.bits.shape[1])[0]
    suspects = np.zeros(len(routes), dtype=np.bool_)
    for row in pack(anchors, routes.bits.shape[1]):
        suspects |= (routes.bits & only == row).all(axis=1)
    for number in np.nonzero(suspects)[0].tolist():
        stops, legs = routes.track(statement, number)
        suspects[number] = route_key(NetRoute("", cls, stops, legs)) in banned
    return suspects


def without_banned(
    statement: Statement, routes: Routes, cls: int, banned: frozenset[RouteKey]
) -> Routes:
    """Return the routes that are not banned."""
    return routes.take(np.nonzero(~_is_banned(statement, routes, cls, banned))[0])


class _Signature:
    """What routes of a class are compared by: everything that can help a run."""

    def __init__(self, statement: Statement, cls: int) -> None:
        always, limit, choice = statement.once.choose[cls]
        paying = {s for s in always | choice if statement.stop_element[s] >= 0}
        counts = paying if limit or always else set[int]()
        if cls in statement.hex_classes:
            counts = set(statement.bit)
        self.mask = mask_of(statement.bit[stop] for stop in counts if stop in statement.bit)
        self.mask |= statement.meet_mask | statement.home_mask

    def kept(self, routes: Routes, every: bool) -> Ints:
        """Return the routes that no other one can stand for, or all that differ."""
        mask = pack([self.mask], routes.bits.shape[1])
        brings = np.concatenate((routes.bits & mask, routes.inside), axis=1)
        return different(brings) if every else maximal(brings)


# --- columns of a class --------------------------------------------------------


@dataclass(frozen=True)
class TrainColumns:
    """Columns of single trains: a route and the stops chosen to pay.

    Parameters
    ----------
    statement, part
        Whose columns.
    number
        Number of the part.
    tracks
        The routes.
    route
        By column: its route.
    pay
        By column and element: 1 if it pays.
    """

    statement: Statement
    part: Part
    number: int
    tracks: Routes
    route: Ints
    pay: Floats

    @property
    def parts(self) -> tuple[int, ...]:
        """The part itself."""
        return (self.number,)

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Return the route of a column with the stops that it pays."""
        stops, legs = self.tracks.track(self.statement, int(self.route[row]))
        paying = frozenset(np.nonzero(self.pay[row])[0].tolist())
        paid = chosen_stops(self.statement, self.part.cls, stops, paying)
        return (NetRoute("", self.part.cls, stops, legs, paid),)


@dataclass(frozen=True)
class PinnedColumns:
    """Columns of a pinned route: one for each choice of the stops that pay."""

    number: int
    choices: tuple[NetRoute, ...]

    @property
    def parts(self) -> tuple[int, ...]:
        """The part itself."""
        return (self.number,)

    def routes(self, row: int) -> tuple[NetRoute, ...]:
        """Return the pinned route with a choice."""
        return (self.choices[row],)


def chosen_stops(
    statement: Statement, cls: int, stops: Sequence[int], paying: frozenset[int]
) -> tuple[int, ...]:
    """Return the stops under choice that pay, in order of travel, as many as may.

    Parameters
    ----------
    paying
        Elements that the route pays.
    """
    always, limit, choice = statement.once.choose[cls]
    fresh = paying - {statement.stop_element[stop] for stop in stops if stop in always}
    open_to = [stop for stop in stops if stop in choice]
    by_element: dict[int, int] = {}
    for stop in open_to:
        if statement.stop_element[stop] in fresh:
            by_element.setdefault(statement.stop_element[stop], stop)
    wanted = set(by_element.values())
    spare = [stop for stop in open_to if stop not in wanted]
    harmless = paying | {-1}
    spare.sort(key=lambda stop: statement.stop_element[stop] not in harmless)
    wanted.update(spare[: max(0, limit - len(wanted))])
    return tuple(stop for stop in open_to if stop in wanted)


def train_group(statement: Statement, part: int, routes: Routes) -> Group:
    """Return the columns of a part whose class pays through PaidOnce.

    Parameters
    ----------
    part
        Number of the part.
    routes
        The routes worth a column.
    """
    mine = statement.parts[part]
    always, limit, choice = statement.once.choose[mine.cls]
    visits = spread(routes.bits, len(statement.bit))
    brings = _brought_by_anchors(statement, mine.cls, always)
    fixed = np.minimum(visits.astype(statement.dtype) @ brings, 1)
    inside = spread(routes.inside, len(routes.network.features))
    fixed[:, list(routes.network.features)] += inside
    chosen_by: dict[int, list[int]] = {}
    for stop in sorted(choice):
        if statement.stop_element[stop] >= 0 and stop in statement.bit:
            chosen_by.setdefault(statement.stop_element[stop], []).append(statement.bit[stop])
    open_to = np.zeros((len(routes), len(chosen_by)), dtype=np.bool_)
    for column, bits in enumerate(chosen_by.values()):
        open_to[:, column] = visits[:, bits].any(axis=1)
    route, chosen = _choices(open_to, limit)
    pay = fixed[route]
    pay[:, list(chosen_by)] += chosen
    pay = np.minimum(pay, 1, dtype=statement.dtype)
    source = TrainColumns(statement, mine, part, routes, route, pay)
    gain = np.zeros(len(pay), dtype=statement.dtype)
    copies = len(mine.trains)
    return make_group(statement, source, copies, False, pay, gain, routes.bits[route])


def _brought_by_anchors(statement: Statement, cls: int, always: frozenset[int]) -> Floats:
    """Return by anchor and element whether the anchor brings the element in any case."""
    brings = np.zeros((len(statement.bit), len(statement.values)), dtype=statement.dtype)
    for stop, bit in statement.bit.items():
        if stop in always and statement.stop_element[stop] >= 0:
            brings[bit, statement.stop_element[stop]] = 1
        if cls in statement.hex_classes:
            brings[bit, statement.hex_element[statement.problem.stops[stop].hex]] = 1
    return brings


def _choices(visits: Flags, limit: int) -> tuple[Ints, Flags]:
    """Return every choice of at most `limit` of the elements open to choice on each route.

    Returns
    -------
    route, chosen
        By choice: its route, and which elements pay.
    """
    count = visits.sum(axis=1)
    few = np.nonzero(count <= limit)[0]
    routes, chosen = [few], [visits[few]]
    for number in np.unique(count[count > limit]).tolist():
        rows = np.nonzero(count == number)[0]
        places = np.nonzero(visits[rows])[1].reshape(len(rows), number)
        for picked in combinations(range(number), limit):
            some = np.zeros((len(rows), visits.shape[1]), dtype=np.bool_)
            np.put_along_axis(some, places[:, picked], True, axis=1)
            routes.append(rows)
            chosen.append(some)
    return np.concatenate(routes), np.concatenate(chosen)


def pinned_group(statement: Statement, part: int) -> Group:
    """Return the columns of a pinned route whose class pays through PaidOnce."""
    route = statement.parts[part].pinned
    assert route is not None
    always, limit, choice = statement.once.choose[route.cls]
    open_to = [stop for stop in route.stops if stop in choice]
    fixed = {statement.stop_element[stop] for stop in route.stops if stop in always}
    if route.cls in statement.hex_classes:
        fixed |= {statement.hex_element[name] for name in touched_hexes(statement, route)}
    choices, rows = [], []
    for chosen in combinations(open_to, min(limit, len(open_to))):
        if set(route.paid or ()) <= set(chosen):
            choices.append(replace(route, paid=chosen))
            rows.append((fixed | {statement.stop_element[stop] for stop in chosen}) - {-1})
    pay = np.zeros((len(rows), len(statement.values)), dtype=statement.dtype)
    for number, row in enumerate(rows):
        pay[number, sorted(row)] = 1
    visited = pack(
        [mask_of(statement.bit[s] for s in route.stops if s in statement.bit)] * len(rows),
        words_for(len(statement.bit)),
    )
    gain = np.zeros(len(rows), dtype=statement.dtype)
    return make_group(statement, PinnedColumns(part, tuple(choices)), 1, True, pay, gain, visited)


def touched_hexes(statement: Statement, route: NetRoute) -> frozenset[str]:
    """Return every hex that a route touches."""
    problem = statement.problem
    stops = {problem.stops[stop].hex for stop in route.stops}
    return frozenset(stops.union(*(problem.legs[leg].hexes for leg in route.legs)))
