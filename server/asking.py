"""Asking in this process: what clients of both services share.

An answer that is an error is a google.rpc.Status, whichever way it came.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from google.rpc import status_pb2

from engine.errors import BradshawError
from optimizer import Stop, solve
from server.convert.statuses import status_of
from server.desk import Solver
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


def load_solver() -> Solver:
    """Return the optimizer, which imports what a solve needs when it needs it."""
    return solve


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
