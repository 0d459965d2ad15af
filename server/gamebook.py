"""Whole games without any wire: opened from a file or a snapshot, played on.

The service keeps no game. What it keeps are the last games opened, by what was
sent, so that sending the same one again costs nothing. States never change once
they are reached; therefore an opened game can be shared by calls, each of which
plays on with a copy.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BradshawError, Fault, StateError, UnknownGameError
from engine.notation.gamefile import (
    GameFile,
    GameFileError,
    Replay,
    ReplayError,
    Report,
    is_silent,
    read_game,
    with_true_seed,
)
from engine.notation.log import effective
from engine.play.actions import Action, action_from
from engine.play.errors import IllegalActionError
from engine.play.game import Play, restore
from optimizer.stop import Stop
from server.errors import CancelledError, DeadlineError, GameRefusedError, RequestError
from server.gameshape import action_faults, file_faults, nested_faults
from server.limits import SNAPSHOT

DEFAULT_PROFILE = "18xx.games"
"""Rules profile of files that do not say otherwise."""
KEPT = 16
"""Games that are kept opened."""
FILE = "game.file"
ACTIONS = f"{FILE}.actions"


@dataclass(frozen=True)
class Source:
    """A game as it was sent.

    Parameters
    ----------
    file, snapshot
        The text of one of them; the other one is empty.
    before
        Id of the first entry of the file that is not done; None: all are done.
    profile
        Rules profile for a file.
    """

    file: str = ""
    snapshot: str = ""
    before: int | None = None
    profile: str = DEFAULT_PROFILE


@dataclass(frozen=True)
class Opened:
    """A game opened; ``play`` is shared and must be copied before it is played on.

    Parameters
    ----------
    play
        The game at the moment wanted.
    file, content
        The file as read and as its JSON object; None for a snapshot.
    entries
        The entries of the log that were done.
    count
        Actions done, automatic ones included.
    reports
        What the rules see differently.
    whole
        Every entry was done.
    """

    play: Play
    file: GameFile | None = None
    content: Mapping[str, Any] | None = None
    entries: tuple[Mapping[str, Any], ...] = ()
    count: int = 0
    reports: tuple[Report, ...] = ()
    whole: bool = True


class Gamebook:
    """Opens games and plays on; may be used by several threads at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int | None, str], Opened] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, source: Source, stop: Stop) -> Opened:
        """Return a game.

        Parameters
        ----------
        stop
            Ends the replay of a file.

        Raises
        ------
        RequestError
            The text is no game file or snapshot.
        GameRefusedError
            The file cannot be replayed, or an entry does not fit.
        NotPlayableError
            Whole games of this title cannot be played.
        DeadlineError, CancelledError
            `stop` came first.
        """
        key = (_digest(source.file or source.snapshot), source.before, source.profile)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        opened = replay(source, stop) if source.file else Opened(from_snapshot(source.snapshot))
        self._keep(key, opened)
        return opened

    def apply(
        self, opened: Opened, actions: Sequence[Mapping[str, Any]], stop: Stop
    ) -> tuple[Opened, tuple[Action, ...]]:
        """Return the game after some actions, all or none, and the actions as done.

        Automatic actions are done after the action that carries them (FMT §B7.1).

        Raises
        ------
        GameRefusedError
            An action is malformed, or the rules do not allow it.
        DeadlineError, CancelledError
            `stop` came first.
        """
        play, count = opened.play.copy(), 0
        for number, raw in enumerate(actions):
            for entry, path in _played(raw, f"actions[{number}]"):
                check(stop)
                try:
                    play.apply(action_from(entry))
                except IllegalActionError as error:
                    raise GameRefusedError([_within(path, error.fault)]) from error
                count += 1
        done = tuple(play.actions()[len(play.actions()) - count :])
        after = replace(opened, play=play, count=opened.count + len(done))
        if opened.content is not None:
            after = _written_on(after, opened.content, done)
            self._keep((_digest(file_text(after)), None, play.setting.profile), after)
        self._keep((_digest(snapshot_text(play)), None, DEFAULT_PROFILE), Opened(play))
        return after, done

    def _keep(self, key: tuple[str, int | None, str], opened: Opened) -> None:
        with self._lock:
            self._kept[key] = opened
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


def _played(raw: Mapping[str, Any], path: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Yield an action and the automatic ones that it carries, each with its field.

    Raises
    ------
    RequestError
        The shape of one is wrong.
    """
    faults = list(action_faults(raw, path)) or list(nested_faults(raw, path))
    if faults:
        raise RequestError(faults)
    yield raw, path
    for place, nested in enumerate(raw.get("auto_actions") or ()):
        if not is_silent(nested["type"]):
            yield nested, f"{path}.auto_actions[{place}]"


def replay(source: Source, stop: Stop) -> Opened:
    """Replay a game file as far as is wanted; see :meth:`Gamebook.open`.

    What the seed of the file does not deal is dealt by the id (FMT §A2.2). Where only a part
    of the log is wanted, it may fit a seed that the rest does not fit; so that is looked at first.
    """
    content = parse(source.file)
    with _told():
        file = _file(content, source.profile)
        if source.before is not None:
            file = with_true_seed(file, lambda: check(stop))
        try:
            return _replayed(file, content, source.before, stop)
        except ReplayError as error:
            other = with_true_seed(file, lambda: check(stop))
            if other.stale_seed == file.stale_seed:
                raise refused(content, error) from error
        try:
            return _replayed(other, content, source.before, stop)
        except ReplayError as error:
            raise refused(content, error) from error


def _replayed(file: GameFile, content: Mapping[str, Any], before: int | None, stop: Stop) -> Opened:
    replaying = Replay(file)
    count = 0
    for _ in replaying.steps(None if before is None else before - 1):
        check(stop)
        count += 1
    entries = effective(file.entries)
    if file.stale_seed is not None:
        settings = {**(content.get("settings") or {}), "seed": file.setting.seed}
        content = {**content, "settings": settings}
    return Opened(
        play=replaying.play,
        file=file,
        content=content,
        entries=tuple(entries[: len(entries) - replaying.left]),
        count=count,
        reports=tuple(replaying.reports),
        whole=not replaying.left,
    )


def begin(content: Mapping[str, Any], profile: str) -> Replay:
    """Return the replay of the JSON object of a file, at its start, with the true seed.

    Raises
    ------
    RequestError, GameRefusedError, NotPlayableError
        As :meth:`Gamebook.open`.
    """
    with _told():
        return Replay(with_true_seed(_file(content, profile)))


def _file(content: Mapping[str, Any], profile: str) -> GameFile:
    faults = list(file_faults(content, FILE))
    if faults:
        raise RequestError(faults)
    return read_game(content, profile)


@contextmanager
def _told() -> Iterator[None]:
    """Tell what is wrong with a file by its place in the request."""
    try:
        yield
    except UnknownGameError as error:
        raise RequestError([Fault("GAME_UNKNOWN", f"{FILE}.title", str(error))]) from error
    except GameFileError as error:
        raise GameRefusedError([_within(FILE, fault) for fault in error.faults]) from error
    except StateError as error:
        raise GameRefusedError([_of_setting(fault) for fault in error.faults]) from error


def _of_setting(fault: Fault) -> Fault:
    """Return a fault of the start of a game with its place in the request."""
    path = f"{FILE}.{fault.path}"
    if fault.path.startswith("profile"):
        path = "game.profile"
    elif fault.path.startswith("options"):
        path = f"{FILE}.settings.optional_rules{fault.path.removeprefix('options')}"
    return Fault(fault.code, path, fault.message, fault.section, fault.hex)


def _within(path: str, fault: Fault) -> Fault:
    where = f"{path}.{fault.path}" if fault.path else path
    return Fault(fault.code, where, fault.message, fault.section, fault.hex)


def refused(content: Mapping[str, Any], error: ReplayError) -> GameRefusedError:
    """Return what is wrong with an entry of a file, with its place in the request."""
    entries = content["actions"]
    place = next(n for n, raw in enumerate(entries) if raw["id"] == error.entry)
    where = f"{ACTIONS}[{place}]"
    if error.nested is not None:
        where += f".auto_actions[{error.nested}]"
    faults = [_within(where, fault) for fault in error.faults]
    return GameRefusedError(faults, f"entry {error.entry}")


def parse(text: str, path: str = FILE) -> Mapping[str, Any]:
    """Return the JSON object of a text.

    Parameters
    ----------
    path
        Field of the text, for the error.

    Raises
    ------
    RequestError
        The text is none.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RequestError([Fault("NOT_JSON", path, f"the text is no JSON: {error}")]) from error
    if not isinstance(content, dict):
        raise RequestError([Fault("NOT_JSON", path, "the text is no JSON object")])
    if "\\ud" in text.lower() and not _writable(content):
        raise RequestError([Fault("NOT_JSON", path, "the text has half a character")])
    return content


def _writable(content: Mapping[str, Any]) -> bool:
    """Tell whether all texts of an object can be sent: JSON knows escapes that are half a
    character."""
    try:
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check(stop: Stop) -> None:
    """Raise if a call has to end.

    Raises
    ------
    CancelledError, DeadlineError
        It has.
    """
    if stop.cancelled:
        raise CancelledError("the call was cancelled")
    if stop.over():
        raise DeadlineError("time ran out while the game was replayed")


def snapshot_text(play: Play) -> str:
    """Return a game as a snapshot; :func:`from_snapshot` takes it."""
    body = play.state()
    marks = {"format": SNAPSHOT, "digest": _digest(_canonical(body))}
    return json.dumps({**marks, **body}, ensure_ascii=False, separators=(",", ":"))


def from_snapshot(text: str) -> Play:
    """Return the game of a snapshot.

    Raises
    ------
    RequestError
        It is none, or not as it was given out.
    NotPlayableError
        Whole games of this title cannot be played.
    """
    path = "game.snapshot"
    content = parse(text, path)
    if content.get("format") != SNAPSHOT:
        message = f"the text is no snapshot of the format {SNAPSHOT}"
        raise RequestError([Fault("SNAPSHOT_MALFORMED", path, message)])
    body = {key: value for key, value in content.items() if key not in ("format", "digest")}
    if content.get("digest") != _digest(_canonical(body)):
        message = "the snapshot is not as it was given out: its digest differs"
        raise RequestError([Fault("SNAPSHOT_MALFORMED", path, message)])
    try:
        return restore(body)
    except (KeyError, TypeError, ValueError, AttributeError, UnknownGameError) as error:
        message = "the snapshot is not one of this version"
        raise RequestError([Fault("SNAPSHOT_MALFORMED", path, message)]) from error


def _canonical(body: Mapping[str, Any]) -> str:
    return json.dumps(body, sort_keys=True, separators=(",", ":"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _written_on(after: Opened, content: Mapping[str, Any], done: Sequence[Action]) -> Opened:
    """Return a game whose file has the actions added."""
    last = max((entry["id"] for entry in after.entries), default=0)
    added = [{**action.to_json(), "id": last + n} for n, action in enumerate(done, start=1)]
    entries = (*after.entries, *added)
    of_moment = ("turn", "round", "acting", "result", "game_end_reason")
    written = {key: value for key, value in content.items() if key not in of_moment}
    play = after.play
    written["status"] = "finished" if play.finished else "active"
    written["actions"] = list(entries)
    if play.finished:
        written["result"] = {str(number): score for number, score in play.scores().items()}
        written["game_end_reason"] = play.end_reason
    file = read_game(written, play.setting.profile)
    return replace(after, file=file, content=written, entries=entries, whole=True)


def file_text(opened: Opened) -> str:
    """Return the file of a game as text, one entry a line; empty for a snapshot.

    Raises
    ------
    BradshawError
        The game was opened from a snapshot, which has no past.
    """
    if opened.content is None:
        raise BradshawError("a snapshot has no past to write")
    head = {key: value for key, value in opened.content.items() if key != "actions"}
    lines = [f" {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
    entries = ",\n  ".join(json.dumps(e, ensure_ascii=False) for e in opened.entries)
    lines.append(f' "actions": [\n  {entries}\n ]' if entries else ' "actions": []')
    return "{\n" + ",\n".join(lines) + "\n}\n"
