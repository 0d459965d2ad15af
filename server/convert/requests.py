"""From request messages to questions, with the paths of all faulty fields."""

from __future__ import annotations

from collections.abc import Iterable

from bradshaw.v1 import board_pb2, route_service_pb2, run_pb2
from google.protobuf.json_format import MessageToDict, SerializeToJsonError

from engine.board.board import PathRef
from engine.board.state import BoardState
from engine.routing.run import CompanyState
from optimizer.solution import Objective
from server.convert.boards import board_from
from server.convert.companies import company_from
from server.convert.reading import Reading
from server.limits import (
    MOST_ENTRIES,
    MOST_PATHS,
    MOST_ROUTES,
    MOST_RUNS,
    MOST_SECONDS,
    MOST_SEED,
    MOST_STOPS,
)
from server.profiles import ProfileChoice
from server.question import Question, Situation, Submission, SubmittedRoute, SubmittedWishes

OBJECTIVES: dict[int, Objective | None] = {
    route_service_pb2.OBJECTIVE_UNSPECIFIED: None,
    route_service_pb2.OBJECTIVE_REVENUE: Objective.REVENUE,
    route_service_pb2.OBJECTIVE_TOTAL: Objective.TOTAL,
    route_service_pb2.OBJECTIVE_SUBSIDY: Objective.SUBSIDY,
}
NO_NUMBER = "a number is infinite or none at all (NaN)"
"""What is wrong with a value that JSON cannot have."""

NOWHERE = Situation(BoardState("", ""), CompanyState("", ()))
"""Stands for a position that is missing, until that is told."""

OptimizeRequest = (
    route_service_pb2.OptimizeRoutesRequest | route_service_pb2.StreamOptimizeRoutesRequest
)


def question_from(request: OptimizeRequest) -> Question:
    """Return what a request to optimize asks.

    Raises
    ------
    RequestError
        Fields are missing or out of range; all of them are listed.
    """
    reading = Reading()
    situation = _situation(reading, request.position, request.HasField("position"))
    question = read_options(reading, request.options, situation)
    reading.end()
    return question


def read_options(
    reading: Reading, options: route_service_pb2.SolveOptions, situation: Situation
) -> Question:
    """Return the question that options ask of a situation; note the faults of the options."""
    if options.objective not in OBJECTIVES:
        message = f"there is no objective {options.objective}"
        reading.fault("ENUM_UNKNOWN", "options.objective", message)
    algorithm = reading.text(options.algorithm, "options.algorithm", required=False)
    wishes = _wishes(reading, options.wishes, "options.wishes")
    return Question(
        situation=situation,
        named_objective=OBJECTIVES.get(options.objective),
        wishes=wishes,
        algorithm=algorithm,
        seed=reading.number(options.seed, "options.seed", 0, MOST_SEED),
        seconds=_seconds(reading, options),
        runs=reading.choice(options.run_count, "options.run_count", MOST_RUNS, 1),
    )


def submission_from(request: route_service_pb2.ValidateRoutesRequest) -> Submission:
    """Return what a request to validate asks.

    Raises
    ------
    RequestError
        Fields are missing or out of range; all of them are listed.
    """
    reading = Reading()
    situation = _situation(reading, request.position, request.HasField("position"))
    routes = _routes(reading, request.routes, "routes")
    reading.end()
    return Submission(situation, routes)


def situation_from(position: board_pb2.Position) -> Situation:
    """Return board, company and rules of a position.

    Raises
    ------
    RequestError
        Fields are missing or out of range; all of them are listed.
    """
    reading = Reading()
    situation = _situation(reading, position, True)
    reading.end()
    return situation


def _seconds(reading: Reading, options: route_service_pb2.SolveOptions) -> float | None:
    if not options.HasField("time_limit"):
        return None
    limit = options.time_limit
    seconds = limit.seconds + limit.nanos / 1e9
    if not 0 < seconds <= MOST_SECONDS or not -(10**9) < limit.nanos < 10**9:
        message = f"a time limit is more than 0 s and at most {MOST_SECONDS} s, not {seconds} s"
        reading.fault("OUT_OF_RANGE", "options.time_limit", message)
    return seconds


def _situation(reading: Reading, position: board_pb2.Position, given: bool) -> Situation:
    if not given:
        reading.fault("REQUIRED", "position", "the field is required")
        return NOWHERE
    board, company = NOWHERE.board, NOWHERE.company
    if position.HasField("board"):
        board = board_from(reading, position.board, "position.board")
    else:
        reading.fault("REQUIRED", "position.board", "the field is required")
    if position.HasField("company"):
        company = company_from(reading, position.company, "position.company")
    else:
        reading.fault("REQUIRED", "position.company", "the field is required")
    return Situation(board, company, _profile(reading, position.rules, "position.rules"))


def _profile(reading: Reading, rules: board_pb2.RulesProfile, path: str) -> ProfileChoice:
    name = reading.text(rules.name, f"{path}.name", required=False)
    if not reading.count(rules.overrides, f"{path}.overrides", MOST_ENTRIES):
        return ProfileChoice(name)
    overrides = {}
    for key, value in sorted(rules.overrides.items()):
        reading.text(key, f"{path}.overrides")
        try:
            overrides[key] = MessageToDict(value)
        except (SerializeToJsonError, ValueError):
            reading.fault("OUT_OF_RANGE", f"{path}.overrides[{key}]", NO_NUMBER)
    return ProfileChoice(name, overrides)


def _wishes(reading: Reading, wishes: route_service_pb2.Wishes, path: str) -> SubmittedWishes:
    attach: dict[str, str] = {}
    if reading.count(wishes.attach, f"{path}.attach", MOST_ENTRIES):
        for name, train in sorted(wishes.attach.items()):
            reading.text(name, f"{path}.attach")
            attach[name] = reading.text(train, f"{path}.attach[{name}]", required=False)
    return SubmittedWishes(
        pinned=_routes(reading, wishes.pinned, f"{path}.pinned"),
        idle=reading.texts(wishes.idle_trains, f"{path}.idle_trains"),
        avoid_hexes=reading.texts(wishes.avoid_hexes, f"{path}.avoid_hexes"),
        avoid_stops=reading.texts(wishes.avoid_stops, f"{path}.avoid_stops"),
        attach=attach,
    )


def _routes(
    reading: Reading, routes: Iterable[run_pb2.Route], path: str
) -> tuple[SubmittedRoute, ...]:
    listed = tuple(routes)
    if not reading.count(listed, path, MOST_ROUTES):
        return ()
    return tuple(_route(reading, route, f"{path}[{n}]") for n, route in enumerate(listed))


def _route(reading: Reading, route: run_pb2.Route, path: str) -> SubmittedRoute:
    train = reading.text(route.train_id, f"{path}.train_id")
    fits = reading.count(route.stops, f"{path}.stops", MOST_STOPS)
    fits = reading.count(route.legs, f"{path}.legs", MOST_STOPS) and fits
    if not fits:
        return SubmittedRoute(train)
    forms = {(bool(leg.paths), bool(leg.hexes)) for leg in route.legs} - {(False, False)}
    if len(forms) > 1:
        message = "the legs of a route all give paths, all give hexes, or all give both"
        reading.fault("LEG_FORMS_MIXED", f"{path}.legs", message)
    paid = None
    if route.HasField("paid"):
        paid = reading.texts(route.paid.stops, f"{path}.paid.stops")
    in_hexes = any(hexes for _, hexes in forms)
    in_paths = any(paths for paths, _ in forms) or not in_hexes
    return SubmittedRoute(
        train=train,
        stops=reading.texts(route.stops, f"{path}.stops"),
        paths=_paths(reading, route, f"{path}.legs") if in_paths else None,
        hexes=_hexes(reading, route, f"{path}.legs") if in_hexes else None,
        paid=paid,
        attachment=reading.text(route.attachment, f"{path}.attachment", required=False),
    )


def _paths(reading: Reading, route: run_pb2.Route, path: str) -> tuple[tuple[PathRef, ...], ...]:
    legs = []
    for number, leg in enumerate(route.legs):
        where = f"{path}[{number}].paths"
        if reading.count(leg.paths, where, MOST_PATHS):
            legs.append(
                tuple(
                    PathRef(reading.text(ref.hex, f"{where}[{place}].hex"), ref.path)
                    for place, ref in enumerate(leg.paths)
                )
            )
    return tuple(legs)


def _hexes(reading: Reading, route: run_pb2.Route, path: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        reading.texts(leg.hexes, f"{path}[{number}].hexes") for number, leg in enumerate(route.legs)
    )
