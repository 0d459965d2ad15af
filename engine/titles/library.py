"""The titles that are at hand: those of the project and those of added folders."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from engine.errors import Fault, StateError
from engine.titles.title import Title, load_title

FILE = "title.json"

WHOLE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "map.json": ("hexes", ("x", "y", "stops", "paths", "neighbours")),
    "tiles.json": ("tiles", ("edges", "stops", "paths")),
    "trains.json": ("trains", ("multiplier",)),
    "phases.json": ("phases", ("flags",)),
    "corporations.json": ("corporations", ("type", "abilities")),
    "companies.json": ("certificates", ("abilities",)),
}
"""What every item of a file has if the files of a folder are complete."""

_added: dict[str, Title] = {}


def titles_in(folder: Traversable) -> Iterator[Title]:
    """Yield the titles whose folders lie in a folder, by name of folder."""
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.is_dir() and entry.joinpath(FILE).is_file():
            yield load_title(entry)


@cache
def own_titles() -> Mapping[str, Title]:
    """Return the titles that are only data and come with the project, by title."""
    return {title.title: title for title in titles_in(_data())}


def _data() -> Traversable:
    return files("engine.titles").joinpath("data")


def add_folder(
    folder: Traversable, check: Callable[[Any, str], Sequence[Fault]] | None = None
) -> tuple[Title, ...]:
    """Add a title folder, or all titles of a folder of folders; they go before own ones.

    A folder whose files are complete is read as it stands. Of another one, which leaves
    out what follows from the rest or has faces in the short language, everything is
    checked and filled in, in memory.

    Parameters
    ----------
    check
        Says what is wrong with a declared option, given its path; if it is not given,
        options are checked when the title is first used.

    Returns
    -------
    tuple of Title
        What was found.

    Raises
    ------
    StateError
        A folder that is to be filled in has faults; all are listed.
    """
    if _is_title(folder):
        found: tuple[Title, ...] = (_loaded(folder, check),)
    else:
        folders = sorted(folder.iterdir(), key=lambda entry: entry.name)
        found = tuple(_loaded(entry, check) for entry in folders if _is_title(entry))
    _added.update((title.title, title) for title in found)
    return found


def _is_title(folder: Traversable) -> bool:
    return folder.is_dir() and any(folder.joinpath(n).is_file() for n in (FILE, "map.json"))


def _loaded(folder: Traversable, check: Callable[[Any, str], Sequence[Fault]] | None) -> Title:
    files = parsed_files(folder)
    if _complete(files):
        return load_title(folder)
    from engine.titles.described import described_title  # noqa: PLC0415 (schemas, seldom needed)

    title, faults = described_title(files, check=check)
    if title is None:
        raise StateError(replace(each, path=f"{folder.name}/{each.path}") for each in faults)
    return title


def parsed_files(folder: Traversable) -> dict[str, Any]:
    """Return what the JSON files of a folder say, by name of file.

    Raises
    ------
    StateError
        Files cannot be read; all are listed.
    """
    found: dict[str, Any] = {}
    faults = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".json") and entry.is_file():
            try:
                found[entry.name] = json.loads(entry.read_text("utf-8"))
            except (ValueError, OSError, RecursionError) as error:
                path = f"{folder.name}/{entry.name}"
                faults.append(Fault("FILE_BROKEN", path, f"it cannot be read: {error}"))
    if faults:
        raise StateError(faults)
    return found


def _complete(files: Mapping[str, Any]) -> bool:
    """Tell whether nothing is left out in the files of a folder, those of variants included."""
    if not {FILE, "rules.json", *WHOLE} - {"companies.json"} <= files.keys():
        return False
    for name, content in files.items():
        main, keys = WHOLE.get(f"{name.removesuffix('.json').partition('_')[0]}.json", ("", ()))
        items = content.get(main, ()) if main and isinstance(content, dict) else ()
        for item in items if isinstance(items, list) else ():
            if not isinstance(item, dict) or "face" in item or set(keys) - item.keys():
                return False
    return True


def all_titles() -> Mapping[str, Title]:
    """Return every title at hand that is only data, by title."""
    return {**own_titles(), **_added}


@cache
def _quick(title: str) -> Title | None:
    """The title in the folder of the same name, without a look at the other folders."""
    folder = _data().joinpath(title)
    if "/" in title or not title or not folder.joinpath(FILE).is_file():
        return None
    raw = json.loads(folder.joinpath(FILE).read_text("utf-8"))
    return load_title(folder) if raw["title"] == title else None


def find_title(title: str) -> Title | None:
    """Return the title of that name that is only data, or None."""
    return _added.get(title) or _quick(title) or own_titles().get(title)
