"""Wishes as options: ``--pin``, ``--idle``, ``--avoid``."""

from __future__ import annotations

import argparse
import json
import re

from bradshaw.v1 import route_service_pb2, run_pb2
from google.protobuf.json_format import ParseDict, ParseError

from server.cli_common import InputError

STOP_ID = re.compile(r"^.+-\d+$")
"""A stop is named by its hex and its number there; no hex has a hyphen in its name."""


def apply_wishes(options: argparse.Namespace, wishes: route_service_pb2.Wishes) -> None:
    """Let wishes of the command line go before those of the file, kind by kind.

    Raises
    ------
    InputError
        A route to be pinned cannot be read.
    """
    if options.pin:
        del wishes.pinned[:]
        wishes.pinned.extend(read_route(text) for text in options.pin)
    if options.idle:
        del wishes.idle_trains[:]
        wishes.idle_trains.extend(options.idle)
    if options.avoid:
        del wishes.avoid_hexes[:], wishes.avoid_stops[:]
        wishes.avoid_stops.extend(place for place in options.avoid if STOP_ID.match(place))
        wishes.avoid_hexes.extend(place for place in options.avoid if not STOP_ID.match(place))


def read_route(text: str) -> run_pb2.Route:
    """Return the route that an option names.

    Parameters
    ----------
    text
        A Route as protobuf JSON, as answers have it; or short: ``TRAIN=HEX HEX,HEX HEX``, the
        hexes of each leg in order of travel, legs separated by commas.

    Raises
    ------
    InputError
        It is neither.
    """
    if text.lstrip().startswith("{"):
        try:
            return ParseDict(json.loads(text), run_pb2.Route())
        except (ValueError, ParseError, RecursionError) as error:
            raise InputError(f"--pin {text}: it is no Route as protobuf JSON: {error}") from error
    train, _, way = text.partition("=")
    legs = [leg.split() for leg in way.split(",")]
    if not train.strip() or not all(legs):
        form = "a route is TRAIN=HEX HEX,HEX HEX (the hexes of each leg), or a Route as JSON"
        raise InputError(f"--pin {text}: {form}")
    route = run_pb2.Route(train_id=train.strip())
    for hexes in legs:
        route.legs.add(hexes=hexes)
    return route
