"""From errors of the domain to google.rpc.Status: one table, and the details.

Faults of a state are of two kinds. A fault is *malformed input* if it names
something that does not exist (its code ends in ``_UNKNOWN``), is about the form
of a field or cites no rule; it becomes a field violation of a BadRequest. Any
other cites the rule that *forbids* it and becomes a violation of a
PreconditionFailure. One malformed fault makes the whole answer INVALID_ARGUMENT.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from engine.errors import BradshawError, Fault, RouteError, StateError, UnknownGameError
from engine.play.errors import NotPlayableError
from optimizer.errors import (
    OutOfTimeError,
    TooLargeError,
    UnknownAlgorithmError,
    WishesError,
    WordsError,
)
from server.confirm import UnconfirmedError
from server.errors import (
    CancelledError,
    DeadlineError,
    GameRefusedError,
    NotFoundError,
    NothingToRunError,
    NotReadyError,
    QueueFullError,
    RequestError,
    RetryableError,
)

DOMAIN = "bradshaw"
MOST_VIOLATIONS = 16
"""Violations in a status; more would not fit the 8 KiB of gRPC trailers."""
MOST_TEXT = 160
"""Longest sentence of a violation, in characters, for the same reason."""
MOST_MESSAGE = 2 * MOST_TEXT
"""Longest message of a status, in characters."""
MOST_BYTES = 3072
"""Most bytes of all details: trailers carry them in base64, with the message."""

CODES: tuple[tuple[type[BradshawError], int], ...] = (
    (RequestError, code_pb2.INVALID_ARGUMENT),
    (UnknownGameError, code_pb2.INVALID_ARGUMENT),
    (NotFoundError, code_pb2.NOT_FOUND),
    (RouteError, code_pb2.INVALID_ARGUMENT),
    (StateError, code_pb2.INVALID_ARGUMENT),
    (WishesError, code_pb2.INVALID_ARGUMENT),
    (UnknownAlgorithmError, code_pb2.INVALID_ARGUMENT),
    (TooLargeError, code_pb2.INVALID_ARGUMENT),
    (WordsError, code_pb2.UNIMPLEMENTED),
    (GameRefusedError, code_pb2.INVALID_ARGUMENT),
    (NothingToRunError, code_pb2.INVALID_ARGUMENT),
    (NotPlayableError, code_pb2.UNIMPLEMENTED),
    (OutOfTimeError, code_pb2.DEADLINE_EXCEEDED),
    (QueueFullError, code_pb2.RESOURCE_EXHAUSTED),
    (NotReadyError, code_pb2.UNAVAILABLE),
    (DeadlineError, code_pb2.DEADLINE_EXCEEDED),
    (CancelledError, code_pb2.CANCELLED),
    (UnconfirmedError, code_pb2.INTERNAL),
)
"""Domain error to status code; the first class that fits counts. INVALID_ARGUMENT
becomes FAILED_PRECONDITION where rules forbid all the faults."""

OWN_FIELDS: tuple[tuple[type[BradshawError], str], ...] = (
    (UnknownGameError, "board.title"),
    (UnknownAlgorithmError, "algorithm"),
    (TooLargeError, "algorithm"),
    (NotFoundError, "name"),
)
"""Errors that are the fault of one field."""

FIELDS: tuple[tuple[str, str], ...] = (
    (r"^(board|company)\b", r"position.\1"),
    (r"^profile\b(?!\.)", "position.rules.name"),
    (r"^profile\.", "position.rules."),
    (r"^wishes\.idle\b", "options.wishes.idle_trains"),
    (r"^wishes\b", "options.wishes"),
    (r"^(algorithm|seed|objective)$", r"options.\1"),
    (r"^runs$", "options.run_count"),
    (r"^((?:routes|options\.wishes\.pinned)\[\d+\])\.train$", r"\1.train_id"),
    (r"^((?:routes|options\.wishes\.pinned)\[\d+\])\.paid\b(?!\.stops)", r"\1.paid.stops"),
)
"""Domain path to field path, applied in this order."""


FORM = frozenset({"FIELD_MISSING", "FIELD_MALFORMED"})
"""Codes of actions that cannot be read; the section that they cite is of the format."""


def field_path(path: str) -> str:
    """Return the field of the request that a fault's path means.

    >>> field_path("board.tiles[3].rotation"), field_path("wishes.idle")
    ('position.board.tiles[3].rotation', 'options.wishes.idle_trains')
    """
    for pattern, field in FIELDS:
        path = re.sub(pattern, field, path)
    return path


def malformed(fault: Fault) -> bool:
    """Tell whether a fault is malformed input rather than forbidden by a rule."""
    return not fault.section or fault.code.endswith("_UNKNOWN") or fault.code in FORM


def status_of(error: Exception) -> status_pb2.Status:
    """Return the status of an error, with its details.

    Errors that are not of the domain are INTERNAL and say nothing of
    themselves; the log does.
    """
    if not isinstance(error, BradshawError):
        text = "the service failed; its log says how"
        return _status(code_pb2.INTERNAL, text, [_info("INTERNAL", {})])
    faults = error.faults or _own_fault(error)
    bad = [fault for fault in faults if malformed(fault)]
    forbidden = [fault for fault in faults if not malformed(fault)]
    code = next((code for kind, code in CODES if isinstance(error, kind)), code_pb2.INTERNAL)
    if forbidden and not bad and code == code_pb2.INVALID_ARGUMENT:
        code = code_pb2.FAILED_PRECONDITION
    metadata = {"faults": str(len(faults))} if faults else {}
    if isinstance(error, UnconfirmedError) and error.report:
        metadata["report"] = error.report
    details: list[Message] = [_info(_reason(error), metadata)]
    if isinstance(error, RetryableError):
        details.append(_retry(error.retry_seconds))
    if code in (code_pb2.INVALID_ARGUMENT, code_pb2.FAILED_PRECONDITION, code_pb2.NOT_FOUND):
        details.extend(_violations(bad, forbidden))
    return _status(code, _cut(_sentence(error), MOST_MESSAGE), details)


def _own_fault(error: BradshawError) -> tuple[Fault, ...]:
    field = next((field for kind, field in OWN_FIELDS if isinstance(error, kind)), None)
    return () if field is None else (Fault(error.code, field, str(error)),)


def _sentence(error: BradshawError) -> str:
    """Return what an error says: of faults as many as there is room for, the others counted."""
    if not isinstance(error, (StateError, RequestError, WishesError, GameRefusedError)):
        return str(error)
    where = error.where if isinstance(error, GameRefusedError) else ""
    listed = [_said(fault) for fault in error.faults]
    for number in range(len(listed), 0, -1):
        rest = [f"and {len(listed) - number} more"] if number < len(listed) else []
        text = "; ".join([*listed[:number], *rest])
        if len(where) + len(text) <= MOST_MESSAGE - len(": ") or number == 1:
            return f"{where}: {text}" if where else text
    return str(error)


def _said(fault: Fault) -> str:
    path = field_path(fault.path)
    message = _cut(fault.message, MOST_TEXT)
    return f"{path}: {message}" if path else message


def _reason(error: BradshawError) -> str:
    codes = {fault.code for fault in error.faults}
    return codes.pop() if len(codes) == 1 else error.code


def _info(reason: str, metadata: Mapping[str, str]) -> error_details_pb2.ErrorInfo:
    return error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata)


def _retry(seconds: float) -> error_details_pb2.RetryInfo:
    delay = duration_pb2.Duration()
    delay.FromMilliseconds(max(1, round(seconds * 1000)))
    return error_details_pb2.RetryInfo(retry_delay=delay)


def _violations(bad: Iterable[Fault], forbidden: Iterable[Fault]) -> Iterable[Message]:
    violations = error_details_pb2.BadRequest()
    for fault in list(bad)[:MOST_VIOLATIONS]:
        violations.field_violations.add(
            field=field_path(fault.path),
            description=_cut(fault.message, MOST_TEXT),
            reason=fault.code,
        )
    failure = error_details_pb2.PreconditionFailure()
    for fault in list(forbidden)[: MOST_VIOLATIONS - len(violations.field_violations)]:
        cited = f"{_cut(fault.message, MOST_TEXT)} ({fault.section})"
        failure.violations.add(type=fault.code, subject=field_path(fault.path), description=cited)
    while violations.ByteSize() + failure.ByteSize() > MOST_BYTES:
        (failure.violations or violations.field_violations).pop()
    if violations.field_violations:
        yield violations
    if failure.violations:
        yield failure


def _status(code: int, message: str, details: Iterable[Message]) -> status_pb2.Status:
    status = status_pb2.Status(code=code, message=message)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    return status


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
