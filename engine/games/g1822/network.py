"""The network of 1822's routing problem: the board's legs, with the Channel folded into France.

The Channel (P43) counts and is reached only together with France (Q44), so the
pair is one stop of the network: each leg from elsewhere to the Channel is
joined with one of the tracks from there to France (1822 §11.5).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from engine.board.board import Board, Stop
from engine.board.faces import EndKind
from engine.board.legs import Leg, find_legs
from engine.games.g1822.special import Special, only_stop
from engine.routing.network import net_leg, reach
from engine.routing.problem import turned
from engine.routing.vocabulary import NetLeg, NetStop

Chain = tuple[Leg, ...]
"""The board's legs of one leg of the network, each turned to run in its direction."""


@dataclass(frozen=True)
class Network:
    """Stops and legs with what the classes and words need to know of them.

    Parameters
    ----------
    stops, legs
        As the problem has them.
    board_stops
        For each stop that of the board; for the pair it is France.
    numbers
        Number of each stop by its board id; France stands for the Channel too.
    own
        Stops with a token of the company; France if the token is in the Channel.
    passable
        Stops that may lie between the ends of a route.
    tracked
        Stops to which track leads.
    """

    stops: tuple[NetStop, ...]
    legs: tuple[NetLeg, ...]
    board_stops: tuple[Stop, ...]
    numbers: dict[str, int]
    own: frozenset[int]
    passable: frozenset[int]
    tracked: frozenset[int]

    @property
    def values(self) -> tuple[int, ...]:
        """Plain value of each stop, in £."""
        return tuple(stop.value for stop in self.board_stops)

    def of_kind(self, kind: str) -> frozenset[int]:
        """Return the stops of a kind: ``city``, ``town`` or ``offboard``."""
        return frozenset(n for n, stop in enumerate(self.board_stops) if stop.kind == kind)


def build_network(board: Board, corporation: str, special: Special) -> Network:
    """Return the network of a company: its tokens and all that routes through them can reach."""
    channel = only_stop(board, special.channel)
    france = only_stop(board, special.france)
    found = find_legs(board)
    if channel is None or france is None:
        chains: list[Chain] = [(leg,) for leg in found]
    else:
        chains = [(leg,) for leg in found if channel.id not in (leg.a, leg.b)]
        if channel.passable(corporation):
            chains.extend(_folded(board, found, channel.id, france.id))
    tokens = board.token_stops(corporation)
    starts = {france.id if france and stop is channel else stop.id for stop in tokens}
    ends = [(chain[0].a, chain[-1].b) for chain in chains]
    reached = reach(ends, starts, lambda stop: board.stops[stop].passable(corporation))
    chains = [chains[number] for number in reached.legs]
    listed = tuple(stop for stop in board.stops.values() if stop.id in reached.stops)
    numbers = {stop.id: number for number, stop in enumerate(listed)}
    if channel is not None and france is not None and france.id in numbers:
        numbers[channel.id] = numbers[france.id]
    return Network(
        stops=tuple(_net_stop(stop) for stop in listed),
        legs=tuple(_net_leg(board, chain, numbers, special) for chain in chains),
        board_stops=listed,
        numbers=numbers,
        own=frozenset(numbers[stop] for stop in starts),
        passable=frozenset(n for n, stop in enumerate(listed) if stop.passable(corporation)),
        tracked=frozenset(n for n, stop in enumerate(listed) if board.has_track(stop)),
    )


def _net_stop(stop: Stop) -> NetStop:
    return NetStop(stop.id, stop.hex, stop.point, stop.kind, stop.name or "")


def _net_leg(board: Board, chain: Chain, numbers: dict[str, int], special: Special) -> NetLeg:
    sides = frozenset(side for leg in chain for side in leg.sides)
    fork = {(hex_id, side) for hex_id, side, _, _ in sides if hex_id == special.fork}
    items = (item for leg in chain for item in _items(board, leg))
    marks = (f"{h} side {side}" for h, side in fork if side in special.fork_sides)
    return net_leg(chain, numbers, items, marks=marks)


def _items(board: Board, leg: Leg) -> Iterator[Hashable]:
    """Hex sides with their lanes, and paths that touch no side (1822 §11.9, §11.17)."""
    yield from leg.sides
    for ref in leg.paths:
        path = board.path(ref)
        if EndKind.SIDE not in (path.a.kind, path.b.kind):
            yield ref


def _folded(
    board: Board, legs: Sequence[Leg], channel: str, france: str
) -> Iterator[tuple[Leg, Leg]]:
    """Join each leg to the Channel with a track from there to France.

    Trains that enter the Channel over different sides need different tracks to
    France. Where there is a track for every side, each side gets its own and
    no run is lost; where there are fewer, every combination is listed, and the
    shared track does the rest.
    """
    touching = [leg for leg in legs if channel in (leg.a, leg.b)]
    to_channel = [leg if leg.b == channel else turned(leg) for leg in touching]
    lanes = [turned(leg) for leg in to_channel if leg.a == france]
    entering = [leg for leg in to_channel if leg.a != france and not leg.terminal_b]
    gates = list(dict.fromkeys(leg.paths[-1] for leg in entering))
    for leg in entering:
        if len(gates) <= len(lanes):
            yield leg, lanes[gates.index(leg.paths[-1])]
        else:
            for lane in lanes:
                yield leg, lane
