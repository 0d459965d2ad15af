"""What can be set when the service starts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

MOST_MESSAGE_BYTES = 8 * 2**20
"""Largest message in either direction."""

CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", MOST_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MOST_MESSAGE_BYTES),
)
"""Of a channel, at both ends."""

LEVELS = ("debug", "info", "warning", "error")
"""Of the log."""


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Settings:
    """Settings of the service.

    Parameters
    ----------
    host, port
        Address to listen on; port 0 takes a free one.
    workers
        Solves at the same time.
    queue
        Calls that may wait for a worker.
    seconds
        Time limit of a request that gives none.
    margin
        Part of the time left to a call that is kept for the check and the way
        back; at least `least_margin`.
    least_margin
        In seconds.
    grace
        Seconds that running calls have to end when the service stops.
    reports
        Folder for reports of answers that the referee did not confirm, or None.
    held_titles, held_bytes
        Most titles that clients described that are held, and most bytes of their
        descriptions together; the ones not asked for longest go first.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    workers: int = field(default_factory=cores)
    queue: int = 64
    seconds: float = 30.0
    margin: float = 0.1
    least_margin: float = 0.03
    grace: float = 10.0
    reports: Path | None = None
    held_titles: int = 32
    held_bytes: int = 32 * 2**20

    def effective(self, asked: float | None, left: float | None) -> float:
        """Return the time for a solve in seconds; not positive if none is left.

        Parameters
        ----------
        asked
            Limit of the request, or None.
        left
            Seconds until the deadline of the call, or None.
        """
        limit = self.seconds if asked is None else asked
        if left is None:
            return limit
        return min(limit, left - max(self.least_margin, self.margin * left))
