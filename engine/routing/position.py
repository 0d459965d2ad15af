"""From the state of a board and a company to a checked position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from engine.board.atlas import atlas_of
from engine.board.board import Board
from engine.board.build import check_state
from engine.board.state import BoardState
from engine.errors import Fault, StateError
from engine.routing.rules import Rules, RulesProfile
from engine.routing.run import CompanyState, Position
from engine.titles.title import Title

MOST_TRAINS = 24
"""More trains than any company of these games can own: in 1862 those of merged companies are
kept (1862 §9.7), and there are at most 22 cards of bands A to D (1862 §1.5)."""


PLACES = ("company.home", "company.destination", "board.")
"""Paths of faults that depend on tiles and tokens."""


class RuledTitle(Protocol):
    """A title with its rules, as a registry knows them."""

    @property
    def title(self) -> str: ...

    @property
    def profiles(self) -> Mapping[str, RulesProfile]: ...

    def make_rules(self, title: Any, profile: Any, /) -> Rules: ...


def make_rules(game: RuledTitle, profile: str | RulesProfile = "18xx.games") -> Rules:
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
    StateError
        Board or company have faults; all of them are listed, but for those of the company's
        places on a board that has faults itself.
    """
    whole = rules.title
    if board.title != whole.title:
        message = f"these are the rules of {whole.title}, not of {board.title!r}"
        raise StateError([Fault("TITLE_WRONG", "board.title", message)])
    faults = list(check_state(whole, board))
    title = whole.variant(board.map) if board.map in ("", *whole.map_files) else whole
    trains = tuple(_train_faults(title, company))
    if faults or trains:
        faults.extend(trains)
        if not trains and board.phase in title.phases and board.map in ("", *title.map_files):
            faults.extend(_wherever_it_runs(rules, board, company))
        raise StateError(faults)
    laid = Board(atlas_of(whole, board.map), board)
    faults.extend(rules.check_company(laid, company))
    if faults:
        raise StateError(faults)
    return Position(title, laid, company)


def _wherever_it_runs(rules: Rules, board: BoardState, company: CompanyState) -> Iterator[Fault]:
    """Yield the faults of a company that it has whatever lies on the board in this phase."""
    state = BoardState(board.title, board.phase, map=board.map)
    bare = Board(atlas_of(rules.title, board.map), state)
    for fault in rules.check_company(bare, company):
        if not fault.path.startswith(PLACES):
            yield fault


def _train_faults(title: Title, company: CompanyState) -> Iterator[Fault]:
    if company.corporation not in title.corporations:
        message = f"{title.title} has no company {company.corporation!r}"
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
        if train.face is None and train.name.rstrip("*") not in title.trains:
            known = ", ".join(title.trains)
            message = f"{title.title} has no train {train.name!r}; it has {known}"
            yield Fault("TRAIN_UNKNOWN", f"{path}.name", message)
