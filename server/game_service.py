"""GameService over grpc.aio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from bradshaw.v1 import game_service_pb2, game_service_pb2_grpc

from optimizer.stop import Stop
from server.autorun import auto_run
from server.calls import Calls, time_left
from server.convert.games import (
    actions_from,
    applied_message,
    auto_run_message,
    legal_message,
    look_message,
    page_from,
    replay_message,
    replay_source_from,
    run_question,
    run_source_from,
    source_from,
)
from server.desk import Desk
from server.errors import CancelledError, DeadlineError
from server.gamebook import Gamebook, Opened, Source
from server.pool import Pool
from server.settings import Settings

T = TypeVar("T")


class GameService(game_service_pb2_grpc.GameServiceServicer):
    """Answers the calls of GameService.

    Parameters
    ----------
    desk
        Finds best runs.
    pool
        Threads on which games are played and runs are found.
    calls
        Follows the calls.
    settings
        Limits.
    """

    def __init__(self, desk: Desk, pool: Pool, calls: Calls, settings: Settings) -> None:
        self._book = Gamebook()
        self._desk = desk
        self._pool = pool
        self._calls = calls
        self._settings = settings

    async def ReplayGame(
        self, request: game_service_pb2.ReplayGameRequest, context: Any
    ) -> game_service_pb2.ReplayGameResponse:
        """Replay a game file."""
        async with self._calls.follow("ReplayGame", request, context) as fields:
            source = replay_source_from(request)
            return await self._play(source, context, fields, lambda game, _: replay_message(game))
        raise AssertionError("a failed call is aborted")

    async def GetState(
        self, request: game_service_pb2.GetStateRequest, context: Any
    ) -> game_service_pb2.GetStateResponse:
        """Return the state of a game."""
        async with self._calls.follow("GetState", request, context) as fields:
            source = source_from(request)
            return await self._play(source, context, fields, lambda game, _: look_message(game))
        raise AssertionError("a failed call is aborted")

    async def ListLegalActions(
        self, request: game_service_pb2.ListLegalActionsRequest, context: Any
    ) -> game_service_pb2.ListLegalActionsResponse:
        """List what may be done."""
        async with self._calls.follow("ListLegalActions", request, context) as fields:
            source, (start, size) = page_from(request)
            return await self._play(
                source, context, fields, lambda game, _: legal_message(game, start, size)
            )
        raise AssertionError("a failed call is aborted")

    async def ApplyActions(
        self, request: game_service_pb2.ApplyActionsRequest, context: Any
    ) -> game_service_pb2.ApplyActionsResponse:
        """Play actions."""
        async with self._calls.follow("ApplyActions", request, context) as fields:
            source, actions = await asyncio.to_thread(actions_from, request)
            fields["actions"] = len(actions)

            def work(game: Opened, stop: Stop) -> game_service_pb2.ApplyActionsResponse:
                return applied_message(*self._book.apply(game, actions, stop))

            return await self._play(source, context, fields, work)
        raise AssertionError("a failed call is aborted")

    async def RunTrains(
        self, request: game_service_pb2.RunTrainsRequest, context: Any
    ) -> game_service_pb2.RunTrainsResponse:
        """Return the best run as actions."""
        async with self._calls.follow("RunTrains", request, context) as fields:
            source = await asyncio.to_thread(run_source_from, request)

            def work(game: Opened, stop: Stop) -> game_service_pb2.RunTrainsResponse:
                question = run_question(request, game.play)
                fields["corporation"] = question.situation.company.corporation
                left = self._settings.effective(question.seconds, stop.left())
                solving = Stop(left)
                with stop.during(solving.cancel):
                    found = auto_run(game.play, self._desk, solving, question)
                if stop.cancelled:
                    raise CancelledError("the call was cancelled")
                fields["revenue"] = found.answer.best.verdict.revenue
                return auto_run_message(game.play, found)

            return await self._play(source, context, fields, work)
        raise AssertionError("a failed call is aborted")

    async def _play(
        self,
        source: Source,
        context: Any,
        fields: dict[str, object],
        work: Callable[[Opened, Stop], T],
    ) -> T:
        """Open a game on a worker and do something with it, within the deadline of the call."""
        left = time_left(context)

        def opened(gone: Stop) -> T:
            seconds = left and left()
            if seconds is not None and seconds <= 0:
                raise DeadlineError("no time was left when a worker took the call")
            stop = Stop(seconds)
            with gone.during(stop.cancel):
                game = self._book.open(source, stop)
                fields["title"] = game.play.setting.title
                return work(game, stop)

        return await self._pool.run(opened)
