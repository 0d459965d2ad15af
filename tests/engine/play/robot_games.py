"""Play many games with robots, check them all, and count what is rare.

``python -m tests.engine.play.robot_games [TITLE ...] [--games N] [--seed S] [--every K]``

Each title has a package of tests with a module ``trials`` and in it a :class:`Trial`: the
numbers of players and options, the robot, what is watched, what is counted. The games of a
title take its settings in turn, each with a seed of its own, and one in four the profile
``rulebook``. Invariants are checked after every action, the list of actions, snapshots and
undo at every K-th. At the end the game is written as a game file, read and replayed, and must
come to the same state and scores. A game that breaks something is named with its setting; the
command ends with 1 if there was one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

from engine.games import all_games, load_game
from engine.notation.gamefile import Replay, read_game, write_game
from engine.play.actions import Action
from engine.play.game import Play, Setting, start
from tests.engine.play.random_games import Moves, Watch, watched

SITE, RULEBOOK = "18xx.games", "rulebook"
RULEBOOK_EVERY = 4
"""One game in so many is played by the rulebook."""

Seats = tuple[int, tuple[str, ...]]
"""Number of players and options."""


@dataclass(frozen=True)
class Trial:
    """How many games of a title are played and what is counted in them.

    Parameters
    ----------
    seats
        Numbers of players with options of each title, to be taken in turn.
    watch
        What every game is watched for.
    moves
        Plays a game with a seed.
    seen
        Names what an action has been or has led to, from the game before it and after it.
    rare
        Names that are printed even if they have not been seen.
    """

    seats: dict[str, tuple[Seats, ...]]
    watch: Watch
    moves: Callable[[Play, int], Moves]
    seen: Callable[[Play, Action, Play], Iterator[str]]
    rare: frozenset[str]


def trial_of(title: str) -> Trial:
    """Return the trial of a title, from its game's package of tests."""
    folder = load_game(title).package.rpartition(".")[2]
    trial: Trial = import_module(f"tests.engine.games.{folder}.play.trials").TRIAL
    return trial


def settings_of(title: str, games: int, first_seed: int) -> Iterator[Setting]:
    """Yield the settings of some games of a title."""
    seats = trial_of(title).seats[title]
    for number in range(games):
        turn, place = divmod(number, len(seats))
        players, options = seats[place]
        by_rulebook = (turn + place) % RULEBOOK_EVERY == RULEBOOK_EVERY - 1
        yield Setting(
            title=title,
            players=tuple((seat, f"Player {seat}") for seat in range(1, players + 1)),
            seed=first_seed + number,
            options=options,
            profile=RULEBOOK if by_rulebook else SITE,
        )


def play_watched(trial: Trial, play: Play, seed: int, every: int) -> Counter[str]:
    """Play a game to its end with all checks; return what was seen."""
    found = Counter[str]()
    before: tuple[Play, Action] | None = None
    for action in watched(play, trial.moves(play, seed), trial.watch, seed, every):
        if before is not None:
            found.update(trial.seen(*before, play))
        before = (play.copy(), action)
    if before is not None:
        found.update(trial.seen(*before, play))
    return found


def check_file(play: Play) -> None:
    """The file of a game, read and replayed, comes to the same state, scores and end."""
    written = json.loads(json.dumps(write_game(play, "robot")))
    replay = Replay(read_game(written, play.setting.profile))
    again = replay.run()
    assert again.current == play.current
    assert again.scores() == play.scores()
    assert again.finished == play.finished
    assert again.end_reason == play.end_reason
    assert [action.to_json() for action in again.actions()] == [
        action.to_json() for action in play.actions()
    ]
    assert not replay.reports, replay.reports


@dataclass
class Tally:
    """What came of the games of a title."""

    games: int = 0
    broken: int = 0
    actions: int = 0
    seconds: float = 0.0


def play_title(title: str, games: int, seed: int, every: int) -> tuple[Tally, Counter[str]]:
    """Play the games of a title; faults go to standard error, with the setting."""
    trial, tally, found = trial_of(title), Tally(), Counter[str]()
    for setting in settings_of(title, games, seed):
        begun = time.process_time()
        play = start(setting)
        try:
            found.update(play_watched(trial, play, setting.seed, every))
            check_file(play)
        except Exception:
            tally.broken += 1
            named = replace(setting, players=setting.players[-1:])
            print(f"broken after {len(play.actions())} actions: {named}", file=sys.stderr)
            traceback.print_exc()
        tally.games += 1
        tally.actions += len(play.actions())
        tally.seconds += time.process_time() - begun
    return tally, found


def table(title: str, tally: Tally, found: Counter[str]) -> str:
    """Return what came of the games of a title, for reading."""
    names = sorted({*found, *trial_of(title).rare})
    width = max(map(len, names), default=0)
    lines = [
        f"{title}: {tally.games} games, {tally.actions} actions, {tally.broken} broken, "
        f"{tally.seconds:.0f} s of the processor",
        *(f"  {name:<{width}}  {found[name]:>7}" for name in names),
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games and print the counts; return the exit code."""
    known = list(all_games())
    parser = argparse.ArgumentParser(
        prog="python -m tests.engine.play.robot_games",
        description="Play many games with robots, check them all, and count what is rare.",
    )
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=f"of {', '.join(known)}")
    parser.add_argument("--games", type=int, default=20, metavar="N", help="of each title")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first game")
    parser.add_argument("--every", type=int, default=50, metavar="K", help="dearer checks")
    options = parser.parse_args(arguments)
    unknown = set(options.titles) - set(known)
    if unknown:
        parser.error(f"no game {', '.join(sorted(unknown))}")
    broken = 0
    for title in options.titles or known:
        tally, found = play_title(title, options.games, options.seed, options.every)
        broken += tally.broken
        print(table(title, tally, found), flush=True)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
