"""The service as a whole: ports, health, reflection, start and stop."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import time
from typing import Any

import grpc
from bradshaw.v1 import (
    game_service_pb2,
    game_service_pb2_grpc,
    route_service_pb2,
    route_service_pb2_grpc,
    telemetry_service_pb2,
    telemetry_service_pb2_grpc,
)
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from engine.games import all_games
from engine.play.game import course_maker
from optimizer import solve, warm_up
from server.calls import Calls, DecodeInterceptor
from server.desk import Desk, Solver
from server.game_service import GameService
from server.logs import event
from server.pool import Pool
from server.service import RouteService, TelemetryService
from server.settings import CHANNEL_OPTIONS, Settings
from server.telemetry import Telemetry

LOG = logging.getLogger("bradshaw.app")
SERVICES = (
    route_service_pb2.DESCRIPTOR.services_by_name["RouteService"].full_name,
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"].full_name,
    telemetry_service_pb2.DESCRIPTOR.services_by_name["TelemetryService"].full_name,
)
LAST_WORDS = 1.0
"""Seconds after the grace in which calls that were ended say so themselves."""
GOODBYE = 0.1
"""Seconds in which the last answers leave."""
TELL_EVERY = 300.0
"""Seconds between two summaries in the log."""


class App:
    """A service that can be started and stopped within an event loop.

    Parameters
    ----------
    settings
        Address and limits.
    solver
        The optimizer; the default is :func:`optimizer.solve`.
    """

    def __init__(self, settings: Settings, solver: Solver | None = None) -> None:
        self.settings = settings
        self.telemetry = Telemetry()
        self.calls = Calls(self.telemetry)
        self.pool = Pool(settings.workers, settings.queue)
        self.port = 0
        self._solve = solver
        self._health = health.aio.HealthServicer()
        self._server: Any = None

    async def start(self) -> None:
        """Listen, load everything, then report SERVING.

        Raises
        ------
        RuntimeError
            The address is in use or cannot be listened on.
        """
        await self._report_health(health_pb2.HealthCheckResponse.NOT_SERVING)
        solver = self._solve
        if solver is None:
            solver = await asyncio.to_thread(_load_solver)
        # grpc.aio binds a server to the loop that runs when it is made.
        self._server = grpc.aio.server(
            options=(*CHANNEL_OPTIONS, ("grpc.so_reuseport", 0)),
            interceptors=(DecodeInterceptor(),),
        )
        desk = Desk(solver)
        service = RouteService(desk, self.pool, self.calls, self.settings)
        route_service_pb2_grpc.add_RouteServiceServicer_to_server(service, self._server)
        games = GameService(desk, self.pool, self.calls, self.settings)
        game_service_pb2_grpc.add_GameServiceServicer_to_server(games, self._server)
        telemetry_service_pb2_grpc.add_TelemetryServiceServicer_to_server(
            TelemetryService(self.pool, self.calls), self._server
        )
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        names = (*SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, self._server)
        address = f"{self.settings.host}:{self.settings.port}"
        self.port = self._server.add_insecure_port(address)
        await self._server.start()
        started = time.monotonic()
        await asyncio.to_thread(_load_games)
        gc.collect()
        gc.freeze()
        self.calls.ready = True
        await self._report_health(health_pb2.HealthCheckResponse.SERVING)
        fields = {
            "host": self.settings.host,
            "port": self.port,
            "workers": self.settings.workers,
            "queue": self.settings.queue,
            "load_ms": round((time.monotonic() - started) * 1000),
        }
        event(LOG, "serving", fields)

    async def stop(self) -> None:
        """Report NOT_SERVING, let running calls end, then stop."""
        event(LOG, "stopping", {})
        self.calls.ready = False
        await self._health.enter_graceful_shutdown()
        closing = asyncio.ensure_future(self._server.stop(self.settings.grace + LAST_WORDS))
        await self.pool.close(self.settings.grace)
        await self.calls.ended(LAST_WORDS)
        # What is left watches: streams of health and reflection would stay for the whole grace.
        await self._server.stop(GOODBYE)
        await closing
        event(LOG, "stopped", self.telemetry.summary())

    async def run(self) -> None:
        """Start, serve until SIGTERM or SIGINT, stop; a second signal ends the grace."""
        end = asyncio.Event()
        loop = asyncio.get_running_loop()

        def heed() -> None:
            if end.is_set():
                self.pool.hurry()
            end.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, heed)
        await self.start()
        while not end.is_set():
            try:
                await asyncio.wait_for(end.wait(), TELL_EVERY)
            except TimeoutError:
                event(LOG, "telemetry", self.telemetry.summary())
        await self.stop()

    async def _report_health(self, status: int) -> None:
        for name in ("", *SERVICES):
            await self._health.set(name, status)


def _load_solver() -> Solver:
    """Import the optimizer with all that it calls, CP-SAT too, which takes seconds."""
    warm_up()
    return solve


def _load_games() -> None:
    """Read the data files of all games, and import what plays those that can be played."""
    for game in all_games().values():
        for name in game.map_files:
            for tile in game.atlas(name).tiles.values():
                _ = tile.faces  # kept from now on
        course_maker(game)
