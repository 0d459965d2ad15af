"""The exit codes of ``bradshaw``; :mod:`server.cli` says what each means."""

from __future__ import annotations

OK, NOT_AS_HOPED, BAD_INPUT, FAILED = 0, 1, 2, 3
INTERRUPTED = 130
"""After an interrupt from the keyboard, as shells have it."""
