"""The referee of 18GB: is a run legal (18GB §11.2, §11.3, §11.7) and what does it pay?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.errors import Fault
from engine.games.g18gb.account import Account, price_run
from engine.games.g18gb.printed import TOWN, distance_of
from engine.games.g18gb.profile import Profile18GB
from engine.routing.checks import idle_faults, ownership_faults
from engine.routing.run import Position, Route, Run, Train, Verdict
from engine.routing.track import Traced, passed_stops, repeated_track, trace
from engine.words import article, counted

ROUTE = "18GB §11.2"
REACH = "18GB §11.3"
SHARED = "18GB §11.7"


def judge_run(profile: Profile18GB, position: Position, run: Run) -> Verdict:
    """Say whether a run is legal and what it pays.

    Parameters
    ----------
    profile
        The reading of the rules.
    position
        Board and company.
    run
        The routes in the order in which they are submitted.

    Returns
    -------
    Verdict
        With every fault, or with the account of every route; a compass set's
        bonus stands on the first route of the set (18GB §11.8.5).
    """
    trains = {train.id: train for train in position.company.trains}
    faults = [
        *ownership_faults(position.company, run, SHARED),
        *idle_faults(position.company, run, "18GB §11.9"),
    ]
    traces: list[Traced | None] = []
    for number, route in enumerate(run.routes):
        path = f"routes[{number}]"
        traced, wrong = trace(position.board, route, path)
        faults.extend(wrong)
        faults.extend(_extra_faults(route, path))
        if traced is not None:
            faults.extend(_route_faults(position, traced, path))
            if route.train in trains:
                faults.extend(_reach_faults(profile, position, trains[route.train], traced, path))
        traces.append(traced)
    faults.extend(_shared_sides(traces))
    if faults:
        return Verdict(tuple(faults))
    accounts = [
        Account(position, traced, position.title.trains[trains[traced.route.train].name])
        for traced in traces
        if traced is not None
    ]
    return price_run(profile, position, accounts)


def _extra_faults(route: Route, path: str) -> Iterator[Fault]:
    """Choices of other games that a route of 18GB does not have."""
    if route.paid is not None:
        message = "the director does not choose which stops pay"
        yield Fault("PAID_NOT_CHOSEN", f"{path}.paid", message, "18GB §11.4")
    if route.attachment:
        message = f"there is no carriage {route.attachment!r}"
        yield Fault("ATTACHMENT_UNKNOWN", f"{path}.attachment", message, REACH)


def _route_faults(position: Position, traced: Traced, path: str) -> Iterator[Fault]:
    corporation = position.company.corporation
    if len(traced.stops) < 2:
        message = "a route has at least two stops"
        yield Fault("ROUTE_TOO_SHORT", f"{path}.stops", message, ROUTE, traced.stops[0].hex)
    if not any(stop.has(corporation) for stop in traced.stops):
        message = f"the route visits no city with a token of {corporation}"
        yield Fault("TOKEN_MISSING", f"{path}.stops", message, ROUTE)
    yield from repeated_track(traced, path, ROUTE)
    yield from passed_stops(position.board, traced, corporation, path, ROUTE)


def _reach_faults(
    profile: Profile18GB, position: Position, train: Train, traced: Traced, path: str
) -> Iterator[Fault]:
    distance = distance_of(position.title.trains[train.name])
    towns = sum(1 for stop in traced.stops if stop.kind == TOWN)
    cities = len(traced.stops) - towns
    if cities > distance.cities:
        message = (
            f"{article(train.name)} visits at most {distance.cities} cities and off-board areas"
        )
        yield Fault("CITIES_TOO_MANY", f"{path}.stops", f"{message}, not {cities}", REACH)
    if distance.towns is None:
        return
    most = distance.towns
    if profile.towns_in_city_spaces:
        most += max(0, distance.cities - cities)
    if towns > most:
        message = (
            f"{article(train.name)} that visits {counted(cities, 'city', 'cities')} "
            f"visits at most {counted(most, 'town')}"
        )
        yield Fault("TOWNS_TOO_MANY", f"{path}.stops", f"{message}, not {towns}", REACH)


def _shared_sides(traces: Sequence[Traced | None]) -> Iterator[Fault]:
    """Yield a fault for every hex side that two routes use, by whatever track."""
    first: dict[tuple[str, int], int] = {}
    for number, traced in enumerate(traces):
        if traced is None:
            continue
        for place, sides in enumerate(traced.sides):
            for hex_id, side, *_ in sides:
                other = first.setdefault((hex_id, side), number)
                if other != number:
                    message = f"side {side} of {hex_id} is already used by routes[{other}]"
                    where = f"routes[{number}].legs[{place}]"
                    yield Fault("SIDE_SHARED", where, message, SHARED, hex_id)
