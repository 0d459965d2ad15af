"""The command ``replay``: the results of game files beside the recorded ones."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from typing import Any

from bradshaw.v1 import game_service_pb2
from google.rpc import code_pb2, status_pb2

from engine.words import counted
from server.asking import StatusError
from server.cli_common import BAD_CODES, InputError, guarded, read_text, show_status
from server.cli_game_tables import other_reason, replay_line, replay_lines
from server.cli_games import client_for, message_object, record_at
from server.cli_tables import status_lines
from server.exit_codes import BAD_INPUT, FAILED, INTERRUPTED, NOT_AS_HOPED, OK
from server.game_client import GameClient
from server.progress import progress


@dataclass(frozen=True)
class Replayed:
    """What came of one of several files.

    Parameters
    ----------
    name
        Of the file.
    code
        Exit code that it has alone.
    answer, error
        One of them is None.
    """

    name: str
    code: int
    answer: game_service_pb2.ReplayGameResponse | None = None
    error: status_pb2.Status | None = None


def replay(options: argparse.Namespace) -> int:
    """Replay one game or several; return the exit code."""
    if len(options.files) == 1:
        options.file = options.files[0]
        return guarded(options, lambda: _replay_one(options))
    return guarded(options, lambda: _replay_all(options))


def _replay_one(options: argparse.Namespace) -> int:
    """Show where a game stands, and whether that is its recorded result."""
    try:
        answer = _answer(client_for(options), options)
    except StatusError as error:
        if error.status.code != code_pb2.FAILED_PRECONDITION:
            raise
        show_status(options, error)
        return NOT_AS_HOPED
    print(_json(message_object(answer)) if options.json else "\n".join(replay_lines(answer)))
    return _code(answer)


def _replay_all(options: argparse.Namespace) -> int:
    """Show a line for each game; return the greatest of their exit codes.

    What is wrong with one file does not keep the others from being replayed. An interrupt from
    the keyboard shows what has been found until then.
    """
    if options.at is not None:
        raise InputError("--at goes with one game file")
    client = client_for(options)
    found: list[Replayed] = []
    interrupted = False
    try:
        with progress("replaying games", len(options.files)) as bar:
            for name in options.files:
                found.append(_replayed(client, name, options))
                bar.advance()
    except KeyboardInterrupt:
        interrupted = True
        print(f"bradshaw: interrupted after {counted(len(found), 'game')}", file=sys.stderr)
    if options.json:
        print(_json([_object(one) for one in found]))
    else:
        width = max((len(one.name) for one in found), default=0)
        for one in found:
            print(f"{one.name:{width}}  {_said(one)}")
    return INTERRUPTED if interrupted else max(one.code for one in found)


def _replayed(client: GameClient, name: str, options: argparse.Namespace) -> Replayed:
    try:
        answer = _answer(client, argparse.Namespace(**{**vars(options), "file": name}))
    except InputError as error:
        status = status_pb2.Status(code=code_pb2.INVALID_ARGUMENT, message=str(error))
        return Replayed(name, BAD_INPUT, error=status)
    except StatusError as error:
        if error.status.code == code_pb2.FAILED_PRECONDITION:
            return Replayed(name, NOT_AS_HOPED, error=error.status)
        code = BAD_INPUT if error.status.code in BAD_CODES else FAILED
        return Replayed(name, code, error=error.status)
    return Replayed(name, _code(answer), answer)


def _answer(client: GameClient, options: argparse.Namespace) -> game_service_pb2.ReplayGameResponse:
    record = record_at(read_text(options.file), options)
    return client.replay(game_service_pb2.ReplayGameRequest(game=record))


def _code(answer: game_service_pb2.ReplayGameResponse) -> int:
    differs = answer.HasField("scores_equal") and not answer.scores_equal
    return NOT_AS_HOPED if differs or other_reason(answer) else OK


def _said(one: Replayed) -> str:
    """Return what came of a file, on one line."""
    if one.answer is not None:
        return replay_line(one.answer)
    assert one.error is not None
    heading, *faults = (line.strip() for line in status_lines(one.error))
    text = ": ".join([heading.removeprefix("bradshaw: "), *faults[:1]])
    more = len(faults) - 1
    return f"{text} (and {more} more)" if more > 0 else text


def _object(one: Replayed) -> dict[str, Any]:
    about = {"file": one.name, "exit_code": one.code}
    if one.answer is not None:
        return {**about, "answer": message_object(one.answer)}
    assert one.error is not None
    return {**about, "error": message_object(one.error)}


def _json(content: Any) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False)
