"""The request files of tests/data, read anew for each use."""

from __future__ import annotations

from pathlib import Path

from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import Parse

FOLDER = Path(__file__).resolve().parents[1] / "data" / "requests"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.endswith(".run")))
"""One or two small positions for each title: ``1862-small``, ``1822-carriage``, ..."""


def optimize_request(name: str) -> route_service_pb2.OptimizeRoutesRequest:
    """Return the request to optimize of this name."""
    text = (FOLDER / f"{name}.json").read_text("utf-8")
    return Parse(text, route_service_pb2.OptimizeRoutesRequest())


def validate_request(name: str) -> route_service_pb2.ValidateRoutesRequest:
    """Return the request to validate a legal run on the position of this name."""
    text = (FOLDER / f"{name}.run.json").read_text("utf-8")
    return Parse(text, route_service_pb2.ValidateRoutesRequest())


def position(name: str) -> board_pb2.Position:
    """Return the position of this name."""
    return optimize_request(name).position
