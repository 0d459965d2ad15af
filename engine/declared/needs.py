"""What a route of a train must be like. The statement's side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from engine.declared import options as o
from engine.declared.net import Net
from engine.declared.reading import Reading
from engine.routing.vocabulary import AtMostOne, Has, Need, Of
from engine.titles.trains import TrainKind


def visits_of(reading: Reading, net: Net, train: TrainKind) -> frozenset[int]:
    """Return the stops that routes of a train may visit."""
    closed: set[int] = set()
    slots = {kind for slot in train.slots if slot.visit for kind in slot.kinds}
    for number, stop in enumerate(net.stops):
        if train.slots and reading.kind(stop) not in slots:
            closed.add(number)
        if any(reading.fits(each.of, stop) for each in reading.of(o.StopForbidden, train)):
            closed.add(number)
    for right in reading.of(o.Permission, train):
        if not reading.flagged(right.holder_flag):
            closed |= {n for n, stop in enumerate(net.stops) if stop.hex in right.hexes}
    for exact in reading.of(o.Exactly, train):
        wanted = exact.count if train.name.endswith(exact.trains_name_ends) else exact.others
        if not wanted:
            closed |= net.numbers(reading.fitting(exact.of))
    if reading.one(o.ZeroStopForbidden, train) is not None and not _chooses(train):
        closed |= {n for n, s in enumerate(net.stops) if not reading.paid(s, train)}
    return frozenset(range(len(net.stops))) - closed


def _chooses(train: TrainKind) -> bool:
    return any(slot.pay < slot.visit for slot in train.slots)


def ends_of(reading: Reading, net: Net, train: TrainKind) -> frozenset[int]:
    """Return the stops at which routes may end."""
    closed: set[int] = set()
    for option in reading.of(o.EndsNot, train):
        for number, stop in enumerate(net.stops):
            markers = net.board.markers.get(stop.hex, frozenset())
            if stop.kind in option.kinds or markers & set(option.markers):
                closed.add(number)
    return frozenset(range(len(net.stops))) - closed


def groups_of(reading: Reading, net: Net, train: TrainKind) -> Iterator[AtMostOne]:
    """Yield sets of stops of which a route visits one (COMMON §3.3, and hexes visited once)."""
    groups: dict[str, set[int]] = defaultdict(set)
    for number, stop in enumerate(net.stops):
        for group in stop.groups:
            groups[group].add(number)
    for once in reading.of(o.HexOnce, train):
        for number, stop in enumerate(net.stops):
            if once.kinds and stop.kind not in once.kinds:
                continue
            if once.hexes and stop.hex not in once.hexes:
                continue
            kinds = {other.kind for other in net.board.faces[stop.hex].stops}
            if once.unless_hex_has not in kinds:
                groups[f"hex {stop.hex} {once.kinds}"].add(number)
    for both in reading.of(o.NotBoth, train):
        sides = [net.numbers(reading.fitting(selector)) for selector in both.of]
        if all(sides):
            groups[f"not both {sides}"] = {n for side in sides for n in side}
    seen: set[frozenset[int]] = set()
    for members in groups.values():
        one = frozenset(members)
        if len(one) > 1 and one not in seen:
            seen.add(one)
            yield AtMostOne(one)


def allowed_legs(reading: Reading, net: Net, train: TrainKind) -> frozenset[int] | None:
    """Return the legs that routes may use; None for all."""
    closed: set[int] = set()
    for gauge in reading.of(o.Gauge, train):
        allowed = gauge.track if train.track == gauge.trains_with_track else gauge.others
        closed |= {n for n, found in enumerate(net.gauges) if found - set(allowed)}
    for forbidden in reading.of(o.TrackForbidden, train):
        closed |= {n for n, found in enumerate(net.gauges) if forbidden.track in found}
    for length in reading.of(o.Length, train):
        mixed = frozenset(length.leg_not_mixed)
        if mixed:
            closed |= {n for n, found in enumerate(net.gauges) if mixed <= found}
    for right in reading.of(o.Permission, train):
        if not reading.flagged(right.holder_flag):
            closed |= {n for n, leg in enumerate(net.legs) if leg.hexes & set(right.hexes)}
    if not closed:
        return None
    return frozenset(range(len(net.legs))) - closed


def needs_of(reading: Reading, net: Net, train: TrainKind) -> Iterator[Need]:
    """Yield what routes must hold besides."""
    every = frozenset(range(len(net.stops)))
    for least in reading.of(o.LeastStops, train):
        counting = every
        for selector in least.not_counted:
            counting -= net.numbers(reading.fitting(selector))
        then = (Has(Of.VISITED, counting, least.stops),)
        if least.if_stop is None:
            yield Need(then)
        else:
            given = net.numbers(reading.fitting(least.if_stop))
            if given:
                yield Need(then, (Has(Of.VISITED, given),))
    for exact in reading.of(o.Exactly, train):
        wanted = exact.count if train.name.endswith(exact.trains_name_ends) else exact.others
        if wanted:
            stops = net.numbers(reading.fitting(exact.of))
            yield Need((Has(Of.VISITED, stops, wanted, wanted),))
    for paying in reading.of(o.LeastPaying, train):
        kinds = {n for n, s in enumerate(net.stops) if reading.kind(s) in paying.kinds}
        yield Need((Has(Of.VISITED, frozenset(kinds), paying.count),))
    if reading.one(o.ValueNeeded, train) is not None:
        worth = {
            n
            for n, s in enumerate(net.stops)
            if reading.paid(s, train)
            and not any(reading.fits(t.of, s) for t in reading.of(o.ToTreasury, train))
        }
        yield Need((Has(Of.VISITED, frozenset(worth)),))
    for zero in reading.of(o.ZeroStopNeeds, train):
        yield from _zero_needs(reading, net, train, zero)
    if reading.one(o.ZeroStopForbidden, train) is not None and _chooses(train):
        worth = {n for n, s in enumerate(net.stops) if reading.paid(s, train)}
        most = sum(slot.pay for slot in train.slots)
        nothing = every - worth
        if nothing:
            yield Need((Has(Of.VISITED, frozenset(worth), most),), (Has(Of.VISITED, nothing),))
    yield from _special_needs(reading, net, train)


def _zero_needs(
    reading: Reading, net: Net, train: TrainKind, option: o.ZeroStopNeeds
) -> Iterator[Need]:
    """Stops of value 0 want some other stop on the route, unless the company may visit them."""
    nothing = frozenset(n for n, s in enumerate(net.stops) if not reading.figure(s, train))
    wanted: frozenset[int] = frozenset()
    for holder in option.any:
        if reading.company_is(holder):
            if holder.stop is None:
                return
            wanted |= net.numbers(reading.fitting(holder.stop))
    if nothing:
        yield Need((Has(Of.VISITED, wanted),), (Has(Of.VISITED, nothing),))


def _special_needs(reading: Reading, net: Net, train: TrainKind) -> Iterator[Need]:
    for visited in reading.of(o.VisitedOnly, train):
        stops = frozenset[int]().union(*(net.numbers(reading.fitting(each)) for each in visited.of))
        yield Need((Has(Of.VISITED, stops, 2),))
        yield Need((Has(Of.ENDS, net.numbers(reading.fitting(visited.end))),))
    for corporation in reading.of(o.CorporationRule, train):
        yield from _laid_needs(reading, net, corporation)


def _laid_needs(reading: Reading, net: Net, option: o.CorporationRule) -> Iterator[Need]:
    """1828 §2.2: a stop of the first tile laid, or one that its track leads to; and an end."""
    flags = reading.position.company.flags
    laid = next((flag.hexes for flag in flags if flag.name == option.laid_flag), ())
    if not laid:
        yield Need((Has(Of.VISITED, frozenset()),))
        return
    beside = {n for n, stop in enumerate(net.stops) if stop.hex == laid[0]}
    if not net.board.faces[laid[0]].stops:
        beside |= {n for n, stop in enumerate(net.stops) if laid[0] in net.around(stop)}
    ends = net.numbers(reading.own) | {n for n, s in enumerate(net.stops) if s.hex in laid}
    yield Need((Has(Of.VISITED, frozenset(beside)),))
    yield Need((Has(Of.ENDS, ends),))
