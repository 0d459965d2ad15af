"""What the commands share: files in and out, errors, options of a solve, interrupts."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from bradshaw.v1 import route_service_pb2
from google.protobuf.json_format import MessageToJson, ParseDict, ParseError
from google.protobuf.message import Message
from google.rpc import code_pb2, status_pb2

from server.asking import StatusError
from server.cli_tables import status_lines
from server.exit_codes import BAD_INPUT, FAILED
from server.limits import SNAPSHOT
from server.progress import progress

M = TypeVar("M", bound=Message)


BAD_CODES = (
    code_pb2.INVALID_ARGUMENT,
    code_pb2.FAILED_PRECONDITION,
    code_pb2.NOT_FOUND,
    code_pb2.OUT_OF_RANGE,
    code_pb2.UNIMPLEMENTED,
)


class InputError(Exception):
    """A file cannot be read or written, or is not what it should be."""


def show_status(options: argparse.Namespace, error: StatusError) -> None:
    """Print an error: to standard error for people, to standard output as JSON."""
    if options.json:
        print(as_json(error.status))
    else:
        print("\n".join(status_lines(error.status)), file=sys.stderr)


def guarded(options: argparse.Namespace, work: Callable[[], int]) -> int:
    """Run a command; print what is wrong with its input or answer."""
    try:
        return work()
    except InputError as error:
        if options.json:
            print(as_json(status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message=str(error))))
        else:
            print(f"bradshaw: {error}", file=sys.stderr)
        return BAD_INPUT
    except StatusError as error:
        if error.status.code == code_pb2.CANCELLED:  # by ourselves: nobody else can
            raise KeyboardInterrupt from error
        show_status(options, error)
        return BAD_INPUT if error.status.code in BAD_CODES else FAILED


def read_text(name: str) -> str:
    """Return the text of a file; - is standard input. A byte order mark is passed over.

    Raises
    ------
    InputError
        It cannot be read.
    """
    try:
        if name == "-":
            return sys.stdin.read().removeprefix("\ufeff")
        return Path(name).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"cannot read {name}: it is no text in UTF-8 ({error.reason})") from error


def parse_json(text: str, name: str, kind: str) -> Any:
    """Return what a text in JSON says.

    Parameters
    ----------
    name, kind
        Of the file, and what it should be, for the error.

    Raises
    ------
    InputError
        The text is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is not a {kind}: {error}") from error


def read_object(name: str, kind: str) -> dict[str, Any]:
    """Return the JSON object that a file holds.

    Parameters
    ----------
    kind
        What the file should be, for the error.

    Raises
    ------
    InputError
        It cannot be read, or holds none.
    """
    content = parse_json(read_text(name), name, kind)
    if not isinstance(content, dict):
        raise InputError(f"{name} is not a {kind}: it is no JSON object")
    return content


def is_game(content: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a game file or a snapshot rather than a request."""
    return "actions" in content or content.get("format") == SNAPSHOT


def game_object(text: str, name: str) -> dict[str, Any]:
    """Return the JSON object of a game file or snapshot.

    Parameters
    ----------
    name
        Of the file, for the error.

    Raises
    ------
    InputError
        The text is none.
    """
    content = parse_json(text, name, "game file")
    if not isinstance(content, dict) or not is_game(content):
        raise InputError(f"{name} is not a game file: it has no actions")
    return content


def message_from(name: str, content: dict[str, Any], message: M) -> M:
    """Return the message that an object means as protobuf JSON.

    Parameters
    ----------
    name
        Of the file, for the error.

    Raises
    ------
    InputError
        It is none.
    """
    try:
        return ParseDict(content, message)
    except (ValueError, ParseError, RecursionError) as error:
        kind = message.DESCRIPTOR.name
        raise InputError(f"{name} is no {kind} as protobuf JSON: {error}") from error


def read_message(name: str, message: M) -> M:
    """Return the message that a file holds as protobuf JSON.

    Raises
    ------
    InputError
        It holds none.
    """
    return message_from(name, read_object(name, message.DESCRIPTOR.name), message)


def write_text(path: Path, text: str) -> None:
    """Write a file.

    Raises
    ------
    InputError
        It cannot be written.
    """
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that is no text.

    Raises
    ------
    InputError
        It cannot be written.
    """
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from error


def make_folder(folder: Path) -> None:
    """Make a folder, before the work that fills it.

    Raises
    ------
    InputError
        It cannot be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write to {folder}: permission denied")


def as_json(message: Message) -> str:
    """Return a message as protobuf JSON."""
    return MessageToJson(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def apply_options(options: argparse.Namespace, wanted: route_service_pb2.SolveOptions) -> None:
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


@contextmanager
def telling(what: str) -> Iterator[Callable[[route_service_pb2.Improvement], None]]:
    """Give a function that tells of better runs, on a terminal, if the block takes long."""
    with progress(what) as bar:
        yield lambda better: bar.tell(f"£{better.revenue} found, bound £{better.bound}")


class Ending(Protocol):
    """Something whose solve can be ended."""

    def end(self) -> None:
        """End it."""


@dataclass
class Interrupt:
    """An interrupt from the keyboard.

    Parameters
    ----------
    came
        Whether there was one.
    """

    came: bool = False


@contextmanager
def interruptible(client: Ending) -> Iterator[Interrupt]:
    """Let an interrupt from the keyboard end the solve instead of the program."""
    interrupt = Interrupt()

    def end(*_: object) -> None:
        interrupt.came = True
        client.end()

    before = signal.signal(signal.SIGINT, end)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
