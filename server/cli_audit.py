"""The command ``audit``: what every run of a game paid, and what was possible."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bradshaw.v1 import board_pb2, route_service_pb2

from engine.errors import BradshawError
from engine.notation.gamefile import ReplayError
from server.asking import StatusError
from server.audit import Ask, AuditedRun, Sums, audit, count_runs, sums
from server.cli_common import (
    InputError,
    game_object,
    guarded,
    make_folder,
    read_text,
    write_text,
)
from server.cli_game_tables import audit_lines
from server.cli_games import message_object
from server.client import LocalClient, RemoteClient
from server.convert.pictures import picture_beside
from server.convert.statuses import status_of
from server.exit_codes import INTERRUPTED, NOT_AS_HOPED, OK
from server.gamebook import DEFAULT_PROFILE, begin, parse, refused
from server.limits import SNAPSHOT
from server.progress import progress


def audit_game(options: argparse.Namespace) -> int:
    """Compare every run of a game with the best one; return the exit code.

    An interrupt from the keyboard shows what has been found until then.
    """

    def work() -> int:
        text = read_text(options.file)
        if game_object(text, options.file).get("format") == SNAPSHOT:
            raise InputError(f"{options.file} is a snapshot, which has no past to audit")
        if options.svg:
            make_folder(options.svg)
        title, total, found = _begin(text, options)
        runs: list[AuditedRun] = []
        interrupted = False
        try:
            with progress("auditing runs", total) as bar:
                for run in found:
                    runs.append(run)
                    bar.advance()
                    if options.svg and run.missed > 0:
                        _draw(options.svg, run)
        except KeyboardInterrupt:
            interrupted = True
            print(f"bradshaw: interrupted after {len(runs)} runs", file=sys.stderr)
        if options.json:
            print(
                json.dumps(_audit_object(title, runs, options.better), indent=2, ensure_ascii=False)
            )
        else:
            print("\n".join(audit_lines(runs, options.better)))
        if interrupted:
            return INTERRUPTED
        return OK if all(run.proven for run in runs) else NOT_AS_HOPED

    return guarded(options, work)


def _begin(text: str, options: argparse.Namespace) -> tuple[str, int, Iterator[AuditedRun]]:
    """Return title, number of runs, and the runs as they are found.

    Raises
    ------
    StatusError
        The game cannot be replayed; also while the runs are found.
    """
    content = parse(text)
    try:
        replay = begin(content, options.profile or DEFAULT_PROFILE)
    except BradshawError as error:
        raise StatusError(status_of(error)) from error

    def found() -> Iterator[AuditedRun]:
        try:
            yield from audit(replay, _asking(options))
        except ReplayError as error:
            raise StatusError(status_of(refused(content, error))) from error
        except BradshawError as error:
            raise StatusError(status_of(error)) from error

    return replay.file.setting.title, count_runs(replay), found()


def _asking(options: argparse.Namespace) -> Ask:
    """Return what finds best runs: here, or a service."""
    client = RemoteClient(options.server) if options.server else LocalClient()

    def ask(position: board_pb2.Position) -> route_service_pb2.Solution:
        request = route_service_pb2.OptimizeRoutesRequest(position=position)
        if options.time_limit is not None:
            request.options.time_limit.FromMicroseconds(round(options.time_limit * 1_000_000))
        return client.optimize(request, lambda _: None).solution

    return ask


def _draw(folder: Path, found: AuditedRun) -> None:
    """Draw the run that was played beside the better one."""
    company = re.sub(r"\W", "_", found.corporation)
    drawn = picture_beside(found.position, found.played, found.paid, found.solution)
    write_text(folder / f"{found.entry:05}-{company}.svg", drawn)


def _audit_object(title: str, runs: list[AuditedRun], better: bool) -> dict[str, Any]:
    """Return an audit as JSON; sums are over all runs."""
    listed = [run for run in runs if run.missed > 0 or not better]
    return {
        "title": title,
        "runs": [_run_object(found) for found in listed],
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
        "best": message_object(found.best),
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
