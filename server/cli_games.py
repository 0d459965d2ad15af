"""The commands for whole games: ``replay``, ``run``, ``audit``; positions in game files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bradshaw.v1 import board_pb2, game_service_pb2, play_pb2, route_service_pb2
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc import code_pb2

from optimizer.stop import Stop
from server.asking import StatusError, told
from server.autorun import need_situation
from server.cli_common import (
    INTERRUPTED,
    NOT_AS_HOPED,
    OK,
    InputError,
    address,
    apply_options,
    guarded,
    interruptible,
    parse_json,
    read_text,
    seconds,
    show_status,
    whole,
    write_text,
)
from server.cli_game_tables import other_reason, replay_lines
from server.cli_tables import solution_lines
from server.convert.answers import picture
from server.convert.games import MOST_ENTRY, plain, position_of, source_from, whole_numbers
from server.convert.requests import MOST_SECONDS, MOST_SEED
from server.game_client import GameClient, LocalGameClient, RemoteGameClient
from server.gamebook import SNAPSHOT, Gamebook

OBJECTIVES = ("revenue", "total", "subsidy")
GAME = "a game file as 18xx.games exports it; - for standard input"
MOMENT = (
    "the moment just before the entry of the log with the id N, that is after all entries with "
    "smaller ids that undo has left; if entry N is a run of trains, the board before that run. "
    "Default: after the last entry"
)


def add_game_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands for whole games."""
    command = commands.add_parser(
        "replay", help="replay a game; compare its result with the recorded one"
    )
    add_game(command)
    add_moment(command)
    command.set_defaults(run=replay)
    command = commands.add_parser(
        "run", help="the best run of the company that is about to run, as actions for a game file"
    )
    add_game(command)
    add_moment(command)
    add_solving(command)
    command.add_argument("--svg", type=Path, metavar="OUT", help="write a picture of the run")
    command.add_argument(
        "--apply", action="store_true", help="write the game file with the actions added"
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="where --apply writes; default: standard output"
    )
    command.set_defaults(run=run, runs=None)


def add_game(command: argparse.ArgumentParser) -> None:
    """Add the game file and how to ask and answer."""
    command.add_argument("file", metavar="GAME", help=GAME)
    command.add_argument(
        "--server",
        type=address,
        metavar="HOST:PORT",
        help="ask this service instead of working here",
    )
    command.add_argument("--json", action="store_true", help="write the answer as JSON")


def add_moment(command: argparse.ArgumentParser) -> None:
    """Add the options that say which moment of a game file is meant, and by which rules."""
    command.add_argument(
        "--at", type=whole(0, MOST_ENTRY), metavar="N", help=f"of a game file: {MOMENT}"
    )
    command.add_argument(
        "--profile", default="", metavar="NAME", help="of a game file: rules profile"
    )


def add_solving(command: argparse.ArgumentParser) -> None:
    """Add the options of a solve."""
    command.add_argument(
        "--time-limit", type=seconds(MOST_SECONDS), metavar="SECONDS", help="for the solve"
    )
    command.add_argument("--seed", type=whole(0, MOST_SEED), metavar="N", help="of random choices")
    command.add_argument("--algorithm", metavar="NAME", help="instead of the service's choice")
    command.add_argument("--objective", choices=OBJECTIVES, help="what is maximised first")


def is_game(content: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a game file or a snapshot rather than a request."""
    return "actions" in content or content.get("format") == SNAPSHOT


def position_in(content: Mapping[str, Any], options: argparse.Namespace) -> board_pb2.Position:
    """Return the position at a moment of a game.

    Raises
    ------
    StatusError
        The game cannot be replayed, or no company is about to run.
    """
    record = _record(json.dumps(content), options)

    def work() -> board_pb2.Position:
        source = source_from(game_service_pb2.GetStateRequest(game=record))
        return position_of(need_situation(Gamebook().open(source, Stop()).play))

    return told(work)


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


def _record(text: str, options: argparse.Namespace) -> play_pb2.GameRecord:
    """Return the game of a text, at the moment that the options say."""
    content = game_object(text, options.file)
    if content.get("format") == SNAPSHOT:
        record = play_pb2.GameRecord(snapshot=text)
    else:
        record = play_pb2.GameRecord(file=text)
    if options.at is not None:
        record.before = options.at
    record.profile = options.profile
    return record


def replay(options: argparse.Namespace) -> int:
    """Replay a game; return the exit code."""

    def work() -> int:
        request = game_service_pb2.ReplayGameRequest(game=_record(read_text(options.file), options))
        try:
            answer = _games(options).replay(request)
        except StatusError as error:
            if error.status.code != code_pb2.FAILED_PRECONDITION:
                raise
            show_status(options, error)
            return NOT_AS_HOPED
        print(_json(answer) if options.json else "\n".join(replay_lines(answer)))
        differs = answer.HasField("scores_equal") and not answer.scores_equal
        return NOT_AS_HOPED if differs or other_reason(answer) else OK

    return guarded(options, work)


def run(options: argparse.Namespace) -> int:
    """Find the best run as actions, and play it if asked; return the exit code."""

    def work() -> int:
        if options.out is not None and not options.apply:
            raise InputError("--out goes with --apply")
        record = _record(read_text(options.file), options)
        request = game_service_pb2.RunTrainsRequest(game=record)
        apply_options(options, request.options)
        client = _games(options)
        with interruptible(client) as interrupt:
            answer = client.run(request)
        if options.svg:
            write_text(options.svg, picture(answer.position, answer.solution.run, answer.solution))
        if options.apply and interrupt.came:
            print("bradshaw: interrupted; the game is not written", file=sys.stderr)
            return INTERRUPTED
        if options.apply:
            _apply(options, client, record, answer)
        if not options.apply or options.out is not None:
            _show_run(options, answer)
        proven = answer.solution.status == route_service_pb2.SOLUTION_STATUS_OPTIMAL
        return OK if proven else NOT_AS_HOPED

    return guarded(options, work)


def _apply(
    options: argparse.Namespace,
    client: GameClient,
    record: play_pb2.GameRecord,
    answer: game_service_pb2.RunTrainsResponse,
) -> None:
    request = game_service_pb2.ApplyActionsRequest(game=record, actions=answer.actions)
    after = client.apply(request)
    text = after.file or after.snapshot
    if options.out is None:
        print(text.rstrip("\n"))
    else:
        write_text(options.out, text)


def _show_run(options: argparse.Namespace, answer: game_service_pb2.RunTrainsResponse) -> None:
    if options.json:
        print(_json(answer))
        return
    print("\n".join(solution_lines(answer.position, answer.solution)))
    print()
    for action in answer.actions:
        print(json.dumps(plain(action), ensure_ascii=False, sort_keys=True))


def message_object(message: Message) -> Any:
    """Return a message as a JSON object; numbers of actions are whole."""
    return whole_numbers(
        MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    )


def _json(message: Message) -> str:
    return json.dumps(message_object(message), indent=2, ensure_ascii=False)


def _games(options: argparse.Namespace) -> GameClient:
    return RemoteGameClient(options.server) if options.server else LocalGameClient()
