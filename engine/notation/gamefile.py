"""Game files of 18xx.games: read, replay, write (FMT §A, §B)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BradshawError, Fault
from engine.notation.log import effective
from engine.play.actions import PLAYER, Action, action_from
from engine.play.errors import IllegalActionError, Trusting
from engine.play.game import Play, Setting, start


def is_silent(kind: str) -> bool:
    """Tell whether entries of a type change nothing in a replay: talk, and programs, whose
    automatic actions stand in the file (FMT §B5, §B7.1)."""
    return kind in ("message", "log") or kind.startswith("program_")


class GameFileError(BradshawError):
    """A game file that cannot be read; see ``faults``."""

    code = "GAME_FILE_INVALID"


@dataclass(frozen=True)
class GameFile:
    """An exported game.

    Parameters
    ----------
    id
        Id on the site.
    setting
        Title, players, seed and options.
    entries
        The log as it stands, undone entries included; players have numbers.
    result
        Final score by player, or empty.
    end_reason
        Why it ended, or empty.
    spare_seed
        Another seed that the deal may have come from, or None (FMT §A2.2).
    stale_seed
        The seed of the file if the cards were dealt by another one, else None.
    """

    id: str
    setting: Setting
    entries: tuple[Mapping[str, Any], ...]
    result: Mapping[int, int]
    end_reason: str
    spare_seed: int | None = None
    stale_seed: int | None = None


def read_game(raw: Mapping[str, Any], profile: str = "18xx.games") -> GameFile:
    """Read a game file.

    Raises
    ------
    GameFileError
        A key that a replay needs is missing, players cannot be told apart, or the
        game is tied to an old version of the site's program (FMT §A2).
    """
    for key in ("title", "players", "actions"):
        if key not in raw:
            raise _unreadable("KEY_MISSING", key, f"the file has no {key}", "FMT §A1")
    settings: Mapping[str, Any] = raw.get("settings") or {}
    if settings.get("pin"):
        raise _unreadable("GAME_PINNED", "settings.pin", "an old program is needed", "FMT §A2")
    players, named = _players(raw["players"])
    game_id = "" if raw.get("id") is None else str(raw["id"])
    setting = Setting(
        title=raw["title"],
        players=players,
        seed=_seed(settings.get("seed"), game_id),
        options=tuple(settings.get("optional_rules") or ()),
        profile=profile,
    )
    numbers = {str(number): number for number, _ in players}
    by_name = {name: number for number, name in players}
    known = {**by_name, **numbers, **named}
    result = {
        known[who] if who in known else int(who): score
        for who, score in (raw.get("result") or {}).items()
    }
    spare = _digits(game_id)
    return GameFile(
        id=game_id,
        setting=setting,
        entries=tuple(_numbered(entry, named) for entry in raw["actions"]),
        result=result,
        end_reason=raw.get("game_end_reason") or "",
        spare_seed=None if spare == setting.seed else spare,
    )


def _unreadable(code: str, path: str, message: str, section: str) -> GameFileError:
    return GameFileError(message, [Fault(code, path, message, section)])


def _players(raw: Any) -> tuple[tuple[tuple[int, str], ...], Mapping[str, int]]:
    """Return numbers and names of the players, and their numbers by id where ids are no
    numbers: in very old files the name is the id; such players are numbered from 1."""
    listed = list(_identities(raw))
    if all(isinstance(who, int) for who, _ in listed):
        return tuple((int(who), name) for who, name in listed), {}
    numbers = {who: number for number, (who, _) in enumerate(listed, start=1)}
    if len(numbers) < len(listed):
        message = "two players have the same id"
        raise _unreadable("PLAYER_TWICE", "players", message, "FMT §A1")
    if any(isinstance(who, int) for who, _ in listed):
        message = "some players have an id and some have none"
        raise _unreadable("PLAYER_WITHOUT_ID", "players", message, "FMT §A1")
    players = tuple((numbers[who], name) for who, name in listed)
    return players, {str(who): number for who, number in numbers.items()}


def _identities(raw: Any) -> Iterator[tuple[int | str, str]]:
    """Yield id and name of each player, in the three forms of FMT §A1."""
    if isinstance(raw, Mapping):
        yield from ((int(who) if who.isdecimal() else who, name) for who, name in raw.items())
        return
    for entry in raw:
        if isinstance(entry, str):
            yield entry, entry
        else:
            name: str = entry["name"]
            yield name if entry.get("id") is None else entry["id"], name


def _numbered(entry: Mapping[str, Any], named: Mapping[str, int]) -> Mapping[str, Any]:
    """Return an entry, and what is nested in it, with numbers for players whose ids are none."""
    if not named:
        return entry
    changed = dict(entry)
    if entry.get("entity_type") == PLAYER:
        changed["entity"] = named.get(entry["entity"], entry["entity"])
    if entry.get("auto_actions"):
        changed["auto_actions"] = [_numbered(nested, named) for nested in entry["auto_actions"]]
    return changed


def _seed(stored: Any, game_id: str) -> int:
    """The stored seed, or the first digits of the id (FMT §A2.1)."""
    if stored not in (None, ""):
        return int(stored)
    return _digits(game_id) or 0


def _digits(game_id: str) -> int | None:
    digits = re.search("[0-9]+", game_id)
    return int(digits.group()) if digits else None


@dataclass(frozen=True)
class Report:
    """Something in a record that the rules see differently.

    Parameters
    ----------
    entry
        Id of the entry of the log; 0 for the file as a whole.
    fault
        What, where in the action or the file, and by which rule.
    """

    entry: int
    fault: Fault


class ReplayError(BradshawError):
    """An entry of the log does not fit the game.

    Attributes
    ----------
    entry
        Its id.
    nested
        Place among its automatic actions, or None if it is the entry itself.
    """

    code = "REPLAY_FAILED"

    def __init__(self, entry: int, fault: Fault, nested: int | None = None) -> None:
        super().__init__(f"entry {entry}: {fault.message}", [fault])
        self.entry = entry
        self.nested = nested


class Replay:
    """A game file being replayed.

    The amounts of the record are paid. What 18xx.games does not check when it
    loads a game (FMT §B9), and runs for which the referee would pay another
    amount, are listed in ``reports`` and not refused.

    Parameters
    ----------
    file
        The game.
    audit
        Ask the referee about every run.
    """

    def __init__(self, file: GameFile, audit: bool = True) -> None:
        self.file = file
        self.play = start(file.setting)
        self.reports: list[Report] = []
        if file.stale_seed is not None:
            message = f"the cards were dealt by {file.setting.seed}, the digits of the id"
            fault = Fault("SEED_STALE", "settings.seed", message, "FMT §A2.2")
            self.reports.append(Report(0, fault))
        self._audit = audit
        self._left = list(reversed(effective(file.entries)))

    @property
    def left(self) -> int:
        """Number of entries still to be done."""
        return len(self._left)

    def steps(self, until: int | None = None) -> Iterator[tuple[int, Action]]:
        """Yield entry id and action before each action, nested ones included, then do it.

        Parameters
        ----------
        until
            Id of the last entry to be done; None for all.

        Raises
        ------
        ReplayError
            An entry does not fit: another actor, another step, or illegal.
        """
        while self._left and (until is None or self._left[-1]["id"] <= until):
            entry = self._left[-1]
            number: int = entry["id"]
            for place, raw in enumerate((entry, *(entry.get("auto_actions") or ()))):
                if is_silent(raw["type"]):
                    continue
                try:
                    action = action_from(raw)
                    yield number, action
                    self._do(number, action)
                except IllegalActionError as error:
                    nested = place - 1 if place else None
                    raise ReplayError(number, error.fault, nested) from error
            self._left.pop()

    def _do(self, number: int, action: Action) -> None:
        bench, layout = Trusting(self._audit), self.play.current.layout
        self.play.apply(action, bench)
        if self.play.current.layout is not layout:
            layout.forget()  # the boards of a whole game would be its largest part by far
        self.reports.extend(Report(number, fault) for fault in bench.breaches)

    def run(self, until: int | None = None) -> Play:
        """Replay to the end, or up to and including the entry with the id `until`.

        Raises
        ------
        ReplayError
            See :meth:`steps`.
        """
        for _ in self.steps(until):
            pass
        return self.play


def with_true_seed(file: GameFile, watch: Callable[[], None] = lambda: None) -> GameFile:
    """Return a game file with the seed from which its cards were dealt.

    Files exported before 18xx.games corrected its database hold a seed that
    only shuffled the seats; the cards were dealt by the game's id. Nothing in
    such a file tells, but its log does not fit the stored seed (FMT §A2.2).

    Parameters
    ----------
    file
        As read.
    watch
        Called before every action; what it raises ends the search.

    Returns
    -------
    GameFile
        Without a spare seed. The seed is the stored one if the log fits it, or fits
        the digits of the id no longer than it; else the digits of the id.
    """
    if file.spare_seed is None:
        return file
    stored = replace(file, spare_seed=None)
    left = _left_by(stored, watch)
    if not left:
        return stored
    setting = replace(file.setting, seed=file.spare_seed)
    other = replace(stored, setting=setting, stale_seed=file.setting.seed)
    return other if _left_by(other, watch) < left else stored


def _left_by(file: GameFile, watch: Callable[[], None]) -> int:
    """Return how many entries are not done when the log does not fit any more; 0 if it fits."""
    replay = Replay(file, audit=False)
    try:
        for _ in replay.steps():
            watch()
    except ReplayError:
        pass
    return replay.left


def write_game(play: Play, game_id: str = "") -> dict[str, Any]:
    """Return a game as a game file, ready for ``json.dumps`` (FMT §A1).

    The rules profile has no place in the format: who reads the file must know it.
    """
    setting = play.setting
    entries: list[dict[str, Any]] = []
    for number, action in enumerate(play.actions(), start=1):
        entries.append({**action.to_json(), "id": number})
    written: dict[str, Any] = {
        "id": game_id,
        "title": setting.title,
        "players": [{"id": number, "name": name} for number, name in setting.players],
        "settings": {"seed": setting.seed, "optional_rules": list(setting.options)},
        "status": "finished" if play.finished else "active",
        "actions": entries,
    }
    if play.finished:
        written["result"] = {str(number): score for number, score in play.scores().items()}
        written["game_end_reason"] = play.end_reason
    return written
