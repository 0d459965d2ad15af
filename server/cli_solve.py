"""The commands that ask: ``optimize``, ``validate``, ``games``, ``replay-report``."""

from __future__ import annotations

import argparse
import sys

from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import ParseDict, ParseError
from google.rpc import code_pb2

from server.asking import StatusError
from server.cli_common import (
    InputError,
    apply_options,
    as_json,
    guarded,
    interruptible,
    is_game,
    message_from,
    read_object,
    read_text,
    show_status,
    telling,
)
from server.cli_pictures import check_picture, write_picture
from server.cli_tables import game_lines, solution_lines, verdict_lines
from server.cli_wishes import apply_wishes
from server.client import Client, LocalClient, RemoteClient
from server.exit_codes import NOT_AS_HOPED, OK
from server.reports import read_report


def optimize(options: argparse.Namespace) -> int:
    """Find the best run; return the exit code."""

    def work() -> int:
        check_picture(options.svg)
        request = _question(options)
        apply_options(options, request.options)
        apply_wishes(options, request.options.wishes)
        return _solve(_client(options), request, options)

    return guarded(options, work)


def _question(options: argparse.Namespace) -> route_service_pb2.OptimizeRoutesRequest:
    """Return the request of a file: one as it stands, or what a game file comes to."""
    request = route_service_pb2.OptimizeRoutesRequest()
    content = read_object(options.file, f"game file or {request.DESCRIPTOR.name}")
    if is_game(content):
        from server.cli_games import position_in  # whole games, which a request does not need

        return route_service_pb2.OptimizeRoutesRequest(position=position_in(content, options))
    _without_moment(options)
    return message_from(options.file, content, request)


def validate(options: argparse.Namespace) -> int:
    """Say whether a run is legal; return the exit code."""

    def work() -> int:
        check_picture(options.svg)
        request = _submission(options)
        answer = _client(options).validate(request)
        if answer.legal:
            write_picture(options.svg, request.position, answer.run)
        if options.json:
            print(as_json(answer))
        else:
            given = bool(request.routes)
            print("\n".join(verdict_lines(request.position, answer, given)))
        return OK if answer.legal else NOT_AS_HOPED

    return guarded(options, work)


def _submission(options: argparse.Namespace) -> route_service_pb2.ValidateRoutesRequest:
    """Return the request of a file: one as it stands, or the run that a game file records."""
    request = route_service_pb2.ValidateRoutesRequest()
    content = read_object(options.file, f"game file or {request.DESCRIPTOR.name}")
    if is_game(content):
        from server.cli_games import recorded_run  # whole games, which a request does not need

        return recorded_run(content, options)
    _without_moment(options)
    return message_from(options.file, content, request)


def _without_moment(options: argparse.Namespace) -> None:
    """Refuse options that only a game file can have."""
    if options.at is not None or options.profile:
        raise InputError(f"--at and --profile go with a game file, and {options.file} is none")


def games(options: argparse.Namespace) -> int:
    """List the games; return the exit code."""

    def work() -> int:
        answer = _client(options).games()
        print(as_json(answer) if options.json else "\n".join(game_lines(answer)))
        return OK

    return guarded(options, work)


def replay(options: argparse.Namespace) -> int:
    """Ask again what a report says was not confirmed; return the exit code."""

    def work() -> int:
        try:
            report = read_report(read_text(options.file))
            request = route_service_pb2.OptimizeRoutesRequest()
            ParseDict(report["request"], request)
        except (ValueError, KeyError, ParseError) as error:
            raise InputError(f"{options.file} is not a report: {error}") from error
        try:
            answer = LocalClient().optimize(request, _quiet)
        except StatusError as error:
            if error.status.code == code_pb2.INTERNAL:
                print(f"{report['evidence']['said']}: still not confirmed", file=sys.stderr)
                show_status(options, error)
                return NOT_AS_HOPED
            raise
        print(f"{report['evidence']['said']}: confirmed now", file=sys.stderr)
        return _show_solution(options, request.position, answer)

    return guarded(options, work)


def _solve(
    client: Client, request: route_service_pb2.OptimizeRoutesRequest, options: argparse.Namespace
) -> int:
    with interruptible(client), telling("looking for the best run") as told:
        answer = client.optimize(request, told)
    write_picture(options.svg, request.position, answer.solution.run, answer.solution)
    return _show_solution(options, request.position, answer)


def _show_solution(
    options: argparse.Namespace,
    position: board_pb2.Position,
    answer: route_service_pb2.OptimizeRoutesResponse,
) -> int:
    if options.json:
        print(as_json(answer))
    else:
        print("\n".join(solution_lines(position, answer.solution)))
    proven = answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    return OK if proven else NOT_AS_HOPED


def _client(options: argparse.Namespace) -> Client:
    return RemoteClient(options.server) if options.server else LocalClient()


def _quiet(_: route_service_pb2.Improvement) -> None:
    """Tell nothing."""
