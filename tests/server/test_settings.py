"""The effective time of a solve, and the buckets of the telemetry."""

from __future__ import annotations

import pytest

from server.settings import Settings
from server.telemetry import LIMITS, Histogram, Telemetry


@pytest.mark.parametrize(
    ("asked", "left", "effective"),
    [
        (None, None, 30.0),
        (5.0, None, 5.0),
        (5.0, 100.0, 5.0),
        (None, 10.0, 9.0),
        (20.0, 10.0, 9.0),
        (None, 0.1, 0.07),
    ],
)
def test_the_smaller_limit_counts(
    asked: float | None, left: float | None, effective: float
) -> None:
    """That of the request, or the deadline less a margin of 10 %, at least 30 ms."""
    assert Settings().effective(asked, left) == pytest.approx(effective)


@pytest.mark.parametrize("left", [0.02, 0.0, -1.0])
def test_less_than_the_margin_is_no_time(left: float) -> None:
    """Whatever the request asks."""
    assert Settings().effective(10.0, left) <= 0


def test_every_latency_falls_in_one_bucket() -> None:
    """Not slower than its limit; the last bucket has none."""
    histogram = Histogram()
    for seconds in (0.0, LIMITS[0], LIMITS[0] + 1e-9, 1.0, LIMITS[-1], 1e6):
        histogram.add(seconds)
    assert histogram.count == 6
    assert histogram.buckets[0] == 2
    assert histogram.buckets[1] == 1
    assert histogram.buckets[LIMITS.index(1.0)] == 1
    assert histogram.buckets[-2:] == [1, 1]


def test_quantiles_are_limits_that_calls_keep() -> None:
    """Half of the calls, all but one in twenty, and infinite beyond the last limit."""
    histogram = Histogram()
    for _ in range(95):
        histogram.add(0.02)
    for _ in range(5):
        histogram.add(3.0)
    assert (histogram.quantile(0.5), histogram.quantile(0.95)) == (0.025, 0.025)
    assert histogram.quantile(0.96) == 5.0
    histogram.add(1e3)
    assert histogram.quantile(1.0) == float("inf")


def test_a_summary_has_what_the_log_needs() -> None:
    """Calls by method and status, latencies, disagreements, memory."""
    telemetry = Telemetry()
    telemetry.count("OptimizeRoutes", "OK", 0.02)
    summary = telemetry.summary()
    assert summary["calls"] == {"OptimizeRoutes OK": 1}
    assert summary["p50_s"] == {"OptimizeRoutes": 0.025}
    assert summary["disagreements"] == 0
