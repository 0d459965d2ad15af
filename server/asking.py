"""Asking in this process or a service over gRPC: what clients of both services share.

An answer that is an error is a google.rpc.Status, whichever way it came.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import grpc
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status

from engine.errors import BradshawError
from optimizer.stop import Stop
from server.app import CHANNEL_OPTIONS
from server.convert.statuses import status_of
from server.settings import Settings

T = TypeVar("T")


class StatusError(Exception):
    """The answer is an error.

    Attributes
    ----------
    status
        What went wrong, with details.
    """

    def __init__(self, status: status_pb2.Status) -> None:
        super().__init__(status.message)
        self.status = status


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let an interrupt from the keyboard wait until a block of imports has ended.

    Extensions would turn it into an ImportError.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda *what: came.append(what))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if came:
        handler(*came[0])


class InProcess:
    """Answers in this process.

    Parameters
    ----------
    settings
        Time limit of requests that give none.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._running = Stop()

    def end(self) -> None:
        """End the solve that is running; it answers with the best run so far."""
        self._running.cancel()

    def aside(self, work: Callable[[], T]) -> T:
        """Do work on a thread of its own, so that an interrupt from the keyboard comes through.

        While a solver runs on the main thread none does. An interrupt that becomes an exception
        ends the solve first.
        """
        with ThreadPoolExecutor(1) as thread:
            doing = thread.submit(work)
            try:
                return doing.result()
            except KeyboardInterrupt:
                self.end()
                raise

    @contextmanager
    def solving(self, seconds: float | None) -> Iterator[Stop]:
        """Give the time that a request has for a solve, which :meth:`end` ends."""
        stop = Stop(self._settings.effective(seconds, None))
        with self._running.during(stop.cancel):
            yield stop


class OverTheWire:
    """Asks a service.

    Parameters
    ----------
    address
        ``HOST:PORT``.
    make_stub
        Makes the stub of the service from a channel.
    """

    def __init__(self, address: str, make_stub: Callable[[grpc.Channel], Any]) -> None:
        self.stub = make_stub(grpc.insecure_channel(address, options=CHANNEL_OPTIONS))
        self._call: Any = None

    def end(self) -> None:
        """Cancel the call that is running."""
        if self._call is not None:
            self._call.cancel()

    def ask(self, method: Any, request: Any) -> Any:
        """Return the answer to a call.

        Raises
        ------
        StatusError
            The call failed or was cancelled.
        """
        self._call = method.future(request)
        try:
            return self._call.result()
        except grpc.FutureCancelledError:
            status = status_pb2.Status(code=code_pb2.CANCELLED, message="the call was cancelled")
            raise StatusError(status) from None
        except grpc.RpcError as error:
            raise _status_error(error) from error

    def stream(self, method: Any, request: Any) -> Iterator[Any]:
        """Yield what a service streams.

        Raises
        ------
        StatusError
            The call failed or was cancelled.
        """
        self._call = method(request)
        try:
            yield from self._call
        except grpc.RpcError as error:
            raise _status_error(error) from error


def told(work: Callable[[], T]) -> T:
    """Do something in this process; an error of the domain becomes a status.

    Raises
    ------
    StatusError
        The work ended with such an error.
    """
    try:
        return work()
    except BradshawError as error:
        raise StatusError(status_of(error)) from error


def _status_error(error: Any) -> StatusError:
    """Return what a failed call says, with its details if it has any."""
    status = rpc_status.from_call(error)
    if status is None:
        code, _ = error.code().value
        status = status_pb2.Status(code=code, message=error.details() or error.code().name)
    return StatusError(status)
