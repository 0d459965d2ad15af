"""Interrupts from the keyboard while modules are imported."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Let an interrupt end the program during a block as it ends others, without a traceback.

    Nothing is changed where interrupts are not Python's own affair: a shell that lets a program
    run on in the background has them ignored, and a caller may have a handler.
    """
    heeded = (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        if heeded:
            signal.signal(signal.SIGINT, signal.default_int_handler)
