"""Load the service over loopback and show latencies and memory.

``python -m benchmarks.service_load PATH... [--clients 8] [--requests 25] [--seconds 60]``

PATH is a file of positions, one JSON object a line, or a folder of such files
(``benchmarks.tail`` writes hard ones). The command starts a service of its own
on a free port of this machine, lets the clients send the positions in turn,
each client one request at a time, and stops it. It ends by itself: after
`requests` requests of each client, or after `seconds`.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path

import grpc
from bradshaw.v1 import (
    route_service_pb2,
    route_service_pb2_grpc,
    telemetry_service_pb2,
    telemetry_service_pb2_grpc,
)

from benchmarks.positions import find_files
from engine.notation.positions import read_positions
from server.convert.positions import position_message
from server.process import service_process

MOST_CLIENTS = 64
MOST_REQUESTS = 1000
MOST_SECONDS = 600


@dataclass
class Tally:
    """What the clients saw.

    Parameters
    ----------
    seconds
        Latency of each call that ended well.
    ends
        Calls by how they ended: the status of the solution, or the code of the error.
    """

    seconds: list[float] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, end: str, seconds: float | None = None) -> None:
        """Count a call."""
        with self.lock:
            self.ends[end] += 1
            if seconds is not None:
                self.seconds.append(seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return 1 if a call ended in an error."""
    options = _parser().parse_args(arguments)
    asked = [
        route_service_pb2.OptimizeRoutesRequest(
            position=position_message(record.board, record.company)
        )
        for path in find_files(options.paths)
        for record in read_positions(path)
    ]
    if not asked:
        print("There are no positions in these places.", file=sys.stderr)
        return 2
    for request in asked:
        request.options.time_limit.FromMilliseconds(round(options.limit * 1000))
    tally = Tally()
    started = time.monotonic()
    with service_process() as service:
        end = started + options.seconds
        clients = [
            threading.Thread(target=_client, args=(service.address, share, end, tally))
            for share in _shares(asked, options.clients, options.requests)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        elapsed = time.monotonic() - started
        peak = _peak(service.address)
    shown = _shown(tally, elapsed, peak, options.clients)
    print(json.dumps(shown, indent=1))
    return int(not set(tally.ends) <= {"OPTIMAL", "FEASIBLE"})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.service_load", description="Load the service over loopback."
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--clients", type=int, default=8, choices=range(1, MOST_CLIENTS + 1))
    parser.add_argument("--requests", type=int, default=25, choices=range(1, MOST_REQUESTS + 1))
    parser.add_argument("--seconds", type=int, default=60, choices=range(1, MOST_SECONDS + 1))
    parser.add_argument("--limit", type=float, default=10.0, help="time limit of a solve, in s")
    for action in parser._actions:
        if action.choices is not None:
            action.metavar = "N"
    return parser


def _shares(
    asked: Sequence[route_service_pb2.OptimizeRoutesRequest], clients: int, requests: int
) -> list[list[route_service_pb2.OptimizeRoutesRequest]]:
    """Deal the positions to the clients in turn, again from the first after the last."""
    dealt = list(islice(cycle(asked), clients * requests))
    return [dealt[number::clients] for number in range(clients)]


def _client(
    address: str,
    share: Sequence[route_service_pb2.OptimizeRoutesRequest],
    end: float,
    tally: Tally,
) -> None:
    with grpc.insecure_channel(address) as channel:
        stub = route_service_pb2_grpc.RouteServiceStub(channel)
        for request in share:
            if time.monotonic() >= end:
                return
            began = time.monotonic()
            try:
                answer = stub.OptimizeRoutes(request, timeout=MOST_SECONDS)
            except grpc.RpcError as error:
                tally.add(str(error.code().name))
                continue
            name = route_service_pb2.SolutionStatus.Name(answer.solution.status)
            tally.add(name.removeprefix("SOLUTION_STATUS_"), time.monotonic() - began)


def _peak(address: str) -> int:
    with grpc.insecure_channel(address) as channel:
        stub = telemetry_service_pb2_grpc.TelemetryServiceStub(channel)
        seen: telemetry_service_pb2.GetTelemetryResponse = stub.GetTelemetry(
            telemetry_service_pb2.GetTelemetryRequest(), timeout=10
        )
    return seen.peak_memory_bytes


def _shown(tally: Tally, elapsed: float, peak: int, clients: int) -> dict[str, object]:
    ordered = sorted(tally.seconds)

    def at(share: float) -> float | None:
        if not ordered:
            return None
        return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000, 1)

    return {
        "clients": clients,
        "calls": dict(tally.ends),
        "seconds": round(elapsed, 1),
        "calls_per_second": round(len(ordered) / elapsed, 1),
        "latency_ms": {"p50": at(0.5), "p95": at(0.95), "max": at(1.0)},
        "peak_memory_mib": round(peak / 2**20, 1),
    }


if __name__ == "__main__":
    sys.exit(main())
