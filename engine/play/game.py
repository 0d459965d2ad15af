"""A game being played: apply, undo, copy, snapshot.

States are never changed once they are reached: an action works on a clone that
takes the place of the state if nothing was refused. Copies of a game, and the
past to go back to, therefore cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic

from engine.board.state import BoardState
from engine.errors import Fault, StateError
from engine.games import load_game
from engine.games.game import Game
from engine.play.actions import COMPANY, PLAYER, Action, EndGame, Entity, RunRoutes
from engine.play.errors import Bench, NotPlayableError, Strict, refuse
from engine.play.offers import Offers
from engine.play.records import clone, dump, load, share
from engine.play.showing import Showing
from engine.play.state import GameState
from engine.play.steps import (
    RUN,
    Kit,
    Round,
    Step,
    T,
    blocking_step,
    dispatch,
    open_steps,
    settle_turns,
)
from engine.routing.run import CompanyState

LAST_TURN = 100
"""A round that ends in this turn or a later one is the last (FMT §E12)."""
UNFINISHED = "dnf"
"""Reason of a game that ends so."""
BY_HAND = "manually_ended"
"""Reason of a game that was ended by hand (FMT §E12.2)."""


@dataclass(frozen=True)
class Setting:
    """What a game starts from.

    Parameters
    ----------
    title
        Title of the game.
    players
        Numbers and names in seating order.
    seed
        For the deal.
    options
        Ids of optional rules, as records name them (FMT §A3).
    profile
        Reading of the rules.
    """

    title: str
    players: tuple[tuple[int, str], ...]
    seed: int = 0
    options: tuple[str, ...] = ()
    profile: str = "18xx.games"


class Course(Generic[T]):
    """How one game goes: its deal, its rounds, its end. One object per game played.

    Parameters
    ----------
    kit
        The fixed parts of the game.
    setting
        What it starts from.

    Attributes
    ----------
    state_type, table_type
        The kinds of its state and of its table.
    kinds
        Its kinds of round.
    showing_type
        What lies open on the table; a game that has more than all games have extends it.
    """

    kit: Kit
    state_type: type[GameState]
    table_type: type[T]
    kinds: Sequence[Round[T]]
    showing_type: type[Showing[T]] = Showing

    def __init__(self, kit: Kit, setting: Setting) -> None:
        self.kit = kit
        self.setting = setting
        self.rounds: Mapping[str, Round[T]] = {kind.kind: kind for kind in self.kinds}

    def deal(self) -> GameState:
        """Return the state after the deal, with the first round begun."""
        raise NotImplementedError

    def table(self, state: GameState, bench: Bench) -> T:
        """Return the table that the steps work on.

        Raises
        ------
        TypeError
            The state is one of another game.
        """
        if not isinstance(state, self.state_type):
            raise TypeError(f"{type(state).__name__} is no state of {self.setting.title}")
        return self.table_type(self.kit, state, bench)

    def check_end(self, at: T) -> None:
        """Look whether the end has come near (FMT §E12)."""
        raise NotImplementedError

    def worth(self, at: T, number: int) -> int:
        """Return what a player is worth, in £."""
        raise NotImplementedError

    def waiting(self, at: T) -> Step[T] | None:
        """Return the step that has to be dealt with now; None when the game is over."""
        if at.state.finished:
            return None
        return blocking_step(self.rounds[at.state.round.kind], at)

    def running(self, at: T) -> tuple[BoardState, CompanyState] | None:
        """Return board and company if a company is about to run, else None."""
        step = self.waiting(at)
        if step is None or step.name != RUN:
            return None
        return at.board().state, self.company_state(at)

    def company_state(self, at: T) -> CompanyState:
        """Return the company in turn as referee and optimizer take it."""
        raise NotImplementedError

    def attached(self, at: T) -> Mapping[str, str]:
        """Return carriages that have been given away for the run to come: train id by name.

        None in games where nothing is chosen before a run.
        """
        return {}

    def as_played(self, at: T, run: RunRoutes, attached: Mapping[str, str]) -> tuple[Action, ...]:
        """Return the actions that make up a run, in order.

        In most games that is the run itself. Where something has to be chosen
        before (1822: who takes a carriage, FMT §B5.4) the game says how.

        Parameters
        ----------
        run
            The run, with what each route pays.
        attached
            Train id by the name of the carriage that it takes.

        Raises
        ------
        NotImplementedError
            A carriage is to be attached, and the game does not say how.
        """
        if attached:
            raise NotImplementedError("the game does not say how carriages are attached")
        return (run,)


@dataclass(frozen=True)
class Past:
    """An action and the state before it."""

    before: Past | None
    state: GameState
    action: Action


class Play:
    """A game being played.

    Build it with :func:`start` or :func:`restore`.

    Examples
    --------
    >>> play = start(Setting("18GB", ((1, "Ann"), (2, "Bob"), (3, "Cy")), seed=2))
    >>> play.actor(), len(play.legal_actions()) > 300
    (Entity(kind='player', id=1), True)
    >>> move = play.legal_actions()[0]
    >>> play.apply(move).undo() == move
    True
    """

    def __init__(self, setting: Setting, course: Course[Any], state: GameState) -> None:
        self.setting = setting
        self._course = course
        self._state = state
        self._past: Past | None = None

    @property
    def current(self) -> GameState:
        """The state, to be read only."""
        return self._state

    @property
    def finished(self) -> bool:
        """The game is over."""
        return self._state.finished

    @property
    def end_reason(self) -> str:
        """Why the game ends; empty while nothing ends it."""
        return self._state.end_reason

    def copy(self) -> Play:
        """Return a copy that goes on by itself; it costs nothing."""
        other = Play(self.setting, self._course, self._state)
        other._past = self._past
        return other

    def step(self) -> str:
        """Return the name of the step that waits; empty when the game is over."""
        step = self._waiting()
        return "" if step is None else step.name

    def actor(self) -> Entity | None:
        """Return who has to act; None when the game is over."""
        step = self._waiting()
        return None if step is None else step.actor(self._table(Strict()))

    def legal_actions(self) -> Offers:
        """Return everything that may be done now.

        It holds every bid and price, every tile with every hex and rotation,
        every token and pass; also what others than the actor may do at any
        moment. Cards that are alike are listed once, the first in order of
        arrival. Runs are too many to list: standing still and each train alone
        over one leg are listed; any run that the referee admits may be applied.
        The end by hand, which is always possible, is not listed; where a game
        leaves somebody nothing else, nothing is (18GB §5.4).
        """
        if self._state.finished:
            return Offers(())
        at = self._table(Strict())
        kind = self._round()
        return Offers([offer for step in open_steps(kind, at) for offer in step.options(at)])

    def apply(self, action: Action, bench: Bench | None = None) -> Play:
        """Do something, and all that follows from it by itself.

        Parameters
        ----------
        bench
            Who judges breaches that records may contain; play is strict.

        Returns
        -------
        Play
            This game, so that calls can be chained.

        Raises
        ------
        IllegalActionError
            The rules do not allow it; nothing has changed.
        """
        if self._state.finished:
            refuse("GAME_OVER", "type", "the game is over", "FMT §E12")
        at = self._course.table(clone(self._state), bench or Strict())
        done = action
        if isinstance(action, EndGame):
            self._check_known(action.entity)
            at.state.finished = True
            at.state.end_reason = BY_HAND
        else:
            done = dispatch(self._round(), at, action)
            self._go_on(at)
        self._past = Past(self._past, self._state, done)
        self._state = share(at.state, self._state)
        return self

    def undo(self) -> Action:
        """Take back the last action and return it.

        Raises
        ------
        IllegalActionError
            Nothing has been done yet.
        """
        if self._past is None:
            refuse("NOTHING_TO_UNDO", "type", "nothing has been done yet", "FMT §B2")
        past = self._past
        self._state, self._past = past.state, past.before
        return past.action

    def actions(self) -> Sequence[Action]:
        """Return what has been done, in order, as a record has it."""
        return tuple(reversed([past.action for past in self._pasts()]))

    def state(self) -> dict[str, Any]:
        """Return a full snapshot, ready for JSON; :func:`restore` takes it."""
        return {"setting": dump(self.setting), "state": dump(self._state)}

    def scores(self) -> dict[int, int]:
        """Return what each player is worth now, in £."""
        at = self._table(Strict())
        return {number: self._course.worth(at, number) for number in self._state.players}

    def showing(self) -> Showing[Any]:
        """Return what lies open on the table now."""
        return self._course.showing_type(self._table(Strict()))

    def running(self) -> tuple[BoardState, CompanyState] | None:
        """Return board and company as referee and optimizer take them, if a company is
        about to run its trains, else None."""
        return self._course.running(self._table(Strict()))

    def attached(self) -> Mapping[str, str]:
        """Return carriages that have been given away, see :meth:`Course.attached`."""
        return self._course.attached(self._table(Strict()))

    def as_played(self, run: RunRoutes, attached: Mapping[str, str]) -> tuple[Action, ...]:
        """Return the actions that make up a run, see :meth:`Course.as_played`."""
        return self._course.as_played(self._table(Strict()), run, attached)

    @property
    def kit(self) -> Kit:
        """What does not change in this game."""
        return self._course.kit

    def board(self) -> BoardState:
        """Return what lies on the board now."""
        state = self._state
        return state.layout.state(self.setting.title, self.kit.guide.atlas.name, state.phase)

    def _pasts(self) -> Iterator[Past]:
        past = self._past
        while past is not None:
            yield past
            past = past.before

    def _check_known(self, entity: Entity) -> None:
        """Check that an entity plays this game; who may do anything at any moment is not
        asked for by a step."""
        state = self._state
        known = state.players if entity.kind == PLAYER else state.companies
        if entity.kind == COMPANY or entity.id not in known:
            refuse("ENTITY_UNKNOWN", "entity", f"{entity} is not in this game", "FMT §B5")

    def _table(self, bench: Bench) -> Any:
        return self._course.table(self._state, bench)

    def _round(self) -> Round[Any]:
        return self._course.rounds[self._state.round.kind]

    def _waiting(self) -> Step[Any] | None:
        return self._course.waiting(self._table(Strict()))

    def _go_on(self, at: Any) -> None:
        """Let happen what needs nobody to act (FMT §B8.8).

        Whether the end has come near is looked at once, before rounds end: what
        the start of a round brings is seen after the next action. A game that has
        come to turn 100 ends with its round, unless another end is due (FMT §E12).
        """
        kind = self._course.rounds[at.state.round.kind]
        settle_turns(kind, at)
        self._course.check_end(at)
        while not at.state.finished and kind.over(at):
            after = kind.finish(at)
            if at.state.turn >= LAST_TURN and not at.state.end_reason:
                at.state.finished, at.state.end_reason = True, UNFINISHED
            if not at.state.finished:
                kind = self._course.rounds[after]
                kind.begin(at)
                settle_turns(kind, at)


def course_maker(game: Game) -> Callable[[Game, Setting], Course[Any]] | None:
    """Import what plays a game; return what makes its course, or None if only runs are judged."""
    if not game.playable:
        return None
    return getattr(import_module(f"{game.package}.play"), "course", None)


def course_of(setting: Setting) -> Course[Any]:
    """Return how the game of a setting goes.

    Raises
    ------
    UnknownGameError
        There is no game of this title.
    NotPlayableError
        Only its runs can be judged: it has no package ``play``, or that has no `course`.
    StateError
        Players, options or profile do not fit the game.
    """
    game = load_game(setting.title)
    make = course_maker(game)
    if make is None:
        raise NotPlayableError(f"whole games of {game.title} cannot be played")
    faults = list(_setting_faults(game, setting))
    if faults:
        raise StateError(faults)
    course: Course[Any] = make(game, setting)
    return course


def _setting_faults(game: Game, setting: Setting) -> Iterator[Fault]:
    """What no game takes: players with the same number, options that it does not have."""
    numbers = [number for number, _ in setting.players]
    if len(set(numbers)) != len(numbers):
        yield Fault("PLAYER_TWICE", "players", "every player has a number of his own", "FMT §A1")
    known = [option["id"] for option in game.setup["options"]] if setting.options else []
    for number, option in enumerate(setting.options):
        if option not in known:
            message = f"{game.title} has no option {option!r}; it has {', '.join(known) or 'none'}"
            yield Fault("OPTION_UNKNOWN", f"options[{number}]", message, "FMT §A3")


def start(setting: Setting) -> Play:
    """Return a new game; the same setting gives the same deal.

    Raises
    ------
    BradshawError
        See :func:`course_of`.
    """
    course = course_of(setting)
    return Play(setting, course, course.deal())


def restore(snapshot: Mapping[str, Any]) -> Play:
    """Return the game of a snapshot, without its past.

    Raises
    ------
    BradshawError
        See :func:`course_of`.
    ValueError
        The snapshot is not one of this game.
    """
    setting: Setting = load(Setting, snapshot["setting"])
    course = course_of(setting)
    return Play(setting, course, load(course.state_type, snapshot["state"]))
