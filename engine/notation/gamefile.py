"""Game files of 18xx.games: read, replay, write (FMT §A, §B)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BradshawError, Fault
from engine.notation.log import effective
from engine.play.actions import Action, action_from
from engine.play.errors import IllegalActionError, Trusting
from engine.play.game import Play, Setting, start

SILENT = ("message", "log", "program_")
"""How the types of entries begin that change nothing in a replay: talk, and programs of
whatever kind, whose automatic actions stand in the file (FMT §B7.1)."""


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
        The log as it stands, undone entries included.
    result
        Final score by player, or empty.
    end_reason
        Why it ended, or empty.
    spare_seed
        Another seed that the deal may have come from, or None (FMT §A2.2).
    """

    id: str
    setting: Setting
    entries: tuple[Mapping[str, Any], ...]
    result: Mapping[int, int]
    end_reason: str
    spare_seed: int | None = None


def read_game(raw: Mapping[str, Any], profile: str = "18xx.games") -> GameFile:
    """Read a game file.

    Raises
    ------
    GameFileError
        A key that a replay needs is missing, or the game is tied to an old
        version of the site's program (FMT §A2).
    """
    for key in ("title", "players", "actions"):
        if key not in raw:
            fault = Fault("KEY_MISSING", key, f"the file has no {key}", "FMT §A1")
            raise GameFileError(fault.message, [fault])
    settings: Mapping[str, Any] = raw.get("settings") or {}
    if settings.get("pin"):
        fault = Fault("GAME_PINNED", "settings.pin", "an old program is needed", "FMT §A2")
        raise GameFileError(fault.message, [fault])
    players = tuple(_players(raw["players"]))
    game_id = str(raw.get("id", ""))
    setting = Setting(
        title=raw["title"],
        players=players,
        seed=_seed(settings.get("seed"), game_id),
        options=tuple(settings.get("optional_rules") or ()),
        profile=profile,
    )
    by_name = {name: number for number, name in players}
    result = {
        int(who) if who.isdigit() else by_name[who]: score
        for who, score in (raw.get("result") or {}).items()
    }
    reason = raw.get("game_end_reason") or ""
    spare = _digits(game_id)
    if spare == setting.seed:
        spare = None
    return GameFile(game_id, setting, tuple(raw["actions"]), result, reason, spare)


def _players(raw: Any) -> Iterator[tuple[int, str]]:
    if isinstance(raw, Mapping):
        yield from ((int(number), name) for number, name in raw.items())
        return
    for place, entry in enumerate(raw):
        yield int(entry.get("id", place + 1)), entry["name"]


def _seed(stored: Any, game_id: str) -> int:
    """The stored seed, or the first digits of the id (FMT §A2.1)."""
    if stored not in (None, ""):
        return int(stored)
    return _digits(game_id) or 0


def _digits(game_id: str) -> int | None:
    digits = re.search(r"\d+", game_id)
    return int(digits.group()) if digits else None


@dataclass(frozen=True)
class Report:
    """Something in a record that the rules see differently.

    Parameters
    ----------
    entry
        Id of the entry of the log.
    fault
        What, where in the action, and by which rule.
    """

    entry: int
    fault: Fault


class ReplayError(BradshawError):
    """An entry of the log does not fit the game; ``entry`` is its id."""

    code = "REPLAY_FAILED"

    def __init__(self, entry: int, fault: Fault) -> None:
        super().__init__(f"entry {entry}: {fault.message}", [fault])
        self.entry = entry


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
        self._audit = audit
        self._left = list(reversed(effective(file.entries)))

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
            for raw in (entry, *(entry.get("auto_actions") or ())):
                if raw["type"].startswith(SILENT):
                    continue
                try:
                    action = action_from(raw)
                    yield number, action
                    self._do(number, action)
                except IllegalActionError as error:
                    raise ReplayError(number, error.fault) from error
            self._left.pop()

    def _do(self, number: int, action: Action) -> None:
        bench = Trusting(self._audit)
        self.play.apply(action, bench)
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


def with_true_seed(file: GameFile) -> GameFile:
    """Return a game file with the seed from which its cards were dealt.

    Files exported before 18xx.games corrected its database hold a seed that
    only shuffled the seats; the cards were dealt by the game's id. Nothing in
    such a file tells, but its log does not fit the stored seed (FMT §A2.2).

    Parameters
    ----------
    file
        As read.

    Returns
    -------
    GameFile
        With the stored seed if the log fits it, or fits no seed; else with
        the digits of the id as seed.
    """
    if file.spare_seed is None or _fits(file):
        return file
    setting = replace(file.setting, seed=file.spare_seed)
    other = replace(file, setting=setting, spare_seed=None)
    return other if _fits(other) else file


def _fits(file: GameFile) -> bool:
    try:
        Replay(file, audit=False).run()
    except ReplayError:
        return False
    return True


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
