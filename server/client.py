"""Two ways to ask: in this process, or a service over gRPC. Both answer with messages.

An answer that is an error is a google.rpc.Status, whichever way it came.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import grpc
from bradshaw.v1 import route_service_pb2, route_service_pb2_grpc
from google.rpc import status_pb2
from grpc_status import rpc_status

from engine.errors import BradshawError
from engine.routing.run import Position
from optimizer.stop import Stop
from server.app import CHANNEL_OPTIONS, load_solver
from server.confirm import JudgedRun
from server.convert.answers import improvement_message, ruling_message, solution_message
from server.convert.catalogue import game_list
from server.convert.requests import question_from, submission_from
from server.convert.statuses import status_of
from server.desk import Desk, validate
from server.settings import Settings

Told = Callable[[route_service_pb2.Improvement], None]


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


class Client(Protocol):
    """Something that answers requests."""

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, told: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run; StatusError if there is none. `told` of better runs on the way."""

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run; StatusError if there is none."""

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""

    def end(self) -> None:
        """End the solve that is running, from another thread or a signal handler."""


class LocalClient:
    """Answers in this process.

    Parameters
    ----------
    settings
        Time limit of requests that give none.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._running = Stop()

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, told: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run."""
        started = time.monotonic()

        def better(position: Position, judged: JudgedRun, bound: int) -> None:
            seconds = time.monotonic() - started
            told(improvement_message(position, judged, bound, seconds))

        try:
            question = question_from(request)
            desk = Desk(load_solver())
            stop = Stop(self._settings.effective(question.seconds, None))
            with self._running.during(stop.cancel):
                answer = desk.optimize(question, stop, better)
        except BradshawError as error:
            raise StatusError(status_of(error)) from error
        return route_service_pb2.OptimizeRoutesResponse(solution=solution_message(answer))

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run."""
        try:
            return ruling_message(validate(submission_from(request)))
        except BradshawError as error:
            raise StatusError(status_of(error)) from error

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""
        return game_list(route_service_pb2.ListGamesRequest())

    def end(self) -> None:
        """End the solve that is running; it answers with the best run so far."""
        self._running.cancel()


class RemoteClient:
    """Asks a service.

    Parameters
    ----------
    address
        ``HOST:PORT``.
    """

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub = route_service_pb2_grpc.RouteServiceStub(self._channel)
        self._call: Any = None

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, told: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run, as the stream of the service ends with it."""
        streamed = route_service_pb2.StreamOptimizeRoutesRequest(
            position=request.position, options=request.options
        )
        answer = route_service_pb2.OptimizeRoutesResponse()
        try:
            self._call = self._stub.StreamOptimizeRoutes(streamed)
            for message in self._call:
                if message.WhichOneof("event") == "improvement":
                    told(message.improvement)
                else:
                    answer.solution.CopyFrom(message.solution)
        except grpc.RpcError as error:
            raise status_error(error) from error
        return answer

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run."""
        try:
            answer: route_service_pb2.ValidateRoutesResponse = self._stub.ValidateRoutes(request)
        except grpc.RpcError as error:
            raise status_error(error) from error
        return answer

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""
        request = route_service_pb2.ListGamesRequest()
        try:
            answer: route_service_pb2.ListGamesResponse = self._stub.ListGames(request)
        except grpc.RpcError as error:
            raise status_error(error) from error
        return answer

    def end(self) -> None:
        """Cancel the call that is running."""
        if self._call is not None:
            self._call.cancel()


def status_error(error: Any) -> StatusError:
    """Return what a failed call says, with its details if it has any."""
    status = rpc_status.from_call(error)
    if status is None:
        code, _ = error.code().value
        status = status_pb2.Status(code=code, message=error.details() or error.code().name)
    return StatusError(status)
