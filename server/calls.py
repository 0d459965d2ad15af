"""One call from its coming to its end: status, log line, counters."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import status_pb2
from grpc_status import rpc_status

from engine.errors import Fault
from server.convert.statuses import status_of
from server.errors import NotReadyError, RequestError
from server.logs import event
from server.telemetry import Telemetry

LOG = logging.getLogger("bradshaw.calls")
PREFIX = "/bradshaw.v1."


class Undecoded:
    """Stands for a request whose bytes are no message."""


class Calls:
    """Follows the calls of the service.

    Parameters
    ----------
    telemetry
        Counts them.
    """

    def __init__(self, telemetry: Telemetry) -> None:
        self.telemetry = telemetry
        self.ready = False
        self._running = 0

    @asynccontextmanager
    async def follow(
        self, method: str, request: object, context: Any
    ) -> AsyncIterator[dict[str, object]]:
        """Follow a call over a block; errors of the block become its status.

        Yields
        ------
        dict
            Fields for the line of the log, to be filled by the block.
        """
        fields: dict[str, object] = {"method": method}
        started = time.monotonic()
        code = "OK"
        self._running += 1
        try:
            if isinstance(request, Undecoded):
                message = f"the bytes are no {method}Request"
                raise RequestError([Fault("NOT_A_MESSAGE", "", message)])
            if not self.ready:
                raise NotReadyError("the service is starting or stopping", 1.0)
            yield fields
        except (asyncio.CancelledError, GeneratorExit):  # the caller went away
            code = grpc.StatusCode.CANCELLED.name
            raise
        except Exception as error:  # every error becomes a status; none is lost
            status = status_of(error)
            code = _name(status)
            fields["error"] = str(error)
            if code == grpc.StatusCode.INTERNAL.name:
                event(LOG, "failure", {"method": method}, logging.ERROR, trace=True)
            failed = rpc_status.to_status(status)
            await context.abort(failed.code, failed.details, failed.trailing_metadata)
        finally:
            self._running -= 1
            seconds = time.monotonic() - started
            self.telemetry.count(method, code, seconds)
            fields.update(status=code, ms=round(seconds * 1000, 1))
            event(LOG, "call", fields)

    async def ended(self, seconds: float) -> None:
        """Wait until no call is running, but at most some seconds."""
        end = time.monotonic() + seconds
        while self._running and time.monotonic() < end:
            await asyncio.sleep(0.01)


def time_left(context: Any) -> Callable[[], float] | None:
    """Return a function that tells the seconds until the deadline, or None without one."""
    remaining = context.time_remaining()
    if remaining is None:
        return None
    end = time.monotonic() + remaining
    return lambda: end - time.monotonic()


def _name(status: status_pb2.Status) -> str:
    return str(rpc_status.to_status(status).code.name)


class DecodeInterceptor(grpc.aio.ServerInterceptor):  # type: ignore[misc]
    """Lets bytes that are no message through as :class:`Undecoded`, so that the
    call ends as INVALID_ARGUMENT with details like any other bad request."""

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        """Replace the deserializer of our own methods."""
        handler = await continuation(details)
        if handler is None or not details.method.startswith(PREFIX):
            return handler
        decode = handler.request_deserializer

        def tolerant(data: bytes) -> Message | Undecoded:
            try:
                decoded: Message = decode(data)
                return decoded
            except DecodeError:
                return Undecoded()

        return handler._replace(request_deserializer=tolerant)
