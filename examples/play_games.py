"""Play the example games again: ``python -m examples.play_games [TITLE ...] [--out DIR]``.

A robot (:mod:`examples.robot`) plays for all players; the same seed gives the same game. Of
some seeds a game those were taken whose games are lively:

======  =======  ====  =========  ======  ====  ===========  ============
title   players  seed  companies  trains  runs  highest run  end
======  =======  ====  =========  ======  ====  ===========  ============
18GB          5     1         12      28   122         £850  final_train
1862          4     6          8      22    59        £1460  lner
1822          4     7         24      48   203         £990  bank
======  =======  ====  =========  ======  ====  ===========  ============

Companies are those that ran, trains those bought. In a quarter of the runs the director
overlooks one of the stops of the best run, so that an audit has something to find.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.games.g1862.play.kit import Kit1862
from engine.games.g1862.play.state import State1862
from engine.notation.gamefile import write_game
from engine.play.actions import Action, BuyTrain, CharterBid, Par, RunRoutes
from engine.play.game import Play, Setting, start
from examples.robot import Manners, Robot
from server.gamebook import Opened, file_text

FOLDER = Path(__file__).resolve().parent / "games"


FLOATED_BY = 5
"""Shares that must be sold before a company floats (1862 §6.6)."""


def careful(play: Play, action: Action) -> bool:
    """1862: a company buys trains of the types for which it has a permit (1862 §10.3), and a
    player takes only charters that he can float alone, for fines are high (1862 §5.1)."""
    state, kit = play.current, play.kit
    if not isinstance(state, State1862):
        return True
    if not isinstance(kit, Kit1862):
        raise TypeError(f"{type(kit).__name__} is no kit of 1862")
    if isinstance(action, CharterBid | Par):
        return _can_float(state, kit, action)
    if not isinstance(action, BuyTrain):
        return True
    name = action.variant or kit.roster.card(action.train).name
    side = kit.kind(action.train, name)
    return side is not None and side.kind in state.charters[str(action.entity.id)].permits


def _can_float(state: State1862, kit: Kit1862, action: CharterBid | Par) -> bool:
    """Tell whether five shares can be paid after a bid, at the lowest par, or at the par."""
    cash = state.players[int(action.entity.id)].cash
    if isinstance(action, CharterBid):
        return action.price + FLOATED_BY * kit.chart.price(kit.pars[0]) <= cash
    return FLOATED_BY * int(action.share_price.partition(",")[0]) <= cash


@dataclass(frozen=True)
class Example:
    """A game to be played: its title, the number of players, the seed of deal and robot."""

    title: str
    players: int
    seed: int
    manners: Manners = field(default_factory=Manners)


EXAMPLES = (
    Example("18GB", 5, 1),
    Example(
        "1862",
        4,
        6,
        Manners(players={"par": 1.0}, companies={"merge": 0.05}, fits=careful),
    ),
    Example("1822", 4, 7),
)


def play_out(example: Example) -> Play:
    """Play a game to its end."""
    seats = tuple((number, f"Player {number}") for number in range(1, example.players + 1))
    play = start(Setting(example.title, seats, example.seed))
    for number, _ in enumerate(Robot(example.seed, example.manners).moves(play), start=1):
        if number % 100 == 0:
            print(f"{example.title}: {number} actions", file=sys.stderr, flush=True)
    return play


def story(play: Play) -> str:
    """Return a game in a line."""
    actions = play.actions()
    runs = [action for action in actions if isinstance(action, RunRoutes)]
    paid = [sum(route.revenue or 0 for route in run.routes) for run in runs]
    companies = {run.entity.id for run in runs}
    trains = sum(isinstance(action, BuyTrain) for action in actions)
    return (
        f"{play.setting.title}: {len(actions)} actions, {len(companies)} companies ran, "
        f"{trains} trains bought, {len(runs)} runs, the highest £{max(paid)}, "
        f"end: {play.end_reason}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games and write their files."""
    titles = [example.title for example in EXAMPLES]
    parser = argparse.ArgumentParser(description="Play the example games again.")
    parser.add_argument("titles", nargs="*", metavar="TITLE", help=f"of {', '.join(titles)}")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="for the files")
    options = parser.parse_args(arguments)
    unknown = set(options.titles) - set(titles)
    if unknown:
        parser.error(f"no example of {', '.join(sorted(unknown))}")
    options.out.mkdir(parents=True, exist_ok=True)
    for example in EXAMPLES:
        if not options.titles or example.title in options.titles:
            play = play_out(example)
            content = write_game(play, f"example-{example.seed}")
            entries = tuple(content["actions"])
            path = options.out / f"{example.title}.json"
            path.write_text(file_text(Opened(play, content=content, entries=entries)), "utf-8")
            print(f"{path}: {story(play)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
