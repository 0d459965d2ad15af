"""The commands that ask: ``optimize``, ``validate``, ``games``, ``replay-report``."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from bradshaw.v1 import board_pb2, route_service_pb2
from google.protobuf.json_format import MessageToJson, ParseDict, ParseError
from google.protobuf.message import Message
from google.rpc import code_pb2

from server.cli_tables import game_lines, solution_lines, status_lines, verdict_lines
from server.client import Client, LocalClient, RemoteClient, StatusError
from server.convert.answers import picture
from server.reports import read_report

M = TypeVar("M", bound=Message)

OK, NOT_AS_HOPED, BAD_INPUT, FAILED = 0, 1, 2, 3
PATIENCE = 2.0
"""Seconds without an answer after which better runs are told on standard error."""

BAD_CODES = (
    code_pb2.INVALID_ARGUMENT,
    code_pb2.FAILED_PRECONDITION,
    code_pb2.NOT_FOUND,
    code_pb2.OUT_OF_RANGE,
)


class InputError(Exception):
    """A file cannot be read or written, or is not what it should be."""


def optimize(options: argparse.Namespace) -> int:
    """Find the best run; return the exit code."""

    def work() -> int:
        request = _read(options.file, route_service_pb2.OptimizeRoutesRequest())
        _apply(options, request.options)
        return _solve(_client(options), request, options)

    return _guarded(options, work)


def validate(options: argparse.Namespace) -> int:
    """Say whether a run is legal; return the exit code."""

    def work() -> int:
        request = _read(options.file, route_service_pb2.ValidateRoutesRequest())
        answer = _client(options).validate(request)
        if options.svg and answer.legal:
            _write(options.svg, picture(request.position, answer.run))
        if options.json:
            print(_json(answer))
        else:
            print("\n".join(verdict_lines(request.position, answer)))
        return OK if answer.legal else NOT_AS_HOPED

    return _guarded(options, work)


def games(options: argparse.Namespace) -> int:
    """List the games; return the exit code."""

    def work() -> int:
        answer = _client(options).games()
        print(_json(answer) if options.json else "\n".join(game_lines(answer)))
        return OK

    return _guarded(options, work)


def replay(options: argparse.Namespace) -> int:
    """Ask again what a report says was not confirmed; return the exit code."""

    def work() -> int:
        try:
            report = read_report(_text(options.file))
            request = route_service_pb2.OptimizeRoutesRequest()
            ParseDict(report["request"], request)
        except (ValueError, KeyError, ParseError) as error:
            raise InputError(f"{options.file} is not a report: {error}") from error
        try:
            answer = LocalClient().optimize(request, _quiet)
        except StatusError as error:
            if error.status.code == code_pb2.INTERNAL:
                print(f"{report['evidence']['said']}: still not confirmed", file=sys.stderr)
                _show_status(options, error)
                return NOT_AS_HOPED
            raise
        print(f"{report['evidence']['said']}: confirmed now", file=sys.stderr)
        return _show_solution(options, request.position, answer)

    return _guarded(options, work)


def _solve(
    client: Client, request: route_service_pb2.OptimizeRoutesRequest, options: argparse.Namespace
) -> int:
    with _interruptible(client):
        answer = client.optimize(request, _teller())
    if options.svg:
        _write(options.svg, picture(request.position, answer.solution.run))
    return _show_solution(options, request.position, answer)


def _show_solution(
    options: argparse.Namespace,
    position: board_pb2.Position,
    answer: route_service_pb2.OptimizeRoutesResponse,
) -> int:
    if options.json:
        print(_json(answer))
    else:
        print("\n".join(solution_lines(position, answer.solution)))
    proven = answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
    return OK if proven else NOT_AS_HOPED


def _show_status(options: argparse.Namespace, error: StatusError) -> None:
    if options.json:
        print(_json(error.status))
    else:
        print("\n".join(status_lines(error.status)), file=sys.stderr)


def _guarded(options: argparse.Namespace, work: Callable[[], int]) -> int:
    """Run a command; print what is wrong with its input or answer."""
    try:
        return work()
    except InputError as error:
        if options.json:
            print(json.dumps({"code": code_pb2.INVALID_ARGUMENT, "message": str(error)}))
        else:
            print(f"bradshaw: {error}", file=sys.stderr)
        return BAD_INPUT
    except StatusError as error:
        _show_status(options, error)
        return BAD_INPUT if error.status.code in BAD_CODES else FAILED


def _client(options: argparse.Namespace) -> Client:
    return RemoteClient(options.server) if options.server else LocalClient()


def _text(name: str) -> str:
    try:
        if name == "-":
            return sys.stdin.read()
        return Path(name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {name}: {error}") from error


def _read(name: str, message: M) -> M:
    kind = message.DESCRIPTOR.name
    try:
        content = json.loads(_text(name))
        if not isinstance(content, dict):
            raise InputError(f"{name} is not a {kind}: it is no JSON object")
        return ParseDict(content, message)
    except (ValueError, ParseError, RecursionError) as error:
        raise InputError(f"{name} is not a {kind} as protobuf JSON: {error}") from error


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error}") from error


def _json(message: Message) -> str:
    return MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _apply(options: argparse.Namespace, wanted: route_service_pb2.SolveOptions) -> None:
    """Options of the command line go before those of the file."""
    if options.time_limit is not None:
        wanted.time_limit.FromMicroseconds(round(options.time_limit * 1_000_000))
    if options.seed is not None:
        wanted.seed = options.seed
    if options.algorithm is not None:
        wanted.algorithm = options.algorithm
    if options.objective is not None:
        name = f"OBJECTIVE_{options.objective.upper()}"
        wanted.objective = route_service_pb2.Objective.Value(name)
    if options.runs is not None:
        wanted.run_count = options.runs


def _teller() -> Callable[[route_service_pb2.Improvement], None]:
    """Return a function that tells of better runs once patience has ended."""
    started = time.monotonic()

    def told(better: route_service_pb2.Improvement) -> None:
        seconds = time.monotonic() - started
        if seconds >= PATIENCE:
            text = f"£{better.revenue} found, bound £{better.bound}, {seconds:.1f} s"
            print(text, file=sys.stderr, flush=True)

    return told


def _quiet(_: route_service_pb2.Improvement) -> None:
    """Tell nothing."""


@contextmanager
def _interruptible(client: Client) -> Iterator[None]:
    """Let an interrupt from the keyboard end the solve instead of the program."""
    before = signal.signal(signal.SIGINT, lambda *_: client.end())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
