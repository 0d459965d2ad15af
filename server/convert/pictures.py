"""Pictures of runs, from messages; apart from answers, since most are not drawn."""

from __future__ import annotations

from collections.abc import Sequence

from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2

from engine.drawing import Proof, Shown, draw_pair, draw_svg
from engine.play.actions import RouteEntry
from engine.play.runs import read_routes
from engine.routing.run import Run
from server.convert.answers import route_from
from server.convert.requests import situation_from
from server.seat import seat


def picture(
    position: board_pb2.Position,
    run: run_pb2.Run,
    solution: route_service_pb2.Solution | None = None,
) -> str:
    """Return a picture of an answer's run as an SVG document.

    Parameters
    ----------
    position
        Board and company.
    run
        The run.
    solution
        What says whether a better run can exist, for the legend; None if nobody asked.

    Raises
    ------
    BradshawError
        The position has faults.
    """
    rules, seated = seat(situation_from(position))
    travelled = _run_from(run)
    proof = None if solution is None else proof_of(solution)
    return draw_svg(seated, travelled, rules.judge(seated, travelled), proof=proof)


def picture_beside(
    position: board_pb2.Position,
    played: Sequence[RouteEntry],
    paid: int,
    solution: route_service_pb2.Solution,
) -> str:
    """Return a picture of a run that was played, beside the best one.

    Parameters
    ----------
    position
        Board and company.
    played
        The routes of the run, as recorded; void ones are not drawn (FMT §F1).
    paid
        £ that it paid, as recorded.
    solution
        The best run, with its proof.

    Raises
    ------
    BradshawError
        The position has faults.
    """
    rules, seated = seat(situation_from(position))
    classes = {train: cls.track for cls in rules.problem(seated).classes for train in cls.trains}
    entries = [entry for entry in played if not entry.empty]
    found = read_routes(seated, entries, classes)
    run = Run(tuple(route for route in found if route is not None))
    best = _run_from(solution.run)
    return draw_pair(
        seated,
        Shown(run, rules.judge(seated, run), "Played", paid),
        Shown(best, rules.judge(seated, best), "Best", proof=proof_of(solution)),
    )


def proof_of(solution: route_service_pb2.Solution) -> Proof:
    """Return what a solution says about better runs: none exists, none pays more, or neither."""
    proven = solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    open_ties = bool(solution.open_ties)
    return Proof(
        proven=proven and not open_ties,
        bound=solution.bound,
        how=solution.proof,
        money=proven and open_ties,
    )


def _run_from(run: run_pb2.Run) -> Run:
    return Run(tuple(route_from(account.route) for account in run.routes))
