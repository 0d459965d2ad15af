"""Errors of the service itself, beside those of the engine and the optimizer."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import BradshawError, Fault


class RequestError(BradshawError):
    """A request is malformed; see ``faults``, whose paths are fields of the request."""

    code = "REQUEST_INVALID"

    def __init__(self, faults: Iterable[Fault]) -> None:
        listed = tuple(faults)
        super().__init__("; ".join(f"{f.path}: {f.message}" for f in listed[:5]), listed)


class NotFoundError(BradshawError):
    """The request names a resource that does not exist."""

    code = "GAME_UNKNOWN"


class TitleNotHeldError(BradshawError):
    """A board names a title that was described once and is not held (any more)."""

    code = "TITLE_NOT_HELD"


class GameRefusedError(BradshawError):
    """A game file cannot be replayed, or an action is not allowed; see ``faults``, whose
    paths are fields of the request.

    Attributes
    ----------
    where
        The entry of the file, for people; may be empty.
    """

    code = "GAME_REFUSED"

    def __init__(self, faults: Iterable[Fault], where: str = "") -> None:
        listed = tuple(faults)
        text = "; ".join(f"{f.path}: {f.message}" for f in listed[:5])
        super().__init__(f"{where}: {text}" if where else text, listed)
        self.where = where


class NothingToRunError(BradshawError):
    """No company is about to run its trains."""

    code = "NOTHING_TO_RUN"


class RetryableError(BradshawError):
    """The same call may succeed later.

    Attributes
    ----------
    retry_seconds
        When to try again.
    """

    def __init__(self, message: str, retry_seconds: float) -> None:
        super().__init__(message)
        self.retry_seconds = retry_seconds


class QueueFullError(RetryableError):
    """As many calls wait as may wait."""

    code = "QUEUE_FULL"


class NotReadyError(RetryableError):
    """The service is starting or stopping."""

    code = "NOT_READY"


class DeadlineError(BradshawError):
    """No time was left when a worker took the call."""

    code = "DEADLINE_EXCEEDED"


class CancelledError(BradshawError):
    """The caller went away."""

    code = "CANCELLED"
