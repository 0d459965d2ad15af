"""The commands for whole games: ``replay``, ``run``, ``audit``; positions in game files."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bradshaw.v1 import board_pb2, game_service_pb2, play_pb2, route_service_pb2
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.rpc import code_pb2

from engine.errors import BradshawError
from engine.notation.gamefile import ReplayError
from optimizer.stop import Stop
from server.audit import AuditedRun, Sums, audit, count_runs, sums
from server.autorun import need_situation
from server.cli_common import (
    NOT_AS_HOPED,
    OK,
    InputError,
    apply_options,
    count,
    guarded,
    interruptible,
    read_text,
    seconds,
    show_status,
    write_text,
)
from server.cli_game_tables import audit_lines, other_reason, replay_lines
from server.cli_tables import solution_lines
from server.client import Client, LocalClient, RemoteClient, StatusError
from server.convert.answers import picture
from server.convert.games import plain, position_of, source_from, whole_numbers
from server.convert.statuses import status_of
from server.game_client import GameClient, LocalGameClient, RemoteGameClient
from server.gamebook import DEFAULT_PROFILE, SNAPSHOT, Gamebook, begin, parse, refused

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
    _add_game(command)
    add_moment(command)
    command.set_defaults(run=replay)
    command = commands.add_parser(
        "run", help="the best run of the company that is about to run, as actions for a game file"
    )
    _add_game(command)
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
    command = commands.add_parser(
        "audit", help="list what every run of a game paid, and what was possible"
    )
    _add_game(command)
    command.add_argument("--profile", default="", metavar="NAME", help="rules profile of the game")
    command.add_argument("--time-limit", type=seconds, metavar="SECONDS", help="for each run")
    command.add_argument(
        "--svg", type=Path, metavar="DIR", help="write a picture of every better run"
    )
    command.set_defaults(run=audit_game)


def _add_game(command: argparse.ArgumentParser) -> None:
    command.add_argument("file", metavar="GAME", help=GAME)
    command.add_argument(
        "--server", metavar="HOST:PORT", help="ask this service instead of working here"
    )
    command.add_argument("--json", action="store_true", help="write the answer as JSON")


def add_moment(command: argparse.ArgumentParser) -> None:
    """Add the options that say which moment of a game file is meant, and by which rules."""
    command.add_argument("--at", type=count, metavar="N", help=f"of a game file: {MOMENT}")
    command.add_argument(
        "--profile", default="", metavar="NAME", help="of a game file: rules profile"
    )


def add_solving(command: argparse.ArgumentParser) -> None:
    """Add the options of a solve."""
    command.add_argument("--time-limit", type=seconds, metavar="SECONDS", help="for the solve")
    command.add_argument("--seed", type=count, metavar="N", help="of random choices")
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
    try:
        source = source_from(game_service_pb2.GetStateRequest(game=record))
        return position_of(need_situation(Gamebook().open(source, Stop()).play))
    except BradshawError as error:
        raise StatusError(status_of(error)) from error


def _record(text: str, options: argparse.Namespace) -> play_pb2.GameRecord:
    """Return the game of a text, at the moment that the options say."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{options.file} is not a game file: {error}") from error
    if not isinstance(content, dict) or not is_game(content):
        raise InputError(f"{options.file} is not a game file: it has no actions")
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
        with interruptible(client):
            answer = client.run(request)
        if options.svg:
            write_text(options.svg, picture(answer.position, answer.solution.run))
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


def audit_game(options: argparse.Namespace) -> int:
    """Compare every run of a game with the best one; return the exit code."""

    def work() -> int:
        text = read_text(options.file)
        client = _solver(options)

        def ask(position: board_pb2.Position) -> route_service_pb2.Solution:
            request = route_service_pb2.OptimizeRoutesRequest(position=position)
            if options.time_limit is not None:
                request.options.time_limit.FromMicroseconds(round(options.time_limit * 1_000_000))
            return client.optimize(request, lambda _: None).solution

        runs: list[AuditedRun] = []
        try:
            content = parse(text)
            replaying = begin(content, options.profile or DEFAULT_PROFILE)
            total = count_runs(replaying)
            for found in audit(replaying, ask):
                runs.append(found)
                _progress(len(runs), total)
                if options.svg:
                    _draw(options.svg, found)
        except ReplayError as error:
            raise StatusError(status_of(refused(content, error))) from error
        except BradshawError as error:
            raise StatusError(status_of(error)) from error
        if options.json:
            title = replaying.file.setting.title
            print(json.dumps(_audit_object(title, runs), indent=2, ensure_ascii=False))
        else:
            print("\n".join(audit_lines(runs)))
        return OK if all(found.proven for found in runs) else NOT_AS_HOPED

    return guarded(options, work)


def _progress(done: int, total: int) -> None:
    """Tell on standard error how far an audit is: on one line of a terminal, else now and then."""
    terminal = sys.stderr.isatty()
    if terminal or done % 10 == 0 or done == total:
        end = "\r" if terminal and done < total else "\n"
        print(f"{done} of {total} runs", end=end, file=sys.stderr, flush=True)


def _draw(folder: Path, found: AuditedRun) -> None:
    """Draw a better run; nothing if there is none."""
    if found.missed <= 0:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error}") from error
    company = re.sub(r"\W", "_", found.corporation)
    write_text(folder / f"{found.entry:05}-{company}.svg", picture(found.position, found.best))


def _audit_object(title: str, runs: list[AuditedRun]) -> dict[str, Any]:
    """Return an audit as JSON."""
    return {
        "title": title,
        "runs": [_run_object(found) for found in runs],
        "companies": [_sums_object(entry) for entry in sums(runs, lambda r: r.corporation)],
        "directors": [_sums_object(entry) for entry in sums(runs, lambda r: r.director)],
        "all": [_sums_object(entry) for entry in sums(runs, lambda _: "")],
    }


def _run_object(found: AuditedRun) -> dict[str, Any]:
    kind, turn, number = found.round
    return {
        "entry": found.entry,
        "round": {"kind": kind, "turn": turn, "number": number},
        "corporation": found.corporation,
        "director": found.director,
        "paid": found.paid,
        "paid_subsidy": found.paid_subsidy,
        "possible": found.best.revenue,
        "possible_subsidy": found.best.subsidy,
        "missed": found.missed,
        "proven": found.proven,
        "bound": found.solution.bound,
        "best": _object(found.best),
    }


def _sums_object(entry: Sums) -> dict[str, Any]:
    return {
        "name": entry.name,
        "runs": entry.runs,
        "improvable": entry.improvable,
        "paid": entry.paid,
        "possible": entry.possible,
        "missed": entry.missed,
    }


def _object(message: Message) -> Any:
    """Return a message as a JSON object; numbers of actions are whole."""
    return whole_numbers(
        MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    )


def _json(message: Message) -> str:
    return json.dumps(_object(message), indent=2, ensure_ascii=False)


def _games(options: argparse.Namespace) -> GameClient:
    return RemoteGameClient(options.server) if options.server else LocalGameClient()


def _solver(options: argparse.Namespace) -> Client:
    return RemoteClient(options.server) if options.server else LocalClient()
