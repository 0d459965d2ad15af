"""P5, P17 and P18: moving markers and cards (§16.5 b, §16.17, §16.18)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.errors import Fault
from engine.games.g1822.play.boxes import movable, move_card
from engine.games.g1822.play.markers import CHANNEL_PRIVATE, MARKER, SWAP_PRIVATE
from engine.games.g1822.play.places import add_available
from engine.games.g1822.play.table import Table1822
from engine.games.g1822.play.track import TRACK
from engine.play.actions import COMPANY, Action, ChooseAbility, Entity, private
from engine.play.errors import IllegalActionError, refuse_if
from engine.play.offers import Offer
from engine.play.steps import Step

MOVE_CARD = "P17"
SHARES = "shares"
"""Name of the step in which majors issue and redeem."""
TO_AVAILABLE = "exchange"
TO_EXCHANGE = "available"
TOP, BOTTOM = "top", "bottom"

PRIVATES = {
    TRACK: (MOVE_CARD, SWAP_PRIVATE),
    MARKER: (MOVE_CARD, SWAP_PRIVATE, CHANNEL_PRIVATE),
    SHARES: (MOVE_CARD,),
}
"""Privates that may be used while a step is open."""


class AbilityStep(Step[Table1822]):
    """Abilities of privates that may be used while another step is open.

    Parameters
    ----------
    during
        Name of that step, before which this one stands.
    """

    blocks = False

    def __init__(self, during: str) -> None:
        self.name = f"abilities in {during}"
        self.during = during

    def actor(self, at: Table1822) -> Entity | None:
        return None

    def offers(self, at: Table1822) -> bool:
        return True

    def takes(self, at: Table1822, action: Action) -> bool:
        mine = isinstance(action, ChooseAbility) and action.entity.kind == COMPANY
        return mine and self.during not in at.state.round.done

    def options(self, at: Table1822) -> Iterator[Offer]:
        if self.during in at.state.round.done:
            return
        for sym in PRIVATES[self.during]:
            if at.owns(sym):
                for choice in self._choices(at, sym):
                    yield ChooseAbility(private(sym), choice)

    def _choices(self, at: Table1822, sym: str) -> Iterator[str]:
        if sym == MOVE_CARD:
            for card in movable(at):
                yield f"{card}_{TOP}"
                yield f"{card}_{BOTTOM}"
            return
        for choice in (TO_AVAILABLE, TO_EXCHANGE):
            if self._move_fault(at, sym, choice) is None:
                yield choice

    def _move_fault(self, at: Table1822, sym: str, choice: str) -> Fault | None:
        """Why a marker cannot be moved between exchange and available area (§16.5 b, §16.18)."""
        company = at.company
        ways = (TO_AVAILABLE, TO_EXCHANGE) if sym == SWAP_PRIVATE else (TO_AVAILABLE,)
        if choice not in ways:
            message = f"{sym} cannot do {choice!r}"
            return Fault("CHOICE_UNKNOWN", "choice", message, "FMT §B5.4")
        most = at.kit.game.corporations[company.sym]["exchange_tokens"]
        enough = company.exchange > 0 if choice == TO_AVAILABLE else bool(company.tokens)
        if not enough or (choice == TO_EXCHANGE and company.exchange >= most):
            message = f"{company.sym} has no marker to move so"
            return Fault("NO_MARKER_TO_MOVE", "choice", message, "1822 §16.18")
        return None

    def apply(self, at: Table1822, action: Action) -> Action:
        sym = str(action.entity.id)
        if not isinstance(action, ChooseAbility):
            raise TypeError(f"abilities take no {action.TYPE}")
        if sym not in PRIVATES[self.during] or not at.owns(sym):
            message = f"{at.company.sym} cannot use {sym} now"
            raise IllegalActionError(Fault("ABILITY_NOT_AT_HAND", "entity", message, "1822 §16.17"))
        if sym == MOVE_CARD:
            self._move_card(at, action.choice)
        else:
            self._move_marker(at, sym, action.choice)
        card = at.card(sym)
        card.closed, card.company = True, ""
        return action

    def _move_card(self, at: Table1822, choice: str) -> None:
        card, _, place = choice.rpartition("_")
        if card not in movable(at) or place not in (TOP, BOTTOM):
            message = f"no card in a stack can be moved as {choice!r} says"
            raise IllegalActionError(Fault("CHOICE_UNKNOWN", "choice", message, "1822 §16.17"))
        move_card(at, card, place == TOP)

    def _move_marker(self, at: Table1822, sym: str, choice: str) -> None:
        fault, company = self._move_fault(at, sym, choice), at.company
        refuse_if(fault)
        if choice == TO_AVAILABLE:
            company.exchange -= 1
            add_available(at, company)
        else:
            company.tokens = company.tokens[:-1]
            company.exchange += 1
