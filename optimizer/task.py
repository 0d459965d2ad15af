"""What an algorithm is given and what it gives back.

An algorithm is a function from a :class:`Task` to an :class:`Outcome`,
entered in :mod:`optimizer.registry` under a name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.routing.problem import NetRoute, RoutingProblem
from engine.routing.run import Route
from optimizer.stop import Stop

RouteKey = tuple[int, tuple[int, ...], tuple[int, ...]]
"""A route irrespective of train and direction: class, stops, legs."""


def route_key(route: NetRoute) -> RouteKey:
    """Return the key of a route; both directions have the same one."""
    ahead = (route.stops, route.legs)
    back = (route.stops[::-1], route.legs[::-1])
    return (route.cls, *min(ahead, back))


@dataclass(frozen=True, slots=True)
class Weights:
    """The objective: `revenue` times the revenue plus `subsidy` times the subsidy.

    Lexicographic orders have one weight larger than any amount of the other.
    """

    revenue: int
    subsidy: int

    def value(self, revenue: int, subsidy: int) -> int:
        """Return the weighted value of a run."""
        return self.revenue * revenue + self.subsidy * subsidy


@dataclass
class Stage:
    """Time and counts of a stage of the solve."""

    name: str
    ms: float = 0.0
    counts: dict[str, int] = field(default_factory=dict)


class Stages:
    """Collects times and counts by stage, in order of first use."""

    def __init__(self) -> None:
        self.by_name: dict[str, Stage] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[Stage]:
        """Time a block as part of the stage `name`."""
        stage = self.by_name.setdefault(name, Stage(name))
        start = time.perf_counter()
        try:
            yield stage
        finally:
            stage.ms += (time.perf_counter() - start) * 1000

    def count(self, name: str, **counts: int) -> None:
        """Add counts to a stage."""
        stage = self.by_name.setdefault(name, Stage(name))
        for key, number in counts.items():
            stage.counts[key] = stage.counts.get(key, 0) + number


IMPOSSIBLE = -(1 << 60)
"""Value of no run at all: less than any run is worth."""


FleetBound = Callable[[Sequence[int]], int]
"""Says, given how many trains of each class may run, what no run of them exceeds (weighted)."""


@dataclass
class Outcome:
    """What an algorithm found.

    Parameters
    ----------
    routes
        The best run found, pinned routes included; empty if nothing runs.
    value
        Its weighted value; :data:`IMPOSSIBLE` (and no routes) if no run was
        found that may be run and holds the pinned routes.
    bound
        No run has a larger weighted value; :data:`IMPOSSIBLE` if there is none.
    proof
        What closed the gap: ``bounds``, ``search``, ``cp-sat``, ``circuit``,
        ``exhaustive``; empty while bound > value.
    fleet_bound
        A bound for smaller fleets that costs next to nothing; None if there is none.
    """

    routes: tuple[NetRoute, ...]
    value: int
    bound: int
    proof: str
    fleet_bound: FleetBound | None = field(default=None, compare=False)

    @property
    def proven(self) -> bool:
        """True if nothing better exists."""
        return self.bound <= self.value


Progress = Callable[[tuple[NetRoute, ...], int, int], None]
"""Called with each better run, its value and the bound known at that moment."""


@dataclass
class Task:
    """A problem to solve under an objective.

    Parameters
    ----------
    problem
        What to decide; trains left idle and stops to avoid are taken out already.
    weights
        The objective.
    pinned
        Routes that must run as they are. One whose `paid` is None leaves open
        which of its stops pay.
    banned
        Routes that no train may run, pinned ones aside: to pin a route and to
        ban it as well means that no other train runs it. An algorithm may take
        with them the routes that only prolong a banned one by what brings nothing.
    floor
        Runs worth less are of no interest: an algorithm may end as soon as its
        bound is below, with the best run that it has met until then.
    allowed
        Says of a route of the board whether it may run, as the classes of the
        problem say of a route of the network; None: all. For algorithms that
        do not use the network.
    stop
        When to end.
    seed
        For every random choice.
    stages
        Times and counts.
    progress
        Told of every better run.
    memory
        What an algorithm keeps for later tasks on the same network: fewer trains, next best
        runs. Its keys say all that it depends on.
    """

    problem: RoutingProblem
    weights: Weights
    pinned: tuple[NetRoute, ...] = ()
    banned: frozenset[RouteKey] = frozenset()
    floor: int | None = None
    allowed: Callable[[Route], bool] | None = None
    stop: Stop = field(default_factory=Stop)
    seed: int = 0
    stages: Stages = field(default_factory=Stages)
    progress: Progress | None = None
    memory: dict[Hashable, Any] = field(default_factory=dict)


Algorithm = Callable[[Task], Outcome]
