"""Two ways to ask about whole games: in this process, or a service over gRPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import grpc
from bradshaw.v1 import game_service_pb2, game_service_pb2_grpc
from google.rpc import code_pb2, status_pb2

from engine.errors import BradshawError
from optimizer.stop import Stop
from server.app import CHANNEL_OPTIONS, load_solver
from server.autorun import auto_run
from server.client import StatusError, status_error
from server.convert.games import (
    actions_from,
    applied_message,
    auto_run_message,
    replay_message,
    replay_source_from,
    run_question,
    run_source_from,
)
from server.convert.statuses import status_of
from server.desk import Desk
from server.gamebook import Gamebook
from server.settings import Settings

T = TypeVar("T")


class GameClient(Protocol):
    """Something that answers requests about whole games; StatusError if it cannot."""

    def replay(
        self, request: game_service_pb2.ReplayGameRequest
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""

    def apply(
        self, request: game_service_pb2.ApplyActionsRequest
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""

    def run(self, request: game_service_pb2.RunTrainsRequest) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""

    def end(self) -> None:
        """End the solve that is running, from another thread or a signal handler."""


class LocalGameClient:
    """Answers in this process.

    Parameters
    ----------
    settings
        Time limit of requests that give none.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self._settings = settings or Settings()
        self._book = Gamebook()
        self._running = Stop()

    def replay(
        self, request: game_service_pb2.ReplayGameRequest
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""
        return _told(lambda: replay_message(self._book.open(replay_source_from(request), Stop())))

    def apply(
        self, request: game_service_pb2.ApplyActionsRequest
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""

        def work() -> game_service_pb2.ApplyActionsResponse:
            source, actions = actions_from(request)
            game = self._book.open(source, Stop())
            return applied_message(*self._book.apply(game, actions, Stop()))

        return _told(work)

    def run(self, request: game_service_pb2.RunTrainsRequest) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""

        def work() -> game_service_pb2.RunTrainsResponse:
            play = self._book.open(run_source_from(request), Stop()).play
            question = run_question(request, play)
            desk = Desk(load_solver())
            stop = Stop(self._settings.effective(question.seconds, None))
            with self._running.during(stop.cancel):
                found = auto_run(play, desk, stop, question)
            return auto_run_message(play, found)

        return _told(work)

    def end(self) -> None:
        """End the solve that is running; it answers with the best run so far."""
        self._running.cancel()


def _told(work: Callable[[], T]) -> T:
    """Do something; an error of the domain becomes a status."""
    try:
        return work()
    except BradshawError as error:
        raise StatusError(status_of(error)) from error


class RemoteGameClient:
    """Asks a service.

    Parameters
    ----------
    address
        ``HOST:PORT``.
    """

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=CHANNEL_OPTIONS)
        self._stub = game_service_pb2_grpc.GameServiceStub(self._channel)
        self._call: Any = None

    def replay(
        self, request: game_service_pb2.ReplayGameRequest
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""
        answer: game_service_pb2.ReplayGameResponse = self._ask(self._stub.ReplayGame, request)
        return answer

    def apply(
        self, request: game_service_pb2.ApplyActionsRequest
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""
        answer: game_service_pb2.ApplyActionsResponse = self._ask(self._stub.ApplyActions, request)
        return answer

    def run(self, request: game_service_pb2.RunTrainsRequest) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""
        answer: game_service_pb2.RunTrainsResponse = self._ask(self._stub.RunTrains, request)
        return answer

    def end(self) -> None:
        """Cancel the call that is running."""
        if self._call is not None:
            self._call.cancel()

    def _ask(self, method: Any, request: Any) -> Any:
        self._call = method.future(request)
        try:
            return self._call.result()
        except grpc.FutureCancelledError:
            status = status_pb2.Status(code=code_pb2.CANCELLED, message="the call was cancelled")
            raise StatusError(status) from None
        except grpc.RpcError as error:
            raise status_error(error) from error
