"""Structured logs: one JSON object a line, on standard error."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Mapping
from typing import TextIO


class JsonFormatter(logging.Formatter):
    """Writes a record as a JSON object; the fields stand in ``record.fields``."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(level: str, stream: TextIO | None = None) -> None:
    """Send everything of the level or above to `stream` (default: standard error).

    Parameters
    ----------
    level
        One of :data:`LEVELS`.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())


def event(
    log: logging.Logger,
    name: str,
    fields: Mapping[str, object],
    level: int = logging.INFO,
    *,
    trace: bool = False,
) -> None:
    """Log an event with its fields; with `trace` the exception in flight as well."""
    log.log(level, name, extra={"fields": fields}, exc_info=trace)
