"""Two ways to ask about whole games: in this process, or a service over gRPC."""

from __future__ import annotations

from typing import Protocol

from bradshaw.v1 import game_service_pb2

from optimizer.stop import Stop
from server.asking import InProcess, load_solver, told, undisturbed
from server.autorun import auto_run
from server.convert.games import (
    actions_from,
    applied_message,
    auto_run_message,
    replay_message,
    replay_source_from,
    run_question,
    run_source_from,
)
from server.desk import Desk
from server.gamebook import Gamebook
from server.settings import Settings


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


class LocalGameClient(InProcess):
    """Answers in this process."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._book = Gamebook()

    def replay(
        self, request: game_service_pb2.ReplayGameRequest
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""
        return told(lambda: replay_message(self._book.open(replay_source_from(request), Stop())))

    def apply(
        self, request: game_service_pb2.ApplyActionsRequest
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""

        def work() -> game_service_pb2.ApplyActionsResponse:
            source, actions = actions_from(request)
            game = self._book.open(source, Stop())
            return applied_message(*self._book.apply(game, actions, Stop()))

        return told(work)

    def run(self, request: game_service_pb2.RunTrainsRequest) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""

        def work() -> game_service_pb2.RunTrainsResponse:
            play = self._book.open(run_source_from(request), self._running).play
            question = run_question(request, play)
            with undisturbed():
                desk = Desk(load_solver())
            with self.solving(question.seconds) as stop:
                found = self.aside(lambda: auto_run(play, desk, stop, question))
            return auto_run_message(play, found)

        return told(work)


class RemoteGameClient:
    """Asks a service, at ``HOST:PORT``. Only this needs gRPC, and imports it."""

    def __init__(self, address: str) -> None:
        with undisturbed():
            from bradshaw.v1.game_service_pb2_grpc import GameServiceStub

            from server.wire import OverTheWire
        self._wire = OverTheWire(address, GameServiceStub)

    def end(self) -> None:
        """Cancel the call that is running."""
        self._wire.end()

    def replay(
        self, request: game_service_pb2.ReplayGameRequest
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""
        answer: game_service_pb2.ReplayGameResponse = self._wire.ask(
            self._wire.stub.ReplayGame, request
        )
        return answer

    def apply(
        self, request: game_service_pb2.ApplyActionsRequest
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""
        answer: game_service_pb2.ApplyActionsResponse = self._wire.ask(
            self._wire.stub.ApplyActions, request
        )
        return answer

    def run(self, request: game_service_pb2.RunTrainsRequest) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""
        answer: game_service_pb2.RunTrainsResponse = self._wire.ask(
            self._wire.stub.RunTrains, request
        )
        return answer
