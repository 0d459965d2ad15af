"""Errors and faults, with codes that never change.

A :class:`Fault` is one thing that is wrong with an input or a run, as data.
A :class:`BradshawError` is raised when work cannot go on; it carries faults
where there are any. Codes are part of the public contract: they are added,
never renamed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong, as data.

    Parameters
    ----------
    code
        Stable upper-case code, for example ``TILE_UNKNOWN``.
    path
        Where in the input: a field path such as ``board.tiles[3].rotation``
        or ``routes[0].legs[2]``.
    message
        A sentence for people.
    section
        The rule's address, for example ``1862 §10.2 R5`` (may be empty).
    hex
        The hex concerned (may be empty).
    """

    code: str
    path: str
    message: str
    section: str = ""
    hex: str = ""


class BradshawError(Exception):
    """Base of all errors that the engine, the optimizer and the server raise.

    Attributes
    ----------
    code
        Stable code of the error.
    faults
        The faults that led to it, possibly empty.
    """

    code = "ERROR"

    def __init__(self, message: str, faults: Iterable[Fault] = ()) -> None:
        super().__init__(message)
        self.faults: tuple[Fault, ...] = tuple(faults)


class UnknownGameError(BradshawError):
    """The title names no game of the registry."""

    code = "GAME_UNKNOWN"


class StateError(BradshawError):
    """A board or company state is malformed or impossible; see ``faults``."""

    code = "STATE_INVALID"

    def __init__(self, faults: Iterable[Fault]) -> None:
        listed = tuple(faults)
        text = "; ".join(f"{fault.path}: {fault.message}" for fault in listed[:5])
        if len(listed) > 5:
            text += f"; and {len(listed) - 5} more"
        super().__init__(text, listed)


class RouteError(BradshawError):
    """A route as written does not describe track on the board; see ``faults``."""

    code = "ROUTE_INVALID"
