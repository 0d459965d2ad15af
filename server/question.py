"""What a caller asks, in words of the domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.board.board import PathRef
from engine.board.state import BoardState
from engine.routing.run import CompanyState
from optimizer.solution import Objective
from server.profiles import ProfileChoice


@dataclass(frozen=True)
class Situation:
    """A board, the company that runs, and the reading of the rules; nothing is checked yet."""

    board: BoardState
    company: CompanyState
    profile: ProfileChoice = field(default_factory=ProfileChoice)


@dataclass(frozen=True)
class SubmittedRoute:
    """A route as submitted: its legs as paths, in the written form, or in both.

    Parameters
    ----------
    train
        Train id.
    stops
        Stop ids; with `hexes` only a help.
    paths
        Legs as paths; None if the route is in the written form only.
    hexes
        Legs as lists of hexes; None if the route gives paths only.
    paid, attachment
        As in :class:`engine.routing.run.Route`.
    """

    train: str
    stops: tuple[str, ...] = ()
    paths: tuple[tuple[PathRef, ...], ...] | None = None
    hexes: tuple[tuple[str, ...], ...] | None = None
    paid: tuple[str, ...] | None = None
    attachment: str = ""


@dataclass(frozen=True)
class SubmittedWishes:
    """Wishes as submitted; see :class:`optimizer.solution.Wishes`."""

    pinned: tuple[SubmittedRoute, ...] = ()
    idle: tuple[str, ...] = ()
    avoid_hexes: tuple[str, ...] = ()
    avoid_stops: tuple[str, ...] = ()
    attach: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """What is the best run?

    Parameters
    ----------
    situation
        Board, company and rules.
    named_objective
        What is maximised first, if that was said; None: what :func:`default_objective` says.
    wishes, seed
        As the optimizer takes them.
    algorithm
        Name, or empty for the optimizer's choice.
    seconds
        Time limit asked for, or None.
    runs
        How many runs are wanted.
    """

    situation: Situation
    named_objective: Objective | None = None
    wishes: SubmittedWishes = field(default_factory=SubmittedWishes)
    algorithm: str = ""
    seed: int = 0
    seconds: float | None = None
    runs: int = 1

    @property
    def objective(self) -> Objective:
        """What is maximised first."""
        return self.named_objective or default_objective(self.situation.company)


def default_objective(company: CompanyState) -> Objective:
    """Return what is maximised first for a company if nobody says it.

    A company in receivership runs for the greatest sum of revenue and subsidy (1862 §7.5; in 18GB
    no run has a subsidy, so that nothing differs). A director decides for himself (1862 §10.8),
    and revenue is what moves the price. An insolvent company withholds, but has no subsidy either
    (18GB §13.5). All ways to ask come here: no other place knows a default objective.
    """
    return Objective.TOTAL if company.receivership else Objective.REVENUE


@dataclass(frozen=True)
class Submission:
    """Is this run legal, and what does it pay?"""

    situation: Situation
    routes: tuple[SubmittedRoute, ...] = ()
