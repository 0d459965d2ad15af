"""Rounds and steps: small pieces from which a game is put together (FMT §B8).

A round lists its steps in order. An action goes to the first open step that
takes it; a step that blocks keeps all later ones waiting. After each action the
steps before the first that blocks are closed silently, and when none is left
the turn ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.board.board import Board
from engine.board.faces import Face
from engine.board.legs import Leg
from engine.board.network import Network
from engine.errors import Fault
from engine.games.game import Game
from engine.play.actions import Action, Entity, corporation, player
from engine.play.depot import Roster
from engine.play.entities import Company
from engine.play.errors import Bench, IllegalActionError
from engine.play.layout import Layout
from engine.play.lays import LayGuide
from engine.play.market import Chart, price_of
from engine.play.offers import Offer
from engine.play.shares import split, units_on
from engine.play.state import CompanyTurns, GameState, PlayerTurns
from engine.routing.rules import Rules

STEPS = "FMT §B8"

RUN = "run"
"""Name of the step in which a company runs its trains."""


@dataclass(frozen=True)
class Kit:
    """What does not change in a game: its printed parts and the rules of running."""

    game: Game
    guide: LayGuide
    chart: Chart
    roster: Roster
    rules: Rules


class Table:
    """A game at one moment: its fixed parts, its state, and who judges breaches.

    Steps read and change ``state``; it is a copy that is thrown away if the
    action is refused.
    """

    def __init__(self, kit: Kit, state: GameState, bench: Bench) -> None:
        self.kit = kit
        self.state = state
        self.bench = bench

    def price(self, sym: str) -> int:
        """Return the current price of a started company, £."""
        return price_of(self.state, self.kit.chart, sym)

    def value(self, share: str) -> int:
        """Return what the shares of a certificate are worth at the current price, £."""
        return self.price(split(share)[0]) * units_on(self.state, (share,))

    def phase_reached(self, phase: str) -> bool:
        """Tell whether the game has come to a phase."""
        return self.kit.roster.reached(self.state.phase, phase)

    def flag(self, name: str) -> bool:
        """Tell whether the phase has a flag (facts §6)."""
        return name in self.kit.game.phases[self.state.phase]["flags"]

    @property
    def seat(self) -> int:
        """Number of the player whose turn it is."""
        return self.state.order[self.state.round_as(PlayerTurns).index]

    @property
    def company(self) -> Company:
        """The company whose operating turn it is."""
        return self.state.companies[self.state.round_as(CompanyTurns).company]

    def board(self) -> Board:
        """Return the board as it lies."""
        return self.board_with(self.state.layout)

    def board_with(self, layout: Layout) -> Board:
        """Return the board as it would lie in this phase."""
        return layout.board(self.kit.game.title, self.kit.guide.atlas, self.state.phase)

    def network(self, sym: str) -> Network:
        """Return the network of a company."""
        return self.state.layout.network(self.board(), sym)

    def legs(self) -> tuple[Leg, ...]:
        """Return the legs of the board as it lies."""
        return self.state.layout.legs(self.board())

    def face(self, hex_id: str) -> Face:
        """Return what is to be seen on a hex."""
        return self.state.layout.face(self.kit.guide.atlas, hex_id)


T = TypeVar("T", bound=Table)


class Step(Generic[T]):
    """One thing that may or must be done in a turn.

    Attributes
    ----------
    name
        Unique within the round.
    blocks
        Later steps wait while it offers something. A step that does not block
        takes its actions at any time and is never closed.
    """

    name = ""
    blocks = True

    def actor(self, at: T) -> Entity | None:
        """Return who acts; None if the step has nobody to ask."""
        raise NotImplementedError

    def asleep(self, at: T) -> bool:
        """Tell whether the step is passed over without being closed."""
        return False

    def offers(self, at: T) -> bool:
        """Tell whether the step has something to offer, as 18xx.games decides it (FMT §B8.4)."""
        raise NotImplementedError

    def takes(self, at: T, action: Action) -> bool:
        """Tell whether the step is the one for an action, legal or not."""
        raise NotImplementedError

    def options(self, at: T) -> Iterator[Offer]:
        """Yield everything that may be done in this step now."""
        raise NotImplementedError

    def apply(self, at: T, action: Action) -> Action:
        """Carry out an action and return it as a record has it.

        Raises
        ------
        IllegalActionError
            The rules do not allow it.
        """
        raise NotImplementedError

    def close(self, at: T) -> None:
        """Do what follows from closing silently (FMT §B8.5); nothing in most steps."""


class PlayerStep(Step[T]):
    """A step in which the player acts whose turn it is."""

    def actor(self, at: T) -> Entity:
        return player(at.seat)


class CompanyStep(Step[T]):
    """A step in which the company acts whose operating turn it is."""

    def actor(self, at: T) -> Entity:
        return corporation(at.company.sym)


class Round(Generic[T]):
    """A kind of round: its steps and the order of its turns."""

    kind = ""
    steps: Sequence[Step[T]] = ()

    def begin(self, at: T) -> None:
        """Set the round up, with what happens at its start, and begin the first turn."""
        raise NotImplementedError

    def over(self, at: T) -> bool:
        """Tell whether all turns are done."""
        raise NotImplementedError

    def end_turn(self, at: T) -> None:
        """End the present turn and begin the next one, if there is one."""
        raise NotImplementedError

    def finish(self, at: T) -> str:
        """Do what happens at the end; return the kind of the next round, unless the game
        is over."""
        raise NotImplementedError


def close_step(at: T, name: str) -> None:
    """Close a step for the rest of the turn."""
    at.state.round.done |= {name}


def open_steps(kind: Round[T], at: T) -> Iterator[Step[T]]:
    """Yield the steps that an action may go to, the first that blocks being the last."""
    for step in kind.steps:
        if step.name in at.state.round.done or step.asleep(at):
            continue
        yield step
        if step.blocks and step.offers(at):
            return


def blocking_step(kind: Round[T], at: T) -> Step[T] | None:
    """Return the step that has to be dealt with now, or None."""
    for step in kind.steps:
        waits = step.blocks and step.name not in at.state.round.done and not step.asleep(at)
        if waits and step.offers(at):
            return step
    return None


def dispatch(kind: Round[T], at: T, action: Action) -> Action:
    """Give an action to its step (FMT §B8.3).

    Raises
    ------
    IllegalActionError
        No open step takes it, or the step refuses it.
    """
    for step in open_steps(kind, at):
        if step.takes(at, action):
            return step.apply(at, action)
    step_now = blocking_step(kind, at)
    actor = None if step_now is None else step_now.actor(at)
    waiting = f"the step {step_now.name!r} waits for {actor}" if step_now else "no step is open"
    if actor == action.entity:
        message = f"{action.TYPE} cannot be done now: {waiting}"
        raise IllegalActionError(Fault("WRONG_STEP", "type", message, STEPS))
    message = f"it is not the turn of {action.entity}: {waiting}"
    raise IllegalActionError(Fault("NOT_YOUR_TURN", "entity", message, STEPS))


def settle_turns(kind: Round[T], at: T) -> None:
    """Close what offers nothing, turn by turn, until a step waits or the round is over (§B8.4).

    What a step does when it closes may wake an earlier one, so the search for
    the next step starts again from the first.
    """
    while not at.state.finished and not kind.over(at):
        for step in kind.steps:
            if not step.blocks or step.name in at.state.round.done or step.asleep(at):
                continue
            if step.offers(at):
                return
            close_step(at, step.name)
            step.close(at)
            break
        else:
            kind.end_turn(at)
