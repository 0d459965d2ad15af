"""The command line: ``bradshaw serve | optimize | validate | games | replay | run | audit |
replay-report``.

Exit codes
----------
0
    The answer is there; for ``optimize``, ``run`` and ``audit`` it is proven, for
    ``validate`` the run is legal, for ``replay`` the result is the recorded one, for
    ``replay-report`` the referee confirms the answer now.
1
    The answer is there, but a best run is not proven, the run is illegal, the
    result is another one or an entry does not fit, or the referee still does
    not confirm.
2
    The input is bad: arguments, file, or state of the game.
3
    The service failed, is busy, or cannot be reached.
130
    Interrupted from the keyboard; ``audit`` shows what it has found until then,
    ``run --apply`` writes nothing, and where a solve is interrupted else the best run
    so far is the answer.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from server.cli_audit import add_audit
from server.cli_common import FAILED, INTERRUPTED, address, seconds, whole
from server.cli_games import add_game_commands, add_moment, add_solving
from server.cli_serve import serve
from server.cli_solve import games, optimize, replay, validate
from server.convert.requests import MOST_RUNS, MOST_SECONDS
from server.logs import LEVELS
from server.reports import own_version
from server.settings import Settings

MOST_CALLS = 10_000
"""More workers or waiting calls than any machine can do with."""
MOST_GRACE = 3600.0
"""Longest grace in seconds."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(
        prog="bradshaw",
        description="Best runs for 18xx railway games, proven and checked.",
        epilog="Exit codes: 0 answered; 1 not proven, illegal run or other result; 2 bad input; "
        "3 the service failed, is busy or cannot be reached; 130 interrupted.",
    )
    top.add_argument("--version", action="version", version=f"%(prog)s {own_version()}")
    commands = top.add_subparsers(dest="command", required=True)
    _add_serve(commands)
    _add_optimize(commands)
    command = commands.add_parser("validate", help="say whether a run is legal and what it pays")
    _add_input(command, "a ValidateRoutesRequest as protobuf JSON; - for standard input")
    command.add_argument("--svg", type=Path, metavar="OUT", help="write a picture of the run")
    command.set_defaults(run=validate)
    command = commands.add_parser("games", help="list the games")
    _add_output(command)
    command.set_defaults(run=games)
    add_game_commands(commands)
    add_audit(commands)
    command = commands.add_parser(
        "replay-report", help="ask again what a report of the service says was not confirmed"
    )
    command.add_argument("file", metavar="FILE", help="a report; - for standard input")
    command.add_argument("--json", action="store_true", help="write the answer as JSON")
    command.set_defaults(run=replay)
    return top


def _add_serve(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    default = Settings()
    command = commands.add_parser(
        "serve",
        help="run the gRPC service",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    command.add_argument("--host", default=default.host, help="address to listen on")
    command.add_argument(
        "--port", type=whole(0, 65535), default=default.port, help="0 takes a free one"
    )
    command.add_argument(
        "--workers", type=whole(1, MOST_CALLS), default=default.workers, help="solves at once"
    )
    command.add_argument(
        "--queue", type=whole(0, MOST_CALLS), default=default.queue, help="calls that may wait"
    )
    command.add_argument(
        "--time-limit",
        type=seconds(MOST_SECONDS),
        default=default.seconds,
        metavar="SECONDS",
        help="for requests that give none",
    )
    command.add_argument(
        "--grace",
        type=seconds(MOST_GRACE),
        default=default.grace,
        metavar="SECONDS",
        help="for running calls when the service stops",
    )
    command.add_argument(
        "--reports", type=Path, metavar="DIR", help="for answers that the referee did not confirm"
    )
    command.add_argument("--log-level", choices=LEVELS, default="info", help="least level logged")
    command.set_defaults(run=serve)


def _add_optimize(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("optimize", help="find the best run, with its proof")
    text = "a game file, or an OptimizeRoutesRequest as protobuf JSON; - for standard input"
    _add_input(command, text)
    command.add_argument("--svg", type=Path, metavar="OUT", help="write a picture of the run")
    add_moment(command)
    add_solving(command)
    command.add_argument(
        "--runs", type=whole(1, MOST_RUNS), metavar="N", help="how many runs to return"
    )
    command.set_defaults(run=optimize)


def _add_input(command: argparse.ArgumentParser, text: str) -> None:
    command.add_argument("file", metavar="FILE", help=text)
    _add_output(command)


def _add_output(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--server",
        type=address,
        metavar="HOST:PORT",
        help="ask this service instead of solving here",
    )
    command.add_argument("--json", action="store_true", help="write the answer as protobuf JSON")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        options = parser().parse_args(arguments)
        code: int = options.run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("bradshaw: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the answer has seen enough; nothing may be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


if __name__ == "__main__":
    sys.exit(main())
