"""Hundreds of malformed requests: each is told what is wrong with it, none hurts the service."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from bradshaw.v1 import route_service_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.server.doubles import IdleSolver
from tests.server.fields import names_field
from tests.server.harness import Service, failure, serving
from tests.server.malformed import WAYS
from tests.server.requests import NAMES, optimize_request

REFUSED = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION)
FORBIDDEN = {
    "token twice",
    "hex twice",
    "kind of company",
    "mail above",
}
"""Ways for which a game may answer FAILED_PRECONDITION: a rule forbids the state."""


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service whose solver runs nothing."""
    with serving(IdleSolver()) as running:
        yield running


@pytest.mark.parametrize("name", NAMES)
def test_the_request_before_it_is_spoilt_is_fine(service: Service, name: str) -> None:
    """Otherwise the malformed requests would prove nothing."""
    answer = service.routes.OptimizeRoutes(optimize_request(name), timeout=10)
    assert answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL


def test_there_are_more_than_two_hundred() -> None:
    """The number of malformed requests below, 1 for each way and position."""
    assert len(WAYS) * len(NAMES) > 200


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", NAMES)
def test_a_malformed_request_is_told_its_field(service: Service, name: str, way: str) -> None:
    """INVALID_ARGUMENT with the path of the field; FAILED_PRECONDITION only where a rule forbids
    the state. ErrorInfo is always there, and every path names a field of the message."""
    field, spoil = WAYS[way]
    request = optimize_request(name)
    spoil(request)
    told = failure(lambda: service.routes.OptimizeRoutes(request, timeout=10))
    allowed = REFUSED if way in FORBIDDEN else REFUSED[:1]
    assert told.code in allowed, told
    assert told.domain == "bradshaw"
    assert told.reason
    paths = {**told.fields, **told.forbidden}
    assert any(path.startswith(field) for path in paths), told
    for path, code in paths.items():
        assert names_field(route_service_pb2.OptimizeRoutesRequest.DESCRIPTOR, path), path
        assert code.isupper()
    assert bool(told.fields) == (told.code is grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize("way", WAYS)
def test_the_other_methods_refuse_it_too(service: Service, way: str) -> None:
    """A malformed position is no better in StreamOptimizeRoutes and ValidateRoutes."""
    field, spoil = WAYS[way]
    request = optimize_request("1862-small")
    spoil(request)
    streamed = route_service_pb2.StreamOptimizeRoutesRequest()
    streamed.MergeFromString(request.SerializeToString())
    told = failure(lambda: list(service.routes.StreamOptimizeRoutes(streamed, timeout=10)))
    assert told.code in REFUSED
    if field.startswith("position"):
        validated = route_service_pb2.ValidateRoutesRequest()
        if request.HasField("position"):
            validated.position.CopyFrom(request.position)
        told = failure(lambda: service.routes.ValidateRoutes(validated, timeout=10))
        assert told.code in REFUSED


def test_bytes_that_are_no_message_are_a_bad_request(service: Service) -> None:
    """Not INTERNAL, and with an ErrorInfo like any other."""
    for method in ("OptimizeRoutes", "ValidateRoutes", "GetGame"):
        call = service.channel.unary_unary(f"/bradshaw.v1.RouteService/{method}")
        told = failure(lambda call=call: call(b"\xff\xff\xff\xff", timeout=5))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "NOT_A_MESSAGE")
    stream = service.channel.unary_stream("/bradshaw.v1.RouteService/StreamOptimizeRoutes")
    told = failure(lambda: list(stream(b"\x0a\xff", timeout=5)))
    assert told.reason == "NOT_A_MESSAGE"


def test_a_message_above_8_mib_is_refused_by_grpc(service: Service) -> None:
    """RESOURCE_EXHAUSTED, before anything is read."""
    request = route_service_pb2.OptimizeRoutesRequest()
    request.position.board.title = "x" * (8 * 2**20 + 1)
    with pytest.raises(grpc.RpcError) as caught:
        service.routes.OptimizeRoutes(request, timeout=10)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED  # type: ignore[attr-defined]


def test_a_message_of_7_mib_is_read_and_refused_for_what_it_says(service: Service) -> None:
    """Messages up to 8 MiB reach the service."""
    request = route_service_pb2.OptimizeRoutesRequest()
    request.position.board.title = "x" * (7 * 2**20)
    request.position.board.phase = "A"
    request.position.company.corporation = "ECR"
    told = failure(lambda: service.routes.OptimizeRoutes(request, timeout=10))
    assert told.fields == {"position.board.title": "TEXT_TOO_LONG"}


def test_thousands_of_faults_fit_the_trailers(service: Service) -> None:
    """gRPC allows 8 KiB of trailers: some faults are shown, all are counted."""
    request = optimize_request("1822-small")
    for number in range(400):
        request.position.board.tiles.add(hex="ü" * 60, tile=f"€{number}", rotation=9)
    told = failure(lambda: service.routes.OptimizeRoutes(request, timeout=10))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert int(told.metadata["faults"]) > 1000
    assert len(told.fields) > 1


def test_the_service_is_healthy_afterwards(service: Service) -> None:
    """It still answers, nothing waits, and no call ended as INTERNAL or UNKNOWN."""
    stub = health_pb2_grpc.HealthStub(service.channel)
    health = stub.Check(health_pb2.HealthCheckRequest(), timeout=5)
    assert health.status == health_pb2.HealthCheckResponse.SERVING
    answer = service.routes.OptimizeRoutes(optimize_request("18GB-small"), timeout=10)
    assert answer.HasField("solution")
    seen = service.telemetry()
    assert (seen.workers_busy, seen.queue_length) == (0, 0)
    assert not {call.code for call in seen.calls} & {"INTERNAL", "UNKNOWN"}
