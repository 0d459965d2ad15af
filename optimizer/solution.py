"""What a caller of the optimizer asks and gets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.routing.run import Route, Run, Verdict
from optimizer.task import Stage


class Status(StrEnum):
    """How sure an answer is."""

    OPTIMAL = "OPTIMAL"
    """Proven: nothing better exists."""
    FEASIBLE = "FEASIBLE"
    """The best run found when time ran out; the bound says how much may be missing."""


class Objective(StrEnum):
    """What is maximised first; the other amount breaks ties."""

    REVENUE = "revenue"
    """Revenue, then subsidy or mail, then fewer trains."""
    TOTAL = "total"
    """Revenue plus subsidy or mail, then revenue, then fewer trains."""
    SUBSIDY = "subsidy"
    """Subsidy or mail, then revenue, then fewer trains."""


@dataclass(frozen=True)
class Wishes:
    """What the caller wants to be so, even if it costs something.

    Parameters
    ----------
    pinned
        Routes that must run.
    idle
        Ids of trains that stand still.
    avoid_hexes, avoid_stops
        Hexes and stop ids that no route touches (pinned ones excepted).
    attach
        By name of a carriage the id of the train that takes it, or empty for none.
    """

    pinned: tuple[Route, ...] = ()
    idle: frozenset[str] = frozenset()
    avoid_hexes: frozenset[str] = frozenset()
    avoid_stops: frozenset[str] = frozenset()
    attach: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.pinned or self.idle or self.avoid_hexes or self.avoid_stops or self.attach)


@dataclass(frozen=True)
class RankedRun:
    """A run with what it pays."""

    run: Run
    revenue: int
    subsidy: int


@dataclass(frozen=True)
class Improvement:
    """A better run found on the way, checked by the referee.

    Parameters
    ----------
    run, verdict
        The run and what the referee says about it.
    bound
        As in :class:`Solution`, as far as known at that moment.
    """

    run: Run
    verdict: Verdict
    bound: int


@dataclass(frozen=True)
class Solution:
    """The answer.

    Parameters
    ----------
    status
        ``OPTIMAL`` or ``FEASIBLE``.
    run
        The best run found, ready for the referee.
    verdict
        What the referee says about it.
    revenue, subsidy
        What it pays, in £.
    bound
        No run has a larger revenue (objective ``total``: revenue plus subsidy;
        ``subsidy``: subsidy).
    proof
        ``bounds``, ``search``, ``cp-sat``, ``circuit`` or ``exhaustive``;
        empty if not proven.
    algorithm, seed
        As asked.
    stages
        Times and counts of the stages of the solve, in order.
    others
        The next best different runs, best first, if asked for
        (:mod:`optimizer.ranking` says which runs count). Fewer than asked for
        if there are no more, or if time ran out before more were proven.
    free
        With wishes: the best without them; None if time ran out before it was
        proven.
    """

    status: Status
    run: Run
    verdict: Verdict
    revenue: int
    subsidy: int
    bound: int
    proof: str
    algorithm: str
    seed: int
    stages: tuple[Stage, ...]
    others: tuple[RankedRun, ...] = ()
    free: RankedRun | None = None

    @property
    def ms(self) -> float:
        """Time of all stages in milliseconds."""
        return sum(stage.ms for stage in self.stages)
