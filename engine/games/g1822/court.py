"""What the parts of the referee of 1822 hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.board.board import Board, Stop
from engine.games.g1822.profile import Profile1822
from engine.games.g1822.special import Special
from engine.routing.run import Position
from engine.routing.track import Traced
from engine.titles.title import Title
from engine.titles.trains import TrainKind


@dataclass(frozen=True, slots=True)
class Court:
    """Where and under which rules the referee sits.

    Parameters
    ----------
    position
        Board and company.
    profile
        The reading of the rules.
    special
        Places with rules of their own.
    kinds
        By id the kind of each train that may run now.
    """

    position: Position
    profile: Profile1822
    special: Special
    kinds: Mapping[str, TrainKind]

    @property
    def title(self) -> Title:
        """The title."""
        return self.position.title

    @property
    def board(self) -> Board:
        """The board."""
        return self.position.board

    @property
    def corporation(self) -> str:
        """The company that runs."""
        return self.position.company.corporation

    def own(self, stop: Stop) -> bool:
        """Tell whether the company has a token in a stop, ordinary or destination."""
        return stop.has(self.corporation)


@dataclass(frozen=True, slots=True)
class Case:
    """One route before the referee.

    Parameters
    ----------
    number
        Its place in the run.
    kind
        The train.
    pullman
        A P+ is attached.
    traced
        The route laid over the track.
    """

    number: int
    kind: TrainKind
    pullman: bool
    traced: Traced

    @property
    def path(self) -> str:
        """Field path of the route."""
        return f"routes[{self.number}]"

    @property
    def stops(self) -> tuple[Stop, ...]:
        """Stops in order of travel."""
        return self.traced.stops

    @property
    def name(self) -> str:
        """Name of the train with its carriage: ``4+``."""
        return f"{self.kind.name}+" if self.pullman else self.kind.name
