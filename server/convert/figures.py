"""From telemetry to its message."""

from __future__ import annotations

from bradshaw.v1 import telemetry_service_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from server.convert.answers import duration
from server.pool import Load
from server.telemetry import LIMITS, Histogram, Telemetry, peak_memory


def telemetry_message(
    telemetry: Telemetry, load: Load
) -> telemetry_service_pb2.GetTelemetryResponse:
    """Return counters, latencies and load as a message."""
    started = Timestamp()
    started.FromMicroseconds(round(telemetry.started * 1_000_000))
    message = telemetry_service_pb2.GetTelemetryResponse(
        start_time=started,
        latencies=[_latency(name, known) for name, known in sorted(telemetry.latencies.items())],
        workers=load.workers,
        workers_busy=load.busy,
        queue_length=load.waiting,
        queue_limit=load.limit,
        disagreements=telemetry.disagreements,
        peak_memory_bytes=peak_memory(),
    )
    for (method, code), count in sorted(telemetry.calls.items()):
        message.calls.add(method=method, code=code, count=count)
    return message


def _latency(method: str, known: Histogram) -> telemetry_service_pb2.Latency:
    message = telemetry_service_pb2.Latency(
        method=method, count=known.count, sum=duration(known.total)
    )
    for number, count in enumerate(known.buckets):
        limit = duration(LIMITS[number]) if number < len(LIMITS) else None
        message.buckets.add(limit=limit, count=count)
    return message
