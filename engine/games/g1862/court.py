"""What the referee knows before it looks at a run: board, company and its trains."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.board import Stop
from engine.games.g1862.profile import Profile1862
from engine.games.g1862.stations import Station, has_link, home_of, marked
from engine.routing.run import Position, Train
from engine.titles.title import Title
from engine.titles.trains import Slot, TrainKind


@dataclass(frozen=True)
class Court:
    """What the referee knows before it looks at a run.

    Parameters
    ----------
    game, profile, position
        The game, the reading of its rules, the board and the company.
    home
        Station of the home marker; None if it is not on the board.
    marked
        Ids of the large stations with own markers.
    linked
        The company has a marker in London.
    """

    title: Title
    profile: Profile1862
    position: Position
    home: Stop | None
    marked: frozenset[str]
    linked: bool

    @classmethod
    def open(cls, profile: Profile1862, position: Position) -> Court:
        """Look up what the rules need to know of board and company."""
        title, board, company = position.title, position.board, position.company.corporation
        return cls(
            title=title,
            profile=profile,
            position=position,
            home=home_of(title, board, company),
            marked=frozenset(stop.id for stop in marked(title, board, company)),
            linked=has_link(title, board, company),
        )

    def kind(self, train: Train) -> TrainKind:
        """Return what is printed on a train, warranty stars aside."""
        return self.title.trains[train.name.rstrip("*")]

    def may_run(self, train: Train) -> bool:
        """Tell whether a train may run: not put aside, its type permitted (1862 §10.3)."""
        permits = self.position.company.permits
        permitted = not self.profile.permits_needed or self.kind(train).kind in permits
        return train.runnable and permitted


def main_slot(kind: TrainKind) -> Slot:
    """Return the N and M of a Local or Express: the slot with the large stations (1862 R9)."""
    return next(slot for slot in kind.slots if Station.LARGE in slot.kinds)


def counts_for(kind: TrainKind, stop: Stop) -> bool:
    """Tell whether a stop counts against N and M of a train; never for a Freight."""
    return any(Station.LARGE in slot.kinds and stop.kind in slot.kinds for slot in kind.slots)
