"""Descriptions of titles, from requests and to answers."""

from __future__ import annotations

from bradshaw.v1 import route_service_pb2, run_pb2

from engine.errors import Fault
from server.convert.catalogue import game_summary
from server.errors import RequestError
from server.titles import define


def definition_message(
    request: route_service_pb2.DefineTitleRequest,
) -> route_service_pb2.DefineTitleResponse:
    """Make a title of a description, and return its name.

    Raises
    ------
    RequestError
        The description has faults, and the request does not only ask for them.
    """
    found = define(dict(request.files), keep=not request.validate_only)
    if found.game is None:
        if not request.validate_only:
            raise RequestError(found.faults)
        return route_service_pb2.DefineTitleResponse(faults=map(_fault, found.faults))
    return route_service_pb2.DefineTitleResponse(
        title=found.game.title, summary=game_summary(found.game)
    )


def _fault(fault: Fault) -> run_pb2.Fault:
    return run_pb2.Fault(
        code=fault.code,
        field=fault.path,
        hex=fault.hex,
        message=fault.message,
        section=fault.section,
    )
