"""The commands ``titles``, and the folders of titles that every command may be given."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.declared.parsing import option_from
from engine.errors import Fault, StateError
from engine.games import all_games, known_titles
from engine.titles import add_folder
from engine.titles.described import Completed, completed
from engine.titles.importing import Description, import_title, write_title
from engine.titles.library import parsed_files
from engine.words import counted
from server.asking import StatusError
from server.cli_common import InputError, guarded, read_object
from server.convert.statuses import status_of
from server.exit_codes import BAD_INPUT, OK

Command = Callable[[argparse.Namespace], int]


def with_titles(command: Command) -> Command:
    """Return a command that adds the folders of ``--titles`` before it does its work."""

    def whole(options: argparse.Namespace) -> int:
        options.json = getattr(options, "json", False)
        return guarded(options, lambda: _add(options.title_folders)) or command(options)

    return whole


def _add(folders: Sequence[Path]) -> int:
    for folder in folders:
        try:
            found = add_folder(_there(folder), check_option)
        except StateError as error:
            raise StatusError(status_of(error)) from error
        if not found:
            raise InputError(f"{folder} is no title folder and has none in it")
        for title in found:
            if title.title in all_games():
                raise InputError(f"{folder}: {title.title} is a title of the project")
    return OK


def check_option(raw: Any, where: str) -> tuple[Fault, ...]:
    """Say what is wrong with a declared option, given its path."""
    return option_from(raw, where)[1]


def show(options: argparse.Namespace) -> int:
    """List the titles at hand; return the exit code."""
    for name, title in known_titles().items():
        variants = f"  variants {', '.join(title.variants)}" if len(title.variants) > 1 else ""
        print(f"{name:28}{title.name}{variants}")
    return OK


def check(options: argparse.Namespace) -> int:
    """List everything that is wrong with a title folder; return the exit code."""

    def work() -> int:
        try:
            whole = completed(parsed_files(_there(options.folder)), check_option)
        except StateError as error:
            whole = Completed({}, list(error.faults))
        _tell(whole.notes, "note: ")
        if whole.faults:
            return _refused(options.folder, whole.faults)
        print(_summary(whole.files))
        return OK

    return guarded(_plain(options), work)


def take(options: argparse.Namespace) -> int:
    """Import a title; return the exit code."""

    def work() -> int:
        supplement = options.supplement or options.folder / "supplement.json"
        more: dict[str, Any] = {}
        if options.supplement or supplement.is_file():
            more = read_object(str(supplement), "supplement")
        made = import_title(_there(options.folder), more, check_option)
        if made.faults:
            return _refused(options.folder, made.faults)
        if more:
            text = json.dumps(more, ensure_ascii=False, indent=1) + "\n"
            made = Description({**made.files, "supplement.json": text}, ())
        try:
            write_title(made, options.out)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot write {options.out}: {reason}") from error
        read = {name: json.loads(text) for name, text in made.files.items()}
        whole = completed(read, check_option)
        _tell([*whole.notes, *whole.faults], "note: ")
        print(f"{options.out}: {_summary(read)}")
        return OK

    return guarded(_plain(options), work)


def _plain(options: argparse.Namespace) -> argparse.Namespace:
    options.json = False
    return options


def _there(folder: Path) -> Path:
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}")
    return folder


def _refused(folder: Path, faults: Sequence[Fault]) -> int:
    _tell(faults)
    print(f"bradshaw: {folder} has {counted(len(faults), 'fault')}", file=sys.stderr)
    return BAD_INPUT


def _tell(faults: Iterable[Fault], before: str = "") -> None:
    for fault in faults:
        print(f"{before}{fault.code}  {fault.path}: {fault.message}")


def _summary(files: Mapping[str, Any]) -> str:
    """Return how much there is of what."""
    lists = (
        ("map.json", "hexes", "hex", "hexes"),
        ("tiles.json", "tiles", "tile", "tiles"),
        ("trains.json", "trains", "train", "trains"),
        ("phases.json", "phases", "phase", "phases"),
        ("corporations.json", "corporations", "company", "companies"),
        ("rules.json", "declared", "declared option", "declared options"),
    )
    counts = [
        counted(len(files[name][key]), *words) for name, key, *words in lists if name in files
    ]
    return f"{files['title.json']['title']}: {', '.join(counts)}"
