"""Closing privates (§4.3 to §4.5)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.g18gb.play.state import STOCK, Table18GB
from engine.play.actions import COMPANY, Action, ChooseAbility, private
from engine.play.bank import from_bank
from engine.play.errors import refuse
from engine.play.offers import Offer
from engine.play.steps import Step

CLOSE = "close"


def pay_private(at: Table18GB, sym: str) -> None:
    """Pay the income of a private to its owner (§4.2)."""
    owner = at.state.privates[sym].owner
    if owner is not None:
        from_bank(at.state, at.state.players[owner], at.kit.game.certificates[sym]["revenue"])


def close_private(at: Table18GB, sym: str) -> None:
    """Close a private: it pays once more and does not block any longer (§4.3)."""
    pay_private(at, sym)
    at.state.privates[sym].closed = True


def blocked_by(at: Table18GB, hex_id: str) -> str | None:
    """Return the open private whose hex this is, or None (§4.5)."""
    for sym, abilities in at.kit.abilities.items():
        if hex_id in abilities["blocks_hexes"]["hexes"]:
            return None if at.state.privates[sym].closed else sym
    return None


class ClosePrivates(Step[Table18GB]):
    """Any owner closes a private, at any moment (§4.3)."""

    name = "close"
    blocks = False

    def takes(self, at: Table18GB, action: Action) -> bool:
        return isinstance(action, ChooseAbility) and action.entity.kind == COMPANY

    def options(self, at: Table18GB) -> Iterator[Offer]:
        if not self._too_early(at):
            for sym, owned in at.state.privates.items():
                if not owned.closed:
                    yield ChooseAbility(private(sym), CLOSE)

    def _too_early(self, at: Table18GB) -> bool:
        return at.state.round.kind == STOCK and at.state.turn < 2

    def apply(self, at: Table18GB, action: Action) -> Action:
        sym = str(action.entity.id)
        owned = at.state.privates.get(sym)
        if owned is None or owned.closed:
            message = f"{sym} is not an open private"
            refuse("PRIVATE_NOT_OPEN", "entity", message, "18GB §4.3")
        if not isinstance(action, ChooseAbility) or action.choice != CLOSE:
            refuse("CHOICE_UNKNOWN", "choice", "a private can be closed", "FMT §B5.4")
        if self._too_early(at):
            message = "privates are not closed before stock round 2"
            refuse("CLOSING_TOO_EARLY", "type", message, "18GB §4.3")
        close_private(at, sym)
        return action
