"""The referee of titles that declare their rules: is a run legal, and what does it pay?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.declared import options as o
from engine.declared.couples import Paid, run_faults, settle
from engine.declared.grants import CARRIAGE
from engine.declared.legality import route_faults, shared_track
from engine.declared.paying import Pay, pay_route
from engine.declared.reading import Reading
from engine.declared.ride import Ride
from engine.errors import Fault
from engine.routing.checks import idle_faults, ownership_faults
from engine.routing.run import Position, Route, Run, Verdict
from engine.routing.track import trace

OWNED = "COMMON §2.1"


def judge_run(position: Position, run: Run) -> Verdict:
    """Say whether a run is legal and what it pays.

    Parameters
    ----------
    position
        Board and company.
    run
        The routes in the order in which they are submitted.

    Returns
    -------
    Verdict
        With every fault, or with the account of every route.
    """
    reading = Reading(position)
    faults = [
        *ownership_faults(position.company, run, "COMMON §2.1"),
        *idle_faults(position.company, run, "COMMON §2.1"),
    ]
    faults.extend(_choice_faults(run))
    faults.extend(_carriage_faults(reading, run))
    riders = [r for r in run.routes if not _stands(reading, r)]
    paid: list[Paid] = []
    for number, route in enumerate(run.routes):
        if route in riders and route.train in reading.faces:
            ride, wrong = _ride(reading, route, f"routes[{number}]")
            faults.extend(wrong)
            if ride is not None:
                paid.append(Paid(ride, pay_route(ride)))
    rides = [each.ride for each in paid]
    for each in paid:
        faults.extend(_pay_faults(each.ride, each.pay))
    faults.extend(shared_track(rides))
    faults.extend(run_faults(reading, run, rides))
    if faults:
        return Verdict(tuple(faults))
    return settle(reading, run, paid)


def _stands(reading: Reading, route: Route) -> bool:
    """Tell whether the train only stands at a stop of another route (18EU §2.2)."""
    option = reading.one(o.Pullman)
    face = reading.faces.get(route.train)
    return option is not None and face is not None and face.name == option.train


def _choice_faults(run: Run) -> Iterator[Fault]:
    """Nobody chooses which stops pay (COMMON §8.2)."""
    for number, route in enumerate(run.routes):
        if route.paid is not None:
            message = "the director does not choose which stops pay: the best do"
            yield Fault("PAID_NOT_CHOSEN", f"routes[{number}].paid", message, "COMMON §8.2")


def _carriage_faults(reading: Reading, run: Run) -> Iterator[Fault]:
    """One carriage, if the company has it, for a train of broad gauge (1858India §1.2)."""
    attached = [n for n, route in enumerate(run.routes) if route.attachment]
    has = reading.position.company.pullman and reading.one(o.Attached) is not None
    for number, at in enumerate(attached):
        route = run.routes[at]
        face = reading.faces.get(route.train)
        if not has or route.attachment != CARRIAGE:
            message = f"there is no carriage {route.attachment!r}"
        elif number or (face is not None and face.track != "broad"):
            message = "one train of broad gauge takes the carriage"
        else:
            continue
        yield Fault("ATTACHMENT_UNKNOWN", f"routes[{at}].attachment", message, "COMMON §2.1")


def _ride(reading: Reading, route: Route, path: str) -> tuple[Ride | None, Sequence[Fault]]:
    traced, faults = trace(reading.board, route, path)
    if traced is None:
        return None, faults
    ride = Ride(reading, traced, reading.faces[route.train], path)
    found = [*faults, *route_faults(ride)]
    return ride, found


def _pay_faults(ride: Ride, pay: Pay) -> Iterator[Fault]:
    """What a route may not be paid for, or must."""
    reading, train = ride.reading, ride.train
    where = f"{ride.path}.stops"
    for both in reading.of(o.NotBoth, train):
        if all(any(reading.fits(each, s) for s in pay.paying) for each in both.of):
            message = "the route is paid for stops that exclude each other"
            yield Fault("STOPS_EXCLUDED", where, message, both.when.section)
    for least in reading.of(o.LeastPaying, train):
        if sum(reading.kind(stop) in least.kinds for stop in pay.paying) < least.count:
            message = f"at least {least.count} {' or '.join(least.kinds)} stops must pay"
            yield Fault("STOPS_TOO_FEW", where, message, least.when.section)
    for zero in reading.of(o.ZeroStopForbidden, train):
        for stop in pay.paying:
            if not reading.paid(stop, train):
                message = f"{stop.id} is worth nothing in this phase"
                yield Fault("STOP_WORTHLESS", where, message, zero.when.section, stop.hex)
    for needed in reading.of(o.ValueNeeded, train):
        if pay.revenue <= 0:
            message = "the stops that pay the company are worth nothing"
            yield Fault("ROUTE_WORTHLESS", where, message, needed.when.section)
