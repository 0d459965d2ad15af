"""What a recorded game paid for its runs, and what was possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2

from engine.notation.gamefile import Replay
from engine.notation.log import effective
from engine.play.actions import RouteEntry, RunRoutes
from optimizer.solution import Objective
from server.autorun import situation_of
from server.convert.games import position_of
from server.question import default_objective

Ask = Callable[[board_pb2.Position], route_service_pb2.Solution]
"""Finds the best run of a position."""


@dataclass(frozen=True)
class AuditedRun:
    """A run of a record beside the best one.

    Parameters
    ----------
    entry
        Id of the entry of the log.
    round
        Kind of round, its turn and its number.
    corporation
        Who ran.
    director
        Name of the player who decided; empty in receivership.
    paid, paid_subsidy
        £ of all routes, as recorded. Records have no subsidy of mail contracts.
    played
        Its routes, as recorded.
    position
        Board and company before the run.
    solution
        The best run, with its proof.
    objective
        What the company runs for.
    """

    entry: int
    round: tuple[str, int, int]
    corporation: str
    director: str
    paid: int
    paid_subsidy: int
    played: tuple[RouteEntry, ...]
    position: board_pb2.Position
    solution: route_service_pb2.Solution
    objective: Objective

    @property
    def best(self) -> run_pb2.Run:
        """The best run."""
        return self.solution.run

    @property
    def missed(self) -> int:
        """£ by which the best run is better; negative where the record pays more than the rules
        allow."""
        return self.possible_measure - self.paid_measure

    @property
    def paid_measure(self) -> int:
        """£ that the record paid of what the company runs for: revenue, or its sum with the
        subsidy (1862 §7.5)."""
        return self.objective.measure(self.paid, self.paid_subsidy)

    @property
    def possible_measure(self) -> int:
        """£ that the best run pays of the same."""
        return self.objective.measure(self.best.revenue, self.best.subsidy)

    @property
    def proven(self) -> bool:
        """Nothing better exists."""
        return bool(self.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL)


@dataclass(frozen=True)
class Sums:
    """The runs of one company, of one player's companies, or all.

    Parameters
    ----------
    name
        Letters, the player's name, or empty.
    runs, improvable
        How many there were, and for how many a better one exists.
    paid, possible
        £ of what each company runs for: revenue, in receivership with the subsidy (1862 §7.5).
    """

    name: str
    runs: int
    improvable: int
    paid: int
    possible: int

    @property
    def missed(self) -> int:
        """£ between them."""
        return self.possible - self.paid


def count_runs(replay: Replay) -> int:
    """Return how many runs a record has."""
    entries = effective(replay.file.entries)
    listed = (raw for entry in entries for raw in (entry, *(entry.get("auto_actions") or ())))
    return sum(raw["type"] == RunRoutes.TYPE for raw in listed)


def audit(replay: Replay, ask: Ask) -> Iterator[AuditedRun]:
    """Replay a game and yield each run beside the best one.

    Parameters
    ----------
    replay
        The game, at its start.
    ask
        Finds best runs.

    Raises
    ------
    ReplayError
        An entry does not fit.
    """
    for number, action in replay.steps():
        situation = situation_of(replay.play)
        if not isinstance(action, RunRoutes) or situation is None:
            continue
        state, company = replay.play.current, situation.company.corporation
        position = position_of(situation)
        director = state.companies[company].director
        yield AuditedRun(
            entry=number,
            round=(state.round.kind, state.turn, state.round.number),
            corporation=company,
            director="" if director is None else state.players[director].name,
            paid=sum(entry.revenue or 0 for entry in action.routes),
            paid_subsidy=sum(entry.subsidy or 0 for entry in action.routes),
            played=action.routes,
            position=position,
            solution=ask(position),
            objective=default_objective(situation.company),
        )


def sums(runs: Sequence[AuditedRun], name_of: Callable[[AuditedRun], str]) -> list[Sums]:
    """Return the sums of runs by a name, the greatest miss first."""
    groups: dict[str, list[AuditedRun]] = {}
    for run in runs:
        groups.setdefault(name_of(run), []).append(run)
    found = [
        Sums(
            name=name,
            runs=len(group),
            improvable=sum(run.missed > 0 for run in group),
            paid=sum(run.paid_measure for run in group),
            possible=sum(run.possible_measure for run in group),
        )
        for name, group in groups.items()
    ]
    return sorted(found, key=lambda entry: (-entry.missed, entry.name))
