"""A service of one's own on a loopback port, and clients for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from bradshaw.v1 import (
    board_pb2,
    route_service_pb2,
    route_service_pb2_grpc,
    telemetry_service_pb2,
    telemetry_service_pb2_grpc,
)
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from server.app import CHANNEL_OPTIONS, App
from server.desk import Solver
from server.settings import Settings


@dataclass
class Service:
    """A running service and a channel to it."""

    app: App
    channel: grpc.Channel
    loop: asyncio.AbstractEventLoop

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.app.port}"

    @property
    def routes(self) -> route_service_pb2_grpc.RouteServiceStub:
        """A client of RouteService."""
        return route_service_pb2_grpc.RouteServiceStub(self.channel)

    def telemetry(self) -> telemetry_service_pb2.GetTelemetryResponse:
        """What the service has done."""
        stub = telemetry_service_pb2_grpc.TelemetryServiceStub(self.channel)
        return stub.GetTelemetry(telemetry_service_pb2.GetTelemetryRequest(), timeout=5)


@contextmanager
def serving(solve: Solver | None = None, **settings: Any) -> Iterator[Service]:
    """Run a service in a thread of its own over a block."""
    defaults: dict[str, Any] = {"port": 0, "workers": 2, "queue": 8, "grace": 2.0}
    app = App(Settings(**{**defaults, **settings}), solve)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(app.start(), loop).result(60)
        with grpc.insecure_channel(f"127.0.0.1:{app.port}", options=CHANNEL_OPTIONS) as channel:
            try:
                yield Service(app, channel, loop)
            finally:
                asyncio.run_coroutine_threadsafe(app.stop(), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


@dataclass
class Failure:
    """A failed call with its details."""

    code: grpc.StatusCode
    message: str
    reason: str
    domain: str
    metadata: Mapping[str, str]
    fields: Mapping[str, str]
    """Reason by field path of the BadRequest."""
    forbidden: Mapping[str, str]
    """Type by subject of the PreconditionFailure."""
    retry_seconds: float | None


def failure(call: Callable[[], Any]) -> Failure:
    """Return how a call fails; AssertionError if it does not."""
    try:
        call()
    except grpc.RpcError as error:
        return _failure(error)
    raise AssertionError("the call did not fail")


def _failure(error: Any) -> Failure:
    status = rpc_status.from_call(error)
    assert status is not None, f"no details: {error.code()} {error.details()}"
    info = error_details_pb2.ErrorInfo()
    bad, forbidden = error_details_pb2.BadRequest(), error_details_pb2.PreconditionFailure()
    retry = error_details_pb2.RetryInfo()
    seconds = None
    for detail in status.details:
        if detail.Unpack(retry):
            seconds = retry.retry_delay.ToMilliseconds() / 1000
        else:
            assert any(detail.Unpack(kind) for kind in (info, bad, forbidden))
    return Failure(
        code=error.code(),
        message=status.message,
        reason=info.reason,
        domain=info.domain,
        metadata=dict(info.metadata),
        fields={v.field: v.reason for v in bad.field_violations},
        forbidden={v.subject: v.type for v in forbidden.violations},
        retry_seconds=seconds,
    )


def request(
    position: board_pb2.Position, **options: Any
) -> route_service_pb2.OptimizeRoutesRequest:
    """Return a request to optimize a position."""
    return route_service_pb2.OptimizeRoutesRequest(
        position=position, options=route_service_pb2.SolveOptions(**options)
    )


def eventually(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    """Tell whether something comes to hold within some seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return holds()
