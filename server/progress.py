"""How far long work is: a bar on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PATIENCE = 1.0
"""Seconds after which work counts as long; shorter work shows nothing and imports nothing."""


class Progress:
    """A bar on standard error, once the work has taken longer than the patience.

    Parameters
    ----------
    what
        What is done, for people.
    total
        How many steps there are, or None if that is not known.
    """

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._lock = threading.Lock()
        self._ended = False
        self._bar: Any = None
        self._task: Any = None

    def tell(self, what: str) -> None:
        """Say what is done at the moment, or what has been found."""
        with self._lock:
            self._what = what
            self._update()

    def advance(self) -> None:
        """Count a step."""
        with self._lock:
            self._done += 1
            self._update()

    def show(self) -> None:
        """Show the bar, unless the work has ended."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        text = TextColumn("{task.description}", markup=False)
        known = (BarColumn(), MofNCompleteColumn()) if self._total is not None else (BarColumn(),)
        with self._lock:
            if self._ended:
                return
            columns = (text, *known, TimeElapsedColumn())
            self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(self._what, total=self._total, completed=self._done)
            self._bar.start()

    def end(self) -> None:
        """Take the bar away."""
        with self._lock:
            self._ended = True
            if self._bar is not None:
                self._bar.stop()

    def _update(self) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=self._what, completed=self._done)


@contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Progress]:
    """Show how far work is over a block if it takes long and standard error is a terminal.

    Parameters
    ----------
    what, total
        As :class:`Progress` takes them.
    """
    told = Progress(what, total)
    timer = threading.Timer(PATIENCE, told.show)
    timer.daemon = True
    if sys.stderr.isatty():
        timer.start()
    try:
        yield told
    finally:
        timer.cancel()
        told.end()
