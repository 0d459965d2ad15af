"""Counters and latencies of the service since it started."""

from __future__ import annotations

import resource
import sys
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

LIMITS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper limits of the latency buckets in seconds; one more bucket has none."""


@dataclass
class Histogram:
    """Latencies of a method, in seconds."""

    buckets: list[int] = field(default_factory=lambda: [0] * (len(LIMITS) + 1))
    total: float = 0.0

    @property
    def count(self) -> int:
        """Number of calls."""
        return sum(self.buckets)

    def add(self, seconds: float) -> None:
        """Count a call."""
        self.buckets[bisect_left(LIMITS, seconds)] += 1
        self.total += seconds

    def quantile(self, share: float) -> float:
        """Return the limit, in seconds, that at least `share` of the calls keep;
        infinite if they do not all keep the last."""
        wanted, seen = share * self.count, 0
        for number, calls in enumerate(self.buckets[:-1]):
            seen += calls
            if seen >= wanted:
                return LIMITS[number]
        return float("inf")


class Telemetry:
    """What happened; used on the event loop only."""

    def __init__(self) -> None:
        self.started = time.time()
        self.calls: Counter[tuple[str, str]] = Counter()
        self.latencies: dict[str, Histogram] = {}
        self.disagreements = 0

    def count(self, method: str, code: str, seconds: float) -> None:
        """Count a call that has ended."""
        self.calls[method, code] += 1
        self.latencies.setdefault(method, Histogram()).add(seconds)

    def summary(self) -> dict[str, object]:
        """Return the counters for a line of the log."""
        return {
            "calls": {f"{method} {code}": n for (method, code), n in sorted(self.calls.items())},
            "p50_s": {name: h.quantile(0.5) for name, h in sorted(self.latencies.items())},
            "p95_s": {name: h.quantile(0.95) for name, h in sorted(self.latencies.items())},
            "disagreements": self.disagreements,
            "peak_memory_mib": round(peak_memory() / 2**20, 1),
        }


def peak_memory() -> int:
    """Return the largest resident memory of this process so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
