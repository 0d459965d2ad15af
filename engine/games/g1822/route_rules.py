"""What a single route may do (1822 §11.3 to §11.13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from engine.board.board import PathRef, Stop
from engine.board.faces import EndKind
from engine.errors import Fault
from engine.games.g1822.court import Case, Court
from engine.games.g1822.special import is_express, is_local
from engine.routing.track import passed_stops, repeated_track
from engine.words import article

_SECTIONS = {
    "CITY_BLOCKED": "1822 §11.7",
    "OFFBOARD_PASSED": "1822 §11.4",
    "TERMINAL_PASSED": "1822 §11.4",
}


def route_faults(court: Court, case: Case) -> Iterator[Fault]:
    """Yield every fault of a route by itself."""
    yield from repeated_track(case.traced, case.path, "1822 §11.3")
    passed = passed_stops(court.board, case.traced, court.corporation, case.path, "")
    yield from (replace(fault, section=_SECTIONS[fault.code]) for fault in passed)
    yield from _shared_place_faults(court, case)
    yield from _channel_faults(court, case)
    if not court.profile.junction_twice:
        yield from _junction_faults(court, case)
    if is_local(case.kind):
        yield from _local_faults(court, case)
    elif is_express(case.kind):
        yield from _express_faults(court, case)
    else:
        yield from _ordinary_faults(court, case)


def _where(case: Case, stop: Stop) -> str:
    return f"{case.path}.stops[{case.stops.index(stop)}]"


def _shared_place_faults(court: Court, case: Case) -> Iterator[Fault]:
    """One London city, and one stop per hex except in double hexes (1822 §11.3 g, §11.10)."""
    stops = tuple(dict.fromkeys(case.stops))
    freed = court.special.double
    if court.profile.double_hex_frees_hexes and any(stop.hex in freed for stop in stops):
        freed = freed | {stop.hex for stop in stops}
    by_group: dict[str, Stop] = {}
    by_hex: dict[str, Stop] = {}
    for stop in stops:
        grouped = [group for group in stop.groups if group in by_group]
        for group in grouped:
            message = f"a route visits one city of {group}, not {by_group[group].id} and {stop.id}"
            yield Fault("GROUP_TWICE", _where(case, stop), message, "1822 §11.3", stop.hex)
        if stop.hex in by_hex and stop.hex not in freed and not grouped:
            other = by_hex[stop.hex].id
            message = f"a route visits one stop of {stop.hex}, not {other} and {stop.id}"
            yield Fault("STOPS_IN_ONE_HEX", _where(case, stop), message, "1822 §11.10", stop.hex)
        by_hex.setdefault(stop.hex, stop)
        for group in stop.groups:
            by_group.setdefault(group, stop)


def _channel_faults(court: Court, case: Case) -> Iterator[Fault]:
    """The Channel is visited only on the way to France (1822 §11.5)."""
    channel = next((stop for stop in case.stops if stop.hex == court.special.channel), None)
    if channel is None:
        return
    if all(stop.hex != court.special.france for stop in case.stops):
        message = "a route that visits the Channel goes on to France"
        code = "CHANNEL_WITHOUT_FRANCE"
        yield Fault(code, _where(case, channel), message, "1822 §11.5", channel.hex)
    elif len(case.stops) == 2:
        message = "the Channel and France count as one stop, and that alone is not a route"
        yield Fault("CHANNEL_ALONE", f"{case.path}.stops", message, "1822 §11.5", channel.hex)


def _junction_faults(court: Court, case: Case) -> Iterator[Fault]:
    """Where the reading forbids it, no junction is crossed twice (1822 §11.9, D5)."""
    crossed: Counter[tuple[str, int]] = Counter()
    for leg in case.traced.legs:
        crossed.update({key for ref, _ in leg if (key := _junction(court, ref)) is not None})
    for (hex_id, _), times in crossed.items():
        if times > 1:
            message = f"the route crosses the junction of {hex_id} {times} times"
            code = "JUNCTION_CROSSED_TWICE"
            yield Fault(code, f"{case.path}.legs", message, "1822 §11.9", hex_id)


def _junction(court: Court, ref: PathRef) -> tuple[str, int] | None:
    path = court.board.path(ref)
    ends = (end for end in (path.a, path.b) if end.kind is EndKind.JUNCTION)
    return next(((ref.hex, end.index) for end in ends), None)


def _local_faults(court: Court, case: Case) -> Iterator[Fault]:
    """One own city, alone or with one town (1822 §11.11)."""
    kinds = Counter(stop.kind for stop in case.stops)
    if kinds["city"] != 1 or kinds["town"] > 1 or kinds["offboard"]:
        message = f"{article(case.kind.name)} visits one city, alone or with one town"
        yield Fault("LOCAL_STOPS_WRONG", f"{case.path}.stops", message, "1822 §11.11")
    for stop in case.stops:
        if stop.kind == "city" and not court.board.has_track(stop):
            message = f"{stop.id} has no track: a token there is on no route"
            yield Fault("TOKEN_MISSING", _where(case, stop), message, "1822 §11.11", stop.hex)
        elif stop.kind == "city" and not court.own(stop):
            message = f"{article(case.kind.name)} serves a city with a token of {court.corporation}"
            code = "TOKEN_MISSING"
            yield Fault(code, _where(case, stop), message, "1822 §11.11", stop.hex)


def _ordinary_faults(court: Court, case: Case) -> Iterator[Fault]:
    """Length and token of a train with a number, with or without P+ (1822 §11.3, §11.8, §11.12)."""
    section = "1822 §11.12" if case.pullman else "1822 §11.8"
    if len(case.stops) < 2:
        message = "a route joins at least two stops"
        yield Fault("ROUTE_TOO_SHORT", f"{case.path}.stops", message, "1822 §11.3")
    counted = [stop for stop in case.stops if not (case.pullman and stop.kind == "town")]
    used = sum(stop.visit_cost for stop in counted)
    if used > case.kind.reach:
        what = "cities" if case.pullman else "stops"
        message = f"{article(case.name)} visits at most {case.kind.reach} {what}, not {used}"
        yield Fault(f"{what.upper()}_TOO_MANY", f"{case.path}.stops", message, section)
    if not any(court.own(stop) for stop in case.stops):
        message = f"the route visits no token of {court.corporation}"
        yield Fault("TOKEN_MISSING", f"{case.path}.stops", message, "1822 §11.3")


def _express_faults(court: Court, case: Case) -> Iterator[Fault]:
    """Both ends of an E are own cities, or France with a token in the Channel (1822 §11.13)."""
    if len(case.stops) < 2:
        message = "a route joins at least two stops"
        yield Fault("ROUTE_TOO_SHORT", f"{case.path}.stops", message, "1822 §11.3")
        return
    if court.profile.beyond_own:
        own = sum(court.own(stop) for stop in case.stops)
        if own < 2:
            message = f"an E visits at least two cities with a token, not {own}"
            yield Fault("EXPRESS_TOO_FEW_OWN", f"{case.path}.stops", message, "1822 §11.13")
        return
    for end, neighbour in ((0, 1), (-1, -2)):
        stop = case.stops[end]
        france = stop.hex == court.special.france
        if not court.own(case.stops[neighbour] if france else stop):
            what = "France needs a token in the Channel" if france else f"{stop.id} has no token"
            message = f"an E begins and ends at cities with a token; {what}"
            code = "EXPRESS_END_FOREIGN"
            yield Fault(code, _where(case, stop), message, "1822 §11.13", stop.hex)
