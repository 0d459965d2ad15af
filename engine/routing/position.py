"""From the state of a board and a company to a checked position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.board.board import Board
from engine.board.build import check_state
from engine.board.state import BoardState
from engine.errors import Fault, StateError
from engine.games import load_game
from engine.games.game import Game
from engine.routing.rules import Rules, RulesProfile
from engine.routing.run import CompanyState, Position

MOST_TRAINS = 24
"""More trains than any company of these games can own: in 1862 those of merged companies are
kept (1862 §9.7), and there are at most 22 cards of bands A to D (1862 §1.5)."""


PLACES = ("company.home", "company.destination", "board.")
"""Paths of faults that depend on tiles and tokens."""


def make_rules(game: Game, profile: str | RulesProfile = "18xx.games") -> Rules:
    """Return the rules object of a game under a profile.

    Raises
    ------
    StateError
        The game has no profile of that name.
    """
    if isinstance(profile, str):
        if profile not in game.profiles:
            known = ", ".join(game.profiles)
            message = f"{game.title} has no rules profile {profile!r}; it has {known}"
            raise StateError([Fault("PROFILE_UNKNOWN", "profile", message)])
        profile = game.profiles[profile]
    return game.make_rules(game, profile)


def load_position(rules: Rules, board: BoardState, company: CompanyState) -> Position:
    """Return the position of a board and a company.

    Raises
    ------
    UnknownGameError
        The board names no known game.
    StateError
        Board or company have faults; all of them are listed, but for those of the company's
        places on a board that has faults itself.
    """
    game = load_game(board.title)
    faults = list(check_state(game, board))
    trains = tuple(_train_faults(game, company))
    if faults or trains:
        faults.extend(trains)
        if not trains and board.phase in game.phases and board.map in ("", *game.map_files):
            faults.extend(_wherever_it_runs(rules, game, board, company))
        raise StateError(faults)
    laid = Board(game.atlas(board.map), board)
    faults.extend(rules.check_company(laid, company))
    if faults:
        raise StateError(faults)
    return Position(game, laid, company)


def _wherever_it_runs(
    rules: Rules, game: Game, board: BoardState, company: CompanyState
) -> Iterator[Fault]:
    """Yield the faults of a company that it has whatever lies on the board in this phase."""
    bare = Board(game.atlas(board.map), BoardState(board.title, board.phase, map=board.map))
    for fault in rules.check_company(bare, company):
        if not fault.path.startswith(PLACES):
            yield fault


def _train_faults(game: Game, company: CompanyState) -> Iterator[Fault]:
    if company.corporation not in game.corporations:
        message = f"{game.title} has no company {company.corporation!r}"
        yield Fault("CORPORATION_UNKNOWN", "company.corporation", message)
    if len(company.trains) > MOST_TRAINS:
        message = f"no company has {len(company.trains)} trains; {MOST_TRAINS} is the most"
        yield Fault("TRAINS_TOO_MANY", "company.trains", message)
    count = Counter(train.id for train in company.trains)
    for number, train in enumerate(company.trains):
        path = f"company.trains[{number}]"
        if not train.id or count[train.id] > 1:
            message = f"train ids are unique and not empty, unlike {train.id!r}"
            yield Fault("TRAIN_ID_DUPLICATE", f"{path}.id", message)
        if train.name.rstrip("*") not in game.trains:
            known = ", ".join(game.trains)
            message = f"{game.title} has no train {train.name!r}; it has {known}"
            yield Fault("TRAIN_UNKNOWN", f"{path}.name", message)
