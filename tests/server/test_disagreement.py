"""The referee has the last word: an answer that it does not confirm never leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from bradshaw.v1 import route_service_pb2

from engine.routing.problem import RoutingProblem
from engine.routing.run import Route, Run, Verdict
from optimizer.errors import DisagreementError
from optimizer.solution import Improvement, RankedRun, Solution, Status
from server.reports import FORMAT, read_report
from tests.server.doubles import IdleSolver, OneLegSolver
from tests.server.harness import Failure, failure, request, serving
from tests.server.requests import optimize_request, position, validate_request

Lie = Callable[[Solution], Solution]

LIES: dict[str, tuple[str, Lie]] = {
    "more revenue": ("AMOUNT_DIFFERS", lambda a: replace(a, revenue=a.revenue + 10)),
    "less revenue": ("AMOUNT_DIFFERS", lambda a: replace(a, revenue=a.revenue - 10)),
    "subsidy": ("AMOUNT_DIFFERS", lambda a: replace(a, subsidy=a.subsidy + 10)),
    "bound below the run": ("BOUND_TOO_LOW", lambda a: replace(a, bound=a.revenue - 10)),
    "optimal below the bound": (
        "PROOF_MISSING",
        lambda a: replace(a, status=Status.OPTIMAL, proof="search"),
    ),
    "optimal without a proof": (
        "PROOF_MISSING",
        lambda a: replace(a, status=Status.OPTIMAL, bound=a.revenue),
    ),
    "the same train twice": (
        "TRAIN_TWICE",
        lambda a: replace(a, run=Run(a.run.routes * 2), revenue=0),
    ),
    "track that is not there": (
        "STOP_UNKNOWN",
        lambda a: replace(a, run=Run((Route(a.run.routes[0].train, ("Z9-0",)),)), revenue=0),
    ),
    "another run that pays less": (
        "AMOUNT_DIFFERS",
        lambda a: replace(a, others=(RankedRun(a.run, a.revenue - 20, 0),)),
    ),
    "a free optimum that pays less": (
        "AMOUNT_DIFFERS",
        lambda a: replace(a, free=RankedRun(a.run, a.revenue + 20, 0)),
    ),
}


def refused(lie: Lie, reports: Path) -> Failure:
    """Return how a call ends whose answer is a lie."""
    with serving(OneLegSolver(change=lie), reports=reports) as service:
        told = failure(lambda: service.routes.OptimizeRoutes(optimize_request("18GB-small")))
        assert service.telemetry().disagreements == 1
    return told


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_internal_and_reported(name: str, tmp_path: Path) -> None:
    """ErrorInfo names the report; the report has the request, the claim and the verdict."""
    code, lie = LIES[name]
    told = refused(lie, tmp_path / "reports")
    assert told.code is grpc.StatusCode.INTERNAL
    assert told.reason in (code, "ANSWER_NOT_CONFIRMED")
    (path,) = (tmp_path / "reports").iterdir()
    assert told.metadata["report"] == path.name
    report = read_report(path.read_text("utf-8"))
    assert report["method"] == "OptimizeRoutes"
    assert code in {claim["code"] for claim in report["evidence"]["claims"]}
    assert report["request"]["position"]["board"]["title"] == "18GB"
    assert "revenue" in report["evidence"]["verdict"]


def test_a_solver_that_tells_the_truth_is_believed(tmp_path: Path) -> None:
    """The check refuses lies, not answers."""
    with serving(OneLegSolver(), reports=tmp_path) as service:
        service.routes.OptimizeRoutes(optimize_request("18GB-small"))
        assert service.telemetry().disagreements == 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wish", ["idle", "avoid_hexes", "avoid_stops", "pinned"])
def test_a_wish_that_the_solver_ignores_is_a_lie_too(wish: str) -> None:
    """Idle trains, hexes and stops to avoid, pinned routes."""
    (route,) = validate_request("18GB-small").routes
    asked = request(position("18GB-small"))
    wishes = asked.options.wishes
    if wish == "idle":
        wishes.idle_trains.append(route.train_id)
    elif wish == "avoid_hexes":
        wishes.avoid_hexes.append("J3")
    elif wish == "avoid_stops":
        wishes.avoid_stops.append(route.stops[0])
    else:
        route.train_id = "5+2-1"
        wishes.pinned.append(route)
    with serving(OneLegSolver()) as service:
        told = failure(lambda: service.routes.OptimizeRoutes(asked))
    assert (told.code, told.reason) == (grpc.StatusCode.INTERNAL, "WISH_IGNORED")
    assert "report" not in told.metadata


def test_a_pinned_route_counts_in_both_directions() -> None:
    """And what is pinned may touch what others are to avoid."""
    (route,) = validate_request("18GB-small").routes
    asked = request(position("18GB-small"))
    pinned = asked.options.wishes.pinned.add(train_id=route.train_id, stops=route.stops[::-1])
    for leg in route.legs[::-1]:
        pinned.legs.add(paths=list(leg.paths)[::-1])
    asked.options.wishes.avoid_hexes.append(route.legs[0].paths[0].hex)
    with serving(OneLegSolver()) as service:
        answer = service.routes.OptimizeRoutes(asked)
    assert answer.solution.run.routes[0].route.train_id == route.train_id


def test_the_optimizers_own_alarm_is_reported_as_well(tmp_path: Path) -> None:
    """Its DisagreementError ends the call in the same way."""

    def alarmed(problem: RoutingProblem, **options: object) -> Solution:
        run = Run()
        raise DisagreementError("the words promise £10", problem, run, problem.judge(run), (10, 0))

    with serving(alarmed, reports=tmp_path) as service:
        told = failure(lambda: service.routes.OptimizeRoutes(optimize_request("1862-small")))
    assert (told.code, told.reason) == (grpc.StatusCode.INTERNAL, "AMOUNT_DIFFERS")
    (path,) = tmp_path.iterdir()
    assert read_report(path.read_text("utf-8"))["evidence"]["said"] == "the words promise £10"


def test_an_illegal_better_run_ends_a_stream(tmp_path: Path) -> None:
    """It is judged before it is told."""

    def hasty(problem: RoutingProblem, **options: object) -> Solution:
        progress = options["progress"]
        assert callable(progress)
        progress(Improvement(Run((Route("4X-0", ("Z9-0",)),)), Verdict(), 500))
        raise AssertionError("the desk has let an illegal run pass")

    asked = route_service_pb2.StreamOptimizeRoutesRequest(position=position("18GB-small"))
    with serving(hasty, reports=tmp_path) as service:
        told = failure(lambda: list(service.routes.StreamOptimizeRoutes(asked)))
    assert (told.code, told.reason) == (grpc.StatusCode.INTERNAL, "STOP_UNKNOWN")
    (path,) = tmp_path.iterdir()
    report = read_report(path.read_text("utf-8"))
    assert report["method"] == "StreamOptimizeRoutes"


def test_a_report_that_cannot_be_written_does_not_hide_the_disagreement(tmp_path: Path) -> None:
    """The caller is told of it, without the name of a report; the log says why."""
    taken = tmp_path / "taken"
    taken.touch()
    told = refused(LIES["more revenue"][1], taken)
    assert told.code is grpc.StatusCode.INTERNAL
    assert told.reason != "INTERNAL"
    assert "report" not in told.metadata


def test_without_a_folder_there_is_no_report() -> None:
    """The call ends in the same way."""
    with serving(IdleSolver(change=LIES["subsidy"][1])) as service:
        told = failure(lambda: service.routes.OptimizeRoutes(optimize_request("1862-small")))
    assert told.code is grpc.StatusCode.INTERNAL
    assert "report" not in told.metadata


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "no JSON"])
def test_what_is_no_report_is_not_read(text: str) -> None:
    """ValueError, which includes errors of JSON."""
    with pytest.raises(ValueError, match=r"report|Expecting"):
        read_report(text)
    assert read_report(json.dumps({"format": FORMAT}))
