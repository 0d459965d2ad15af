"""When to stop: a deadline, a cancelled call, or both."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Stop:
    """Tells a solve when to end.

    Parameters
    ----------
    seconds
        Time limit from now, or None for no limit.

    Notes
    -----
    Thread-safe: :meth:`cancel` may be called from any thread. Loops of the
    optimizer ask :meth:`over` at least every few milliseconds; calls into
    solvers register with :meth:`during` a function that interrupts them. A signal
    handler may call :meth:`cancel` as well, whatever the main thread does at that moment.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._cancelled = False
        self._lock = threading.RLock()
        self._interrupts: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """True once :meth:`cancel` was called."""
        return self._cancelled

    def cancel(self) -> None:
        """End the solve as soon as possible."""
        self._cancelled = True
        with self._lock:
            interrupts = list(self._interrupts)
        for interrupt in interrupts:
            interrupt()

    def over(self) -> bool:
        """Tell whether the solve must end now."""
        return self._cancelled or (self._end is not None and time.monotonic() >= self._end)

    def left(self) -> float | None:
        """Return the seconds left, at least 0, or None without a limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Add what the block takes to the time limit: loading code is no part of a solve."""
        start = time.monotonic()
        try:
            yield
        finally:
            if self._end is not None:
                self._end += time.monotonic() - start

    @contextmanager
    def during(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Call `interrupt` if :meth:`cancel` is called inside the block."""
        with self._lock:
            self._interrupts.append(interrupt)
        try:
            if self.cancelled:
                interrupt()
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)
