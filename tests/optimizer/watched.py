"""A stop that watches how often it is asked."""

from __future__ import annotations

import time

from optimizer.stop import Stop


class Watched(Stop):
    """Takes the longest computing time from one look at the clock to the next, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self._last = time.thread_time()

    def over(self) -> bool:
        """Tell whether the solve must end now."""
        now = time.thread_time()
        self.longest = max(self.longest, now - self._last)
        self._last = now
        return super().over()
