"""From submitted routes to routes of the board: the written form is resolved here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.errors import Fault
from engine.notation.routes import WrittenRoute, resolve_run
from engine.routing.rules import Rules
from engine.routing.run import Position, Route
from server.question import SubmittedRoute


def routes_of(
    rules: Rules, position: Position, submitted: Sequence[SubmittedRoute], path: str
) -> tuple[tuple[Route, ...], tuple[Fault, ...]]:
    """Return the routes that submitted routes mean, and a fault for each that means none.

    Parameters
    ----------
    path
        Path of the list, for faults: ``routes``.

    Returns
    -------
    routes, faults
        If there are faults, `routes` lacks those that mean nothing.
    """
    written = [_written(route) for route in submitted if route.hexes is not None]
    resolved = iter(_resolve(rules, position, written))
    routes: list[Route] = []
    faults: list[Fault] = []
    for number, route in enumerate(submitted):
        if route.hexes is None:
            found: Route | None = Route(route.train, route.stops, route.paths or ())
        else:
            found = next(resolved)
        if found is None:
            message = "the legs as written describe no route on this board"
            faults.append(Fault("ROUTE_VOID", f"{path}[{number}].legs", message, "FMT §B6.8"))
        else:
            routes.append(replace(found, paid=route.paid, attachment=route.attachment))
    return tuple(routes), tuple(faults)


def _written(route: SubmittedRoute) -> WrittenRoute:
    return WrittenRoute(route.train, route.hexes or (), route.stops)


def _resolve(
    rules: Rules, position: Position, written: Sequence[WrittenRoute]
) -> tuple[Route | None, ...]:
    if not written:
        return ()
    classes = {train: cls.track for cls in rules.problem(position).classes for train in cls.trains}
    corporation = position.company.corporation
    return resolve_run(position.board, corporation, written, classes)
