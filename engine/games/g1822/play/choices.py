"""The choice of who holds P9, and the order of players that follows (§6.8, §4.2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g1822.play.state import CHOICES, DOUBLE_CASH, OPERATING, ChoicesData
from engine.games.g1822.play.table import Table1822
from engine.play.actions import Action, Choose, Entity, Pass, player
from engine.play.errors import refuse
from engine.play.offers import Offer
from engine.play.steps import Round, Step

DOUBLE = "double"


def _data(at: Table1822) -> ChoicesData:
    return at.state.round_as(ChoicesData)


def _holder(at: Table1822) -> int | None:
    """Return the player who holds P9."""
    card = at.state.privates.get(DOUBLE_CASH)
    return None if card is None or card.closed else card.owner


class DoubleStep(Step[Table1822]):
    """The holder of P9 counts his cash double or passes."""

    name = "double cash"

    def actor(self, at: Table1822) -> Entity | None:
        holder = _holder(at)
        return None if holder is None else player(holder)

    def offers(self, at: Table1822) -> bool:
        return _holder(at) is not None

    def takes(self, at: Table1822, action: Action) -> bool:
        return isinstance(action, Choose | Pass) and action.entity == self.actor(at)

    def options(self, at: Table1822) -> Iterator[Offer]:
        holder = _holder(at)
        if holder is not None:
            yield Choose(player(holder), DOUBLE)
            yield Pass(player(holder))

    def apply(self, at: Table1822, action: Action) -> Action:
        if isinstance(action, Choose):
            if action.choice != DOUBLE:
                refuse("CHOICE_UNKNOWN", "choice", "cash counts double or not", "FMT §B5.4")
            _data(at).double = True
        _data(at).made = True
        return action


class ChoicesRound(Round[Table1822]):
    """One choice between a stock round and its operating rounds."""

    kind = CHOICES
    steps = (DoubleStep(),)

    def begin(self, at: Table1822) -> None:
        made = _holder(at) is None
        at.state.round = ChoicesData(CHOICES, 1, frozenset(), made=made, double=False)

    def over(self, at: Table1822) -> bool:
        return _data(at).made

    def end_turn(self, at: Table1822) -> None:
        _data(at).made = True

    def finish(self, at: Table1822) -> str:
        """Most cash first; ties keep their order (§4.2)."""
        state = at.state
        doubled = _holder(at) if _data(at).double else None

        def weight(number: int) -> int:
            return state.players[number].cash * (2 if number == doubled else 1)

        state.order = tuple(sorted(state.order, key=weight, reverse=True))
        return OPERATING
