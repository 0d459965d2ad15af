"""Titles that clients describe: made, held for a while, found by their name."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, NoReturn

from engine.errors import Fault, StateError
from engine.games import game_of, load_game
from engine.games.game import Game
from engine.titles.described import content_name, described_title
from server.errors import RequestError, TitleNotHeldError
from server.limits import MOST_TITLE_BYTES

PREFIX = "sha256:"
"""Names made of content begin so; no other title has a colon."""


@dataclass(frozen=True)
class Defined:
    """What became of a description: the game, or the faults for which there is none."""

    game: Game | None
    faults: tuple[Fault, ...] = ()


class HeldTitles:
    """Titles by name; the ones not asked for longest go when there are too many.

    Parameters
    ----------
    count
        Most titles held.
    size
        Most bytes of their descriptions together.
    """

    def __init__(self, count: int, size: int) -> None:
        self._lock = Lock()
        self._held: OrderedDict[str, tuple[Game, int]] = OrderedDict()
        self.limit(count, size)

    def limit(self, count: int, size: int) -> None:
        """Set how much may be held; what is beyond goes at once."""
        with self._lock:
            self._count, self._size = count, size
            self._trim()

    def find(self, name: str) -> Game | None:
        """Return the title of that name, or None."""
        with self._lock:
            if name not in self._held:
                return None
            self._held.move_to_end(name)
            return self._held[name][0]

    def keep(self, game: Game, size: int) -> None:
        """Hold a title whose description has `size` bytes."""
        with self._lock:
            self._held[game.title] = (game, size)
            self._held.move_to_end(game.title)
            self._trim()

    def clear(self) -> None:
        """Hold nothing."""
        with self._lock:
            self._held.clear()

    def _trim(self) -> None:
        total = sum(size for _, size in self._held.values())
        while self._held and (len(self._held) > self._count or total > self._size):
            _, (_, size) = self._held.popitem(last=False)
            total -= size


HELD = HeldTitles(count=32, size=32 * 2**20)
"""The titles that this process holds; the service sets its limits when it starts."""


def find_game(title: str) -> Game:
    """Return the game that boards name so: one of the library, or one that is held.

    Raises
    ------
    UnknownGameError
        There is no such game.
    TitleNotHeldError
        The name is one that DefineTitle makes, and no such title is held.
    """
    if not title.startswith(PREFIX):
        return load_game(title)
    found = HELD.find(title)
    if found is None:
        message = f"the title {title} is not held (any more); send it with DefineTitle again"
        raise TitleNotHeldError(message)
    return found


def parsed(texts: Mapping[str, str]) -> dict[str, Any]:
    """Return what the files of a description say, by name of file.

    Raises
    ------
    RequestError
        There are none, they are too large, or some are no JSON; all of these are listed.
    """
    size = size_of(texts)
    if not texts:
        raise RequestError([Fault("REQUIRED", "files", "a title has files")])
    if size > MOST_TITLE_BYTES:
        message = f"{size} bytes; {MOST_TITLE_BYTES} is the most"
        raise RequestError([Fault("TITLE_TOO_LARGE", "files", message)])
    found: dict[str, Any] = {}
    faults = []
    for name, text in sorted(texts.items()):
        try:
            found[name] = json.loads(text, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            message = f"it is no JSON: {error}"
            faults.append(Fault("FILE_BROKEN", _place(name), message))
    if faults:
        raise RequestError(faults)
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _place(name: str) -> str:
    return f"files[{name[:64]}]"


def size_of(texts: Mapping[str, str]) -> int:
    """Return the bytes of the files of a description, names included."""
    return sum(len(name.encode()) + len(text.encode()) for name, text in texts.items())


def define(texts: Mapping[str, str], *, keep: bool = True) -> Defined:
    """Make a title of the files of its folder and hold it.

    Parameters
    ----------
    texts
        JSON text by name of file.
    keep
        False: only tell the faults.

    Raises
    ------
    RequestError
        What is sent is no description at all: nothing, too much, or no JSON.
    """
    files = parsed(texts)
    try:
        name = content_name(files)
    except StateError as error:
        return Defined(None, error.faults)
    held = HELD.find(name)
    if held is not None:
        return Defined(held)
    # the options take a while to import, and few processes are sent a title
    from engine.declared.parsing import option_from

    title, faults = described_title(files, name=name, check=lambda raw, at: option_from(raw, at)[1])
    if title is None:
        return Defined(None, faults)
    game = game_of(title)
    for variant in game.map_files:
        game.atlas(variant)
    if keep:
        HELD.keep(game, size_of(texts))
    return Defined(game)
