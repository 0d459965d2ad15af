"""Fleets with trains without a limit: groups that share track, and the rest of the fleet.

The trains fall into *groups*, one for each track class with an unlimited train
(:mod:`~optimizer.packing.group`), and the *rest*, which is listed and closed as any fleet. Only
places of words and marks couple them. The best of the groups and of the rest, each as if it had
all places, add up to a bound. Where no run attains it, every way in which the groups can
use the words well enough is tried, with their routes held and the rest closed beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

import numpy as np

from engine.routing.problem import NetRoute, RoutingProblem
from optimizer.packing.couple import Coupling, Pool
from optimizer.packing.group import Group
from optimizer.packing.network import Words
from optimizer.packing.pools import PoolMaker
from optimizer.packing.watch import TooWideError
from optimizer.task import Task

RestClosed = Callable[[Sequence[NetRoute]], tuple[int, int]]
"""Given routes of the groups, the value of the best run with them and the listed rest of the
fleet, and a bound on it; the run is reported on the way."""


class Mixed:
    """A fleet with trains without a limit.

    Parameters
    ----------
    counts
        By class how many trains run.
    pools
        Routes of the classes that have a limit and share track with one that has not.
    used
        Track that pinned routes use.
    rest
        Closes the rest of the fleet.
    target
        Tells what a run of interest is worth at least.
    lower
        Told of each bound on the fleet.
    """

    def __init__(
        self,
        task: Task,
        coupling: Coupling,
        maker: PoolMaker,
        counts: Mapping[int, int],
        pools: Mapping[int, Pool],
        used: Words,
        marks: int,
        grain: int,
        rest: RestClosed,
        target: Callable[[], int],
        lower: Callable[[float], None],
    ) -> None:
        self.task = task
        self.rest = rest
        self.target = target
        self.lower = lower
        self.rest_bound = 0
        self.by_search = False
        tracks = tied_tracks(task.problem, counts, maker)
        self.groups = []
        for track in tracks:
            mine = {c: n for c, n in counts.items() if task.problem.classes[c].track == track}
            listed = [pools[c] for c in mine if c in pools]
            self.groups.append(Group(task, coupling, maker, mine, listed, used, marks, grain))

    def close(self) -> bool:
        """Find the best run; True if nothing better than the best known is left."""
        _, self.rest_bound = self.rest(())
        for group in self.groups:
            group.price(self._least(group))
            self._note()
        self._try([group.best[0] for group in self.groups])
        if self._closed():
            return True
        for group in self.groups:
            self.by_search = True
            if not group.improve(self._least(group)):
                return self._stopped()
            self._note()
            if self._closed():
                return True
        self._try([group.best[0] for group in self.groups])
        return self._closed() or self._all_ways()

    def _bound(self) -> float:
        return self.rest_bound + sum(group.bound for group in self.groups)

    def _note(self) -> None:
        if self._bound() < np.inf:
            self.lower(self._bound())

    def _closed(self) -> bool:
        return self._bound() < self.target()

    def _least(self, group: Group) -> float:
        """Return what a run of a group must be worth to be part of a run of interest."""
        others = sum(other.bound for other in self.groups if other is not group)
        return self.target() - self.rest_bound - others

    def _stopped(self) -> bool:
        if not self.task.stop.over():
            raise TooWideError("there are too many joint states")
        return False

    def _try(self, runs: Sequence[Sequence[NetRoute]]) -> None:
        """Close the rest beside routes of the groups."""
        self.rest([route for run in runs for route in run])

    def _all_ways(self) -> bool:
        """Try every way in which the groups use the words."""
        ways = []
        for group in self.groups:
            found = group.reaching(self._least(group))
            if found is None:
                return self._stopped()
            ways.append(found)
        combined = sorted(product(*ways), key=lambda way: -sum(value for _, value in way))
        for way in combined:
            most = self.rest_bound + sum(value for _, value in way)
            if most < self.target():
                return True
            if self.task.stop.over():
                return False
            self._try([routes for routes, _ in way])
        return not self.task.stop.over()


def tied_tracks(
    problem: RoutingProblem, counts: Mapping[int, int], maker: PoolMaker
) -> list[str | None]:
    """Return the track classes of trains without a limit."""
    return list(dict.fromkeys(problem.classes[c].track for c in counts if maker.unlimited(c)))
