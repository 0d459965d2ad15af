"""From answers to response messages."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from bradshaw.v1 import route_service_pb2, run_pb2
from google.protobuf.duration_pb2 import Duration

from engine.board.board import PathRef
from engine.errors import Fault
from engine.notation.routes import written_route
from engine.routing.run import Item, Position, Route, RouteVerdict, Run, Verdict
from optimizer.solution import Status
from optimizer.task import Stage
from server.confirm import Answer, JudgedRun, UnconfirmedError
from server.convert.statuses import field_path
from server.desk import Ruling

STATUSES = {
    Status.OPTIMAL: route_service_pb2.SOLUTION_STATUS_OPTIMAL,
    Status.FEASIBLE: route_service_pb2.SOLUTION_STATUS_FEASIBLE,
}


def solution_message(answer: Answer) -> route_service_pb2.Solution:
    """Return an answer as a message."""
    solution = answer.solution
    message = route_service_pb2.Solution(
        status=STATUSES[solution.status],
        run=run_message(answer.position, answer.best.run, answer.best.verdict),
        bound=solution.bound,
        proof=solution.proof,
        algorithm=solution.algorithm,
        seed=solution.seed,
        stages=[_stage(stage) for stage in solution.stages],
        others=[_judged(answer.position, other) for other in answer.others],
        solve_duration=duration(solution.ms / 1000),
        open_ties=[str(tie) for tie in solution.open_ties],
        others_cut_short=solution.others_cut_short,
    )
    if answer.free is not None:
        message.free_optimum.CopyFrom(_judged(answer.position, answer.free))
    return message


def improvement_message(
    position: Position, judged: JudgedRun, bound: int | None, seconds: float
) -> route_service_pb2.Improvement:
    """Return a better run as a message."""
    return route_service_pb2.Improvement(
        revenue=judged.verdict.revenue,
        subsidy=judged.verdict.subsidy,
        bound=bound,
        run=_judged(position, judged),
        elapsed=duration(seconds),
    )


def ruling_message(ruling: Ruling) -> route_service_pb2.ValidateRoutesResponse:
    """Return a ruling as a message."""
    verdict = ruling.verdict
    message = route_service_pb2.ValidateRoutesResponse(
        legal=verdict.legal, faults=[_fault(fault) for fault in verdict.faults]
    )
    if verdict.legal:
        message.run.CopyFrom(run_message(ruling.position, ruling.run, verdict))
    return message


def run_message(position: Position, run: Run, verdict: Verdict) -> run_pb2.Run:
    """Return a legal run with its verdict as a message.

    Raises
    ------
    ValueError
        The verdict is not one on this run.
    """
    return run_pb2.Run(
        routes=[
            _account(position, route, paid)
            for route, paid in zip(run.routes, verdict.routes, strict=True)
        ],
        revenue=verdict.revenue,
        subsidy=verdict.subsidy,
        items=_items(verdict.items),
        notes=dict(verdict.notes),
    )


def duration(seconds: float) -> Duration:
    """Return seconds as a message, to the microsecond."""
    message = Duration()
    message.FromMicroseconds(round(seconds * 1_000_000))
    return message


def route_message(position: Position, route: Route) -> run_pb2.Route:
    """Return a route as a message whose legs have both forms."""
    message = run_pb2.Route(train_id=route.train, stops=route.stops, attachment=route.attachment)
    written = written_route(position.board, route).connections if route.legs else ()
    for paths, hexes in zip(route.legs, written, strict=True):
        leg = message.legs.add(hexes=hexes)
        for ref in paths:
            leg.paths.add(hex=ref.hex, path=ref.path)
    if route.paid is not None:
        message.paid.SetInParent()
        message.paid.stops.extend(route.paid)
    return message


def _judged(position: Position, judged: JudgedRun) -> run_pb2.Run:
    return run_message(position, judged.run, judged.verdict)


def _account(position: Position, route: Route, paid: RouteVerdict) -> run_pb2.RouteAccount:
    names = {train.id: train.name for train in position.company.trains}
    message = run_pb2.RouteAccount(
        route=route_message(position, route),
        train_name=names[route.train],
        revenue=paid.revenue,
        subsidy=paid.subsidy,
        items=_items(paid.items),
    )
    for stop_id in route.stops:
        stop = position.board.stops[stop_id]
        message.stops.add(
            id=stop.id,
            hex=stop.hex,
            name=stop.name or "",
            kind=stop.kind,
            value=stop.value,
            pays=stop.id in paid.paying,
        )
    return message


def _items(items: Sequence[Item]) -> list[run_pb2.Item]:
    return [
        run_pb2.Item(kind=item.kind, subject=item.subject, amount=item.amount, text=item.text)
        for item in items
    ]


def _stage(stage: Stage) -> route_service_pb2.Stage:
    return route_service_pb2.Stage(
        name=stage.name, duration=duration(stage.ms / 1000), counts=stage.counts
    )


def _fault(fault: Fault) -> run_pb2.Fault:
    route = re.match(r"routes\[(\d+)\]", fault.path)
    return run_pb2.Fault(
        code=fault.code,
        field=field_path(fault.path),
        route=int(route[1]) if route else None,
        hex=fault.hex,
        message=fault.message,
        section=fault.section,
    )


def evidence(error: UnconfirmedError) -> dict[str, Any]:
    """Return what a report says of an answer that was not confirmed."""
    return {
        "said": error.said,
        "claims": [dataclasses.asdict(fault) for fault in error.faults],
        "run": [dataclasses.asdict(route) for route in error.run.routes],
        "verdict": {
            "revenue": error.verdict.revenue,
            "subsidy": error.verdict.subsidy,
            "faults": [dataclasses.asdict(fault) for fault in error.verdict.faults],
        },
    }


def route_from(message: run_pb2.Route) -> Route:
    """Return the route of an answer, whose legs give paths."""
    return Route(
        message.train_id,
        tuple(message.stops),
        tuple(tuple(PathRef(ref.hex, ref.path) for ref in leg.paths) for leg in message.legs),
        tuple(message.paid.stops) if message.HasField("paid") else None,
        message.attachment,
    )
