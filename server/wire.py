"""Asking a service over gRPC: what clients of both services share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import grpc
from google.rpc import code_pb2, status_pb2
from grpc_status import rpc_status

from server.asking import StatusError
from server.settings import CHANNEL_OPTIONS


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


def _status_error(error: Any) -> StatusError:
    """Return what a failed call says, with its details if it has any."""
    status = rpc_status.from_call(error)
    if status is None:
        code, _ = error.code().value
        status = status_pb2.Status(code=code, message=error.details() or error.code().name)
    return StatusError(status)
