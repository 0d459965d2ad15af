"""Worker threads with a bounded queue before them.

A call takes a place when it comes and gives it back when its work has really
ended, also after the caller has gone: so the number of solves never exceeds
the workers, and the number of waiting calls never exceeds the queue.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from engine.words import counted
from optimizer.stop import Stop
from server.errors import CancelledError, DeadlineError, NotReadyError, QueueFullError

T = TypeVar("T")
LOG = logging.getLogger("bradshaw.pool")

FIRST_GUESS = 0.1
"""Seconds that a call is supposed to take before any has ended."""
AFTER_STOP = 1.0
"""Seconds after which a service that stops may be back."""


@dataclass
class Load:
    """How busy a pool is."""

    workers: int
    busy: int
    waiting: int
    limit: int


class Pool:
    """Runs blocking work on threads, for one event loop.

    Parameters
    ----------
    workers
        Threads.
    queue
        Calls that may wait for a thread.
    """

    def __init__(self, workers: int, queue: int) -> None:
        self.workers = workers
        self.queue = queue
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="solver")
        self._places = 0
        self._busy = 0
        self._usual = FIRST_GUESS
        self._stops: set[Stop] = set()
        self._closed = False
        self._hurried = False

    @property
    def load(self) -> Load:
        """How busy the pool is at the moment."""
        return Load(self.workers, self._busy, max(0, self._places - self._busy), self.queue)

    async def run(self, work: Callable[[Stop], T]) -> T:
        """Run `work` on a thread and return what it returns.

        Parameters
        ----------
        work
            Given a stop that is cancelled when the caller goes away or the
            pool closes.

        Raises
        ------
        QueueFullError
            Every place is taken.
        NotReadyError
            The pool is closing.
        """
        if self._closed:
            raise NotReadyError("the service is stopping", AFTER_STOP)
        if self._places >= self.workers + self.queue:
            wait = max(FIRST_GUESS, self._usual * self._places / self.workers)
            waiting = counted(self.queue, "call")
            busy = f"all workers are busy, and no more than {waiting} may wait"
            raise QueueFullError(f"{busy}; try again in {wait:.1f} s", wait)
        loop = asyncio.get_running_loop()
        stop = Stop()

        def begin() -> T:
            if stop.cancelled:
                raise NotReadyError("the service is stopping", AFTER_STOP)
            loop.call_soon_threadsafe(self._begin)
            started = time.monotonic()
            try:
                return work(stop)
            except (CancelledError, DeadlineError) as error:
                if self._closed and stop.cancelled:
                    raise NotReadyError("the service is stopping", AFTER_STOP) from error
                raise
            finally:
                loop.call_soon_threadsafe(self._end, time.monotonic() - started)

        self._places += 1
        self._stops.add(stop)
        future = self._executor.submit(begin)
        future.add_done_callback(lambda done: loop.call_soon_threadsafe(self._leave, stop, done))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            stop.cancel()
            raise

    async def close(self, grace: float) -> None:
        """Take no more work, let running work end for `grace` seconds, then cancel it."""
        self._closed = True
        end = time.monotonic() + grace
        while self._places and time.monotonic() < end and not self._hurried:
            await asyncio.sleep(0.02)
        for stop in list(self._stops):
            stop.cancel()
        await asyncio.get_running_loop().run_in_executor(None, self._executor.shutdown)

    def hurry(self) -> None:
        """End the grace of :meth:`close`."""
        self._hurried = True

    def _begin(self) -> None:
        self._busy += 1

    def _end(self, seconds: float) -> None:
        self._busy -= 1
        self._usual += (seconds - self._usual) / 8

    def _leave(self, stop: Stop, future: Future[T]) -> None:
        self._places -= 1
        self._stops.discard(stop)
        if stop.cancelled and not future.cancelled():
            error = future.exception()
            if error is not None:
                LOG.debug("cancelled work ended with %r", error)
