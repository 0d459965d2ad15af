"""RouteService and TelemetryService over grpc.aio."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from typing import Any, TypeVar

from bradshaw.v1 import (
    route_service_pb2,
    route_service_pb2_grpc,
    telemetry_service_pb2,
    telemetry_service_pb2_grpc,
)
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine.routing.run import Position
from optimizer.stop import Stop
from server.calls import Calls, time_left
from server.confirm import Answer, JudgedRun, UnconfirmedError
from server.convert.answers import (
    evidence,
    improvement_message,
    ruling_message,
    solution_message,
)
from server.convert.catalogue import COLLECTION, game_list, game_named
from server.convert.figures import telemetry_message
from server.convert.requests import OptimizeRequest, question_from, submission_from
from server.convert.titles import definition_message
from server.desk import Better, Desk, validate
from server.errors import CancelledError, DeadlineError
from server.logs import event
from server.pool import Pool
from server.question import Question, Situation
from server.reports import write_report
from server.settings import Settings
from server.titles import PREFIX

LOG = logging.getLogger("bradshaw.service")
T = TypeVar("T")


class RouteService(route_service_pb2_grpc.RouteServiceServicer):
    """Answers the calls of RouteService.

    Parameters
    ----------
    desk
        Answers questions.
    pool
        Threads on which it does so.
    calls
        Follows the calls.
    settings
        Limits and folders.
    """

    def __init__(self, desk: Desk, pool: Pool, calls: Calls, settings: Settings) -> None:
        self._desk = desk
        self._pool = pool
        self._calls = calls
        self._settings = settings

    async def OptimizeRoutes(
        self, request: route_service_pb2.OptimizeRoutesRequest, context: Any
    ) -> route_service_pb2.OptimizeRoutesResponse:
        """Return the best run."""
        async with self._calls.follow("OptimizeRoutes", request, context) as fields:
            solution = await self._solve("OptimizeRoutes", request, context, fields, None)
            return route_service_pb2.OptimizeRoutesResponse(solution=solution)
        raise AssertionError("a failed call is aborted")

    async def StreamOptimizeRoutes(
        self, request: route_service_pb2.StreamOptimizeRoutesRequest, context: Any
    ) -> AsyncIterator[route_service_pb2.StreamOptimizeRoutesResponse]:
        """Yield each better run, then the answer."""
        async with self._calls.follow("StreamOptimizeRoutes", request, context) as fields:
            waiting: asyncio.Queue[route_service_pb2.Improvement | None] = asyncio.Queue()
            loop = asyncio.get_running_loop()
            started = time.monotonic()

            def better(position: Position, judged: JudgedRun, bound: int) -> None:
                seconds = time.monotonic() - started
                message = improvement_message(position, judged, bound, seconds)
                loop.call_soon_threadsafe(waiting.put_nowait, message)

            method = "StreamOptimizeRoutes"
            solving = asyncio.ensure_future(self._solve(method, request, context, fields, better))
            solving.add_done_callback(lambda _: waiting.put_nowait(None))
            try:
                while (improvement := await waiting.get()) is not None:
                    yield route_service_pb2.StreamOptimizeRoutesResponse(improvement=improvement)
                solution = await solving
            finally:
                solving.cancel()
            yield route_service_pb2.StreamOptimizeRoutesResponse(solution=solution)

    async def ValidateRoutes(
        self, request: route_service_pb2.ValidateRoutesRequest, context: Any
    ) -> route_service_pb2.ValidateRoutesResponse:
        """Say whether a run is legal and what it pays."""
        async with self._calls.follow("ValidateRoutes", request, context) as fields:
            left = time_left(context)
            submission = await asyncio.to_thread(submission_from, request)
            _note(fields, submission.situation)

            def work(stop: Stop) -> route_service_pb2.ValidateRoutesResponse:
                if left is not None and left() <= 0:
                    raise DeadlineError("no time was left when a worker took the call")
                return ruling_message(validate(submission))

            message = await self._pool.run(work)
            fields["legal"] = message.legal
            return message
        raise AssertionError("a failed call is aborted")

    async def ListGames(
        self, request: route_service_pb2.ListGamesRequest, context: Any
    ) -> route_service_pb2.ListGamesResponse:
        """List the games."""
        async with self._calls.follow("ListGames", request, context):
            # On a thread, for the first call reads the maps of all titles.
            return await asyncio.to_thread(game_list, request)
        raise AssertionError("a failed call is aborted")

    async def GetGame(
        self, request: route_service_pb2.GetGameRequest, context: Any
    ) -> route_service_pb2.GetGameResponse:
        """Return all facts of a game."""
        async with self._calls.follow("GetGame", request, context) as fields:
            fields["name"] = request.name
            held = request.name.startswith(COLLECTION + PREFIX)
            return await asyncio.to_thread(game_named if held else _game, request)
        raise AssertionError("a failed call is aborted")

    async def DefineTitle(
        self, request: route_service_pb2.DefineTitleRequest, context: Any
    ) -> route_service_pb2.DefineTitleResponse:
        """Make a title of its description and hold it."""
        async with self._calls.follow("DefineTitle", request, context) as fields:
            message = await self._pool.run(lambda _: definition_message(request))
            fields["title"] = message.title
            return message
        raise AssertionError("a failed call is aborted")

    async def _solve(
        self,
        method: str,
        request: OptimizeRequest,
        context: Any,
        fields: dict[str, object],
        better: Better | None,
    ) -> route_service_pb2.Solution:
        left = time_left(context)
        came = time.monotonic()
        # On a thread, for a request of some MiB takes its time and other calls go on.
        question = await asyncio.to_thread(question_from, request)
        _note(fields, question.situation)

        def work(gone: Stop) -> Answer:
            fields["queue_ms"] = round((time.monotonic() - came) * 1000, 1)
            return self._within(question, left, gone, better)

        try:
            answer = await self._pool.run(work)
        except UnconfirmedError as error:
            self._report(method, request, error)
            raise
        solution = answer.solution
        fields.update(
            solution=solution.status.value,
            proof=solution.proof,
            revenue=solution.revenue,
            bound=solution.bound,
            solve_ms=round(solution.ms, 1),
        )
        return await asyncio.to_thread(solution_message, answer)

    def _within(
        self,
        question: Question,
        left: Callable[[], float] | None,
        gone: Stop,
        better: Better | None,
    ) -> Answer:
        """Answer a question within the effective time; `gone` is cancelled with the call."""
        seconds = self._settings.effective(question.seconds, left and left())
        if seconds <= 0:
            raise DeadlineError("no time was left when a worker took the call")
        stop = Stop(seconds)
        with gone.during(stop.cancel):
            answer = self._desk.optimize(question, stop, better)
        if gone.cancelled:
            raise CancelledError("the call was cancelled")
        return answer

    def _report(self, method: str, request: Message, error: UnconfirmedError) -> None:
        self._calls.telemetry.disagreements += 1
        if self._settings.reports is not None:
            try:
                path = write_report(
                    self._settings.reports, method, MessageToDict(request), evidence(error)
                )
                error.report = path.name
            except OSError:  # the caller is told of the disagreement all the same
                event(LOG, "report not written", {"method": method}, logging.ERROR, trace=True)
        event(LOG, "disagreement", {"said": error.said, "report": error.report}, logging.ERROR)


def _note(fields: dict[str, object], situation: Situation) -> None:
    """Note for the log what a call is about."""
    fields["title"] = situation.board.title
    fields["corporation"] = situation.company.corporation
    fields["trains"] = [train.name for train in situation.company.trains]


def _game(request: route_service_pb2.GetGameRequest) -> route_service_pb2.GetGameResponse:
    return _known_game(request.name)


@lru_cache(maxsize=32)
def _known_game(name: str) -> route_service_pb2.GetGameResponse:
    return game_named(route_service_pb2.GetGameRequest(name=name))


class TelemetryService(telemetry_service_pb2_grpc.TelemetryServiceServicer):
    """Tells what the service has done."""

    def __init__(self, pool: Pool, calls: Calls) -> None:
        self._pool = pool
        self._calls = calls

    async def GetTelemetry(
        self, request: telemetry_service_pb2.GetTelemetryRequest, context: Any
    ) -> telemetry_service_pb2.GetTelemetryResponse:
        """Return counters, latencies and load."""
        return telemetry_message(self._calls.telemetry, self._pool.load)
