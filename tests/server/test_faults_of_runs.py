"""Whatever a client submits as a run, the answer is a verdict whose fields exist."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from bradshaw.v1 import route_service_pb2, run_pb2

from server.convert.answers import ruling_message
from server.convert.requests import submission_from
from server.desk import validate
from tests.server.fields import names_field
from tests.server.requests import NAMES, validate_request

Garble = Callable[[random.Random, route_service_pb2.ValidateRoutesRequest, run_pb2.Route], None]


def _drop_leg(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    del route.legs[0]


def _empty_leg(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    del route.legs[0].paths[:]


def _other_path(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    rng.choice(route.legs[0].paths).path = rng.randrange(-2, 9)


def _other_hex(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    rng.choice(route.legs[0].paths).hex = rng.choice(["Z99", "A1", "M38", "C8"])


def _unknown_stop(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    route.stops[rng.randrange(len(route.stops))] = "Q1-7"


def _no_stops(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    del route.stops[:], route.legs[:]


def _standing(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    del route.stops[1:], route.legs[:]


def _backwards(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    stops = list(route.stops)
    route.stops[:] = stops[::-1]


def _there_and_back(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    route.stops.extend(list(route.stops)[-2::-1])
    for leg in list(route.legs)[::-1]:
        route.legs.add(paths=list(leg.paths)[::-1])


def _foreign_train(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    route.train_id = "X-1"


def _twice(
    rng: random.Random, request: route_service_pb2.ValidateRoutesRequest, route: run_pb2.Route
) -> None:
    request.routes.append(route)


def _other_train(
    rng: random.Random, request: route_service_pb2.ValidateRoutesRequest, route: run_pb2.Route
) -> None:
    route.train_id = request.position.company.trains[-1].id


def _paid(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    route.paid.stops.extend(rng.choice([[], ["Q1-7"], [route.stops[0]] * 9]))


def _carriage(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    route.attachment = rng.choice(["P+", "tender"])


def _written(rng: random.Random, _: object, route: run_pb2.Route) -> None:
    for leg in route.legs:
        hexes = [path.hex for path in leg.paths]
        leg.ClearField("paths")
        leg.hexes.extend(rng.choice([hexes, hexes[::-1], ["local", "M38"], ["local"], ["A1"]]))


WAYS: tuple[Garble, ...] = (
    _drop_leg,
    _empty_leg,
    _other_path,
    _other_hex,
    _unknown_stop,
    _no_stops,
    _standing,
    _backwards,
    _there_and_back,
    _foreign_train,
    _twice,
    _other_train,
    _paid,
    _carriage,
    _written,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_a_garbled_run_gets_a_verdict(name: str, way: Garble) -> None:
    """Legal with an account, or faults with code, sentence and the path of a field."""
    rng = random.Random(f"{name} {way.__name__}")
    for _ in range(4):
        request = validate_request(name)
        way(rng, request, request.routes[0])
        answer = ruling_message(validate(submission_from(request)))
        assert answer.legal == answer.HasField("run") == (not answer.faults)
        for fault in answer.faults:
            assert fault.code.isupper()
            assert fault.message
            assert names_field(route_service_pb2.ValidateRoutesRequest.DESCRIPTOR, fault.field)
            assert fault.field.startswith(f"routes[{fault.route}]") == fault.HasField("route")


def test_the_ways_lead_to_many_codes() -> None:
    """Otherwise the test above would see little."""
    codes = set()
    for name in NAMES:
        for way in WAYS:
            request = validate_request(name)
            way(random.Random(name), request, request.routes[0])
            answer = ruling_message(validate(submission_from(request)))
            codes |= {fault.code for fault in answer.faults}
    assert len(codes) >= 15, sorted(codes)


def small() -> route_service_pb2.ValidateRoutesRequest:
    """Return a legal run whose routes are as answers have them: their legs have both forms."""
    request = validate_request("1862-small")
    judged = ruling_message(validate(submission_from(request)))
    assert judged.legal
    del request.routes[:]
    request.routes.extend(account.route for account in judged.run.routes)
    assert all(leg.paths and leg.hexes for route in request.routes for leg in route.legs)
    return request


def verdict(
    request: route_service_pb2.ValidateRoutesRequest,
) -> route_service_pb2.ValidateRoutesResponse:
    """Return what is said of a run."""
    return ruling_message(validate(submission_from(request)))


@pytest.mark.parametrize("name", NAMES)
def test_the_routes_of_an_answer_are_taken_as_they_are(name: str) -> None:
    """Their legs have both forms, which say the same."""
    first = verdict(validate_request(name))
    again = route_service_pb2.ValidateRoutesRequest(position=validate_request(name).position)
    again.routes.extend(account.route for account in first.run.routes)
    assert verdict(again) == first


def test_two_forms_of_a_leg_that_differ_are_told() -> None:
    """Neither is left out silently."""
    request = small()
    request.routes[0].legs[0].hexes[-1] = "A1"
    (fault,) = verdict(request).faults
    assert (fault.code, fault.field) == ("LEG_FORMS_DIFFER", "routes[0].legs[0].hexes")


def test_a_route_that_means_nothing_does_not_hide_what_is_wrong_with_others() -> None:
    """Its own train and the other route are judged; of its legs one thing is said."""
    request = small()
    other = request.routes.add(train_id="none")
    other.CopyFrom(request.routes[0])
    other.train_id = "none"
    other.stops[0] = "Q1-7"
    void = request.routes.add(train_id="nix")
    void.legs.add(hexes=["Z98", "Z99"])
    number = len(request.routes) - 1
    told = {(fault.code, fault.field) for fault in verdict(request).faults}
    assert told == {
        ("ROUTE_VOID", f"routes[{number}].legs[0].hexes"),
        ("TRAIN_NOT_OWNED", f"routes[{number}].train_id"),
        ("TRAIN_NOT_OWNED", f"routes[{number - 1}].train_id"),
        ("STOP_UNKNOWN", f"routes[{number - 1}].stops[0]"),
    }


def test_the_leg_without_track_is_named() -> None:
    """Where all legs have track but do not join, the route."""
    request = small()
    route = request.routes[0]
    for leg in route.legs:
        del leg.paths[:]
    route.legs.add(hexes=["Z98", "Z99"])
    last = len(route.legs) - 1
    (fault,) = verdict(request).faults
    assert (fault.code, fault.field) == ("ROUTE_VOID", f"routes[0].legs[{last}].hexes")
    route.legs[last].CopyFrom(route.legs[0])
    (fault,) = verdict(request).faults
    assert (fault.code, fault.field) == ("ROUTE_VOID", "routes[0].legs")
