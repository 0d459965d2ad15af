"""Runs as records write them: read, checked, and paid as computed or as they stand (FMT §B6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from engine.board.board import Board
from engine.errors import Fault
from engine.notation.routes import WrittenLegs, WrittenRoute, resolve_run, written_route
from engine.play.actions import RouteEntry, RunRoutes
from engine.play.errors import Bench, refuse, refuse_if
from engine.routing.run import Position, Route, Run, Verdict


def written_entry(board: Board, route: Route) -> RouteEntry:
    """Return a route as an entry of an action, without amounts."""
    written = written_route(board, route)
    hexes = tuple(board.stops[stop].hex for stop in route.stops)
    if not route.legs:
        return RouteEntry(route.train, written.connections, hexes)
    return RouteEntry(route.train, written.connections, hexes, nodes=written.nodes)


def read_routes(
    position: Position,
    entries: Sequence[RouteEntry],
    classes: Mapping[str, str | None],
    legs: WrittenLegs | None = None,
) -> tuple[Route | None, ...]:
    """Return the routes that entries mean; None for a void one.

    Parameters
    ----------
    classes
        Track class by train (see :func:`engine.notation.routes.resolve_run`).
    legs
        The legs of the board, if they are known.
    """
    written = [WrittenRoute(entry.train, entry.connections, entry.nodes) for entry in entries]
    found = resolve_run(position.board, position.company.corporation, written, classes, legs)
    chosen = zip(found, entries, strict=True)
    return tuple(route and replace(route, paid=entry.paid) for route, entry in chosen)


def check_trains(
    action: RunRoutes, sym: str, runnable: Collection[str], sections: tuple[str, str]
) -> None:
    """Check that trains that may run do so, each once.

    Parameters
    ----------
    sym, runnable
        The company, and its trains that may run.
    sections
        The rules that say which trains run, and that each runs one route.

    Raises
    ------
    IllegalActionError
        Another train runs, or one has two routes.
    """
    for number, entry in enumerate(action.routes):
        field = f"routes[{number}].train"
        if entry.train not in runnable:
            refuse("TRAIN_NOT_RUNNABLE", field, f"{sym} cannot run {entry.train}", sections[0])
        if entry.train in [other.train for other in action.routes[:number]]:
            refuse("TRAIN_TWICE", field, "a train runs one route", sections[1])


def trusted(bench: Bench, action: RunRoutes) -> bool:
    """Tell whether a run is paid as it stands: in a replay, if it says what each route pays."""
    said = (entry.empty or entry.revenue is not None for entry in action.routes)
    return bench.trusts() and all(said)


def settle_run(
    bench: Bench,
    position: Position,
    action: RunRoutes,
    read: Callable[[], Sequence[Route | None]],
    judge: Callable[[Run], Verdict],
    section: str,
) -> RunRoutes:
    """Return a run with its amounts.

    In play they are the referee's. A replay pays those of the record; the bench
    hears what the referee sees differently, where only the totals count.

    Parameters
    ----------
    read
        Returns the routes that the action means, None for a void one; called
        only where the referee is asked.
    judge
        The referee.
    section
        The rule that says what routes pay.

    Raises
    ------
    IllegalActionError
        In play: the referee has a fault to find, or the action claims another amount.
    """
    trust = trusted(bench, action)
    if trust and not bench.audits():
        return action
    routes = read()
    void = _void_fault(action.routes, routes)
    verdict = Verdict() if void else judge(Run(tuple(route for route in routes if route)))
    verdict = replace(verdict, faults=_numbered(verdict.faults, action.routes))
    if not trust:
        refuse_if(void)
        return _judged(position, action, verdict, section)
    for fault in (void,) if void else verdict.faults:
        bench.object(fault)
    said, paid = (verdict.revenue, verdict.subsidy), _totals(action)
    if not void and not verdict.faults and said != paid:
        message = f"the record pays {_pounds(*paid)}, the referee {_pounds(*said)}"
        bench.object(Fault("REVENUE_DIFFERS", "routes", message, section))
    return action


def _void_fault(entries: Sequence[RouteEntry], routes: Sequence[Route | None]) -> Fault | None:
    """Return what is wrong with the first route that means no way over the board, or None;
    empty ones pass (FMT §F1)."""
    for number, (entry, route) in enumerate(zip(entries, routes, strict=True)):
        path = f"routes[{number}].connections"
        if entry.empty or route is not None:
            continue
        if not entry.connections:
            message = "the route has no legs, so no stop with a token is on it"
            return Fault("TOKEN_MISSING", path, message, "FMT §B6.12")
        message = "no track on the board is as this route is written"
        return Fault("ROUTE_INVALID", path, message, "FMT §B6")
    return None


def _numbered(faults: Sequence[Fault], entries: Sequence[RouteEntry]) -> tuple[Fault, ...]:
    """Return the faults of a verdict with the numbers that routes have among the entries:
    the referee does not see the empty ones."""
    places = [number for number, entry in enumerate(entries) if not entry.empty]

    def place(found: re.Match[str]) -> str:
        return f"routes[{places[int(found[1])]}]"

    return tuple(
        replace(fault, path=re.sub(r"^routes\[(\d+)\]", place, fault.path)) for fault in faults
    )


def _totals(action: RunRoutes) -> tuple[int, int]:
    """Revenue and subsidy of a run, £."""
    revenue = sum(entry.revenue or 0 for entry in action.routes)
    return revenue, sum(entry.subsidy or 0 for entry in action.routes)


def _pounds(revenue: int, subsidy: int) -> str:
    return f"£{revenue} and £{subsidy} of subsidy" if subsidy else f"£{revenue}"


def _judged(position: Position, action: RunRoutes, verdict: Verdict, section: str) -> RunRoutes:
    """Return the run with the amounts of the referee."""
    refuse_if(next(iter(verdict.faults), None))
    judged: list[RouteEntry] = []
    verdicts = iter(verdict.routes)
    for number, entry in enumerate(action.routes):
        if entry.empty:
            judged.append(replace(entry, revenue=0))
            continue
        said = next(verdicts)
        if entry.revenue is not None and entry.revenue != said.revenue:
            message = f"the route pays £{said.revenue}"
            refuse("REVENUE_WRONG", f"routes[{number}].revenue", message, section)
        stops = position.board.stops
        text = "-".join(stops[stop].hex for stop in said.paying)
        subsidy = said.subsidy or None
        entry = replace(entry, revenue=said.revenue, revenue_str=text, subsidy=subsidy)
        judged.append(entry)
    return RunRoutes(action.entity, tuple(judged))
