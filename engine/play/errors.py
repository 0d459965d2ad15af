"""Refusing an action: what is wrong, where in the action, and by which rule."""

from __future__ import annotations

from typing import NoReturn, Protocol

from engine.errors import BradshawError, Fault


class IllegalActionError(BradshawError):
    """An action that the rules do not allow now; nothing has changed.

    Attributes
    ----------
    fault
        Code, field of the action and rule; ``code`` and ``faults`` repeat it.
    """

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message, (fault,))
        self.fault = fault
        self.code = fault.code


class NotPlayableError(BradshawError):
    """The title is known, but whole games of it cannot be played."""

    code = "GAME_NOT_PLAYABLE"


def refuse(code: str, field: str, message: str, section: str, hex_id: str = "") -> NoReturn:
    """Refuse an action.

    Raises
    ------
    IllegalActionError
        Always.
    """
    raise IllegalActionError(Fault(code, field, message, section, hex_id))


def refuse_if(fault: Fault | None) -> None:
    """Refuse an action for a fault, if there is one.

    Raises
    ------
    IllegalActionError
        There is one.
    """
    if fault is not None:
        raise IllegalActionError(fault)


class Bench(Protocol):
    """Decides about breaches that 18xx.games does not check when it loads a game (FMT §B9)."""

    def object(self, fault: Fault) -> None:
        """Take note of a breach, or refuse the action because of it."""

    def note(self, fault: Fault) -> None:
        """Take note of what a record lacks and the rules supply; nothing is refused for it."""

    def trusts(self) -> bool:
        """Tell whether the amounts of a record are paid as they stand."""

    def audits(self) -> bool:
        """Tell whether the referee is asked about amounts that are trusted."""


class Strict:
    """For play: every breach is refused."""

    def object(self, fault: Fault) -> None:
        """Refuse the action.

        Raises
        ------
        IllegalActionError
            Always.
        """
        raise IllegalActionError(fault)

    def note(self, fault: Fault) -> None:
        """Nothing: the action is written with what it lacked."""

    def trusts(self) -> bool:
        """Amounts are computed, not believed."""
        return False

    def audits(self) -> bool:
        """There is nothing to compare."""
        return False


class Trusting:
    """For replays of records: such breaches are listed and the game goes on.

    Parameters
    ----------
    audit
        Ask the referee about every run and list what he sees differently.
    """

    def __init__(self, audit: bool = True) -> None:
        self.breaches: list[Fault] = []
        self._audit = audit

    def object(self, fault: Fault) -> None:
        """Add the breach to the list."""
        self.breaches.append(fault)

    def note(self, fault: Fault) -> None:
        """Add it to the list."""
        self.breaches.append(fault)

    def trusts(self) -> bool:
        """The amounts of the record are paid."""
        return True

    def audits(self) -> bool:
        """As wished."""
        return self._audit
