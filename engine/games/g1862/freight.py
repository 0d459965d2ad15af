"""Freight chains: how runs are joined, what must chain, and the bonus (1862 §10.5).

Part of the referee: the runs are taken in the order in which they are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board.board import Board, Stop
from engine.board.geometry import Point, distance
from engine.errors import Fault
from engine.games.g1862.profile import FreightChaining, FreightDistance, Profile1862
from engine.games.g1862.stations import entries_of, is_area, is_port, name_of
from engine.routing.track import Traced
from engine.titles.title import Title

CHAINING = "1862 §10.5.5"
CLOSED = "1862 §10.5.7"


@dataclass(frozen=True, slots=True)
class FreightRun:
    """A run by a Freight.

    Parameters
    ----------
    number
        Place in the list of routes.
    traced
        The route.
    band_a_to_d
        Its train is of bands A to D.
    """

    number: int
    traced: Traced
    band_a_to_d: bool

    def ends(self) -> tuple[Stop, Stop]:
        """Return the first and the last stop."""
        return self.traced.stops[0], self.traced.stops[-1]


@dataclass(frozen=True, slots=True)
class Chain:
    """Runs joined end to end, in order along the chain.

    Parameters
    ----------
    runs
        The runs.
    start
        The run with which the chain was begun; the bonus stands on it (1862 §15.5).
    """

    runs: tuple[FreightRun, ...]
    start: FreightRun

    def degrees(self) -> Counter[str]:
        """Count by stop of how many of its runs it is an end."""
        return Counter(stop.id for run in self.runs for stop in run.ends())

    def loose(self) -> tuple[tuple[FreightRun, Stop], ...]:
        """Return the ends of the chain: stops that are an end of only one of its runs."""
        degrees = self.degrees()
        return tuple(
            (run, stop) for run in self.runs for stop in run.ends() if degrees[stop.id] == 1
        )

    def paying(self) -> tuple[tuple[FreightRun, Stop], ...]:
        """Return what scores: both ends, or of a closed chain the first stop of the run
        with which it was begun (1862 §10.5.7)."""
        return self.loose() or ((self.start, self.start.ends()[0]),)


def join_runs(runs: Sequence[FreightRun]) -> tuple[Chain, ...]:
    """Join runs that share an end to chains, as the site does (1862 §10.5.6).

    Parameters
    ----------
    runs
        In the order in which they are listed.

    Returns
    -------
    tuple of Chain
        Every run is in one of them.
    """
    unused = list(runs)
    chains = []
    while unused:
        start = next((run for run in unused if run.band_a_to_d), unused[0])
        unused.remove(start)
        first, last = start.ends()
        before = _Extension(unused).from_end(first.id)
        unused = [run for run in unused if run not in before]
        after = _Extension(unused).from_end(last.id)
        unused = [run for run in unused if run not in after]
        chains.append(Chain((*reversed(before), start, *after), start))
    return tuple(chains)


class _Extension:
    """Finds the runs that continue a chain; remembers what it has found, since at a
    branch every continuation is followed to its end."""

    def __init__(self, unused: Sequence[FreightRun]) -> None:
        self._unused = tuple(unused)
        self._known: dict[tuple[str, tuple[FreightRun, ...]], tuple[FreightRun, ...]] = {}

    def from_end(self, loose: str) -> tuple[FreightRun, ...]:
        """Return the runs that extend a chain whose loose end is the stop `loose`."""
        return self._follow(loose, self._unused)

    def _follow(self, loose: str, unused: tuple[FreightRun, ...]) -> tuple[FreightRun, ...]:
        known = self._known.get((loose, unused))
        if known is not None:
            return known
        ways = [
            self._take(run, loose, unused)
            for run in unused
            if loose in (run.ends()[0].id, run.ends()[1].id)
        ]
        best: tuple[FreightRun, ...] = ()
        if ways:
            bound = (way for way in ways if any(run.band_a_to_d for run in way))
            best = next(bound, max(ways, key=len))
        self._known[loose, unused] = best
        return best

    def _take(
        self, run: FreightRun, loose: str, unused: tuple[FreightRun, ...]
    ) -> tuple[FreightRun, ...]:
        first, last = run.ends()
        onward = last.id if first.id == loose else first.id
        return (run, *self._follow(onward, tuple(other for other in unused if other != run)))


def chain_faults(profile: Profile1862, chains: Sequence[Chain]) -> Iterator[Fault]:
    """Yield a fault for everything that is wrong with how the Freights chain (1862 S3)."""
    for chain in chains:
        yield from _shape_faults(profile, chain)
    if profile.freight_chaining is FreightChaining.ALL:
        if len(chains) > 1:
            yield _not_chained(chains[1], "all Freights must run in one chain")
        return
    bound = [chain for chain in chains if any(run.band_a_to_d for run in chain.runs)]
    if len(bound) > 1:
        yield _not_chained(bound[1], "all Freights of bands A to D must run in one chain")
    lonely = [chain for chain in bound if all(run.band_a_to_d for run in chain.runs)]
    if lonely and len(bound) < len(chains):
        message = "a Freight of bands E to H runs, but none in the chain of bands A to D"
        yield _not_chained(lonely[0], message)


def _not_chained(chain: Chain, message: str) -> Fault:
    path = f"routes[{chain.start.number}]"
    return Fault("FREIGHTS_NOT_CHAINED", path, message, CHAINING)


def _shape_faults(profile: Profile1862, chain: Chain) -> Iterator[Fault]:
    path = f"routes[{chain.start.number}]"
    loose = chain.loose()
    if len(loose) == 1:
        message = f"the chain runs from {loose[0][1].id} into itself and has no other end"
        yield Fault("CHAIN_END_SINGLE", path, message, CLOSED, loose[0][1].hex)
    if profile.closed_chains:
        return
    if not loose:
        message = "the chain runs in a circle and has no ends"
        yield Fault("CHAIN_CLOSED", path, message, CLOSED)
    branch = next((stop for stop, count in chain.degrees().items() if count > 2), None)
    if branch is not None:
        message = f"more than two runs of the chain end at {branch}"
        yield Fault("CHAIN_BRANCHES", path, message, "1862 §10.5.1", branch.split("-")[0])


@dataclass(frozen=True, slots=True)
class Bonus:
    """The bonus of a chain: `hexes` at £ `rate`; intervening ones, or of a circle the one
    that stands for the area that it pays."""

    hexes: int
    rate: int

    @property
    def amount(self) -> int:
        """The bonus in £."""
        return self.hexes * self.rate


def bonus_of(title: Title, profile: Profile1862, board: Board, chain: Chain) -> Bonus:
    """Return the bonus of a chain (1862 §10.5.2 to §10.5.4, §10.5.7)."""
    figures = title.setup["revenue"]
    ends = chain.paying()
    port = any(is_port(board, stop) for _, stop in ends)
    rate = figures["freight_per_hex_with_port" if port else "freight_per_hex"]
    if len(ends) != 2:
        return Bonus(int(profile.closed_chain_bonus and is_area(ends[0][1])), rate)
    (run_a, a), (run_b, b) = ends
    areas = 0
    if profile.freight_distance is not FreightDistance.OFFBOARD_HEX:
        areas = is_area(a) + is_area(b)
    hexes = max(
        distance(p, q)
        for p in _counted_from(profile, board, run_a, a)
        for q in _counted_from(profile, board, run_b, b)
    )
    return Bonus(max(0, hexes - 1 + areas), rate)


def _counted_from(
    profile: Profile1862, board: Board, run: FreightRun, stop: Stop
) -> tuple[Point, ...]:
    """Return the hexes from which an end may be counted."""
    if not is_area(stop) or profile.freight_distance is FreightDistance.OFFBOARD_HEX:
        return (stop.point,)
    if profile.freight_distance is FreightDistance.BEST_ENTRY:
        return tuple(point for _, point in entries_of(board, name_of(stop)))
    leg = run.traced.legs[0] if run.ends()[0] is stop else run.traced.legs[-1][::-1]
    return (board.atlas.hexes[leg[1][0].hex].point,)
