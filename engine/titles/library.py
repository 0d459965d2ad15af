"""The titles that are at hand: those of the project and those of added folders."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from engine.titles.title import Title, load_title

FILE = "title.json"

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


def add_folder(folder: Traversable) -> tuple[Title, ...]:
    """Add a title folder, or all titles of a folder of folders; they go before own ones.

    Returns
    -------
    tuple of Title
        What was found.
    """
    if folder.joinpath(FILE).is_file():
        found: tuple[Title, ...] = (load_title(folder),)
    else:
        found = tuple(titles_in(folder))
    _added.update((title.title, title) for title in found)
    return found


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
