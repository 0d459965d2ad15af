"""What routes of a record are worth: computed, or paid as they stand and audited (FMT §B6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.errors import Fault
from engine.notation.routes import WrittenRoute, resolve_run
from engine.play.actions import RouteEntry, RunRoutes
from engine.play.errors import Bench, IllegalActionError, refuse
from engine.routing.rules import Rules
from engine.routing.run import Position, Run, Verdict


def verdict_of(
    rules: Rules,
    position: Position,
    routes: Sequence[RouteEntry],
    classes: Mapping[str, str | None],
) -> Verdict | Fault:
    """Return what the referee says about routes as records write them, or the void route.

    Parameters
    ----------
    classes
        Track class by train (see :func:`engine.notation.routes.resolve_run`).
    """
    written = [WrittenRoute(entry.train, entry.connections, entry.nodes) for entry in routes]
    found = resolve_run(position.board, position.company.corporation, written, classes)
    for number, route in enumerate(found):
        if route is None:
            message = "no track on the board is as this route is written"
            return Fault("ROUTE_INVALID", f"routes[{number}].connections", message, "FMT §B6")
    chosen = zip(found, routes, strict=True)
    run = [replace(route, paid=entry.paid) for route, entry in chosen if route is not None]
    return rules.judge(position, Run(tuple(run)))


def settle_run(
    bench: Bench,
    rules: Rules,
    position: Position,
    action: RunRoutes,
    classes: Mapping[str, str | None],
    section: str,
) -> RunRoutes:
    """Return a run with its amounts.

    In play they are the referee's. A replay pays those of the record; the bench
    hears what the referee sees differently, where only the totals count.

    Parameters
    ----------
    section
        The rule that says what routes pay.

    Raises
    ------
    IllegalActionError
        In play: the referee has a fault to find, or the action claims another amount.
    """
    trusted = bench.trusts() and all(entry.revenue is not None for entry in action.routes)
    if trusted and not bench.audits():
        return action
    verdict = verdict_of(rules, position, action.routes, classes)
    if not trusted:
        return _judged(position, action, verdict, section)
    if isinstance(verdict, Fault):
        bench.object(verdict)
        return action
    for fault in verdict.faults:
        bench.object(fault)
    paid = _totals(action)
    if not verdict.faults and (verdict.revenue, verdict.subsidy) != paid:
        message = (
            f"the record pays £{paid[0]} and £{paid[1]},"
            f" the referee £{verdict.revenue} and £{verdict.subsidy}"
        )
        bench.object(Fault("REVENUE_DIFFERS", "routes", message, section))
    return action


def _totals(action: RunRoutes) -> tuple[int, int]:
    """Revenue and subsidy of a run, £."""
    revenue = sum(entry.revenue or 0 for entry in action.routes)
    return revenue, sum(entry.subsidy or 0 for entry in action.routes)


def _judged(
    position: Position, action: RunRoutes, verdict: Verdict | Fault, section: str
) -> RunRoutes:
    if isinstance(verdict, Fault):
        raise IllegalActionError(verdict)
    if verdict.faults:
        raise IllegalActionError(verdict.faults[0])
    judged: list[RouteEntry] = []
    for number, (entry, said) in enumerate(zip(action.routes, verdict.routes, strict=True)):
        if entry.revenue is not None and entry.revenue != said.revenue:
            message = f"the route pays £{said.revenue}"
            refuse("REVENUE_WRONG", f"routes[{number}].revenue", message, section)
        stops = position.board.stops
        text = "-".join(stops[stop].hex for stop in said.paying)
        subsidy = said.subsidy or None
        entry = replace(entry, revenue=said.revenue, revenue_str=text, subsidy=subsidy)
        judged.append(entry)
    return RunRoutes(action.entity, tuple(judged))
