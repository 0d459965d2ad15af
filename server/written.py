"""From submitted routes to routes of the board: the written form is resolved here.

Where a route gives both forms, as answers do, the paths say what it is, and the hexes must say
the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.board.legs import Leg
from engine.errors import Fault
from engine.notation.routes import WrittenLegs, WrittenRoute, resolve_run
from engine.routing.rules import Rules
from engine.routing.run import Position, Route
from server.question import SubmittedRoute

VOID = "ROUTE_VOID"
"""Code of a route that means nothing on the board."""


def routes_of(
    rules: Rules, position: Position, submitted: Sequence[SubmittedRoute], path: str
) -> tuple[tuple[Route, ...], tuple[Fault, ...]]:
    """Return the routes that submitted routes mean, and the faults of their written forms.

    Parameters
    ----------
    path
        Path of the list, for faults: ``routes``.

    Returns
    -------
    routes, faults
        One route for each that was submitted; one that means nothing has no stops.
    """
    written = [_written(route) for route in submitted if route.paths is None]
    resolved = iter(_resolve(rules, position, written))
    routes: list[Route] = []
    faults: list[Fault] = []
    for number, route in enumerate(submitted):
        where = f"{path}[{number}].legs"
        if route.paths is None:
            found = next(resolved)
        else:
            found = Route(route.train, route.stops, route.paths)
            faults.extend(_form_faults(route, where))
        if found is None:
            faults.append(_void(position, route, where))
            found = Route(route.train, ())
        routes.append(replace(found, paid=route.paid, attachment=route.attachment))
    return tuple(routes), tuple(faults)


def _void(position: Position, route: SubmittedRoute, path: str) -> Fault:
    """Return the fault of a route that means nothing: of its first leg without track, if any."""
    legs = WrittenLegs(position.board)
    for number, hexes in enumerate(route.hexes or ()):
        if hexes[:1] != ("local",) and not legs.candidates(hexes):
            message = f"no track leads from stop to stop along {', '.join(hexes)}"
            return Fault(VOID, f"{path}[{number}].hexes", message, "FMT §B6.8")
    message = (
        "the legs do not join, or use track of a later route, or visit no token of the company"
    )
    return Fault(VOID, path, message, "FMT §B6.8")


def _form_faults(route: SubmittedRoute, path: str) -> Iterator[Fault]:
    """Yield a fault for each leg whose hexes are not those of its paths."""
    for number, (paths, hexes) in enumerate(
        zip(route.paths or (), route.hexes or (), strict=False)
    ):
        meant = Leg("", "", paths, frozenset(), False, False).hexes
        if hexes and paths and hexes != meant:
            message = f"the paths of the leg are written {', '.join(meant)}; leave one form out"
            yield Fault("LEG_FORMS_DIFFER", f"{path}[{number}].hexes", message, "FMT §B6.3")


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
