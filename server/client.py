"""Two ways to ask about runs: in this process, or a service over gRPC."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from bradshaw.v1 import route_service_pb2

from engine.routing.run import Position
from server.asking import InProcess, load_solver, told, undisturbed
from server.confirm import JudgedRun
from server.convert.answers import improvement_message, ruling_message, solution_message
from server.convert.catalogue import game_list
from server.convert.requests import question_from, submission_from
from server.desk import Desk, validate

Told = Callable[[route_service_pb2.Improvement], None]


class Client(Protocol):
    """Something that answers requests."""

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, better: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run; StatusError if there is none. `better` is told of better
        runs on the way."""

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run; StatusError if there is none."""

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""

    def end(self) -> None:
        """End the solve that is running, from another thread or a signal handler."""


class LocalClient(InProcess):
    """Answers in this process."""

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, better: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run."""
        started = time.monotonic()

        def improved(position: Position, judged: JudgedRun, bound: int) -> None:
            seconds = time.monotonic() - started
            better(improvement_message(position, judged, bound, seconds))

        def work() -> route_service_pb2.OptimizeRoutesResponse:
            question = question_from(request)
            with undisturbed():
                desk = Desk(load_solver())
            with self.solving(question.seconds) as stop:
                answer = self.aside(lambda: desk.optimize(question, stop, improved))
            return route_service_pb2.OptimizeRoutesResponse(solution=solution_message(answer))

        return told(work)

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run."""
        return told(lambda: ruling_message(validate(submission_from(request))))

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""
        return game_list(route_service_pb2.ListGamesRequest())


class RemoteClient:
    """Asks a service, at ``HOST:PORT``. Only this needs gRPC, and imports it."""

    def __init__(self, address: str) -> None:
        with undisturbed():
            from bradshaw.v1.route_service_pb2_grpc import RouteServiceStub

            from server.wire import OverTheWire
        self._wire = OverTheWire(address, RouteServiceStub)

    def end(self) -> None:
        """Cancel the call that is running."""
        self._wire.end()

    def optimize(
        self, request: route_service_pb2.OptimizeRoutesRequest, better: Told
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run, as the stream of the service ends with it."""
        streamed = route_service_pb2.StreamOptimizeRoutesRequest(
            position=request.position, options=request.options
        )
        answer = route_service_pb2.OptimizeRoutesResponse()
        for message in self._wire.stream(self._wire.stub.StreamOptimizeRoutes, streamed):
            if message.WhichOneof("event") == "improvement":
                better(message.improvement)
            else:
                answer.solution.CopyFrom(message.solution)
        return answer

    def validate(
        self, request: route_service_pb2.ValidateRoutesRequest
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Return the verdict on a run."""
        answer: route_service_pb2.ValidateRoutesResponse
        answer = self._wire.ask(self._wire.stub.ValidateRoutes, request)
        return answer

    def games(self) -> route_service_pb2.ListGamesResponse:
        """Return all games."""
        answer: route_service_pb2.ListGamesResponse
        answer = self._wire.ask(self._wire.stub.ListGames, route_service_pb2.ListGamesRequest())
        return answer
