"""What a list of measurements amounts to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.measure import Measured


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the smallest value that `percent` % of the values do not exceed.

    >>> percentile([1, 2, 3, 4], 50), percentile([1, 2, 3, 4], 95)
    (2, 4)
    """
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def summarise(measured: Iterable[Measured]) -> dict[str, dict[str, Any]]:
    """Return the summary of each algorithm.

    ``proven`` is the share of positions with a proof; ``above``, ``equal`` and
    ``below`` count answers against the recorded run where its worth is known,
    ``optimum_missed`` those that fall short of a known optimum or claim more.
    """
    by_algorithm: dict[str, list[Measured]] = {}
    for one in measured:
        by_algorithm.setdefault(one.algorithm, []).append(one)
    return {name: _summary(some) for name, some in by_algorithm.items()}


def _summary(some: Sequence[Measured]) -> dict[str, Any]:
    times = [one.ms for one in some]
    gains = [
        one.revenue - one.checked_revenue
        for one in some
        if one.revenue is not None and one.checked_revenue is not None
    ]
    return {
        "positions": len(some),
        "proven": round(sum(one.status == "OPTIMAL" for one in some) / len(some), 4),
        "p50": percentile(times, 50),
        "p90": percentile(times, 90),
        "p95": percentile(times, 95),
        "p99": percentile(times, 99),
        "max": max(times),
        "cpu_p50": percentile([one.cpu_ms for one in some], 50),
        "cpu_p95": percentile([one.cpu_ms for one in some], 95),
        "cpu_max": max(one.cpu_ms for one in some),
        "above": sum(gain > 0 for gain in gains),
        "equal": sum(gain == 0 for gain in gains),
        "below": sum(gain < 0 for gain in gains),
        "errors": sum(one.revenue is None for one in some),
        "referee_disagrees": sum(one.referee_agrees is False for one in some),
        "optimum_known": sum(one.optimum is not None for one in some),
        "optimum_missed": sum(misses_optimum(one) for one in some),
    }


TITLE_HEAD = (
    "title", "positions", "priced right", "proven", "below", "cpu p50 ms", "p95", "max",
)  # fmt: skip
"""Heads of the columns of :func:`by_title`."""


def by_title(measured: Iterable[Measured]) -> list[tuple[str, ...]]:
    """Return one row for each title and algorithm, in order of the positions.

    ``below`` counts answers that are less than the recorded run is worth.
    """
    groups: dict[tuple[str, str], list[Measured]] = {}
    for one in measured:
        groups.setdefault((one.id.rpartition("/")[0], one.algorithm), []).append(one)
    several = len({algorithm for _, algorithm in groups}) > 1
    rows: list[tuple[str, ...]] = []
    for (title, algorithm), some in groups.items():
        times = [one.cpu_ms for one in some]
        known = [one for one in some if one.referee_agrees is not None]
        below = sum(
            one.revenue is not None
            and one.checked_revenue is not None
            and one.revenue < one.checked_revenue
            for one in some
        )
        rows.append(
            (
                f"{title} {algorithm}" if several else title,
                str(len(some)),
                f"{sum(bool(one.referee_agrees) for one in known)} of {len(known)}",
                str(sum(one.status == "OPTIMAL" for one in some)),
                str(below),
                f"{percentile(times, 50):.1f}",
                f"{percentile(times, 95):.1f}",
                f"{max(times):.1f}",
            )
        )
    return rows


def misses_optimum(one: Measured) -> bool:
    """Tell whether a proven answer differs from the known optimum, or any exceeds it."""
    if one.optimum is None or one.revenue is None:
        return False
    return one.revenue > one.optimum or (one.status == "OPTIMAL" and one.revenue != one.optimum)


def bad(one: Measured) -> bool:
    """Tell whether something is wrong with a measurement."""
    return one.revenue is None or one.referee_agrees is False or misses_optimum(one)
