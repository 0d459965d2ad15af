"""The command ``run``, and what the commands that take game files share: moments of games."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from bradshaw.v1 import board_pb2, game_service_pb2, play_pb2, route_service_pb2
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from engine.play.actions import RunRoutes
from optimizer.stop import Stop
from server.asking import told
from server.autorun import need_situation
from server.cli_common import (
    InputError,
    apply_options,
    game_object,
    guarded,
    interruptible,
    read_text,
    write_text,
)
from server.cli_pictures import check_picture, write_picture
from server.cli_tables import solution_lines
from server.cli_wishes import apply_wishes
from server.convert.games import plain, position_of, recorded_message, source_from, whole_numbers
from server.exit_codes import INTERRUPTED, NOT_AS_HOPED, OK
from server.game_client import GameClient, LocalGameClient, RemoteGameClient
from server.gamebook import Gamebook
from server.limits import SNAPSHOT
from server.progress import progress


def position_in(content: Mapping[str, Any], options: argparse.Namespace) -> board_pb2.Position:
    """Return the position at a moment of a game.

    Raises
    ------
    StatusError
        The game cannot be replayed, or no company is about to run.
    """
    record = record_at(json.dumps(content), options)

    def work() -> board_pb2.Position:
        source = source_from(game_service_pb2.GetStateRequest(game=record))
        return position_of(need_situation(Gamebook().open(source, Stop()).play))

    return told(work)


def record_at(text: str, options: argparse.Namespace) -> play_pb2.GameRecord:
    """Return the game of a text, at the moment that the options say.

    Raises
    ------
    InputError
        The text is no game, or the moment is beyond its log.
    """
    content = game_object(text, options.file)
    if content.get("format") == SNAPSHOT:
        record = play_pb2.GameRecord(snapshot=text)
    else:
        record = play_pb2.GameRecord(file=text)
    if options.at is not None:
        _check_moment(content, options)
        record.before = options.at
    record.profile = options.profile
    return record


def _check_moment(content: Mapping[str, Any], options: argparse.Namespace) -> None:
    """Refuse a moment beyond the log.

    Raises
    ------
    InputError
        It is; the message names the last entry.
    """
    ids = [entry["id"] for entry in _entries(content) if isinstance(entry.get("id"), int)]
    if ids and options.at > max(ids):
        raise InputError(f"--at {options.at}: the last entry of {options.file} is {max(ids)}")


def _entries(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the entries of the log of a game file, as far as they are any."""
    listed = content.get("actions")
    return (
        [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []
    )


def recorded_run(
    content: Mapping[str, Any], options: argparse.Namespace
) -> route_service_pb2.ValidateRoutesRequest:
    """Return the run that a game file records as the entry of a moment, to be judged.

    Raises
    ------
    InputError
        No entry is named, or it is not a run of trains.
    StatusError
        The game cannot be replayed.
    """
    if options.at is None:
        raise InputError(f"{options.file} is a game file: --at N says which run of trains is meant")
    record = record_at(json.dumps(content), options)
    entry = next((found for found in _entries(content) if found.get("id") == options.at), {})
    if entry.get("type") != RunRoutes.TYPE:
        said = f"is {entry['type']!r}" if "type" in entry else "does not exist"
        raise InputError(f"--at {options.at}: the entry {said}, not a run of trains")

    def work() -> route_service_pb2.ValidateRoutesRequest:
        source = source_from(game_service_pb2.GetStateRequest(game=record))
        return recorded_message(Gamebook().open(source, Stop()).play, entry)

    return told(work)


def run(options: argparse.Namespace) -> int:
    """Find the best run as actions, and play it if asked; return the exit code."""

    def work() -> int:
        if options.out is not None and not options.apply:
            raise InputError("--out goes with --apply")
        check_picture(options.svg)
        record = record_at(read_text(options.file), options)
        request = game_service_pb2.RunTrainsRequest(game=record)
        apply_options(options, request.options)
        apply_wishes(options, request.options.wishes)
        client = client_for(options)
        with interruptible(client) as interrupt, progress("looking for the best run"):
            answer = client.run(request)
        write_picture(options.svg, answer.position, answer.solution.run, answer.solution)
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


def client_for(options: argparse.Namespace) -> GameClient:
    """Return what answers about whole games: this process, or a service."""
    return RemoteGameClient(options.server) if options.server else LocalGameClient()
