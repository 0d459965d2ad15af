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
    """Proven: no run has more of what is maximised. `Solution.open_ties` names the tie-breaks,
    if any, that are not proven."""
    FEASIBLE = "FEASIBLE"
    """The best run found when time ran out; the bound says how much may be missing."""


class Tie(StrEnum):
    """What decides between runs that have equally much of what is maximised."""

    SUBSIDY = "subsidy"
    """More subsidy or mail, for the objective ``revenue``."""
    REVENUE = "revenue"
    """More revenue, for the objectives ``total`` and ``subsidy``."""
    TRAINS = "trains"
    """Fewer trains."""


class Objective(StrEnum):
    """What is maximised first; the other amount breaks ties."""

    REVENUE = "revenue"
    """Revenue, then subsidy or mail, then fewer trains."""
    TOTAL = "total"
    """Revenue plus subsidy or mail, then revenue, then fewer trains."""
    SUBSIDY = "subsidy"
    """Subsidy or mail, then revenue, then fewer trains."""

    @property
    def second(self) -> Tie:
        """The amount that decides between runs equal in what is maximised."""
        return Tie.SUBSIDY if self is Objective.REVENUE else Tie.REVENUE

    def measure(self, revenue: int, subsidy: int) -> int:
        """Return the amount, in £, that is maximised and that a bound limits."""
        if self is Objective.REVENUE:
            return revenue
        return subsidy if self is Objective.SUBSIDY else revenue + subsidy


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
        ``OPTIMAL`` if the run reaches the bound, else ``FEASIBLE``.
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
        if there are no more, or if time ran out before more were proven;
        `others_cut_short` tells which.
    free
        With wishes: the best without them; None if time ran out before it was
        proven.
    open_ties
        Tie-breaks of which it is not proven that no other run with equal amounts
        so far is better in them, in the order in which they count. None of them
        changes what is maximised.
    others_cut_short
        Time ended the list of other runs: there may be more than are listed.
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
    open_ties: tuple[Tie, ...] = ()
    others_cut_short: bool = False

    @property
    def ms(self) -> float:
        """Time of all stages in milliseconds."""
        return sum(stage.ms for stage in self.stages)
