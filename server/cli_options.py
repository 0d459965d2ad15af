"""The parser of all commands; each names the function that runs it, which is imported later.

Nothing is imported here but what reading arguments needs, so that help comes at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from server.limits import MOST_ENTRY, MOST_RUNS, MOST_SECONDS, MOST_SEED
from server.settings import LEVELS, Settings

MOST_CALLS = 10_000
"""More workers or waiting calls than any machine can do with."""
MOST_GRACE = 3600.0
"""Longest grace in seconds."""


OBJECTIVES = ("revenue", "total", "subsidy")
GAME = "a game file as 18xx.games exports it; - for standard input"
MOMENT = (
    "the moment just before the entry of the log with the id N, that is after all entries with "
    "smaller ids that undo has left; if entry N is a run of trains, the board before that run. "
    "Default: after the last entry"
)


class _Version(argparse.Action):
    """Says which version it is; finding that out takes a while, so it is done only then."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        text = "show the version and exit"
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=text)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and exit."""
        from server.reports import own_version

        print(f"{parser.prog} {own_version()}")
        parser.exit()


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(
        prog="bradshaw",
        description="Best runs for 18xx railway games, proven and checked.",
        epilog="Exit codes: 0 answered; 1 not proven, illegal run or other result; 2 bad input; "
        "3 the service failed, is busy or cannot be reached; 130 interrupted.",
    )
    top.add_argument("--version", action=_Version)
    commands = top.add_subparsers(dest="command", required=True)
    _add_serve(commands)
    _add_optimize(commands)
    command = commands.add_parser("validate", help="say whether a run is legal and what it pays")
    text = "a ValidateRoutesRequest as protobuf JSON, or a game file; - for standard input"
    _add_input(command, text)
    _add_picture(command)
    _add_moment(command)
    command.set_defaults(run="server.cli_solve:validate")
    command = commands.add_parser("games", help="list the games")
    _add_output(command)
    command.set_defaults(run="server.cli_solve:games")
    _add_game_commands(commands)
    _add_audit(commands)
    command = commands.add_parser(
        "replay-report", help="ask again what a report of the service says was not confirmed"
    )
    command.add_argument("file", metavar="FILE", help="a report; - for standard input")
    command.add_argument("--json", action="store_true", help="write the answer as JSON")
    command.set_defaults(run="server.cli_solve:replay")
    _add_titles(commands)
    return top


def _add_titles(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands about titles, and to every command the folders of more titles."""
    asking = list(commands.choices.values())
    titles = commands.add_parser("titles", help="titles that are data: list, check, import")
    actions = titles.add_subparsers(dest="action", required=True)
    command = actions.add_parser("list", help="list the titles at hand")
    command.set_defaults(run="server.cli_titles:show")
    asking.append(command)
    command = actions.add_parser(
        "check", help="compute what follows from a title folder, compare, and list every fault"
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="a title folder")
    command.set_defaults(run="server.cli_titles:check")
    command = actions.add_parser(
        "import", help="make a title folder of a folder with facts and options.json"
    )
    command.add_argument("folder", type=Path, metavar="DIR", help="the folder; it is only read")
    command.add_argument("out", type=Path, metavar="OUT", help="the title folder to write")
    command.add_argument(
        "--supplement", type=Path, metavar="FILE", help="what options.json does not say"
    )
    command.set_defaults(run="server.cli_titles:take")
    for command in asking:
        command.add_argument(
            "--titles",
            dest="title_folders",
            action="append",
            type=Path,
            default=[],
            metavar="DIR",
            help="a title folder, or a folder of title folders; may be repeated",
        )


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
    command.set_defaults(run="server.cli_serve:serve")


def _add_optimize(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    command = commands.add_parser("optimize", help="find the best run, with its proof")
    text = "a game file, or an OptimizeRoutesRequest as protobuf JSON; - for standard input"
    _add_input(command, text)
    _add_picture(command)
    _add_moment(command)
    _add_solving(command)
    command.add_argument(
        "--runs", type=whole(1, MOST_RUNS), metavar="N", help="how many runs to return"
    )
    command.set_defaults(run="server.cli_solve:optimize")


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


def _add_game_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands for whole games."""
    command = commands.add_parser(
        "replay", help="replay games; compare their results with the recorded ones"
    )
    text = f"{GAME}; of several each has one line, and what is wrong with one stops no other"
    command.add_argument("files", metavar="GAME", nargs="+", help=text)
    _add_output(command)
    _add_moment(command)
    command.set_defaults(run="server.cli_replay:replay")
    command = commands.add_parser(
        "run", help="the best run of the company that is about to run, as actions for a game file"
    )
    _add_game(command)
    _add_moment(command)
    _add_solving(command)
    _add_picture(command)
    command.add_argument(
        "--apply", action="store_true", help="write the game file with the actions added"
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="where --apply writes; default: standard output"
    )
    command.set_defaults(run="server.cli_games:run", runs=None)


def _add_game(command: argparse.ArgumentParser) -> None:
    """Add the game file and how to ask and answer."""
    command.add_argument("file", metavar="GAME", help=GAME)
    command.add_argument(
        "--server",
        type=address,
        metavar="HOST:PORT",
        help="ask this service instead of working here",
    )
    command.add_argument("--json", action="store_true", help="write the answer as JSON")


def _add_moment(command: argparse.ArgumentParser) -> None:
    """Add the options that say which moment of a game file is meant, and by which rules."""
    command.add_argument(
        "--at", type=whole(0, MOST_ENTRY), metavar="N", help=f"of a game file: {MOMENT}"
    )
    command.add_argument(
        "--profile", default="", metavar="NAME", help="of a game file: rules profile"
    )


def _add_picture(command: argparse.ArgumentParser) -> None:
    """Add the picture."""
    text = "write a picture of the run: SVG, or PNG if OUT ends in .png"
    command.add_argument("--svg", type=Path, metavar="OUT", help=text)


def _add_solving(command: argparse.ArgumentParser) -> None:
    """Add the options of a solve."""
    command.add_argument(
        "--time-limit", type=seconds(MOST_SECONDS), metavar="SECONDS", help="for the solve"
    )
    command.add_argument("--seed", type=whole(0, MOST_SEED), metavar="N", help="of random choices")
    command.add_argument("--algorithm", metavar="NAME", help="instead of the service's choice")
    command.add_argument("--objective", choices=OBJECTIVES, help="what is maximised first")
    command.add_argument(
        "--pin",
        action="append",
        metavar="ROUTE",
        default=[],
        help="a route that must run: TRAIN=HEX HEX,HEX HEX (the hexes of each leg), or a Route "
        "as protobuf JSON; may be repeated",
    )
    command.add_argument(
        "--idle",
        action="append",
        metavar="TRAIN",
        default=[],
        help="id of a train that stands still; may be repeated",
    )
    command.add_argument(
        "--avoid",
        action="append",
        metavar="PLACE",
        default=[],
        help="a hex or the id of a stop that no route touches; may be repeated",
    )


def _add_audit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "audit", help="list what every run of a game paid, and what was possible"
    )
    _add_game(command)
    command.add_argument("--profile", default="", metavar="NAME", help="rules profile of the game")
    command.add_argument(
        "--time-limit", type=seconds(MOST_SECONDS), metavar="SECONDS", help="for each run"
    )
    command.add_argument(
        "--better", action="store_true", help="list only runs for which a better one exists"
    )
    command.add_argument(
        "--svg", type=Path, metavar="DIR", help="write a picture of every better run"
    )
    command.set_defaults(run="server.cli_audit:audit_game")


def whole(least: int, most: int) -> Callable[[str], int]:
    """Return a function that reads an argument that is a whole number from `least` to `most`."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{number} is not in {least} to {most}")
        return number

    return read


def seconds(most: float) -> Callable[[str], float]:
    """Return a function that reads an argument that is a number of seconds, at most `most`."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
        if not 0 < number <= most:
            text = f"seconds are more than 0 and at most {most:g}, not {number:g}"
            raise argparse.ArgumentTypeError(text)
        return number

    return read


def address(text: str) -> str:
    """Read an argument that is the address of a service."""
    if not text:
        raise argparse.ArgumentTypeError("an address is HOST:PORT, not empty")
    return text
