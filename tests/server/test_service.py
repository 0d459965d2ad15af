"""Calls over the wire: answers, streams, time, cancelling, the queue, health, reflection, stop."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import grpc
import pytest
from bradshaw.v1 import route_service_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from engine.routing.position import MOST_TRAINS
from server import service as service_module
from server.logs import JsonFormatter
from tests.server.doubles import IdleSolver, OneLegSolver, StubbornSolver
from tests.server.harness import Service, eventually, failure, request, serving
from tests.server.requests import NAMES, optimize_request, position, validate_request


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service whose solver tries routes over one leg."""
    with serving(OneLegSolver()) as running:
        yield running


def streamed(name: str, **options: object) -> route_service_pb2.StreamOptimizeRoutesRequest:
    """Return a request to stream the answer to a small position."""
    return route_service_pb2.StreamOptimizeRoutesRequest(
        position=position(name),
        options=route_service_pb2.SolveOptions(**options),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_has_the_whole_account(service: Service, name: str) -> None:
    """Lines add up to routes, routes to the run; legs have both forms; stops have names."""
    solution = service.routes.OptimizeRoutes(optimize_request(name), timeout=10).solution
    run = solution.run
    assert solution.status == route_service_pb2.SOLUTION_STATUS_FEASIBLE
    assert run.revenue > 0
    assert sum(account.revenue for account in run.routes) == run.revenue <= solution.bound
    for account in run.routes:
        lines = [item for item in account.items if item.kind != "subsidy"]
        assert sum(item.amount for item in lines) == account.revenue
        assert [stop.id for stop in account.stops] == list(account.route.stops)
        assert any(stop.pays for stop in account.stops)
        for leg in account.route.legs:
            assert leg.paths[0].hex == leg.hexes[0]
            assert leg.paths[-1].hex == leg.hexes[-1]
    assert solution.stages[0].counts == {"routes": 1}


@pytest.mark.parametrize("name", NAMES)
def test_the_run_of_an_answer_is_a_run_to_validate(service: Service, name: str) -> None:
    """What OptimizeRoutes returns, ValidateRoutes accepts for the same money, in both forms of
    its legs."""
    run = service.routes.OptimizeRoutes(optimize_request(name), timeout=10).solution.run
    for form in ("paths", "hexes"):
        submitted = route_service_pb2.ValidateRoutesRequest(position=position(name))
        for account in run.routes:
            route = submitted.routes.add()
            route.CopyFrom(account.route)
            for leg in route.legs:
                leg.ClearField("hexes" if form == "paths" else "paths")
        answer = service.routes.ValidateRoutes(submitted, timeout=10)
        assert answer.legal, answer.faults
        assert (answer.run.revenue, answer.run.subsidy) == (run.revenue, run.subsidy)


def test_a_legal_run_is_legal(service: Service) -> None:
    """The run files of all titles."""
    for name in NAMES:
        answer = service.routes.ValidateRoutes(validate_request(name), timeout=10)
        assert answer.legal
        assert not answer.faults
        assert answer.run.revenue > 0


def test_an_illegal_run_is_data_in_the_answer(service: Service) -> None:
    """A stable code, the route, the field, the hex, a sentence and the rule; no amount."""
    submitted = validate_request("1862-small")
    submitted.routes.append(submitted.routes[0])
    answer = service.routes.ValidateRoutes(submitted, timeout=10)
    assert not answer.legal
    assert not answer.HasField("run")
    twice = next(fault for fault in answer.faults if fault.code == "TRAIN_TWICE")
    assert twice.route == 1
    assert twice.field.startswith("routes[1]")
    assert twice.message
    assert twice.section.startswith("1862 §")


def test_a_leg_that_is_not_there_is_data_too(service: Service) -> None:
    """A written route that means nothing, and a path that no face has."""
    submitted = validate_request("18GB-small")
    written = submitted.routes.add(train_id="5+2-1")
    written.legs.add(hexes=["A1", "B2"])
    answer = service.routes.ValidateRoutes(submitted, timeout=10)
    assert [(fault.code, fault.route) for fault in answer.faults] == [("ROUTE_VOID", 1)]
    submitted = validate_request("18GB-small")
    submitted.routes[0].legs[0].paths[0].path = -7
    answer = service.routes.ValidateRoutes(submitted, timeout=10)
    assert [fault.code for fault in answer.faults] == ["PATH_UNKNOWN"]


def test_no_routes_are_a_legal_run(service: Service) -> None:
    """A company may run nothing where no rule makes it run."""
    submitted = validate_request("18GB-small")
    del submitted.routes[:]
    answer = service.routes.ValidateRoutes(submitted, timeout=10)
    assert answer.legal
    assert answer.run.revenue == 0


def test_a_state_that_rules_forbid_is_a_failed_precondition(service: Service) -> None:
    """Well formed, but two tokens in one slot: type, subject and the rule."""
    asked = optimize_request("18GB-small")
    asked.position.board.tokens.add().CopyFrom(asked.position.board.tokens[0])
    asked.position.board.tokens[-1].corporation = "GWR"
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    assert told.code is grpc.StatusCode.FAILED_PRECONDITION
    number = len(asked.position.board.tokens) - 1
    assert told.forbidden[f"position.board.tokens[{number}].slot"] == "SLOT_TAKEN"
    assert not told.fields


def test_rules_and_overrides_reach_the_referee(service: Service) -> None:
    """The profile chosen in the request judges: a town in the space of a city, 18GB §11.3."""
    submitted = validate_request("18GB-small")
    submitted.position.rules.name = "rulebook"
    assert service.routes.ValidateRoutes(submitted, timeout=10).legal
    submitted.position.rules.overrides["towns_in_city_spaces"].string_value = "yes"
    told = failure(lambda: service.routes.ValidateRoutes(submitted, timeout=10))
    assert told.fields == {"position.rules.overrides[towns_in_city_spaces]": "OVERRIDE_TYPE"}


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_tells_better_runs_and_ends_with_the_answer(service: Service, name: str) -> None:
    """Each better than the one before; the last message, and only that, is the solution."""
    messages = list(service.routes.StreamOptimizeRoutes(streamed(name), timeout=10))
    *improvements, last = messages
    assert improvements
    assert {message.WhichOneof("event") for message in improvements} == {"improvement"}
    revenues = [message.improvement.revenue for message in improvements]
    assert revenues == sorted(set(revenues))
    for message in improvements:
        assert message.improvement.run.revenue == message.improvement.revenue
        assert message.improvement.bound == 10_000
    assert last.WhichOneof("event") == "solution"
    assert last.solution.run.revenue == revenues[-1]


def test_the_same_request_gets_the_same_answer(service: Service) -> None:
    """But for the times of the stages."""
    answers = [
        service.routes.OptimizeRoutes(optimize_request("1822-small"), timeout=10) for _ in range(3)
    ]
    for answer in answers:
        answer.solution.ClearField("stages")
        answer.solution.ClearField("solve_duration")
    assert answers[0] == answers[1] == answers[2]


def test_options_reach_the_solver() -> None:
    """Seed, algorithm, objective and time limit as asked; the default limit where none is."""
    solver = IdleSolver()
    with serving(solver, seconds=7.0) as service:
        asked = request(
            position("1862-small"),
            seed=5,
            algorithm="search",
            objective=route_service_pb2.OBJECTIVE_TOTAL,
        )
        service.routes.OptimizeRoutes(asked)
        asked.options.time_limit.seconds = 3
        service.routes.OptimizeRoutes(asked)
        service.routes.OptimizeRoutes(asked, timeout=1.0)
    first, limited, hurried = solver.asked
    assert (first["seed"], first["algorithm"], first["objective"]) == (5, "search", "total")
    assert 6.0 < float(str(first["left"])) <= 7.0
    assert 2.0 < float(str(limited["left"])) <= 3.0
    assert 0.5 < float(str(hurried["left"])) < 0.95, "the deadline less a margin"


def test_a_deadline_of_100_ms_is_kept() -> None:
    """The solver is stopped in time for its best run to arrive: OK, FEASIBLE, with a bound.

    One call in ten is enough: other programs may hold up any of them.
    """
    with serving(StubbornSolver()) as service:
        for _ in range(10):
            call = service.routes.OptimizeRoutes.future(optimize_request("1862-small"), timeout=0.1)
            if call.code() is grpc.StatusCode.OK:
                break
    answer = call.result()
    assert answer.solution.status == route_service_pb2.SOLUTION_STATUS_FEASIBLE
    assert answer.solution.bound > answer.solution.run.revenue


def test_a_hopeless_deadline_fails_as_such() -> None:
    """Less time than the margin: DEADLINE_EXCEEDED, and no solve goes on."""
    solver = StubbornSolver()
    with serving(solver) as service:
        with pytest.raises(grpc.RpcError) as caught:
            service.routes.OptimizeRoutes(optimize_request("1862-small"), timeout=0.005)
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED  # type: ignore[attr-defined]
        assert eventually(lambda: solver.running == 0)


@pytest.mark.parametrize("method", ["OptimizeRoutes", "StreamOptimizeRoutes"])
def test_a_cancelled_call_frees_its_worker_at_once(method: str) -> None:
    """Also while it waits in the queue; the next call is served."""
    solver = StubbornSolver()
    with serving(solver, workers=1, queue=4) as service:
        running = _begin(service, method)
        assert eventually(lambda: solver.running == 1)
        waiting = _begin(service, method)
        assert eventually(lambda: service.telemetry().queue_length == 1)
        waiting.cancel()
        assert eventually(lambda: service.telemetry().queue_length == 0)
        started = time.monotonic()
        running.cancel()
        assert eventually(lambda: solver.running == 0, 1.0)
        assert time.monotonic() - started < 0.5
        assert eventually(lambda: service.telemetry().workers_busy == 0)
        assert (solver.ended, solver.cancelled) == (1, 1)
        ends = {(call.method, call.code): call.count for call in service.telemetry().calls}
        assert ends == {(method, "CANCELLED"): 2}
        assert service.routes.OptimizeRoutes(optimize_request("1862-small"), timeout=0.3)


def _begin(service: Service, method: str) -> grpc.Future:
    """Start a call that takes as long as its solver likes."""
    if method == "OptimizeRoutes":
        return service.routes.OptimizeRoutes.future(optimize_request("1862-small"))
    call = service.routes.StreamOptimizeRoutes(streamed("1862-small"))
    threading.Thread(target=lambda: _drain(call), daemon=True).start()
    return call


def _drain(call: Iterator[object]) -> None:
    try:
        list(call)
    except grpc.RpcError:
        return


def test_a_full_queue_pushes_back() -> None:
    """RESOURCE_EXHAUSTED with RetryInfo; those that wait are served all the same."""
    solver = StubbornSolver()
    with serving(solver, workers=1, queue=2) as service:
        asked = optimize_request("1862-small")
        asked.options.time_limit.FromMilliseconds(300)
        with ThreadPoolExecutor(3) as clients:
            calls = [clients.submit(lambda: service.routes.OptimizeRoutes(asked)) for _ in range(3)]
            assert eventually(lambda: service.telemetry().queue_length == 2)
            told = failure(lambda: service.routes.OptimizeRoutes(asked))
            assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert told.reason == "QUEUE_FULL"
            assert told.retry_seconds is not None
            assert told.retry_seconds > 0
            assert all(call.result(10).HasField("solution") for call in calls)
        assert solver.ended == 3


def test_health_and_reflection(service: Service) -> None:
    """SERVING for the whole and for each service; reflection lists all five."""
    health = health_pb2_grpc.HealthStub(service.channel)
    own = {f"bradshaw.v1.{name}Service" for name in ("Game", "Route", "Telemetry")}
    for name in ("", *own):
        answer = health.Check(health_pb2.HealthCheckRequest(service=name), timeout=5)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
    stub = reflection_pb2_grpc.ServerReflectionStub(service.channel)
    asked = reflection_pb2.ServerReflectionRequest(list_services="")
    (listed,) = stub.ServerReflectionInfo(iter([asked]), timeout=5)
    names = {entry.name for entry in listed.list_services_response.service}
    assert names == own | {
        "grpc.health.v1.Health",
        "grpc.reflection.v1alpha.ServerReflection",
    }


def test_stopping_ends_running_calls_and_refuses_new_ones() -> None:
    """NOT_SERVING at once; calls that outlive the grace end, running or waiting, as UNAVAILABLE
    with the time after which to try again; the worker is freed."""
    solver = StubbornSolver()
    with serving(solver, workers=1, grace=0.5) as service:
        running = service.routes.OptimizeRoutes.future(optimize_request("1862-small"))
        assert eventually(lambda: solver.running == 1)
        waiting = service.routes.OptimizeRoutes.future(optimize_request("1862-small"))
        assert eventually(lambda: service.telemetry().queue_length == 1)
        started = time.monotonic()
        stopping = asyncio.run_coroutine_threadsafe(service.app.stop(), service.loop)
        stopping.result(10)
        assert 0.4 < time.monotonic() - started < 3
        for call in (running, waiting):
            told = failure(call.result)
            assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "NOT_READY")
            assert told.retry_seconds
        assert (solver.running, solver.cancelled) == (0, 1)
        with pytest.raises(grpc.RpcError) as caught:
            service.routes.ListGames(route_service_pb2.ListGamesRequest(), timeout=1)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE  # type: ignore[attr-defined]


def test_who_only_watches_does_not_hold_up_the_end() -> None:
    """A stream of health stays open for ever; it is told NOT_SERVING and ended at once."""
    with serving(StubbornSolver(), workers=1, grace=20.0) as service:
        health = health_pb2_grpc.HealthStub(service.channel)
        watched = health.Watch(health_pb2.HealthCheckRequest(service=""))
        assert next(watched).status == health_pb2.HealthCheckResponse.SERVING
        started = time.monotonic()
        asyncio.run_coroutine_threadsafe(service.app.stop(), service.loop).result(10)
        assert time.monotonic() - started < 5
        assert next(watched).status == health_pb2.HealthCheckResponse.NOT_SERVING


def test_every_fault_of_a_request_is_told_at_once(service: Service) -> None:
    """First those of form, in all fields; then those of what the fields say, in all fields."""
    asked = optimize_request("18GB-small")
    asked.options.seed = -1
    asked.options.run_count = 99
    asked.ClearField("position")
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    assert told.fields == {
        "position": "REQUIRED",
        "options.seed": "OUT_OF_RANGE",
        "options.run_count": "OUT_OF_RANGE",
    }
    asked = optimize_request("18GB-small")
    asked.options.algorithm = "luck"
    asked.options.wishes.idle_trains.append("no train")
    asked.position.rules.name = "none"
    asked.position.company.trains.add(id="x", name="99")
    asked.position.board.tiles[0].rotation = 9
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    state = {
        "position.board.tiles[0].rotation": "ROTATION_OUT_OF_RANGE",
        f"position.company.trains[{len(asked.position.company.trains) - 1}].name": "TRAIN_UNKNOWN",
    }
    others = {
        "position.rules.name": "PROFILE_UNKNOWN",
        "options.wishes.idle_trains[0]": "TRAIN_UNKNOWN",
        "options.algorithm": "ALGORITHM_UNKNOWN",
    }
    assert told.fields == {**state, **others}
    del asked.position.company.trains[-1]
    asked.position.company.mail_contracts = 1
    asked.position.company.home.hex = "D23"
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    assert told.fields == {
        "position.board.tiles[0].rotation": "ROTATION_OUT_OF_RANGE",
        "position.company.mail_contracts": "FIELD_NOT_IN_GAME",
        **others,
    }
    asked.position.board.title = "1999"
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    assert told.fields == {
        "position.board.title": "GAME_UNKNOWN",
        "options.wishes.idle_trains[0]": "TRAIN_UNKNOWN",
        "options.algorithm": "ALGORITHM_UNKNOWN",
    }


@pytest.mark.parametrize("number", [MOST_TRAINS + 1, 51, 400])
def test_there_is_one_limit_of_trains(service: Service, number: int) -> None:
    """That of the engine, and it is that which is told."""
    asked = optimize_request("18GB-small")
    name = asked.position.company.trains[0].name
    del asked.position.company.trains[:]
    for n in range(number):
        asked.position.company.trains.add(id=str(n), name=name)
    told = failure(lambda: service.routes.OptimizeRoutes(asked, timeout=10))
    assert told.fields == {"position.company.trains": "TRAINS_TOO_MANY"}
    assert f"{MOST_TRAINS} is the most" in told.message


def test_requests_are_read_beside_the_event_loop(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request of some MiB takes a second to read; the calls of others go on meanwhile."""
    readers: list[int] = []
    for name in ("question_from", "submission_from"):
        read = getattr(service_module, name)

        def noting(request: Any, read: Any = read) -> Any:
            readers.append(threading.get_ident())
            return read(request)

        monkeypatch.setattr(service_module, name, noting)
    service.routes.OptimizeRoutes(optimize_request("18GB-small"), timeout=10)
    service.routes.ValidateRoutes(validate_request("18GB-small"), timeout=10)
    ident = asyncio.run_coroutine_threadsafe(_ident(), service.loop).result(5)
    assert len(readers) == 2
    assert ident not in readers


async def _ident() -> int:
    return threading.get_ident()


def test_a_call_that_ends_within_the_grace_is_answered() -> None:
    """Stopping waits for it."""
    with serving(StubbornSolver(), workers=1, grace=5.0) as service:
        asked = optimize_request("1862-small")
        asked.options.time_limit.FromMilliseconds(300)
        running = service.routes.OptimizeRoutes.future(asked)
        assert eventually(lambda: service.telemetry().workers_busy == 1)
        asyncio.run_coroutine_threadsafe(service.app.stop(), service.loop).result(10)
        assert running.result(5).HasField("solution")


def test_a_failing_solver_is_internal_and_says_nothing_of_itself() -> None:
    """The client learns no more than that; the worker lives on."""

    def broken(problem: object, **options: object) -> None:
        raise ZeroDivisionError("secret of the house")

    with serving(broken, workers=1) as service:  # type: ignore[arg-type]
        for _ in range(3):
            call = lambda: service.routes.OptimizeRoutes(optimize_request("1862-small"))  # noqa: E731
            told = failure(call)
            assert (told.code, told.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
            assert "secret" not in told.message


def test_one_line_of_the_log_for_each_call(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    """JSON with method, title, trains, status, time and proof."""
    caplog.set_level(logging.INFO, "bradshaw.calls")
    service.routes.OptimizeRoutes(optimize_request("18GB-small"), timeout=10)
    failure(lambda: service.routes.GetGame(route_service_pb2.GetGameRequest(name="games/18XX")))
    assert eventually(lambda: len(caplog.records) == 2)
    first, second = (json.loads(JsonFormatter().format(record)) for record in caplog.records)
    assert first["event"] == "call"
    assert first["method"] == "OptimizeRoutes"
    assert first["title"] == "18GB"
    assert first["trains"] == ["4X", "5+2"]
    assert first["status"] == "OK"
    assert first["solution"] == "FEASIBLE"
    assert first["proof"] == ""
    assert first["ms"] >= 0
    assert (second["method"], second["status"]) == ("GetGame", "NOT_FOUND")


def test_telemetry_counts_calls_by_method_and_status() -> None:
    """And their latencies, in buckets that add up."""
    with serving(IdleSolver()) as service:
        for _ in range(3):
            service.routes.OptimizeRoutes(optimize_request("1862-small"), timeout=10)
        failure(lambda: service.routes.OptimizeRoutes(request(position("1862-small"), seed=-1)))
        seen = service.telemetry()
    counts = {(call.method, call.code): call.count for call in seen.calls}
    assert counts == {("OptimizeRoutes", "OK"): 3, ("OptimizeRoutes", "INVALID_ARGUMENT"): 1}
    (latency,) = seen.latencies
    assert latency.count == sum(bucket.count for bucket in latency.buckets) == 4
    assert seen.workers == 2
    assert seen.peak_memory_bytes > 10 * 2**20
