"""Is a route legal? The referee's side (COMMON §3, and what titles declare)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.board.board import Board, Stop
from engine.board.faces import EndKind
from engine.declared import options as o
from engine.declared.distance import distance_faults, is_local
from engine.declared.reading import Reading
from engine.declared.ride import Ride
from engine.errors import Fault
from engine.routing.track import repeated_track


def route_faults(ride: Ride) -> Iterator[Fault]:
    """Yield everything that makes a route illegal by itself, what it pays aside."""
    yield from _common_faults(ride)
    yield from _pass_faults(ride)
    yield from distance_faults(ride)
    yield from _place_faults(ride)
    yield from _track_faults(ride)
    yield from _number_faults(ride)


def _fault(ride: Ride, code: str, message: str, section: str, hex_id: str = "") -> Fault:
    return Fault(code, f"{ride.path}.stops", message, section, hex_id)


def _common_faults(ride: Ride) -> Iterator[Fault]:
    if len(ride.stops) < 2:
        stand = ride.stops[0].kind == "city" and ride.stops[0].id in ride.reading.own
        local = is_local(ride.train) and ride.reading.one(o.LocalOff, ride.train) is None
        if not (local and stand):
            yield _fault(ride, "ROUTE_TOO_SHORT", "a route has at least two stops", "COMMON §3.1")
        elif not has_route(ride.reading):
            yield _fault(ride, "NO_ROUTE", "the company has no route", "COMMON §2.2")
    if not _has_token(ride):
        company = ride.reading.corporation
        message = f"the route visits no city with a token of {company}"
        yield _fault(ride, "TOKEN_MISSING", message, "COMMON §3.2")
    groups = Counter(group for stop in ride.stops for group in set(stop.groups))
    for group, times in groups.items():
        if times > 1:
            message = f"the route visits {times} stops of {group}"
            yield _fault(ride, "GROUP_TWICE", message, "COMMON §3.3")
    yield from repeated_track(ride.traced, ride.path, "COMMON §3.6")


def has_route(reading: Reading) -> bool:
    """Tell whether track leads from a token city to another stop (COMMON §2.2)."""
    if reading.one(o.RouteTestOff) is not None:
        return True
    for stop in reading.board.token_stops(reading.corporation):
        near = stops_near(reading.board, stop)
        if any(s != stop.id and reading.board.stops[s].route != "never" for s in near):
            return True
    return False


def _has_token(ride: Ride) -> bool:
    if any(stop.id in ride.reading.own for stop in ride.stops):
        return True
    return ride.reading.one(o.CorporationRule) is not None


def _pass_faults(ride: Ride) -> Iterator[Fault]:
    """Stops that the route passes and may not (COMMON §3.4, §3.9, §5.2)."""
    board, reading = ride.reading.board, ride.reading
    full = reading.one(o.NoPassFullCity, ride.train)
    names = {face.name for face in reading.faces.values()}
    strict = full is not None and full.if_company_has_train in names
    for number, stop in enumerate(ride.stops[1:-1], 1):
        where = f"{ride.path}.stops[{number}]"
        if not passes(ride, number):
            message = f"{stop.id} cannot be passed"
            code = "OFFBOARD_PASSED" if stop.kind == "offboard" else "CITY_BLOCKED"
            yield Fault(code, where, message, "COMMON §5.2", stop.hex)
        elif full is not None and strict and _full_of_others(ride, stop):
            message = f"{stop.id} is full of tokens: only {full.if_company_has_train} passes"
            yield Fault("CITY_BLOCKED", where, message, full.when.section, stop.hex)
    for number, leg in enumerate(ride.traced.legs):
        for place, ref in ((number, leg[0][0]), (number + 1, leg[-1][0])):
            if 0 < place < len(ride.stops) - 1 and board.path(ref).terminal:
                stop = ride.stops[place]
                message = f"the track at {stop.id} is terminal: a route ends there"
                legs = f"{ride.path}.legs[{number}]"
                yield Fault("TERMINAL_PASSED", legs, message, "COMMON §3.4", stop.hex)


def _full_of_others(ride: Ride, stop: Stop) -> bool:
    return stop.kind == "city" and stop.full() and stop.id not in ride.reading.own


def passes(ride: Ride, number: int) -> bool:
    """Tell whether tokens and kind let a route pass a stop."""
    stop, reading = ride.stops[number], ride.reading
    if stop.passable(reading.corporation):
        return True
    if stop.kind == "offboard":
        return False
    rights: list[o.Permission | o.NeverBlocked] = [*reading.of(o.NeverBlocked)]
    rights += [right for right in reading.of(o.Permission) if right.never_blocks_holder]
    return any(stop.hex in r.hexes and reading.flagged(r.holder_flag) for r in rights)


def _place_faults(ride: Ride) -> Iterator[Fault]:
    """Hexes once, ends, permissions."""
    reading, train = ride.reading, ride.train
    for once in reading.of(o.HexOnce, train):
        hexes = Counter(
            stop.hex for stop in ride.stops if _once(ride.reading.board, once, stop.hex, stop.kind)
        )
        for hex_id, times in hexes.items():
            if times > 1:
                message = f"the route visits {times} stops in {hex_id}"
                yield _fault(ride, "HEX_TWICE_ON_ROUTE", message, once.when.section, hex_id)
    for ends in reading.of(o.EndsNot, train):
        for stop in ride.ends:
            markers = reading.board.markers.get(stop.hex, frozenset())
            if stop.kind in ends.kinds or markers & set(ends.markers):
                message = f"a route may not end at {stop.id}"
                yield _fault(ride, "END_NOT_ALLOWED", message, ends.when.section, stop.hex)
    yield from _permission_faults(ride)
    for forbidden in reading.of(o.StopForbidden, train):
        for stop in ride.stops:
            if reading.fits(forbidden.of, stop):
                message = f"{train.name} may not visit {stop.id}"
                yield _fault(ride, "STOP_FORBIDDEN", message, forbidden.when.section, stop.hex)
    for visited in reading.of(o.VisitedOnly, train):
        yield from _visited_faults(ride, visited)


def _permission_faults(ride: Ride) -> Iterator[Fault]:
    reading = ride.reading
    for right in reading.of(o.Permission, ride.train):
        for hex_id in right.hexes:
            touches = hex_id in ride.touched or any(s.hex == hex_id for s in ride.stops)
            if touches and not reading.flagged(right.holder_flag):
                message = f"the company may not run to {hex_id}"
                yield _fault(ride, "PLACE_NOT_PERMITTED", message, right.when.section, hex_id)


def _once(board: Board, once: o.HexOnce, hex_id: str, kind: str) -> bool:
    """Tell whether a stop is one of those of which a hex has one on a route."""
    if (once.kinds and kind not in once.kinds) or (once.hexes and hex_id not in once.hexes):
        return False
    kinds = {stop.kind for stop in board.faces[hex_id].stops}
    return not once.unless_hex_has or once.unless_hex_has not in kinds


def _visited_faults(ride: Ride, option: o.VisitedOnly) -> Iterator[Fault]:
    reading, section = ride.reading, option.when.section
    counted = [s for s in ride.stops if any(reading.fits(each, s) for each in option.of)]
    if len(counted) < 2:
        yield _fault(ride, "ROUTE_TOO_SHORT", "too few stops of this train's kinds", section)
    if not any(reading.fits(option.end, stop) for stop in ride.ends):
        yield _fault(ride, "END_NOT_ALLOWED", "the route does not end where it must", section)


def _track_faults(ride: Ride) -> Iterator[Fault]:
    reading, train = ride.reading, ride.train
    for gauge in reading.of(o.Gauge, train):
        allowed = gauge.track if train.track == gauge.trains_with_track else gauge.others
        for track in sorted(ride.gauges - set(allowed)):
            message = f"{train.name} does not run on {track} track"
            yield Fault("GAUGE_WRONG", f"{ride.path}.legs", message, gauge.when.section)
    for forbidden in reading.of(o.TrackForbidden, train):
        if forbidden.track in ride.gauges:
            message = f"{train.name} does not run on {forbidden.track} track"
            yield Fault("GAUGE_WRONG", f"{ride.path}.legs", message, forbidden.when.section)


def _number_faults(ride: Ride) -> Iterator[Fault]:
    """Least stops, exact numbers, stops that exclude each other."""
    reading, train = ride.reading, ride.train
    for least in reading.of(o.LeastStops, train):
        if least.if_stop and not any(reading.fits(least.if_stop, s) for s in ride.stops):
            continue
        counting = [
            s for s in ride.stops if not any(reading.fits(each, s) for each in least.not_counted)
        ]
        if len(counting) < least.stops:
            message = f"such a route has at least {least.stops} stops"
            yield _fault(ride, "STOPS_TOO_FEW", message, least.when.section)
    for exact in reading.of(o.Exactly, train):
        found = sum(reading.fits(exact.of, stop) for stop in ride.stops)
        wanted = exact.count if train.name.endswith(exact.trains_name_ends) else exact.others
        if found != wanted:
            message = f"{train.name} visits {wanted} such stops, not {found}"
            yield _fault(ride, "STOPS_NOT_FOR_TRAIN", message, exact.when.section)
    for corporation in reading.of(o.CorporationRule, train):
        yield from _laid_faults(ride, corporation)
    for zero in reading.of(o.ZeroStopNeeds, train):
        for stop in ride.stops:
            if not reading.figure(stop, train) and not _may_visit(ride, zero):
                message = f"{stop.id} is worth nothing and may not be visited so"
                yield _fault(ride, "STOP_WORTHLESS", message, zero.when.section, stop.hex)


def _may_visit(ride: Ride, option: o.ZeroStopNeeds) -> bool:
    reading = ride.reading
    return any(
        reading.company_is(holder)
        and (holder.stop is None or any(reading.fits(holder.stop, s) for s in ride.stops))
        for holder in option.any
    )


def _laid_faults(ride: Ride, option: o.CorporationRule) -> Iterator[Fault]:
    """The route uses the tile laid this turn (1828 §2.2)."""
    reading = ride.reading
    flags = reading.position.company.flags
    laid = next((f.hexes for f in flags if f.name == option.laid_flag), ())
    if not laid:
        yield _fault(ride, "TILE_NOT_LAID", "no tile was laid this turn", option.when.section)
        return
    if not {stop.id for stop in ride.stops} & stops_beside(reading.board, laid[0]):
        message = f"the route does not use the tile laid in {laid[0]}"
        yield _fault(ride, "TILE_NOT_USED", message, option.when.section, laid[0])
    if not any(s.id in reading.own or s.hex in laid for s in ride.ends):
        message = "no end of the route is an own city or in a hex laid this turn"
        yield _fault(ride, "END_NOT_ALLOWED", message, option.when.section)


def stops_beside(board: Board, hex_id: str) -> frozenset[str]:
    """Return the stops of a hex or, if it has none, those that its track leads to directly."""
    face = board.faces[hex_id]
    if face.stops:
        return frozenset(board.stop_at[hex_id, stop.index].id for stop in face.stops)
    ways = [(hex_id, number, entry) for number in range(len(face.paths)) for entry in (0, 1)]
    return _followed(board, ways)


def stops_near(board: Board, stop: Stop) -> frozenset[str]:
    """Return the stops to which track leads directly from a stop."""
    leaving = board.faces[stop.hex].by_stop[stop.index]
    return _followed(board, [(stop.hex, number, entry) for number, entry in leaving])


def _followed(board: Board, waiting: list[tuple[str, int, int]]) -> frozenset[str]:
    """Follow track on from paths entered at an end, and return the stops that it meets."""
    found: set[str] = set()
    seen: set[tuple[str, int, int]] = set()
    while waiting:
        here, number, entry = waiting.pop()
        if (here, number, entry) in seen:
            continue
        seen.add((here, number, entry))
        path = board.faces[here].paths[number]
        far = path.a if entry else path.b
        if far.kind is EndKind.STOP:
            found.add(board.stop_at[here, far.index].id)
        elif far.kind is EndKind.SIDE:
            waiting += [(r.hex, r.path, e) for r, e in board.across(here, far, path.track)]
        else:
            junction = board.faces[here].by_junction[far.index]
            waiting += [(here, n, e) for n, e in junction if n != number]
    return frozenset(found)


def shared_track(rides: Sequence[Ride]) -> Iterator[Fault]:
    """Yield a fault for all track that two routes of one class use (COMMON §4)."""
    first: dict[tuple[object, ...], int] = {}
    for number, ride in enumerate(rides):
        group = track_class(ride)
        for place, items in enumerate(track_items(ride)):
            for item in items:
                other = first.setdefault((group, *item), number)
                if other != number:
                    message = f"this track is already used by {rides[other].path}"
                    where = f"{ride.path}.legs[{place}]"
                    yield Fault("TRACK_SHARED", where, message, "COMMON §4", str(item[1]))
        yield from _far_twice(ride)


def _far_twice(ride: Ride) -> Iterator[Fault]:
    """A route goes from one far approach of a town to another (COMMON §4.3)."""
    used = Counter(item for items in track_items(ride) for item in items if item[0] == "far")
    for item, times in used.items():
        if times > 1:
            message = f"the route uses two far approaches of a town in {item[1]}"
            yield Fault("TRACK_SHARED", f"{ride.path}.legs", message, "COMMON §4.3", str(item[1]))


def track_class(ride: Ride) -> str:
    """Return the class within which the track of a route is exclusive."""
    classes = ride.reading.one(o.TrackClasses)
    return "second" if classes is not None and classes.text in ride.train.name else "first"


def track_items(ride: Ride) -> Iterator[list[tuple[object, ...]]]:
    """Yield by leg what a route uses up: sides with lane, inner paths, far approaches."""
    board = ride.reading.board
    for sides, links, leg in zip(
        ride.traced.sides, ride.traced.links, ride.traced.legs, strict=True
    ):
        items: list[tuple[object, ...]] = [("side", h, side, lane) for h, side, _, lane in sides]
        items += [("link", *ref) for ref in links]
        for ref in (leg[0][0], leg[-1][0]):
            item = far_approach(board, ref.hex, ref.path)
            if item is not None and item not in items:
                items.append(item)
        yield items


def far_approach(board: Board, hex_id: str, number: int) -> tuple[object, ...] | None:
    """Return what a path uses up if it is a far approach of a town (COMMON §4.3)."""
    face = board.faces[hex_id]
    path = face.paths[number]
    for stop_end, side_end in ((path.a, path.b), (path.b, path.a)):
        if stop_end.kind is EndKind.STOP and side_end.kind is EndKind.SIDE:
            stop = face.stops[stop_end.index]
            many = len(face.by_stop[stop_end.index]) > 2
            drawn = stop.draw_at
            if many and stop.kind == "town" and drawn not in ("centre", side_end.index):
                return ("far", hex_id, stop_end.index)
    return None
